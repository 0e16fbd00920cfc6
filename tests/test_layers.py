"""Imports go one way; what touches the world stays where the design puts it (DESIGN.md §14)."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "intermem"

ALLOWED = {
    "cli": {"cli", "commands", "workflow", "reporters", "results", "project", "storage", "core", "base"},
    "commands": {"commands", "workflow", "results", "project", "storage", "core", "base"},
    "workflow": {"workflow", "results", "project", "storage", "core", "base"},
    "reporters": {"reporters", "results", "project", "storage", "core", "base"},
    "results": {"results", "storage", "core", "base"},
    "project": {"project", "core", "base"},
    "storage": {"storage", "core", "base"},
    "core": {"core", "base"},
    "base": {"base"},
}
# Inside core a room imports itself, the rooms named here, and the base.
CORE = {
    "times": set(),
    "globs": set(),
    "markdown": set(),
    "code": set(),
    "entries": {"markdown"},
    "citations": {"code", "globs", "markdown"},
    "region": {"entries", "markdown"},
    "check": {"citations", "entries", "globs", "markdown"},
    "worth": {"entries", "markdown"},
    "lifecycle": {"region", "worth", "entries", "markdown", "times"},
    "reconcile": {"region", "entries", "markdown", "times"},
}
# Who alone may import a module (a path below the package, or a folder).
OWNED = {
    "sqlite3": ["storage/"],
    "subprocess": ["project/git/process.py", "cli/editor.py"],
    "rich": ["reporters/", "cli/"],
    "argparse": ["cli/"],
}
# Who alone may import a name: the steps of an operation, so that no verb can leave one out.
STEPS = {
    "intermem.storage.journal.recorded": ["workflow/operation.py"],
    "intermem.workflow.writeback.apply": ["workflow/operation.py"],
    "intermem.workflow.writeback.recover": ["workflow/operation.py"],
    "intermem.storage.connection.open_for_writing": ["workflow/workspace.py"],
    "intermem.project.lock.locked": ["workflow/workspace.py"],
}
# Who alone may call these methods of the workspace: doctor's repair of the state itself is no operation.
STEP_METHODS = {"locked", "opened"}
STEP_CALLERS = {"workflow/operation.py", "workflow/state_check.py", "workflow/workspace.py"}
WORLD = {"os", "io", "pathlib", "time", "tempfile", "shutil", "socket", "random", "glob", "fcntl", "sys", "secrets"}
CLOCKS = {"now", "utcnow", "today", "open", "print", "input"}
MAX_LINES = 400  # of a module: past that, look for the second noun in it


def layer_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else {"__main__.py": "cli"}.get(parts[0], "base")


def layer_of_module(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ALLOWED else "base"


def core_room(parts: Sequence[str]) -> str:
    return parts[1].removesuffix(".py") if len(parts) > 1 else ""


def imports_of(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            for alias in node.names:
                yield f"{module}.{alias.name}" if module == "intermem" else module, node.lineno


def violations(path: Path, source: str) -> list[str]:
    where = path.relative_to(PACKAGE).as_posix()
    layer = layer_of(path)
    tree = ast.parse(source)
    found: list[str] = []
    for name, line in imports_of(tree):
        top = name.split(".")[0]
        if top == "intermem":
            wanted = layer_of_module(name)
            if wanted not in ALLOWED[layer]:
                found.append(f"{where}:{line}: {layer} imports {name}")
            elif layer == wanted == "core":
                mine, other = core_room(where.split("/")), core_room(name.split(".")[1:])
                if other not in CORE.get(mine, set()) | {mine}:
                    found.append(f"{where}:{line}: core/{mine} imports {name}")
            elif layer == wanted == "commands" and name != "intermem.commands":
                found.append(f"{where}:{line}: a verb imports a verb: {name}")
        elif top in OWNED and not any(where.startswith(owner) for owner in OWNED[top]):
            found.append(f"{where}:{line}: {top} belongs to {', '.join(OWNED[top])}")
        elif top in WORLD and layer in ("core", "base"):
            found.append(f"{where}:{line}: {top} in {layer}")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                owners = STEPS.get(f"{node.module}.{alias.name}", [where])
                if where not in owners:
                    found.append(f"{where}:{node.lineno}: {alias.name} belongs to {', '.join(owners)}")
        elif isinstance(node, ast.Attribute) and node.attr in STEP_METHODS and where not in STEP_CALLERS:
            found.append(f"{where}:{node.lineno}: .{node.attr} belongs to an operation")
    if layer in ("core", "base"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in CLOCKS:
                    found.append(f"{where}:{node.lineno}: {called}() in {layer}")
    return found


FOLDERS = {".ci", "benchmarks", "docs", "fixtures", "intermem", "skills", "tests"}
FILES = {"AGENTS.md", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "SECURITY.md", "action.yml", "pyproject.toml"}
SETTINGS = {".gitattributes", ".gitignore", ".pre-commit-hooks.yaml"}
TOP = FOLDERS | FILES | SETTINGS
MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_keeps_to_its_layer(path: Path) -> None:
    assert violations(path, path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_can_be_read_in_one_sitting(path: Path) -> None:
    assert path.read_bytes().count(b"\n") <= MAX_LINES


def test_no_two_classes_have_one_name() -> None:
    where: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_nothing_lies_at_the_top_that_does_not_belong_there() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PACKAGE.parent, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout of git: what is tracked is not known")
    assert {name.split("/")[0] for name in listed.stdout.decode().split("\0") if name} == TOP


def test_every_room_of_core_has_its_arrows() -> None:
    assert {path.stem for path in (PACKAGE / "core").iterdir() if path.name[0] != "_"} == set(CORE)


@pytest.mark.parametrize(
    ("where", "source"),
    [
        ("core/x.py", "import os"),
        ("core/x.py", "from datetime import datetime\ndatetime.now()"),
        ("core/x.py", "open('x')"),
        ("core/x.py", "from intermem.storage import schema"),
        ("core/x.py", "from intermem import cli"),
        ("project/x.py", "from intermem.storage.metadata import Metadata"),
        ("storage/x.py", "from intermem.project.files import replace_file"),
        ("commands/x.py", "from intermem.reporters import text"),
        ("reporters/x.py", "from intermem.commands.sweep import sweep"),
        ("workflow/x.py", "from intermem.commands.sweep import sweep"),
        ("workflow/x.py", "from intermem.reporters.diff import unified_diff"),
        ("commands/x.py", "from intermem.commands.sweep import sweep"),
        ("core/region/x.py", "from intermem.core.lifecycle.decay import decayed"),
        ("core/markdown/x.py", "from intermem.core.entries.identity import identity"),
        ("core/lifecycle/x.py", "from intermem.core.reconcile.ledger import Line"),
        ("core/new_room/x.py", "from intermem.core.region.parse import Region"),
        ("commands/x.py", "from intermem.storage.journal import recorded"),
        ("commands/x.py", "def f():\n    from intermem.workflow.writeback import apply"),
        ("commands/x.py", "with workspace.locked():\n    pass"),
        ("commands/x.py", "import sqlite3"),
        ("project/files.py", "import subprocess"),
        ("commands/x.py", "from rich.text import Text"),
        ("entities.py", "from intermem.core import decay"),
    ],
)
def test_a_wrong_arrow_is_seen(where: str, source: str) -> None:
    assert violations(PACKAGE / where, source)
