"""What plain git, the merge driver and ``doctor --repair`` make of two people's edits of one region.

usage: python -m benchmarks.merge_edits [TRIES]

For each pair of edits and each seed: one person makes the first edit of a region of 20 entries on
main, another the second on a branch, and both are merged three times: by plain git, by plain git
with ``doctor --repair`` where that conflicts, and with the merge driver. An entry is wrong if it
is lost, stands twice or below another heading, or came back. Prints a table; exit code 1 if the
driver or the repair got anything wrong, or touched anything outside the region.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.merges import AFTER, BEFORE, Project, made, notes
from intermem.core.region.parse import find_region

SIZE = 20
DRIVER = f"'{sys.executable}' -m intermem merge-driver --marker-size %L %O %A %B %P"


@dataclass
class Draft:
    """A region as somebody edits it: headings with entries, each with the words that it began with and has now."""

    sections: list[tuple[str, list[str]]]
    words: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The body of the region."""
        parts = []
        for title, entries in self.sections:
            if entries:
                lines = "".join(f"- {self.words.get(one, one)}\n" for one in entries)
                parts.append(f"### {title}\n\n{lines}")
        return "\n".join(parts)

    def homes(self) -> dict[str, str]:
        """The heading of each entry."""
        return {one: title for title, entries in self.sections for one in entries}

    def picked(self, chance: random.Random) -> tuple[list[str], int]:
        """An entry: the list that it is in, and its place there."""
        entries = chance.choice([entries for _, entries in self.sections if entries])
        return entries, chance.randrange(len(entries))


def adds(draft: Draft, chance: random.Random) -> None:
    """Add three entries at random places."""
    for _, text in notes(chance, 3):
        entries, at = draft.picked(chance)
        entries.insert(at, text)


def moves(draft: Draft, chance: random.Random) -> None:
    """Move two entries below other headings."""
    for _ in range(2):
        entries, at = draft.picked(chance)
        one = entries.pop(at)
        home = chance.choice([other for _, other in draft.sections if other is not entries])
        home.insert(chance.randint(0, len(home)), one)


def orders(draft: Draft, chance: random.Random) -> None:
    """Put the entries of the longest section into another order."""
    chance.shuffle(max((entries for _, entries in draft.sections), key=len))


def turns(draft: Draft, chance: random.Random) -> None:
    """Put the sections into another order."""
    chance.shuffle(draft.sections)


def renames(draft: Draft, chance: random.Random) -> None:
    """Rename the heading of a section."""
    at = chance.randrange(len(draft.sections))
    draft.sections[at] = (f"{draft.sections[at][0]} and more", draft.sections[at][1])


def removes(draft: Draft, chance: random.Random) -> None:
    """Remove two entries."""
    for _ in range(2):
        entries, at = draft.picked(chance)
        del entries[at]


def rewords(draft: Draft, chance: random.Random) -> None:
    """Reword two entries."""
    for _ in range(2):
        entries, at = draft.picked(chance)
        draft.words[entries[at]] = f"{entries[at]} {chance.choice(('always', 'mostly', 'here'))}"


Change = Callable[[Draft, random.Random], None]
PAIRS: Mapping[str, tuple[Change, Change]] = {
    "adds / adds": (adds, adds),
    "moves / adds": (moves, adds),
    "moves / moves": (moves, moves),
    "orders / adds": (orders, adds),
    "orders / rewords": (orders, rewords),
    "turns sections / adds": (turns, adds),
    "renames a heading / adds": (renames, adds),
    "rewords / moves": (rewords, moves),
    "rewords / rewords": (rewords, rewords),
    "removes / moves": (removes, moves),
    "removes / rewords": (removes, rewords),
}


@dataclass
class Tally:
    """How many merges of one kind conflicted, came out wrong, or touched what is outside."""

    conflicts: int = 0
    wrong: int = 0
    touched: int = 0

    def count(self, project: Project, expected: Counter[tuple[str, str]], *, conflict: bool) -> None:
        """Count a merge as it is in the file; one in conflict is not judged."""
        self.conflicts += conflict
        if not conflict:
            text = project.document()
            region = find_region(text, "AGENTS.md")
            stand = Counter((item.section, item.text) for item in region.items) if region is not None else Counter()
            self.wrong += stand != expected
            outside = (text[: region.begin], text[region.end :]) if region is not None else ()
            self.touched += outside != (BEFORE + "\n## Project memory\n\n", AFTER)


def expected_of(base: Draft, ours: Draft, theirs: Draft) -> tuple[Counter[tuple[str, str]], int]:
    """Return what must stand, by heading, and how many entries only a person can decide."""
    renamed = {
        old: new
        for draft in (theirs, ours)
        for old, new in ((title.removesuffix(" and more"), title) for title, _ in draft.sections)
        if old != new
    }
    was, mine, other = (
        {one: title.removesuffix(" and more") for one, title in draft.homes().items()} for draft in (base, ours, theirs)
    )
    found: Counter[tuple[str, str]] = Counter()
    open_ones = 0
    for one in {**was, **mine, **other}:
        words = {draft.words.get(one, one) for draft, homes in ((ours, mine), (theirs, other)) if one in homes}
        if one in was and not (one in mine and one in other):
            words.discard(one)
            open_ones += bool(words)
        elif one in was and len(words) == 2:
            words.discard(one)
            open_ones += len(words) == 2
        home = mine.get(one, other.get(one, ""))
        if one in other and home == was.get(one):
            home = other[one]
        for wording in words:
            found[renamed.get(home, home), wording] += 1
    return found, open_ones


def drafted(project: Project) -> Draft:
    """Return the region of a project, to edit."""
    region = find_region(project.document(), "AGENTS.md")
    assert region is not None
    return Draft([(one.title, [item.text for item in one.items]) for one in region.sections if one.items])


def committed(project: Project, draft: Draft) -> None:
    """Write a draft into the document, and commit."""
    text = project.document()
    region = find_region(text, "AGENTS.md")
    assert region is not None
    changed = text[: region.start] + draft.text() + text[region.stop :]
    (project.root / "AGENTS.md").write_bytes(changed.encode("utf-8"))
    project.git("commit", "-q", "--allow-empty", "-a", "-m", "edit")


def tried(base: Project, where: Path, changes: tuple[Change, Change], seed: int) -> tuple[Tally, Tally, Tally, int]:
    """Merge two edits by plain git, after a repair, and with the driver; also count what only a person can decide."""
    shutil.copytree(base.root.parent, where, symlinks=True)
    project = Project(where / "repo", where / "memory")
    begun = drafted(project)
    project.git("branch", "feature")
    drafts = []
    for branch, change in zip(("feature", "main"), reversed(changes), strict=True):
        project.git("checkout", "-q", branch)
        draft = drafted(project)
        change(draft, random.Random(f"{branch} {seed}"))
        committed(project, draft)
        drafts.append(draft)
    theirs, ours = drafts
    expected, open_ones = expected_of(begun, ours, theirs)
    plain, repaired, driven = Tally(), Tally(), Tally()
    is_conflict = "CONFLICT" in project.git("merge", "-q", "--no-edit", "feature")
    plain.count(project, expected, conflict=is_conflict)
    if is_conflict:
        project.run("doctor", "--repair")
        repaired.count(project, expected, conflict="<<<<<<<" in project.document())
        project.git("merge", "--abort")
    else:
        project.git("reset", "-q", "--hard", "HEAD~1")
    (project.root / ".git" / "info" / "attributes").write_text("AGENTS.md merge=intermem\n", "utf-8")
    project.git("config", "merge.intermem.driver", DRIVER)
    is_conflict = "CONFLICT" in project.git("merge", "-q", "--no-edit", "feature")
    driven.count(project, expected, conflict=is_conflict)
    shutil.rmtree(where)
    return plain, repaired, driven, int(open_ones > 0)


def measured(pair: str, tries: int) -> tuple[list[Tally], int]:
    """Return the tallies of plain git, repair and driver for ``tries`` seeded merges, and how many must conflict."""
    sums, must = [Tally(), Tally(), Tally()], 0
    with tempfile.TemporaryDirectory() as folder:
        base = made(Path(folder) / "base", SIZE)
        for seed in range(tries):
            *found, is_open = tried(base, Path(folder) / f"try-{seed}", PAIRS[pair], seed)
            must += is_open
            for total, one in zip(sums, found, strict=True):
                total.conflicts += one.conflicts
                total.wrong += one.wrong
                total.touched += one.touched
    return sums, must


def report(tries: int) -> int:
    """Print the table; return 1 where the driver or the repair got anything wrong."""
    print(f"{tries} merges each, in a region of {SIZE} entries")
    print("| ours / theirs | git: conflicts | git: wrong | driver: conflicts | driver: wrong | repair: wrong |")
    print("|---|---|---|---|---|---|")
    bad = 0
    for pair in PAIRS:
        (plain, repaired, driven), must = measured(pair, tries)
        shown = f"{driven.conflicts}" + (f" ({must} needed)" if must else "")
        wrong = repaired.wrong + max(0, repaired.conflicts - must)  # what only a person can decide stays in conflict
        print(f"| {pair} | {plain.conflicts} | {plain.wrong} | {shown} | {driven.wrong} | {wrong} |", flush=True)
        bad += wrong + driven.wrong + plain.touched + repaired.touched + driven.touched + abs(driven.conflicts - must)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(report(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
