"""Update the ledger: the events that it lacks, given the records on this branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta

from intermem.core.entries.secrets import secret_rule
from intermem.core.reconcile.events import RANK, SUM, LedgerEvent, What, one_line
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import KEPT_OUT, Ledger, Line, Standing
from intermem.core.reconcile.observers import Silence, heartbeat_of, was_held_here
from intermem.core.reconcile.old_ledger import parse_old_ledger
from intermem.entities import FOR_REVIEW, SUPERSEDED_BY, UNTYPED, Feedback, Record, Status
from intermem.lazy_dataclass import dataclass

_SECOND = timedelta(seconds=1)
_LAST = datetime.max.replace(tzinfo=UTC) - _SECOND
_EMPTY = Ledger({})


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided something about an entry, why, and when it happened (None: now).

    ``confidence`` is what an entry had that leaves, in thousandths, if that is known.
    """

    by: str = "person"
    cause: str = ""
    at: datetime | None = None
    confidence: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the memory of this clone, the observer ``observer``, holds; ``holds`` are ids of notes.

    ``seen`` is when it held the newest wording of a note last, by the id of the record. If it is not ``complete``, it
    is only said of what the run promotes. So many snapshots as are ``stable`` raise a confidence, and are told.
    """

    observer: str
    holds: frozenset[str]
    seen: Mapping[str, datetime] = field(default_factory=dict)
    complete: bool = True
    stable: int = 5
    silence: Silence = field(default_factory=Silence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What the ledger is to learn from a run.

    ``aliases`` holds the former identities of each record, ``sections`` the heading above an entry, ``rejected`` the
    ids of entries that were just rejected, ``demoted`` of those that a person just demoted, ``lifted`` those whose
    rejection is lifted, ``placed`` those that the run puts into a document, ``same`` the entries of former wordings
    that say the same, ``undecided`` those that stand there though the ledger says otherwise, and stay so, ``decisions``
    who decided what and why, ``pin_reasons`` why an entry is pinned or unpinned, ``reviews`` the kind and the cause of
    feedback that flags an entry for review or lifts that, ``kinds`` the kind, the name and the amount (in thousandths)
    of the feedback of this run, ``untold`` that of earlier runs which the ledger does not tell, with its name.
    ``observation`` is None where no memory was read; ``observer`` is this clone, if it was one before.
    """

    now: datetime
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)
    rejected: frozenset[str] = frozenset()
    demoted: frozenset[str] = frozenset()
    lifted: frozenset[str] = frozenset()
    placed: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, Sequence[str]] = field(default_factory=dict)
    undecided: frozenset[str] = frozenset()
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    pin_reasons: Mapping[str, str] = field(default_factory=dict)
    reviews: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    kinds: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    untold: Mapping[str, Sequence[tuple[Feedback, str]]] = field(default_factory=dict)
    observation: Observation | None = None
    observer: str | None = None

    @property
    def giver(self) -> str | None:
        """The observer that this clone is; None if it is none."""
        return self.observation.observer if self.observation is not None else self.observer


def new_events(ledger: Ledger | None, records: Iterable[Record], update: Update) -> list[LedgerEvent]:
    """Return the events that the ledger lacks, given the ``records`` on this branch.

    An event is later than what the ledger says of its entry already, whatever the clocks of two people show, so that
    of two words about it the one that knew the other counts. Entries of other branches are not added.
    """
    known = ledger or _EMPTY
    found: list[LedgerEvent] = []
    wanted = sorted(records, key=lambda one: one.id)
    standing = {one.entry_id: one.id for one in wanted if one.document is not None}
    for record in wanted:
        if standing.get(record.entry_id, record.id) != record.id:
            continue  # a former wording of an entry that stands
        line = _line_of(known, record, update.aliases.get(record.id, ()))
        if line is None or not line.is_tombstone:
            found += _events_of(record, line, known, update)
    seen = update.observation
    if seen is not None and seen.complete:
        beat = heartbeat_of(known, seen.observer, found, update.now, seen.silence)
        found += [beat] if beat is not None else []
    return found


def _line_of(ledger: Ledger, record: Record, aliases: Sequence[str]) -> Line | None:
    """Return the line of the entry itself; not that of another one whose place it takes."""
    line = ledger.line_of(record)
    if line is not None:
        return line
    former = (ledger.lines[name] for name in aliases if name in ledger.lines)
    return next((one for one in former if one.entry_id == record.entry_id), None)


def _events_of(record: Record, line: Line | None, ledger: Ledger, update: Update) -> Iterable[LedgerEvent]:
    said = ledger.said
    key = line.entry_id if line is not None else record.entry_id
    at = update.now if key not in said or update.now > said[key] else _next(said[key])
    decision = update.decisions.get(record.id, Decision(by=""))
    standing = _standing(record, line, update)
    events: list[LedgerEvent] = []
    if standing is not None:
        confirmed = _confirmed_at(ledger, key) if decision.cause.startswith(FOR_REVIEW) else None
        stands = _stands(key, record, line, standing, decision, said.get(key), confirmed, update)
        if stands.what in (What.DEMOTED, What.REJECTED) and line is not None and line.status is Standing.PROMOTED:
            # What left were the words that a person had given it: those come back.
            events += _reworded(key, replace(record, document=line.document), line, stands.at, Decision(), update)
        events.append(stands)
    elif line is not None and line.status is Standing.PROMOTED and record.document is not None:
        events += _reworded(key, record, line, at, decision, update)
    stands_now = record.document is not None and record.id not in update.rejected
    if stands_now or (line is not None and _is_out(record, line)):
        events += _pinned(key, record, line, at, update)
        events += _valued(key, record, _known_of(line or _line_after(ledger, events, record)), at, update)
    elif standing in (What.DEMOTED, What.REJECTED):
        # What was said as it was found to have left, or of a candidate before.
        events += _valued(key, record, _known_of(line or _line_after(ledger, events, record)), at, update)
    elif line is None and key in ledger.standing_events and record.rejected_at is None:
        # It was out once, and is a candidate again.
        events += _valued(key, record, sum(one.amount for one in ledger.felt_on(key)), at, update)
    elif record.id in update.reviews:
        events.append(_felt(key, at, 0, update.reviews[record.id], update.giver))
    if stands_now and update.observation is not None:
        events = _with_holding(key, record, line, events, update.observation, update)
    return events


def _line_after(ledger: Ledger, events: Sequence[LedgerEvent], record: Record) -> Line | None:
    """Return the line that an entry has once ``events`` put it into a document: feedback may be known of it already.

    It may have stood before another wording took its line over, or have been fed back on in former words.
    """
    is_known = any(event.same or event.id in ledger.said for event in events)
    if not is_known:
        return None
    old = parse_old_ledger(ledger.old_text) if ledger.old_text is not None else None
    return folded([*ledger.events, *events], old, ledger.old_text).line_of(record)


def _is_out(record: Record, line: Line) -> bool:
    """Return whether record and ledger agree that the entry was demoted or rejected: feedback on it counts still."""
    if line.status is Standing.REJECTED:
        return record.rejected_at is not None
    return line.status is Standing.DEMOTED and record.status is Status.DEMOTED


def _standing(record: Record, line: Line | None, update: Update) -> What | None:
    """Return what is to be said about where the entry stands; None if the ledger says it."""
    if record.document is not None:
        if record.id in update.placed:
            return What.RESTORED if update.placed[record.id] == "restore" else What.PROMOTED
        if record.id in update.undecided or (line is not None and line.status is Standing.PROMOTED):
            return None
        return What.RESTORED if line is not None else What.PROMOTED
    if record.id in update.lifted:  # what the history tells would be found again
        return What.RESTORED if line is not None or record.id in update.rejected else None
    if record.id in update.rejected:
        return What.REJECTED if line is None or line.status is not Standing.REJECTED else None
    if record.id in update.demoted and (line is None or _is_news(line, record, update)):
        return What.DEMOTED  # a sweep did, or nobody yet; now a person says so, and it stays out
    if line is None or line.status is not Standing.PROMOTED or record.missing_from is not None:
        return None
    if record.status is Status.DEMOTED:
        return What.DEMOTED
    return What.REJECTED if record.rejected_at is not None else None


def _is_news(line: Line, record: Record, update: Update) -> bool:
    """Return whether the ledger lacks what a person says of an entry that is out: firmness, a flag, or an heir."""
    cause = update.decisions.get(record.id, Decision()).cause
    return line.status is Standing.DEMOTED and (
        line.strength < KEPT_OUT or cause.startswith((FOR_REVIEW, SUPERSEDED_BY))
    )


def _confirmed_at(ledger: Ledger, key: str) -> datetime | None:
    """Return when somebody confirmed the entry last, which lifts a flag for review; None if nobody did."""
    words = (one for one in ledger.events if one.id == key and one.what == What.FEEDBACK)
    return max((one.at for one in words if one.flags is False), default=None)


def _stands(
    key: str,
    record: Record,
    line: Line | None,
    what: What,
    decision: Decision,
    said: datetime | None,
    confirmed: datetime | None,
    update: Update,
) -> LedgerEvent:
    at = min(decision.at or update.now, update.now)
    if said is not None and (said > at or (said == at and line is None)):
        at = _next(said)
    if confirmed == at:  # who flags it for review knows that
        at = _next(at)
    if line is not None and (at, RANK[what]) <= (line.since, _RANK_OF[line.status]):
        at = _next(line.since)
    if what in (What.DEMOTED, What.REJECTED) or record.document is None:
        document = line.document if line is not None and what is not What.RESTORED else ""
        cause = _cause(decision) or _cause(Decision(cause=record.reason if what is not What.RESTORED else ""))
        final = decision.confidence if what is not What.RESTORED else None
        return LedgerEvent(id=key, at=at, what=what, by=decision.by, cause=cause, document=document, confidence=final)
    known = line.names if line is not None else ()
    section = update.sections.get(record.id, line.section if line is not None else record.section)
    names = {*update.aliases.get(record.id, ())} - {*known, record.id, key}
    return LedgerEvent(
        id=key,
        at=at,
        what=what,
        by=decision.by,
        cause=_cause(decision),
        document=record.document,
        section="" if secret_rule(section) else one_line(section),  # a ledger is committed
        type="" if record.type == UNTYPED or secret_rule(record.type) else one_line(record.type),
        written=record.id,
        was=tuple(sorted(names)),
        same=tuple(sorted({*update.same.get(record.id, ())} - {key})),
        first_seen=record.first_seen,
        snapshots=record.snapshot_count,
        confidence=record.original_confidence,
    )


_RANK_OF = {
    Standing.PROMOTED: RANK[What.RESTORED],
    Standing.DEMOTED: RANK[What.DEMOTED],
    Standing.REJECTED: RANK[What.REJECTED],
    Standing.PURGED: RANK[What.PURGED],
}


def _reworded(
    key: str, record: Record, line: Line, at: datetime, decision: Decision, update: Update
) -> Iterable[LedgerEvent]:
    names = {*update.aliases.get(record.id, ())} - {*line.names, record.id}
    if line.id == record.id and line.document == record.document and not names:
        return
    yield LedgerEvent(
        id=key,
        at=at,
        what=What.REWORDED,
        by=decision.by or "person",
        cause=_cause(decision),
        document=record.document or "",
        written=record.id,
        was=tuple(sorted({*names, *({line.id} - {record.id})})),
    )


def _pinned(key: str, record: Record, line: Line | None, at: datetime, update: Update) -> Iterable[LedgerEvent]:
    """Yield what people say of the pin of the entry."""
    pin = (record.pinned, record.pinned_until)
    if pin != ((line.pinned, line.pinned_until) if line is not None else (False, None)):
        what = What.PINNED if record.pinned else What.UNPINNED
        cause = _cause(Decision(cause=update.pin_reasons.get(record.id, "")))
        yield LedgerEvent(id=key, at=at, what=what, by="person", cause=cause, until=record.pinned_until)


def _known_of(line: Line | None) -> int:
    return line.feedback if line is not None else 0


def _valued(key: str, record: Record, known: int, at: datetime, update: Update) -> Iterable[LedgerEvent]:
    """Yield what people feed back on the entry, which adds up; so much of it is ``known``.

    What was fed back on a candidate before is told now, each as it was said and when; where that does not come to what
    is lacking, as with the records of 0.1, the sum is.
    """
    review = update.reviews.get(record.id)
    kind, name, amount = update.kinds.get(record.id, ("", "", 0))
    more, before = record.feedback - known, update.untold.get(record.id, ())
    if before and sum(one.amount for one, _ in before) == more - amount:
        yield from _each(key, before, update)
        more = amount
    if more or review is not None:
        yield _felt(key, at, more, review or ((kind, name) if more == amount else (SUM, "")), update.giver)


def _each(key: str, given: Sequence[tuple[Feedback, str]], update: Update) -> Iterable[LedgerEvent]:
    """Yield an event for each of what was ``given``, those alike of one moment a second apart."""
    met: set[LedgerEvent] = set()
    for one, name in given:
        event = _felt(key, min(one.at, update.now), one.amount, (one.kind, name), update.giver)
        while event in met and event.at < _LAST:
            event = replace(event, at=_next(event.at))
        met.add(event)
        yield event


def _felt(key: str, at: datetime, amount: int, review: tuple[str, str], giver: str | None) -> LedgerEvent:
    kind, said = review
    cause = _cause(Decision(cause=said))
    return LedgerEvent(
        id=key, at=at, what=What.FEEDBACK, by="person", cause=cause, amount=amount, kind=kind, observer=giver
    )


def _with_holding(
    key: str, record: Record, line: Line | None, events: list[LedgerEvent], seen: Observation, update: Update
) -> list[LedgerEvent]:
    """Return ``events`` with what the memory of this clone says of an entry that stands."""
    known = line.holders.get(seen.observer) if line is not None else None
    names = (record.id, key, *(line.names if line is not None else ()))
    holds = not seen.holds.isdisjoint(names)  # in whatever wording
    stands = [event for event in events if event.what in (What.PROMOTED, What.RESTORED)]
    if holds and stands:
        return [replace(one, observer=seen.observer) if one is stands[0] else one for one in events]
    if not seen.complete:
        return events
    is_stable = line is not None and line.snapshots < seen.stable <= record.snapshot_count
    snapshots = record.snapshot_count if is_stable else None
    if holds and (known is None or not known.holds or is_stable):
        at = update.now if known is None or update.now > known.at else _next(known.at)
        return [*events, LedgerEvent(id=key, at=at, what=What.HELD, observer=seen.observer, snapshots=snapshots)]
    left = max(record.last_seen, seen.seen.get(record.id, record.last_seen))
    is_unnamed = line is not None and known is None and was_held_here(record, line) and _held_last(line, left)
    if not holds and (is_unnamed or (known is not None and known.holds)):
        at = max(left, known.at) if known is not None else left  # it counts after what was told
        until = left if left < at else None
        lost = LedgerEvent(id=key, at=at, what=What.LOST, observer=seen.observer, snapshots=snapshots, until=until)
        return [*events, lost]
    return events


def _held_last(line: Line, left: datetime) -> bool:
    """Return whether nobody holds the entry, and nobody held it at ``left`` or later, as far as is told."""
    return all(not one.holds and one.at < left for one in line.holders.values())


def _next(moment: datetime) -> datetime:
    """Return the second after ``moment``, but for the last one of the calendar."""
    return moment + _SECOND if moment < _LAST else moment


def _cause(decision: Decision) -> str:
    cause = one_line(decision.cause)
    return "" if secret_rule(cause) else cause
