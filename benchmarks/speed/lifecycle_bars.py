"""P9 and P11: a sweep after a commit in a large tree, and writing into a large document."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from benchmarks.check_mutations import WORDS, git, made
from benchmarks.speed.measuring import INTERMEM, Job, Table
from benchmarks.speed.repositories import notes_about, without_cache
from intermem.core.entries.identity import identity

_DAYS = tuple(f"2026-02-{day:02}T00:00:00Z" for day in (1, 2, 3))
_ENTRIES = 1_000
_DOCUMENT = 1_000_000  # bytes
_TOUCHED = 100  # files that the commit of P9 changes


def sweep_after_commit(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P9: a sweep of 200 notes after a commit that touched 100 files, against one that knows nothing of the tree."""
    root = folder / "repository"
    made(root, random.Random(2), files=big, documents=1, lines=10)
    memory = notes_about(root, folder)
    sweep = (*INTERMEM, "sweep", "--memory-dir", str(memory), "--now", _DAYS[0])
    few = Table(min(3, table.runs))
    took = few.turns(
        {
            "full": Job(sweep, root, partial(without_cache, root)),
            "after": Job(sweep, root, partial(_touch_files, root, count())),
        }
    )
    what = f"`sweep` after a commit that touched {_TOUCHED} of {big:,} files"
    table.compare("P9", what, took["after"], "the full sweep", took["full"], 0.2)


def _touch_files(root: Path, numbers: Iterator[int]) -> None:
    number = next(numbers)
    paths = [path for path in git(root, "ls-files", "-z").split("\0") if path.endswith((".py", ".ts", ".go"))]
    for path in random.Random(number).sample(paths, min(_TOUCHED, len(paths))):
        with (root / path).open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
    git(root, "commit", "-q", "-a", "-m", f"change {number}")


def write_large_document(table: Table, folder: Path, _clones: Sequence[Path], _big: int) -> None:
    """P11: promote into a document of 1 MB whose region has 1,000 entries, and demote again, against cog."""
    root, memory, state = folder / "repository", folder / "memory", folder / "state"
    root.mkdir()
    memory.mkdir()
    git(root, "init", "-q", "-b", "main")
    chance = random.Random(4)
    rules = [
        f"Never call `step_{at}()` {' '.join(chance.choices(WORDS, k=9))}, because `make check` fails otherwise."
        for at in range(_ENTRIES + 1)
    ]
    (memory / "MEMORY.md").write_text("## Rules\n\n" + "".join(f"- {one}\n" for one in rules[:-1]), "utf-8")
    filler = "".join(f"{' '.join(chance.choices(WORDS, k=12))}.\n" for _ in range(_DOCUMENT // 80))
    (root / "AGENTS.md").write_text(f"# Project\n\n{filler}", "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "start")
    most = str(10 * _DOCUMENT)
    os.environ |= {
        "INTERMEM_PROMOTE_LIMIT": most,
        "INTERMEM_PROMOTE_BUDGET_ENTRIES": most,
        "INTERMEM_PROMOTE_BUDGET_TOKENS": most,
        "INTERMEM_PROMOTE_SIMILARITY": "1.0",
        "INTERMEM_SCAN_MAX_BYTES": most,
    }
    common = ("--state-dir", str(state), "--memory-dir", str(memory))

    def intermem(*arguments: str) -> str:
        done = subprocess.run([*INTERMEM, *arguments], cwd=root, check=True, capture_output=True, text=True)
        return done.stdout

    def scan() -> None:
        for day in _DAYS:
            intermem("scan", *common, "--now", day)

    scan()
    intermem("promote", "--yes", *common, "--now", _DAYS[-1])
    with (memory / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write(f"- {rules[-1]}\n")
    scan()
    last = identity(rules[-1])
    kept = folder / "kept"
    shutil.copytree(root, kept / "repository")
    shutil.copytree(state, kept / "state")

    def afresh() -> None:
        for place in (root, state):
            shutil.rmtree(place)
            shutil.copytree(kept / place.name, place)

    jobs = {
        "promote": Job(
            (*INTERMEM, "promote", last, "--yes", *common, "--now", _DAYS[-1]), folder / "repository", afresh
        ),
        "demote": Job((*INTERMEM, "demote", last, *common, "--now", _DAYS[-1]), folder / "repository"),
    }
    if find_spec("cogapp") is None:
        print("P11 | cogapp is not installed, so there is nothing to compare with: pip install cogapp")
    else:
        generated = folder / "cog.md"
        body = "".join(f"- {one}\\n" for one in rules)
        generated.write_text(
            f"# Project\n\n{filler}<!-- [[[cog\nprint({body!r})\n]]] -->\n<!-- [[[end]]] -->\n", "utf-8"
        )
        jobs["cog"] = Job((INTERMEM[0], "-m", "cogapp", "-r", str(generated)), folder)
    took = table.turns(jobs)
    size = (root / "AGENTS.md").stat().st_size / 1_000_000
    for name in ("promote", "demote"):
        what = f"`{name} ID`, {_ENTRIES:,} entries in {size:.1f} MB"
        other, most = ("cog", 2.0) if "cog" in took else (name, 0.0)
        table.compare("P11", what, took[name], other, took[other], most)
