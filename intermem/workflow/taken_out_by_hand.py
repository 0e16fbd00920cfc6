"""What people deleted from the documents by hand since the last run: which confidence it had when it left."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.lifecycle.staleness import assess
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import judged_now
from intermem.workflow.branch_state import BranchState
from intermem.workflow.workspace import Workspace


def with_final_confidence(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return ``state`` with the confidence of what left, by the verdicts as of now, as ``reject`` says it.

    It is that of the moment when the line went. So every clone says the same, whether it has records or none.
    """
    changes = state.reconciliation.changes
    left = {key: change.left for key, change in changes.items() if change.left is not None}
    judged = judged_now(workspace, metadata, state, list(left.values()))
    rules = workspace.config.rules()
    final = {
        key: assess(one, one.citations, min(changes[key].at or workspace.now, workspace.now), rules).confidence
        for key, one in zip(left, judged, strict=True)
    }
    told = {key: replace(changes[key], confidence=confidence) for key, confidence in final.items()}
    return replace(state, reconciliation=replace(state.reconciliation, changes={**changes, **told}))
