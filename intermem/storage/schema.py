"""The tables of metadata.db, and how a database differs from them."""

from __future__ import annotations

import re
import sqlite3
from functools import cache

from intermem.patterns import regex
from intermem.storage.columns import DEFINITIONS
from intermem.storage.undo_log import triggers

VERSION = 9  # PRAGMA user_version; 0 with tables is phase 1 of S4

_TABLES = f"""
CREATE TABLE memory_entries (
    id INTEGER PRIMARY KEY,
    {DEFINITIONS}
) STRICT;
CREATE INDEX entries_by_document ON memory_entries (document) WHERE document IS NOT NULL;

CREATE TABLE citations (
    id INTEGER PRIMARY KEY,
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    citation_type TEXT NOT NULL,
    citation_value TEXT NOT NULL,
    name TEXT NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    flags TEXT NOT NULL DEFAULT '',
    anchor TEXT,
    resolved_path TEXT,
    status TEXT,
    evidence TEXT NOT NULL DEFAULT '{{}}',
    last_validated TEXT
) STRICT;
CREATE INDEX citations_by_entry ON citations (entry_hash);

-- The log of checks of a phase-1 database or an older intermem; no longer written or read.
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
    files TEXT NOT NULL,
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

-- Feedback on entries given here; memory_entries.feedback is the sum, which may include other machines.
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    entry_hash TEXT NOT NULL REFERENCES memory_entries (entry_hash) ON UPDATE CASCADE ON DELETE CASCADE,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL DEFAULT '',
    amount INTEGER NOT NULL DEFAULT 0,
    context TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX feedback_by_entry ON feedback (entry_hash);

CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    verb TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'settled')),
    effects TEXT NOT NULL,
    checksum TEXT NOT NULL,
    undoes TEXT NOT NULL DEFAULT '[]',
    undone_by INTEGER,
    kept INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX operations_pending ON operations (id) WHERE state = 'pending';

CREATE TABLE intents (
    id INTEGER PRIMARY KEY,
    operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
    root TEXT NOT NULL,
    checkout TEXT NOT NULL,
    path TEXT NOT NULL,
    document TEXT NOT NULL,
    digest_before TEXT,
    digest_after TEXT,
    temp_name TEXT NOT NULL,
    content_before BLOB,
    content_after BLOB
) STRICT;
CREATE INDEX intents_by_operation ON intents (operation_id);

-- The rows that an operation changed (storage/undo_log.py). "recording" names the operation under way.
CREATE TABLE images (
    id INTEGER PRIMARY KEY,
    operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    row TEXT,
    before TEXT
) STRICT;
CREATE INDEX images_by_operation ON images (operation_id);
CREATE TABLE recording (operation_id INTEGER NOT NULL) STRICT;

CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    operation_id INTEGER REFERENCES operations (id) ON DELETE SET NULL,
    entry_hash TEXT,
    event TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '',
    cause TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX history_by_entry ON history (entry_hash);

-- What was purged: a scan does not learn it again.
CREATE TABLE purged (entry_hash TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Triggers keep the index up to date. Of a phase-1 row only the preview is known.
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

TABLES = f"{_TABLES}\n{triggers()}"


def version_of(connection: sqlite3.Connection) -> int | None:
    """Return the schema version: None for an empty database, 0 for phase 1."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version == 0:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").fetchone()[0]
        return None if tables == 0 else 0
    return version


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements_of(TABLES):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def statements_of(script: str) -> list[str]:
    """Return the statements of a script; ``executescript`` would commit in between."""
    found: list[str] = []
    part = ""
    for piece in script.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            found += [part] if part.strip() != ";" else []
            part = ""
    return found


def first_difference(connection: sqlite3.Connection) -> str | None:
    """Return what of the schema is missing, differs from ours or does not belong to it; None if it is ours.

    Only the schema is read, never a row: a view in place of a table could hide a query that does not end. Ordinary
    tables that are not ours are nobody's business.
    """
    found = {(kind, name): sql for kind, name, sql in connection.execute(_OBJECTS)}
    for (kind, name), expected in _objects().items():
        if (kind, name) not in found:
            return f"{kind} {name} is missing"
        same = _bare(found[kind, name]) == expected
        if not same and expected.startswith("CREATE TABLE"):  # an older version made it, and columns were added
            same = _columns_in(connection, name) == _columns_of(expected)
        if not same:
            return f"{kind} {name} differs from the schema"
    known = _objects().keys()
    stranger = next((key for key in found if key not in known and key[0] != "table"), None)
    return f"{stranger[0]} {stranger[1]} does not belong to the schema" if stranger is not None else None


_OBJECTS = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"
_NAMED = regex(r"CREATE (?:VIRTUAL )?(TABLE|INDEX|VIEW|TRIGGER) (\w+)")


@cache
def _objects() -> dict[tuple[str, str], str]:
    """Return the SQL of each object of the schema, white space folded, by type and name."""
    found: dict[tuple[str, str], str] = {}
    for statement in statements_of(TABLES):
        sql = _bare(statement).removesuffix(";").rstrip()
        match = _NAMED.match(sql)
        assert match is not None
        found[match[1].lower(), match[2]] = sql
    return found


_COMMENT = regex(r"^--.*\n", re.MULTILINE)


def _bare(sql: str) -> str:
    """Return ``sql`` without its comments, with one blank between words."""
    return " ".join(_COMMENT.sub("", sql).split())


def _columns_in(connection: sqlite3.Connection, table: str) -> set[tuple[str, str, int]]:
    """Return name, type and kind (0: an ordinary one) of each column; empty for a virtual table of a name of ours."""
    is_virtual = connection.execute(
        "SELECT sql LIKE 'CREATE VIRTUAL%' FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)
    ).fetchone()[0]
    if is_virtual:
        return set()
    return {(row[1], row[2], row[6]) for row in connection.execute(f"PRAGMA table_xinfo({table})")}


def _columns_of(sql: str) -> set[tuple[str, str, int]]:
    """Return the same of a CREATE TABLE statement of ours."""
    body = sql[sql.index("(") + 1 : sql.rindex(")")]
    parts = [part.split() for part in re.split(r",(?![^(]*\))", body)]
    return {(words[0], words[1], 0) for words in parts if words[0] != "PRIMARY"}
