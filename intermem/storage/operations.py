"""The values of the journal: operations, their intents and effects, and how they are written down."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from intermem.core.lifecycle.effects import Effect
from intermem.core.times import parse_time
from intermem.errors import UnreadableTime
from intermem.storage.metadata import Metadata

PENDING, DONE, SETTLED = "pending", "done", "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWrite:
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
class Operation:
    """One run of a writing command. ``undoes`` are the operations that it takes back."""

    id: int
    verb: str
    at: datetime
    effects: tuple[Effect, ...] = ()
    intents: tuple[FileWrite, ...] = ()
    undoes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedOperation:
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


def operation_in(metadata: Metadata, row: sqlite3.Row) -> Operation:
    """Return the operation in a row of ``operations``. Raises ValueError, TypeError or StateError where it is none."""
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


def checksum(effects: str, intents: Sequence[FileWrite], undoes: Sequence[int]) -> str:
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
