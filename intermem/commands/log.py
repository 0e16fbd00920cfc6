"""``log``: what happened, newest first."""

from __future__ import annotations

from intermem.errors import NoSuchEntry
from intermem.results import FINDINGS, OK
from intermem.results.inspect import LogResult
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, load_branch_state
from intermem.workflow.ledger_story import find_told, with_events
from intermem.workflow.limits import at_most, one_more
from intermem.workflow.reconciled import reconciled_rows
from intermem.workflow.workspace import Workspace, pending_notice


def log(workspace: Workspace, prefix: str | None, limit: int | None) -> LogResult:
    """Return the history of one entry or of all, newest first; exit code 1 if there is none.

    Also what only the ledger tells, and what people took out by hand since the last run. Writes nothing. Raises
    NoSuchEntry. An entry keeps its history even after its record is deleted.
    """
    most = workspace.config.count("query.limit") if limit is None else limit
    with workspace.viewing() as metadata:
        state = load_branch_state(workspace, metadata)
        entry_id, shown_id = _asked(workspace, metadata, state, prefix)
        has_events = state.ledger is not None and bool(state.ledger.events)  # each is compared with all rows
        limit = 0 if has_events else one_more(most)
        by_hand = (row for row in reversed(reconciled_rows(workspace, state)) if row.cause == "hand")
        rows = [row for row in by_hand if prefix is None or row.entry_id == shown_id]
        rows += metadata.history(entry_id, limit) if entry_id is not None or prefix is None else []
        rows = with_events(state, rows, shown_id)
        pending = pending_notice(metadata)
    rows, cut = at_most(most, rows)
    return LogResult(history=rows, exit_code=OK if rows else FINDINGS, notices=(*pending, *cut))


def _asked(
    workspace: Workspace, metadata: Metadata, state: BranchState, prefix: str | None
) -> tuple[str | None, str | None]:
    """Return the entry that ``prefix`` names: its id in the history here, if it has one, and the id that people see."""
    if prefix is None:
        return None, None
    try:
        known = metadata.entry_of_history(prefix)
    except NoSuchEntry:
        told, key = find_told(workspace, metadata, state, prefix)
        return None, told.records[key].entry_id
    record = state.records.get(known)
    return known, record.entry_id if record is not None else known
