"""What people deleted from the documents by hand since the last run: which confidence it had when it left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from intermem.core.lifecycle.staleness import assess
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import Ledger
from intermem.core.reconcile.model import RecordChange, pin_of
from intermem.core.reconcile.old_ledger import parse_old_ledger
from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import judged_now
from intermem.workflow.branch_state import BranchState
from intermem.workflow.ledger import aged
from intermem.workflow.workspace import Workspace


def with_final_confidence(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return ``state`` with the confidence of what left, as ``reject`` would have said it when the line went.

    What it cites is judged as the repository was then, and the snapshots, the feedback, the pin and the age are those
    that the team, or this clone, had by then. So it hardly matters when a clone learns of it, or if it has records.
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
    ledger = _ledger_then(state.branch.ledger, then.now)
    left = {
        key: _as_it_stood(then, metadata, ledger, change.left)
        for key, change in changes.items()
        if change.left is not None
    }
    observer = metadata.observer()
    known = aged(then, ledger, {one.id: one for one in left.values()}, observer, own=observer is not None)
    judged = judged_now(then, metadata, state, [known[one.id] for one in left.values()])
    rules = then.config.rules()
    return {key: assess(one, one.citations, then.now, rules).confidence for key, one in zip(left, judged, strict=True)}


def _ledger_then(ledger: Ledger | None, moment: datetime) -> Ledger | None:
    """Return the ledger without what was said after a ``moment``."""
    if ledger is None:
        return None
    events = [one for one in ledger.events if one.at <= moment]
    return folded(events, parse_old_ledger(ledger.old_text) if ledger.old_text is not None else None, ledger.old_text)


def _as_it_stood(then: Workspace, metadata: Metadata, ledger: Ledger | None, left: Record) -> Record:
    """Return the record in its document, with the snapshots, the feedback and the pin that it had when it left."""
    counted = left.snapshot_count - _counted_since(then, metadata, left)
    used = left.last_accessed
    left = replace(left, last_accessed=used if used is None or used <= then.now else None)  # before, nobody knows when
    line = ledger.line_of(left) if ledger is not None else None
    if line is None:  # the commit that put it there was reverted, and with it what the ledger said
        felt = ledger.felt_on(left.entry_id) if ledger is not None else []
        return replace(
            left,
            last_seen=_seen_by(then, metadata, left, left.promoted_at or left.first_seen),
            snapshot_count=counted,
            imported_count=min(left.imported_count, counted),
            feedback=sum(one.amount for one in felt) if felt else left.feedback,
        )
    snapshots = max(line.snapshots, counted)
    return replace(
        left,
        document=left.document or line.document,
        last_seen=_seen_by(then, metadata, left, line.last_seen),
        snapshot_count=snapshots,
        imported_count=min(left.imported_count, snapshots),
        feedback=line.feedback,
        **pin_of(line),
    )


def _seen_by(then: Workspace, metadata: Metadata, left: Record, told: datetime) -> datetime:
    """Return when an entry had been seen last: by the last snapshot then if its note was in the memory all along, else
    as the ledger ``told``, if it came back to the memory later."""
    if left.last_seen <= then.now:
        return left.last_seen
    came_back = any(row.event == "seen again" and row.at > then.now for row in metadata.history(left.id))
    snapshot = metadata.last_snapshot(then.now) if not came_back else None
    return max(told, snapshot or told)


def _counted_since(then: Workspace, metadata: Metadata, left: Record) -> int:
    """Return how many snapshots of this clone have counted for an entry after its removal, at most."""
    if left.counted_at is None or left.counted_at <= then.now:
        return 0
    count, last, interval = 0, then.now, then.config.span("scan.min_interval")
    for moment in metadata.snapshots_since(then.now):
        if moment <= left.counted_at and (not count or moment - last >= interval):
            count, last = count + 1, moment
    return count
