"""A real project to try things on: a git repository, a memory, a clock that the test sets."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from intermem.cli.main import main
from intermem.workflow.workspace import Workspace

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
# No deadline: how long an example takes depends on what else the machine is doing.
settings.register_profile("usual", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)  # make test-pythons
settings.load_profile("usual")

EVERYTHING = os.environ.get("INTERMEM_FAULTS") == "all"  # else samples, the same each time

_MEMORY = Path("/dev/shm")
_ROOM = 2 << 30


def pytest_configure() -> None:
    """Let what is temporary be in memory, where there is room: each command syncs a dozen files.

    An observer is named by its folder, not by chance.
    """
    Workspace.new_observer = property(lambda one: observer_named(one.root.name))  # type: ignore[assignment, method-assign]
    if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
        tempfile.tempdir = str(_MEMORY)


def pytest_collection_finish() -> None:
    """Keep what was collected, a million objects, out of every later search for garbage."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run first what builds an environment: what one process takes from another is at the end, and is built twice."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def observer_named(name: str) -> str:
    """Return the id that a clone in a folder ``name`` has as an observer in these tests."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


LATER = 4102444800  # 2100-01-01


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
    kept: Path | None = None  # where states of projects are kept

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
        """Write a file of the memory. Its time is later than any ``now``, so that it proves nothing by its age."""
        path = self.memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        os.utime(path, (LATER, LATER))
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

        def make() -> None:
            for day in days:
                self.run("scan", now=f"{day}T00:00:00Z")

        self.unless_kept(f"scans {days}", make)

    def unless_kept(self, what: str, make: Callable[[], None]) -> None:
        """Do ``what``, or take what it led to before from the same files, records and settings: most begin alike."""
        state = None
        ours = self.memory.is_relative_to(self.root.parent)  # what tests were given is neither copied nor replaced
        if self.kept is not None and ours and (self.root / ".git").is_dir():
            state = self.kept / hashlib.sha256(f"{what} {self.now} {self._digest()}".encode()).hexdigest()
        if state is not None and state.is_dir():
            self.take(state)
        else:
            make()
            if state is not None:
                self.keep(state)

    def keep(self, state: Path) -> None:
        """Copy the project and its memory into a new folder."""
        for name, path in (("project", self.root), ("memory", self.memory)):
            shutil.copytree(path, state / name, symlinks=True, ignore=shutil.ignore_patterns("*.sample"))

    def take(self, state: Path) -> None:
        """Replace the project and its memory by what was kept; the journal of what is over names another folder."""
        for name, path in (("project", self.root), ("memory", self.memory)):
            shutil.rmtree(path)
            shutil.copytree(state / name, path, symlinks=True)
        self.git("status")  # which writes down that these files are those of the index

    def _digest(self) -> str:
        """A hash of what a command may depend on: files, index, records, settings; not of times and places of files."""
        found = [self.root.name, self.git("ls-files", "--stage", "-v")]
        found += [
            f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(("INTERMEM", "GIT"))
        ]
        for path in sorted(one for top in (self.root, self.memory) for one in top.rglob("*")):
            name = str(path.relative_to(self.root.parent))
            if path.name.startswith("metadata.db") and path.suffix != ".db":
                continue
            if path.name == "metadata.db":
                with closing(sqlite3.connect(path)) as connection:
                    found += [name, *(line.replace(str(self.root.parent), "") for line in connection.iterdump())]
            elif path.is_symlink():
                found += [name, str(path.readlink())]
            elif path.is_file() and path != self.root / ".git" / "index":
                found += [f"{name} {path.stat().st_mode}", path.read_bytes().hex()]
            else:
                found.append(name)
        return hashlib.sha256("\0".join(found).encode("utf-8", "surrogateescape")).hexdigest()

    def entries(self) -> dict[str, dict[str, Any]]:
        """Every record by its text."""
        found = self.run("query", "--all", "--limit", "0", "--json", "--no-touch", code=None).json
        return {entry["text"]: entry for entry in found["entries"]}

    def tree_hash(self) -> str:
        """A hash of every file and folder of the project, its git directory and state included, without the cache."""
        return tree_hash(self.root)


def git(where: Path, *arguments: str) -> str:
    named = ("user.name=Test", "user.email=test@example.invalid", "commit.gpgsign=false", "maintenance.auto=false")
    given = [part for setting in named for part in ("-c", setting)]
    done = subprocess.run(["git", "-C", str(where), *given, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tree_hash(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        inside = parts[parts[0] == ".git" :]  # also of a bare repository
        if inside == ("intermem",) or inside[:2] == ("intermem", "cache"):
            continue
        found = path.lstat()
        digest.update(f"{path.relative_to(root)} {found.st_mode}\n".encode())
        if path.is_file() and not path.is_symlink():  # a folder's time moves when SQLite's -shm comes and goes
            digest.update(f"{found.st_mtime_ns}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No home, no agent, no git settings of the machine that runs the tests, no clock, no chance.

    Commits and events are the same ones.
    """
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("INTERMEM_", "GIT_", "CLAUDE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-12-31T12:00:00Z")
    monkeypatch.setenv("LANGUAGE", "C")  # else argparse looks for a translation of every word, each time
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("INTERMEM_OBSERVER", observer_named("project"))
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")  # most tests are not about what is worth a line


Once = Callable[[Sandbox, Callable[[Any], object]], None]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Change a project and its memory by a function: it is run once, and who asks for it again gets a copy."""
    folder = tmp_path_factory.mktemp("made")

    def changed(box: Sandbox, make: Callable[[Any], object]) -> None:
        box.kept = folder
        state = folder / f"{make.__module__}.{make.__qualname__}"
        if state.is_dir():
            box.take(state)
        else:
            make(box)
            box.keep(state)

    return changed


@pytest.fixture
def sandbox(tmp_path: Path, capsys: pytest.CaptureFixture[str], once: Once) -> Sandbox:
    """A project with an AGENTS.md, one commit and an empty memory."""
    made = Sandbox(tmp_path / "project", tmp_path / "memory", capsys)
    made.root.mkdir()
    made.memory.mkdir()
    once(made, _start)
    return made


def _start(made: Sandbox) -> None:
    made.git("init", "-q", "-b", "main")
    made.write("AGENTS.md", "# Project\n\nHello.\n")
    made.write("src/app.py", "print('app')\n")
    made.commit("start")


def corpus_files(folder: str) -> Sequence[Path]:
    """The corpus' Markdown files, none where it is not here."""
    base = CORPUS / folder
    return sorted(path for path in base.rglob("*.md") if path.is_file()) if base.is_dir() else []


needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus (../shared/corpus) is not here")
