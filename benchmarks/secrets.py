#!/usr/bin/env python3
"""Count the secrets that are stopped, the harmless notes that are stopped too, and what looking for them costs.

usage: python -m benchmarks.secrets CORPUS [--notes FILE] [--shapes FILE] [--seed N] [--missed] [--cost]

CORPUS has ``memories/`` and ``docs/`` (text files below each, Markdown): every entry of a memory is a harmless note,
every line of a document is one for ``check``. ``--notes`` adds the ``entry_text`` of JSON lines. ``--shapes`` replaces
the invented secrets by JSON lines ``{"text": …, "family": …}``. What is stopped in a harmless text is printed with
the rule, so that a person can judge it; a shape that passes is printed with ``--missed``. ``--cost`` adds ratios, all
in this process: ``secret_rule`` over every note, the import of the rules included, to reading the same notes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.secret_shapes import Shape, shapes
from intermem.core.check.blocks import units_of
from intermem.core.entries.scanner import scan_memory
from intermem.core.entries.secrets import may_hold_secret, secret_rule, sure_secret_rule

COST = """
import json, statistics, sys, time
from intermem.core.entries.identity import identity
from intermem.core.entries.scanner import facts_of
notes = json.load(sys.stdin)
started = time.perf_counter()
for note in notes:
    for fact in facts_of(note):
        identity(fact.text)
reading = time.perf_counter() - started
started = time.perf_counter()
from intermem.core.entries.secrets import secret_rule
for note in notes:
    secret_rule(note)
print(reading, time.perf_counter() - started)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--shapes", type=Path)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--cost", action="store_true")
    args = parser.parse_args()
    given = shapes_in(args.shapes) if args.shapes is not None else shapes(args.seed)
    print_shapes(given, missed=args.missed)
    notes = [*memory_notes(args.corpus / "memories"), *(given_notes(args.notes) if args.notes is not None else ())]
    print_stopped("notes", [(note, secret_rule(note)) for note in dict.fromkeys(notes)])
    lines = list(document_lines(args.corpus))
    print_stopped("lines of documents and memories, for check", [(line, accused(line, below)) for line, below in lines])
    print_stopped("lines hidden", [(line, secret_rule(line)) for line, _ in lines])
    overlooked = sum(secret_rule(line) is not None and not may_hold_secret(line) for line, _ in lines)
    overlooked += sum(
        secret_rule(line) is not None and not may_hold_secret(line) for one in given for line in one.text.split("\n")
    )
    print(f"{overlooked} lines that check would not look at")
    if args.cost:
        print_cost(list(dict.fromkeys(notes))[:200])
    return 0


def shapes_in(path: Path) -> list[Shape]:
    """Return the shapes of a file of JSON lines."""
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]
    return [Shape(row["family"], row["text"]) for row in rows]


def print_shapes(given: Iterable[Shape], *, missed: bool) -> None:
    total: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    for one in given:
        total[one.family] += 1
        stopped[one.family] += secret_rule(one.text) is not None
        if missed and secret_rule(one.text) is None:
            print(f"passed: {one.family}: {one.text[:150]!r}")
    for family, count in total.items():
        print(f"{family:14} {stopped[family]:4} of {count:4} stopped")
    print(f"{'all':14} {stopped.total():4} of {total.total():4} stopped")


def memory_notes(folder: Path) -> list[str]:
    """Return the text of every entry of the memories below ``folder``."""
    files = {str(path.relative_to(folder)): text_of(path) for path in sorted(folder.rglob("*.md")) if path.is_file()}
    return [entry.text for name, text in files.items() for entry in scan_memory({name: text}).entries]


def given_notes(path: Path) -> list[str]:
    return [json.loads(line)["entry_text"] for line in path.read_text("utf-8").split("\n") if line]


def document_lines(corpus: Path) -> Iterable[tuple[str, str]]:
    """Yield the lines that ``check`` would judge, each with the line below it."""
    for path in sorted(corpus.rglob("*.md")):
        if path.is_file():
            for unit in units_of(text_of(path), path.name):
                lines = unit.text.split("\n")
                yield from zip(lines, [*lines[1:], ""], strict=True)


def accused(line: str, below: str) -> str | None:
    return sure_secret_rule(line, below) if may_hold_secret(line) else None


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def print_stopped(what: str, judged: list[tuple[str, str | None]]) -> None:
    for text, rule in judged:
        if rule is not None:
            print(f"  {rule}: {text[:300]!r}")
    print(f"{sum(rule is not None for _, rule in judged)} of {len(judged)} {what} stopped")


def print_cost(notes: list[str]) -> None:
    runs = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", COST], input=json.dumps(notes), capture_output=True, text=True, check=True
        )
        reading, looking = map(float, done.stdout.split())
        runs.append(looking / reading)
    print(f"looking for secrets in {len(notes)} notes: {sorted(runs)[2]:.2f} times reading them")


if __name__ == "__main__":
    sys.exit(main())
