"""Integrity check of metadata.db (pages, indexes, full-text index, schema, values), and repair of its indexes."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from intermem.errors import IntermemError, StateError
from intermem.lazy_dataclass import dataclass
from intermem.storage import migrations, schema
from intermem.storage.columns import COLUMNS, STRINGS, TIME, Codec
from intermem.storage.metadata import Metadata, translated

REBUILD_PENDING = "unlearnt"  # in meta: rows were salvaged, the records are not rebuilt yet

# What REINDEX repairs, of what PRAGMA integrity_check reports; anything else is in the rows themselves.
_INDEX_ONLY = ("missing from index", "wrong # of entries in index", "non-unique entry in index")


@dataclass(frozen=True, slots=True)
class Defect:
    """Something wrong with metadata.db. ``kind`` is damaged, index, schema, or other (which no repair helps)."""

    kind: str
    message: str


def check_integrity(path: Path) -> list[Defect]:
    """Return what is wrong with the database at ``path``; nothing if there is none. Writes nothing.

    It works on a copy in memory, since the statement that checks a full-text index is a write.
    """
    if not os.path.lexists(path) or not path.is_file() or not path.stat().st_size:
        return []
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA query_only = ON")
                connection.backup(copy)
            return _defects_in(copy, path)
        except StateError as error:
            return [Defect("other", error.message)]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return [_defect_of(error)]


def _defects_in(copy: sqlite3.Connection, path: Path) -> list[Defect]:
    messages = [row[0] for row in copy.execute("PRAGMA integrity_check(20)")]
    if messages != ["ok"]:
        rows = [one for one in messages if not any(words in one for words in _INDEX_ONLY)]
        return [Defect("damaged", rows[0])] if rows else [Defect("index", messages[0])]
    version = migrations.checked_version(copy, path)
    if version != schema.VERSION:  # the next command that writes migrates it, if it can be
        return [Defect("schema", problem)] if version and (problem := _migration_problem(copy)) else []
    difference = schema.first_difference(copy)
    if difference is not None:
        return [Defect("schema", difference)]
    return _differences(copy) or _unreadable(copy)


def _migration_problem(copy: sqlite3.Connection) -> str:
    """Return why a database of an older version cannot be migrated; empty if it can. Migrates the ``copy``."""
    try:
        migrations.migrate(copy)
    except StateError as error:
        return schema.first_difference(copy) or error.message
    except sqlite3.Error as error:
        return f"it cannot be migrated ({error})"
    return ""


def repair_indexes(path: Path) -> bool:
    """Recreate indexes, triggers and the full-text index from the rows, in one transaction.

    Returns False, with nothing changed, if the rows themselves are damaged. The caller holds the
    lock. Raises StateError if the file cannot be written.
    """
    with translated(str(path)):
        try:
            _recreate_indexes(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
    return all(one.kind == "other" for one in check_integrity(path))


def _recreate_indexes(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        for name, kind in connection.execute(
            "SELECT name, type FROM sqlite_schema WHERE type IN ('trigger', 'view', 'index') AND sql IS NOT NULL"
        ).fetchall():
            connection.execute(f'DROP {kind} "{name}"')
        connection.execute("DROP TABLE IF EXISTS entries_fts")
        present = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        for statement in schema.statements_of(schema.TABLES):
            if not any(f"TABLE {name} " in statement for name in present):
                connection.execute(statement)
        connection.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
        connection.execute("REINDEX")
        connection.execute("COMMIT")


def needs_rebuild(metadata: Metadata) -> bool:
    """Return whether the records must be rebuilt: after ``salvage``, or because nothing was ever written."""
    rows = metadata.fetch(
        "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?) OR NOT EXISTS (SELECT 1 FROM memory_entries)"
        " AND NOT EXISTS (SELECT 1 FROM operations) AND NOT EXISTS (SELECT 1 FROM snapshots)",
        (REBUILD_PENDING,),
    )
    return bool(rows[0][0])


def set_rebuilt(metadata: Metadata) -> None:
    """Note that the records were rebuilt, inside the caller's transaction."""
    metadata.execute("DELETE FROM meta WHERE key = ?", (REBUILD_PENDING,))


def _defect_of(error: Exception) -> Defect:
    text = str(error)
    is_damage = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    is_damage = is_damage or isinstance(error, UnicodeDecodeError) or "malformed" in text or "decode" in text
    return Defect("damaged" if is_damage else "other", text)


_CHECKED = tuple((column.name, column.codec) for column in COLUMNS if column.codec in (TIME, STRINGS))


def _unreadable(copy: sqlite3.Connection) -> list[Defect]:
    """Return the first value that cannot be read: it would stop every command."""
    found = [f"entry {key}, {name}: {value!r}" for key, name, value in unreadable_values(copy)]
    return [Defect("damaged", f"{found[0]} cannot be read")] if found else []


def unreadable_values(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return entry, column and value of each time and each JSON text that cannot be read."""
    found: list[tuple[str, str, str]] = []
    names = ", ".join(name for name, _ in _CHECKED)
    for key, *row in connection.execute(f"SELECT entry_hash, {names} FROM memory_entries"):
        for (name, codec), value in zip(_CHECKED, row, strict=True):
            if value is not None and not _is_readable(value, codec):
                found.append((key, name, value))
    for key, evidence in connection.execute("SELECT entry_hash, evidence FROM citations"):
        found += [(key, "evidence", evidence)] if not _is_readable(evidence, STRINGS) else []
    return found


def _is_readable(value: str, codec: Codec) -> bool:
    try:
        codec.read(value, "", "")
    except (IntermemError, TypeError):  # a TypeError where it is JSON, but no list
        return False
    return True


def _differences(copy: sqlite3.Connection) -> list[Defect]:
    """Return what is wrong with the full-text index and with references between tables. Writes to ``copy``."""
    found: list[Defect] = []
    try:
        copy.execute("INSERT INTO entries_fts (entries_fts, rank) VALUES ('integrity-check', 1)")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        found.append(Defect("index", "the full-text index does not match the entries"))
    orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        found.append(Defect("damaged", f"a row of {orphans[0][0]} refers to a row that does not exist"))
    return found
