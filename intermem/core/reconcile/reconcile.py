"""Reconcile the records with the documents and the ledger of this branch; people win.

The document and the ledger of this branch are authoritative; the history of the branch decides what a
difference means. The table is in DESIGN.md §7, "People win"; each of its rows is a function below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from intermem.core.entries.observation import preview_of
from intermem.core.reconcile.carried import carries_feedback
from intermem.core.reconcile.events import What
from intermem.core.reconcile.gone import (
    departed_since,
    is_gone,
    is_of_another_branch,
    learnt_as,
    may_come_back,
    takes_reviews,
)
from intermem.core.reconcile.ledger import Line, Standing, is_after, is_same
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.matching import claim_all, find_doubles, find_edits, find_notes, find_siblings, tell_apart
from intermem.core.reconcile.model import (
    AGAIN,
    Branch,
    Claim,
    Contested,
    ReconcilePolicy,
    ReconcileState,
    Reconciliation,
    RecordChange,
    is_ours,
    pin_of,
    with_observations,
)
from intermem.core.times import format_date, is_ahead, later
from intermem.entities import Record, Status


def needs_lineage(branch: Branch, records: Mapping[str, Record], aliases: Mapping[str, str]) -> bool:
    """Return whether documents, ledger and records differ in a way that only git's history can explain."""
    if branch.ledger is None:
        return any(
            record.document is not None and record.document not in branch.unread and key not in branch.items
            for key, record in records.items()
        )
    standing = branch.items.keys()
    for key, line in branch.ledger.lines.items():
        if line.is_tombstone:
            continue
        if (line.status is Standing.PROMOTED) != (key in standing):
            return True
        record = records.get(key) or records.get(aliases.get(key, ""))
        if key in standing and record is not None and departed_since(record, line.since):
            return True
        if record is None and any(learnt_as(name, line, branch, records) for name in line.was):
            return True
    return any(record.promoted_at is not None and may_come_back(branch, record, records) for record in records.values())


def reconcile(
    branch: Branch, records: Mapping[str, Record], aliases: Mapping[str, str], lineage: Lineage, terms: ReconcilePolicy
) -> Reconciliation:
    """Return the changes that make ``records`` agree with this branch.

    ``aliases`` maps former identities to their owners. Nothing is concluded about entries of documents that
    could not be read.
    """
    draft = ReconcileState(branch, records, aliases, lineage, terms)
    claim_all(draft)
    find_edits(draft)
    find_notes(draft)
    find_siblings(draft)
    find_doubles(draft)
    for key, claim in draft.claims.items():
        _stands(draft, key, claim)
    tell_apart(draft)
    settled = draft.former.keys() | {claim.line.id for claim in draft.claims.values() if claim.line is not None}
    for key, line in draft.lines.items():
        if key not in settled and key not in branch.items and line.document not in branch.unread:
            is_gone(draft, line)
    is_of_another_branch(draft)
    takes_reviews(draft)
    carries_feedback(draft)
    return Reconciliation(
        draft.changes,
        draft.new_aliases,
        frozenset(draft.rejected),
        tuple(sorted(draft.missing)),
        tuple(sorted(draft.twins)),
        tuple(sorted(draft.siblings)),
        draft.former,
        tuple(sorted(draft.contested, key=lambda one: one.id)),
        frozenset(draft.undecided),
    )


def _stands(draft: ReconcileState, key: str, claim: Claim) -> None:
    line = claim.line
    if line is None:
        _stands_without_line(draft, key, claim)
    elif line.status is not Standing.PROMOTED:
        _stands_against_ledger(draft, key, claim, line)
    elif claim.record is not None and departed_since(claim.record, line.since):
        _stands_against_record(draft, key, claim, line, claim.record)
    else:
        record = _known(draft, key, claim)
        if record.rejected_at is not None and record.rejected_at < line.since:
            record = replace(record, rejected_at=None)
        if claim.record is not None and claim.record.status is Status.DEMOTED and claim.record.document is None:
            record = replace(record, review_at=None)  # who promoted it again has looked at it
        event, detail = "", ""
        day = format_date(line.since)
        if claim.record is None:
            event, detail = "learnt", f"promoted into {claim.document} on {day}, according to the ledger"
        elif claim.record.missing_from is not None:
            event, detail = "back", f"it is in {claim.document} again"
        elif claim.record.status is Status.DEMOTED and claim.record.document is None:
            event, detail = "learnt", f"{AGAIN} {claim.document} on {day}, according to the ledger"
        elif claim.record.document not in (None, claim.document):
            event, detail = "moved", f"from {claim.record.document} to {claim.document}"
        _keep(draft, key, claim, record, event, detail)
        back = draft.lineage.brought_back(key, line.since, line.was)
        if back is not None:
            removal, merge = back
            what = f"taken out of {claim.document} {removal.words}"
            draft.contested.append(Contested(key, claim.document, what, merge.id, merge.date))


def _stands_without_line(draft: ReconcileState, key: str, claim: Claim) -> None:
    if is_ours(claim):
        _keep(draft, key, claim, _known(draft, key, claim))
        return
    record = replace(_known(draft, key, claim), promoted_at=draft.terms.now, stale_streak=0)
    if draft.branch.ledger is None:
        record = replace(record, last_seen=max(record.last_seen, draft.terms.now))
        _keep(
            draft,
            key,
            claim,
            record,
            "adopted",
            f"found in {claim.document}; there is no ledger, so it counts as seen now",
        )
        return
    record = replace(record, pinned=True, pinned_until=None, rejected_at=None)
    _keep(draft, key, claim, record, "adopted", f"written by hand into {claim.document}: pinned")


def _stands_against_ledger(draft: ReconcileState, key: str, claim: Claim, line: Line) -> None:
    """In the ledger it is demoted or rejected: a person put it back, or they were not committed together."""
    lineage, record = draft.lineage, claim.record
    if (
        record is not None
        and record.promoted_at is not None
        and is_ours(claim)
        and is_after(record.promoted_at, line.since)
        and not _is_told(draft, record)
    ):
        _keep(draft, key, claim, record)  # we have put it there since, and the ledger is out of date
        return
    committed = lineage.line(line.id)
    gone_at_head = committed is not None and committed.status is not Standing.PROMOTED
    what = f"{line.status} on {format_date(line.since)}"
    if gone_at_head and lineage.holds_now(key) and not lineage.came_back(key, line.since):
        merge = lineage.merge_without(key)
        found = (merge.id, merge.date) if merge is not None else (None, None)
        back = Contested(key, claim.document, what, *found)
        draft.contested.append(back)
        record = replace(_known(draft, key, claim), rejected_at=None, stale_streak=0, pinned=False, pinned_until=None)
        is_new = claim.record is None or claim.record.document is None
        _keep(draft, key, claim, record, "contested" if is_new else "", f"{back.words}: nobody has decided it since")
        return
    undone = not gone_at_head and lineage.holds_now(key) and not lineage.was_put_in_again(key)
    if undone and line.status is Standing.DEMOTED and committed is not None:  # discarded, or stashed: it may come again
        draft.undecided.add(key)
        _stands(draft, key, replace(claim, line=committed))
        return
    if undone and line.status is Standing.REJECTED:  # an uncommitted change that was discarded
        record = replace(_known(draft, key, claim), rejected_at=None, **pin_of(committed))
        _keep(draft, key, claim, record, "restored", "its removal was undone before it was committed")
        return
    _restore(draft, key, claim, f"a person put it back into {claim.document} after it was {what}: pinned")


def _is_told(draft: ReconcileState, record: Record) -> bool:
    """Return whether the ledger has that promotion of ours, and says all the same that a person took the entry out."""
    ledger = draft.branch.ledger
    return ledger is not None and any(
        one.what == What.PROMOTED and one.id == record.entry_id and one.at == record.promoted_at
        for one in ledger.events
    )


def _stands_against_record(draft: ReconcileState, key: str, claim: Claim, line: Line, record: Record) -> None:
    """In the ledger it is promoted, in our record demoted or rejected later: a revert, or an older branch."""
    moment = record.demoted_at if record.status is Status.DEMOTED else record.rejected_at
    assert moment is not None
    what = f"{'demoted' if record.status is Status.DEMOTED else 'rejected'} on {format_date(moment)}"
    put_back = record.status is not Status.DEMOTED and draft.lineage.was_put_in_again(line.id)
    if put_back or draft.lineage.came_back(line.id, moment):
        _restore(draft, key, claim, f"the commit that removed it was reverted ({what}): pinned")
        return
    known = _known(draft, key, claim)
    if record.status is not Status.DEMOTED and not draft.lineage.is_rejected_on_a_branch(line.id):
        detail = f"{what}, but no branch records that any more"
        _keep(draft, key, claim, replace(known, rejected_at=None, reason=""), "restored", detail)
        return
    if record.status is not Status.DEMOTED or (record.grace_until is not None and record.grace_until > moment):
        _keep(draft, key, claim, known)
        return
    spared = _spared(draft, known)
    assert spared.grace_until is not None
    until = format_date(spared.grace_until)
    detail = f"{what} elsewhere, but this branch still has it: no sweep counts against it until {until}"
    _keep(draft, key, claim, spared, "promoted here", detail)


def _restore(draft: ReconcileState, key: str, claim: Claim, detail: str) -> None:
    record = replace(
        _known(draft, key, claim),
        pinned=True,
        pinned_until=None,
        promoted_at=draft.terms.now,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        kept_out=False,
        review_at=None,  # who put it back has looked at it
        stale_streak=0,
        reason="",
    )
    _keep(draft, key, claim, record, "restored", detail)


def _spared(draft: ReconcileState, record: Record) -> Record:
    return replace(record, stale_streak=0, grace_until=draft.terms.now + draft.terms.grace, reason="")


def _known(draft: ReconcileState, key: str, claim: Claim) -> Record:
    """Return the record of an item, updated from the ledger."""
    item, line, record = claim.item, claim.line, claim.record
    now = draft.terms.now
    dated = line if line is not None and line.is_dated else None
    if record is None:
        record = Record(
            id=key,
            text=item.text,
            preview=preview_of(item.text),
            section=item.section,
            source_file=claim.document,
            first_seen=dated.first_seen if dated else now,
            last_seen=dated.last_seen if dated else now,
            snapshot_count=line.snapshots if line else 1,
            imported_count=line.snapshots if line else 0,
            note_id=line.entry_id if line and line.entry_id != key else None,
        )
    if record.id != key or record.text is None:
        record = replace(record.reworded(key, item.text), preview=preview_of(item.text), read_by=0)
    for name in draft.absorbed.get(key, ()):
        record = with_observations(record, draft.records[name])
    if record.status is Status.DEMOTED:
        record = replace(record, status=Status.ACTIVE, stale_streak=0, kept_out=False, superseded_by=None)
    record = replace(record, document=claim.document, missing_from=None)
    if line is None:
        return record
    said = {**pin_of(line), "feedback": line.feedback}
    if record.promoted_at is None and claim.record is not None:
        # What was said here before somebody else promoted it, nobody knows.
        more = sum(one.amount for one in draft.branch.untold_on(claim.record.id, line.entry_id))
        said = {**_longer_pin(record, said), "feedback": line.feedback + more}
    promoted, is_news = record.promoted_at, record.original_confidence is None
    if line.status is Standing.PROMOTED and (promoted is None or (line.is_dated and not is_same(promoted, line.since))):
        promoted, is_news = line.since, True
    return replace(
        record,
        first_seen=min(record.first_seen, line.first_seen),
        last_seen=record.last_seen if record.counted_at is not None else max(record.last_seen, line.last_seen),
        snapshot_count=max(record.snapshot_count, line.snapshots),
        imported_count=record.imported_count + max(0, line.snapshots - record.snapshot_count),
        **said,
        note_id=line.entry_id if line.entry_id != key else None,
        type=line.type or record.type if record.counted_at is None else record.type,
        # What was learnt from others had no other words than those that stood.
        note_text=None if line.entry_id == key and record.counted_at is None else record.note_text,
        promoted_at=promoted,
        grace_until=_spared_until(draft, record, line),
        original_confidence=line.confidence if is_news and line.confidence is not None else record.original_confidence,
    )


def _spared_until(draft: ReconcileState, record: Record, line: Line) -> datetime | None:
    """Return until when no sweep counts against an entry: as its record says, or as a person restored it last."""
    ledger = draft.branch.ledger
    event = ledger.standing_events.get(line.entry_id) if ledger is not None else None
    if line.status is not Standing.PROMOTED or event is None or event.what != What.RESTORED or not event.document:
        return record.grace_until
    if is_ahead(event.at, draft.terms.now):  # what is said of the future does not count
        return record.grace_until
    until = later(event.at, draft.terms.grace)
    return until if record.grace_until is None else max(until, record.grace_until)


def _longer_pin(record: Record, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the longer of two pins, as fields of a record."""
    ours = {"pinned": record.pinned, "pinned_until": record.pinned_until}
    if not (record.pinned and said["pinned"]):
        return ours if record.pinned else {key: said[key] for key in ours}
    ends = [record.pinned_until, said["pinned_until"]]
    return {"pinned": True, "pinned_until": None if None in ends else max(ends)}


def _keep(draft: ReconcileState, key: str, claim: Claim, record: Record, event: str = "", detail: str = "") -> None:
    """Record a change to an item that is in a document."""
    stored = claim.record
    names = [*([stored.id] if stored is not None else []), *draft.absorbed.get(key, ())]
    formerly = tuple(name for name in dict.fromkeys(names) if name in draft.records)
    if key in draft.edited:
        event, detail = "edited", f"in {claim.document}, from “{draft.edited[key]}” to “{claim.item.text}”"
    if record != stored or len(formerly) > 1:
        draft.changes[key] = RecordChange(record, formerly, event, detail)
