"""What people deleted from the documents by hand since the last run: which confidence it had when it left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

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
    together: dict[tuple[str | None, datetime], dict[str, RecordChange]] = {}
    for key, change in changes.items():
        if change.left is not None:
            moment = min(change.at or workspace.now, workspace.now)
            together.setdefault((change.commit, moment), {})[key] = change
    told = dict(changes)
    for (commit, moment), left in together.items():
        final = _confidences(_as_of(workspace, commit, moment), metadata, state, left)
        told |= {key: replace(change, confidence=final[key]) for key, change in left.items()}
    return replace(state, reconciliation=replace(state.reconciliation, changes=told))


def _as_of(workspace: Workspace, commit: str | None, moment: datetime) -> Workspace:
    """Return the workspace as it was at a ``moment``, with the files of ``commit`` (None: as they are)."""
    worktree = workspace.worktree
    if worktree is not None and commit is not None:
        worktree = replace(worktree, rev=commit)
    return replace(workspace, worktree=worktree, options=replace(workspace.options, now=moment))


def _confidences(
    then: Workspace, metadata: Metadata, state: BranchState, changes: Mapping[str, RecordChange]
) -> dict[str, int]:
    """Return the confidence of each entry that one commit took out, in thousandths, by the key of its change."""
    ledger, observer = state.branch.ledger, metadata.observer()
    left = {
        key: _as_it_stood(ledger, change, change.left) for key, change in changes.items() if change.left is not None
    }
    known = aged(then, ledger, {one.id: one for one in left.values()}, observer, own=observer is not None)
    judged = judged_now(then, metadata, state, [known[one.id] for one in left.values()])
    rules = then.config.rules()
    return {key: assess(one, one.citations, then.now, rules).confidence for key, one in zip(left, judged, strict=True)}


def _as_it_stood(ledger: Ledger | None, change: RecordChange, left: Record) -> Record:
    """Return the record in its document, with the feedback that it had when the line went."""
    if ledger is None or (line := ledger.line_of(left)) is None:
        return left
    given = line.feedback - _given_since(ledger, left, change)
    return replace(left, document=left.document or line.document, feedback=given)


def _given_since(ledger: Ledger, left: Record, change: RecordChange) -> int:
    """Return the sum of the feedback on an entry that the ledger has from after its removal."""
    later = (one for one in ledger.events if one.id == left.entry_id and one.what == What.FEEDBACK)
    return sum(one.amount for one in later if change.at is not None and one.at > change.at)
