"""Three fixed scenarios: a long holiday, facts that are let go, and promotions that meet on the forge."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from benchmarks.team.notes import DOCUMENT, SECTIONS, Document, Notes, fact_of
from benchmarks.team.world import Clock, Clone, Forge, Run, Tally, founded

_TEN = 10


class _Stage:
    """A forge with an owner whose ten facts stand on main; colleagues have three notes each."""

    def __init__(self, folder: Path, colleagues: int, command: str | None) -> None:
        self.folder, self.command, self.clock, self.tally = folder, command, Clock(), Tally()
        self.chance = random.Random("scenario")
        self.forge, self.notes = Forge(folder, self.clock, self.tally), Notes(self.chance)
        founded(self.forge, folder, command)
        self.owner = self.cloned("owner")
        self.held = [self.note() for _ in range(_TEN)]
        self.facts = self.notes.words[:_TEN]
        self.owner.remember(self.held)
        for day in (0, 1, 2):
            self.clock.sleep_until(day)
            self.owner.intermem("scan")
        self.owner.intermem("promote", "--yes", "--limit", "0")
        self.merge(self.owner)
        self.colleagues = [self.cloned(f"p{number}") for number in range(1, colleagues + 1)]
        for colleague in self.colleagues:
            colleague.remember([self.note() for _ in range(3)])

    def cloned(self, name: str) -> Clone:
        """Return a fresh clone of main; what a note is worth is not asked in it."""
        clone = self.forge.cloned(self.folder / name, name, self.command)
        clone.git("config", "intermem.promote.minWorth", "0")
        return clone

    def note(self) -> tuple[str, str]:
        """Return a section and a text."""
        return self.chance.choice(SECTIONS), self.notes.made([])[1]

    def merge(self, clone: Clone) -> None:
        """Put what ``clone`` changed on main, on top of what is there."""
        self.clock.tick()
        clone.git("add", "-A")
        clone.git("commit", "-q", "-m", f"notes of {clone.name}")
        clone.git("push", "-q", "-f", "origin", f"HEAD:{clone.name}")
        self.forge.merge(clone.name, "squash", f"notes of {clone.name}")

    def sweep(self, clone: Clone, *, scans: bool = False) -> list[str]:
        """Sweep in ``clone`` on top of main and merge; return which of the ten facts that demotes."""
        clone.git("fetch", "-q", "origin")
        clone.git("checkout", "-q", "-B", "work", "origin/main")
        if scans:
            clone.intermem("scan")
        demoted = self.among_ten(clone.intermem("sweep"))
        if scans:
            clone.intermem("promote", "--yes")
        self.merge(clone)
        return demoted

    def among_ten(self, run: Run) -> list[str]:
        """Return which of the ten facts ``run`` demotes."""
        found = (fact_of(str(entry.get("text")), self.facts) for entry in run.entries("demoted"))
        return [fact for fact in found if fact is not None]

    def standing(self) -> list[str]:
        """Return which of the ten facts stand on main."""
        return sorted(Document.read(self.forge.show()).facts(self.facts))


def holiday(folder: Path, command: str | None) -> list[str]:
    """Ten facts whose owner commits nothing for 120 days, while a bot and colleagues sweep every week."""
    rows = ["| colleagues | bot | demotions of the ten (target 0) | standing after 120 days |", "|---|---|---|---|"]
    for colleagues in (2, 5):
        for keeps in (False, True):
            stage = _Stage(folder / f"{colleagues}-{keeps}", colleagues, command)
            demoted, bot = 0, stage.cloned("bot")
            for day in range(7, 121, 7):
                stage.clock.sleep_until(day)
                for colleague in stage.colleagues:
                    demoted += len(stage.sweep(colleague, scans=True))
                bot = bot if keeps else stage.cloned("bot")
                demoted += len(stage.sweep(bot))
            state = "keeps its state" if keeps else "clean clones"
            rows.append(f"| {colleagues} | {state} | {demoted} | {len(stage.standing())} of {_TEN} |")
    return rows


def let_go(folder: Path, command: str | None) -> list[str]:
    """Three of ten facts that the owner's memory drops; the owner sweeps twice more, then others do, every week."""
    rows = [
        "| who sweeps | the three are gone after (at most 8 weeks) | of the seven stand | weeks clones differ |",
        "|---|---|---|---|",
    ]
    for who in ("bot, clean clones", "bot, keeps its state", "a colleague"):
        stage = _Stage(folder / who.split(",")[0].replace(" ", "-") / str(len(rows)), 2, command)
        stage.owner.remember(stage.held[3:])
        for day in (3, 10):
            stage.clock.sleep_until(day)
            stage.sweep(stage.owner, scans=True)
        sweeper = stage.colleagues[0] if who == "a colleague" else stage.cloned("bot")
        gone: dict[str, int] = {}
        differ = 0
        for week in range(1, 13):
            stage.clock.sleep_until(10 + 7 * week)
            differ += _clones_differ(stage)
            sweeper = stage.cloned("bot") if who == "bot, clean clones" else sweeper
            stage.sweep(sweeper, scans=who == "a colleague")
            standing = stage.standing()
            gone |= {fact: week + 1 for fact in stage.facts if fact not in standing and fact not in gone}
        weeks = [str(gone.get(fact, "never")) for fact in stage.facts[:3]]
        kept = sum(fact not in gone for fact in stage.facts[3:])
        rows.append(f"| {who} | {', '.join(weeks)} weeks | {kept} of 7 | {differ} of 12 |")
    return rows


def _clones_differ(stage: _Stage) -> bool:
    """Return True where a sweep now would not demote the same in two clean clones and in one of a new colleague."""
    clones = [stage.cloned(name) for name in ("clean-1", "clean-2", "new")]
    clones[2].remember([("Build", "Nothing that anybody else has noted.")])
    found = [tuple(sorted(stage.among_ten(clone.intermem("sweep", "--dry-run")))) for clone in clones]
    return len(set(found)) > 1


def forge(folder: Path, command: str | None, tries: int) -> list[str]:
    """Two branches that promote three entries each, merged by the forge, and by the driver in a clone."""
    rows = [
        f"| entries before ({tries} merges each) | ledger conflicts, forge | document conflicts, forge "
        "| ledger conflicts, clone | document conflicts, clone | driver |",
        "|---|---|---|---|---|---|",
    ]
    for size in (0, 10, 80):
        counts = [0, 0, 0, 0]
        driver = "none"
        for seed in range(tries):
            paths, by_driver, driver = _meet(folder / f"{size}-{seed}", size, seed, command)
            for at, found in enumerate((paths, by_driver)):
                counts[2 * at] += any(path.startswith(".intermem") for path in found)
                counts[2 * at + 1] += DOCUMENT in found
        rows.append(f"| {size} | {' | '.join(map(str, counts))} | {driver} |")
    return rows


def _meet(folder: Path, size: int, seed: int, command: str | None) -> tuple[list[str], list[str], str]:
    """Return what conflicts on the forge, what in a clone with the driver, and whether there is a driver."""
    clock, tally = Clock(), Tally()
    chance = random.Random(f"forge {size} {seed}")
    hub, notes = Forge(folder, clock, tally), Notes(chance)
    clone = founded(hub, folder, command)
    clone.git("config", "intermem.promote.minWorth", "0")
    said = clone.intermem("init", "--merge-driver", expected=(0, 1, 2))
    _promotes(clone, notes, chance, size)
    clone.git("push", "-q", "origin", "HEAD:main")
    for branch in ("one", "two"):
        clone.git("checkout", "-q", "-B", branch, "origin/main")
        _promotes(clone, notes, chance, 3)
        clone.git("push", "-q", "origin", f"HEAD:{branch}")
    hub.merge("one", "merge", "one")
    conflicts = hub.merge("two", "merge", "two")
    clone.git("checkout", "-q", "-B", "merged", "one")
    clone.git("merge", "-q", "--no-edit", "two")
    left = clone.git("diff", "--name-only", "--diff-filter=U").split("\n")
    return conflicts, left, "installed" if said.code == 0 else "none"


def _promotes(clone: Clone, notes: Notes, chance: random.Random, count: int) -> None:
    if count:
        clone.remember([(chance.choice(SECTIONS), notes.made([])[1]) for _ in range(count)])
        clone.intermem("scan")
        clone.intermem("promote", "--yes", "--min-snapshots", "1", "--limit", "0")
        clone.git("add", "-A")
        clone.git("commit", "-q", "-m", "promote")


SCENARIOS: dict[str, Callable[[Path, str | None], list[str]]] = {"holiday": holiday, "let-go": let_go}
