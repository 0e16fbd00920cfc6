"""Save what reconciliation changed, and tell it in the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from intermem.core.lifecycle.effects import with_confidence
from intermem.core.lifecycle.staleness import assess
from intermem.core.reconcile.model import RecordChange
from intermem.entities import DEPARTURES, HistoryRow
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import absorb_record, add_aliases, add_history, rename_record, save_records
from intermem.workflow.branch_state import BranchState
from intermem.workflow.workspace import Workspace


def save_reconciliation(workspace: Workspace, metadata: Metadata, state: BranchState) -> None:
    """Save the reconciled records and their history, inside the caller's transaction."""
    changes = sorted(state.reconciliation.changes.items())
    stored = metadata.records() if changes else {}
    rows = _reconciled_rows(workspace, state)
    for key, change in changes:
        before = stored.get(change.formerly[0]) if change.formerly else None
        if before is not None:
            for gone in change.formerly[1:]:
                detail = f"also recorded as {gone[:8]}: {stored[gone].shown_text}"
                rows.append(HistoryRow(at=workspace.now, event="joined", entry_id=key, detail=detail))
                absorb_record(metadata, gone, before.id)
            if before.id != key:
                rename_record(metadata, before.id, key)
        save_records(metadata, [(before, change.record)])
    add_aliases(metadata, state.reconciliation.aliases)
    add_history(metadata, rows)


def reconciled_rows(workspace: Workspace, state: BranchState) -> list[HistoryRow]:
    """Return history rows, with the ids that people see, for what people did to the documents since the last run."""
    rows = _reconciled_rows(workspace, state)
    return [replace(row, entry_id=state.records[row.entry_id or ""].entry_id) for row in rows]


def _reconciled_rows(workspace: Workspace, state: BranchState) -> list[HistoryRow]:
    return rows_of(workspace, state.reconciliation.changes)


def rows_of(workspace: Workspace, changes: Mapping[str, RecordChange]) -> list[HistoryRow]:
    """Return the history rows of ``changes`` to records, by id."""
    return [_row(workspace, key, change) for key, change in sorted(changes.items()) if change.event]


def final_confidence(workspace: Workspace, change: RecordChange) -> int | None:
    """Return the confidence that an entry had when it left, in thousandths; None if it did not leave."""
    if change.event not in DEPARTURES or change.confidence is not None:
        return change.confidence
    at = change.at or workspace.now
    return assess(change.record, change.record.citations, at, workspace.config.rules()).confidence


def _logged(workspace: Workspace, change: RecordChange) -> str:
    """What happened to an entry, with the confidence that it had when it left."""
    final = final_confidence(workspace, change)
    return change.detail if final is None else with_confidence(change.detail, final)


def _row(workspace: Workspace, key: str, change: RecordChange) -> HistoryRow:
    """Return the row of a change: at the time of the run, or of what left, when it did, as all clones count it."""
    is_by_hand = change.event == "rejected" and change.left is not None
    cause = "hand" if is_by_hand else "ledger" if change.event in DEPARTURES else ""
    left = change.at if change.event in DEPARTURES and change.at is not None else workspace.now
    at = min(left, workspace.now)
    return HistoryRow(at=at, event=change.event, entry_id=key, detail=_logged(workspace, change), cause=cause)
