"""Open metadata.db: reading leaves no trace, and a new, imported or migrated file is complete before it is in place.

A database whose schema is not ours to the letter is refused before a row of it is read.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from intermem.errors import StateError
from intermem.storage import FILE_NAME, migrations, schema
from intermem.storage.importing import import_into
from intermem.storage.key import ensure_key, read_key
from intermem.storage.metadata import Metadata, translated
from intermem.storage.sync import sync_path

_BUSY_SECONDS = 30.0


def open_for_reading(path: Path, older: Path | None = None) -> Metadata:
    """Return a read-only view of the database at ``path``, or of an empty one if there is none.

    If there is only ``older``, its rows are read. An older version is migrated in memory.
    """
    source = _source(path, older)
    if source is None:
        with translated(str(path)):
            return Metadata(_fresh(":memory:"), str(path))
    with translated(str(source)):
        if source != path:
            return open_older(source, path)
        with _closed_on_error(_connect(str(source))) as connection:
            connection.execute("PRAGMA query_only = ON")
            version = migrations.checked_version(connection, source)
            if version == schema.VERSION:
                _require_own_schema(connection, source)
                return Metadata(connection, str(path), read_key(path.parent))
        with contextlib.closing(connection):

            def migrated(copy: sqlite3.Connection) -> None:
                connection.backup(copy)
                migrations.migrate(copy)

            fill = migrated if version else lambda copy: import_into(copy, source)
            return Metadata(_in_memory(fill), str(path), read_key(path.parent))


def open_older(source: Path, path: Path | None = None) -> Metadata:
    """Return a view of what would be imported from ``source``, an older database (called ``path`` in messages)."""
    with translated(str(source)):
        return Metadata(_in_memory(lambda copy: import_into(copy, source)), str(path or source))


def _in_memory(fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    with _closed_on_error(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        fill(copy)
        return copy


def copy_database(path: Path, new: Path) -> None:
    """Copy the database at ``path`` to ``new``, which does not exist; nothing if there is none."""
    if _source(path, None) is not None:
        with translated(str(path)), contextlib.closing(_connect(str(path))) as old:
            old.execute("PRAGMA query_only = ON")
            _copied(old, new).close()


def open_for_touching(path: Path) -> Metadata:
    """Return the database at ``path`` for writes that do not wait for other processes."""
    with translated(str(path)), _closed_on_error(_connect(str(path), patience=0.0)) as connection:
        _require_own_schema(connection, path)
        return Metadata(connection, str(path), read_key(path.parent))


def open_for_writing(path: Path, older: Path | None = None) -> Metadata:
    """Return the database at ``path``: created, filled with the rows of ``older``, or migrated as needed.

    The caller holds the lock. An older file is replaced only when its migration is complete, and a
    copy of it is kept beside the new one.
    """
    with translated(str(path)):
        source = _source(path, older)
        key = ensure_key(path.parent)
        if source is None:
            put_new_database(path, lambda new: _fresh(str(new)).close())
        elif source != path:
            put_new_database(path, lambda new: _imported(new, source))
        else:
            _migrate(path)
        with _closed_on_error(_connect(str(path))) as connection:
            _require_own_schema(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            return Metadata(connection, str(path), key)


def _version(path: Path) -> int:
    """Return the version of an intermem database; 0 is phase 1. Raises StateError for anything else."""
    with contextlib.closing(_connect(str(path))) as connection:
        connection.execute("PRAGMA query_only = ON")
        return migrations.checked_version(connection, path)


def _require_own_schema(connection: sqlite3.Connection, path: Path) -> None:
    difference = schema.first_difference(connection)
    if difference is not None:
        raise StateError(
            f"{path}: {difference}; nothing of it was read",
            hint="intermem doctor --repair saves every record that can be read; or move the file away",
        )


def _migrate(path: Path) -> None:
    """Replace the database of an older version, or of phase 1, at ``path``; a copy of it is kept."""
    version = _version(path)
    if version == schema.VERSION:
        return
    with contextlib.closing(_connect(str(path))) as old:
        # What an interrupted run left in the WAL belongs to this file, not to its replacement.
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        old.execute("PRAGMA journal_mode = DELETE")
        kept = path.with_name(f"{FILE_NAME}.v{version}")
        if not kept.exists():
            put_new_database(kept, lambda new: _copied(old, new).close())

    def build(new: Path) -> None:
        with contextlib.closing(_connect(str(path))) as old, contextlib.closing(_copied(old, new)) as connection:
            migrations.migrate(connection)
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")

    put_new_database(path, build if version else lambda new: _imported(new, path))


def _imported(new: Path, source: Path) -> None:
    with contextlib.closing(private_connection(new)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        import_into(connection, source)


def _copied(old: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    with _closed_on_error(private_connection(path)) as copy:
        old.backup(copy)
        return copy


def _source(path: Path, older: Path | None) -> Path | None:
    """Return the database to open: ours, or an older one, or None. An empty file does not count."""
    for candidate in (path, older):
        if candidate is None or not os.path.lexists(candidate):
            continue
        if not candidate.is_file():
            raise StateError(f"{candidate} is not a regular file; nothing was changed", hint="move it away")
        if candidate.stat().st_size:
            return candidate
    return None


def put_new_database(path: Path, build: Callable[[Path], None], before: Callable[[], None] = lambda: None) -> None:
    """Build a database beside ``path``, and move it into place once it is complete and synced.

    ``before`` is called right before the move. The caller holds the lock, so there is one at a time.
    """
    new = path.with_name(f"{FILE_NAME}.new")
    _remove(new)
    try:
        build(new)
        sync_path(new)
        sync_path(path.parent)  # SQLite does not sync the removal of its journal
        before()
        os.replace(new, path)
    except BaseException:
        _remove(new)
        raise
    sync_path(path.parent)


def _remove(new: Path) -> None:
    for leftover in (new, new.with_name(new.name + "-wal"), new.with_name(new.name + "-journal")):
        leftover.unlink(missing_ok=True)


@contextlib.contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close the connection if the block raises; otherwise leave it open for the caller."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def private_connection(path: Path) -> sqlite3.Connection:
    """Return a connection to the database at ``path``, created readable for its owner only."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return sqlite3.connect(path, isolation_level=None)


def _fresh(path: str) -> sqlite3.Connection:
    made = sqlite3.connect(path, isolation_level=None) if path == ":memory:" else private_connection(Path(path))
    with _closed_on_error(made) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        schema.create(connection)
        return connection


def _connect(path: str, patience: float | None = None) -> sqlite3.Connection:
    seconds = _BUSY_SECONDS if patience is None else patience
    with _closed_on_error(sqlite3.connect(path, timeout=seconds, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = OFF")  # only a purge overwrites; some builds of SQLite always do
        return connection
