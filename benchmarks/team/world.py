"""The world of ``benchmarks.team``: clones with real git and the tool, and a forge that merges as web pages do."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.team.notes import BEGIN, DOCUMENT, END, START_DOCUMENT
from intermem.cli.main import main

START = datetime(2026, 1, 5, 8, tzinfo=UTC)  # a Monday
_FILES = (
    *("agent", "batch", "cursor", "digest", "editor", "filter", "grammar", "handler", "index", "journal"),
    *("kernel", "layout", "matcher", "network", "options", "parser"),
)
_SETTINGS = "[promote]\nbudget_tokens = 0\nbudget_entries = 0\n"


@dataclass
class Clock:
    """The simulated time; every call takes a minute."""

    day: int = 0
    minutes: int = 0

    def sleep_until(self, day: int) -> None:
        """Go to the morning of ``day``."""
        self.day, self.minutes = day, 0

    def tick(self) -> datetime:
        """Let a minute pass and return the time."""
        self.minutes += 1
        return self.now

    @property
    def now(self) -> datetime:
        """The time."""
        return START + timedelta(days=self.day, minutes=self.minutes)


@dataclass
class Tally:
    """What the calls of the tool left to report."""

    exits: Counter[str] = field(default_factory=Counter)
    tracebacks: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


@dataclass
class Run:
    """One call of the tool: its exit code and what it said."""

    code: int
    said: dict[str, Any]

    def entries(self, key: str) -> list[dict[str, Any]]:
        """Return the entries under ``key``, wherever that is."""
        return list(_under(self.said, key))


def _under(said: Any, key: str) -> Iterator[dict[str, Any]]:
    if isinstance(said, dict) and isinstance(said.get(key), list):
        yield from (one for one in said[key] if isinstance(one, dict))
    elif isinstance(said, dict):
        for value in said.values():
            yield from _under(value, key)


class Clone:
    """A working tree of somebody: git with a name and a simulated time, and the tool with a HOME of its own."""

    def __init__(self, root: Path, name: str, clock: Clock, tally: Tally, command: str | None) -> None:
        self.root, self.name, self.clock, self.tally = root, name, clock, tally
        self.command = shlex.split(command) if command else None
        self.home = root.parent / f"{root.name}-home"
        self.memory = root.parent / f"{root.name}-memory"
        self.home.mkdir(parents=True, exist_ok=True)
        self.has_memory = False

    def _environment(self) -> dict[str, str]:
        kept = {
            key: os.environ[key] for key in ("PATH", "VIRTUAL_ENV", "TMPDIR", "LD_LIBRARY_PATH") if key in os.environ
        }
        tools = str(Path(sys.executable).parent)  # where git finds the merge driver
        return kept | {
            "PATH": os.pathsep.join([tools, kept.get("PATH", os.defpath)]),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
        }

    def git_code(self, *arguments: str, stdin: str | None = None) -> tuple[int, str]:
        """Run git at the simulated time; return its exit code and what it printed."""
        at = self.clock.now.strftime("%Y-%m-%dT%H:%M:%S+00:00")
        who = {"NAME": self.name, "EMAIL": f"{self.name}@example.invalid", "DATE": at}
        named = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        environment = self._environment() | named | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
        command = ["git", "-C", str(self.root), *arguments]
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, input=stdin)
        return run.returncode, run.stdout

    def git(self, *arguments: str, stdin: str | None = None) -> str:
        """Run git; return what it printed, without a final line end."""
        return self.git_code(*arguments, stdin=stdin)[1].rstrip("\n")

    def read(self, name: str = DOCUMENT) -> str:
        """Return a file's text, empty where there is none."""
        path = self.root / name
        return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))

    def remember(self, notes: Sequence[tuple[str, str]]) -> None:
        """Write the memory: each note is a section and a text. An unchanged memory keeps its time."""
        headed = {section: [text for other, text in notes if other == section] for section, _ in sorted(set(notes))}
        lines = [f"## {section}\n\n" + "".join(f"- {text}\n" for text in texts) for section, texts in headed.items()]
        path, text = self.memory / "MEMORY.md", "\n".join(lines) or "Nothing yet.\n"
        self.memory.mkdir(exist_ok=True)
        self.has_memory = True
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            os.utime(path, (self.clock.now.timestamp(),) * 2)

    def intermem(self, *arguments: str, expected: Sequence[int] = (0, 1)) -> Run:
        """Run the tool at the simulated time. Other exit codes than ``expected`` are counted with their message."""
        place = ["--project-root", str(self.root), "--now", self.clock.tick().strftime("%Y-%m-%dT%H:%M:%SZ"), "--json"]
        if self.has_memory:
            place += ["--memory-dir", str(self.memory)]
        before = _outside(self.read())
        code, out, failure = self._called([*arguments, *place])
        after = _outside(self.read())
        if before is not None and before != after:
            self.tally.outside.append(f"day {self.clock.day} {self.name}: {' '.join(arguments)}")
        try:
            said = json.loads(out)
        except ValueError:
            said = {}
        if failure:
            self.tally.tracebacks.append(f"day {self.clock.day} {self.name}: {' '.join(arguments)}: {failure}")
        elif code not in expected:
            error = said.get("error") or {}
            problems = "; ".join(str(one.get("message", one)) for one in said.get("problems", []))
            message = re.sub(r"[0-9a-f]{7,}|\d+", "N", str(error.get("message") or problems or out[:80]))
            self.tally.exits[f"{arguments[0]} {code}: {message}".replace(str(self.root), "")] += 1
        return Run(code, said if isinstance(said, dict) else {})

    def _called(self, arguments: list[str]) -> tuple[int, str, str]:
        """Return exit code, standard output and the last lines of a traceback."""
        if self.command is not None:
            run = subprocess.run(
                [*self.command, *arguments],
                cwd=self.root,
                env=self._environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            return run.returncode, run.stdout, run.stderr[-300:] if "Traceback" in run.stderr else ""
        out = io.StringIO()
        with (
            _environment_of(self._environment()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            try:
                return main(arguments), out.getvalue(), ""
            except SystemExit as ended:
                return int(ended.code or 0), out.getvalue(), ""
            except Exception:  # noqa: BLE001 - whatever it is, it is to be counted
                return 70, out.getvalue(), traceback.format_exc()[-300:]


@contextlib.contextmanager
def _environment_of(variables: dict[str, str]) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _outside(text: str) -> tuple[str, str] | None:
    """Return what stands before and after the region; None in a conflict, or where there is not one region."""
    if "<<<<<<<" in text or text.count(BEGIN) != 1 or text.count(END) != 1:
        return None
    return text[: text.index(BEGIN)], text[text.index(END) :]


class Forge:
    """A bare repository whose merges know no attributes, no drivers and no state."""

    def __init__(self, folder: Path, clock: Clock, tally: Tally) -> None:
        self.path = folder / "forge.git"
        self.path.mkdir(parents=True)
        self.bare = Clone(self.path, "forge", clock, tally, None)
        self.bare.git("init", "-q", "--bare", "-b", "main")
        (self.path / "info").mkdir(exist_ok=True)
        (self.path / "info" / "attributes").write_text("* !merge\n", "utf-8")  # beats every .gitattributes
        self._clock, self._tally = clock, tally

    def cloned(self, root: Path, name: str, command: str | None) -> Clone:
        """Return a fresh clone."""
        if root.exists():
            shutil.rmtree(root)
        self.bare.git("clone", "-q", str(self.path), str(root))
        return Clone(root, name, self._clock, self._tally, command)

    def merge(self, branch: str, method: str, title: str) -> list[str]:
        """Merge ``branch`` into main by ``merge``, ``squash`` or ``rebase``; return the paths that conflict."""
        git = self.bare.git
        commits = git("rev-list", "--reverse", "--parents", f"main..{branch}").split("\n")
        if method == "rebase" and all(len(line.split()) == 2 for line in commits):
            tip = git("rev-parse", "main")
            for line in commits:
                commit, parent = line.split()
                tree, conflicts = self._tree(tip, commit, parent)
                if conflicts:
                    return conflicts
                if tree != git("rev-parse", f"{tip}^{{tree}}"):
                    tip = git("commit-tree", tree, "-p", tip, "-m", git("log", "-1", "--format=%B", commit))
            git("update-ref", "refs/heads/main", tip)
            return []
        tree, conflicts = self._tree("main", branch)
        if not conflicts:
            parents = ["-p", "main"] + (["-p", branch] if method == "merge" else [])
            git("update-ref", "refs/heads/main", git("commit-tree", tree, *parents, "-m", title))
        return conflicts

    def _tree(self, ours: str, theirs: str, base: str | None = None) -> tuple[str, list[str]]:
        """Return the merged tree and the conflicting paths; ``base`` takes the place of the merge base."""
        if base is not None:  # as in a cherry-pick: two children of the base, made for this merge
            root = self.bare.git("commit-tree", f"{base}^{{tree}}", "-m", "base")
            ours, theirs = (
                self.bare.git("commit-tree", f"{one}^{{tree}}", "-p", root, "-m", "side") for one in (ours, theirs)
            )
        code, out = self.bare.git_code("merge-tree", "--write-tree", "--name-only", "--no-messages", ours, theirs)
        tree, *paths = out.rstrip("\n").split("\n")
        return tree, sorted(set(filter(None, paths))) if code == 1 else ([] if code == 0 else ["(no merge)"])

    def show(self, name: str = DOCUMENT, rev: str = "main") -> str:
        """Return a file of main as it stands."""
        return self.bare.git_code("show", f"{rev}:{name}")[1]


def founded(forge: Forge, folder: Path, command: str | None) -> Clone:
    """Return the clone of somebody who has put some code and an empty region on main."""
    clone = forge.cloned(folder / "founder", "founder", command)
    clone.git("checkout", "-q", "-b", "main")
    for name in _FILES:
        clone.write(f"src/{name}.py", "".join(f"{name}_{number} = {number}\n" for number in range(30)))
    clone.write(DOCUMENT, START_DOCUMENT)
    clone.write("intermem.toml", _SETTINGS)
    clone.intermem("init", "--merge-driver", expected=(0, 1, 2))  # 2: there is no such option yet
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", "start")
    clone.git("push", "-q", "origin", "main")
    return clone
