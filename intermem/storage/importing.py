"""Import the rows of an older database: of phase 1, or of an intermem that kept its state in the tree.

Such a file may have been written by anybody. It is opened without its journal, only its tables are read, every value
is checked, and what it says is to be done to documents is not looked at. A count of snapshots opens no gate.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from intermem.core.entries.identity import identity
from intermem.entities import FULL
from intermem.errors import IntermemError, StateError, UnreadableTime
from intermem.storage import phase_one
from intermem.storage.columns import COLUMNS
from intermem.storage.imported_values import MAX_COUNT, MAX_NAME, insert, is_id, time_of, within
from intermem.storage.schema import VERSION, create, version_of
from intermem.storage.step_limit import StepLimit

_UNKNOWN = "1970-01-01T00:00:00Z"  # when no row says a time
_MAX_BYTES = 8 * 1024 * 1024  # of one value

Row = Mapping[str, object]

# Of our own older versions: what is known about entries. Citations are extracted anew from their texts.
_OWN_TABLES = ("memory_entries", "sources", "sessions", "aliases", "feedback", "history")


def import_into(connection: sqlite3.Connection, source: Path) -> None:
    """Create our tables in the empty database ``connection``, and fill them with the rows of ``source``.

    A row with a value that no intermem writes is left out; the history says how many. Raises StateError, naming
    ``source``, if it is not a database of ours, or was not closed.
    """
    try:
        _import(connection, source)
    except sqlite3.DatabaseError as error:
        raise StateError(
            f"{source} cannot be imported ({error}); nothing was changed",
            hint="move it away: this clone has no records of its own yet, and learns them from the memory",
        ) from None
    except UnreadableTime as error:
        hint = f"correct it in {source}, or move the file away"
        raise UnreadableTime(f"{error.message}; nothing was imported", hint=hint) from None


def _import(connection: sqlite3.Connection, source: Path) -> None:
    with contextlib.closing(_opened(source)) as old:
        limit = StepLimit(old)
        limit.begin_read()
        version = version_of(old)
        if version is None or not 0 <= version <= VERSION:
            raise _stranger(source)
        tables = phase_one.TABLES if version == 0 else dict.fromkeys(_OWN_TABLES, frozenset[str]())
        rows = {name: _rows(old, name, known, source, limit) for name, known in tables.items()}
        create(connection)
        connection.execute("BEGIN IMMEDIATE")
        if version == 0:
            taken, refused = phase_one.take_rows(connection, rows)
        else:
            taken, refused = _take_own(connection, rows, recompute=version == 1)
        _note(connection, rows["memory_entries"], taken, refused)
        connection.execute("COMMIT")


def _opened(source: Path) -> sqlite3.Connection:
    """Open a file without its journal or log: rolling them back would write, and could delete other files."""
    for suffix in ("-wal", "-journal"):
        beside = source.with_name(source.name + suffix)
        if os.path.lexists(beside) and (not beside.is_file() or beside.is_symlink() or beside.stat().st_size):
            raise StateError(
                f"{source} was not closed: {beside.name} lies beside it; nothing was imported",
                hint=f"if it is yours, open it once with: sqlite3 {source} 'PRAGMA wal_checkpoint(TRUNCATE)'",
            )
    place = quote(os.fsencode(source))
    connection = sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _stranger(source: Path, why: str = "") -> StateError:
    return StateError(f"{source} is not an intermem database{why}; nothing was changed", hint="move it away")


def _rows(
    old: sqlite3.Connection, table: str, known: frozenset[str], source: Path, limit: StepLimit
) -> list[dict[str, object]]:
    """Return the rows of an ordinary table, none where there is no such table; ``known`` columns and no others."""
    limit.begin_read()
    found = old.execute("SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE", (table,)).fetchall()
    if not found:
        if table == "memory_entries":
            raise _stranger(source)
        return []
    if len(found) > 1 or found[0][0] != "table" or str(found[0][1]).upper().startswith("CREATE VIRTUAL"):
        raise _stranger(source)
    columns = [(row[1], row[6]) for row in old.execute(f"PRAGMA table_xinfo({table})")]
    names = [name for name, _ in columns]
    is_ours = all(not hidden and re.fullmatch(r"[a-z_]+", name) for name, hidden in columns)
    if not is_ours or ("entry_hash" not in names and table in ("memory_entries", "citations")):
        raise _stranger(source)
    if known and not known.issuperset(names):
        strange = next(name for name in names if name not in known)
        raise _stranger(source, f" of phase 1: {table} has a column {strange}")
    limit.begin_read()
    listed = ", ".join(f'"{name}"' for name in names)
    return [dict(zip(names, row, strict=True)) for row in old.execute(f'SELECT {listed} FROM "{table}" NOT INDEXED')]


def _take_own(
    connection: sqlite3.Connection, rows: Mapping[str, list[dict[str, object]]], *, recompute: bool
) -> tuple[int, int]:
    """Take the rows of versions 1 and later; version 1 normalised texts in another way, so it has other ids."""
    renamed: dict[object, str] = {}
    taken: set[str] = set()
    for row in rows["memory_entries"]:
        old = row["entry_hash"]
        if recompute and isinstance(row.get("content"), str) and is_id(old):
            row = {**row, "entry_hash": identity(str(row["content"]))}
        values = _own_entry(row)
        if values is None or values["entry_hash"] in taken:
            continue
        insert(connection, "memory_entries", values)
        renamed[old] = str(row["entry_hash"])
        taken.add(renamed[old])
    for old, new in renamed.items():
        if old != new:
            insert(connection, "aliases", {"alias": old, "entry_hash": new})
    for table in _OWN_TABLES[1:]:
        for row in rows[table]:
            values = _own_row(table, {**row, "entry_hash": renamed.get(row.get("entry_hash"))})
            if values is not None:
                with contextlib.suppress(sqlite3.IntegrityError):  # it is there twice
                    insert(connection, table, values)
    return len(taken), len(rows["memory_entries"]) - len(taken)


def _own_entry(row: Row) -> dict[str, object] | None:
    """Return the columns of a row if its text has its id and every value can be read, else None."""
    text = row.get("content")
    if not is_id(row["entry_hash"]) or not (text is None or isinstance(text, str)):
        return None
    if isinstance(text, str) and identity(text) != row["entry_hash"]:
        return None
    values = {column.name: row[column.name] for column in COLUMNS if column.name in row}
    for column in COLUMNS:
        value = values.get(column.name)
        if value is None:
            if column.name in values and column.is_required:
                return None
            continue
        if isinstance(value, str) != ("TEXT" in column.sql) or not isinstance(value, str | int):
            return None
        if column.name not in ("content", "content_preview") and isinstance(value, str) and len(value) > MAX_NAME:
            return None
        if isinstance(value, int) and not -MAX_COUNT <= value <= MAX_COUNT:
            return None
        if column.codec is not None and not _is_readable(value, column.codec.read):
            return None
    values["imported_count"] = values["snapshot_count"] = within(values.get("snapshot_count"), 1, MAX_COUNT)
    in_range = all(0 <= int(str(values.get(name, 0))) <= FULL for name in ("confidence", "base_confidence"))
    return values if in_range and values.get("status", "active") in ("active", "stale", "demoted") else None


def _is_readable(value: object, read: object) -> bool:
    try:
        read(value, "", "")  # type: ignore[operator]
    except (IntermemError, ValueError, TypeError):
        return False
    return True


_OWN_ROWS: Mapping[str, Mapping[str, type]] = {
    "sources": {"entry_hash": str, "source_file": str, "first_line": int, "last_line": int},
    "sessions": {"entry_hash": str, "session_id": str},
    "aliases": {"alias": str, "entry_hash": str},
    "feedback": {
        "entry_hash": str,
        "at": str,
        "kind": str,
        "severity": str,
        "amount": int,
        "context": str,
        "note": str,
    },
    "history": {"at": str, "entry_hash": str, "event": str, "detail": str, "cause": str},
}


def _own_row(table: str, row: Row) -> dict[str, object] | None:
    """Return the columns of a row of another table, None if it belongs to no entry or a value is of another type."""
    kinds = _OWN_ROWS[table]
    values = {name: row[name] for name in kinds if name in row}
    fits = all(type(value) is kinds[name] for name, value in values.items()) and "entry_hash" in values
    if not fits or (table == "aliases" and not is_id(values.get("alias"))):
        return None
    return values


def _note(connection: sqlite3.Connection, rows: Iterable[Row], taken: int, refused: int) -> None:
    """Note in the history what was imported, at the time when the newest row was seen."""
    times = sorted(one for row in rows if (one := _readable(row.get("last_seen"))))
    if refused:
        detail = f"{taken} entries; {refused} left out: their text does not have their id, or a value is none"
        insert(connection, "history", {"at": times[-1] if times else _UNKNOWN, "event": "imported", "detail": detail})


def _readable(value: object) -> str | None:
    with contextlib.suppress(UnreadableTime):
        return time_of(value, "")
    return None
