#!/usr/bin/env python3
"""Replay commits: what `check --diff` finds against what the comparison of both trees in full finds, and how fast.

usage: check_replay.py CLONE... [--number N] [--every K] [--gone]

For every K-th of the newest commits of each clone, N in all, `check --diff COMMIT~1...COMMIT` runs as ever and with
``--exhaustive``. Prints a line for each finding that only one of them has, and the medians of both times as multiples
of an idle interpreter. Exit code 1 if the fast way misses something. Clones are only read.

With ``--gone`` only commits that delete or rename files are taken, and each finding is printed with its line, to be
read. So is each path with a slash that stood to the letter in a document, that the commit took away, and that no
finding is about: *silent*. What share of them is told, and what share of the findings is right, are the figures.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.check_mutations import git
from intermem.commands.check import CheckOptions, check
from intermem.results.check import CheckResult
from intermem.workflow.lint.run import documents_of
from intermem.workflow.workspace import Options, Workspace, open_workspace

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


def opened(clone: Path) -> Workspace:
    """Return the clone as intermem sees it."""
    return open_workspace(Options(now=NOW, working_directory=clone, environment={}, project_root=clone))


def checked(clone: Path, commit: str, *, exhaustive: bool = False) -> CheckResult:
    """Return what ``check --diff`` says of a commit."""
    return check(opened(clone), CheckOptions(base=f"{commit}~1", rev=commit, exhaustive=exhaustive))


def found_in(clone: Path, commit: str, *, exhaustive: bool) -> tuple[Found, float]:
    """Return the findings on what a commit changed, and the seconds that took."""
    start = time.perf_counter()
    result = checked(clone, commit, exhaustive=exhaustive)
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


def literal_losses(clone: Path, commit: str) -> list[tuple[str, int, str, str]]:
    """Return document, line number, path and line of each path that a commit took away and a document still has.

    A path counts where it stands to the letter, from the top or from the document's folder, with at least one slash.
    """
    changes = git(clone, "diff-tree", "-r", "-M100%", "--diff-filter=DR", "--name-status", "-z", f"{commit}~1", commit)
    fields = changes.split("\0")
    gone: list[str] = []
    while fields and fields[0]:
        gone.append(fields[1])
        del fields[: 3 if fields[0].startswith("R") else 2]
    workspace = opened(clone)
    assert workspace.worktree is not None
    documents = documents_of(workspace, replace(workspace.worktree, rev=commit), ())
    found = []
    for name, text in sorted(documents.texts.items()):
        folder = posixpath.dirname(name)
        for path in gone:
            names = {path, posixpath.relpath(path, folder or ".")}
            for wanted in sorted(one for one in names if "/" in one and not one.startswith("../")):
                pattern = re.compile(rf"(?<![\w./@-]){re.escape(wanted)}(?![\w/-]|\.\w)")
                for number, line in enumerate(text.split("\n"), 1):
                    if wanted in line and pattern.search(line):
                        found.append((name, number, wanted, line))
    return found


def shown(clone: Path, commit: str, what: str, source: str) -> None:
    """Print something to be read, with the line that it is about."""
    print(f"{clone.parent.name} {commit[:10]} {what}\n    {source.strip()[:200]}", flush=True)


def gone(clone: Path, number: int, every: int) -> tuple[str, int, int, int, int]:
    """Print the findings on commits that take files away, and the losses that none is about; return the counts."""
    log = git(clone, "log", "--no-merges", "--min-parents=1", "-M100%", "--diff-filter=DR", "--format=%H", "HEAD")
    takes = log.split()[::every][:number]
    findings = told = silent = 0
    for commit in takes:
        result = checked(clone, commit)
        about: dict[str, list[str]] = {}
        for one in result.findings:
            findings += 1
            about.setdefault(one.place.file, []).append(f"{one.source} {one.message}")
            where = f"{one.place.file}:{one.place.first_line}"
            shown(clone, commit, f"{one.rule.code} {where} {one.message}", one.source)
        for name, line, path, source in literal_losses(clone, commit):
            if any(path in said for said in about.get(name, ())):
                told += 1
            else:
                silent += 1
                shown(clone, commit, f"silent {name}:{line} {path}", source)
    return clone.parent.name, len(takes), findings, told, silent


def print_gone(rows: list[tuple[str, int, int, int, int]]) -> None:
    """Print the table of what was told and what was not."""
    print("| repository | commits | findings | literal paths told | silent |")
    print("|---|---|---|---|---|")
    for row in (*rows, ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))):
        print("| " + " | ".join(map(str, row)) + " |")


def main() -> int:
    """Print a table; return 1 if the fast way misses something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=20, help="commits of each clone (default: 20)")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="take each K-th commit (default: 1)")
    parser.add_argument("--gone", action="store_true", help="commits that delete or rename; print what is to be read")
    args = parser.parse_args()
    if args.gone:
        print_gone([gone(clone.resolve(), args.number, args.every) for clone in args.clones])
        return 0
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
