"""The ledger of a branch: the state of its entries, without their texts.

It is what the committed events amount to (``events.py``, ``fold.py``), the lines of a ledger of 0.1 being the oldest
of them (``old_ledger.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cached_property

from intermem.core.reconcile.events import OF_OBSERVERS, STANDING, LedgerEvent, What
from intermem.core.times import LONG_AGO
from intermem.entities import FOR_REVIEW, REWORDED_INTO, Record
from intermem.lazy_dataclass import dataclass


class Standing(StrEnum):
    """The state of an entry in the ledger. Of two that are said of one moment, the later of these wins.

    A purge wins at any moment: all that is left of the entry is a tombstone, its id and the time.
    """

    PROMOTED = "promoted"
    DEMOTED = "demoted"
    REJECTED = "rejected"
    PURGED = "purged"


RANK = {standing: rank for rank, standing in enumerate(Standing)}


FLAGGED, KEPT_OUT = 1, 2  # how firmly: until it is confirmed, until it is restored; 0: until it is seen again


def strength_of(status: Standing | None, by: str, cause: str) -> int:
    """Return how firmly an entry of that status is out."""
    if status is Standing.REJECTED:
        return KEPT_OUT + 1
    if status is not Standing.DEMOTED or by != "person" or cause.startswith(REWORDED_INTO):
        return 0
    return FLAGGED if cause.startswith(FOR_REVIEW) else KEPT_OUT


@dataclass(frozen=True, slots=True)
class Holding:
    """Whether the memory of an observer holds an entry, and since when that is known.

    If it does not, ``at`` is the time of the last snapshot that did.
    """

    holds: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The state of one entry on a branch; ``since`` is when its status was decided, ``by`` whom, and its ``cause``.

    ``id`` is the identity of what was written; ``note_id`` that of its note, where that is another one; ``was`` holds
    the former identities, and the note's; ``feedback``, ``confidence``, the base one at the last promotion, and
    ``final_confidence``, that of when it left, are in thousandths; a pin expires at ``pinned_until`` (None: never).
    ``holders`` are the observers whose memory holds the note, or has lost it. ``rivals`` are wordings by people who did
    not know the one that was written. ``type`` is the note's, as far as it was told. ``same`` are former entries that
    say the same: feedback on them is on this one.
    """

    id: str
    status: Standing
    document: str
    section: str
    since: datetime
    first_seen: datetime
    last_seen: datetime
    snapshots: int = 1
    confidence: int | None = None
    final_confidence: int | None = None
    pinned: bool = False
    pinned_until: datetime | None = None
    feedback: int = 0
    was: tuple[str, ...] = ()
    note_id: str | None = None
    by: str = ""
    cause: str = ""
    holders: Mapping[str, Holding] = field(default_factory=dict)
    rivals: frozenset[str] = frozenset()
    same: tuple[str, ...] = ()
    type: str = ""

    @property
    def entry_id(self) -> str:
        """The id that people see, and that stays: the note's."""
        return self.note_id or self.id

    @property
    def strength(self) -> int:
        """How firmly the entry is out."""
        return strength_of(self.status, self.by, self.cause)

    @property
    def is_tombstone(self) -> bool:
        """Whether all that is left of the entry is that it was purged."""
        return self.status is Standing.PURGED

    @property
    def is_dated(self) -> bool:
        """Whether anything says when the entry was seen: a line has dates of its own, unless all are in the future."""
        return self.last_seen > LONG_AGO

    @property
    def names(self) -> tuple[str, ...]:
        """The identities of the entry, present and former ones."""
        return tuple(dict.fromkeys((self.id, self.entry_id, *self.was)))


def tombstone(key: str, at: datetime) -> Line:
    """Return the line of an entry that was purged at ``at``."""
    return Line(
        id=key,
        status=Standing.PURGED,
        document="",
        section="",
        since=at,
        first_seen=at,
        last_seen=at,
    )


@dataclass(frozen=True)
class Ledger:
    """The state of each entry, by what was written of it.

    ``signs`` are the last signs of life of each observer, ``events`` what was folded, in no order; ``old_text`` is the
    ledger of 0.1, if there is one.
    """

    lines: Mapping[str, Line]
    signs: Mapping[str, datetime] = field(default_factory=dict)
    events: tuple[LedgerEvent, ...] = ()
    old_text: str | None = None

    @property
    def purged(self) -> dict[str, date]:
        """The entries that were purged, by id, with the day."""
        return {key: line.since.date() for key, line in self.lines.items() if line.is_tombstone}

    @cached_property
    def said(self) -> dict[str, datetime]:
        """The time of the latest event of each entry, by its id, that is not an observer's."""
        found: dict[str, datetime] = {}
        for event in self.events:
            if event.what not in OF_OBSERVERS:
                found[event.id] = max(found.get(event.id, event.at), event.at)
        return found

    @cached_property
    def felt(self) -> dict[str, list[LedgerEvent]]:
        """What was fed back on each entry, by its id: also on one that has no line any more."""
        found: dict[str, list[LedgerEvent]] = {}
        for event in self.events:
            if event.what == What.FEEDBACK:
                found.setdefault(event.id, []).append(event)
        return found

    @cached_property
    def said_before(self) -> dict[str, set[str]]:
        """The entries that said the same as an entry before it, by the id of that: also if it has no line any more."""
        found: dict[str, set[str]] = {}
        for event in self.events:
            if event.same:
                found.setdefault(event.id, set()).update(event.same)
        return found

    def felt_on(self, entry_id: str) -> list[LedgerEvent]:
        """Return the feedback on an entry, and on what said the same before it."""
        names = {entry_id, *self.said_before.get(entry_id, ())}
        return [event for name in sorted(names) for event in self.felt.get(name, ())]

    @cached_property
    def standing_events(self) -> dict[str, LedgerEvent]:
        """The event of each entry, by its id, that says where it stands."""
        latest: dict[str, LedgerEvent] = {}
        for event in self.events:
            known = latest.get(event.id)
            if event.what in STANDING and (known is None or event.order > known.order):
                latest[event.id] = event
        return latest

    @cached_property
    def promotions(self) -> dict[str, datetime]:
        """When each entry was put into a document last, by its id; what was compacted away is not known."""
        put = [event for event in self.events if event.what in (What.PROMOTED, What.RESTORED) and event.document]
        return {one.id: one.at for one in sorted(put, key=lambda one: one.order)}

    @cached_property
    def reviews(self) -> dict[str, tuple[datetime, bool]]:
        """Of each entry that was ever flagged for review, by its id, whether it is, and since when.

        What is said of one wording is said of those that say the same.
        """
        heirs = {name: line.entry_id for line in self.lines.values() for name in line.same}
        ever = {heirs.get(event.id, event.id) for event in self.events if event.flags}
        words = [event for event in self.events if heirs.get(event.id, event.id) in ever and event.flags is not None]
        found: dict[str, tuple[datetime, bool]] = {}
        for one in sorted(words, key=lambda one: one.order):
            found |= dict.fromkeys((one.id, heirs.get(one.id, one.id)), (one.at, bool(one.flags)))
        latest = {name: found[heir] for name, heir in heirs.items() if heir in ever}
        return found | latest

    @cached_property
    def former(self) -> dict[str, str]:
        """Former identities and their owners; if two lines claim one, the later line wins."""
        found: dict[str, str] = {}
        for line in sorted(self.lines.values(), key=lambda one: (one.since, one.last_seen, one.id)):
            found |= dict.fromkeys(line.was, line.id)
        return {alias: key for alias, key in found.items() if alias not in self.lines}

    @cached_property
    def rivals(self) -> frozenset[str]:
        """Wordings by people who did not know the one that the ledger names."""
        return frozenset(name for line in self.lines.values() for name in line.rivals)

    @cached_property
    def by_entry(self) -> dict[str, Line]:
        """The lines by the id that people see."""
        return {line.entry_id: line for line in self.lines.values()}

    def line_of(self, record: Record) -> Line | None:
        """Return the line of an entry, also where people reworded its text and no run has recorded that yet."""
        return self.lines.get(record.id) or self.by_entry.get(record.entry_id)


def midnight(day: date) -> datetime:
    """Return the time that a date in a ledger of 0.1 means."""
    return datetime.combine(day, time(), tzinfo=UTC)


def is_after(moment: datetime, since: datetime) -> bool:
    """Return whether ``moment`` is later than what the ledger says; a midnight of it means the whole day."""
    return moment - since >= timedelta(days=1) if since.timetz() == time(tzinfo=UTC) else moment > since


def is_same(moment: datetime, since: datetime) -> bool:
    """Return whether ``moment`` may be what the ledger says; a midnight of it means the whole day."""
    return moment >= since and not is_after(moment, since)
