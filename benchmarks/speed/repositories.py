"""The repositories to measure in: clones of given ones, and one that is generated with a long history."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.check_mutations import git

NAMES = re.compile(r"^\s*(?:def|class|function|func|fn|export function|interface|struct)\s+([A-Za-z_]\w{5,40})", re.M)
_ENDINGS = (".py", ".ts", ".tsx", ".js", ".go", ".rs", ".dart", ".java", ".kt")
_NOTES = 200
_RACE = 1.1  # seconds after which git need not ask whether a file was changed when the index was written


def cloned(path: Path, folder: Path) -> Path:
    """Return a clone of ``path`` in ``folder``; of a partial one what is there is checked out.

    Its index is as any ``git status`` leaves it: that of a clone of this very second has git read each file again, to
    tell whether it was changed within it.
    """
    named = [part for part in path.resolve().parts if part not in ("repo", ".git")]
    root = folder / named[-1].removesuffix(".git")
    subprocess.run(["git", "clone", "-q", "--local", "--no-checkout", str(path), str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "checkout", "-q", "-f", "HEAD"], check=False, capture_output=True)
    git(root, "reset", "-q")
    time.sleep(_RACE)
    git(root, "status", "--short")
    return root


def long_history(folder: Path, *, commits: int = 6000, files: int = 1500) -> Path:
    """Return a repository whose names and files come and go for ``commits`` commits; its documents cite both kinds."""
    root = folder / "generated"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    chance = random.Random(7)
    known: dict[str, list[str]] = {}
    gone: list[str] = []
    stream: list[str] = []

    def blob(text: str) -> str:
        return f"data {len(text.encode())}\n{text}\n"

    for number in range(commits):
        stream.append(f"commit refs/heads/main\ncommitter T <t@example.invalid> {1600000000 + 3600 * number} +0000\n")
        stream.append(blob(f"step {number}"))
        for _ in range(3):
            if len(known) > files or (known and chance.random() < 0.6):
                path = chance.choice(sorted(known) if number % 50 == 0 else list(known))
            else:
                path = f"src/{chance.choice('abcdefgh')}/mod_{number}_{chance.randrange(9)}.py"
            if path in known and chance.random() < 0.05:
                gone += [path, *known.pop(path)]
                stream.append(f"D {path}\n")
                continue
            names = known.get(path, []) or [f"work_{number}_{at}" for at in range(12)]
            if chance.random() < 0.3:
                gone.append(names[0])
                names = [*names[1:], f"work_{number}_x{chance.randrange(99)}"]
            known[path] = names
            body = "".join(f"def {name}(a, b):\n    '''Do it.'''\n    return a + b * {number}\n\n\n" for name in names)
            stream.append(f"M 100644 inline {path}\n{blob(body)}")
    alive = [one for path, names in known.items() for one in (path, *names)]
    for place in ("", "src/a/", "src/b/"):
        cited = [*chance.sample(alive, 150), *chance.sample(gone, 60)]
        text = "# Notes\n\n" + "".join(f"- Look at `{one}` first.\n" for one in cited)
        stream.append(f"M 100644 inline {place}AGENTS.md\n{blob(text)}")
    path = max(known)
    stream.append(f"commit refs/heads/main\ncommitter T <t@example.invalid> 1700000000 +0000\n{blob('one more')}")
    stream.append(f"D {path}\n")  # the newest commit is no document's
    fed = "".join(stream).encode()
    subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], input=fed, check=True)
    git(root, "reset", "-q", "--hard", "main")
    git(root, "gc", "-q")
    return root


def notes_about(root: Path, folder: Path) -> Path:
    """Return a memory of 200 notes about the repository: paths and names that it has, and some that it had."""
    chance = random.Random(3)
    paths = [path for path in git(root, "ls-files", "-z").split("\0") if path.endswith(_ENDINGS)]
    deleted = git(root, "log", "-n", "3000", "--diff-filter=D", "--no-renames", "--name-only", "--format=", "-z")
    gone = sorted({path for path in deleted.split("\0") if path.endswith(_ENDINGS)})
    memory = folder / f"{root.name}-memory"
    memory.mkdir()
    lines: list[str] = []
    for number in range(_NOTES):
        path = chance.choice(gone) if gone and number % 6 == 0 else chance.choice(paths)
        file = root / path
        found = NAMES.findall(file.read_text("utf-8", "replace")) if file.is_file() else []
        name = f", and call `{chance.choice(found)}()`" if found else ""
        lines.append(f"- Note {number}: never change `{path}` before a release{name}.\n")
    (memory / "MEMORY.md").write_text("# Notes\n\n" + "".join(lines), "utf-8")
    return memory


def committed_change(root: Path, numbers: Iterator[int]) -> None:
    """Commit a change of five code files, other ones with each of ``numbers``."""
    number = next(numbers)
    chance = random.Random(number)
    paths = [path for path in git(root, "ls-files", "-z").split("\0") if path.endswith(_ENDINGS)]
    paths = [path for path in paths if (root / path).is_file()]
    for path in chance.sample(paths, min(5, len(paths))):
        with (root / path).open("a", encoding="utf-8") as file:
            file.write("\n")
        git(root, "add", "--", path)
    tree = git(root, "write-tree", "--missing-ok").strip()  # a partial clone lacks objects
    commit = git(root, "commit-tree", tree, "-p", "HEAD", "-m", f"change {number}").strip()
    git(root, "update-ref", "HEAD", commit)


def without_cache(root: Path) -> None:
    """Throw the cache away."""
    shutil.rmtree(root / ".git/intermem/cache", ignore_errors=True)
