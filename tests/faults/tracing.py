"""The real program under strace: what it does to the project's files, call by call, and calls that fail or kill.

``-f`` is left out on purpose: calls are counted per process, and git, which runs beside, must come
to no harm. ``--seccomp-bpf`` is left out because strace then injects nothing, and says nothing.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.conftest import Outcome
from tests.faults.grounds import Ground

WRITING = (
    "openat",
    "write",
    "pwrite64",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fchmod",
    "mkdir",
)
_TRACED = (*WRITING, "rmdir", "close", "dup", "dup2", "dup3", "link", "symlink", "writev", "pwritev", "fallocate")
_LINE = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+|\?)(.*)")
_WHOLE = 10_000_000  # bytes of a write that strace shows: all
_SET_PTRACER = 0x59616D61  # linux/prctl.h


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One system call about a file below the project.

    ``ordinal`` counts the calls of this name in the process, from 1. ``path`` is absolute; ``to`` where a
    rename leads. ``data`` was written at ``offset`` (a size, for ftruncate). ``result`` is None where the
    process did not live to see it, negative for an error; ``injected`` where strace made it so.
    """

    name: str
    ordinal: int
    path: str
    to: str = ""
    flags: frozenset[str] = frozenset()
    data: bytes = b""
    offset: int = 0
    result: int | None = 0
    injected: bool = False

    @property
    def writes(self) -> bool:
        """True if the call may change what is on the disk, or syncs it."""
        if self.name == "openat":
            return bool(self.flags & {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"})
        return self.name in WRITING

    def __str__(self) -> str:
        return f"{self.name}#{self.ordinal} {Path(self.path).name}"


@functools.cache
def why_not() -> str:
    """Return why tracing is impossible here, "" if it works."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = ["strace", "-o", os.devnull, "-e", "inject=getppid:error=EPERM", "true"]
    done = subprocess.run(tried, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"strace cannot trace here: {done.stderr.strip()}"


def traced(
    ground: Ground, verb: tuple[str, ...], now: str, *, inject: str = "", **extra: str
) -> tuple[list[Call], Outcome]:
    """Run the real program under strace; return its calls about files below the root, and how it ended.

    ``inject`` is strace's own expression; ``extra`` goes into the environment. A negative exit code is a signal.
    """
    log = ground.folder / "trace"
    done = subprocess.run(
        [*_strace(log, inject), *ground.command(verb, now)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ground.folder,
        env={**ground.environment(), **extra},
        stdin=subprocess.DEVNULL,
    )
    code = -signal.SIGKILL if "+++ killed by SIGKILL +++" in log.read_text("ascii") else done.returncode
    return _calls(log, ground), Outcome(code, done.stdout, done.stderr)


def traced_fork(ground: Ground, verb: tuple[str, ...], now: str, *, inject: str = "") -> tuple[list[Call], Outcome]:
    """The same for a forked child with all modules loaded: ten times faster; calls count from its start."""
    log = ground.folder / "trace"
    with ground.forked(verb, now, _stop) as fork:
        os.waitpid(fork.pid, os.WUNTRACED)
        command = [*_strace(log, inject), "-p", str(fork.pid)]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as tracer:
            assert tracer.stderr is not None
            said = tracer.stderr.readline()  # "strace: Process … attached"
            os.kill(fork.pid, signal.SIGCONT)
            outcome = fork.outcome()
            assert b"attached" in said, said
            tracer.stderr.read()
    return _calls(log, ground), outcome


def _stop() -> None:
    """Wait to be traced, by any process: Linux may allow it only to parents."""
    ctypes.CDLL(None).prctl(_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
    os.kill(os.getpid(), signal.SIGSTOP)


def _strace(log: Path, inject: str) -> list[str]:
    options = ["-e", f"trace={','.join(_TRACED)}", "-e", "signal=none", "-xx", "-s", str(_WHOLE)]
    return ["strace", "-o", str(log), *options, *(["-e", f"inject={inject}"] if inject else [])]


def _calls(log: Path, ground: Ground) -> list[Call]:
    found = _Reading(str(ground.folder)).calls_of(log.read_text("ascii"))
    return [one for one in found if Path(one.path).is_relative_to(ground.root)]


@dataclass(slots=True)
class _Reading:
    """Parse a log; file descriptors refer to earlier calls."""

    folder: str
    opened: dict[int, str] = field(default_factory=dict)
    positions: Counter[str] = field(default_factory=Counter)

    def calls_of(self, log: str) -> list[Call]:
        found: list[Call] = []
        ordinals: Counter[str] = Counter()
        for line in log.split("\n"):
            match = _LINE.fullmatch(line)
            if match is None:
                continue
            name, given, result, rest = match.groups()
            ordinals[name] += 1
            known = self._call(name, given.split(", "), None if result == "?" else int(result))
            if known is not None:
                found.append(replace(known, ordinal=ordinals[name], injected="(INJECTED)" in rest))
        return found

    def _call(self, name: str, given: list[str], result: int | None) -> Call | None:
        fine = result is not None and result >= 0
        if name in ("openat", "unlinkat"):
            path = self._path(given[1])
            flags = frozenset(given[2].split("|"))
            assert "O_APPEND" not in flags, "where an appended write goes is not modelled"
            if name == "openat" and fine:
                assert result is not None
                self.opened[result] = path
                self.positions[path] = 0
            return Call(name=name, ordinal=0, path=path, flags=flags, result=result)
        if name in ("unlink", "mkdir", "rmdir"):
            return Call(name=name, ordinal=0, path=self._path(given[0]), result=result)
        if name == "rename":
            return Call(name=name, ordinal=0, path=self._path(given[0]), to=self._path(given[1]), result=result)
        if name in ("renameat", "renameat2"):
            flags = frozenset(given[4].split("|") if len(given) > 4 else ())
            paths = {"path": self._path(given[1]), "to": self._path(given[3])}
            return Call(name=name, ordinal=0, flags=flags, result=result, **paths)
        handle = int(given[0]) if given[0].isdigit() else -1
        if name == "close":
            self.opened.pop(handle, None)
            return None
        path = self.opened.get(handle, "")
        assert not path.startswith(self.folder) or name in WRITING, f"{name} of {path} is not modelled"
        if name == "ftruncate":
            return Call(name=name, ordinal=0, path=path, offset=int(given[1]), result=result)
        if name in ("write", "pwrite64"):
            data = bytes.fromhex(given[1].strip('"').replace("\\x", ""))
            at = int(given[3]) if name == "pwrite64" else self.positions[path]
            if name == "write" and result is not None and result > 0:
                self.positions[path] += result
            return Call(
                name=name, ordinal=0, path=path, data=data if not fine else data[:result], offset=at, result=result
            )
        return Call(name=name, ordinal=0, path=path, result=result)

    def _path(self, quoted: str) -> str:
        return os.path.join(self.folder, os.fsdecode(bytes.fromhex(quoted.strip('"').replace("\\x", ""))))  # noqa: PTH118
