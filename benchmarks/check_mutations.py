#!/usr/bin/env python3
"""Test that ``check --diff`` reports exactly what a change breaks: random deletions and renames, one per commit.

usage: check_mutations.py [CLONE] [--number N] [--seed N]

CLONE is cloned into a temporary folder and never modified; without it a repository is generated. Each change is
committed, judged, and reverted. The oracle judges every citation of every document in full at both commits: what
resolved before and no longer does, in a block that exists in both, is what the change broke. Prints each
difference; exit code 1 if there was one. Citations that resolved before and can no longer be verified are counted
too: ``check --diff`` may report them, because it knows what they were.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from intermem.commands.check import CheckOptions, check
from intermem.entities import VerdictStatus
from intermem.project.doc_discovery import find_agent_docs
from intermem.workflow.lint.run import linted
from intermem.workflow.workspace import Options, Workspace, open_workspace

HELD = (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS)
LOST = (VerdictStatus.BROKEN, VerdictStatus.MOVED)
DOCUMENTS = ("AGENTS.md", "CLAUDE.md")
NOW = datetime(2026, 1, 1, tzinfo=UTC)

Key = tuple[str, str, str, str]  # document, block, kind and text of a citation


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, nargs="?")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        if args.clone is None:
            made(root, chance)
        else:
            subprocess.run(["git", "clone", "-q", "--local", str(args.clone), str(root)], check=True)
        started = time.monotonic()
        expected = wrong = told = silent = 0
        for one in mutations(root, chance, args.number):
            expected += len(one.broken)
            told += len(one.silent & one.named)
            silent += len(one.silent - one.named)
            if not one.broken <= one.named <= one.broken | one.silent:
                wrong += 1
                missing, extra = sorted(one.broken - one.named), sorted(one.named - one.broken - one.silent)
                print(f"{one.what}: missing {missing}, not introduced {extra}")
            if one.silent - one.named:
                print(f"{one.what}: unverifiable now {sorted(one.silent - one.named)[:3]}")
        seconds = (time.monotonic() - started) / args.number
        print(f"{args.number} changes broke {expected} citations, all reported unless listed above;", end=" ")
        print(f"of {told + silent} that can no longer be verified {told} were reported; {seconds:.2f} s each")
        print(f"{wrong} changes were reported wrongly")
        return 1 if wrong else 0


@dataclass(frozen=True)
class Mutation:
    """A change: the citations it broke, those ``check`` reported, and those that can no longer be judged."""

    what: str
    broken: set[Key]
    named: set[Key]
    silent: set[Key]


def mutations(root: Path, chance: random.Random, number: int) -> Iterator[Mutation]:
    """Make ``number`` changes, each from the same start."""
    start = git(root, "rev-parse", "HEAD").strip()
    before = verdicts(root)
    cited = {(target or "").partition(":")[0] for status, target in before.values() if status is VerdictStatus.VALID}
    files = [name for name in git(root, "ls-files", "-z").split("\0") if name and not name.endswith(DOCUMENTS)]
    popular = [name for name in files if name in cited]
    for _ in range(number):
        what = change(root, chance, chance.choice(popular if popular and chance.random() < 0.8 else files))
        git(root, "commit", "-q", "-m", what)
        after = verdicts(root)
        held = {key for key, (status, _) in before.items() if status in HELD}
        broken = {key for key, (status, _) in after.items() if status in LOST and key in held}
        sure = {key for key in held if before[key][0] is VerdictStatus.VALID}
        silent = {key for key, (status, _) in after.items() if status is VerdictStatus.UNVERIFIABLE and key in sure}
        yield Mutation(what, broken, caused(root), silent)
        git(root, "reset", "-q", "--hard", start)


def change(root: Path, chance: random.Random, name: str) -> str:
    """Delete or rename a file or its folder, in the index too; return the change in words."""
    folder = name.rpartition("/")[0]
    if folder and chance.random() < 0.1 and not any((root / folder).rglob("*.md")):
        git(root, "mv", "--", folder, f"{folder}_new")
        return f"mv {folder} {folder}_new"
    if chance.random() < 0.5:
        git(root, "rm", "-q", "--", name)
        return f"rm {name}"
    stem, dot, ending = name.rpartition(".")
    new = f"{stem}_new.{ending}" if dot and "/" not in ending else f"{name}_new"
    if chance.random() < 0.5:
        new = f"moved/{new.rpartition('/')[2]}"
        (root / "moved").mkdir(exist_ok=True)
    git(root, "mv", "--", name, new)
    return f"mv {name} {new}"


def caused(root: Path) -> set[Key]:
    """Return what ``check --diff HEAD~1`` reports."""
    found = check(opened(root), CheckOptions(base="HEAD~1")).findings
    return {
        (one.place.file, one.block, one.judged.citation.kind, one.judged.citation.text) for one in found if one.judged
    }


def verdicts(root: Path) -> dict[Key, tuple[VerdictStatus, str | None]]:
    """Return the verdict and target of every citation of every document at HEAD."""
    project = opened(root)
    assert project.worktree is not None
    worktree = replace(project.worktree, rev="HEAD")
    docs = find_agent_docs(worktree, project.root, worktree.tree, 1 << 22, (), lambda _name: False)
    found = linted(project.root, worktree, docs)
    return {
        (unit.file, unit.id, item.citation.kind, item.citation.text): (item.verdict.status, item.verdict.target)
        for unit, judged in zip(found.units, found.verdicts, strict=True)
        for item in judged
    }


def opened(root: Path) -> Workspace:
    return open_workspace(Options(now=NOW, working_directory=root, environment={}, project_root=root))


def git(root: Path, *arguments: str) -> str:
    named = ("user.name=Test", "user.email=test@example.invalid", "commit.gpgsign=false", "maintenance.auto=false")
    given = [part for setting in named for part in ("-c", setting)]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "-C", str(root), *given, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=kept).stdout


WORDS = "amber birch cedar delta ember flint grove haven islet jetty knoll larch maple nadir ocean pearl".split()  # noqa: SIM905
ENDINGS = ("py", "ts", "go", "md", "toml", "sh")


def made(root: Path, chance: random.Random, files: int = 300, documents: int = 6, lines: int = 40) -> None:
    """Create a repository of ``files`` files in nested folders and ``documents`` agent docs that cite them."""
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    names: dict[str, list[str]] = {}
    for number in range(files):
        folder = "/".join(chance.sample(WORDS, chance.randint(1, 3)))
        ending = chance.choice(ENDINGS)
        name = f"{folder}/{chance.choice(WORDS)}{number if number % 4 else ''}.{ending}"
        symbols = [f"{chance.choice(WORDS)}_{chance.choice(WORDS)}_{number}" for _ in range(3)]
        names[name] = symbols if ending in ("py", "ts", "go") else []
        write(root / name, body(ending, symbols))
    write(root / "Makefile", "".join(f"{word}:\n\techo {word}\n\n" for word in WORDS))
    homes = ["", *chance.sample(sorted({name.rpartition("/")[0] for name in names}), documents - 1)]
    for number, home in enumerate(homes):
        document = f"{home}/" * bool(home) + DOCUMENTS[number % 2]
        text = "".join(line(chance, sorted(names), names, home) for _ in range(lines))
        write(root / document, f"# {home or 'Project'}\n\n{text}")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "start")


def body(ending: str, symbols: list[str]) -> str:
    """Return the text of a file that git can tell from all others."""
    forms = {"py": "def {0}(a):\n    return a.{0}_of + 1\n\n\n", "go": "func {0}(a int) int {{\n\treturn a\n}}\n\n"}
    form = forms.get(ending, "export function {0}(a) {{\n  return a.{0}Of\n}}\n\n" if ending == "ts" else "{0} = 1\n")
    return "".join(form.format(symbol) for symbol in symbols)


def line(chance: random.Random, names: list[str], symbols: dict[str, list[str]], home: str) -> str:
    """Return a line of a document, in one of the ways in which people cite things."""
    name, other = chance.choice(names), chance.choice(names)
    folder, _, last = name.rpartition("/")
    symbol = chance.choice(symbols[other] or [WORDS[0]])
    relative = os.path.relpath(name, home or ".")
    return chance.choice(
        (
            f"- See `{name}` and `{other}`.\n",
            f"- The entry point is {name}, it calls `{symbol}()`.\n",
            f"- Read [{last}]({relative}) first.\n",
            f"- Everything below `{folder}/` is read by `{symbol}`.\n",
            f"\n## {folder}\n\n- `{last}` holds it.\n",
            f"| `{name}` | {last} |\n|---|---|\n| `{other}` | run `make {chance.choice(WORDS)}` |\n\n",
            f"\n```sh\npython {name} --check\n```\n\n",
            f"- `{name}:2` is where it begins.\n",
            f"- All of `{folder}/*.{last.rpartition('.')[2]}`.\n",
            f"- Never again `gone/{last}`.\n",
            "- Plain words about nothing at all.\n",
        )
    )


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
