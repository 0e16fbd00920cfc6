"""What the journal may have written: a document, the ledger or a configuration file below the root."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intermem.storage.operations import FileWrite
from intermem.workflow.write_scope import WriteScope
from intermem.workflow.writeback import Checkout, file_write_for

NOW = datetime(2026, 1, 3, 1, 2, 3, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = Path(os.path.realpath(tmp_path)) / "repo" / "part"
    (made / ".git").mkdir(parents=True)
    (made / "docs").mkdir()
    for name in ("HEAD", "objects", "refs"):
        (made / "odd" / name).mkdir(parents=True)
    return made


@pytest.fixture
def scope(root: Path) -> WriteScope:
    return WriteScope(is_ours=lambda one: one == root, top=root.parent)


def write(root: Path, name: str) -> FileWrite:
    return file_write_for(Checkout(root, "."), root / name, name, None, "", NOW)


@pytest.mark.parametrize(
    "name",
    [
        "AGENTS.md",
        "docs/CLAUDE.MD",
        "docs/rules.mdc",
        "intermem.toml",
        "pyproject.toml",
        ".intermem/ledger.jsonl",
        ".intermem/ledger/1a2b.json",
        ".intermem/.gitattributes",
        ".gitattributes",
        ".cursorrules",
        "CONVENTIONS",
    ],
)
def test_documents_the_ledger_and_configuration_may_be_written(root: Path, scope: WriteScope, name: str) -> None:
    (root / ".intermem/ledger").mkdir(parents=True)
    assert scope.why_outside(write(root, name)) is None


def test_a_document_above_the_root_but_in_its_repository_may_be_written(root: Path, scope: WriteScope) -> None:
    assert scope.why_outside(replace(write(root, "A.md"), path=root.parent / "A.md")) is None


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../A.md", "outside the project"),
        ("docs/../A.md", "outside the project"),
        (".git/A.md", "in a git directory"),
        (".GIT/hooks/A.md", "in a git directory"),
        ("vendor/.git/A.md", "in a git directory"),
        ("odd/A.md", "in a git directory"),
        ("Makefile", "neither a document"),
        (".github/workflows/ci.yml", "neither a document"),
        (".bashrc", "neither a document"),
        ("src/app.py", "neither a document"),
        ("src/.gitattributes", "neither a document"),
        (".intermem", "neither a document"),
        (".intermem/key", "neither a document"),
        (".intermem/metadata.db", "neither a document"),
    ],
)
def test_nothing_else_may(root: Path, scope: WriteScope, name: str, why: str) -> None:
    assert why in (scope.why_outside(write(root, name)) or "")


def test_no_file_of_another_project_may(root: Path, scope: WriteScope) -> None:
    assert scope.why_outside(replace(write(root, "A.md"), root=root.parent)) == "it belongs to another project"


def test_no_file_behind_a_link_may(root: Path, scope: WriteScope, tmp_path: Path) -> None:
    (root / "link").symlink_to(tmp_path)
    assert scope.why_outside(write(root, "link/A.md")) == "it is behind a symbolic link"


@pytest.mark.parametrize("name", ["x", ".A.md", ".A.md.intermem-20260103T010203/../x", ".A.md.intermem-2026"])
def test_no_other_file_passes_for_its_temporary_file(root: Path, scope: WriteScope, name: str) -> None:
    assert "neither" in (scope.why_outside(replace(write(root, "A.md"), temp_name=name)) or "")
