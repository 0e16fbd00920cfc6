"""Operations as values, and how they are stored, read and checked."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from intermem.core.lifecycle.effects import Effect
from intermem.core.times import format_time, parse_time
from intermem.errors import UnreadableTime
from intermem.lazy_dataclass import dataclass
from intermem.storage.metadata import Metadata

PENDING, DONE, SETTLED = "pending", "done", "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWrite:
    """A file to be replaced. ``path`` is absolute, below ``root``; ``document`` is its name; digests are SHA-256.

    ``before`` and its digest are None if the file does not exist yet, ``after`` and its digest if it
    is to be removed.
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
class JournaledOperation:
    """One run of a command that writes. ``undoes`` are the operations that it reverts."""

    id: int
    verb: str
    at: datetime
    effects: tuple[Effect, ...] = ()
    intents: tuple[FileWrite, ...] = ()
    undoes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedOperation:
    """A closed operation. ``kept``: it can still be undone; ``undone_by``: the operation that did.

    ``records`` counts the entries whose record it changed, while its images are kept; ``damaged``
    is true if it does not match its checksum, ``purged`` if a purge dropped what was kept for it. ``changed`` is false
    if it changed nothing but when the last sweep or snapshot was.
    """

    operation: JournaledOperation
    state: str
    undone_by: int | None
    kept: bool
    records: int
    damaged: bool = False
    purged: bool = False
    changed: bool = True


def operation_in(metadata: Metadata, row: sqlite3.Row) -> JournaledOperation:
    """Return the operation in a row of ``operations``. Raises ValueError, TypeError or StateError if it is damaged."""
    intents = tuple(
        FileWrite(
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
    return JournaledOperation(
        id=row["id"],
        verb=row["verb"],
        at=parse_time(row["at"], whose=f"operation {row['id']}"),
        effects=tuple(Effect(**one) for one in json.loads(row["effects"])),
        intents=intents,
        undoes=tuple(json.loads(row["undoes"])),
    )


def stored_path(path: Path) -> str:
    """Return a path as ASCII: a file name may not be UTF-8, which a TEXT column must be."""
    return quote_from_bytes(bytes(path), safe="/ ")


def _path(stored: str) -> Path:
    return Path(unquote_to_bytes(stored).decode("utf-8", "surrogateescape"))


def verified_operation(metadata: Metadata, row: sqlite3.Row) -> JournaledOperation | None:
    """Return the operation in a row of ``operations`` if it matches its checksum, else None.

    One whose intents were dropped, or that had nothing to write, has no checksum to compare. Without the key of this
    state, none matches. Raises StateError if the database cannot be read, which says nothing about the operation.
    """
    try:
        operation = operation_in(metadata, row)
        matches = hmac.compare_digest(checksum(metadata.key, operation, row["effects"]), row["checksum"])
    except (ValueError, TypeError, UnreadableTime):
        return None
    unchecked = not operation.intents and row["state"] != PENDING and (not row["kept"] or not row["checksum"])
    return operation if (matches and metadata.key) or unchecked else None


def effects_as_json(effects: Sequence[Effect]) -> str:
    """Return effects as the JSON that is stored."""
    return json.dumps([asdict(effect) for effect in effects], ensure_ascii=False, sort_keys=True)


def checksum(key: bytes, operation: JournaledOperation, effects: str) -> str:
    """Return the checksum of an operation, with ``effects`` as they are stored: HMAC-SHA-256 in hex."""
    parts: list[object] = [operation.id, operation.verb, format_time(operation.at), effects, operation.undoes]
    for intent in operation.intents:
        parts += [str(intent.root), intent.checkout, str(intent.path), intent.document, intent.temp_name]
        parts += [intent.digest_before, intent.digest_after]
        parts += [
            None if content is None else hashlib.sha256(content).hexdigest()
            for content in (intent.before, intent.after)
        ]
    return hmac.new(key, repr(parts).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
