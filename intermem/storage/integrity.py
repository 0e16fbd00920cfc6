"""Whether metadata.db is whole: its pages, its indexes, its full-text index, its schema; and what can be mended."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from intermem.errors import IntermemError, StateError
from intermem.storage import migrations, schema
from intermem.storage.columns import COLUMNS, STRINGS, TIME, Codec
from intermem.storage.metadata import Metadata, translated

UNLEARNT = "unlearnt"

# Of PRAGMA integrity_check, what REINDEX mends; anything else is about the rows themselves.
_INDEX_ONLY = ("missing from index", "wrong # of entries in index", "non-unique entry in index")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong with metadata.db: ``kind`` is damaged, index, schema or other (not ours to mend)."""

    kind: str
    said: str


def check_integrity(path: Path) -> list[Trouble]:
    """Return what is wrong with the database at ``path``, nothing where there is none; writes nothing.

    It is looked at in a copy in memory, since a full-text index is checked by a statement that writes.
    """
    if not os.path.lexists(path) or not path.is_file() or not path.stat().st_size:
        return []
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA query_only = ON")
                connection.backup(copy)
            return _troubles_in(copy, path)
        except StateError as error:
            return [Trouble("other", error.message)]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return [_trouble_of(error)]


def _troubles_in(copy: sqlite3.Connection, path: Path) -> list[Trouble]:
    said = [row[0] for row in copy.execute("PRAGMA integrity_check(20)")]
    if said != ["ok"]:
        rows = [one for one in said if not any(words in one for words in _INDEX_ONLY)]
        return [Trouble("damaged", rows[0])] if rows else [Trouble("index", said[0])]
    if migrations.checked_version(copy, path) != schema.VERSION:
        return []  # it is migrated as a whole by the next command that writes
    return _differences(copy) or _unreadable(copy)


def mend_indexes(path: Path) -> bool:
    """Make indexes, triggers and the full-text index anew from the rows, in one transaction.

    Returns False, with nothing changed, where the rows themselves are damaged. The caller holds the
    lock. Raises StateError where the file system refuses.
    """
    with translated(str(path)):
        try:
            _make_indexes_anew(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
    return all(one.kind == "other" for one in check_integrity(path))


def _make_indexes_anew(path: Path) -> None:
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


def is_unlearnt(metadata: Metadata) -> bool:
    """Return whether records are to be learnt anew: after ``salvage``, or where nothing was ever written."""
    rows = metadata.fetch(
        "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?) OR NOT EXISTS (SELECT 1 FROM memory_entries)"
        " AND NOT EXISTS (SELECT 1 FROM operations) AND NOT EXISTS (SELECT 1 FROM snapshots)",
        (UNLEARNT,),
    )
    return bool(rows[0][0])


def set_learnt(metadata: Metadata) -> None:
    """Note that records were learnt anew, inside the caller's transaction."""
    metadata.execute("DELETE FROM meta WHERE key = ?", (UNLEARNT,))


def _trouble_of(error: Exception) -> Trouble:
    text = str(error)
    mendable = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    mendable = mendable or isinstance(error, UnicodeDecodeError) or "malformed" in text or "decode" in text
    return Trouble("damaged" if mendable else "other", text)


_CHECKED = tuple((column.name, column.codec) for column in COLUMNS if column.codec in (TIME, STRINGS))


def _unreadable(copy: sqlite3.Connection) -> list[Trouble]:
    """A value that is not what it should be: it would stop every command."""
    found = [f"entry {key}, {name}: {value!r}" for key, name, value in values_to_mend(copy)]
    return [Trouble("damaged", f"{found[0]} cannot be read")] if found else []


def values_to_mend(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
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


def _differences(copy: sqlite3.Connection) -> list[Trouble]:
    """What the schema and the full-text index lack, in a copy that may be written to."""
    found: list[Trouble] = []
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        schema.create(fresh)
        lacking = sorted(set(_objects(fresh).items()) - set(_objects(copy).items()))
    if lacking:
        found.append(Trouble("schema", f"{lacking[0][0]} is missing or not as it was made"))
        return found
    try:
        copy.execute("INSERT INTO entries_fts (entries_fts, rank) VALUES ('integrity-check', 1)")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        found.append(Trouble("index", "the full-text index does not agree with the entries"))
    orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        found.append(Trouble("damaged", f"a row of {orphans[0][0]} belongs to no entry"))
    return found


def _objects(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    named = {f"{kind} {name}": " ".join(sql.split()) for kind, name, sql in rows}
    return {key: "" if key.startswith("table ") else sql for key, sql in named.items()}
