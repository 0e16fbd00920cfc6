"""Entries that no document contains: demoted, rejected by a person, missing, or of another branch.

These are the rows "gone" of the table in DESIGN.md §7, "People win".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from intermem.core.entries.observation import preview_of
from intermem.core.entries.wordings import newest_wording
from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.ledger import KEPT_OUT, Line, Standing, is_after
from intermem.core.reconcile.lineage import EntryRemoval
from intermem.core.reconcile.model import Branch, ReconcileState, RecordChange, pin_of, record_of_line
from intermem.core.times import format_date, is_ahead, later
from intermem.entities import SUPERSEDED_BY, Record, Status


def is_gone(draft: ReconcileState, line: Line) -> None:
    """It is in the ledger but not in the document. Records of former wordings are treated alike, unless it is known
    which wording took the place of such a one: what is said of the entry is said of that."""
    rows = (row for name in (line.id, *line.was) for row in (name, draft.aliases.get(name, "")))
    known = [draft.records[row] for row in dict.fromkeys(rows) if row in draft.records]
    # An identity that is in a document, or has a line of its own, is another entry here.
    known = [one for one in known if one.id not in draft.branch.items and one.id not in draft.lines.keys() - {line.id}]
    names = {line.id, *line.was}
    known = [one for one in known if one.id == line.id or one.superseded_by not in names]
    if line.status is Standing.PROMOTED:
        _is_gone_though_promised(draft, line, known[0] if known else None)
        return
    for number, record in enumerate(known):
        if line.is_tombstone:  # set aside here; it is forgotten once the tombstone is on the default branch
            _leave(draft, record, replace(record, document=None, missing_from=None))
        else:
            _takes_the_ledgers_status(draft, line, record, is_first=number == 0)


def _takes_the_ledgers_status(draft: ReconcileState, line: Line, record: Record, *, is_first: bool) -> None:
    if line.status is Standing.REJECTED:
        news, event = record.rejected_at is None, "rejected"
    else:
        news, event = record.status is not Status.DEMOTED and not _knows_of(record, line), "demoted"
    why = f": {line.cause}" if line.cause else ""
    detail = f"on {format_date(line.since)}, according to this branch's ledger{why}"
    own = _in_its_last_words(draft, line, record) if is_first else record
    after = with_ledgers_status(own, line, (*draft.lines.values(), *draft.records.values()))
    after = replace(after, feedback=_felt_by_all(draft, line, record))
    _leave(draft, record, after, event if news else "", detail, line.since, line.final_confidence)


def learnt_as(name: str, line: Line, branch: Branch, records: Mapping[str, Record]) -> bool:
    """Return whether the record ``name`` is of the entry of ``line`` in words that others changed before it left."""
    record = records.get(name)
    if record is None or line.id in records:
        return False
    return not (name in branch.items or (branch.ledger is not None and name in branch.ledger.lines))


def _in_its_last_words(draft: ReconcileState, line: Line, record: Record) -> Record:
    """Return an entry in the words in which it left, if others changed them before and history has them."""
    is_former = record.id != line.id and learnt_as(record.id, line, draft.branch, draft.records)
    item = draft.lineage.item(line.id) if is_former else None
    if item is None:
        return record
    if record.counted_at is not None:  # the note is this memory's: only what was written of it is another
        return replace(record.reworded(line.id, item.text), preview=preview_of(item.text), read_by=0)
    snapshots = max(record.snapshot_count, line.snapshots)
    return replace(
        record,
        id=line.id,
        text=item.text,
        preview=preview_of(item.text),
        note_id=line.note_id,
        note_text=None,
        snapshot_count=snapshots,
        imported_count=snapshots,
        read_by=0,
    )


def with_ledgers_status(record: Record, line: Line, known: Iterable[Line | Record]) -> Record:
    """Return ``record`` as it is where ``line`` says that it was demoted or rejected, and no document contains it.

    ``known`` are the ledger's lines and the records here: one may be of the entry which superseded it.
    """
    said = (
        f"{line.status} on {format_date(line.since)}, according to the ledger{f': {line.cause}' if line.cause else ''}"
    )
    gone = replace(record, document=None, missing_from=None)
    if line.status is Standing.REJECTED:
        reason = record.reason if record.rejected_at is not None else said
        rejected = record.rejected_at or line.since
        return replace(gone, pinned=False, pinned_until=None, rejected_at=rejected, reason=reason)
    after = replace(
        gone,
        **pin_of(line),
        status=Status.DEMOTED,
        stale_streak=0 if record.status is not Status.DEMOTED else record.stale_streak,
    )
    heir = heir_of(line, known)
    if _knows_of(record, line):  # a record of an older database does not know that a person did it
        is_kept_out = line.strength == KEPT_OUT and heir is None and record.superseded_by is None
        return replace(after, kept_out=record.kept_out or is_kept_out)
    return replace(
        after,
        demoted_at=line.since,
        reason=said,
        original_confidence=record.original_confidence if line.confidence is None else line.confidence,
        kept_out=line.strength == KEPT_OUT and heir is None,
        superseded_by=heir or record.superseded_by,
    )


def _felt_by_all(draft: ReconcileState, line: Line, record: Record) -> int:
    """Return the feedback of all on a record of the entry of ``line``.

    On former words that said something else it is their own. What was said here of a candidate, no other clone knows
    yet; else what is not told was said on another branch.
    """
    if record.id != line.id and record.entry_id not in (line.entry_id, *line.same):
        return record.feedback
    given = draft.branch.untold_on(record.id, line.entry_id) if record.promoted_at is None else ()
    return line.feedback + sum(one.amount for one in given)


def heir_of(line: Line, known: Iterable[Line | Record]) -> str | None:
    """Return the id of what a person put in the place of the entry; None if it is not named or known, or was purged."""
    if line.by != "person" or not line.cause.startswith(f"{SUPERSEDED_BY} "):
        return None
    start = line.cause.removeprefix(f"{SUPERSEDED_BY} ")[:8]
    others = (one for one in known if one.id != line.id and not (isinstance(one, Line) and one.is_tombstone))
    heirs = {one.id for one in others if one.entry_id.startswith(start)}
    return heirs.pop() if len(heirs) == 1 else None


def _knows_of(record: Record, line: Line) -> bool:
    """Return whether the record is of that demotion, or of a later one that keeps the entry out as firmly."""
    if record.demoted_at is None or record.demoted_at < line.since:
        return False
    is_as_firm = line.strength < KEPT_OUT or record.kept_out or record.superseded_by is not None
    return is_as_firm or not is_after(record.demoted_at, line.since)


def _is_gone_though_promised(draft: ReconcileState, line: Line, record: Record | None) -> None:
    removal = draft.lineage.removal_of(line.id)
    detail = (
        f"the ledger lists it as promoted, but {line.document} lacks it, and no commit shows that a person removed it"
    )
    if record is not None and departed_since(record, line.since):
        left = record.demoted_at if record.status is Status.DEMOTED else None
        if left is None or not draft.lineage.commits or draft.lineage.holds_now(line.id):
            _leave(draft, record, replace(_told(draft, line, record), document=None, missing_from=None))
            return  # we removed it ourselves, and the ledger is out of date
        if removal is not None and (removal.date or "") >= format_date(left):
            detail = f"it left {line.document} {removal.words}; intermem may have demoted it, and its ledger was lost"
            removal = None
    if removal is None:
        _is_missing(draft, line, record, detail)
        return
    known = record_of_line(line, draft.lineage.item(line.id))
    if record is not None:
        known = _in_its_last_words(draft, line, _told(draft, line, record))
    detail = f"a person removed it from {line.document} {removal.words}{', which unpins it' if known.pinned else ''}"
    after = replace(
        known,
        document=None,
        missing_from=None,
        pinned=False,
        pinned_until=None,
        rejected_at=_removed_at(draft, removal),
    )
    _leave(draft, record, replace(after, reason=detail), "rejected", detail, removal.at, left=(known, removal))
    draft.rejected.add(after.id)


def _told(draft: ReconcileState, line: Line, record: Record) -> Record:
    """Return ``record`` with the feedback of all."""
    return replace(record, feedback=_felt_by_all(draft, line, record))


def _removed_at(draft: ReconcileState, removal: EntryRemoval) -> datetime:
    """Return when a person removed a line: in which commit, whenever this clone notices it."""
    return draft.terms.now if removal.at is None else min(removal.at, draft.terms.now)


def _is_missing(draft: ReconcileState, line: Line, record: Record | None, detail: str) -> None:
    draft.missing.append((line.id, line.document))
    if record is not None:
        news = record.missing_from is None
        after = replace(_told(draft, line, record), document=None, missing_from=line.document)
        _leave(draft, record, after, "missing" if news else "", detail)


def is_of_another_branch(draft: ReconcileState) -> None:
    """Without a line and an item it is not promoted on this branch, whatever the record says."""
    settled = {name for change in draft.changes.values() for name in change.formerly} | draft.changes.keys()
    for key, record in draft.records.items():
        if key in settled:
            continue
        place = record.document or record.missing_from
        if key in draft.branch.items or key in draft.lines or place in draft.branch.unread:
            continue
        lifted = _lifted(draft, record)
        if lifted is not None and _left_at(record) is not None:
            what = "rejection" if record.rejected_at is not None else "demotion"
            detail = f"its {what} was lifted on {format_date(lifted)}, according to this branch's ledger"
            after = replace(
                record,
                document=None,
                missing_from=None,
                rejected_at=None,
                status=Status.ACTIVE if record.status is Status.DEMOTED else record.status,
                demoted_at=None,
                superseded_by=None,
                kept_out=False,
                grace_until=_spared_until(draft, lifted) or record.grace_until,
                reason=detail,
            )
            _leave(draft, record, after, "restored", detail)
            continue
        until = _spared_until(draft, lifted) if lifted is not None else None
        if until is not None and until > draft.terms.now and (record.grace_until is None or record.grace_until < until):
            _leave(draft, record, replace(record, document=None, missing_from=None, grace_until=until))
            continue
        was_here = place is not None and draft.branch.ledger is None
        is_told = newest_wording(record, draft.records).id in settled  # what became of its heir is known
        if was_here or (lifted is None and not is_told and may_come_back(draft.branch, record, draft.records)):
            removal = (
                draft.lineage.removal_of(key)
                if was_here
                else draft.lineage.removal_of_promoted(key, (record.entry_id,))
            )
            if removal is not None and removal.commit is None and not was_here:
                removal = None  # its ledger line is gone too, and nothing is committed: an undo, or a branch switch
            if removal is not None:
                ledger = draft.branch.ledger
                felt = ledger.felt_on(record.entry_id) if ledger is not None else []
                known = replace(record, feedback=sum(one.amount for one in felt)) if felt else record
                detail = f"a person removed it {removal.words}{', which unpins it' if record.pinned else ''}"
                after = replace(
                    known,
                    document=None,
                    missing_from=None,
                    pinned=False,
                    pinned_until=None,
                    rejected_at=_removed_at(draft, removal),
                    reason=detail,
                )
                _leave(draft, record, after, "rejected", detail, removal.at, left=(known, removal))
                draft.rejected.add(key)
                continue
        said = _demotion_as_former(draft, record)
        if said is not None:
            _is_demoted_as_former(draft, record, said)
        elif place is not None:
            _leave(draft, record, replace(record, document=None, missing_from=None))


def _demotion_as_former(draft: ReconcileState, record: Record) -> LedgerEvent | None:
    """Return how words left that a rewording replaced, where a record of their own does not know of it."""
    ledger = draft.branch.ledger
    if ledger is None or record.id not in ledger.former or record.status is Status.DEMOTED or record.rejected_at:
        return None
    event = ledger.standing_events.get(record.entry_id)
    is_news = event is not None and record.promoted_at is not None and record.promoted_at <= event.at
    return event if event is not None and event.what == What.DEMOTED and is_news else None


def _is_demoted_as_former(draft: ReconcileState, record: Record, said: LedgerEvent) -> None:
    detail = f"on {format_date(said.at)}, according to this branch's ledger{f': {said.cause}' if said.cause else ''}"
    after = replace(
        record,
        document=None,
        missing_from=None,
        status=Status.DEMOTED,
        stale_streak=0,
        demoted_at=said.at,
        reason=f"demoted {detail}",
        original_confidence=record.original_confidence if said.confidence is None else said.confidence,
    )
    _leave(draft, record, after, "demoted", detail, said.at, said.confidence)


def _lifted(draft: ReconcileState, record: Record) -> datetime | None:
    """Return when a person lifted what kept an entry out, without putting it into a document; None if none did."""
    ledger = draft.branch.ledger
    event = ledger.standing_events.get(record.entry_id) if ledger is not None else None
    if event is None or event.what != What.RESTORED or event.document:
        return None
    left = _left_at(record)
    return event.at if left is None or left <= event.at else None


def _spared_until(draft: ReconcileState, lifted: datetime) -> datetime | None:
    """Return until when nothing counts against an entry that a person restored; None of what is said of the future."""
    return None if is_ahead(lifted, draft.terms.now) else later(lifted, draft.terms.grace)


def takes_reviews(draft: ReconcileState) -> None:
    """Flag for review what people flagged on this branch, and lift it where they did, wherever the entries stand.

    Of former words that say the same as what took their place, that alone is flagged: it is one entry to look at.
    """
    reviews = draft.branch.ledger.reviews if draft.branch.ledger is not None else {}
    stored = {name for change in draft.changes.values() for name in change.formerly}
    kept = {key: RecordChange(one, (key,)) for key, one in draft.records.items() if key not in stored}
    changes = {**kept, **draft.changes} if reviews else {}
    present = {change.record.entry_id for change in changes.values()}
    replaced = {name for line in draft.lines.values() if line.entry_id in present for name in line.same}
    for key, change in changes.items():
        at, is_flagged = reviews.get(change.record.entry_id, (None, False))
        if is_flagged and change.record.entry_id in replaced:
            continue
        known = change.record.review_at
        if at is not None and (known is None if is_flagged else known is not None and known <= at):
            review = replace(change.record, review_at=min(at, draft.terms.now) if is_flagged else None)
            draft.changes[key] = replace(change, record=review)


def _left_at(record: Record) -> datetime | None:
    """Return when an entry was rejected, or demoted without ever being in a document."""
    return record.rejected_at or (record.demoted_at if record.promoted_at is None else None)


def may_come_back(branch: Branch, record: Record, records: Mapping[str, Record]) -> bool:
    """Return whether only the gates of ``promote`` keep the entry, or its note as reworded since, out of a document."""
    if record.id in branch.items or record.rejected_at is not None or not newest_wording(record, records).in_memory:
        return False
    return branch.ledger is None or record.id not in branch.ledger.lines


def departed_since(record: Record, since: datetime) -> bool:
    """Return whether the entry left the document then or later, according to our record."""
    if record.status is Status.DEMOTED and record.document is None:
        return record.demoted_at is not None and record.demoted_at >= since
    return record.rejected_at is not None and record.rejected_at >= since


def _leave(
    draft: ReconcileState,
    stored: Record | None,
    after: Record,
    event: str = "",
    detail: str = "",
    at: datetime | None = None,
    confidence: int | None = None,
    left: tuple[Record, EntryRemoval] | None = None,
) -> None:
    """Record a change to an entry that is not in a document; ``left``: as it stood, and how a person removed it."""
    if after != stored:
        formerly = (stored.id,) if stored is not None else ()
        draft.changes[after.id] = RecordChange(after, formerly, event, detail, at, confidence, *_parted(left))


def _parted(left: tuple[Record, EntryRemoval] | None) -> tuple[Record | None, str | None]:
    return (left[0], left[1].commit) if left is not None else (None, None)
