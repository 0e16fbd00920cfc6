"""Data of a reconciliation: the branch, the changes to the records, and the state in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from intermem.core.entries.observation import preview_of
from intermem.core.reconcile.events import LedgerEvent
from intermem.core.reconcile.ledger import Ledger, Line
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.told_feedback import untold
from intermem.core.region.parse import Item
from intermem.entities import UNTYPED, Feedback, Record
from intermem.lazy_dataclass import dataclass

AGAIN = "promoted again into"  # how the change begins of an entry that is on record, and was out


@dataclass(frozen=True, slots=True)
class Branch:
    """The documents and the ledger of this branch.

    ``items`` maps each identity to its document and item. ``unread`` are documents that could not be read,
    from which nothing is concluded. ``ledger`` is None if there is none at all. ``purged`` are identities that
    were purged, here or according to the ledger: an item that still stands is left alone, and not adopted. ``given`` is
    what was fed back on each record in this clone, without its words; as an ``observer`` it has that id.
    """

    items: Mapping[str, tuple[str, Item]]
    unread: frozenset[str]
    ledger: Ledger | None
    purged: frozenset[str] = frozenset()
    given: Mapping[str, Sequence[Feedback]] = field(default_factory=dict)
    observer: str | None = None

    def untold_on(self, key: str, entry_id: str) -> list[Feedback]:
        """Return what was fed back in this clone on the record ``key`` of an entry, and the ledger does not tell."""
        given = self.given.get(key, ())
        if not given or self.ledger is None:
            return list(given)
        line = self.ledger.by_entry.get(entry_id)
        names = {entry_id, *((*line.names, *line.same) if line is not None else ())}
        return untold(given, entry_id, (one for one in self.ledger.events if one.id in names), self.observer)

    def fed_back_on(self, record: Record, since: datetime | None = None) -> int:
        """Return the sum of what was fed back on a candidate, after ``since`` if that is given.

        By all, if it was taken out once, of which the ledger tells; else in this clone.
        """
        told = self.told_of_candidate(record)
        given = self.given.get(record.id, ()) if told is None else self.untold_on(record.id, record.entry_id)
        return sum(one.amount for one in (*given, *(told or ())) if since is None or one.at > since)

    def told_of_candidate(self, record: Record) -> list[LedgerEvent] | None:
        """Return what the ledger tells was fed back on an entry that was taken out and let back in; else None."""
        if self.ledger is None or record.entry_id not in self.ledger.standing_events:
            return None
        return self.ledger.felt_on(record.entry_id) if self.ledger.line_of(record) is None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcilePolicy:
    """The time, the grace period of restored entries, and the minimum similarity of a reworded line.

    ``written`` says what would be written of a record's note; None if nothing.
    """

    now: datetime
    similarity: float
    grace: timedelta = timedelta(days=14)
    written: Callable[[Record], str | None] = lambda record: record.noted_text


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that differs from the stored one: its state on this branch, and why.

    ``formerly`` are the rows that it replaces, the first being its own; empty for a new record. ``event`` is
    the history event, or empty; ``at`` is when it happened, ``confidence`` what the entry had by then, in thousandths,
    if it left; None where that is not known. ``left`` is the record of what a person took out by hand, as it stood,
    ``commit`` the one that did, None if it is not committed.
    """

    record: Record
    formerly: tuple[str, ...]
    event: str = ""
    detail: str = ""
    at: datetime | None = None
    confidence: int | None = None
    left: Record | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Contested:
    """An entry that a document contains though somebody took it out: only a merge brought it back, so a person decides.

    ``what`` says how it was taken out, ``merge`` and ``date`` are those of the merge, None if it is not known.
    """

    id: str
    document: str
    what: str
    merge: str | None = None
    date: str | None = None

    @property
    def words(self) -> str:
        """Both words about the entry, as in "rejected on 2026-03-12, back since merge 9c1d on 2026-03-14"."""
        if self.merge is None:
            return f"{self.what}, is back"
        return f"{self.what}, back since merge {self.merge[:10]} on {self.date}"


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The changes to the records, by id.

    ``aliases`` are former identities to store. ``rejected`` are entries newly found to be removed by a person.
    ``missing`` are in the ledger but not in the document: id and document. ``twins`` are in a document next
    to a newer wording of themselves, ``siblings`` are two wordings of one line. ``former`` holds the former
    identities on this branch, and their owners; ``contested`` are the entries about which a person is asked,
    ``undecided`` those whose demotion was discarded, or stashed, before it was committed.
    """

    changes: Mapping[str, RecordChange] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    rejected: frozenset[str] = frozenset()
    missing: tuple[tuple[str, str], ...] = ()
    twins: tuple[tuple[str, str], ...] = ()
    siblings: tuple[tuple[str, str], ...] = ()
    former: Mapping[str, str] = field(default_factory=dict)
    contested: tuple[Contested, ...] = ()
    undecided: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """An item of a document with its line in the ledger and its record, if it has them."""

    document: str
    item: Item
    line: Line | None
    record: Record | None


@dataclass(slots=True)
class ReconcileState:
    """The state of a reconciliation in progress.

    ``absorbed`` are rows that turned out to belong to another entry, by its id; ``edited`` the former texts of
    lines that people reworded; ``former`` the former identities on this branch, with their owners.
    """

    branch: Branch
    records: Mapping[str, Record]
    aliases: Mapping[str, str]
    lineage: Lineage
    terms: ReconcilePolicy
    claims: dict[str, Claim] = field(default_factory=dict)
    changes: dict[str, RecordChange] = field(default_factory=dict)
    absorbed: dict[str, list[str]] = field(default_factory=dict)
    new_aliases: dict[str, str] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    missing: list[tuple[str, str]] = field(default_factory=list)
    twins: list[tuple[str, str]] = field(default_factory=list)
    siblings: set[tuple[str, str]] = field(default_factory=set)
    edited: dict[str, str] = field(default_factory=dict)
    former: dict[str, str] = field(default_factory=dict)
    contested: list[Contested] = field(default_factory=list)
    undecided: set[str] = field(default_factory=set)

    @property
    def lines(self) -> Mapping[str, Line]:
        """The lines of the ledger; none if there is no ledger."""
        return self.branch.ledger.lines if self.branch.ledger is not None else {}


def standing_items(
    regions: Sequence[tuple[str, Sequence[Item]]], ledger: Ledger | None = None
) -> dict[str, tuple[str, Item]]:
    """Return the place of each identity: its document and the item; of several, that of the ledger, else the first."""
    found: dict[str, tuple[str, Item]] = {}
    lines = ledger.lines if ledger is not None else {}
    for document, items in regions:
        for item in items:
            line = lines.get(item.id)
            known = found.get(item.id)
            if known is None or (line is not None and line.document == document != known[0]):
                found[item.id] = document, item
    return found


def pin_of(line: Line | None) -> dict[str, Any]:
    """Return the pin in a line of the ledger, as fields of a record."""
    if line is None or not line.pinned:
        return {"pinned": False, "pinned_until": None}
    return {"pinned": True, "pinned_until": line.pinned_until}


def is_ours(claim: Claim) -> bool:
    """Return whether our own record says that it was promoted there, whatever the ledger says."""
    record = claim.record
    return record is not None and claim.document in (record.document, record.missing_from)


def record_of_line(line: Line, item: Item | None) -> Record:
    """Return a record for an entry that only the ledger knows, with the text from history (``item``), if any."""
    text = item.text if item is not None else None
    known: dict[str, Any] = {}
    if line.confidence is not None:
        known = {"confidence": line.confidence, "base_confidence": line.confidence}
    place = f"an entry of {line.document}" if line.document else "a note that was in no document"
    return Record(
        id=line.id,
        text=text,
        preview=preview_of(text) if text is not None else f"({place})",
        section=line.section if line.document or item is None else item.section,
        source_file=line.document,
        type=line.type or UNTYPED,
        first_seen=line.first_seen,
        last_seen=max(line.first_seen, line.last_seen),
        snapshot_count=line.snapshots,
        imported_count=line.snapshots,
        note_id=line.note_id,
        promoted_at=line.since if line.document else None,
        original_confidence=line.confidence,
        feedback=line.feedback,
        **pin_of(line),
        **known,
    )


def with_observations(record: Record, other: Record) -> Record:
    """Return ``record`` merged with the observations of the same entry under another identity."""
    counted = [moment for moment in (record.counted_at, other.counted_at) if moment is not None]
    snapshots = max(record.snapshot_count, other.snapshot_count)
    return replace(
        record,
        first_seen=min(record.first_seen, other.first_seen),
        last_seen=max(record.last_seen, other.last_seen),
        snapshot_count=snapshots,
        imported_count=snapshots - max(record.observed_count, other.observed_count),
        counted_at=max(counted, default=None),
        in_memory=record.in_memory or other.in_memory,
        type=other.type if other.in_memory and not record.in_memory else record.type,
        source_file=other.source_file if other.in_memory and not record.in_memory else record.source_file,
    )
