"""Run git: one command and its output, output as a stream, or commands prefetched in the background.

Only this module starts git. Inherited ``GIT_*`` variables are dropped (a hook sets them for its
own purposes); nothing is fetched, no lock is taken, and no pager, hook or file system monitor runs.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import IO

from intermem.errors import RepositoryError
from intermem.lazy_dataclass import dataclass

MISSING = 127  # the exit code of a shell for a command that is not found

_OPTIONS = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
    "-c",
    "core.quotepath=off",
    "-c",
    "log.showSignature=false",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "-c",
    "diff.orderFile=/dev/null",
    "--no-pager",
)
# These would read the .gitattributes of the directory they run in, and whoever wrote one could hide files from them, or
# hang them by a pattern. They need no working tree.
_OF_HISTORY = frozenset({"log", "diff", "diff-tree"})
_IN_PROGRESS = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_OWN = "intermem."  # the section of git's configuration that is ours
_VARIABLES = [
    "config",
    "--null",
    "--get-regexp",
    r"^(intermem\..*|extensions\.partialclone|remote\..*\.(promisor|partialclonefilter)|filter\..*\.(clean|process))$",
]
_FILTER = "filter."


class Prefetch:
    """Commands that git runs in the background, begun only while ``is_open``; its configuration once it was read."""

    def __init__(self) -> None:
        self.is_open = False
        self.variables: list[tuple[str, str]] | None = None
        self._begun: dict[tuple[str, ...], _Background] = {}

    def begin(self, arguments: Sequence[str]) -> None:
        """Start a command whose output is sure to be needed."""
        if self.is_open and tuple(arguments) not in self._begun:
            with contextlib.suppress(OSError):  # no git: whoever needs the output gets the error
                self._begun[tuple(arguments)] = _Background(arguments)

    def take(self, arguments: Sequence[str]) -> tuple[int, bytes] | None:
        """Return exit code and output, once; None where the command was not begun."""
        command = self._begun.pop(tuple(arguments), None)
        return command.result() if command is not None else None

    def close(self) -> None:
        """Kill the commands whose output nobody took."""
        self.is_open = False
        while self._begun:
            _, command = self._begun.popitem()
            command.kill()


@dataclass(frozen=True)
class Git:
    """git in the directory ``cwd``, for the working tree or for the revision ``rev``. ``git_dir`` is its own."""

    cwd: Path
    git_dir: Path
    rev: str | None
    is_bare: bool
    is_shallow: bool
    prefetched: Prefetch

    @property
    def is_on_disk(self) -> bool:
        """True where files are read from the working tree, not from a revision."""
        return self.rev is None and not self.is_bare

    @cached_property
    def head(self) -> str | None:
        """The commit that is read, None where there is none yet."""
        return self.run(self._rev_parse, allowed=(0, 1, 128)).decode("ascii", "replace").strip() or None

    @property
    def head_moved(self) -> bool:
        """True where ``head`` was asked for, and is another commit by now."""
        known = self.__dict__.get("head", self)  # cached_property keeps it there; nobody who never asked depends on it
        return known is not self and replace(self).head != known

    def in_progress(self) -> str | None:
        """Return the operation that git is in the middle of: a merge, rebase, cherry-pick, revert or bisect."""
        return next((what for name, what in _IN_PROGRESS.items() if (self.git_dir / name).exists()), None)

    @property
    def _rev_parse(self) -> list[str]:
        return ["rev-parse", "--verify", "--quiet", f"{self.rev or 'HEAD'}^{{commit}}"]

    @property
    def _variables(self) -> list[tuple[str, str]]:
        """What git's configuration says of us, of partial clones and of filters; a variable without a value is true.

        It is read once, also for another revision.
        """
        if self.prefetched.variables is None:
            out = self.run(_VARIABLES, allowed=(0, 1)).decode("utf-8", "replace")
            pairs = (item.partition("\n") for item in out.split("\0") if item)
            self.prefetched.variables = [(name, value if has_value else "true") for name, has_value, value in pairs]
        return self.prefetched.variables

    @property
    def settings(self) -> list[tuple[str, str]]:
        """What git's configuration says under ``intermem.``, without that, in git's order."""
        return [(name.removeprefix(_OWN), value) for name, value in self._variables if name.startswith(_OWN)]

    @property
    def is_partial(self) -> bool:
        """True in a partial clone, where contents may be missing."""
        return any(not name.startswith((_OWN, _FILTER)) for name, _ in self._variables)

    def unfiltered(self, arguments: Sequence[str]) -> list[str] | None:
        """Return ``arguments`` with options that let no filter of the configuration run (``filter.NAME.clean``).

        git compares the content of a file where its index cannot tell, and that runs the filters of .gitattributes.
        None where the name of a filter can be no option.
        """
        names = {name[len(_FILTER) :].rpartition(".")[0] for name, _ in self._variables if name.startswith(_FILTER)}
        if any("=" in name for name in names):
            return None
        off = [f"{_FILTER}{name}.{key}" for name in sorted(names) for key in ("clean=", "process=", "required=false")]
        return [*(part for one in off for part in ("-c", one)), *arguments]

    @property
    def is_complete(self) -> bool:
        """True where the clone is neither shallow nor partial."""
        return not self.is_shallow and not self.is_partial

    def run(self, arguments: Sequence[str], *, stdin: bytes = b"", allowed: tuple[int, ...] = (0,)) -> bytes:
        """Return the output of a git command. Raises RepositoryError for an exit code that is not ``allowed``."""
        code, out = self.try_(arguments, stdin)
        if code not in allowed:
            own = list(arguments)
            while own[0] == "-c":
                del own[:2]
            raise RepositoryError(
                f"git {own[0]} failed in {self.cwd} (exit {code})",
                hint=f"run it by hand to see why: git {' '.join(own)}",
                unsettled=True,
            )
        return out

    def try_(self, arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes]:
        """Return the exit code and output of a git command, prefetched or run now."""
        command = self._in_cwd(arguments)
        prefetched = self.prefetched.take(command)
        return prefetched if prefetched is not None else run_git(command, stdin)[:2]

    def prefetch(self, arguments: Sequence[str]) -> None:
        """Start a git command in the background; the same ``try_`` or ``run`` gets its output."""
        self.prefetched.begin(self._in_cwd(arguments))

    def prefetch_state(self) -> None:
        """Prefetch ``head`` and ``is_partial``."""
        self.prefetch(self._rev_parse)
        if self.prefetched.variables is None:
            self.prefetch(_VARIABLES)

    @contextlib.contextmanager
    def stream(self, arguments: Sequence[str], stdin: bytes) -> Iterator[IO[bytes]]:
        """Run a git command and yield its output as it comes; ``stdin`` is written meanwhile."""
        process = subprocess.Popen(
            ["git", *_OPTIONS, *self._in_cwd(arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        feeder = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
        feeder.start()
        try:
            yield process.stdout
        finally:
            process.stdout.close()
            process.kill()
            process.wait()
            feeder.join()

    def _in_cwd(self, arguments: Sequence[str]) -> list[str]:
        if arguments[0] in _OF_HISTORY:
            return ["-C", str(self.git_dir), "--git-dir", str(self.git_dir), *arguments]
        return ["-C", str(self.cwd), *arguments]


def run_git(arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes, str]:
    """Return the exit code, output and error output of a git command; the code is MISSING where there is no git."""
    try:
        done = subprocess.run(
            ["git", *_OPTIONS, *arguments], input=stdin, capture_output=True, env=_environment(), check=False
        )
    except OSError:
        return MISSING, b"", "git was not found"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


class _Background:
    """A git process, and a thread that reads its output: a full pipe would block it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            ["git", *_OPTIONS, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._out = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as out:
            self._out = out.read()

    def result(self) -> tuple[int, bytes]:
        self._reader.join()
        return self._process.wait(), self._out

    def kill(self) -> None:
        self._process.kill()
        self.result()


def _feed(pipe: IO[bytes], content: bytes) -> None:
    with contextlib.suppress(OSError):
        pipe.write(content)
    with contextlib.suppress(OSError):
        pipe.close()


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }
