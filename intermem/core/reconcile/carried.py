"""Feedback on a note counts on once it is reworded: on a candidate, what was fed back on the wording that stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intermem.core.entries.wordings import by_heir, newest_wording, same_before
from intermem.core.reconcile.model import Branch, ReconcileState, RecordChange
from intermem.entities import Record


def carries_feedback(draft: ReconcileState) -> None:
    """Give each candidate that only rewords a note the feedback on its former wordings, wherever that was given."""
    records = {**draft.records, **{key: change.record for key, change in draft.changes.items()}}
    formers = by_heir(records)
    newest = (newest_wording(group[0], records) for group in formers.values())
    for record in {one.id: one for one in newest}.values():
        if record.document is not None or record.rejected_at is not None:
            continue
        amount = _fed_back(record, same_before(record, formers), draft.branch)
        if amount != record.feedback:
            known = draft.changes.get(record.id, RecordChange(record, (record.id,)))
            draft.changes[record.id] = replace(known, record=replace(record, feedback=amount))


def _fed_back(record: Record, before: Sequence[Record], branch: Branch) -> int:
    """Return what was fed back on ``record``: here, and on wordings ``before`` it, back to the one that a document had.

    What had stood itself when that took its place has left it what was fed back until then.
    """
    promoted = next((one for one in before if one.promoted_at is not None), None)
    stood = record.promoted_at is not None
    if not before or (stood and (promoted is None or not _is_later(promoted, record))):
        return record.feedback
    since = promoted.promoted_at if stood and promoted is not None else None
    amount = branch.given_on(record.id, since)
    for former in before:
        if former is promoted:
            return amount + former.feedback
        amount += branch.given_on(former.id, since)
    return amount


def _is_later(one: Record, other: Record) -> bool:
    return one.promoted_at is not None and other.promoted_at is not None and one.promoted_at > other.promoted_at
