#!/usr/bin/env python3
"""Measure how long ``intermem check`` takes, cold, compared with an interpreter that does nothing.

usage: check_speed.py [--files N] [--documents N] [--texts FOLDER] [--folder FOLDER] [--other COMMAND ...]
                      [--runs N] [--profile N]

Runs in a generated repository: 5,500 files, 10 agent docs of 50 kB in total. With ``--texts`` the documents are the
first N agent docs below FOLDER instead. All commands take turns; prints medians, their ratio to
``python -I -c pass``, and peak memory. ``--other`` runs another checker in the same repository, as in
``--other 'agnix .'``. The *lower bound* is the least that any checker can take that is written in Python, reads the
code and parses Markdown with a library: the imports of the standard library and of markdown-it-py, one parse of
every document, one read of every file, and no intermem code. ``--folder`` keeps the repository for the next run.
``--profile N`` adds the N modules that take longest to import.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from benchmarks.check_mutations import WORDS, body, git, line, made, write

DOCUMENTS, KILOBYTES = 10, 50
LINES = 20  # below a real text
MEASURE = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
wall = time.perf_counter() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, wall, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
LOWER_BOUND = """
import argparse, contextlib, dataclasses, datetime, hashlib, json, os, pathlib, subprocess, unicodedata
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark").enable("table")
parser.core.ruler.enableOnly(["normalize", "block"])
listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True).stdout.decode().split("\\0")
for name in listed[:-1]:
    handle = os.open(name, os.O_RDONLY)
    content = os.read(handle, os.fstat(handle).st_size)
    os.close(handle)
    if name.endswith(("AGENTS.md", "CLAUDE.md")):
        parser.parse(content.decode())
"""
CLEAN = "clean"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=5500)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--other", action="append", default=[])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--profile", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() if args.folder is None else contextlib.nullcontext(args.folder) as folder:
        root, clean = Path(folder) / "repository", Path(folder) / CLEAN
        if not clean.exists():
            chance = random.Random(1)
            made(root, chance, files=args.files, documents=args.documents, lines=1)
            fill(root, chance, real_texts(args.texts, args.documents) if args.texts else [])
            without_findings(root, clean)
        intermem = [sys.executable, "-m", "intermem", "check"]
        commands = {
            "python -I -c pass": ([sys.executable, "-I", "-c", "pass"], root),
            "git ls-files -z": (["git", "ls-files", "-z"], root),
            "lower bound": ([sys.executable, "-c", LOWER_BOUND], root),
            "intermem --version": ([sys.executable, "-m", "intermem", "--version"], root),
            "check, nothing found": (intermem, clean),
            "check": (intermem, root),
            "check --format github": ([*intermem, "--format", "github"], root),
            "check --diff HEAD~1": ([*intermem, "--diff", "HEAD~1"], root),
            "check --rev HEAD": ([*intermem, "--rev", "HEAD"], root),
        }
        for given in args.other:
            command = shlex.split(given)
            if shutil.which(command[0]) is None:
                print(f"{given}: not measured, {command[0]} not found")
            else:
                commands[given] = (command, root)
        taken: dict[str, list[Taken]] = {name: [] for name in commands}
        for _ in range(args.runs):
            for name, (command, where) in commands.items():
                taken[name].append(run(command, where))
        baseline = median(taken["python -I -c pass"])
        for name, times in taken.items():
            one = median(times)
            wall = f"{1000 * one.wall:7.0f} ms {one.wall / baseline.wall:6.1f}x"
            cpu = f"CPU {1000 * one.cpu:7.0f} ms {one.cpu / baseline.cpu:6.1f}x"
            print(f"{name:24} {wall}   {cpu}   {one.memory / 1024:6.0f} MiB")
        if args.profile:
            print_imports(intermem, clean, args.profile)
    return 0


def real_texts(folder: Path, number: int) -> list[str]:
    """Return the first agent docs below ``folder``, in path order."""
    found = sorted(path for path in folder.rglob("*") if path.name in ("AGENTS.md", "CLAUDE.md") and path.is_file())
    return [path.read_text("utf-8", "replace") for path in found[:number]]


def fill(root: Path, chance: random.Random, texts: Sequence[str]) -> None:
    """Fill the agent docs with 50 kB in total, or with ``texts``, and commit changes that break a few citations."""
    names = [name for name in git(root, "ls-files", "-z").split("\0") if name and not name.endswith(".md")]
    symbols = {name: [] for name in names}
    documents = [name for name in git(root, "ls-files", "-z").split("\0") if name.endswith(("AGENTS.md", "CLAUDE.md"))]
    for document, text in zip(documents, texts, strict=False):
        cited = "".join(line(chance, names, symbols, document.rpartition("/")[0]) for _ in range(LINES))
        write(root / document, f"{text}\n\n{cited}")  # what the texts cite is not in this repository
    for document in documents[len(texts) :]:
        home = document.rpartition("/")[0]
        text = f"# {home}\n\n"
        while len(text) < KILOBYTES * 1000 // len(documents):
            words = " ".join(chance.choices(WORDS, k=12))
            text += f"{line(chance, names, symbols, home)}- {words.capitalize()}.\n"  # half of the lines cite something
        write(root / document, text)
    write(root / "extra.py", body("py", ["extra_one", "extra_two"]))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "documents")
    cited = [name for name in names if any(f"`{name}`" in (root / one).read_text("utf-8") for one in documents)]
    for number, name in enumerate(cited[:10]):
        git(root, "mv", name, f"{name}.old") if number % 2 else git(root, "rm", "-q", name)
    git(root, "commit", "-q", "-m", "moves")


def without_findings(root: Path, clean: Path) -> None:
    """Copy the repository and delete every document line that has a finding."""
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
    git(clean, "commit", "-q", "-a", "--allow-empty", "-m", "clean")


@dataclass(frozen=True)
class Taken:
    """What a run took: wall-clock and CPU seconds (a busy machine stretches the first), and peak memory in KiB.

    The peak is that of the process itself or of the largest process it started.
    """

    wall: float
    cpu: float
    memory: float


def run(command: list[str], where: Path) -> Taken:
    """Run ``command`` as a child of a process of its own, which reports what its children took.

    Raises ValueError for a command of ours that fails: what it took is no measure of anything.
    """
    measured = [sys.executable, "-I", "-c", MEASURE, *command]
    said = subprocess.run(measured, cwd=where, capture_output=True, check=True, env=environment()).stdout
    code, *taken = json.loads(said)
    if "intermem" in command and code not in (0, 1):
        raise ValueError(f"exit code {code}: {' '.join(command)}")
    return Taken(*taken)


def median(times: list[Taken]) -> Taken:
    return Taken(*(statistics.median(values) for values in zip(*(astuple(one) for one in times), strict=True)))


def environment() -> dict[str, str]:
    """Return an environment independent of the machine, except for the path of this project."""
    here = str(Path(__file__).resolve().parents[1])
    return {"PATH": os.environ["PATH"], "PYTHONPATH": here, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}


def print_imports(command: list[str], where: Path, number: int) -> None:
    """Print the modules that take longest to import, with and without what they import."""
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
