"""Records that no run here has judged: after a clone, all that the ledger and git's history tell of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from intermem.core.reconcile.model import Reconciliation
from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState
from intermem.workflow.ledger_story import is_candidate_elsewhere
from intermem.workflow.unscanned import seen_in_memory
from intermem.workflow.workspace import Workspace


def with_verdicts(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return ``state`` with those records assessed that no run here has judged in these words; write nothing.

    After a clone none has been. All others keep the verdicts of the last scan, sweep or feedback, and their confidence
    by these, but for those of which a document or the ledger says more than their records: feedback of others counts.
    A note that stands in the memory now has not aged, whether a scan has read it or not. What only the ledger knows
    stays what it says: only its confidence is that of now. Of a candidate it says nothing.
    """
    records = state.records.values()
    unread = [one for one in records if not one.read_by and (one.text is not None or one.id in state.told)]
    more = state.reconciliation.changes.keys()
    known = [one for one in records if one.id in more and one.read_by and one.id not in state.told]
    if not unread and not known:
        return state
    # A list that nothing has to be judged for does not pay for what judges.
    from intermem.core.lifecycle.staleness import assess, restated
    from intermem.workflow.assessment import judged_now

    rules = workspace.config.rules()
    assessed = dict(state.records)
    for one in known:
        at = one.confidence_updated_at or workspace.now
        assessed[one.id] = restated(one, assess(one, one.citations, at, rules), one.citations, at, rules)
    judged = judged_now(workspace, metadata, state, unread) if unread else []
    for one, seen in zip(judged, seen_in_memory(workspace, metadata, state, judged) if judged else [], strict=True):
        found = assess(seen, one.citations, workspace.now, rules)
        if one.id in state.told and not is_candidate_elsewhere(state, one):
            assessed[one.id] = replace(one, confidence=found.confidence, base_confidence=found.base)
        else:
            assessed[one.id] = restated(one, found, one.citations, workspace.now, rules)
    return replace(state, records=assessed)


def with_feedback(
    workspace: Workspace, stored: Mapping[str, Record], found: Reconciliation, records: dict[str, Record]
) -> tuple[Reconciliation, dict[str, Record]]:
    """Return both with the confidence that entries have once the feedback of others counts, which it does at once."""
    old = {key: stored.get(change.formerly[0]) if change.formerly else None for key, change in found.changes.items()}
    fed = [key for key, one in old.items() if one is not None and one.read_by and one.feedback != records[key].feedback]
    if not fed:
        return found, records
    from intermem.core.lifecycle.staleness import assess, restated  # heavy, and hardly ever needed

    rules, records, changes = workspace.config.rules(), dict(records), dict(found.changes)
    for key in fed:
        one = records[key]
        at = one.confidence_updated_at or workspace.now
        records[key] = restated(one, assess(one, one.citations, at, rules), one.citations, at, rules)
        changes[key] = replace(changes[key], record=records[key])
    return replace(found, changes=changes), records
