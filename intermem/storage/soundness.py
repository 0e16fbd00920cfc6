"""Whether metadata.db is whole: its pages, its indexes, its full-text index, its schema; and what can be mended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from intermem.core.times import format_time, parse_time
from intermem.errors import IntermemError, StateError
from intermem.storage import migrations, schema
from intermem.storage.metadata import Metadata, translated
from intermem.storage.opening import private_connection, put_new_database, sync_path

_UNLEARNT = "unlearnt"

# Of PRAGMA integrity_check, what REINDEX mends; anything else is about the rows themselves.
_INDEX_ONLY = ("missing from index", "wrong # of entries in index", "non-unique entry in index")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong with metadata.db: ``kind`` is damaged, index, schema or other (not ours to mend)."""

    kind: str
    said: str


def troubles_of(path: Path) -> list[Trouble]:
    """Return what is wrong with the database at ``path``, nothing where there is none; writes nothing.

    It is looked at in a copy in memory, since a full-text index is checked by a statement that writes.
    """
    if not os.path.lexists(path) or not path.is_file() or not path.stat().st_size:
        return []
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only = ON")
            copy = sqlite3.connect(":memory:", isolation_level=None)
            connection.backup(copy)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [_trouble_of(error)]
    with contextlib.closing(copy):
        try:
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
    return all(one.kind == "other" for one in troubles_of(path))


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


def salvage(path: Path, now: datetime) -> tuple[Path, int]:
    """Put a damaged database aside and a new one in its place with every record that can be read.

    A time of an entry that cannot be read becomes ``now``.

    Returns where the old one is kept, and how many records were saved. The caller holds the lock.
    Raises StateError, with the old one where it was.
    """
    with translated(str(path)):
        return _salvaged(path, now)


def _salvaged(path: Path, now: datetime) -> tuple[Path, int]:
    kept = _free_name(path)
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy, path.open("rb") as old:
        shutil.copyfileobj(old, copy)
        copy.flush()
        os.fsync(copy.fileno())
    sync_path(kept.parent)
    saved = 0

    def build(new: Path) -> None:
        nonlocal saved
        with contextlib.closing(private_connection(new)) as connection:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            schema.create(connection)
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as old:
                _copy_rows(old, connection)
            _mend_values(connection, format_time(now))
            saved = connection.execute("SELECT count(*) FROM memory_entries").fetchone()[0]
            connection.execute("INSERT INTO meta VALUES (?, '1')", (_UNLEARNT,))

    # The log belongs to the old file: beside the new one it would be read as its own.
    log = path.with_name(path.name + "-wal")
    put_new_database(path, build, before=lambda: _move_away(log, kept.with_name(kept.name + "-wal")))
    return kept, saved


def is_unlearnt(metadata: Metadata) -> bool:
    """Return whether records are to be learnt anew: after ``salvage``, or where nothing was ever written."""
    rows = metadata.fetch(
        "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?) OR NOT EXISTS (SELECT 1 FROM memory_entries)"
        " AND NOT EXISTS (SELECT 1 FROM operations) AND NOT EXISTS (SELECT 1 FROM snapshots)",
        (_UNLEARNT,),
    )
    return bool(rows[0][0])


def set_learnt(metadata: Metadata) -> None:
    """Note that records were learnt anew, inside the caller's transaction."""
    metadata.execute("DELETE FROM meta WHERE key = ?", (_UNLEARNT,))


def _trouble_of(error: Exception) -> Trouble:
    text = str(error)
    mendable = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    mendable = mendable or isinstance(error, UnicodeDecodeError) or "malformed" in text or "decode" in text
    return Trouble("damaged" if mendable else "other", text)


_TIMES = (
    "first_seen",
    "last_seen",
    "counted_at",
    "confidence_updated_at",
    "promoted_at",
    "demoted_at",
    "rejected_at",
    "pinned_until",
    "review_at",
    "last_accessed",
)


def _unreadable(copy: sqlite3.Connection) -> list[Trouble]:
    """A value that is not what it should be: it would stop every command."""
    found = [f"entry {key}, {name}: {value!r}" for key, name, value in _values_to_mend(copy)]
    return [Trouble("damaged", f"{found[0]} cannot be read")] if found else []


def _values_to_mend(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return entry, column and value of each time and each JSON text that cannot be read."""
    found: list[tuple[str, str, str]] = []
    for row in connection.execute(f"SELECT entry_hash, trail, grace_until, {', '.join(_TIMES)} FROM memory_entries"):
        names = ("grace_until", *_TIMES)
        found += [(row[0], "trail", row[1])] if not _is_json(row[1]) else []
        found += [(row[0], name, value) for name, value in zip(names, row[2:], strict=True) if not _is_time(value)]
    for key, evidence in connection.execute("SELECT entry_hash, evidence FROM citations"):
        found += [(key, "evidence", evidence)] if not _is_json(evidence) else []
    return found


def _is_time(value: str | None) -> bool:
    try:
        return value is None or bool(parse_time(value, whose=""))
    except IntermemError:
        return False


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except ValueError:
        return False
    return True


def _mend_values(connection: sqlite3.Connection, now: str) -> None:
    """Replace what cannot be read: a time by ``now`` or none, a trail or evidence by an empty one."""
    for key, name, value in _values_to_mend(connection):
        if name == "evidence":
            connection.execute(
                "UPDATE citations SET evidence = '{}' WHERE entry_hash = ? AND evidence = ?", (key, value)
            )
            continue
        new = "[]" if name == "trail" else now if name in ("first_seen", "last_seen") else None
        connection.execute(f"UPDATE memory_entries SET {name} = ? WHERE entry_hash = ?", (new, key))


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


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy what can be read of each table, from both ends of it up to the damage."""
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
            with contextlib.suppress(sqlite3.Error):  # a value that the schema does not take
                new.execute(statement, row)
    for table in ("citations", "citation_checks", "sources", "sessions", "aliases", "feedback"):
        new.execute(f"DELETE FROM {table} WHERE entry_hash NOT IN (SELECT entry_hash FROM memory_entries)")
    for table in ("intents", "images"):
        new.execute(f"DELETE FROM {table} WHERE operation_id NOT IN (SELECT id FROM operations)")
    new.execute("UPDATE history SET operation_id = NULL WHERE operation_id NOT IN (SELECT id FROM operations)")
    new.execute("UPDATE operations SET kept = 0")  # whether every image was saved cannot be known
    new.execute("COMMIT")


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    with contextlib.suppress(sqlite3.Error):
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return set()


def _readable(connection: sqlite3.Connection, table: str, names: list[str]) -> Iterator[tuple[object, ...]]:
    listed = ", ".join(names)
    for order in ("", " ORDER BY 1 DESC"):
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
