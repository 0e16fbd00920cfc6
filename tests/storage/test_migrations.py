"""A database of phase 1 (seeds/S4) opens without loss: its rows, citations, checks and times."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity, phase_one_identity
from intermem.storage import schema, undo_log
from intermem.storage.metadata import Metadata
from intermem.storage.migrations import migrate
from tests.conftest import Sandbox

TEXT = "Prefer short functions, and name them by what they return, so that a reader never has to look twice."
OLD = phase_one_identity(f"- {TEXT}")


def phase_one(path: Path, *, second_phase: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    more = ", stale_streak INTEGER DEFAULT 0, demoted_at TEXT" if second_phase else ""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            f"""
            CREATE TABLE memory_entries (entry_hash TEXT PRIMARY KEY, content_preview TEXT, section TEXT,
                source_file TEXT, first_seen TEXT, last_seen TEXT, snapshot_count INTEGER DEFAULT 1,
                confidence REAL DEFAULT 0.5, confidence_updated_at TEXT, status TEXT{more});
            CREATE TABLE citations (id INTEGER PRIMARY KEY, entry_hash, citation_type, citation_value, resolved_path,
                status, last_validated);
            CREATE TABLE citation_checks (id INTEGER PRIMARY KEY, entry_hash, citation_value, check_type, result,
                detail, checked_at);
            CREATE TABLE schema_version (version, migration_version, applied_at);
            INSERT INTO schema_version VALUES (1, 1, '2025-01-01');
            """
        )
        rows = [
            (OLD, f"- {TEXT}"[:80], "Style", "MEMORY.md", "2025-12-01T10:00:00.5", "2026-01-01T00:00:00+02:00", 4, 0.7),
            ("b" * 16, "Another fact", "Style", "MEMORY.md", "2025-12-01T10:00:00Z", "2025-12-02T10:00:00Z", 1, 0.5),
        ]
        for row in rows:
            connection.execute(
                "INSERT INTO memory_entries (entry_hash, content_preview, section, source_file, first_seen, last_seen,"
                " snapshot_count, confidence, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active')",
                row,
            )
        if second_phase:
            connection.execute(
                "UPDATE memory_entries SET status = 'demoted', demoted_at = '2026-01-02', stale_streak = 2"
            )
        connection.execute(
            "INSERT INTO citations VALUES (1, ?, 'file_path', 'src/app.py', 'src/app.py', 'valid', NULL)", (OLD,)
        )
        connection.execute("INSERT INTO citations VALUES (2, ?, 'function', 'main()', NULL, 'unknown', NULL)", (OLD,))
        connection.execute(
            "INSERT INTO citation_checks VALUES (1, ?, 'src/app.py', 'exists', 'ok', '', '2026-01-01')", (OLD,)
        )
    connection.close()


@pytest.fixture
def legacy(sandbox: Sandbox) -> Path:
    path = sandbox.root / ".intermem" / "metadata.db"
    phase_one(path)
    return path


def test_it_can_be_read_before_the_import_and_nothing_is_written(sandbox: Sandbox, legacy: Path) -> None:
    before = sandbox.tree_hash()
    entries = {entry["id"]: entry for entry in sandbox.run("query", "--all", "--json").json["entries"]}
    assert sandbox.tree_hash() == before
    assert set(entries) == {OLD, "b" * 16}
    assert entries[OLD]["text"] == TEXT[:78]
    assert (entries[OLD]["confidence"], entries[OLD]["snapshot_count"]) == (0.7, 4)
    assert (entries[OLD]["first_seen"], entries[OLD]["last_seen"]) == ("2025-12-01T10:00:00Z", "2025-12-31T22:00:00Z")
    assert [c["text"] for c in entries[OLD]["citations"]] == ["src/app.py", "main()"]


def test_it_is_imported_and_left_where_it_is(sandbox: Sandbox, legacy: Path) -> None:
    content = legacy.read_bytes()
    sandbox.run("sweep", now="2026-01-05T00:00:00Z")
    assert legacy.read_bytes() == content
    with sqlite3.connect(sandbox.root / ".git/intermem/root/metadata.db") as connection:
        assert connection.execute("SELECT count(*) FROM memory_entries").fetchone() == (2,)
        assert connection.execute("SELECT check_type, result FROM citation_checks ORDER BY id").fetchone() == (
            "exists",
            "ok",
        )
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    events = [row["event"] for row in sandbox.run("log", OLD, "--json").json["history"]]
    assert "imported" in events


def test_a_row_is_completed_when_its_note_is_seen_again(sandbox: Sandbox, legacy: Path) -> None:
    sandbox.note(f"## Style\n\n- {TEXT}\n")
    refused = sandbox.run("promote", "--json", now="2026-01-05T00:00:00Z").json["refused"]
    assert {row["gate"] for row in refused} == {"text"}
    sandbox.run("scan", now="2026-01-05T00:00:00Z")
    entry = sandbox.entries()[TEXT]
    assert entry["id"] == identity(TEXT)
    assert (entry["first_seen"], entry["snapshot_count"]) == ("2025-12-01T10:00:00Z", 5)
    assert len(sandbox.entries()) == 2
    assert sandbox.run("why", OLD[:8], "--json").json["entry"]["id"] == identity(TEXT)
    assert [row["event"] for row in sandbox.run("log", OLD[:8], "--json").json["history"]][0:1] == ["completed"]
    told = " ".join(sandbox.run("why", OLD[:8]).out.split())
    assert "in 5 snapshots, 4 of them from elsewhere: these do not make it stable" in told


def test_phase_two_columns_are_kept(sandbox: Sandbox) -> None:
    phase_one(sandbox.root / ".intermem/metadata.db", second_phase=True)
    sandbox.run("scan", now="2026-01-05T00:00:00Z")
    demoted = sandbox.run("query", "--demoted", "--json").json["entries"]
    assert {(e["demoted_at"], e["stale_streak"]) for e in demoted} == {("2026-01-02T00:00:00Z", 2)}


def test_in_place_a_copy_of_the_old_file_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, memory = tmp_path / "plain", tmp_path / "memory"
    root.mkdir()
    memory.mkdir()
    phase_one(root / ".intermem/metadata.db")
    box = Sandbox(root, memory, capsys)
    box.run("scan")
    assert sorted(path.name for path in (root / ".intermem").iterdir()) == [
        "key",
        "lock",
        "metadata.db",
        "metadata.db.v0",
    ]
    with sqlite3.connect(root / ".intermem/metadata.db.v0") as connection:
        assert connection.execute("SELECT count(*) FROM memory_entries").fetchone() == (2,)
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)
    connection.close()
    assert (root / ".intermem/metadata.db").stat().st_mode & 0o777 == 0o600


def test_an_unreadable_time_is_an_error_with_the_entrys_id(sandbox: Sandbox, legacy: Path) -> None:
    with sqlite3.connect(legacy) as connection:
        connection.execute("UPDATE memory_entries SET last_seen = 'yesterday' WHERE entry_hash = ?", (OLD,))
    connection.close()
    outcome = sandbox.run("sweep", code=2)
    assert f"entry {OLD}, last_seen: 'yesterday' is not a time" in outcome.err
    assert f"correct it in {legacy}, or move the file away" in outcome.err


def test_what_is_no_database_is_moved_away_not_repaired(sandbox: Sandbox, legacy: Path) -> None:
    legacy.write_bytes(b"garbage\n" * 100)
    for verb in (("status",), ("scan",), ("doctor", "--repair")):
        outcome = sandbox.run(*verb, code=2)
        assert "cannot be imported" in outcome.err and "move it away" in outcome.err
    assert legacy.read_bytes() == b"garbage\n" * 100
    legacy.rename(legacy.with_name("kept"))
    sandbox.run("scan")


SCHEMAS = Path(__file__).resolve().parents[2] / "fixtures" / "schemas"


def first_version(path: Path, rows: list[tuple[str, str, str | None]], version: int = 1) -> None:
    """A database as version 1 (or a later one) made it: entries as (identity, text, document)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript((SCHEMAS / f"version-{version}.sql").read_text("utf-8"))
    for number, (key, text, document) in enumerate(rows):
        connection.execute(
            "INSERT INTO memory_entries (entry_hash, content, content_preview, section, source_file, first_seen,"
            " last_seen, snapshot_count, document) VALUES (?, ?, ?, 'S', 'M', ?, ?, ?, ?)",
            (
                key,
                text,
                text,
                f"2026-01-0{number + 1}T00:00:00Z",
                f"2026-02-0{number + 1}T00:00:00Z",
                number + 1,
                document,
            ),
        )
        connection.execute("INSERT INTO history (at, entry_hash, event) VALUES ('2026-01-01', ?, 'first seen')", (key,))
    connection.close()


def shape_of(connection: sqlite3.Connection) -> dict[str, object]:
    """Tables with their columns, indexes, triggers and views: what a schema comes to."""
    found: dict[str, object] = {}
    for kind, name, text in connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"):
        columns = [tuple(row[1:]) for row in connection.execute(f"PRAGMA table_info({name})")]
        found[f"{kind} {name}"] = sorted(columns) if kind == "table" else " ".join(text.split())
    return found


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_migrating_an_older_version_gives_the_schema_of_a_new_database(tmp_path: Path, version: int) -> None:
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)], version)
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        old.execute(
            "INSERT INTO operations (verb, at, state, effects, checksum)"
            " VALUES ('x', '2026-01-01', 'pending', '[]', 'c')"
        )
        old.execute(
            "INSERT INTO intents (operation_id, root, checkout, path, document, digest_before, digest_after, temp_name,"
            " content_before, content_after) VALUES (1, '/', '.', '/A', 'A', NULL, 'd', 't', NULL, x'00')"
        )
        migrate(old)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
            schema.create(new)
            assert shape_of(old) == shape_of(new)
        assert old.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert old.execute("PRAGMA foreign_key_check").fetchall() == []
        # Its checksum has no key: it might be anybody's, so it is neither completed nor undone.
        assert old.execute("SELECT state, kept, undone_by FROM operations").fetchall() == [("settled", 0, None)]
        assert old.execute("SELECT count(*) FROM intents").fetchall() == [(0,)]


def test_version_7_keeps_what_is_pending_and_loses_its_cache_of_the_history(tmp_path: Path) -> None:
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)], 7)
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        old.execute("INSERT INTO meta VALUES ('history', 'abc'), ('observer', 'x')")
        old.execute("INSERT INTO path_events VALUES (x'61', 'abc', '2026-01-01', NULL)")
        old.execute(
            "INSERT INTO operations (verb, at, state, effects, checksum)"
            " VALUES ('x', '2026-01-01', 'pending', '[]', 'c')"
        )
        migrate(old)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
            schema.create(new)
            assert shape_of(old) == shape_of(new)
        assert old.execute("SELECT key FROM meta").fetchall() == [("observer",)]
        assert old.execute("SELECT state FROM operations").fetchall() == [("pending",)]
        assert old.execute("SELECT rowid FROM entries_fts WHERE entries_fts MATCH 'functions'").fetchall() == [(1,)]


def test_the_first_version_is_migrated_and_a_copy_kept(sandbox: Sandbox) -> None:
    path = sandbox.root / ".git/intermem/root/metadata.db"
    first_version(path, [(identity(TEXT), TEXT, None)])
    assert list(sandbox.entries()) == [TEXT]
    sandbox.run("sweep")
    assert sandbox.entries()[TEXT]["missing_from"] is None
    assert path.with_name("metadata.db.v1").is_file()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_what_cannot_be_migrated_is_salvaged(sandbox: Sandbox) -> None:
    """Early commits made tables of version 1 that differ from those that were released."""
    path = sandbox.root / ".git/intermem/root/metadata.db"
    first_version(path, [(identity(TEXT), TEXT, None)])
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE snapshots ADD COLUMN extra TEXT")
        connection.execute("ALTER TABLE intents DROP COLUMN checkout")
    connection.close()
    refused = sandbox.run("status", code=2).err
    assert "table snapshots differs" in refused and "intermem doctor --repair saves the records" in refused
    assert "metadata.db: table snapshots differs" in sandbox.run("doctor", code=1).out
    assert "1 record is salvaged" in sandbox.run("doctor", "--repair").out
    assert list(sandbox.entries()) == [TEXT]


@pytest.mark.parametrize("pending", [True, False])
def test_version_1_without_the_checkout_of_an_intent_is_migrated(tmp_path: Path, pending: bool) -> None:
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)])
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        old.execute("ALTER TABLE intents DROP COLUMN checkout")
        if pending:
            old.execute(
                "INSERT INTO operations (verb, at, state, effects, checksum)"
                " VALUES ('x', '2026-01-01', 'pending', '[]', 'c')"
            )
            old.execute(
                "INSERT INTO intents (operation_id, root, path, document, digest_before, digest_after, temp_name,"
                " content_before, content_after) VALUES (1, '/', '/A', 'A', NULL, 'd', 't', NULL, x'00')"
            )
        migrate(old)
        assert schema.first_difference(old) is None


def test_the_first_databases_of_version_1_are_migrated(tmp_path: Path) -> None:
    """Those that 0.1.0 made, and earlier ones: snapshots with a number of files, intents without their root."""
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)])
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        old.execute("ALTER TABLE snapshots DROP COLUMN files")
        old.execute("ALTER TABLE snapshots ADD COLUMN files INTEGER NOT NULL DEFAULT 0")
        old.execute("INSERT INTO snapshots (taken_at, files, entries) VALUES ('2026-01-01T00:00:00Z', 3, 1)")
        old.execute("ALTER TABLE intents DROP COLUMN checkout")
        old.execute("ALTER TABLE intents DROP COLUMN root")
        migrate(old)
        assert schema.first_difference(old) is None
        assert old.execute("SELECT * FROM snapshots").fetchall() == [(1, "2026-01-01T00:00:00Z", "[]", 1)]
        assert old.execute("SELECT entry_hash, content FROM memory_entries").fetchall() == [(identity(TEXT), TEXT)]


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize("reason", ["by hand", "not seen for 40 days"])
def test_what_an_older_version_did_can_be_undone(tmp_path: Path, version: int, reason: str) -> None:
    """Its undo data lacks columns: they come back as the migration would have set them."""
    gone = identity("Deleted")
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, "AGENTS.md"), (gone, "Deleted", None)], 7)
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        old.execute("UPDATE memory_entries SET status = 'demoted', reason = ? WHERE entry_hash = ?", (reason, gone))
        before = old.execute(RECORDS).fetchall()
        old.execute("INSERT INTO operations (verb, at, state, effects, checksum) VALUES ('x', '', 'done', '[]', '')")
        old.execute("INSERT INTO recording VALUES (1)")
        old.execute("UPDATE memory_entries SET status = 'demoted', document = NULL, reason = 'by hand' WHERE id = 1")
        old.execute("DELETE FROM memory_entries WHERE entry_hash = ?", (gone,))
        old.execute("DELETE FROM recording")
        if version == 6:
            without_columns_of_version_7(old)
        migrate(old)
        assert old.execute("SELECT kept_out FROM memory_entries").fetchall() == [(1,)]
        assert old.execute("SELECT kept FROM operations").fetchall() == [(1,)]
        with Metadata(old, "old.db") as metadata:
            assert list(undo_log.deleted_records(metadata)) == [gone]
            undo_log.revert(metadata, [1])
            assert [tuple(row) for row in metadata.fetch(RECORDS)] == before
            kept_out = metadata.fetch("SELECT kept_out, echoed FROM memory_entries ORDER BY id")
            assert [tuple(row) for row in kept_out] == [(0, 0), (int(reason == "by hand"), 0)]


RECORDS = "SELECT entry_hash, content, status, reason, document, first_seen FROM memory_entries ORDER BY id"


def without_columns_of_version_7(old: sqlite3.Connection, missing: tuple[str, ...] = ()) -> None:
    """Make a database of version 7 one of version 6, images of deleted records included."""
    for (name,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        old.execute(f"DROP TRIGGER {name}")
    for name in (*missing, "echoed"):
        old.execute(f"ALTER TABLE memory_entries DROP COLUMN {name}")
        old.execute(f"UPDATE images SET before = json_remove(before, '$.{name}') WHERE row IS NULL")
    old.execute("PRAGMA user_version = 6")


@pytest.mark.parametrize("missing", [("note_id", "note_text"), ("note_text",), ()])
def test_the_first_databases_of_version_6_are_migrated(tmp_path: Path, missing: tuple[str, ...]) -> None:
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)], 7)
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        without_columns_of_version_7(old, missing)
        migrate(old)
        assert schema.first_difference(old) is None
        assert old.execute("SELECT content, note_text FROM memory_entries").fetchall() == [(TEXT, None)]


@pytest.mark.parametrize(("version", "cause"), [(4, ""), (5, ""), (5, "hand"), (7, "hand"), (7, "sweep")])
def test_what_a_person_demoted_by_an_older_version_is_kept_out(tmp_path: Path, version: int, cause: str) -> None:
    first_version(tmp_path / "old.db", [(identity(TEXT), TEXT, None)], version)
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        reason = "not seen for 40 days" if cause else "by hand"
        old.execute("UPDATE memory_entries SET status = 'demoted', reason = ?", (reason,))
        if cause:
            said = "INSERT INTO history (at, entry_hash, event, cause) VALUES ('2026-02-02', ?, 'demoted', ?)"
            old.execute(said, (identity(TEXT), cause))
        migrate(old)
        assert old.execute("SELECT kept_out FROM memory_entries").fetchall() == [(int(cause != "sweep"),)]


def test_identities_are_recomputed_and_rows_with_the_same_one_are_merged(sandbox: Sandbox) -> None:
    path = sandbox.root / ".git/intermem/root/metadata.db"
    rows = [("a" * 16, "A &amp; B", None), ("b" * 16, "A &#38; B", "AGENTS.md"), ("c" * 16, "A & B", None)]
    first_version(path, rows)
    sandbox.run("scan")
    found = sandbox.run("query", "--all", "--json", "--no-touch").json["entries"]
    with closing(sqlite3.connect(path)) as kept:  # query would say what is in the documents, and there are none
        assert kept.execute("SELECT entry_hash, content, document FROM memory_entries").fetchall() == [
            (identity("A & B"), "A &#38; B", "AGENTS.md")
        ]
    assert (found[0]["first_seen"], found[0]["last_seen"], found[0]["snapshot_count"]) == (
        "2026-01-01T00:00:00Z",
        "2026-02-03T00:00:00Z",
        3,
    )
    assert sandbox.run("why", "bbbb").code == sandbox.run("why", "cccc").code == 0
    assert len(sandbox.run("log", identity("A & B"), "--json").json["history"]) == 3


def test_what_a_killed_run_left_in_the_wal_is_migrated_too(sandbox: Sandbox) -> None:
    path = sandbox.root / ".git/intermem/root/metadata.db"
    first_version(path, [(identity(TEXT), TEXT, None)])
    code = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('PRAGMA journal_mode = WAL'); c.execute(\"UPDATE memory_entries SET section = 'Later'\");"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert path.with_name("metadata.db-wal").stat().st_size
    sandbox.note("")
    sandbox.run("scan")
    assert sandbox.entries()[TEXT]["section"] == "Later"
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
