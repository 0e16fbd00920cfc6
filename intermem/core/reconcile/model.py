"""What a reconciliation is about: what a branch says, what differs from the records, and the draft in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from intermem.core.entries.observation import preview_of
from intermem.core.reconcile.ledger import Ledger, Line, midnight
from intermem.core.reconcile.lineage import Lineage
from intermem.core.region.parse import Item
from intermem.entities import Record


@dataclass(frozen=True, slots=True)
class Branch:
    """What this branch says.

    ``items`` holds where each identity stands: its document and the item. ``unread`` are the
    documents that could not be read: nothing is concluded from them. ``ledger`` is None where
    there is none at all.
    """

    items: Mapping[str, tuple[str, Item]]
    unread: frozenset[str]
    ledger: Ledger | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcilePolicy:
    """When it is, how long what came back is spared, and how much alike a reworded line is."""

    now: datetime
    similarity: float
    grace: timedelta = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that is not what was stored: how it stands on this branch, and why.

    ``formerly`` names the rows that it takes over, the first of them as its own; it is empty where
    the record is new. ``event`` is a word for the history, empty where there is nothing to tell.
    """

    record: Record
    formerly: tuple[str, ...]
    event: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What differs from the records, by id.

    ``aliases`` are former identities to be written down. ``rejected`` are entries that a person
    took out, found just now. ``missing`` are promised by the ledger and do not stand: id and
    document. ``twins`` stand beside a newer wording of themselves, ``siblings`` are two wordings of
    one line. ``former`` holds the former identities that this branch knows, and whose they are.
    """

    changes: Mapping[str, RecordChange] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    rejected: frozenset[str] = frozenset()
    missing: tuple[tuple[str, str], ...] = ()
    twins: tuple[tuple[str, str], ...] = ()
    siblings: tuple[tuple[str, str], ...] = ()
    former: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """An item of a document with its line in the ledger and its record, where it has them."""

    document: str
    item: Item
    line: Line | None
    record: Record | None


@dataclass(slots=True)
class ReconcileState:
    """A reconciliation while it is made.

    ``absorbed`` are rows that turned out to be another's, by its id; ``edited`` the former texts of
    lines that people reworded; ``former`` the former identities that this branch knows, with their owners.
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

    @property
    def lines(self) -> Mapping[str, Line]:
        """The ledger's lines, none where there is no ledger."""
        return self.branch.ledger.lines if self.branch.ledger is not None else {}


def standing_items(regions: Sequence[tuple[str, Sequence[Item]]]) -> dict[str, tuple[str, Item]]:
    """Return where each identity stands first: its document and the item."""
    found: dict[str, tuple[str, Item]] = {}
    for document, items in regions:
        for item in items:
            found.setdefault(item.id, (document, item))
    return found


def pin_of(line: Line | None) -> dict[str, Any]:
    """Return the pin that a line of the ledger speaks of, as the fields of a record."""
    if line is None or not line.pinned:
        return {"pinned": False, "pinned_until": None}
    return {"pinned": True, "pinned_until": None if line.pinned_until is None else midnight(line.pinned_until)}


def is_ours(claim: Claim) -> bool:
    """True where our own record says that it was promoted there, whatever became of the ledger's line."""
    record = claim.record
    return record is not None and claim.document in (record.document, record.missing_from)


def record_of_line(line: Line, item: Item | None) -> Record:
    """Return the record of an entry of which only the ledger knows, and history (``item``) the text, if it does."""
    text = item.text if item is not None else None
    return Record(
        id=line.id,
        text=text,
        preview=preview_of(text) if text is not None else f"(an entry of {line.document})",
        section=line.section,
        source_file=line.document,
        first_seen=midnight(line.first_seen),
        last_seen=midnight(line.last_seen),
        snapshot_count=line.snapshots,
        promoted_at=midnight(line.since),
        feedback=line.feedback,
        **pin_of(line),
    )
