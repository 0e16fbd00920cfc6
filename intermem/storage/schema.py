"""The tables of metadata.db, and how older databases become this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from intermem.core.times import format_time, parse_time
from intermem.errors import IntermemError, StateError

VERSION = 1  # PRAGMA user_version; 0 with tables is phase 1 of S4

TABLES = """
CREATE TABLE memory_entries (
    id INTEGER PRIMARY KEY,
    entry_hash TEXT NOT NULL UNIQUE,
    content TEXT,
    content_preview TEXT NOT NULL DEFAULT '',
    section TEXT NOT NULL DEFAULT '',
    trail TEXT NOT NULL DEFAULT '[]',
    entry_type TEXT NOT NULL DEFAULT 'untyped',
    source_file TEXT NOT NULL DEFAULT '',
    first_seen TEXT NOT NULL,
    last_seen TEXT NOT NULL,
    snapshot_count INTEGER NOT NULL DEFAULT 1,
    counted_at TEXT,
    confidence INTEGER NOT NULL DEFAULT 500 CHECK (confidence BETWEEN 0 AND 1000),
    base_confidence INTEGER NOT NULL DEFAULT 500 CHECK (base_confidence BETWEEN 0 AND 1000),
    original_confidence INTEGER,
    confidence_updated_at TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'stale', 'demoted')),
    stale_streak INTEGER NOT NULL DEFAULT 0,
    promoted_at TEXT,
    demoted_at TEXT,
    rejected_at TEXT,
    reason TEXT NOT NULL DEFAULT '',
    document TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    access_count INTEGER NOT NULL DEFAULT 0,
    last_accessed TEXT,
    read_by INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX entries_by_document ON memory_entries (document) WHERE document IS NOT NULL;

CREATE TABLE citations (
    id INTEGER PRIMARY KEY,
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    citation_type TEXT NOT NULL,
    citation_value TEXT NOT NULL,
    path TEXT NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    flags TEXT NOT NULL DEFAULT '',
    resolved_path TEXT,
    status TEXT,
    evidence TEXT NOT NULL DEFAULT '{}',
    last_validated TEXT
) STRICT;
CREATE INDEX citations_by_entry ON citations (entry_hash);

CREATE TABLE citation_checks (
    id INTEGER PRIMARY KEY,
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    citation_value TEXT NOT NULL,
    check_type TEXT NOT NULL,
    result TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '',
    checked_at TEXT NOT NULL
) STRICT;
CREATE INDEX checks_by_entry ON citation_checks (entry_hash);

CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    taken_at TEXT NOT NULL,
    files INTEGER NOT NULL,
    entries INTEGER NOT NULL
) STRICT;

CREATE TABLE sources (
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    source_file TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    PRIMARY KEY (entry_hash, source_file, first_line)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    PRIMARY KEY (entry_hash, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE aliases (
    alias TEXT PRIMARY KEY,
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    verb TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'settled')),
    effects TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT;
CREATE INDEX operations_pending ON operations (id) WHERE state = 'pending';

CREATE TABLE intents (
    id INTEGER PRIMARY KEY,
    operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    document TEXT NOT NULL,
    digest_before TEXT,
    digest_after TEXT NOT NULL,
    temp_name TEXT NOT NULL,
    content_before BLOB,
    content_after BLOB NOT NULL
) STRICT;
CREATE INDEX intents_by_operation ON intents (operation_id);

CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    operation_id INTEGER REFERENCES operations (id) ON DELETE SET NULL,
    entry_hash TEXT,
    event TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX history_by_entry ON history (entry_hash);

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The index follows the table by itself. Of a phase-1 row only the preview is known.
CREATE VIEW searchable AS
    SELECT id, coalesce(content, content_preview) AS content, section FROM memory_entries;
CREATE VIRTUAL TABLE entries_fts USING fts5 (
    content, section, content='searchable', content_rowid='id', tokenize='trigram'
);
CREATE TRIGGER entries_inserted AFTER INSERT ON memory_entries BEGIN
    INSERT INTO entries_fts (rowid, content, section)
    VALUES (new.id, coalesce(new.content, new.content_preview), new.section);
END;
CREATE TRIGGER entries_deleted AFTER DELETE ON memory_entries BEGIN
    INSERT INTO entries_fts (entries_fts, rowid, content, section)
    VALUES ('delete', old.id, coalesce(old.content, old.content_preview), old.section);
END;
CREATE TRIGGER entries_changed AFTER UPDATE OF content, content_preview, section ON memory_entries BEGIN
    INSERT INTO entries_fts (entries_fts, rowid, content, section)
    VALUES ('delete', old.id, coalesce(old.content, old.content_preview), old.section);
    INSERT INTO entries_fts (rowid, content, section)
    VALUES (new.id, coalesce(new.content, new.content_preview), new.section);
END;
"""

_PHASE_ONE_TABLES = ("memory_entries", "citations", "citation_checks")
_PHASE_ONE_KINDS = {"file_path": "path", "file": "path", "directory": "dir"}


def version_of(connection: sqlite3.Connection) -> int | None:
    """Return the schema version, None for an empty database, 0 for one of phase 1."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version == 0:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").fetchone()[0]
        return None if tables == 0 else 0
    return version


def create(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in _statements(TABLES):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an older database to this version, in one transaction. Raises StateError for a newer one."""
    version = version_of(connection)
    if version is not None and version > VERSION:
        raise StateError(
            f"metadata.db has version {version}, this intermem knows {VERSION}; nothing was changed",
            hint="install a newer intermem",
        )
    if version == 0:
        _from_phase_one(connection)


def _statements(script: str) -> list[str]:
    """The statements of a script; ``executescript`` would commit in between."""
    found: list[str] = []
    part = ""
    for piece in script.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def _from_phase_one(connection: sqlite3.Connection) -> None:
    """Phase 1 of S4 (with or without its phase-2A columns): every row is kept."""
    columns = _columns(connection, "memory_entries")
    if "entry_hash" not in columns:
        raise StateError(
            "metadata.db is no database of intermem; nothing was changed",
            hint="move it away, or name another state_dir",
        )
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    old = {table: _rows(connection, table) for table in _PHASE_ONE_TABLES}
    for name, kind in connection.execute(
        "SELECT name, type FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL"
    ).fetchall():
        connection.execute(f'DROP {kind} "{name}"')
    for table in _PHASE_ONE_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _statements(TABLES):
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
        "content_preview": str(row.get("content_preview") or ""),
        "section": str(row.get("section") or ""),
        "source_file": str(row.get("source_file") or ""),
        "first_seen": _time(first),
        "last_seen": _time(row.get("last_seen") or first),
        "counted_at": _time(row.get("last_seen") or first),
        "snapshot_count": row.get("snapshot_count") or 1,
        "confidence": confidence,
        "base_confidence": confidence,
        "confidence_updated_at": _time(row.get("confidence_updated_at")),
        "status": status,
        "stale_streak": row.get("stale_streak") or 0,
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
        "path": value,
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
    """A time as we write it; one that cannot be read is kept as it is, and refused when it is used."""
    if value is None:
        return None
    text = str(value)
    try:
        return format_time(parse_time(text, whose="phase 1"))
    except IntermemError:
        return text
