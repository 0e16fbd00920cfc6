"""Feedback on a note counts on once it is reworded: on a candidate, what was fed back on the wording that stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from intermem.core.entries.wordings import by_heir, newest_wording, same_before
from intermem.core.reconcile.ledger import clamped
from intermem.core.reconcile.model import ReconcileState, RecordChange
from intermem.entities import Record


def carries_feedback(draft: ReconcileState) -> None:
    """Give each candidate that only rewords a note the feedback on its former wordings, wherever that was given."""
    records = {**draft.records, **{key: change.record for key, change in draft.changes.items()}}
    formers = by_heir(records)
    newest = (newest_wording(group[0], records) for group in formers.values())
    for record in {one.id: one for one in newest}.values():
        if record.document is not None or record.promoted_at is not None or record.rejected_at is not None:
            continue
        amount = _fed_back(record, formers, draft.branch.given)
        if amount != record.feedback:
            known = draft.changes.get(record.id, RecordChange(record, (record.id,)))
            draft.changes[record.id] = replace(known, record=replace(record, feedback=amount))


def _fed_back(record: Record, formers: Mapping[str, list[Record]], given: Mapping[str, int]) -> int:
    """Return what was fed back on ``record``: here, and on its wordings back to the one that a document had."""
    before = same_before(record, formers)
    amount = given.get(record.id, 0)
    for former in before:
        if former.promoted_at is not None:
            return clamped(amount + former.feedback)
        amount += given.get(former.id, 0)
    return clamped(amount) if before else record.feedback
