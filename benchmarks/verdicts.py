#!/usr/bin/env python3
"""Score the verdicts of `intermem verify` on labelled entries of real repositories.

usage: verdicts.py CLONES GOLD.jsonl SCORE.py [--parts N] [--show N]

CLONES is a folder of bare clones, one per repository (``owner+name``, with or without ``/repo`` below it); nothing
is fetched. GOLD holds one labelled entry per line, SCORE.py is its scorer. Each repository is judged at the commit
of its entries, in one process. Prints the overall figures, and with ``--parts`` those of N parts, split by
repository: how much they differ indicates how the rules will do elsewhere. Exit code 1 if ``verify`` failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("score", type=Path)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    lines = [line for line in args.gold.read_text("utf-8").split("\n") if line.strip()]
    by_commit: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in lines:
        entry = json.loads(line)
        by_commit[entry["repo"], entry["commit"]].append(line)
    said: list[str] = []
    for (name, commit), asked in sorted(by_commit.items()):
        started = time.monotonic()
        done = verify(clone_of(args.clones, name), commit, asked)
        if done.returncode != 0:
            sys.stderr.write(f"{name}: exit {done.returncode}\n{done.stderr}")
            return 1
        said += done.stdout.split("\n")
        print(f"{name:32} {len(asked):4} entries {time.monotonic() - started:6.1f} s")
    repositories = sorted({json.loads(line)["repo"] for line in lines})
    print("all".ljust(8), score(args, lines, said))
    for number in range(args.parts if args.parts > 1 else 0):
        part = set(repositories[number :: args.parts])
        print(
            f"part {number + 1}".ljust(8),
            score(args, [line for line in lines if json.loads(line)["repo"] in part], said),
        )
    return 0


def clone_of(clones: Path, name: str) -> Path:
    folder = clones / name.replace("/", "+")
    return folder / "repo" if (folder / "repo").is_dir() else folder


def verify(clone: Path, commit: str, asked: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "intermem", "verify", "--quiet", "--repo", str(clone), "--rev", commit]
    return subprocess.run(command, input="\n".join(asked), capture_output=True, text=True, check=False)


def score(args: argparse.Namespace, gold: list[str], said: list[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        labelled, predicted = Path(folder) / "gold.jsonl", Path(folder) / "said.jsonl"
        labelled.write_text("\n".join(gold), "utf-8")
        predicted.write_text("\n".join(said), "utf-8")
        command = [sys.executable, str(args.score), str(labelled), str(predicted), "--show", str(args.show)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.rstrip("\n")


if __name__ == "__main__":
    sys.exit(main())
