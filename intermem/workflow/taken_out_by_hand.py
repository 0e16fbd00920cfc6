"""What people deleted from the documents by hand since the last run: which confidence it had when it left."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.lifecycle.staleness import assess
from intermem.core.reconcile.events import What
from intermem.core.reconcile.ledger import Ledger
from intermem.core.reconcile.model import RecordChange
from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import judged_now
from intermem.workflow.branch_state import BranchState
from intermem.workflow.ledger import aged
from intermem.workflow.workspace import Workspace


def with_final_confidence(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return ``state`` with the confidence of what left, as ``reject`` would have said it when the line went.

    What it cites is judged as the repository was then, feedback that came later does not count, and its age is that
    which the team knows. So it hardly matters when a clone learns of it, and whether it has records.
    """
    changes = state.reconciliation.changes
    told = {
        key: replace(change, confidence=_confidence(workspace, metadata, state, change, change.left))
        for key, change in changes.items()
        if change.left is not None
    }
    return replace(state, reconciliation=replace(state.reconciliation, changes={**changes, **told}))


def _confidence(
    workspace: Workspace, metadata: Metadata, state: BranchState, change: RecordChange, left: Record
) -> int:
    moment = min(change.at or workspace.now, workspace.now)
    worktree = workspace.worktree
    if worktree is not None and change.commit is not None:
        worktree = replace(worktree, rev=change.commit)
    then = replace(workspace, worktree=worktree, options=replace(workspace.options, now=moment))
    ledger = state.branch.ledger
    line = ledger.line_of(left) if ledger is not None else None
    place = left.document or (line.document if line is not None else None)
    feedback = line.feedback if line is not None else left.feedback
    record = replace(left, document=place, feedback=feedback - _given_since(ledger, left, change))
    observer = metadata.observer()
    (record,) = aged(then, ledger, {left.id: record}, observer, own=observer is not None).values()
    (record,) = judged_now(then, metadata, state, [record])
    return assess(record, record.citations, moment, then.config.rules()).confidence


def _given_since(ledger: Ledger | None, left: Record, change: RecordChange) -> int:
    """Return the sum of the feedback on an entry that the ledger has from after its removal."""
    events = ledger.events if ledger is not None else ()
    later = (one for one in events if one.id == left.entry_id and one.what == What.FEEDBACK)
    return sum(one.amount for one in later if change.at is not None and one.at > change.at)
