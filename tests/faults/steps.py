"""The steps of a run: every statement, every row of many, every call that opens, writes, syncs, moves or removes.

To be armed in a forked child only: it patches the standard library under the program.
"""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from intermem.project import exchange

CALLS = ("open", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "fchmod", "fchown", "truncate")
ERRORS = {
    "ENOSPC": errno.ENOSPC,
    "EIO": errno.EIO,
    "EACCES": errno.EACCES,
    "EROFS": errno.EROFS,
    "EINTR": errno.EINTR,
}
_SAID_BY_SQLITE = {
    "ENOSPC": "database or disk is full",
    "EIO": "disk I/O error",
    "EACCES": "unable to open database file",
    "EROFS": "attempt to write a readonly database",
    "EINTR": "interrupted",
}
Fault = Callable[[str], None]  # called before a step, with what it is: a call's name, or "sqlite"


def killing() -> Fault:
    """Die, as if killed by another process."""
    return lambda _: os.kill(os.getpid(), signal.SIGKILL)


def signalling(number: signal.Signals) -> Fault:
    """Send this process a signal."""
    return lambda _: os.kill(os.getpid(), number)


def failing(name: str) -> Fault:
    """Let the step fail with an error of the operating system, or with what SQLite makes of it."""

    def fail(step: str) -> None:
        if step == "sqlite":
            raise sqlite3.OperationalError(_SAID_BY_SQLITE[name])
        raise OSError(ERRORS[name], os.strerror(ERRORS[name]))

    return fail


def at_step(number: int, fault: Fault, *, count: int | None = None) -> Callable[[], None]:
    """Return what arms a child so that ``fault`` happens before its ``number``-th step.

    With ``count``, a file descriptor, the number of steps that were made is written there at the end.
    """

    def arm() -> None:
        left = number

        def step(what: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                fault(what)

        _patch_calls(step)
        sqlite3.connect = partial(sqlite3.connect, factory=_counted(step))  # type: ignore[assignment]
        if count is not None:
            leave = os._exit

            def counted_exit(code: int) -> None:
                os.write(count, str(number - left).encode())
                leave(code)

            os._exit = counted_exit  # type: ignore[assignment]

    return arm


def _patch_calls(step: Fault) -> None:
    for name in CALLS:
        setattr(os, name, _before(step, name, getattr(os, name)))
    os.fdopen = partial(_fdopen, step, os.fdopen)  # type: ignore[assignment]
    for name in ("exchanged", "renamed_if_free"):
        _replace_everywhere(getattr(exchange, name), _before(step, name, getattr(exchange, name)))


def _before(step: Fault, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def counted(*given: Any, **named: Any) -> Any:
        step(name)
        return call(*given, **named)

    return counted


def _replace_everywhere(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Replace a function in every module that has imported it by name."""
    import sys

    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if (module.__name__ or "").startswith("intermem") else ():
            if value is old:
                setattr(module, name, new)


class _File:
    """A file whose writing is cut short by a fault: half of it is written."""

    def __init__(self, step: Fault, file: Any) -> None:
        self._step, self._file = step, file

    def write(self, content: bytes) -> int:
        try:
            self._step("write")
        except OSError:
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            raise
        half = len(content) // 2
        self._file.write(content[:half])
        self._file.flush()
        self._step("write")
        return half + int(self._file.write(content[half:]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _File:
        self._file.__enter__()
        return self

    def __exit__(self, *given: Any) -> Any:
        return self._file.__exit__(*given)


def _fdopen(step: Fault, real: Callable[..., Any], handle: int, mode: str = "r", *given: Any, **named: Any) -> Any:
    file = real(handle, mode, *given, **named)
    return _File(step, file) if "w" in mode else file


def _counted(step: Fault) -> type[sqlite3.Connection]:
    class Counted(sqlite3.Connection):
        def execute(self, statement: str, *given: Any) -> sqlite3.Cursor:
            step("sqlite")
            return super().execute(statement, *given)

        def executemany(self, statement: str, rows: Iterable[Any]) -> sqlite3.Cursor:
            def each() -> Iterator[Any]:
                for row in rows:
                    step("sqlite")
                    yield row

            return super().executemany(statement, each())

        def backup(self, target: sqlite3.Connection, **named: Any) -> None:
            step("sqlite")
            super().backup(target, **named)

    return Counted
