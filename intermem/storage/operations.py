"""The values of the journal: operations, their intents and effects, and how they are written down."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from intermem.core.observation import preview_of
from intermem.core.times import parse_time
from intermem.entities import Record, Status
from intermem.errors import UnreadableTime
from intermem.storage.metadata import Metadata

PENDING, DONE, SETTLED = "pending", "done", "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One file to be replaced. ``path`` is absolute, below ``root``, ``document`` its name; digests are SHA-256.

    ``before`` and its digest are None where the file does not exist yet, ``after`` and its digest
    where it is to be removed.
    """

    root: Path
    checkout: str
    path: Path
    document: str
    digest_before: str | None
    digest_after: str | None
    temp_name: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What becomes of a record when the operation is done.

    ``kind`` is promote, restore (into the document), demote, reject or supersede (out of it).
    ``new_id`` and ``new_text`` are set where a person edited the text on its way in; ``heir`` is the
    entry whose text took this one's place; ``grace_until`` the time from which sweeps count again.
    ``cause`` sorts what leaves, as a row of the history does. A ``delete`` is a demotion whose record goes as well.
    """

    kind: str
    entry_id: str
    document: str
    reason: str
    original_confidence: int | None = None
    new_id: str | None = None
    new_text: str | None = None
    heir: str | None = None
    grace_until: str | None = None
    cause: str = ""

    @property
    def stands(self) -> bool:
        """True where the entry is in the document once the effect holds."""
        return self.kind in ("promote", "restore")

    @property
    def standing_id(self) -> str:
        """The identity under which the entry stands in the document."""
        return self.new_id or self.entry_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One run of a writing command. ``undoes`` are the operations that it takes back."""

    id: int
    verb: str
    at: datetime
    effects: tuple[Effect, ...] = ()
    intents: tuple[Intent, ...] = ()
    undoes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An operation that is over. ``kept`` says whether it can still be undone, ``undone_by`` which one did.

    ``records`` counts the entries whose record it changed, as far as that is kept; ``damaged`` is
    true where it is not what was written.
    """

    operation: Operation
    state: str
    undone_by: int | None
    kept: bool
    records: int
    damaged: bool = False


def after_effect(record: Record, effect: Effect, at: datetime) -> Record:
    """Return ``record`` as it stands once ``effect`` holds: what ``close_operation`` stores."""
    if not effect.stands:
        gone = replace(record, document=None, missing_from=None, reason=effect.reason)
        if effect.kind == "reject":
            return replace(gone, rejected_at=at, pinned=False, pinned_until=None)
        return replace(gone, status=Status.DEMOTED, demoted_at=at, superseded_by=effect.heir or record.superseded_by)
    text = effect.new_text or record.text
    until = effect.grace_until
    return replace(
        record,
        id=effect.standing_id,
        text=text,
        preview=preview_of(text or record.preview),
        read_by=0 if effect.new_text else record.read_by,
        status=Status.ACTIVE,
        document=effect.document,
        missing_from=None,
        promoted_at=at,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        review_at=None,
        stale_streak=0,
        grace_until=None if until is None else parse_time(until, whose=f"entry {record.id}, grace"),
        original_confidence=effect.original_confidence,
        reason=effect.reason,
    )


def operation_in(metadata: Metadata, row: sqlite3.Row) -> Operation:
    """Return the operation in a row of ``operations``. Raises ValueError, TypeError or StateError where it is none."""
    intents = tuple(
        Intent(
            root=_path(one["root"]),
            checkout=one["checkout"],
            path=_path(one["path"]),
            document=one["document"],
            digest_before=one["digest_before"],
            digest_after=one["digest_after"],
            temp_name=one["temp_name"],
            before=one["content_before"],
            after=one["content_after"],
        )
        for one in metadata.fetch("SELECT * FROM intents WHERE operation_id = ? ORDER BY id", (row["id"],))
    )
    return Operation(
        id=row["id"],
        verb=row["verb"],
        at=parse_time(row["at"], whose=f"operation {row['id']}"),
        effects=tuple(Effect(**one) for one in json.loads(row["effects"])),
        intents=intents,
        undoes=tuple(json.loads(row["undoes"])),
    )


def stored_path(path: Path) -> str:
    """Return a path as ASCII: a file name need not be UTF-8, a TEXT column must."""
    return quote_from_bytes(bytes(path), safe="/ ")


def _path(stored: str) -> Path:
    return Path(unquote_to_bytes(stored).decode("utf-8", "surrogateescape"))


def sound_operation(metadata: Metadata, row: sqlite3.Row) -> Operation | None:
    """Return the operation in a row of ``operations`` if it is what was written, else None.

    One of which nothing is kept any more, or that had nothing to write, has no checksum to compare.
    Raises StateError where the database cannot be read: that says nothing of the operation.
    """
    try:
        operation = operation_in(metadata, row)
        whole = checksum(row["effects"], operation.intents, operation.undoes) == row["checksum"]
    except (ValueError, TypeError, UnreadableTime):
        return None
    unchecked = not operation.intents and row["state"] != PENDING and (not row["kept"] or not row["checksum"])
    return operation if whole or unchecked else None


def effects_as_json(effects: Sequence[Effect]) -> str:
    """Return effects as they are stored."""
    return json.dumps([asdict(effect) for effect in effects], ensure_ascii=False, sort_keys=True)


def checksum(effects: str, intents: Sequence[Intent], undoes: Sequence[int]) -> str:
    """Return what an operation that was not damaged comes to, in hex."""
    digest = hashlib.sha256(effects.encode("utf-8"))
    if undoes:
        digest.update(repr(tuple(undoes)).encode("ascii"))
    for intent in intents:
        for part in (
            str(intent.root),
            str(intent.path),
            intent.document,
            intent.digest_before,
            intent.digest_after,
            intent.temp_name,
        ):
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
        for content in (intent.after, intent.before):
            digest.update(b"-" if content is None else hashlib.sha256(content).digest())
    return digest.hexdigest()
