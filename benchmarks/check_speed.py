#!/usr/bin/env python3
"""How long does ``intermem check`` take, cold? Against an interpreter that does nothing, in the same run.

usage: check_speed.py [--files N] [--runs N] [--profile N]

In a repository made for it: 5,500 files, 10 agent docs of 50 kB together. Each yardstick and each form of the
verb runs in turn; medians are printed, with their ratio to ``python -I -c pass``. ``--profile N`` adds
the N modules whose import takes longest, and what a run without findings imports.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.check_mutations import WORDS, body, git, line, made, write

DOCUMENTS, KILOBYTES = 10, 50
CLEAN = "clean"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=5500)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--profile", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, clean = Path(folder) / "repository", Path(folder) / CLEAN
        chance = random.Random(1)
        made(root, chance, files=args.files, documents=DOCUMENTS, lines=1)
        fill(root, chance)
        without_findings(root, clean)
        intermem = [sys.executable, "-m", "intermem", "check"]
        commands = {
            "python -I -c pass": ([sys.executable, "-I", "-c", "pass"], root),
            "git ls-files -z": (["git", "ls-files", "-z"], root),
            "intermem --version": ([sys.executable, "-m", "intermem", "--version"], root),
            "check, nothing found": (intermem, clean),
            "check": (intermem, root),
            "check --format github": ([*intermem, "--format", "github"], root),
            "check --diff HEAD~1": ([*intermem, "--diff", "HEAD~1"], root),
            "check --rev HEAD": ([*intermem, "--rev", "HEAD"], root),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(args.runs):
            for name, (command, where) in commands.items():
                taken[name].append(seconds(command, where))
        least = medians(taken["python -I -c pass"])
        for name, times in taken.items():
            wall, cpu = medians(times)
            shown = f"{1000 * wall:7.0f} ms {wall / least[0]:6.1f}x"
            print(f"{name:24} {shown}   CPU {1000 * cpu:7.0f} ms {cpu / least[1]:6.1f}x")
        if args.profile:
            print_imports(intermem, clean, args.profile)
    return 0


def fill(root: Path, chance: random.Random) -> None:
    """Let the agent docs have 50 kB together, in a commit that breaks a few citations."""
    names = [name for name in git(root, "ls-files", "-z").split("\0") if name and not name.endswith(".md")]
    symbols = {name: [] for name in names}
    documents = [name for name in git(root, "ls-files", "-z").split("\0") if name.endswith(("AGENTS.md", "CLAUDE.md"))]
    for document in documents:
        home = document.rpartition("/")[0]
        text = f"# {home}\n\n"
        while len(text) < KILOBYTES * 1000 // len(documents):
            words = " ".join(chance.choices(WORDS, k=12))
            text += f"{line(chance, names, symbols, home)}- {words.capitalize()}.\n"  # half of what people write cites
        write(root / document, text)
    write(root / "extra.py", body("py", ["extra_one", "extra_two"]))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "documents")
    cited = [name for name in names if any(f"`{name}`" in (root / one).read_text("utf-8") for one in documents)]
    for number, name in enumerate(cited[:10]):
        git(root, "mv", name, f"{name}.old") if number % 2 else git(root, "rm", "-q", name)
    git(root, "commit", "-q", "-m", "moves")


def without_findings(root: Path, clean: Path) -> None:
    """A copy of the repository whose documents lack every line that something is found on."""
    subprocess.run(["git", "clone", "-q", "--local", str(root), str(clean)], check=True)
    for _ in range(5):
        command = [sys.executable, "-m", "intermem", "check", "--json"]
        found = json.loads(
            subprocess.run(command, cwd=clean, capture_output=True, check=False, env=environment()).stdout
        )
        lines: dict[str, set[int]] = {}
        for one in found["findings"]:
            lines.setdefault(one["file"], set()).add(one["line"])
        if not lines:
            break
        for name, numbers in lines.items():
            kept = (clean / name).read_text("utf-8").split("\n")
            write(clean / name, "\n".join(text for number, text in enumerate(kept, 1) if number not in numbers))
    git(clean, "commit", "-q", "-a", "-m", "clean")


def seconds(command: list[str], where: Path) -> tuple[float, float]:
    """What a run takes by the clock, and of processors (a busy machine stretches the first)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, cwd=where, capture_output=True, check=False, env=environment())
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(times: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(wall for wall, _ in times), statistics.median(cpu for _, cpu in times)


def environment() -> dict[str, str]:
    """Nothing of the machine, but for where this project is."""
    here = str(Path(__file__).resolve().parents[1])
    return {"PATH": os.environ["PATH"], "PYTHONPATH": here, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}


def print_imports(command: list[str], where: Path, number: int) -> None:
    """The modules that take longest to import, each with what it imports and alone."""
    timed = [command[0], "-X", "importtime", *command[1:]]
    said = subprocess.run(timed, cwd=where, capture_output=True, text=True, check=False, env=environment()).stderr
    rows: list[tuple[int, int, str]] = []
    for row in said.split("\n"):
        alone, bar, rest = row.removeprefix("import time:").partition("|")
        whole, bar, name = rest.partition("|")
        if bar and alone.strip().isdigit():
            rows.append((int(alone), int(whole), name))
    print(f"\n{len(rows)} modules in {sum(alone for alone, _, _ in rows) / 1000:.0f} ms; with what they import:")
    for alone, whole, name in sorted(rows, key=lambda row: -row[1])[:number]:
        print(f"{whole / 1000:7.1f} ms {alone / 1000:7.1f} alone  {name.strip()}")
    packages: dict[str, int] = {}
    for alone, _, name in rows:
        packages[name.strip().partition(".")[0]] = packages.get(name.strip().partition(".")[0], 0) + alone
    print(
        "by package: "
        + ", ".join(
            f"{name} {took / 1000:.1f}" for name, took in sorted(packages.items(), key=lambda one: -one[1])[:number]
        )
    )


if __name__ == "__main__":
    sys.exit(main())
