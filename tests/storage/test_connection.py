"""Reading leaves no trace; what is written anew takes its place whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.errors import StateError
from intermem.storage import connection, schema
from intermem.storage.connection import open_for_reading, open_for_touching, open_for_writing, put_new_database
from intermem.storage.metadata import Metadata
from tests.storage.test_migrations import TEXT, first_version


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "metadata.db"


@pytest.fixture
def made(path: Path) -> Path:
    path.parent.mkdir()
    open_for_writing(path).close()
    return path


@pytest.fixture
def older(path: Path) -> Path:
    path.parent.mkdir()
    first_version(path, [(identity(TEXT), TEXT, None)])
    return path


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


def entries(metadata: Metadata) -> int:
    return int(metadata.fetch("SELECT count(*) FROM memory_entries")[0][0])


def test_where_there_is_no_database_an_empty_one_is_read_and_none_is_made(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_for_reading(path) as opened:
        assert entries(opened) == 0
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_counts_as_no_database(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with open_for_reading(path) as opened:
        assert entries(opened) == 0
    assert path.stat().st_size == 0
    with open_for_writing(path) as opened:
        assert entries(opened) == 0
    assert path.stat().st_size


@pytest.mark.parametrize("kind", ["folder", "dangling link"])
def test_anything_but_a_regular_file_is_refused(path: Path, kind: str) -> None:
    path.parent.mkdir()
    path.mkdir() if kind == "folder" else path.symlink_to("nowhere")
    for open_it in (open_for_reading, open_for_writing):
        with pytest.raises(StateError, match="is not a regular file; nothing was changed"):
            open_it(path)
    assert names(path) == ["metadata.db"]


def test_a_view_for_reading_cannot_write(made: Path) -> None:
    with open_for_reading(made) as opened, pytest.raises(StateError, match="readonly"):
        opened.execute("DELETE FROM meta")


def test_an_older_database_is_read_migrated_and_stays_as_it_is(older: Path) -> None:
    before = older.read_bytes()
    with open_for_reading(older) as opened:
        assert (entries(opened), opened.fetch("PRAGMA user_version")[0][0]) == (1, schema.VERSION)
    assert (older.read_bytes(), names(older)) == (before, ["metadata.db"])


def test_a_copy_of_an_older_database_is_kept_and_the_first_copy_stays(older: Path) -> None:
    before = older.read_bytes()
    open_for_writing(older).close()
    kept = older.with_name("metadata.db.v1")
    first = kept.read_bytes()
    older.write_bytes(before)
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        connection.execute("DELETE FROM memory_entries")
    with open_for_writing(older) as opened:
        assert entries(opened) == 0
    assert kept.read_bytes() == first
    assert names(older) == ["key", "metadata.db", "metadata.db.v1"]


def test_a_database_of_phase_one_elsewhere_is_imported_and_left(older: Path, tmp_path: Path) -> None:
    before, ours = older.read_bytes(), tmp_path / "metadata.db"
    with open_for_writing(ours, older) as opened:
        assert (entries(opened), opened.fetch("PRAGMA user_version")[0][0]) == (1, schema.VERSION)
        assert opened.fetch("PRAGMA auto_vacuum")[0][0] == 2
    assert (older.read_bytes(), names(older)) == (before, ["metadata.db"])
    assert not list(tmp_path.glob("metadata.db.v*"))


def test_of_a_database_of_this_version_elsewhere_only_the_entries_are_imported(made: Path, tmp_path: Path) -> None:
    with open_for_writing(made) as opened:
        opened.execute("INSERT INTO meta VALUES ('here', '1')")
        opened.execute(
            "INSERT INTO memory_entries (entry_hash, content, first_seen, last_seen, snapshot_count)"
            " VALUES (?, ?, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 9)",
            (identity(TEXT), TEXT),
        )
        opened.execute("PRAGMA journal_mode = DELETE")
    with open_for_writing(tmp_path / "metadata.db", made) as opened:
        assert opened.fetch("SELECT value FROM meta WHERE key = 'here'") == []
        assert opened.record(identity(TEXT)).observed_count == 0
    assert (tmp_path / "metadata.db").is_file()


def test_a_new_database_is_private_durable_and_checks_foreign_keys(made: Path) -> None:
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    for opened in (open_for_writing(made), open_for_touching(made), open_for_reading(made)):
        with opened:
            found = [
                opened.fetch(f"PRAGMA {name}")[0][0]
                for name in ("journal_mode", "foreign_keys", "synchronous", "secure_delete")
            ]
            assert found == ["wal", 1, 2, 0], "only a purge overwrites"
            assert opened.fetch("PRAGMA auto_vacuum")[0][0] == 2


@pytest.mark.parametrize(("open_it", "patience"), [(open_for_touching, 0), (open_for_writing, 30_000)])
def test_a_writer_waits_for_the_lock_and_an_access_does_not(
    made: Path, open_it: Callable[[Path], Metadata], patience: int
) -> None:
    with open_it(made) as opened:
        assert opened.fetch("PRAGMA busy_timeout")[0][0] == patience


LEFT = ["metadata.db.new", "metadata.db.new-journal", "metadata.db.new-wal"]


def test_leftovers_of_a_killed_run_are_no_part_of_a_new_database(made: Path) -> None:
    for name in LEFT:
        made.with_name(name).write_bytes(b"left")
    seen: list[list[str]] = []
    put_new_database(made, lambda new: (seen.append(names(made)), new.write_bytes(b"new"))[0])
    assert (seen, made.read_bytes(), names(made)) == ([["key", "metadata.db"]], b"new", ["key", "metadata.db"])


def test_a_new_database_that_fails_leaves_the_old_one_and_nothing_else(made: Path) -> None:
    before = made.read_bytes()

    def build(_new: Path) -> None:
        for name in LEFT:
            made.with_name(name).write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        put_new_database(made, build)
    assert (made.read_bytes(), names(made)) == (before, ["key", "metadata.db"])


def test_a_new_database_is_durable_before_it_takes_its_place_and_after(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real = os.replace
    monkeypatch.setattr(connection, "sync_path", lambda path: steps.append(f"sync {path.name}"))
    monkeypatch.setattr(connection.os, "replace", lambda *given: (steps.append("replace"), real(*given))[1])
    put_new_database(made, lambda new: (new.touch(), steps.append("build"))[1], before=lambda: steps.append("before"))
    assert steps == ["build", "sync metadata.db.new", "sync state", "before", "replace", "sync state"]


def test_syncing_leaves_no_handle_open(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(connection.os, "fsync", synced.append)
    connection.sync_path(made)
    (handle,) = synced
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)
