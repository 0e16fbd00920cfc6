"""One operation: planned once, planned again only if something changed, and no step can be skipped."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intermem.entities import HistoryRow
from intermem.errors import RepositoryError
from intermem.storage.journal import closed_operations, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_history
from intermem.workflow.edits import Edit
from intermem.workflow.operation import Operation, operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Options, Workspace, open_workspace
from tests.conftest import Once, Sandbox

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, _promote)
    return sandbox


def _promote(box: Sandbox) -> None:
    box.note("- Run the tests with `src/app.py`.\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    box.commit("promoted")


@pytest.fixture
def workspace(promoted: Sandbox) -> Workspace:
    options = Options(
        now=NOW,
        working_directory=promoted.root,
        environment=dict(os.environ),
        project_root=promoted.root,
        memory_dir=promoted.memory,
    )
    return open_workspace(options)


class Plans:
    """Counts how often a plan is made."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, _metadata: Metadata) -> int:
        self.made += 1
        return self.made


def of(workspace: Workspace, plans: Callable[[Metadata], int], **mode: bool) -> Operation[int]:
    return operation(workspace, "sweep", RunMode(**mode), plans)


def note(metadata: Metadata) -> None:
    add_history(metadata, [HistoryRow(at=NOW, event="settled", entry_id=None, detail="noted")])


def notes(workspace: Workspace) -> int:
    with workspace.viewing() as metadata:
        return len(metadata.fetch("SELECT * FROM history WHERE detail = 'noted'"))


def test_a_plan_is_made_once_where_nothing_moved(workspace: Workspace) -> None:
    plans = Plans()
    with of(workspace, plans) as op:
        assert op.begin() == 1
        op.commit(note)
    assert plans.made == 1
    assert notes(workspace) == 1


def test_a_plan_is_made_anew_where_a_document_was_edited(workspace: Workspace, promoted: Sandbox) -> None:
    with of(workspace, Plans()) as op:
        promoted.write("AGENTS.md", promoted.read() + "\n")
        assert op.begin() == 2


def test_a_plan_is_made_anew_where_the_ledger_grew(workspace: Workspace, promoted: Sandbox) -> None:
    with of(workspace, Plans()) as op:
        promoted.write(".intermem/ledger/new.json", "{}")
        assert op.begin() == 2


@pytest.mark.parametrize("name", ["MEMORY.md", "below/new.md"])
def test_a_plan_is_made_anew_where_the_memory_changed(workspace: Workspace, promoted: Sandbox, name: str) -> None:
    with of(workspace, Plans()) as op:
        promoted.note("- Something else.\n", name)
        assert op.begin() == 2


def test_a_plan_is_made_anew_where_another_process_wrote_records(workspace: Workspace, promoted: Sandbox) -> None:
    with of(workspace, Plans()) as op:
        promoted.run("scan", now="2026-03-01T00:00:00Z")
        assert op.begin() == 2


def test_a_plan_is_made_anew_where_metadata_db_was_replaced(workspace: Workspace) -> None:
    with of(workspace, Plans()) as op:
        other = workspace.database.with_name("other")
        with closing(sqlite3.connect(workspace.database)) as old, closing(sqlite3.connect(other)) as new:
            old.backup(new)
        os.replace(other, workspace.database)
        assert op.begin() == 2


def test_the_first_state_of_a_project_needs_no_second_plan(sandbox: Sandbox) -> None:
    options = Options(now=NOW, working_directory=sandbox.root, environment={}, project_root=sandbox.root)
    workspace = open_workspace(options)
    with of(workspace, Plans()) as op:
        assert not workspace.database.exists()
        assert op.begin() == 1
        op.commit(note)
    assert notes(workspace) == 1


def head_of(workspace: Workspace) -> int:
    assert workspace.worktree is not None
    assert workspace.worktree.head is not None
    return 0


def test_nothing_is_written_where_head_moved(workspace: Workspace, promoted: Sandbox) -> None:
    with pytest.raises(RepositoryError, match="HEAD moved"), of(workspace, lambda _: head_of(workspace)) as op:
        promoted.commit("by somebody else")
        op.begin()
        op.commit(note)
    assert notes(workspace) == 0


def test_a_plan_that_did_not_ask_for_head_holds_where_it_moved(workspace: Workspace, promoted: Sandbox) -> None:
    with of(workspace, Plans()) as op:
        promoted.git("commit", "-q", "--allow-empty", "-m", "by somebody else")
        assert op.begin() == 1
        op.commit(note)
    assert notes(workspace) == 1


@pytest.mark.parametrize("mode", [{"dry_run": True}, {"show_diff": True}])
def test_a_dry_run_neither_begins_nor_commits(workspace: Workspace, promoted: Sandbox, mode: dict[str, bool]) -> None:
    before = promoted.tree_hash()
    with of(workspace, Plans(), **mode) as op:
        assert op.begin() == 1
        op.commit(note, edits=[agents(workspace, "# Other\n")])
    assert promoted.tree_hash() == before


def agents(workspace: Workspace, after: str) -> Edit:
    path = Path(os.path.realpath(workspace.root / "AGENTS.md"))
    return Edit(path, "AGENTS.md", path.read_bytes().decode("utf-8"), after)


def test_a_commit_writes_files_and_leaves_nothing_pending(workspace: Workspace, promoted: Sandbox) -> None:
    with of(workspace, Plans()) as op:
        op.begin()
        op.commit(note, edits=[agents(workspace, "# Other\n")])
    assert promoted.read() == "# Other\n"
    with workspace.viewing() as metadata:
        assert pending_operations(metadata) == []
        assert closed_operations(metadata)[0].operation.verb == "sweep"


def test_a_second_transaction_is_under_the_same_lock(workspace: Workspace, promoted: Sandbox) -> None:
    plans = Plans()
    with of(workspace, plans) as op:
        op.begin()
        op.commit(note)
        promoted.write("AGENTS.md", promoted.read() + "\n")
        assert op.begin() == 1, "the plan stays"
        op.commit(note)
    assert plans.made == 1
    assert notes(workspace) == 2


def test_an_error_between_begin_and_commit_rolls_back(workspace: Workspace) -> None:
    with workspace.viewing() as metadata:
        before = len(closed_operations(metadata))
    with pytest.raises(ZeroDivisionError), of(workspace, Plans()) as op:
        op.begin()
        note(op.metadata)
        raise ZeroDivisionError
    assert notes(workspace) == 0
    with workspace.viewing() as metadata:
        assert len(closed_operations(metadata)) == before
    with of(workspace, Plans()) as op:  # the lock is free again
        op.begin()
        op.commit(note)
    assert notes(workspace) == 1


def test_what_begins_and_commits_nothing_leaves_no_operation(workspace: Workspace) -> None:
    with workspace.viewing() as metadata:
        before = len(closed_operations(metadata))
    with of(workspace, Plans()) as op:
        op.begin()
    with workspace.viewing() as metadata:
        assert len(closed_operations(metadata)) == before


def test_a_commit_without_a_begin_is_a_mistake_in_the_code(workspace: Workspace) -> None:
    with pytest.raises(AssertionError, match="begin"), of(workspace, Plans()) as op:
        op.commit(note)


def test_a_scan_records_the_memory_as_it_is_under_the_lock(promoted: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Workspace.locked

    def locked(workspace: Workspace) -> contextlib.AbstractContextManager[None]:
        promoted.note("- Written while the scan waited for the lock.\n")
        return honest(workspace)

    monkeypatch.setattr(Workspace, "locked", locked)
    promoted.run("scan", now="2026-03-02T00:00:00Z")
    assert "Written while the scan waited for the lock." in promoted.entries()
