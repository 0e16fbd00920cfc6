"""Does a team lose anything, and does it hear of it? Simulated people with real git, and a judge who knows the truth.

usage: python -m benchmarks.team [--seeds N …] [--days N] [--people N] [--jobs N] [--intermem CMD] [--trace FACT]
       python -m benchmarks.team --scenario holiday|let-go|forge [--tries N]

People note facts, work on branches, run the tool, edit the document by hand, go on holiday; a forge without attributes
merges, squashes and rebases; a bot sweeps weekly in a clean clone. Prints a Markdown table of counts, then every
violation with its seed, day and fact; exit code 1 where there is one of those that must not be. ``--trace`` prints the
story of one fact.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.team.judge import Judge, table
from benchmarks.team.people import Team
from benchmarks.team.scenarios import SCENARIOS, forge

_MUST_BE_NONE = ("lost", "doubled", "back unasked", "held demoted", "ledger conflicts", "bytes outside", "tracebacks")


def lived(seed: int, people: int, days: int, command: str | None, traced: str | None) -> Judge:
    """Return the judge of one seed."""
    with tempfile.TemporaryDirectory(prefix="team-") as folder:
        return Team(Path(folder).resolve(), seed, people, days, command, traced).run()


def main() -> int:
    """Run what the arguments ask for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6], metavar="N")
    parser.add_argument("--days", type=int, default=90, metavar="N")
    parser.add_argument("--people", type=int, default=5, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="seeds at a time")
    parser.add_argument(
        "--intermem", metavar="CMD", help="the command to run (default: this checkout, in this process)"
    )
    parser.add_argument("--trace", metavar="FACT", help="print what happens to one fact")
    parser.add_argument("--scenario", choices=[*SCENARIOS, "forge"])
    parser.add_argument("--tries", type=int, default=20, metavar="N", help="merges of each size, for the forge")
    args = parser.parse_args()
    if args.scenario:
        with tempfile.TemporaryDirectory(prefix="team-") as folder:
            place = Path(folder).resolve()
            rows = forge(place, args.intermem, args.tries) if args.scenario == "forge" else None
            print("\n".join(rows or SCENARIOS[args.scenario](place, args.intermem)))
        return 0
    with ProcessPoolExecutor(args.jobs) as pool:
        waiting = [pool.submit(lived, one, args.people, args.days, args.intermem, args.trace) for one in args.seeds]
        judged = [one.result() for one in waiting]
    print(table(judged))
    for judge in judged:
        print("\n".join(f"- {one}" for one in judge.violations))
    return 1 if any(judge.counts[name] for judge in judged for name in _MUST_BE_NONE) else 0


if __name__ == "__main__":
    sys.exit(main())
