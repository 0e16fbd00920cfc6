"""What a configuration, a path or the system can do wrong is said in one line, with a hint and exit code 2."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intermem.commands import check as check_module
from tests.conftest import Outcome, Sandbox

LONG = "a" * 5000


def refused(done: Outcome) -> str:
    """The one line of an error; a hint follows it."""
    assert done.code == 2, done.err
    lines = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"], done.err
    return lines[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("promote.limit = " + "1" * 5000, "a number has too many digits"),
        ("x = [" + "1" * 5000 + "]", "a number has too many digits"),
        (".".join("a" * 5000) + " = 1", "unknown key a.a.a"),
        ("x = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("x = " + "{a=" * 3000 + "1" + "}" * 3000, "nested too deeply"),
        (f'{LONG} = "x"', "unknown key aaa"),
        (f'decay.policy = "{LONG}"', "decay.policy = 'aaa"),
        ('state_dir = "a\\u0000b"', "it holds a NUL"),
        ('memory_dir = "a\\u0000b"', "it holds a NUL"),
        ('targets = ["a\\u0000b"]', "it holds a NUL"),
        ('check.exclude = ["a\\u0000b"]', "it holds a NUL"),
        ('check.per-file-ignores = {"a\\u0000" = ["IM001"]}', "it holds a NUL"),
        (f'memory_dir = "{LONG}"', "File name too long"),
    ],
    ids=lambda one: one[:24],
)
@pytest.mark.parametrize("verb", ["check", "sweep"])
def test_a_configuration_that_cannot_be_used(sandbox: Sandbox, verb: str, text: str, said: str) -> None:
    sandbox.write("intermem.toml", text + "\n")
    if said == "File name too long":
        line = sandbox.run(verb, code=None).err  # --memory-dir wins over it
        assert "Traceback" not in line
        return
    line = refused(sandbox.run(verb, code=2))
    assert said in line
    assert len(line) < 600


@pytest.mark.parametrize("flag", ["--memory-dir", "--config", "--project-root"])
@pytest.mark.parametrize("value", [LONG, "loop"])
def test_a_path_that_the_system_cannot_follow(sandbox: Sandbox, tmp_path: Path, flag: str, value: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    command = [sys.executable, "-m", "intermem", "scan", flag, value]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused(Outcome(done.returncode, done.stdout, done.stderr)).startswith(f"error: {flag} ")


def test_a_state_directory_that_the_system_cannot_follow(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (LONG, "a/" * 3000):
        monkeypatch.setenv("INTERMEM_STATE_DIR", value)
        assert "File name too long" in refused(sandbox.run("scan", code=2))


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def flock(_handle: int, _how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", flock)
    sandbox.note("- Run `make` before each commit.\n")
    line = refused(sandbox.run("scan", code=2))
    assert "cannot be locked" in line
    assert os.strerror(code) in line


@pytest.mark.parametrize("code", [errno.EIO, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG, errno.EMFILE])
@pytest.mark.parametrize("name", ["AGENTS.md", "intermem.toml", "MEMORY.md"])
def test_a_file_that_cannot_be_opened(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, code: int, name: str) -> None:
    sandbox.write("intermem.toml", "")
    sandbox.note("- Run `make` before each commit.\n")
    really = os.open

    def opened(path: Any, *rest: Any, **more: Any) -> int:
        if str(path).endswith(name):
            raise OSError(code, os.strerror(code), str(path))
        return really(path, *rest, **more)

    monkeypatch.setattr(os, "open", opened)
    done = sandbox.run("sweep", code=2)
    assert os.strerror(code) in done.err
    assert name in done.err


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EIO, "Input/output error", "/x"),
        PermissionError(errno.EACCES, "Permission denied", "/x"),
        RecursionError(),
        MemoryError(),
        sqlite3.OperationalError("disk I/O error"),
        ValueError("embedded null byte"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_whatever_the_system_refuses_is_one_line(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(check_module, "check", _raising(error))
    refused(sandbox.run("check", code=2))
    assert sandbox.run("check", "--json", code=2).json["error"]["code"] == "system"


def test_a_mistake_of_ours_keeps_its_traceback(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "check", _raising(KeyError("x")))
    with pytest.raises(KeyError):
        sandbox.run("check")


def _raising(error: Exception) -> Callable[..., object]:
    def fail(*_arguments: object) -> object:
        raise error

    return fail


def test_without_a_home_directory(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    sandbox.note("- Run `make` before each commit.\n")
    for verb in ("scan", "check", "sweep", "status"):
        assert "Traceback" not in sandbox.run(verb).err


def test_in_a_working_directory_that_is_gone(sandbox: Sandbox, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os; os.rmdir({str(gone)!r}); from intermem.__main__ import run; run()"
    command = [sys.executable, "-c", script, "check"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(command, cwd=gone, env=environment, capture_output=True, text=True, check=False)
    assert "no longer exists" in refused(Outcome(done.returncode, done.stdout, done.stderr))
