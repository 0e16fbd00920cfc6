"""Copy what can be read out of a damaged metadata.db into a new one."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from intermem.core.times import format_time
from intermem.storage import schema
from intermem.storage.columns import BY_NAME, STRINGS
from intermem.storage.connection import private_connection, put_new_database
from intermem.storage.integrity import REBUILD_PENDING, unreadable_values
from intermem.storage.metadata import translated
from intermem.storage.step_limit import StepLimit
from intermem.storage.sync import sync_path

# Of when a note was seen, what else tells: it stood in the memory then.
_SEEN = ("first_seen", "counted_at", "promoted_at", "last_seen")


def salvage(path: Path, now: datetime) -> tuple[Path, int, list[tuple[str, str]]]:
    """Set a damaged database aside and replace it by one with every record that can be read.

    Returns where the old one is kept, how many records were saved, and entry and column of each time of seeing
    that could not be read: the nearest that its record has stands for it, else ``now``. The caller holds the lock.
    Raises StateError, with the old database still in place.
    """
    with translated(str(path)):
        return _salvaged(path, now)


def _salvaged(path: Path, now: datetime) -> tuple[Path, int, list[tuple[str, str]]]:
    kept = _free_name(path)
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy, path.open("rb") as old:
        shutil.copyfileobj(old, copy)
        copy.flush()
        os.fsync(copy.fileno())
    sync_path(kept.parent)
    saved = 0
    supposed: list[tuple[str, str]] = []

    def build(new: Path) -> None:
        nonlocal saved, supposed
        with contextlib.closing(private_connection(new)) as connection:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            schema.create(connection)
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as old:
                _copy_rows(old, connection)
            supposed = _repair_values(connection, format_time(now))
            saved = connection.execute("SELECT count(*) FROM memory_entries").fetchone()[0]
            connection.execute("INSERT INTO meta VALUES (?, '1')", (REBUILD_PENDING,))

    # The write-ahead log belongs to the old file: SQLite would apply it to the new one.
    log = path.with_name(path.name + "-wal")
    put_new_database(path, build, before=lambda: _move_away(log, kept.with_name(kept.name + "-wal")))
    return kept, saved, supposed


def _repair_values(connection: sqlite3.Connection, now: str) -> list[tuple[str, str]]:
    """Replace values that cannot be read: a time by another of its record, ``now`` or NULL, a text by an empty one.

    Return entry and column of each time for which another stands.
    """
    supposed: list[tuple[str, str]] = []
    unreadable = unreadable_values(connection)
    lost = {(key, name) for key, name, _ in unreadable}
    for key, name, value in unreadable:
        if name == "evidence":
            connection.execute(
                "UPDATE citations SET evidence = '{}' WHERE entry_hash = ? AND evidence = ?", (key, value)
            )
            continue
        column = BY_NAME[name]
        new = "[]" if column.codec is STRINGS else None
        if name in _SEEN and column.is_required:
            others = [one for one in _SEEN if (key, one) not in lost]
            known = connection.execute(f"SELECT {', '.join(others)} FROM memory_entries WHERE entry_hash = ?", (key,))
            times = sorted(filter(None, known.fetchone())) if others else []
            new = next(iter(times if name == "first_seen" else reversed(times)), now)
            supposed.append((key, name))
        connection.execute(f"UPDATE memory_entries SET {name} = ? WHERE entry_hash = ?", (new, key))
    return supposed


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy the readable rows of each table, from both of its ends up to the damage."""
    tables = [
        row[0]
        for row in new.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    ]
    new.execute("BEGIN IMMEDIATE")
    for table in tables:
        if table.startswith(("sqlite_", "entries_fts", "recording")):
            continue
        columns = [row[1] for row in new.execute(f"PRAGMA table_info({table})")]
        have = _columns(old, table)
        names = [name for name in columns if name in have]
        if not names:
            continue
        statement = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        for row in _readable(old, table, names):
            with contextlib.suppress(sqlite3.Error):  # a value that the schema rejects
                new.execute(statement, row)
    for table in ("citations", "citation_checks", "sources", "sessions", "aliases", "feedback"):
        new.execute(f"DELETE FROM {table} WHERE entry_hash NOT IN (SELECT entry_hash FROM memory_entries)")
    for table in ("intents", "images"):
        new.execute(f"DELETE FROM {table} WHERE operation_id NOT IN (SELECT id FROM operations)")
    new.execute("UPDATE history SET operation_id = NULL WHERE operation_id NOT IN (SELECT id FROM operations)")
    new.execute("UPDATE operations SET kept = 0")  # images may be missing
    new.execute("COMMIT")


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    with contextlib.suppress(sqlite3.Error):
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return set()


def _readable(connection: sqlite3.Connection, table: str, names: list[str]) -> Iterator[tuple[object, ...]]:
    listed = ", ".join(names)
    limit = StepLimit(connection)  # a view in place of a table could hide a query that does not end
    for order in ("", " ORDER BY 1 DESC"):
        limit.begin_read()
        try:
            yield from connection.execute(f"SELECT {listed} FROM {table} NOT INDEXED{order}")
        except sqlite3.Error:
            continue
        return


def _free_name(path: Path) -> Path:
    number = 1
    while os.path.lexists(path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    return path.with_name(f"{path.name}.damaged-{number}")


def _move_away(log: Path, kept: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        log.replace(kept)
    with contextlib.suppress(FileNotFoundError):
        log.with_name(log.name.removesuffix("-wal") + "-shm").unlink()
