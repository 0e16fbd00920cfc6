"""Runs that were killed with an operation pending, and what people did before the next command; errors of one call.

Every step of every verb is killed in test_steps.py.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from intermem.cli import main
from intermem.commands import promote
from intermem.project import files, lock
from intermem.storage import opening
from intermem.storage.metadata import Metadata
from tests.conftest import Sandbox

# Python 3.12 and later warn of a fork beside threads; the child here runs one thread and dies.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

NOTES = ["Prefer short functions.", "The entry point is `src/app.py`.", "Two lines:\n\n  ```sh\n  make\n  ```"]
LATER = "2026-02-10T00:00:00Z"


class Countdown:
    """Kills this process before the ``steps``-th step."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> None:
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.step()
            return call(*arguments, **named)

        return counted

    def arm(self) -> None:
        """Wrap what writes, in this process, which is going to die or to exit."""
        execute = Metadata.execute

        def counted(metadata: Metadata, statement: str, values: Any = ()) -> Any:
            if statement.split()[0] in ("BEGIN", "COMMIT", "INSERT", "UPDATE", "DELETE"):
                self.step()
            return execute(metadata, statement, values)

        many = Metadata.executemany

        def counted_many(metadata: Metadata, statement: str, rows: Any) -> None:
            self.step()
            many(metadata, statement, rows)

        Metadata.execute = counted  # type: ignore[method-assign]
        Metadata.executemany = counted_many  # type: ignore[method-assign]
        for module in (files, opening, lock):
            module.os = _Watched(self)  # type: ignore[attr-defined]


class _Watched:
    """``os`` with its writing calls counted."""

    def __init__(self, countdown: Countdown) -> None:
        for name in ("open", "fsync", "replace", "fchmod", "unlink"):
            setattr(self, name, countdown.before(getattr(os, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def killed(sandbox: Sandbox, steps: int, *arguments: str, now: str) -> bool:
    """Run a command in a child that dies before its ``steps``-th step; False where it did not die."""
    child = os.fork()
    if child == 0:
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            Countdown(steps).arm()
            given = ["--project-root", str(sandbox.root), "--memory-dir", str(sandbox.memory), "--now", now, "--quiet"]
            code = main([*arguments, *given])
        except BaseException:  # noqa: BLE001 - whatever it is, this child must not return to pytest
            os._exit(99)
        os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def copy_of(sandbox: Sandbox, where: Path) -> Sandbox:
    shutil.copytree(sandbox.root, where, symlinks=True)
    return replace(sandbox, root=where)


@pytest.fixture
def scanned(sandbox: Sandbox) -> Sandbox:
    sandbox.note("## Notes\n\n" + "".join(f"- {note}\n" for note in NOTES))
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    return sandbox


@pytest.fixture
def promoted(scanned: Sandbox) -> Sandbox:
    scanned.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    scanned.note("")
    scanned.run("sweep", now=LATER)
    return scanned


def test_recovery_never_overwrites_a_hand_edit(promoted: Sandbox) -> None:
    now = "2026-02-11T00:00:00Z"
    step = 1
    start = promoted.root.with_name("start")
    shutil.copytree(promoted.root, start, symlinks=True)
    while not (killed(promoted, step, "sweep", now=now) and "is pending" in promoted.run("status").err):
        shutil.rmtree(promoted.root)
        shutil.copytree(start, promoted.root, symlinks=True)
        step += 1
    edited = promoted.read().replace("Hello.", "Hello, by hand.")
    promoted.write("AGENTS.md", edited)
    outcome = promoted.run("sweep", "--no-scan", "--no-demote", now=now)
    assert "was not finished: AGENTS.md was edited since" in outcome.err
    assert promoted.read() == edited
    assert {entry["document"] for entry in promoted.entries().values()} == {"AGENTS.md"}
    assert "is pending" not in promoted.run("status").err


def test_a_document_that_changes_in_the_last_instant_is_not_written(
    scanned: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = files.current_digest
    monkeypatch.setattr(
        files, "current_digest", lambda path: (scanned.write("AGENTS.md", "# By hand\n"), digest(path))[1]
    )
    outcome = scanned.run("promote", "--yes", now="2026-01-03T01:00:00Z", code=2)
    assert "AGENTS.md changed since intermem read it; it was not written" in outcome.err
    assert scanned.read() == "# By hand\n"
    assert {entry["document"] for entry in scanned.entries().values()} == {None}
    assert [path.name for path in scanned.root.iterdir() if "intermem" in path.name] == []


def test_a_document_that_becomes_a_link_in_the_last_instant_stays_one(
    scanned: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other.md"
    other.write_bytes((scanned.root / "AGENTS.md").read_bytes())
    finish = promote.finish

    def and_then(*arguments: Any) -> Any:
        (scanned.root / "AGENTS.md").unlink()
        (scanned.root / "AGENTS.md").symlink_to(other)
        return finish(*arguments)

    monkeypatch.setattr(promote, "finish", and_then)
    outcome = scanned.run("promote", "--yes", now="2026-01-03T01:00:00Z", code=2)
    assert "AGENTS.md changed since intermem read it; it was not written" in outcome.err
    assert (scanned.root / "AGENTS.md").is_symlink()
    assert b"intermem:begin" not in other.read_bytes()
    assert "is pending" not in scanned.run("status", code=None).err


@pytest.mark.skipif(sys.platform != "linux", reason="which file a sync is for is told by /proc")
@pytest.mark.parametrize("call", ["replace", "fsync", "open"])
def test_a_document_that_cannot_be_written_stays_as_it_is(
    scanned: Sandbox, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(os, call)

    def refuse(*arguments: Any, **named: Any) -> Any:
        target = str(arguments[0]) if call != "fsync" else str(Path(f"/proc/self/fd/{arguments[0]}").readlink())
        if ".intermem-2" in target:
            raise OSError(28, "No space left on device", target)
        return real(*arguments, **named)

    before = scanned.read()
    with monkeypatch.context() as patched:
        patched.setattr(os, call, refuse)
        patched.setattr(files, "exchanged", lambda *_: False)
        outcome = scanned.run("promote", "--yes", now="2026-01-03T01:00:00Z", code=2)
    assert "No space left on device; nothing was changed" in outcome.err
    assert scanned.read() == before
    assert [path.name for path in scanned.root.iterdir() if "intermem" in path.name] == []
    scanned.run("promote", "--yes", now="2026-01-03T02:00:00Z")
    assert "- Prefer short functions." in scanned.read()


def left_pending(box: Sandbox, *verb: str, now: str) -> None:
    """Kill ``verb`` at the first step that leaves a journaled operation and an old document behind."""
    kept = box.root.with_name(box.root.name + "-kept")
    shutil.copytree(box.root, kept, symlinks=True)
    for step in range(1, 100):
        if killed(box, step, *verb, now=now) and "is pending" in box.run("status", code=None).err:
            shutil.rmtree(kept)
            return
        shutil.rmtree(box.root)
        shutil.copytree(kept, box.root, symlinks=True)
    raise AssertionError("nothing was left pending")


NOW = "2026-01-03T01:00:00Z"


def test_a_copy_recovers_its_own_document_not_the_originals(scanned: Sandbox, tmp_path: Path) -> None:
    left_pending(scanned, "promote", "--yes", now=NOW)
    before = scanned.read()
    copy = copy_of(scanned, tmp_path / "copy")
    assert "an interrupted promote was finished" in copy.run("scan", now=NOW).err
    assert "- Prefer short functions." in copy.read()
    assert scanned.read() == before


def test_a_moved_repository_recovers_where_it_is(scanned: Sandbox, tmp_path: Path) -> None:
    left_pending(scanned, "promote", "--yes", now=NOW)
    moved = replace(scanned, root=scanned.root.rename(tmp_path / "moved"))
    moved.run("scan", now=NOW)
    assert "- Prefer short functions." in moved.read()


def test_a_worktree_that_is_gone_leaves_the_main_checkout_alone(scanned: Sandbox, tmp_path: Path) -> None:
    scanned.git("worktree", "add", "-q", str(tmp_path / "second"))
    second = replace(scanned, root=tmp_path / "second")
    for step in range(1, 100):
        if killed(second, step, "promote", "--yes", now=NOW) and "is pending" in second.run("status").err:
            break
        second.run("scan", now=NOW)
    before = scanned.read()
    scanned.git("worktree", "remove", "--force", str(tmp_path / "second"))
    assert "was not finished" in scanned.run("scan", now=NOW).err
    assert scanned.read() == before
    assert {entry["document"] for entry in scanned.entries().values()} == {None}


def test_a_document_that_now_lies_behind_a_link_is_not_written(scanned: Sandbox, tmp_path: Path) -> None:
    scanned.write("intermem.toml", 'targets = ["docs/A.md"]\n')
    scanned.write("docs/A.md", "# A\n")
    left_pending(scanned, "promote", "--yes", now=NOW)
    (scanned.root / "docs").rename(tmp_path / "outside")
    (scanned.root / "docs").symlink_to(tmp_path / "outside")
    scanned.run("scan", now=NOW)
    assert (tmp_path / "outside/A.md").read_bytes() == b"# A\n"
    assert "is pending" not in scanned.run("status", code=None).err


@pytest.mark.parametrize("make", ["mkdir", "mkfifo", "unlink"])
def test_a_document_that_became_something_else_settles(scanned: Sandbox, make: str) -> None:
    left_pending(scanned, "promote", "--yes", now=NOW)
    (scanned.root / "AGENTS.md").unlink()
    if make != "unlink":
        getattr(os, make)(scanned.root / "AGENTS.md")
    assert "was not finished" in scanned.run("scan", now=NOW).err
    assert {entry["document"] for entry in scanned.entries().values()} == {None}
    history = scanned.run("log", "--json").json["history"]
    assert any("did not happen: the document was edited after a run was killed" in row["detail"] for row in history)


def test_a_demotion_is_not_taken_for_done_where_the_document_cannot_be_read(promoted: Sandbox) -> None:
    left_pending(promoted, "sweep", now="2026-02-11T00:00:00Z")
    whole = promoted.read()
    promoted.write("AGENTS.md", whole.replace("<!-- intermem:end -->", ""))
    promoted.run("scan", now="2026-02-11T00:00:00Z")
    promoted.write("AGENTS.md", whole)
    assert {entry["document"] for entry in promoted.entries().values()} == {"AGENTS.md"}
