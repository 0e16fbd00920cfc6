"""Measure P1 to P18.

usage: python -m benchmarks.speed [--clones PATH ...] [--runs N] [--only P14,P15] [--big N] [--write]

Each bar is the ratio of two medians, measured in turn in one run. ``--clones`` are repositories to clone and measure
in; without them one with a long history is generated. ``--big`` is the number of entries and files of P3 to P13.
``--write`` writes the table into docs/speed.md.
"""

from __future__ import annotations

import argparse
import compileall
import sys
import tempfile
from pathlib import Path

import intermem
from benchmarks.speed.bars import BARS
from benchmarks.speed.measuring import Table

PAGE = Path(__file__).resolve().parents[2] / "docs/speed.md"
_BEGIN, _END = "<!-- table -->\n", "<!-- end of table -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=Path, nargs="*", default=[])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--big", type=int, default=100_000)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    wanted = {name for name in args.only.split(",") if name}
    unknown = wanted - BARS.keys()
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(BARS)}")
    # As installed: pip compiles what it installs, a checkout is compiled at its first run or, with
    # PYTHONDONTWRITEBYTECODE, at each.
    compileall.compile_dir(Path(intermem.__file__).parent, quiet=1)
    table = Table(args.runs)
    with tempfile.TemporaryDirectory() as folder:
        for name, measured in BARS.items():
            if not wanted or name in wanted:
                place = Path(folder) / name
                place.mkdir()
                measured(table, place, args.clones, args.big)
    if args.write:
        text = PAGE.read_text("utf-8")
        head, rest = text.split(_BEGIN)
        PAGE.write_text(f"{head}{_BEGIN}{table.markdown}\n{_END}{rest.split(_END)[1]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
