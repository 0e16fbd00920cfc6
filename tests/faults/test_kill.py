"""Runs that were killed with an operation pending, and what people did before the next command; errors of one call.

Every step of every verb is killed in test_steps.py.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from intermem.cli.main import main
from intermem.project import atomic_write
from intermem.workflow import operation
from tests.conftest import Once, Sandbox
from tests.faults.grounds import dies_before

# Python 3.12 and later warn of a fork beside threads; the child here runs one thread and dies.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

NOTES = ["Prefer short functions.", "The entry point is `src/app.py`.", "Two lines:\n\n  ```sh\n  make\n  ```"]
NOW = "2026-01-03T01:00:00Z"
LATER = "2026-02-10T00:00:00Z"


def left_pending(box: Sandbox, *verb: str, now: str) -> None:
    """Kill ``verb`` when its operation is journaled and no document has been replaced yet."""
    given = ["--project-root", str(box.root), "--memory-dir", str(box.memory), "--now", now, "--quiet"]
    child = os.fork()
    if child == 0:
        try:
            dies_before("intermem.workflow.writeback", "prepare_file", 1)()
            main([*verb, *given])
        finally:
            os._exit(99)  # this child must not return to pytest
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert "is pending" in box.run("status", code=None).err


def copy_of(sandbox: Sandbox, where: Path) -> Sandbox:
    shutil.copytree(sandbox.root, where, symlinks=True)
    return replace(sandbox, root=where)


def noted(box: Sandbox) -> None:
    box.note("## Notes\n\n" + "".join(f"- {note}\n" for note in NOTES))
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")


@pytest.fixture
def scanned(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, noted)
    return sandbox


@pytest.fixture
def promoted(scanned: Sandbox) -> Sandbox:
    scanned.run("promote", "--yes", now=NOW)
    scanned.note("")
    scanned.run("sweep", now=LATER)
    return scanned


def test_recovery_never_overwrites_a_hand_edit(promoted: Sandbox) -> None:
    now = "2026-02-11T00:00:00Z"
    left_pending(promoted, "sweep", now=now)
    edited = promoted.read().replace("Hello.", "Hello, by hand.")
    promoted.write("AGENTS.md", edited)
    outcome = promoted.run("sweep", "--no-scan", "--no-demote", now=now)
    assert "was not completed: AGENTS.md was edited since" in outcome.err
    assert promoted.read() == edited
    assert {entry["document"] for entry in promoted.entries().values()} == {"AGENTS.md"}
    assert "is pending" not in promoted.run("status").err


def test_a_document_that_changes_in_the_last_instant_is_not_written(
    scanned: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = atomic_write.current_digest
    monkeypatch.setattr(
        atomic_write, "current_digest", lambda path: (scanned.write("AGENTS.md", "# By hand\n"), digest(path))[1]
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
    apply = operation.apply

    def and_then(*arguments: Any) -> Any:
        (scanned.root / "AGENTS.md").unlink()
        (scanned.root / "AGENTS.md").symlink_to(other)
        return apply(*arguments)

    monkeypatch.setattr(operation, "apply", and_then)
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
        patched.setattr(atomic_write, "exchanged", lambda *_: False)
        outcome = scanned.run("promote", "--yes", now="2026-01-03T01:00:00Z", code=2)
    assert "No space left on device; no document was changed" in outcome.err
    assert scanned.read() == before
    assert [path.name for path in scanned.root.iterdir() if "intermem" in path.name] == []
    scanned.run("promote", "--yes", now="2026-01-03T02:00:00Z")
    assert "- Prefer short functions." in scanned.read()


def test_a_copy_recovers_its_own_document_not_the_originals(scanned: Sandbox, tmp_path: Path) -> None:
    left_pending(scanned, "promote", "--yes", now=NOW)
    before = scanned.read()
    copy = copy_of(scanned, tmp_path / "copy")
    assert "an interrupted promote was completed" in copy.run("scan", now=NOW).err
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
    left_pending(second, "promote", "--yes", now=NOW)
    before = scanned.read()
    scanned.git("worktree", "remove", "--force", str(tmp_path / "second"))
    assert "was not completed" in scanned.run("scan", now=NOW).err
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
    assert "was not completed" in scanned.run("scan", now=NOW).err
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
