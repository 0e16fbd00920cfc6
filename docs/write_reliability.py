#!/usr/bin/env python3
"""Write docs/reliability.md from a tally of the fault tests: what was tried, how often, on which machine.

usage: write_reliability.py TALLY...
"""

from __future__ import annotations

import json
import platform
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

INTRODUCTION = """\
# Reliability

What was tried to make intermem lose or duplicate a fact, leave a document half-written, or change a byte outside a
region. Written by `make faults`, which asserts that nothing of the kind happens: a line is listed only if every one of
its tries passed.

A try passes if one function (`tests/faults/judging.py`) accepts it: every file is byte for byte as before or as after;
running the same command again ends with exactly the documents, ledger and records of a run without the fault; no fact
is missing or duplicated; no temporary file is left; an error is reported in one line, and nothing is left half done.
"""

EXPLANATION = """
- **Scenarios** ({scenarios}): {names}.
- **Kills by fork** happen before each step: a statement, one row of many, half a write, a call that opens, syncs, moves
  or removes. States that are equal byte for byte are judged once. **Kills in the recovery** are the second of two
  kills.
- **System calls** are killed and failed by strace, in a warmed-up fork and in the program itself; a test asserts that
  both make the same calls.
- **Power cuts** replay the calls, including SQLite's, on a model of a disk, at every prefix: nothing lost, everything
  unsynced lost, only names or only contents lost, and random subsets.
- The judge is tested too: a write in place, a missing sync of a file, a missing sync of a folder, `synchronous = OFF`,
  a recovery that does nothing and a swallowed error are each caught by a test.

Shorter versions of all of this run in CI. Long ones: `make faults`, `make soak`, `make fuzz`, `make soak-documents`,
`make mutants`.
"""


def main(paths: list[str]) -> int:
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    tried: Counter[str] = Counter()
    for path in paths:
        for line in Path(path).read_text("utf-8").splitlines():
            said = json.loads(line)
            tried[said["what"]] += said["tried"]
    page = Path(__file__).with_name("reliability.md")
    page.write_text(page_of(tried), "utf-8")
    return 0


def page_of(tried: Counter[str]) -> str:
    """Return the page: one row for each kind of fault."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.faults.scenarios import SCENARIOS

    rows = [f"| {what} | {number:,} | 0 |" for what, number in sorted(tried.items())]
    names = ", ".join(one.name for one in SCENARIOS)
    return "\n".join(
        [
            INTRODUCTION,
            f"On {platform.system()} {platform.machine()}, Python {platform.python_version()}, SQLite"
            f" {sqlite3.sqlite_version}, {_git()}:",
            "",
            "| what | tried | lost, duplicated, torn or silent |",
            "|---|---:|---:|",
            *rows,
            EXPLANATION.format(scenarios=len(SCENARIOS), names=names),
        ]
    )


def _git() -> str:
    return subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
