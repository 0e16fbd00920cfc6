"""``make test-pythons`` takes the versions from pyproject.toml, and an interpreter only if it runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import pythons
from tests.pythons import ROOT, find_interpreter, supported_versions


def test_the_versions_are_those_of_the_classifiers() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert supported_versions(text)[0] == "3.11"
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in supported_versions(text)
    others = 'classifiers = ["Typing :: Typed", "Programming Language :: Python :: 3"]'
    assert supported_versions(f"[project]\n{others}\n") == []


def program(folder: Path, script: str) -> Path:
    folder.mkdir()
    python = folder / "python3.12"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return python


def test_a_shim_that_does_not_run_is_no_interpreter(tmp_path: Path) -> None:
    program(tmp_path / "shims", "echo 'pyenv: python3.12: command not found' >&2; exit 127")
    program(tmp_path / "other", "echo '3.1.2 (main)'")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "python3.12").write_text("no program")
    folders = [tmp_path / name for name in ("shims", "other", "plain", "nowhere")]
    assert find_interpreter("3.12", folders) is None
    python = program(tmp_path / "real", "echo '3.12.1 (main)'")
    assert find_interpreter("3.12", [*folders, python.parent]) == python


def test_only_the_newest_runs_where_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(pythons, "supported_versions", lambda _: ["3.9", "3.10", "3.11"])
    monkeypatch.setattr(pythons, "find_interpreter", lambda version, _: Path(version))
    monkeypatch.setattr(pythons, "passes", lambda version, _: ran.append(version) is None)
    monkeypatch.setattr("sys.version", "3.8.1 (x)")
    for given, expected in ([], ["3.9", "3.10", "3.11"]), (["--newest"], ["3.11"]):
        ran.clear()
        monkeypatch.setattr("sys.argv", ["pythons", *given])
        assert pythons.main() == 0 and ran == expected
