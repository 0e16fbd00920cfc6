#!/usr/bin/env python3
"""Measure how what people wait for grows with files, documents, commits, notes and the number of checks.

usage: python -m benchmarks.scale [--runs N] [--only files,documents,commits,notes,checks] [--most N] [--write]

Everything is generated. For each size the medians of ``--runs`` are printed of a first run, which knows nothing, of one
more, and of one after a commit; beside them, as multiples, what they are of the next smaller size. ``--most`` cuts off
larger sizes. ``--write`` writes the table into docs/scale.md.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.check_mutations import WORDS, git, made
from benchmarks.check_speed import Taken
from benchmarks.speed.measuring import INTERMEM, Job, Table, seconds
from benchmarks.speed.repositories import committed_change, long_history, without_cache

PAGE = Path(__file__).resolve().parents[1] / "docs/scale.md"
_BEGIN, _END = "<!-- table -->\n", "<!-- end of table -->\n"
_CHECK = (*INTERMEM, "check", "--exit-zero")
_NOW = ("--now", "2026-03-01T00:00:00Z")


@dataclass(frozen=True)
class Grown:
    """What was measured at one size: what a first run takes, one more, and one after a commit."""

    what: str
    size: int
    first: Taken
    again: Taken
    after: Taken
    note: str = ""


Measured = Callable[[Path, int, int], Grown]


def files(folder: Path, size: int, runs: int) -> Grown:
    """``check`` of ten documents in a tree of ``size`` files."""
    root = folder / "files"
    made(root, random.Random(1), files=size, documents=10, lines=40)
    return _checked("files, 10 documents", root, size, runs)


def documents(folder: Path, size: int, runs: int) -> Grown:
    """``check`` of ``size`` documents of 40 lines each in 5,500 files."""
    root = folder / "documents"
    made(root, random.Random(1), files=5500, documents=size, lines=40)
    return _checked("documents of 40 lines, 5,500 files", root, size, runs)


def commits(folder: Path, size: int, runs: int) -> Grown:
    """``check`` of three documents, many of whose names are gone, in a history of ``size`` commits."""
    root = long_history(folder, commits=size)
    return _checked("commits, three documents with 180 names that are gone", root, size, runs)


def notes(folder: Path, size: int, runs: int) -> Grown:
    """``sweep`` of a memory of ``size`` notes about 5,500 files."""
    root, memory, state = folder / "notes", folder / "memory", folder / "state"
    chance = random.Random(3)
    made(root, chance, files=5500, documents=1, lines=1)
    memory.mkdir()
    paths = [path for path in git(root, "ls-files", "-z").split("\0") if path]
    lines = [
        f"- {' '.join(chance.choices(WORDS, k=8)).capitalize()} {at}: see `{chance.choice(paths)}`.\n"
        for at in range(size)
    ]
    (memory / "MEMORY.md").write_text("# Notes\n\n" + "".join(lines), "utf-8")
    sweep = (*INTERMEM, "sweep", "--memory-dir", str(memory), "--state-dir", str(state), *_NOW)

    def afresh() -> None:
        shutil.rmtree(state, ignore_errors=True)
        without_cache(root)

    return _taken("notes, 5,500 files", root, size, runs, sweep, afresh)


def checks(folder: Path, size: int, runs: int) -> Grown:
    """``check``, after ``size`` checks of one clone, between which commits come."""
    root = folder / "checks"
    made(root, random.Random(1), files=1000, documents=10, lines=40)
    cache = root / ".git/intermem/cache"
    table = Table(1)
    numbers = count(1000)
    for at in range(size):
        before = partial(committed_change, root, numbers) if at % 10 == 0 else lambda: None
        table.turns({"check": Job(_CHECK, root, before)})
    kept = sum(file.stat().st_size for file in cache.iterdir()) // 1000
    found = _taken("checks of one clone, a tenth after a commit", root, size, runs, _CHECK, lambda: None)
    return Grown(found.what, size, found.first, found.again, found.after, f"cache: {kept} kB")


def _checked(what: str, root: Path, size: int, runs: int) -> Grown:
    return _taken(what, root, size, runs, _CHECK, partial(without_cache, root))


def _taken(
    what: str, root: Path, size: int, runs: int, command: tuple[str, ...], afresh: Callable[[], object]
) -> Grown:
    took = Table(runs).turns(
        {
            "first": Job(command, root, afresh),
            "again": Job(command, root),
            "after": Job(command, root, partial(committed_change, root, count())),
        }
    )
    return Grown(what, size, took["first"], took["again"], took["after"])


SIZES: Mapping[str, tuple[Measured, Sequence[int]]] = {
    "files": (files, (1_000, 10_000, 100_000)),
    "documents": (documents, (30, 100, 300)),
    "commits": (commits, (5_000, 50_000)),
    "notes": (notes, (1_000, 10_000)),
    "checks": (checks, (20, 200)),
}


def rows(found: Sequence[Grown]) -> list[str]:
    """Return a row of the table for each size, smallest first."""
    made_of: list[str] = []
    last: Grown | None = None
    for one in found:
        cells = [f"{one.size:,}" if last else f"{one.size:,} {one.what}"]
        for name in ("first", "again", "after"):
            wall: float = getattr(one, name).wall
            times = f" ({wall / getattr(last, name).wall:.1f}×)" if last is not None else ""
            cells.append(f"{seconds(wall)}{times}")
        cells += [f"{one.first.memory / 1024:.0f} MiB", one.note]
        made_of.append(f"| {' | '.join(cells)} |")
        last = one
    return made_of


def main() -> int:
    """Print the table, and write it if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=sys.maxsize)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    wanted = [name for name in args.only.split(",") if name] or list(SIZES)
    unknown = set(wanted) - SIZES.keys()
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(SIZES)}")
    lines = ["| size | first | again | after a commit | peak |  |", "|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for name in wanted:
        measured, sizes = SIZES[name]
        found: list[Grown] = []
        for size in (size for size in sizes if size <= args.most):
            with tempfile.TemporaryDirectory() as folder:
                found.append(measured(Path(folder), size, args.runs))
            lines.append(rows(found)[-1])
            print(lines[-1], flush=True)
    if args.write:
        text = PAGE.read_text("utf-8")
        head, rest = text.split(_BEGIN)
        table = "\n".join(lines)
        PAGE.write_text(f"{head}{_BEGIN}{table}\n{_END}{rest.split(_END)[1]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
