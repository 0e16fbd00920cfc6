"""What became of each fact, and whether it should have: a model of the truth that asks the tool nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from benchmarks.team.notes import Document, cited, fact_of
from benchmarks.team.world import Clock, Clone, Forge, Tally
from intermem.core.entries.identity import identity

# The columns of the table: what is counted, in the order in which it is printed.
COLUMNS = (
    *("pull requests", "promotions", "demotions", "lost", "doubled", "two wordings", "back unasked", "back and asked"),
    "in again by a squash",
    *("held demoted", "of these unknown to main", "conflicting merges", "ledger conflicts", "ledger alone"),
    *(
        "document conflicts",
        "other conflicts",
        "left to a person",
        "entry changes",
        "lines of ours",
        "lines per change",
    ),
    *("tool commits", "without a change", "days checked", "check exits 1", "bytes outside", "tracebacks", "exit 2"),
)
_ASKS = re.compile(r"\b(reject|restore|taken out|took out|back since|came back)", re.IGNORECASE)


@dataclass(frozen=True)
class Act:
    """Why a fact is in or out: the tool ``promoted`` or ``demoted`` it, a person took it ``out`` or put it ``in``."""

    fact: str
    kind: str
    at: datetime
    who: str
    why: str = ""


@dataclass
class Judge:
    """Counts of one seed, and its violations; ``traced`` is a fact whose story is printed."""

    seed: int
    clock: Clock
    words: list[str]
    traced: str | None = None
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    _acts: dict[str, list[Act]] = field(default_factory=dict)
    _appeared: dict[str, datetime] = field(default_factory=dict)
    _lost: dict[str, str] = field(default_factory=dict)
    _reported: set[tuple[str, str]] = field(default_factory=set)

    def tell(self, fact: str, what: str) -> None:
        """Print what happened to the traced fact."""
        if fact == self.traced:
            print(f"  seed {self.seed} {self.clock.now:day %j %H:%M} ({self.clock.day}): {what}", flush=True)

    def violated(self, kind: str, fact: str, detail: str) -> None:
        """Count a violation, once a fact and kind."""
        if (kind, fact) not in self._reported:
            self._reported.add((kind, fact))
            self.counts[kind] += 1
            self.violations.append(f"seed {self.seed}, day {self.clock.day}, {fact}: {kind}: {detail}")

    def demoted(self, entry: dict[str, Any], clone: Clone, moved: dict[str, str], holders: dict[str, bool]) -> None:
        """Judge a demotion in ``clone``; ``holders`` hold the fact now, True where main has been told so."""
        fact = fact_of(str(entry.get("text")), self.words)
        self.counts["demotions"] += 1
        if fact is None:
            return
        self.tell(fact, f"demoted by {clone.name}: {entry.get('reason')}; held by {', '.join(holders) or 'nobody'}")
        paths = cited(str(entry["text"]))
        contradicted = paths and not any(_still_there(clone, one, moved) for one in paths)
        if holders and not contradicted:
            self.counts["held demoted"] += 1
            self.counts["of these unknown to main"] += not any(holders.values())
            who = ", ".join(f"{name}{'' if told else ' (unknown to main)'}" for name, told in holders.items())
            self.violations.append(
                f"seed {self.seed}, day {self.clock.day}, {fact}: held demoted: by {clone.name}, held by {who}: "
                f"{entry.get('reason')}"
            )

    def conflicted(self, paths: Sequence[str]) -> None:
        """Count a merge that the forge refuses."""
        ours = any(path.startswith(".intermem") for path in paths)
        document = any(path.endswith(".md") for path in paths)
        other = any(not path.startswith(".intermem") and not path.endswith(".md") for path in paths)
        self.counts["conflicting merges"] += 1
        self.counts["ledger conflicts"] += ours
        self.counts["ledger alone"] += ours and not document and not other
        self.counts["document conflicts"] += document
        self.counts["other conflicts"] += other

    def merged(self, title: str, forge: Forge, old: str, acts: Iterable[Act], *, is_rewritten: bool) -> None:
        """Take note of a merge into main, which was at ``old``.

        A squash and a rebase leave one commit that was made after all of main. A line that a person added by hand,
        with no event beside it, is in the history an addition of that moment (DESIGN: by ancestry, else by time).
        """
        self.counts["pull requests"] += 1
        acts = [self._as_told(act, is_rewritten=is_rewritten) for act in acts]
        for act in acts:
            self._acts.setdefault(act.fact, []).append(act)
            self.tell(act.fact, f"merged with {title}: {act.kind} by {act.who} on {act.at:%m-%d %H:%M} {act.why}")
        before = Document.read(forge.show(rev=old)).facts(self.words)
        after = Document.read(forge.show()).facts(self.words)
        changed = {
            fact for fact in before.keys() | after.keys() if sorted(before.get(fact, [])) != sorted(after.get(fact, []))
        }
        self.counts["entry changes"] += len(changed)
        added = forge.bare.git("diff", "--numstat", "--no-renames", old, "main", "--", ".intermem").split("\n")
        self.counts["lines of ours"] += sum(int(line.split("\t")[0]) for line in added if line[:1].isdigit())
        for fact in sorted(after.keys() - before.keys()):
            self._appeared[fact] = self.clock.now
            self._lost.pop(fact, None)
            self.tell(fact, f"on main with {title}")
        for fact in sorted(before.keys() - after.keys()):
            known = [act for act in self._acts.get(fact, []) if act.kind in ("out", "demoted")]
            last = max(
                (act.at for act in self._acts.get(fact, []) if act.kind in ("in", "promoted")), default=self.clock.now
            )
            first = min(last, self._appeared.get(fact, last))
            explained = any(act in acts or act.at >= first for act in known)
            self.tell(fact, f"off main with {title}, {'explained' if explained else 'WITHOUT A REASON'}")
            if not explained:
                self._lost[fact] = f"off main since day {self.clock.day} with {title}"

    def _as_told(self, act: Act, *, is_rewritten: bool) -> Act:
        if not is_rewritten or act.kind != "in":
            return act
        word = self.word(act.fact)
        self.counts["in again by a squash"] += word is not None and word.kind == "out" and word.at > act.at
        return replace(act, at=self.clock.now)

    def word(self, fact: str) -> Act | None:
        """Return the last word of a person about ``fact`` that main knows."""
        words = [act for act in self._acts.get(fact, []) if act.kind in ("out", "in")]
        return max(words, key=lambda act: act.at, default=None)

    def inspect(self, clone: Clone, forge: Forge) -> None:
        """Look at main as it stands, in a clean ``clone`` without a memory."""
        self.counts["days checked"] += 1
        self.counts["check exits 1"] += clone.intermem("sweep", "--check").code == 1
        facts = Document.read(forge.show()).facts(self.words)
        against = {fact: act for fact in facts if (act := self.word(fact)) is not None and act.kind == "out"}
        self.asked = self._asked(clone, facts, against)
        for fact, act in against.items():
            if fact in self.asked:
                self.counts["back and asked"] += ("asked", fact) not in self._reported
                self._reported.add(("asked", fact))
            else:
                later = [one for one in self._acts[fact] if one.kind == "promoted" and one.at > act.at]
                again = f"; promoted again by {later[-1].who} on {later[-1].at:%m-%d}" if later else ""
                self.violated("back unasked", fact, f"taken out by {act.who} on {act.at:%m-%d} ({act.why}){again}")
        if any(len(texts) > 1 for texts in facts.values()):
            clone.intermem("doctor", "--repair")
            for fact, texts in Document.read(clone.read()).facts(self.words).items():
                if max(Counter(texts).values()) > 1:
                    self.violated("doubled", fact, f"{max(Counter(texts).values())} times after doctor --repair")
                elif len(texts) > 1:
                    self.violated("two wordings", fact, " | ".join(texts))

    def _asked(self, clone: Clone, facts: dict[str, list[str]], against: Iterable[str]) -> set[str]:
        """Return those of ``against`` that ``status`` or ``check`` names in a question."""
        wanted = set(against)
        if not wanted:
            return set()
        ids = {str(one.get("id")): fact_of(str(one.get("text")), self.words) for one in _all(clone)}
        ids |= {identity(text): fact for fact, texts in facts.items() for text in texts}  # not on record yet
        lines = clone.read().splitlines()
        found: set[str] = set()
        for verb in ("status", "check"):
            for item in _leaves(clone.intermem(verb).said):
                said = json.dumps({key: value for key, value in item.items() if value}, ensure_ascii=False)
                number = item.get("line")
                here = lines[number - 1] if isinstance(number, int) and 0 < number <= len(lines) else ""
                named = {fact for id, fact in ids.items() if fact and id[:8] in said}
                named |= {fact for fact in facts if fact in said or fact in here}
                if _ASKS.search(" ".join(str(value) for value in item.values())):
                    found |= named & wanted
        return found

    def close(self, tally: Tally) -> None:
        """Add what only the end tells."""
        for fact, how in sorted(self._lost.items()):
            self.violated("lost", fact, how)
        self.counts["bytes outside"], self.counts["tracebacks"] = len(tally.outside), len(tally.tracebacks)
        self.counts["exit 2"] = sum(tally.exits.values())
        self.violations += [f"seed {self.seed}, bytes outside: {one}" for one in tally.outside]
        self.violations += [f"seed {self.seed}, traceback: {one}" for one in tally.tracebacks]
        self.violations += [
            f"seed {self.seed}, exit {what} ({number} times)" for what, number in tally.exits.most_common()
        ]


def _still_there(clone: Clone, path: str, moved: dict[str, str]) -> bool:
    """Return True where ``path`` stands, or what it was moved to, however often."""
    while not (clone.root / path).exists() and path in moved:
        path = moved[path]
    return (clone.root / path).exists()


def _all(clone: Clone) -> list[dict[str, Any]]:
    return clone.intermem("query", "--all", "--limit", "0", "--no-touch").entries("entries")


def _leaves(said: Any) -> list[dict[str, Any]]:
    """Return every object below ``said`` that holds no other object but lists of plain values."""
    if isinstance(said, list):
        strings = [{"message": one} for one in said if isinstance(one, str)]
        return strings + [leaf for one in said if not isinstance(one, str) for leaf in _leaves(one)]
    if not isinstance(said, dict):
        return []
    below = [leaf for value in said.values() for leaf in _leaves(value)]
    return [*below, {key: value for key, value in said.items() if not isinstance(value, (dict, list))}]


def table(judged: Sequence[Judge]) -> str:
    """Return the counts of each seed and their sum as a Markdown table."""
    columns = [one.counts for one in judged]
    total: Counter[str] = Counter()
    for counts in columns:
        total.update(counts)
    lines = ["| | " + " | ".join(f"seed {one.seed}" for one in judged) + " | sum |", "|---" * (len(judged) + 2) + "|"]
    for name in COLUMNS:
        values = [_figure(counts, name) for counts in [*columns, total]]
        lines.append(f"| {name} | {' | '.join(values)} |")
    return "\n".join(lines)


def _figure(counts: Counter[str], name: str) -> str:
    if name == "lines per change":
        return f"{counts['lines of ours'] / max(1, counts['entry changes']):.1f}"
    return str(counts[name])
