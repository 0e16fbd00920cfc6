#!/usr/bin/env python3
"""Replay commits: what `check --diff` finds against what the comparison of both trees in full finds, and how fast.

usage: check_replay.py CLONE... [--number N] [--every K]

For every K-th of the newest commits of each clone, N in all, `check --diff COMMIT~1...COMMIT` runs as ever and with
``--exhaustive``. Prints a line for each finding that only one of them has, and the medians of both times as multiples
of an idle interpreter. Exit code 1 if the fast way misses something. Clones are only read.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.check_mutations import git
from intermem.commands.check import CheckOptions, check
from intermem.workflow.workspace import Options, open_workspace

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Found = set[tuple[str, int, int, str, str]]  # document, line, column, code, what is cited


def idle() -> float:
    """Return the seconds that an interpreter takes that does nothing: the median of five."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def found_in(clone: Path, commit: str, *, exhaustive: bool) -> tuple[Found, float]:
    """Return the findings on what a commit changed, and the seconds that took."""
    start = time.perf_counter()
    workspace = open_workspace(Options(now=NOW, working_directory=clone, environment={}, project_root=clone))
    result = check(workspace, CheckOptions(base=f"{commit}~1", rev=commit, exhaustive=exhaustive))
    taken = time.perf_counter() - start
    said = set()
    for one in result.findings:
        cited = one.judged.citation.text if one.judged is not None else ""
        said.add((one.place.file, one.place.first_line, one.place.first_column, one.rule.code, cited))
    return said, taken


def replayed(clone: Path, number: int, every: int) -> tuple[int, int, int, list[float], list[float]]:
    """Return how many findings both ways have, only the full one, only the fast one, and the seconds of each."""
    both = missed = more = 0
    fast_times: list[float] = []
    full_times: list[float] = []
    commits = git(clone, "rev-list", "--no-merges", "-n", str(number * every), "HEAD").split()[::every]
    for commit in commits:
        if len(git(clone, "rev-list", "--parents", "-n", "1", commit).split()) < 2:
            continue
        fast, seconds = found_in(clone, commit, exhaustive=False)
        fast_times.append(seconds)
        full, seconds = found_in(clone, commit, exhaustive=True)
        full_times.append(seconds)
        both += len(fast & full)
        missed += len(full - fast)
        more += len(fast - full)
        for label, found in (("missed", full - fast), ("more", fast - full)):
            for one in sorted(found):
                print(
                    f"{clone.name} {commit[:10]} {label}: {one[0]}:{one[1]}:{one[2]} {one[3]} {one[4][:60]}", flush=True
                )
    return both, missed, more, fast_times, full_times


def main() -> int:
    """Print a table; return 1 if the fast way misses something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=20, help="commits of each clone (default: 20)")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="take each K-th commit (default: 1)")
    args = parser.parse_args()
    rows = []
    for clone in args.clones:
        one = idle()
        both, missed, more, fast, full = replayed(clone.resolve(), args.number, args.every)
        ratios = (f"{statistics.median(times) / one:.0f}× (at most {max(times) / one:.0f}×)" for times in (fast, full))
        rows.append((clone.name, len(fast), both, missed, more, *ratios))
    print("| repository | commits | found by both | missed | more | --diff, times idle Python | --exhaustive |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    return 1 if any(row[3] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
