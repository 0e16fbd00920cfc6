"""Feedback on a note counts on once it is reworded: on a candidate, what was fed back on the wording that stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intermem.core.entries.wordings import by_heir, newest_wording, same_before
from intermem.core.reconcile.model import Branch, ReconcileState, RecordChange
from intermem.entities import Record


def carries_feedback(draft: ReconcileState) -> None:
    """Give each candidate the feedback that counts for it, wherever that was given.

    That is what was fed back on its former wordings, if it only rewords a note, and what others did while it was out.
    """
    joined = {name for change in draft.changes.values() for name in change.formerly}  # changed, or of other entries
    kept = {key: one for key, one in draft.records.items() if key not in joined}
    records = kept | {key: change.record for key, change in draft.changes.items()}
    formers = by_heir(records)
    newest = (newest_wording(group[0], records) for group in formers.values())
    back = (one for one in records.values() if draft.branch.told_of_candidate(one) is not None)
    for record in {one.id: one for one in (*newest, *back)}.values():
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
        return record.feedback if branch.told_of_candidate(record) is None else branch.fed_back_on(record)
    since = promoted.promoted_at if stood and promoted is not None else None
    amount = branch.fed_back_on(record, since)
    for former in before:
        if former is promoted:
            return amount + former.feedback
        amount += branch.fed_back_on(former, since)
    return amount


def _is_later(one: Record, other: Record) -> bool:
    return one.promoted_at is not None and other.promoted_at is not None and one.promoted_at > other.promoted_at
