"""Before-images: the rows that an operation changed in metadata.db, as they were, for ``undo``.

Triggers write them, so no function can forget to: while ``recording`` names an operation, every
change of a row leaves its inverse in ``images``. Applied newest first, they restore the state
before the operation. Caches and access figures are left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from intermem.entities import Record, Status
from intermem.errors import IntermemError, StateError
from intermem.lazy_dataclass import dataclass
from intermem.storage.columns import COLUMNS, WRITTEN, Column, record_of

if TYPE_CHECKING:
    from intermem.storage.metadata import Metadata

MAX_IMAGES = 500_000  # rows, about 80 MB; operations beyond them can no longer be undone


@dataclass(frozen=True, slots=True)
class _Table:
    """A table with before-images: its key, its other columns, and which changes count."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    events: tuple[str, ...] = ("INSERT", "UPDATE", "DELETE")
    only: str = ""


_CITATION_COLUMNS = """
    entry_hash citation_type citation_value name first_line last_line flags anchor resolved_path status evidence
    last_validated
""".split()  # noqa: SIM905 - a list reads worse

TABLES = (
    _Table("memory_entries", ("id",), tuple(column.name for column in WRITTEN)),
    _Table("citations", ("id",), tuple(_CITATION_COLUMNS)),
    _Table("feedback", ("id",), ("entry_hash", "at", "kind", "severity", "amount", "context", "note")),
    _Table("snapshots", ("id",), ("taken_at", "files", "entries")),
    _Table("sources", ("entry_hash", "source_file", "first_line"), ("last_line",)),
    _Table("sessions", ("entry_hash", "session_id"), ()),
    _Table("aliases", ("alias",), ("entry_hash",)),
    _Table("history", ("id",), ("entry_hash",), events=("UPDATE",)),
    _Table("meta", ("key",), ("value",), only="{row}.key = 'last_sweep'"),
    _Table("operations", ("id",), ("undone_by",), events=("UPDATE",)),
)
_UNTOUCHED = {
    "memory_entries": tuple(column.name for column in COLUMNS if column.access)
}  # imaged only when the row is deleted


def triggers() -> str:
    """Return the SQL that creates the triggers, for the schema."""
    return "\n".join(_trigger(table, event) for table in TABLES for event in table.events)


def start_recording(metadata: Metadata, operation: int) -> None:
    """Attribute changes to ``operation`` from here on, inside the caller's transaction."""
    metadata.execute("DELETE FROM recording")
    metadata.execute("INSERT INTO recording (operation_id) VALUES (?)", (operation,))


def stop_recording(metadata: Metadata) -> None:
    """End what ``start_recording`` began, in the same transaction."""
    metadata.execute("DELETE FROM recording")


def has_images(metadata: Metadata, operation: int) -> bool:
    """Return whether the operation changed any row."""
    return bool(metadata.fetch("SELECT 1 FROM images WHERE operation_id = ? LIMIT 1", (operation,)))


def changed_records(metadata: Metadata) -> dict[int, int]:
    """Return how many records each operation changed."""
    rows = metadata.fetch(
        "SELECT operation_id, count(DISTINCT CASE WHEN json_valid(image) THEN json_extract(image, '$.id') END) FROM"
        " (SELECT operation_id, coalesce(row, before) AS image FROM images WHERE relation = 'memory_entries')"
        " GROUP BY operation_id"
    )
    return {row[0]: row[1] for row in rows}


def deleted_records(metadata: Metadata) -> dict[str, Record]:
    """Return, by id, the records that were deleted and could come back: as they were last, in no document any more.

    A damaged image, which brings nothing back, is left out: it must not keep a purge from dropping it.
    """
    known = {row[0] for row in metadata.fetch("SELECT entry_hash FROM memory_entries")}
    found: dict[str, Record] = {}
    for (image,) in metadata.fetch(
        "SELECT before FROM images WHERE relation = 'memory_entries' AND row IS NULL ORDER BY id"
    ):
        record = _record_in(image)
        if record is not None and record.id not in known:
            found[record.id] = replace(record, document=None, missing_from=None, status=Status.DEMOTED)
    return found


def _record_in(image: str) -> Record | None:
    """Return the record in the image of a deleted row, None if it is damaged."""
    try:
        values = json.loads(image)
        row = [values[column.name] for column in COLUMNS]
        fits = all(_is_of(column, value) for column, value in zip(COLUMNS, row, strict=True))
        return record_of([*row, False]) if fits else None
    except (ValueError, TypeError, LookupError, IntermemError):
        return None


def _is_of(column: Column, value: object) -> bool:
    """Return whether a value may stand in the column, as a strict table has it."""
    if value is None:
        return not column.is_required
    return isinstance(value, {"TEXT": str, "INTEGER": int, "REAL": float}[column.sql.split()[0]])


def changing_operations(metadata: Metadata) -> frozenset[int]:
    """Return the operations that wrote files, or changed rows that say more than when a sweep or a snapshot was."""
    rows = metadata.fetch(
        "SELECT operation_id FROM images WHERE relation NOT IN ('meta', 'snapshots')"
        " UNION SELECT operation_id FROM intents"
    )
    return frozenset(row[0] for row in rows)


def revert(metadata: Metadata, operations: Sequence[int]) -> None:
    """Restore every row to what it was before the oldest of ``operations``, inside the caller's transaction.

    All later operations must be among them, or undone already.
    """
    metadata.execute("PRAGMA defer_foreign_keys = ON")  # a row may come back before the one it refers to
    for number in sorted(operations, reverse=True):
        for row in metadata.fetch("SELECT * FROM images WHERE operation_id = ? ORDER BY id DESC", (number,)):
            table = _known_table(row["relation"], number)
            key = json.loads(row["row"]) if row["row"] is not None else {}
            before = json.loads(row["before"]) if row["before"] is not None else None
            where = " AND ".join(f"{name} = ?" for name in key)
            if before is None:
                metadata.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))
            elif not key:
                places = ", ".join("?" * len(before))
                names = ", ".join(before)
                metadata.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", tuple(before.values()))
            elif before:
                changes = ", ".join(f"{name} = ?" for name in before)
                values = (*before.values(), *key.values())
                metadata.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)


def _known_table(name: str, operation: int) -> str:
    if name not in {table.name for table in TABLES}:
        raise StateError(
            f"the undo data of operation {operation} is damaged", hint="intermem doctor --repair; git has the documents"
        )
    return name


def prune_undo_log(metadata: Metadata, keep: int) -> None:
    """Drop images and intents of all but the newest ``keep`` operations, and beyond ``MAX_IMAGES`` rows."""
    kept = metadata.fetch("SELECT id FROM operations WHERE kept ORDER BY id DESC")
    counts = {row[0]: row[1] for row in metadata.fetch("SELECT operation_id, count(*) FROM images GROUP BY 1")}
    rows = 0
    for place, (number,) in enumerate(kept):
        rows += counts.get(number, 0)
        if place >= keep or rows > MAX_IMAGES:
            metadata.execute("DELETE FROM images WHERE operation_id <= ?", (number,))
            metadata.execute("DELETE FROM intents WHERE operation_id <= ?", (number,))
            metadata.execute("UPDATE operations SET kept = 0 WHERE kept AND id <= ?", (number,))
            return


def _trigger(table: _Table, event: str) -> str:
    row = "OLD" if event == "DELETE" else "NEW"
    watched = f"UPDATE OF {', '.join((*table.key, *table.columns))}" if event == "UPDATE" else event
    only = f" AND {table.only.format(row=row)}" if table.only else ""
    key = "NULL" if event == "DELETE" else _object(table.key, "NEW")
    before = {
        "INSERT": "NULL",
        "UPDATE": _changed((*table.key, *table.columns)),
        "DELETE": _object((*table.key, *table.columns, *_UNTOUCHED.get(table.name, ())), "OLD"),
    }[event]
    return (
        f"CREATE TRIGGER {table.name}_{event.lower()}_kept AFTER {watched} ON {table.name}"
        f" WHEN EXISTS (SELECT 1 FROM recording){only} BEGIN\n"
        f"    INSERT INTO images (operation_id, relation, row, before)\n"
        f"    SELECT operation_id, '{table.name}', {key}, {before} FROM recording;\n"
        f"END;"
    )


def _object(names: Sequence[str], row: str) -> str:
    pairs = ", ".join(f"'{name}', {row}.{name}" for name in names)
    return f"json_object({pairs})"


def _changed(names: Sequence[str]) -> str:
    """Return SQL for the old values of the changed columns, as a JSON object."""
    parts = " || ".join(
        f"CASE WHEN OLD.{name} IS NOT NEW.{name} THEN ',\"{name}\":' || json_quote(OLD.{name}) ELSE '' END"
        for name in names
    )
    return f"'{{' || ltrim({parts}, ',') || '}}'"
