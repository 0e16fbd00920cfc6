"""What only the ledger and git know: entries without a record here, and what happened to them, for a fresh clone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from intermem.core.lifecycle.confidence import amount_of, signed
from intermem.core.lifecycle.effects import with_confidence
from intermem.core.lifecycle.feedback import FeedbackKind
from intermem.core.reconcile.events import OF_OBSERVERS, SUM, LedgerEvent, What
from intermem.core.reconcile.gone import with_ledgers_status
from intermem.core.reconcile.ledger import Line, Standing
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.model import record_of_line
from intermem.core.reconcile.told_feedback import SAME, Given, is_of, told_of
from intermem.core.times import format_date
from intermem.entities import DEPARTURES, FOR_REVIEW, Departure, HistoryRow, Record, Status
from intermem.errors import NoSuchEntry
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, find_entry, load_lineage, refuse_deleted
from intermem.workflow.workspace import Workspace

_OUT = frozenset({What.DEMOTED, What.REJECTED})
_GONE = _OUT | {What.PURGED}
_PINS = frozenset({What.PINNED, What.UNPINNED})
_APART = timedelta(seconds=1)


def find_told(workspace: Workspace, metadata: Metadata, state: BranchState, prefix: str) -> tuple[BranchState, str]:
    """Return the full id of an entry, as ``find_entry``, and a state that has a record of it.

    An entry without a record here is found in the ledger. Raises NoSuchEntry, EntryPurged.
    """
    try:
        return state, find_entry(state, prefix)
    except NoSuchEntry:
        state = with_told(workspace, metadata, state)
        try:
            return state, find_entry(state, prefix)
        except NoSuchEntry:
            refuse_deleted(metadata.deleted(), prefix)
            raise


def with_told(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return a state that also has a record of each entry that only the ledger knows; its reason says if it had one."""
    lines, candidates = _unknown(state), _candidates(state)
    if not lines and not candidates:
        return state
    lineage = load_lineage(workspace, state) if lines else Lineage()
    told = {line.id: _record(line, lineage, state) for line in lines} | candidates
    deleted = metadata.deleted().intersection(told)
    for key in deleted:
        told[key] = replace(told[key], reason=f"record deleted; {told[key].reason}")
    former = {name: line.id for line in lines for name in line.names if name != line.id}
    return replace(
        state,
        records=dict(sorted({**state.records, **told}.items())),
        aliases={**former, **state.aliases},
        told=frozenset(told),
        deleted=deleted,
    )


def failures_of_others(state: BranchState, rows: Sequence[HistoryRow], entry_id: str) -> int:
    """Return how many failures of an entry the ledger tells of that are not among the ``rows`` of its history here."""
    asked = _asked(state, entry_id)
    failures = (one for one in asked if one.what == What.FEEDBACK and one.kind == FeedbackKind.FAILURE)
    return len(set(failures) - _own_feedback(asked, rows, state))


def _asked(state: BranchState, entry_id: str | None) -> list[LedgerEvent]:
    """Return the events of one entry, or of all, but what observers say, with the feedback on what said the same."""
    events = state.ledger.events if state.ledger is not None else ()
    line = state.ledger.by_entry.get(entry_id or "") if state.ledger is not None else None
    said = {entry_id, *(line.same if line is not None else ())}
    return [
        one
        for one in events
        if one.what not in OF_OBSERVERS
        and (entry_id is None or one.id in (said if one.what == What.FEEDBACK else {entry_id}))
    ]


def with_events(state: BranchState, rows: Sequence[HistoryRow], entry_id: str | None) -> list[HistoryRow]:
    """Return ``rows`` of history (of one entry, or of all) with the events of the ledger that are not among them.

    The newest first. What observers say of their memories is left out. Feedback on former words that said the same is
    on the entry, too.
    """
    events = state.ledger.events if state.ledger is not None else ()
    asked = _asked(state, entry_id)
    others = [one for one in asked if one.what != What.FEEDBACK]
    told = _own_feedback(asked, rows, state) | _told_by(rows, others, _moments(events))
    others = [event for event in _each_once(asked) if event not in told]
    found = [*rows, *map(_row, _said_at_once(others))]
    return sorted(map(_in_words, found), key=lambda row: row.at, reverse=True)


def _moments(events: Iterable[LedgerEvent]) -> dict[LedgerEvent, datetime]:
    """Return since when each event may have happened: what an entry met in one moment the ledger has a second apart."""
    found: dict[LedgerEvent, datetime] = {}
    last: LedgerEvent | None = None
    for event in sorted(events, key=lambda one: (one.id, one.at)):
        follows = last is not None and last.id == event.id and event.at - last.at <= _APART
        found[event] = found[last] if last is not None and follows else event.at
        last = event
    return found


def _told_by(
    rows: Iterable[HistoryRow], events: Iterable[LedgerEvent], moments: Mapping[LedgerEvent, datetime]
) -> set[LedgerEvent]:
    """Return the events that ``rows`` of history are about, each row about one that happened before it was noticed."""
    known: dict[str | None, list[HistoryRow]] = {}
    for row in sorted(rows, key=lambda one: one.at):
        known.setdefault(row.entry_id, []).append(row)
    told: set[LedgerEvent] = set()
    used: set[int] = set()
    later: list[LedgerEvent] = []
    for event in sorted(events, key=lambda one: one.order):
        here = (*known.get(event.id, ()), *known.get(None, ()))
        near = [
            row
            for row in here
            if row.at - event.at <= SAME and moments[event] - row.at <= SAME and _may_tell(row, event)
        ]
        used.update(id(row) for row in near if row.event == event.what)
        if near:
            told.add(event)
        elif event.cause:
            later.append(event)
    for event in later:
        noticed = (row for row in known.get(event.id, ()) if row.at >= event.at and id(row) not in used)
        about = next((one for one in noticed if one.event == event.what and event.cause in one.detail), None)
        if about is not None:
            used.add(id(about))
            told.add(event)
    return told


def _may_tell(row: HistoryRow, event: LedgerEvent) -> bool:
    """Return whether ``row`` may be about ``event``: of a pin only a row of a pin."""
    return event.what not in _PINS or row.event == event.what


def _each_once(events: Iterable[LedgerEvent]) -> list[LedgerEvent]:
    """Return ``events`` without those that tell of one removal again, as of two clones that found it by themselves."""
    found: dict[object, LedgerEvent] = {}
    for event in events:
        if event.kind == SUM and not event.amount:
            continue
        key = (event.id, event.what, event.at) if event.what in _OUT else event
        found.setdefault(key, event)
    return list(found.values())


def _said_at_once(events: Sequence[LedgerEvent]) -> list[LedgerEvent]:
    """Return ``events``, the lifting of a flag with what it was worth, which is told once the entry is promoted."""
    felt = [one for one in events if one.what == What.FEEDBACK and one.kind]
    amounts: dict[LedgerEvent, int] = {}
    told: set[LedgerEvent] = set()
    for lifted in (one for one in felt if not one.amount):
        near = (one for one in felt if one.amount and (one.id, one.kind) == (lifted.id, lifted.kind))
        same = next((one for one in near if abs(one.at - lifted.at) <= SAME and one not in told), None)
        if same is not None:
            amounts[lifted] = same.amount
            told.add(same)
    return [replace(one, amount=amounts.get(one, one.amount)) for one in events if one not in told]


def _owners(state: BranchState) -> dict[str, str]:
    """Return the entry that each id of one belongs to, those of former words that said the same included."""
    lines = state.ledger.lines.values() if state.ledger is not None else ()
    return {name: line.entry_id for line in lines for name in (*line.same, *line.names, line.entry_id)}


def _own_feedback(events: Sequence[LedgerEvent], rows: Iterable[HistoryRow], state: BranchState) -> set[LedgerEvent]:
    """Return the events of the feedback among ``rows``."""
    owners = _owners(state)
    events = [one for one in events if is_of(one, state.branch.observer)]
    felt = [row for row in rows if row.event == What.FEEDBACK]
    given = (Given(owners.get(row.entry_id or "", row.entry_id or ""), row.at, amount_of(_figure(row))) for row in felt)
    ours, _ = told_of(given, events, owners)
    # Of a candidate only the review is told at once.
    reviews = (one for one in events if one.what == What.FEEDBACK and not one.amount)
    return ours.union(one for one in reviews if any(_is_that_review(row, one, owners) for row in felt))


def _is_that_review(row: HistoryRow, event: LedgerEvent, owners: Mapping[str, str]) -> bool:
    """Return whether ``row`` is the feedback that flagged an entry for review, or lifted that, as ``event`` says."""
    is_near = row.at <= event.at <= row.at + SAME
    is_same = owners.get(row.entry_id or "", row.entry_id) == owners.get(event.id, event.id)
    return is_near and is_same and bool(event.kind) and event.kind in row.detail


def _figure(row: HistoryRow) -> str:
    """Return what the feedback of a row was worth, as the row has it; empty for what is worth nothing."""
    return row.detail.partition(":")[0] if row.detail.startswith(("+", "−")) else ""


def untold_departures(state: BranchState, rows: Sequence[HistoryRow], month: str) -> list[Departure]:
    """Return what left in a ``month`` according to the ledger, and is not among the ``rows`` of the history here.

    A row is later than the event where it was made once the event was noticed.
    """
    if state.ledger is None:
        return []
    left: dict[str | None, list[HistoryRow]] = {}
    for row in rows:
        if row.event in DEPARTURES:
            left.setdefault(row.entry_id, []).append(row)
    names = {name: line.names for line in state.ledger.lines.values() for name in line.names}
    purged = state.ledger.purged
    purges = [one for one in state.ledger.events if one.what == What.PURGED]
    of_purges = left.get(None, ())  # these rows name nobody
    ours = {one.id for one in purges if any(abs(row.at - one.at) <= SAME for row in of_purges)}
    found = []
    moments = _moments(state.ledger.events)
    for event, back in _removals(state.ledger.events):
        ids: Sequence[str | None] = names.get(event.id, (event.id,))
        if event.id in purged:  # of what was purged that alone counts
            if event.what == What.PURGED and event.id not in ours and format_date(event.at).startswith(month):
                found.append(Departure(event.what, "ledger", 1))
            continue
        on_record = (
            row.at
            for name in ids
            for row in left.get(name, ())
            if moments[event] - row.at <= SAME and (row.event == "rejected") == (event.what == What.REJECTED)
        )
        if format_date(event.at).startswith(month) and not any(back is None or at <= back for at in on_record):
            found.append(Departure(event.what, "ledger", 1))
    return found


def _removals(events: Iterable[LedgerEvent]) -> Iterator[tuple[LedgerEvent, datetime | None]]:
    """Yield what took entries away, and when they came back. What two clones did to one, each by itself, is one."""
    gone: dict[str, LedgerEvent] = {}
    for event in sorted(dict.fromkeys(events), key=lambda one: one.order):
        known = gone.get(event.id)
        if event.what in (What.PROMOTED, What.RESTORED) and known is not None:
            yield gone.pop(event.id), event.at
        elif event.what in _GONE and (known is None or known.what != event.what):
            if known is not None:
                yield known, event.at
            gone[event.id] = event
    yield from ((event, None) for event in gone.values())


def _in_words(row: HistoryRow) -> HistoryRow:
    """Return a row that does not say twice that the entry was demoted."""
    return replace(row, detail=row.detail.replace(FOR_REVIEW, "for review", 1)) if row.event == "demoted" else row


def _row(event: LedgerEvent) -> HistoryRow:
    where = {"promoted": "into", "restored": "into", "demoted": "out of", "rejected": "out of"}.get(event.what, "in")
    is_told = f" {event.document} " in f" {event.cause} "  # "a person removed it from AGENTS.md"
    parts = [f"{where} {event.document}"] if event.document and not is_told else []
    parts += [signed(event.amount)] if event.amount else []
    parts += [event.cause] if event.cause else []
    final = event.confidence if event.what in _OUT else None
    told = [": ".join(parts), f"until {format_date(event.until)}" if event.until is not None else ""]
    detail = with_confidence(", ".join(filter(None, told)), final)
    return HistoryRow(at=event.at, event=event.what, entry_id=event.id, detail=detail, cause="ledger")


def _unknown(state: BranchState) -> list[Line]:
    """Return the lines of entries without a record here."""
    if state.ledger is None:
        return []
    known = {name for record in state.records.values() for name in (record.id, record.entry_id)} | state.aliases.keys()
    return [line for line in state.ledger.lines.values() if not line.is_tombstone and known.isdisjoint(line.names)]


def _candidates(state: BranchState) -> dict[str, Record]:
    """Return a record of each candidate without one here of which the ledger tells, without its words.

    Somebody flagged it for review, or let it back in. By its id. As long as a flag is not lifted, who finds the note
    does not promote it.
    """
    if state.ledger is None:
        return {}
    named = {name for line in state.ledger.lines.values() for name in (*line.names, *line.same)}
    known = {name for record in state.records.values() for name in (record.id, record.entry_id)} | state.aliases.keys()
    skipped = named | known | state.purged.keys()
    flags = {key: since for key, (since, is_flagged) in state.ledger.reviews.items() if is_flagged}
    back = {key: event.at for key, event in state.ledger.standing_events.items() if event.what == What.RESTORED}
    found = {}
    for key in sorted((flags.keys() | back.keys()) - skipped):
        since, flagged = back.get(key) or flags[key], flags.get(key)
        line = Line(
            id=key,
            status=Standing.DEMOTED,
            document="",
            section="",
            since=since,
            first_seen=since,
            last_seen=since,
            feedback=sum(one.amount for one in state.ledger.felt_on(key)),
        )
        said = (
            f"let back in on {format_date(since)}"
            if flagged is None
            else f"flagged for review on {format_date(flagged)}"
        )
        found[key] = replace(record_of_line(line, None), review_at=flagged, reason=f"{said}, according to the ledger")
    return found


def is_candidate_elsewhere(state: BranchState, record: Record) -> bool:
    """Return whether ``record`` is a candidate of another clone, of which nothing but the ledger tells here."""
    is_out = record.status is Status.DEMOTED or record.rejected_at is not None or record.missing_from is not None
    return record.id in state.told and record.document is None and not is_out


def _record(line: Line, lineage: Lineage, state: BranchState) -> Record:
    ledger = state.ledger
    record = record_of_line(line, lineage.item(line.id))
    since, is_flagged = ledger.reviews.get(line.entry_id, (None, False)) if ledger is not None else (None, False)
    promoted = ledger.promotions.get(line.entry_id, record.promoted_at) if ledger is not None else record.promoted_at
    record = replace(record, review_at=since if is_flagged else None, promoted_at=promoted)
    if line.status is Standing.PROMOTED:
        reason = line.cause or f"{line.status} on {format_date(line.since)}, according to the ledger"
        return replace(record, missing_from=line.document, reason=reason)
    lines = ledger.lines.values() if ledger is not None else ()
    return with_ledgers_status(record, line, (*lines, *state.records.values()))
