"""A project to break: small, without git, in one folder that can be reset.

Commands run in a forked child with everything imported (``run``: quick), or as the real program (``command``).
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import intermem
from intermem.cli.main import main
from intermem.core.entries.secrets import secret_rule
from intermem.core.region.parse import find_region
from tests.conftest import Outcome, observer_named

for _module in pkgutil.walk_packages(intermem.__path__, "intermem."):
    if not _module.name.endswith("__main__"):
        importlib.import_module(_module.name)
# What is loaded on demand is loaded once here, not in every child; and each child makes the same calls.
secret_rule("nothing secret")
find_region("# A document\n", "A")
for _name in ("rapidfuzz.fuzz", "rapidfuzz.distance", "rapidfuzz.process", "rich.progress", "rich.table"):
    importlib.import_module(_name)


@dataclass(frozen=True, slots=True)
class Fork:
    """A command running in a child process."""

    pid: int
    out: IO[bytes]
    err: IO[bytes]

    def outcome(self) -> Outcome:
        """Wait for its end; return its exit status and its output."""
        _, status = os.waitpid(self.pid, 0)
        said = []
        for stream in (self.out, self.err):
            stream.seek(0)
            said.append(stream.read().decode("utf-8"))
        return Outcome(os.waitstatus_to_exitcode(status), said[0], said[1])


@dataclass(frozen=True, slots=True)
class Ground:
    """``project``, ``memory`` and an empty home below ``folder``. Intents hold absolute paths: it never moves."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "project"

    @property
    def memory(self) -> Path:
        return self.folder / "memory"

    def write(self, name: str, text: str) -> None:
        """Write a file below the root; a name that starts with ``../memory/`` is a note."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))

    def keep_state_in(self, name: str) -> None:
        """Keep the state in a folder below the root, by the environment of every run."""
        self._state_dir.write_text(name)

    @property
    def _state_dir(self) -> Path:
        return self.folder / "state_dir"

    def environment(self) -> dict[str, str]:
        """The environment of every run: no home, no other settings, the same hashes each time."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG", "TMPDIR")}
        state = {"INTERMEM_STATE_DIR": self._state_dir.read_text()} if self._state_dir.exists() else {}
        return {
            **kept,
            **state,
            "HOME": str(self.folder / "home"),
            "INTERMEM_PROMOTE_MIN_WORTH": "0",
            "INTERMEM_OBSERVER": observer_named("project"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "NO_COLOR": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def arguments(self, verb: tuple[str, ...], now: str) -> list[str]:
        """The command line after the program's name."""
        return [*verb, "--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", now]

    def command(self, verb: tuple[str, ...], now: str) -> list[str]:
        """The real program's command line."""
        return [sys.executable, "-X", "frozen_modules=on", "-m", "intermem", *self.arguments(verb, now)]

    def run(self, *verb: str, now: str, arm: Callable[[], None] | None = None) -> Outcome:
        """Run a command in a forked child, ``arm`` called there first; a negative code is the signal it died of."""
        with self.forked(verb, now, arm) as fork:
            return fork.outcome()

    @contextlib.contextmanager
    def forked(self, verb: tuple[str, ...], now: str, arm: Callable[[], None] | None = None) -> Iterator[Fork]:
        """Begin a command in a forked child, ``arm`` called there first; ask for its outcome later."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                _become(out.fileno(), err.fileno(), self, verb, now, arm)
            yield Fork(child, out, err)

    def keep(self) -> None:
        """Remember the folder as it is now: ``reset`` brings it back."""
        shutil.copytree(self.root, self._kept, symlinks=True)

    def reset(self) -> None:
        """Put the project back as it was when it was kept. Nothing writes the memory."""
        self.clear()
        shutil.copytree(self._kept, self.root, symlinks=True)

    def clear(self) -> None:
        """Remove the project."""
        shutil.rmtree(self.root, ignore_errors=True)

    @property
    def _kept(self) -> Path:
        return self.folder / "kept"


def new_ground(folder: Path) -> Ground:
    """Return an empty project with an empty memory below ``folder``."""
    ground = Ground(Path(os.path.realpath(folder)))
    for name in ("project", "memory", "home"):
        (ground.folder / name).mkdir(parents=True)
    return ground


def dies_before(module: str, name: str, nth: int) -> Callable[[], None]:
    """Return what to arm a child with so that it is killed before its ``nth`` call of a function."""

    def arm() -> None:
        owner = importlib.import_module(module)
        real = getattr(owner, name)
        left = nth

        def counted(*given: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **named)

        setattr(owner, name, counted)

    return arm


def _become(
    out: int, err: int, ground: Ground, verb: tuple[str, ...], now: str, arm: Callable[[], None] | None
) -> None:
    """Run the command in a child of pytest, and never return to it."""
    code = 99
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        os.environ.clear()
        os.environ.update(ground.environment())
        os.chdir(ground.folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what a background job inherits is to ignore it
        if arm is not None:
            arm()
        code = main(ground.arguments(verb, now))
    except BaseException:  # noqa: BLE001 - told by the exit code, and by the traceback on stderr
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
