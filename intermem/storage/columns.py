"""The columns of memory_entries: each with its SQL, its field of Record, and how its value is stored and read.

The schema, reading, writing, the triggers of the undo log and the integrity check all derive from
``COLUMNS``. A new column also needs a migration, which spells its own SQL.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from intermem.core.times import format_time, parse_time
from intermem.entities import Judged, Record, Status
from intermem.errors import StateError
from intermem.lazy_dataclass import dataclass


def loaded_json(text: str, whose: str) -> Any:
    """Return the value of a JSON text. Raises StateError, naming it ``whose``, if it is damaged."""
    try:
        return json.loads(text)
    except ValueError:
        raise StateError(
            f"{whose} in metadata.db is damaged",
            hint="run intermem doctor --repair, or restore the file from a backup",
            unsettled=True,
        ) from None


@dataclass(frozen=True, slots=True)
class Codec:
    """How a value is stored in SQLite and read back. NULL is None with every codec.

    ``read`` takes the value, and for its errors the entry's id and the column. Raises IntermemError
    if the value is damaged.
    """

    store: Callable[[Any], object]
    read: Callable[[Any, str, str], object]


TIME = Codec(format_time, lambda value, entry, column: parse_time(value, whose=f"entry {entry}, {column}"))
STRINGS = Codec(
    lambda value: json.dumps(value, ensure_ascii=False),
    lambda value, entry, _: tuple(loaded_json(value, f"entry {entry}")),
)
FLAG = Codec(int, lambda value, *_: bool(value))
STATUS = Codec(str, lambda value, *_: Status(value))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of memory_entries. Without a codec, the value is stored as it is.

    ``access`` columns are written only by ``query``, and undo leaves them alone.
    """

    name: str
    field: str
    sql: str
    codec: Codec | None = None
    access: bool = False

    @property
    def is_required(self) -> bool:
        """Whether the column refuses NULL."""
        return "NOT NULL" in self.sql


_TEXT = "TEXT NOT NULL DEFAULT ''"
_THOUSANDTHS = "INTEGER NOT NULL DEFAULT 500 CHECK ({name} BETWEEN 0 AND 1000)"

# In the order of the table: existing databases have triggers that list them so.
COLUMNS = (
    Column("entry_hash", "id", "TEXT NOT NULL UNIQUE"),
    Column("content", "text", "TEXT"),
    Column("content_preview", "preview", _TEXT),
    Column("section", "section", _TEXT),
    Column("trail", "trail", "TEXT NOT NULL DEFAULT '[]'", STRINGS),
    Column("entry_type", "type", "TEXT NOT NULL DEFAULT 'untyped'"),
    Column("source_file", "source_file", _TEXT),
    Column("first_seen", "first_seen", "TEXT NOT NULL", TIME),
    Column("last_seen", "last_seen", "TEXT NOT NULL", TIME),
    Column("snapshot_count", "snapshot_count", "INTEGER NOT NULL DEFAULT 1"),
    Column("counted_at", "counted_at", "TEXT", TIME),
    Column("confidence", "confidence", _THOUSANDTHS.format(name="confidence")),
    Column("base_confidence", "base_confidence", _THOUSANDTHS.format(name="base_confidence")),
    Column("original_confidence", "original_confidence", "INTEGER"),
    Column("confidence_updated_at", "confidence_updated_at", "TEXT", TIME),
    Column(
        "status",
        "status",
        "TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'stale', 'demoted'))",
        STATUS,
    ),
    Column("stale_streak", "stale_streak", "INTEGER NOT NULL DEFAULT 0"),
    Column("promoted_at", "promoted_at", "TEXT", TIME),
    Column("demoted_at", "demoted_at", "TEXT", TIME),
    Column("rejected_at", "rejected_at", "TEXT", TIME),
    Column("reason", "reason", _TEXT),
    Column("document", "document", "TEXT"),
    Column("pinned", "pinned", "INTEGER NOT NULL DEFAULT 0", FLAG),
    Column("access_count", "access_count", "INTEGER NOT NULL DEFAULT 0", access=True),
    Column("last_accessed", "last_accessed", "TEXT", TIME, access=True),
    Column("read_by", "read_by", "INTEGER NOT NULL DEFAULT 0"),
    Column("missing_from", "missing_from", "TEXT"),
    Column("grace_until", "grace_until", "TEXT", TIME),
    Column("superseded_by", "superseded_by", "TEXT"),
    Column("feedback", "feedback", "INTEGER NOT NULL DEFAULT 0"),
    Column("pinned_until", "pinned_until", "TEXT", TIME),
    Column("review_at", "review_at", "TEXT", TIME),
    Column("imported_count", "imported_count", "INTEGER NOT NULL DEFAULT 0"),
    Column("note_id", "note_id", "TEXT"),
    Column("note_text", "note_text", "TEXT"),
    Column("echoed", "echoed", "INTEGER NOT NULL DEFAULT 0", FLAG),
    Column("kept_out", "kept_out", "INTEGER NOT NULL DEFAULT 0", FLAG),
)
BY_NAME = {column.name: column for column in COLUMNS}
DEFINITIONS = ",\n    ".join(f"{column.name} {column.sql}" for column in COLUMNS)

# Queries that ``record_of`` reads start with this; further columns of theirs follow.
SELECT = (
    f"SELECT {', '.join(f'memory_entries.{column.name}' for column in COLUMNS)},"
    " EXISTS (SELECT 1 FROM sources WHERE sources.entry_hash = memory_entries.entry_hash) AS in_memory"
)
_READ = (*(column.field for column in COLUMNS), "in_memory")
_DECODED = (
    *((column.field, column.name, column.codec.read) for column in COLUMNS if column.codec),
    ("in_memory", "in_memory", FLAG.read),
)
_COMMON = ("section", "type", "source_file", "confidence", "base_confidence")

WRITTEN = tuple(column for column in COLUMNS if not column.access)
_values_of = attrgetter(*(column.field for column in WRITTEN))
_ENCODED = tuple((place, column.codec.store) for place, column in enumerate(WRITTEN) if column.codec)


def record_of(
    row: Sequence[Any], citations: tuple[Judged, ...] = (), shared: dict[object, Any] | None = None
) -> Record:
    """Return the record in a row of a query that starts with ``SELECT``.

    Values that many records have in common are taken from ``shared``, and put there: they are in memory once.
    """
    values: dict[str, Any] = dict(zip(_READ, row, strict=False))
    identity = values["id"]
    for field, name, read in _DECODED:
        if values[field] is not None:
            values[field] = read(values[field], identity, name)
    if shared is not None:
        for field in _COMMON:
            values[field] = shared.setdefault(values[field], values[field])
        if values["preview"] == values["text"]:
            values["preview"] = values["text"]
    return Record(**values, citations=citations)


def is_stored_alike(one: Record, other: Record) -> bool:
    """Return whether what is stored of two records is the same."""
    return _values_of(one) == _values_of(other) or row_of(one) == row_of(other)


def row_of(record: Record) -> tuple[object, ...]:
    """Return what is stored of a record, in the order of ``WRITTEN``."""
    row = list(_values_of(record))
    for place, store in _ENCODED:
        if row[place] is not None:
            row[place] = store(row[place])
    return tuple(row)
