"""A real project to try things on: a git repository, a memory, a clock that the test sets."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from intermem.cli import main

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"


@dataclass
class Outcome:
    """What a run of the command line left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


@dataclass
class Sandbox:
    """A project below a temporary folder, with HOME beside it."""

    root: Path
    memory: Path
    capture: pytest.CaptureFixture[str]
    now: str = "2026-01-01T00:00:00Z"
    ids: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, now: str | None = None, code: int | None = 0) -> Outcome:
        """Run the command line in this process; ``code`` is the exit code to insist on (None: any)."""
        self.capture.readouterr()
        given = ["--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", now or self.now]
        result = main([*arguments, *given])
        out, err = self.capture.readouterr()
        assert code is None or result == code, f"exit {result}\n{out}\n{err}"
        return Outcome(result, out, err)

    def spawn(self, *arguments: str, now: str | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the command line in a process of its own."""
        given = ["--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", now or self.now]
        command = [sys.executable, "-m", "intermem", *arguments, *given]
        return subprocess.run(command, capture_output=True, text=True, check=False, **options)

    def git(self, *arguments: str) -> str:
        """Run git in the project and return what it prints."""
        return git(self.root, *arguments)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the repository."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    def note(self, text: str, name: str = "MEMORY.md") -> Path:
        """Write a file of the memory."""
        path = self.memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    def read(self, name: str = "AGENTS.md") -> str:
        """Return a file of the repository."""
        return (self.root / name).read_bytes().decode("utf-8")

    def commit(self, message: str = "change") -> str:
        """Commit everything and return the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def scans(self, *days: str) -> None:
        """Take a snapshot at midnight of each of ``days``."""
        for day in days:
            self.run("scan", now=f"{day}T00:00:00Z")

    def entries(self) -> dict[str, dict[str, Any]]:
        """Every record by its text."""
        found = self.run("query", "--all", "--limit", "0", "--json", "--no-touch", code=None).json
        return {entry["text"]: entry for entry in found["entries"]}

    def tree_hash(self) -> str:
        """A hash of every file and folder of the project, its git directory and state included."""
        return tree_hash(self.root)


def git(where: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(where), *identity, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tree_hash(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        found = path.lstat()
        digest.update(f"{path.relative_to(root)} {found.st_mode}\n".encode())
        if path.is_file() and not path.is_symlink():  # a folder's time moves when SQLite's -shm comes and goes
            digest.update(f"{found.st_mtime_ns}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No home, no agent, no git settings of the machine that runs the tests."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("INTERMEM_", "GIT_", "CLAUDE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def sandbox(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sandbox:
    """A project with an AGENTS.md, one commit and an empty memory."""
    root = tmp_path / "project"
    memory = tmp_path / "memory"
    root.mkdir()
    memory.mkdir()
    made = Sandbox(root, memory, capsys)
    made.git("init", "-q", "-b", "main")
    made.write("AGENTS.md", "# Project\n\nHello.\n")
    made.write("src/app.py", "print('app')\n")
    made.commit("start")
    return made


def corpus_files(folder: str) -> Sequence[Path]:
    """The corpus' Markdown files, none where it is not here."""
    base = CORPUS / folder
    return sorted(path for path in base.rglob("*.md") if path.is_file()) if base.is_dir() else []


needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus (../shared/corpus) is not here")
