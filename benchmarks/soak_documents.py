#!/usr/bin/env python3
"""Insert a million markers into documents and check the result: ordinary text, refused, a region, edited.

usage: python -m benchmarks.soak_documents [--documents N] [--injections N] [--seed N]

The documents are small and random, made of fragments and, if the corpus is beside the project, of its lines; half
of them have a region. Each injection inserts a marker (current, old-style or broken) at a random line or column of
one of them and parses the result. Every SHARE-th result is edited too: an entry is added to the region and removed
(a region is placed at the end if there is none), an item is removed and added. The invariants are those of
tests/fuzz. Prints a table and the first violations of each kind; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable

from intermem.core.region.edit import Addition
from tests.fuzz import fragments
from tests.fuzz.invariants import REFUSALS, added_and_removed, judged, placed_and_removed, removed_and_added, taken_away

SHARE = 25  # one injection in this many is edited too
SHOWN = 3  # violations shown per kind, with their documents
KINDS = {"marker": fragments.MARKERS, "old-style": fragments.OLD_STYLE, "broken": fragments.BROKEN}
NOTES = (*fragments.FRAGMENTS, *fragments.INJECTIONS, "A plain sentence.", "Two\n\nparagraphs.", "A list:\n- a\n- b")

Outcomes = dict[str, Counter[str]]


def document(chance: random.Random) -> str:
    """Return a document of a few short pieces, half of the time with a region."""
    pieces = [piece(chance) for _ in range(chance.randint(1, 6))]
    if chance.random() < 0.5:
        pieces.insert(chance.randint(0, len(pieces)), chance.choice((fragments.REGION, fragments.FILLED)))
    text = chance.choice(("\n", "\n\n")).join(pieces)
    text = text.replace("\n", chance.choice(("\n", "\n", *fragments.LINE_ENDS)))
    return chance.choice(("", "", "", "\ufeff")) + text + chance.choice(("", "\n"))


def piece(chance: random.Random) -> str:
    """Return a fragment, or up to three lines of a real document."""
    files = fragments.corpus_lines("docs")
    if not files or chance.random() < 0.6:
        return chance.choice(fragments.FRAGMENTS)
    lines = chance.choice(files)
    at = chance.randrange(len(lines))
    return "\n".join(line[:200] for line in lines[at : at + chance.randint(1, 3)])


def injected(text: str, marker: str, chance: random.Random) -> str:
    """Return ``text`` with ``marker`` as a line of its own or, one time in three, at any column."""
    if chance.random() < 1 / 3:
        at = chance.randint(0, len(text))
        return text[:at] + marker + text[at:]
    end = "\r\n" if "\r\n" in text else "\r" if "\r" in text else "\n"
    lines = text.split(end)
    lines.insert(chance.randint(0, len(lines)), marker)
    return end.join(lines)


def edits_of(text: str, chance: random.Random) -> list[tuple[str, Callable[[], str]]]:
    """Return the edits that a share of the documents goes through, by name."""
    addition = Addition(chance.choice(NOTES).strip("\r\n"), chance.choice(fragments.SECTIONS))
    return [
        ("add and remove", lambda: added_and_removed(placed_and_removed(text) or text, addition)),
        ("remove and add", lambda: removed_and_added(placed_and_removed(text) or text, chance.randrange(9))),
        ("take away", lambda: taken_away(placed_and_removed(text) or text)),
    ]


class Soak:
    """A run: the outcomes of the injections and edits, and the violations."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.parsed: Outcomes = {kind: Counter() for kind in KINDS}
        self.edited: Outcomes = {}
        self.violations: Counter[str] = Counter()
        self.repros: list[str] = []

    def tried(self, counted: Counter[str], check: Callable[[], str], text: str) -> str | None:
        """Count and return the outcome of ``check``; keep ``text`` with a violation."""
        try:
            outcome = check()
        except REFUSALS as error:
            outcome = f"refused ({error.code})"
        except Exception as error:  # noqa: BLE001 – any other error is a violation
            what = f"{type(error).__name__}: {error}"
            self.violations[what] += 1
            if self.violations[what] <= SHOWN:
                self.repros.append(f"{text!r}\n{traceback.format_exc(limit=-1)}")
            return None
        counted[outcome.split(",")[0]] += 1
        return outcome

    def inject(self, text: str, number: int) -> None:
        """Insert one marker into ``text`` and count the outcome."""
        kind = self.chance.choice(list(KINDS))
        result = injected(text, self.chance.choice(KINDS[kind]), self.chance)
        outcome = self.tried(self.parsed[kind], lambda: judged(result), result)
        if number % SHARE == 0 and outcome in ("a region", "ordinary text"):
            for name, edit in edits_of(result, self.chance):
                self.tried(self.edited.setdefault(name, Counter()), edit, result)

    def report(self) -> None:
        """Print the tables and the first violations."""
        for title, outcomes in (("parsed", self.parsed), ("edited", self.edited)):
            print(title)
            for name, counted in outcomes.items():
                print(f"  {name:16} {counted.total():9}")
                for what, count in sorted(counted.items()):
                    print(f"    {what:46} {count:9}")
        print(f"violations {self.violations.total()}")
        for what, count in self.violations.most_common():
            print(f"  {count:9}  {what}")
        for repro in self.repros:
            print(repro)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--injections", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    soak, started = Soak(args.seed), time.monotonic()
    for number in range(args.documents):
        text = document(soak.chance)
        first, stop = (n * args.injections // args.documents for n in (number, number + 1))
        for injection in range(first, stop):
            soak.inject(text, injection)
        if sys.stderr.isatty() and number % 100 == 0:
            sys.stderr.write(f"\r{number} of {args.documents} documents, {soak.violations.total()} violations")
    took = time.monotonic() - started
    print(f"seed {args.seed}: {args.documents} documents, {args.injections} injections, {took:.0f} s")
    soak.report()
    return 1 if soak.violations else 0


if __name__ == "__main__":
    sys.exit(main())
