"""Migrate older databases: phase 1 of S4 (with or without its phase-2A columns), and versions 1 to 5."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping

from intermem.core.entries.identity import identity
from intermem.core.times import format_time, parse_time
from intermem.errors import IntermemError, StateError
from intermem.storage.schema import TABLES, VERSION, statements_of, version_of

_MARKER = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_PHASE_ONE_TABLES = ("memory_entries", "citations", "citation_checks")
_PHASE_ONE_KINDS = {"file_path": "path", "file": "path", "directory": "dir"}


def checked_version(connection: sqlite3.Connection, where: object) -> int:
    """Return the schema version of a database that this intermem can open; 0 is phase 1.

    Raises StateError for one of a newer intermem or of another program, naming it ``where``.
    """
    version = version_of(connection)
    if version is None or not 0 <= version <= VERSION or "entry_hash" not in _columns(connection, "memory_entries"):
        if version is not None and version > VERSION:
            raise StateError(
                f"{where} has version {version}, newer than this intermem knows ({VERSION}); nothing was changed",
                hint="upgrade intermem",
            )
        raise StateError(
            f"{where} is not an intermem database; nothing was changed",
            hint="move it away, or set another state_dir",
        )
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate a database that ``checked_version`` accepts to the current version, each step in a transaction."""
    version = version_of(connection)
    if version == 0:
        _from_phase_one(connection)
    if version == 1:
        _to_second_version(connection)
    if version in (1, 2):
        _to_third_version(connection)
    if version in (1, 2, 3):
        _to_fourth_version(connection)
    if version in (1, 2, 3, 4):
        _to_fifth_version(connection)
    if version in (1, 2, 3, 4, 5):
        _to_sixth_version(connection)


# Version 2 records what people did to the documents.
_SECOND_VERSION = (
    "ALTER TABLE memory_entries ADD COLUMN missing_from TEXT",
    "ALTER TABLE memory_entries ADD COLUMN grace_until TEXT",
    "ALTER TABLE memory_entries ADD COLUMN superseded_by TEXT",
    "ALTER TABLE memory_entries ADD COLUMN feedback INTEGER NOT NULL DEFAULT 0",
)


def _to_second_version(connection: sqlite3.Connection) -> None:
    """Add the columns, and recompute identities: normalisation now covers tables and quotes."""
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SECOND_VERSION:
        connection.execute(statement)
    known = dict(connection.execute("SELECT entry_hash, content FROM memory_entries ORDER BY id").fetchall())
    for old, text in known.items():
        new = identity(text) if text is not None else old
        if new != old:
            _rename(connection, old, new)
    connection.execute("PRAGMA user_version = 2")
    connection.execute("COMMIT")


# Version 3 has citations of every kind, and caches what git history says of paths.
_THIRD_VERSION = (
    "ALTER TABLE citations RENAME COLUMN path TO name",
    "ALTER TABLE citations ADD COLUMN anchor TEXT",
    "CREATE TABLE path_events (path BLOB PRIMARY KEY, commit_id TEXT NOT NULL, date TEXT NOT NULL, renamed_to BLOB)"
    " STRICT, WITHOUT ROWID",
)


def _to_third_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _THIRD_VERSION:
        connection.execute(statement)
    connection.execute("PRAGMA user_version = 3")
    connection.execute("COMMIT")


# Version 4 can undo operations, though none of earlier versions; and an intent may remove a file.
_FOURTH_VERSION = (
    "ALTER TABLE operations ADD COLUMN undoes TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE operations ADD COLUMN undone_by INTEGER",
    "ALTER TABLE operations ADD COLUMN kept INTEGER NOT NULL DEFAULT 1",
    "UPDATE operations SET kept = 0",
    "DROP INDEX intents_by_operation",
    "ALTER TABLE intents RENAME TO old_intents",
)


def _to_fourth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _FOURTH_VERSION:
        connection.execute(statement)
    for statement in statements_of(TABLES):
        if any(name in statement for name in _NEW_IN_FOURTH):
            connection.execute(statement)
    connection.execute("INSERT INTO intents SELECT * FROM old_intents")
    connection.execute("DROP TABLE old_intents")
    connection.execute("PRAGMA user_version = 4")
    connection.execute("COMMIT")


_NEW_IN_FOURTH = (
    "TABLE intents",
    "INDEX intents_by",
    "TABLE images",
    "INDEX images_by",
    "TABLE recording",
)

# Version 5 has pins that expire, a table of feedback, and the cause of each event.
_FIFTH_VERSION = (
    "ALTER TABLE memory_entries ADD COLUMN pinned_until TEXT",
    "ALTER TABLE memory_entries ADD COLUMN review_at TEXT",
    "ALTER TABLE history ADD COLUMN cause TEXT NOT NULL DEFAULT ''",
    # Until then every demoted entry had once been in a document.
    "UPDATE memory_entries SET promoted_at = coalesce(demoted_at, last_seen)"
    " WHERE status = 'demoted' AND promoted_at IS NULL",
)
_NEW_IN_FIFTH = ("TABLE feedback", "INDEX feedback_by")


def _to_fifth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _FIFTH_VERSION:
        connection.execute(statement)
    for statement in statements_of(TABLES):
        if any(name in statement for name in _NEW_IN_FIFTH):
            connection.execute(statement)
    connection.execute("PRAGMA user_version = 5")
    connection.execute("COMMIT")


# Version 6 counts imported snapshots apart, remembers what was purged, and has checksums with a key: what earlier
# versions journaled cannot be told from what a stranger wrote, so it is neither completed nor undone.
_SIXTH_VERSION = (
    "ALTER TABLE memory_entries ADD COLUMN imported_count INTEGER NOT NULL DEFAULT 0",
    "DELETE FROM images",
    "DELETE FROM intents",
    "UPDATE operations SET state = 'settled' WHERE state = 'pending'",
    "UPDATE operations SET kept = 0, checksum = ''",
)
_NEW_IN_SIXTH = ("TABLE purged", "_kept AFTER")


def _to_sixth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    kept = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\\_kept' ESCAPE '\\'"
    for (name,) in connection.execute(kept).fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')  # they name the columns, so they are recreated
    for statement in _SIXTH_VERSION:
        connection.execute(statement)
    for statement in statements_of(TABLES):
        if any(name in statement for name in _NEW_IN_SIXTH):
            connection.execute(statement)
    connection.execute("PRAGMA user_version = 6")
    connection.execute("COMMIT")


def _rename(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Rename an entry; if the new identity is taken, merge the two, keeping the one that is in a document."""
    held = "SELECT document IS NOT NULL FROM memory_entries WHERE entry_hash = ?"
    other = connection.execute(held, (new,)).fetchone()
    if other is not None:
        ours = connection.execute(held, (old,)).fetchone()
        gone, kept = (new, old) if ours[0] and not other[0] else (old, new)
        for table in ("sources", "sessions"):
            connection.execute(f"UPDATE OR IGNORE {table} SET entry_hash = ? WHERE entry_hash = ?", (kept, gone))
        for table in ("aliases", "history"):
            connection.execute(f"UPDATE {table} SET entry_hash = ? WHERE entry_hash = ?", (kept, gone))
        connection.execute(
            "UPDATE memory_entries SET first_seen = min(first_seen, other.first),"
            " last_seen = max(last_seen, other.last), snapshot_count = max(snapshot_count, other.count)"
            " FROM (SELECT first_seen AS first, last_seen AS last, snapshot_count AS count FROM memory_entries"
            " WHERE entry_hash = ?) AS other WHERE entry_hash = ?",
            (gone, kept),
        )
        connection.execute("DELETE FROM memory_entries WHERE entry_hash = ?", (gone,))
    connection.execute("UPDATE memory_entries SET entry_hash = ? WHERE entry_hash = ?", (new, old))
    connection.execute("UPDATE history SET entry_hash = ? WHERE entry_hash = ?", (new, old))
    connection.execute("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (old, new))


def _from_phase_one(connection: sqlite3.Connection) -> None:
    """Rebuild the tables of phase 1 as ours and copy every row."""
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    old = {table: _rows(connection, table) for table in _PHASE_ONE_TABLES}
    for name, kind in connection.execute(
        "SELECT name, type FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL"
    ).fetchall():
        connection.execute(f'DROP {kind} "{name}"')
    for table in _PHASE_ONE_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in statements_of(TABLES):
        connection.execute(statement)
    known = {row["entry_hash"] for row in old["memory_entries"]}
    for row in old["memory_entries"]:
        _insert_entry(connection, row)
    for row in old["citations"]:
        if row.get("entry_hash") in known:
            _insert_citation(connection, row)
    for row in old["citation_checks"]:
        if row.get("entry_hash") in known:
            _insert_check(connection, row)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys = ON")


def _insert_entry(connection: sqlite3.Connection, row: Mapping[str, object]) -> None:
    status = row.get("status") if row.get("status") in ("active", "stale", "demoted") else "active"
    first = row.get("first_seen") or row.get("last_seen") or ""
    confidence = _thousandths(row.get("confidence"))
    values = {
        "entry_hash": row["entry_hash"],
        "content_preview": _MARKER.sub("", str(row.get("content_preview") or "")),
        "section": str(row.get("section") or ""),
        "source_file": str(row.get("source_file") or ""),
        "first_seen": _time(first),
        "last_seen": _time(row.get("last_seen") or first),
        "snapshot_count": row.get("snapshot_count") or 1,
        "confidence": confidence,
        "base_confidence": confidence,
        "confidence_updated_at": _time(row.get("confidence_updated_at")),
        "status": status,
        "stale_streak": row.get("stale_streak") or 0,
        "promoted_at": _time(row.get("demoted_at") or row.get("last_seen") or first) if status == "demoted" else None,
        "demoted_at": _time(row.get("demoted_at")),
        "reason": "demoted before the import" if status == "demoted" else "",
    }
    _insert(connection, "memory_entries", values)
    detail = f"from a phase-1 database; its status was {row.get('status') or 'not set'}"
    at = values["confidence_updated_at"] or values["last_seen"]
    _insert(connection, "history", {"at": at, "entry_hash": row["entry_hash"], "event": "imported", "detail": detail})


def _insert_citation(connection: sqlite3.Connection, row: Mapping[str, object]) -> None:
    kind = str(row.get("citation_type") or "path")
    value = str(row.get("citation_value") or "")
    values = {
        "entry_hash": row["entry_hash"],
        "citation_type": _PHASE_ONE_KINDS.get(kind, kind),
        "citation_value": value,
        "name": value,
        "flags": "weak",
        "resolved_path": row.get("resolved_path"),
        "status": row.get("status"),
        "last_validated": _time(row.get("last_validated")),
    }
    _insert(connection, "citations", values)


def _insert_check(connection: sqlite3.Connection, row: Mapping[str, object]) -> None:
    names = ("citation_value", "check_type", "result", "detail", "checked_at")
    values = {name: str(row.get(name) or "") for name in names}
    _insert(connection, "citation_checks", {"entry_hash": row["entry_hash"], **values})


def _insert(connection: sqlite3.Connection, table: str, values: Mapping[str, object]) -> None:
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", dict(values))


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _rows(connection: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    names = _columns(connection, table)
    if not names:
        return []
    found = connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
    return [dict(zip(names, tuple(row), strict=True)) for row in found]


def _thousandths(value: object) -> int:
    number = value if isinstance(value, int | float) else 0.5
    return max(0, min(1000, round(number * 1000)))


def _time(value: object) -> str | None:
    """Return a time in our format; one that cannot be read stays as it is, and is refused when it is used."""
    if value is None:
        return None
    text = str(value)
    try:
        return format_time(parse_time(text, whose="phase 1"))
    except IntermemError:
        return text
