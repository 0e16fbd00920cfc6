#!/usr/bin/env python3
"""The way of three tasks through the code: modules passed, calls between layers, git processes, lines of code.

usage: flows.py [--checkout DIR] [--modules FLOW]

Runs each flow of docs/architecture.md in this process, in a small project of its own, under a tracer:

- ``promote``: ``scan`` three times, then ``promote --yes`` of two notes; the figures are those of ``promote``
- ``check``: ``check --format sarif`` of a document that cites a deleted file
- ``sweep``: a ``sweep`` that demotes, and its ``undo``

``--checkout`` measures another checkout of intermem (an older one, say). ``--modules`` prints nothing but the modules
that one flow enters, a folder a line, in the order in which they are entered.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

_IDENTITY = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false")
_FIRST_SEEN = "2026-01-01T00:00:00Z"
# Frames of no function; from Python 3.12 on most comprehensions have none.
_NO_CALLS = {"<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
# `core.region` and the like are one layer; so is what older checkouts called verbs.
_LAYERS = {"verbs": "cli", "__main__": "cli"}


@dataclass
class Trace:
    """What one run passed: modules in the order of their first call, calls from layer to layer, counted names."""

    modules: list[str] = field(default_factory=list)
    crossings: int = 0
    git_processes: int = 0
    calls: dict[str, int] = field(default_factory=dict)


def layer_of(module: str) -> str:
    """Return the layer that a module belongs to: the folder below ``intermem``, else ``base``."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else ""
    return _LAYERS.get(name, name if len(parts) > 2 or name == "cli" else "base")


@contextlib.contextmanager
def traced(*counted: str) -> Iterator[Trace]:
    """Trace what runs inside the block; ``counted`` are names of functions whose calls are counted."""
    trace = Trace(calls=dict.fromkeys(counted, 0))
    seen: set[str] = set()
    active = True

    def on_event(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("intermem.") or frame.f_code.co_name in _NO_CALLS:
            return
        if module not in seen:
            seen.add(module)
            trace.modules.append(module)
        name = frame.f_code.co_name
        if name in trace.calls:
            trace.calls[name] += 1
        caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back is not None else ""
        if caller.startswith("intermem.") and layer_of(caller) != layer_of(module):
            trace.crossings += 1

    def on_audit(event: str, arguments: tuple[Any, ...]) -> None:
        if active and event == "subprocess.Popen" and os.path.basename(str(arguments[1][0])) == "git":  # noqa: PTH119
            trace.git_processes += 1

    sys.addaudithook(on_audit)
    sys.setprofile(on_event)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        active = False


class Project:
    """A small repository with a memory beside it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.memory = folder / "project", folder / "memory"
        self.root.mkdir()
        self.memory.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("AGENTS.md", "# Project\n\nSee `src/old.py`.\n")
        self.write("src/app.py", "print('app')\n")
        self.write("src/old.py", "print('old')\n")
        self.commit("start")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", str(self.root), *_IDENTITY, *arguments], check=True, capture_output=True)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def run(self, *arguments: str, now: str = _FIRST_SEEN) -> int:
        """Run intermem in this process, in silence, and return its exit code."""
        main = importlib.import_module("intermem.cli")
        if not callable(getattr(main, "main", None)):
            main = importlib.import_module("intermem.cli.main")
        given = ["--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", now]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return int(main.main([*arguments, *given]))

    def with_two_notes(self) -> None:
        text = (
            "- Always start the app with `src/app.py`: every other way fails.\n"
            "- Never call `src/old.py` in a test, as it breaks the cache.\n"
        )
        (self.memory / "MEMORY.md").write_bytes(text.encode("utf-8"))
        for day in (1, 2, 3):
            self.run("scan", now=f"2026-01-0{day}T00:00:00Z")


def promote_flow(project: Project) -> Trace:
    """From a note to AGENTS.md."""
    project.with_two_notes()
    with traced("parse_document") as trace:
        assert project.run("promote", "--yes", now="2026-01-03T00:00:00Z") == 0
    return trace


def check_flow(project: Project) -> Trace:
    """From a citation in a document to a finding in SARIF."""
    project.git("rm", "-q", "src/old.py")
    project.commit("remove the old entry point")
    with traced("parse_document") as trace:
        assert project.run("check", "--format", "sarif") == 1
    return trace


def sweep_flow(project: Project) -> Trace:
    """A sweep that takes a stale entry out, and the undo that puts it back."""
    project.with_two_notes()
    project.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    project.commit("promote")
    (project.memory / "MEMORY.md").write_bytes(b"- Something else.\n")
    project.run("sweep", now="2026-04-01T00:00:00Z")
    with traced("parse_document") as trace:
        assert project.run("sweep", now="2026-04-02T00:00:00Z") == 0
        assert project.run("undo", now="2026-04-02T00:00:00Z") == 0
    return trace


FLOWS: dict[str, Callable[[Project], Trace]] = {"promote": promote_flow, "check": check_flow, "sweep": sweep_flow}


def run_flow(name: str) -> Trace:
    """Run one flow in a project of its own and return its trace."""
    kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith(("INTERMEM_", "GIT_", "CLAUDE_"))}
    try:
        importlib.import_module("intermem.cli")  # what is built while it is imported is no part of a flow
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module("intermem.cli.main")
        with tempfile.TemporaryDirectory(prefix="flow-") as folder:
            return FLOWS[name](Project(Path(folder).resolve()))
    finally:
        os.environ.update(kept)


# Which of these is entered first depends on the texts, and the paths of temporary folders are among them.
_BY_TEXT = {"core/entries/secret_rules"}


def listed(trace: Trace) -> str:
    """Return the modules of a trace as docs/architecture.md has them: a line a folder, in the order of entry."""
    folders: dict[str, list[str]] = {}
    for module in trace.modules:
        folder, _, name = module.removeprefix("intermem.").rpartition(".")
        folders.setdefault(folder.replace(".", "/") or ".", []).append(name)
    for folder in folders.keys() & _BY_TEXT:
        folders[folder].sort()
    width = max(map(len, folders))
    return "".join(f"{folder:{width}}  {' '.join(names)}\n" for folder, names in folders.items())


def code_lines(package: Path) -> int:
    """Return the lines of code below ``package``: without blank lines, comments and docstrings."""
    return sum(_code_lines_of(path.read_bytes()) for path in package.rglob("*.py"))


def _code_lines_of(source: bytes) -> int:
    lines = source.split(b"\n")
    prose: set[int] = {number for number, line in enumerate(lines, 1) if not line.strip() or line.strip()[:1] == b"#"}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines) - len(prose)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--modules", choices=FLOWS, metavar="FLOW")
    parser.add_argument("--counts", choices=FLOWS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    checkout = args.checkout.resolve()
    sys.path.insert(0, str(checkout))
    if args.modules:
        print(listed(run_flow(args.modules)), end="")
    elif args.counts:
        trace = run_flow(args.counts)
        counts = (len(trace.modules), trace.crossings, trace.git_processes, trace.calls["parse_document"])
        print("{:9} {:7} {:21} {:14} {:17}".format(args.counts, *counts))
    else:
        print("flow      modules  calls between layers  git processes  documents parsed", flush=True)
        for name in FLOWS:  # each in a process of its own: what one has parsed, the next would find in a cache
            command = [sys.executable, __file__, "--checkout", str(checkout), "--counts", name]
            subprocess.run(command, check=True)
        print(f"lines of code: {code_lines(checkout / 'intermem')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
