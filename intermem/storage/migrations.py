"""Migrate our own databases of versions 1 to 8 in place; phase 1 is imported instead (storage/importing.py)."""

from __future__ import annotations

import sqlite3

from intermem.core.entries.identity import identity
from intermem.errors import StateError
from intermem.storage.schema import TABLES, VERSION, first_difference, statements_of, version_of


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
    """Migrate a database of version 1 or later to the current version, each step in a transaction.

    Triggers and views are dropped first, unread, and created anew. Raises StateError if what comes out is not our
    schema.
    """
    version = version_of(connection)
    _drop_derived(connection)
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
    if version in (1, 2, 3, 4, 5, 6):
        _to_seventh_version(connection)
    if version in (1, 2, 3, 4, 5, 6, 7):
        _to_eighth_version(connection)
    if version in (1, 2, 3, 4, 5, 6, 7, 8):
        _to_ninth_version(connection)
    difference = first_difference(connection)
    if difference is not None:
        raise StateError(
            f"metadata.db: {difference}; nothing was changed", hint="intermem doctor --repair saves the records"
        )


def _drop_derived(connection: sqlite3.Connection) -> None:
    derived = "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    for kind, name in connection.execute(derived).fetchall():
        quoted = name.replace('"', '""')
        connection.execute(f'DROP {kind} IF EXISTS "{quoted}"')
    connection.execute("DROP TABLE IF EXISTS entries_fts")


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
    _with_names_of_files(connection)
    known = dict(connection.execute("SELECT entry_hash, content FROM memory_entries ORDER BY id").fetchall())
    for old, text in known.items():
        new = identity(text) if text is not None else old
        if new != old:
            _rename(connection, old, new)
    connection.execute("PRAGMA user_version = 2")
    connection.execute("COMMIT")


def _with_names_of_files(connection: sqlite3.Connection) -> None:
    """Let snapshots hold the names of files: the first databases of version 1, 0.1.0 among them, have their number."""
    types = {row[1]: row[2] for row in connection.execute("PRAGMA table_info(snapshots)")}
    if types.get("files") != "INTEGER":
        return
    connection.execute("ALTER TABLE snapshots RENAME TO old_snapshots")
    for statement in statements_of(TABLES):
        if "TABLE snapshots" in statement:
            connection.execute(statement)
    connection.execute("INSERT INTO snapshots SELECT id, taken_at, '[]', entries FROM old_snapshots")
    connection.execute("DROP TABLE old_snapshots")


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
    columns = _columns(connection, "old_intents")
    added = [name for name in ("root", "checkout") if name not in columns]
    names, values = ", ".join([*columns, *added]), ", ".join([*columns, *("''" for _ in added)])
    connection.execute(f"INSERT INTO intents ({names}) SELECT {values} FROM old_intents")
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
    "ALTER TABLE memory_entries ADD COLUMN note_id TEXT",
    "ALTER TABLE memory_entries ADD COLUMN note_text TEXT",
    "DELETE FROM images",
    "DELETE FROM intents",
    "UPDATE operations SET state = 'settled' WHERE state = 'pending'",
    "UPDATE operations SET kept = 0, checksum = ''",
)
_NEW_IN_SIXTH = "TABLE purged"


def _to_sixth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SIXTH_VERSION:
        connection.execute(statement)
    for statement in statements_of(TABLES):
        if _NEW_IN_SIXTH in statement:
            connection.execute(statement)
    connection.execute("PRAGMA user_version = 6")
    connection.execute("COMMIT")


# Version 7 knows which notes the agent copied from a document.
_ECHOED = "ALTER TABLE memory_entries ADD COLUMN echoed INTEGER NOT NULL DEFAULT 0"


def _to_seventh_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    known = _columns(connection, "memory_entries")
    for name in ("note_id", "note_text"):  # the first databases of version 6 lack these
        if name not in known:
            connection.execute(f"ALTER TABLE memory_entries ADD COLUMN {name} TEXT")
    connection.execute(_ECHOED)
    connection.execute("PRAGMA user_version = 7")
    connection.execute("COMMIT")


# Version 8 keeps what it has read of the history in the cache of the repository.
_EIGHTH_VERSION = ("DROP TABLE path_events", "DELETE FROM meta WHERE key = 'history'")


def _to_eighth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _EIGHTH_VERSION:
        connection.execute(statement)
    connection.execute("PRAGMA user_version = 8")
    connection.execute("COMMIT")


# Version 9 knows what a person took out. The undo data of versions 6 to 8 lacks that, and other columns: a deleted
# record would come back without them, and what a person demoted would stay out once that is undone.
_NINTH_VERSION = (
    "ALTER TABLE memory_entries ADD COLUMN kept_out INTEGER NOT NULL DEFAULT 0",
    "UPDATE memory_entries SET kept_out = 1 WHERE status = 'demoted' AND document IS NULL AND superseded_by IS NULL"
    " AND (reason = 'by hand' OR 'hand' = (SELECT cause FROM history WHERE history.entry_hash ="
    " memory_entries.entry_hash AND event = 'demoted' ORDER BY at DESC, id DESC LIMIT 1))",
    "UPDATE images SET before = json_insert(before, '$.kept_out', json_extract(before, '$.status') = 'demoted'"
    " AND coalesce(json_extract(before, '$.reason'), '') LIKE 'by hand%')"
    " WHERE relation = 'memory_entries' AND json_valid(before) AND json_extract(before, '$.status') IS NOT NULL",
    "UPDATE images SET before = json_insert(before, '$.echoed', 0, '$.note_id', NULL, '$.note_text', NULL)"
    " WHERE relation = 'memory_entries' AND row IS NULL AND json_valid(before)",
)


_DERIVED = ("VIEW searchable", "TABLE entries_fts", "CREATE TRIGGER")


def _to_ninth_version(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _NINTH_VERSION:
        connection.execute(statement)
    for statement in statements_of(TABLES):
        if any(name in statement for name in _DERIVED):
            connection.execute(statement)
    connection.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
    connection.execute("PRAGMA user_version = 9")
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


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
