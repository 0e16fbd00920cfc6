"""Ninety days of a team: who does what on which day, by chance and by the seed alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from benchmarks.team.cast import Branch, Person
from benchmarks.team.judge import Act, Judge
from benchmarks.team.notes import DOCUMENT, SECTIONS, START_DOCUMENT, Document, Notes, both, fact_of, merged_by_hand
from benchmarks.team.world import Clock, Clone, Forge, Tally, founded


class Team:
    """One seed: the forge, the people and the judge."""

    def __init__(
        self, folder: Path, seed: int, people: int, days: int, command: str | None, traced: str | None
    ) -> None:
        self.folder, self.command, self.days = folder, command, days
        self.chance = random.Random(f"team {seed}")
        self.clock, self.tally = Clock(), Tally()
        self.notes = Notes(self.chance)
        self.judge = Judge(seed, self.clock, self.notes.words, traced)
        self.forge = Forge(folder, self.clock, self.tally)
        self.moved: dict[str, str] = {}
        self.people: list[Person] = []
        self._branches = 0
        founder = founded(self.forge, self.folder, command)
        self.has_curate = founder.intermem("curate", "--help", expected=(0, 1, 2)).code == 0
        for number in range(people):
            self.join(has_tool=people < 3 or number != people - 1)

    def join(self, *, has_tool: bool) -> None:
        """Let somebody join: a fresh clone, some notes, and in half of the clones the merge driver."""
        name = f"p{len(self.people) + 1}"
        clone = self.forge.cloned(self.folder / name, name, self.command)
        first = self.chance.randrange(8, max(9, self.days - 20))
        person = Person(clone, has_tool, range(first, first + self.chance.randrange(14, 22)))
        person.diligence = (0.8, 0.05, 0.6, 0.3)[len(self.people) % 4]
        self.people.append(person)
        if has_tool and len(self.people) % 2:
            clone.intermem("init", "--merge-driver", expected=(0, 1, 2))
            clone.git("checkout", "-q", "--", ".")
        for _ in range(10):
            self._learns(person)

    def run(self) -> Judge:
        """Live through the days and return the judge."""
        for day in range(self.days):
            self.clock.sleep_until(day)
            if day == self.days // 2:
                self.join(has_tool=True)
            if day % 7 >= 5:
                continue
            for person in self.chance.sample(self.people, len(self.people)):
                if day not in person.away and self._may(0.9):
                    self._session(person)
                    self._merges()
            if day % 7 == 0 and day:
                self._bot()
            self.judge.inspect(self.forge.cloned(self.folder / "clean", "clean", self.command), self.forge)
        self.judge.close(self.tally)
        return self.judge

    def _may(self, share: float) -> bool:
        return self.chance.random() < share

    def _watch(self, person: Person, after: str) -> None:
        """Tell when the traced fact came to or went from the document of ``person``."""
        if self.judge.traced is not None:
            stands = self.judge.traced in Document.read(person.clone.read()).facts([self.judge.traced])
            if stands != person.sees_traced:
                self.judge.tell(
                    self.judge.traced, f"{'comes to' if stands else 'GOES FROM'} {person.name} with {after}"
                )
            person.sees_traced = stands

    # What the agents note

    def _learns(self, person: Person) -> None:
        fact, text = self.notes.made(_existing(person.clone))
        note = (self.chance.choice(SECTIONS), text)
        person.memory[fact] = note
        self.judge.tell(fact, f"noted by {person.name}: {text}")
        others = [one for one in self.people if one is not person and one.has_tool]
        if others and self._may(0.25):  # two people in one session
            other = self.chance.choice(others)
            other.memory[fact] = note
            self.judge.tell(fact, f"noted by {other.name} too")

    def _remembers(self, person: Person) -> None:
        """Let the agent's notes change, as they do in a day."""
        if self._may(0.25):
            self._learns(person)
        if person.memory and self._may(0.06):
            fact = self.chance.choice(sorted(person.memory))
            section, text = person.memory[fact]
            person.memory[fact] = (section, self.notes.reworded(text))
            self.judge.tell(fact, f"reworded in the memory of {person.name}")
        if person.memory and self._may(0.05):
            fact = self.chance.choice(sorted(person.memory))
            del person.memory[fact]
            person.echoes.discard(fact)
            self.judge.tell(fact, f"dropped by {person.name}")
        standing = Document.read(person.clone.read()).facts(self.notes.words)
        fresh = sorted(standing.keys() - person.memory.keys())
        if fresh and self._may(0.03):
            fact = self.chance.choice(fresh)
            person.memory[fact] = (self.chance.choice(SECTIONS), standing[fact][0])
            person.echoes.add(fact)
            self.judge.tell(fact, f"copied from the document by {person.name}")
        person.clone.remember(list(person.memory.values()))

    # A day's work

    def _session(self, person: Person) -> None:
        clone = person.clone
        if person.has_tool:
            self._remembers(person)
            if self._may(0.85):
                clone.intermem("scan")
        clone.git("fetch", "-q", "--prune", "origin")
        if person.branch is None:
            self._branches += 1
            person.branch = Branch(f"{person.name}-{self._branches}")
            clone.git("checkout", "-q", "-B", person.branch.name, "origin/main")
            self._watch(person, "checkout of main")
            if self._may(0.05):
                self._reverts(person)
        elif person.branch.is_conflicted:
            self._resolves(person)
        elif person.branch.is_open and self._may(0.5):
            return  # waits for its review
        elif self._may(0.2):
            self._resolves(person)
        self._works(person)
        self._watch(person, "work")
        self._pushes(person)
        self._watch(person, "rebase")

    def _works(self, person: Person) -> None:
        clone, apart = person.clone, self._may(0.5)
        self._codes(person)
        if self._may(0.25):
            self._by_hand(person, self._edits)
        if self._may(0.02):
            self._by_hand(person, self._formats)
        if apart or not person.has_tool:
            self._commits(clone, f"work of {person.name}")
        if person.has_tool and self._may(person.diligence):
            self._curates(person)
            self._commits(clone, f"notes of {person.name}", by_tool=apart)
        if self._may(0.04):
            self._picks(person)
        if person.has_tool and self._may(0.04):
            clone.intermem("doctor", "--repair")
        self._commits(clone, f"work of {person.name}")

    def _commits(self, clone: Clone, message: str, *, by_tool: bool = False) -> None:
        clone.clock.tick()
        clone.git("add", "-A")
        if not clone.git("status", "--porcelain"):
            return
        if by_tool:
            last = clone.git("log", "-1", "--format=%H", "--", ".intermem")
            before = Document.read(clone.git("show", f"{last}:{DOCUMENT}") if last else START_DOCUMENT)
            same = sorted(text for _, text in before.items()) == sorted(
                text for _, text in Document.read(clone.read()).items()
            )
            self.judge.counts["tool commits"] += 1
            self.judge.counts["without a change"] += same
        clone.git("commit", "-q", "-m", message)

    def _codes(self, person: Person) -> None:
        clone, files = person.clone, _existing(person.clone)
        name = self.chance.choice(files or ["src/again.py"])
        lines = clone.read(name).splitlines(keepends=True)
        lines.insert(self.chance.randrange(len(lines) + 1), f"added_{self._branches} = {self.clock.minutes}\n")
        clone.write(name, "".join(lines))
        if self._may(0.2):
            part = f"part_{self._branches}"
            clone.write(f"src/{part}.py", "".join(f"{part}_{number} = {number}\n" for number in range(20)))
        if len(files) > 4 and self._may(0.08):
            gone = self.chance.choice([one for one in files if one != name] or files)
            if self._may(0.5):
                clone.git("rm", "-q", "-f", gone)
            else:
                target = f"src/moved_{self._branches}_{Path(gone).name}"
                clone.git("mv", gone, target)
                self.moved[gone] = target

    def _by_hand(self, person: Person, edit: Callable[[Document, Person], None]) -> None:
        document = Document.read(person.clone.read())
        before = document.text()
        edit(document, person)
        if document.text() != before:
            person.clone.write(DOCUMENT, document.text())
            self._word(person, before, edit.__name__.strip("_"))

    def _word(self, person: Person, before: str, how: str) -> None:
        """Take what ``person`` did to the document for a word about each fact that went or came."""
        old, new = (Document.read(text).facts(self.notes.words) for text in (before, person.clone.read()))
        for kind, facts in (("out", old.keys() - new.keys()), ("in", new.keys() - old.keys())):
            for fact in sorted(facts):
                self._acted(person, fact, kind, how)

    def _acted(self, person: Person, fact: str | None, kind: str, how: str) -> None:
        if fact is not None and person.branch is not None:
            person.branch.acts.append(Act(fact, kind, self.clock.now, person.name, how))
            self.judge.tell(fact, f"{kind} on {person.branch.name}: {how}")

    def _edits(self, document: Document, person: Person) -> None:
        items = document.items()
        kind = self.chance.choices(("reword", "delete", "move", "add"), (3, 3, 2, 2))[0]
        if kind == "add" or not items:
            _, text = self.notes.made(_existing(person.clone))
            document.put(self.chance.choice(SECTIONS), text)
            return
        at, text = self.chance.choice(items)
        if kind == "reword":
            document.blocks[at] = document.blocks[at][:2] + self.notes.reworded(text)
            self.judge.tell(fact_of(text, self.notes.words) or "", f"reworded by hand by {person.name}")
            return
        del document.blocks[at]
        if kind == "move":
            document.put(self.chance.choice(SECTIONS), text)
            self.judge.tell(fact_of(text, self.notes.words) or "", f"moved by hand by {person.name}")

    def _formats(self, document: Document, _person: Person) -> None:
        document.format(wraps=self._may(0.5))

    def _curates(self, person: Person) -> None:
        """Let the tool do what it does: mostly sweep and promote, now and then a person's verb."""
        clone, branch = person.clone, person.branch
        assert branch is not None
        if self.has_curate and self._may(0.3):
            self._curated(person, "curate", "--yes")
        else:
            self._curated(person, "sweep")
            if self._may(0.7):
                self._curated(person, "promote", "--yes")
        facts = Document.read(clone.read()).facts(self.notes.words)
        back = sorted(self.judge.asked & facts.keys())
        if back and self._may(0.5):
            self._decides(person, "reject", self.chance.choice(back))
        elif facts and self._may(0.03):
            self._decides(person, "reject", self.chance.choice(sorted(facts)))
        elif self._may(0.03):
            known = [fact for fact in self.notes.words if self.judge.word(fact) and fact not in facts]
            if known:
                self._decides(person, "restore", self.chance.choice(known))
        branch.told |= person.held()

    def _curated(self, person: Person, *arguments: str) -> None:
        self._watch(person, "work")
        run = person.clone.intermem(*arguments)
        self._watch(person, arguments[0])
        for entry in run.entries("promoted"):
            self.judge.counts["promotions"] += 1
            self._acted(person, fact_of(str(entry.get("text")), self.notes.words), "promoted", str(entry.get("reason")))
        for entry in run.entries("demoted"):
            self.judge.demoted(entry, person.clone, self.moved, self._holders(str(entry.get("text"))))
            self._acted(person, fact_of(str(entry.get("text")), self.notes.words), "demoted", str(entry.get("reason")))

    def _holders(self, text: str) -> dict[str, bool]:
        fact = fact_of(text, self.notes.words)
        return {one.name: fact in one.told for one in self.people if one.has_tool and fact in one.held()}

    def _decides(self, person: Person, verb: str, fact: str) -> None:
        before = person.clone.read()
        found = person.clone.intermem("query", "--all", "--limit", "0", "--no-touch").entries("entries")
        ids = [str(one["id"]) for one in found if fact_of(str(one.get("text")), self.notes.words) == fact]
        for id in ids[:1]:
            if person.clone.intermem(verb, id, expected=(0, 1, 2)).code == 0:
                self._word(person, before, verb)
                if verb == "restore" and fact in Document.read(before).facts(self.notes.words):
                    self._acted(person, fact, "in", verb)

    # What git does with it

    def _picks(self, person: Person) -> None:
        """Cherry-pick the newest commit of somebody's branch, with what was done there."""
        others = [one for one in self.people if one is not person and one.branch is not None and one.branch.is_open]
        if not others or person.branch is None:
            return
        self._commits(person.clone, f"work of {person.name}")
        other = self.chance.choice(others).branch
        assert other is not None
        before = Document.read(person.clone.read()).facts(self.notes.words)
        if person.clone.git_code("cherry-pick", f"origin/{other.name}")[0]:
            person.clone.git("cherry-pick", "--abort")
            return
        after = Document.read(person.clone.read()).facts(self.notes.words)
        changed = before.keys() ^ after.keys()
        person.branch.acts += [act for act in other.acts if act.fact in changed]

    def _reverts(self, person: Person) -> None:
        """Revert one of the last merges: a person's word about every entry that it puts in or takes out."""
        commits = person.clone.git("rev-list", "--first-parent", "--parents", "-n", "9", "HEAD").split("\n")[:-1]
        if not commits:
            return
        commit, *parents = self.chance.choice(commits).split()
        before = person.clone.read()
        mainline = ["-m", "1"] if len(parents) > 1 else []
        if person.clone.git_code("revert", "--no-edit", *mainline, commit)[0]:
            person.clone.git("revert", "--abort")
            return
        self._word(person, before, f"revert of {commit[:8]}")

    def _resolves(self, person: Person) -> None:
        """Merge main into the branch; what conflicts goes to the tool first, what is left to the person."""
        clone = person.clone
        assert person.branch is not None
        if clone.git_code("merge", "-q", "--no-edit", "origin/main")[0]:
            self._watch(person, "a conflicting merge of main")
            if person.has_tool:
                clone.intermem("doctor", "--repair")
                self._watch(person, "doctor --repair")
            for name in clone.git("diff", "--name-only", "--diff-filter=U").split("\n"):
                self._settles(clone, name)
            clone.git("add", "-A")
            clone.git("commit", "-q", "--no-edit")
        self._watch(person, "merge of main")
        person.branch.is_conflicted = False

    def _settles(self, clone: Clone, name: str) -> None:
        if not name or ("<<<<<<<" not in clone.read(name) and (clone.root / name).exists() and name == DOCUMENT):
            return
        (_, base), (one, ours), (two, theirs) = (clone.git_code("show", f":{stage}:{name}") for stage in (1, 2, 3))
        if name == DOCUMENT:
            self.judge.counts["left to a person"] += 1
            clone.write(name, merged_by_hand(base, ours, theirs, self.notes.words))
        elif name.startswith(".intermem"):
            clone.write(name, both(clone.read(name)))
        elif one or two:  # changed here, deleted there
            clone.git("rm", "-q", "-f", name)
        else:
            clone.write(name, ours + "".join(line for line in theirs.splitlines(True) if line not in ours))

    def _pushes(self, person: Person) -> None:
        clone, branch = person.clone, person.branch
        assert branch is not None
        if self._may(0.08):
            if self._may(0.5) and clone.git_code("rebase", "-q", "origin/main")[0]:
                clone.git("rebase", "--abort")
            clone.git("commit", "-q", "--amend", "--allow-empty", "-m", f"work of {person.name}, again")
        clone.git("push", "-q", "-f", "origin", f"HEAD:{branch.name}")
        if not branch.is_open and self._may(0.85):
            branch.is_open, branch.waits = True, self.clock.day + self.chance.choice((0, 0, 0, 1, 1, 3))

    def _merges(self) -> None:
        """Let the forge merge what waits."""
        for person in self.people:
            branch = person.branch
            if branch is None or not branch.is_open or branch.is_conflicted or branch.waits > self.clock.day:
                continue
            if self._merged(branch, self.chance.choices(("merge", "squash", "rebase"), (4, 4, 2))[0]):
                person.told |= branch.told
                person.branch = None

    def _merged(self, branch: Branch, method: str) -> bool:
        self.clock.tick()
        old = self.forge.bare.git("rev-parse", "main")
        conflicts = self.forge.merge(branch.name, method, f"{branch.name} ({method})")
        if conflicts:
            branch.is_conflicted = True
            self.judge.conflicted(conflicts)
            return False
        rewritten = method != "merge"
        self.judge.merged(f"{branch.name} ({method})", self.forge, old, branch.acts, is_rewritten=rewritten)
        return True

    def _bot(self) -> None:
        """Sweep in a clean clone, and merge what it changes."""
        clone = self.forge.cloned(self.folder / "bot", "bot", self.command)
        branch = Branch(f"bot-{self.clock.day}")
        self._curated(Person(clone, True, range(0), branch=branch), "sweep")
        if clone.git("status", "--porcelain"):
            self._commits(clone, "sweep", by_tool=True)
            clone.git("push", "-q", "-f", "origin", f"HEAD:{branch.name}")
            self._merged(branch, "squash")


def _existing(clone: Clone) -> list[str]:
    return sorted(path.relative_to(clone.root).as_posix() for path in (clone.root / "src").glob("*.py"))
