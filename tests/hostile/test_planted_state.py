"""A metadata.db that came with the tree: it writes nothing, runs nothing, hangs nothing, and its records count for
nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.errors import StateError
from intermem.storage.metadata import Metadata
from tests.conftest import Sandbox
from tests.hostile.planted import PIPE, VERBS, endless, planted_database, write_to
from tests.storage.test_migrations import SCHEMAS, phase_one

HOOK = b"#!/bin/sh\necho owned\n"


@pytest.fixture
def plain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sandbox:
    """A project without git, as from an archive: its state is below the root."""
    made = Sandbox(tmp_path / "plain", tmp_path / "memory", capsys)
    made.root.mkdir()
    made.memory.mkdir()
    made.write("AGENTS.md", "# Project\n\nHello.\n")
    return made


def arguments(verb: tuple[str, ...]) -> list[str]:
    return [word.replace("ID", "0123456789abcdef") for word in verb]


def targets(box: Sandbox, outside: Path) -> list[Path]:
    """What an attacker would like to write: outside the root, a hook, a workflow, a program."""
    (box.root / ".git/hooks").mkdir(parents=True, exist_ok=True)
    (box.root / ".github/workflows").mkdir(parents=True, exist_ok=True)
    return [
        outside / "owned.md",
        box.root / ".git/hooks/post-checkout",
        box.root / ".github/workflows/ci.yml",
        box.root / "Makefile",
    ]


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_tracked_database_is_named_and_left_alone(sandbox: Sandbox, verb: tuple[str, ...], tmp_path: Path) -> None:
    wanted = targets(sandbox, tmp_path)
    for root, checkout in ((sandbox.root, "."), (tmp_path, "worktrees/x")):
        path = sandbox.root / ".intermem/metadata.db"
        path.unlink(missing_ok=True)
        planted_database(path, *(write_to(root, one, HOOK, checkout=checkout) for one in wanted))
    sandbox.commit("planted, with its key")
    outcome = sandbox.run(*arguments(verb), code=None)
    assert [one for one in wanted if one.exists()] == []
    assert f"{path} is not imported: it is tracked by git" in outcome.err
    assert "curl" not in sandbox.read()
    assert "Traceback" not in outcome.err
    assert "curl" not in sandbox.run("query", "--all", "--json", code=1).out


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_journal_from_an_archive_writes_documents_below_the_root_at_most(
    plain: Sandbox, verb: tuple[str, ...], tmp_path: Path
) -> None:
    wanted = targets(plain, tmp_path)
    planted_database(
        plain.root / ".intermem/metadata.db", *(write_to(plain.root, one, HOOK) for one in wanted), snapshots=1
    )
    plain.run(*arguments(verb), code=None)
    assert [one for one in wanted if one.exists()] == []
    said = plain.run("sweep", code=None)
    assert [one for one in wanted if one.exists()] == []
    assert verb[0] in ("init", "scan", "promote") or "was not completed" in said.err or "pending" not in said.err


def test_an_interrupted_operation_with_a_file_outside_is_closed_and_says_why(plain: Sandbox, tmp_path: Path) -> None:
    wanted = targets(plain, tmp_path)
    planted_database(plain.root / ".intermem/metadata.db", *(write_to(plain.root, one, HOOK) for one in wanted))
    said = plain.run("sweep").err
    assert f"{wanted[0]} is not written, it is outside the project" in said
    assert f"{wanted[1]} is not written, it is in a git directory" in said
    assert f"{wanted[3]} is not written, it is neither a document" in said
    assert "not written" not in plain.run("sweep").err, "it is closed: said once"


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_what_an_older_version_journaled_is_not_carried_out(plain: Sandbox, version: int, tmp_path: Path) -> None:
    path = plain.root / ".intermem/metadata.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript((SCHEMAS / f"version-{version}.sql").read_text("utf-8"))
        connection.execute(
            "INSERT INTO operations (verb, at, state, effects, checksum)"
            " VALUES ('x', '2026-01-01', 'pending', '[]', '')"
        )
        connection.execute(
            "INSERT INTO intents (operation_id, root, checkout, path, document, digest_after, temp_name, content_after)"
            " VALUES (1, ?, '.', ?, 'owned.md', 'd', 't', x'00')",
            (str(plain.root), str(plain.root / "owned.md")),
        )
    plain.run("sweep")
    assert not (plain.root / "owned.md").exists()
    assert plain.run("doctor").code == 0


@pytest.mark.parametrize(
    ("verb", "table"),
    [*((verb, "memory_entries") for verb in VERBS), (("sweep",), "operations"), (("undo",), "intents")],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else given,
)
def test_a_schema_that_never_ends_is_refused_before_a_row_is_read(
    plain: Sandbox, verb: tuple[str, ...], table: str
) -> None:
    path = plain.root / ".intermem/metadata.db"
    planted_database(path)
    endless(path, table)
    outcome = plain.spawn(*arguments(verb), timeout=60)
    assert "Traceback" not in outcome.stderr
    if verb[0] not in ("schedule", "doctor") and verb not in (("check", "--rev", "HEAD"),):
        assert (outcome.returncode, "nothing of it was read" in outcome.stderr) == (2, True), outcome.stderr


def test_a_trigger_that_is_not_ours_is_refused_and_repaired(plain: Sandbox) -> None:
    path = plain.root / ".intermem/metadata.db"
    planted_database(path, snapshots=1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TRIGGER more AFTER INSERT ON snapshots BEGIN DELETE FROM memory_entries; END")
    assert "trigger more does not belong to the schema; nothing of it was read" in plain.run("sweep", code=2).err
    plain.run("doctor", "--repair", code=None)
    plain.run("sweep")


def test_what_only_an_import_has_seen_is_not_stable(sandbox: Sandbox) -> None:
    planted_database(sandbox.root / ".intermem/metadata.db")
    sandbox.note(f"## Setup\n\n- {PIPE}\n")
    sandbox.run("scan")
    (refused,) = sandbox.run("promote", "--yes", "--json").json["refused"]
    assert (refused["gate"], "not counting 99 from elsewhere" in refused["reason"]) == ("snapshots", True)
    assert "curl" not in sandbox.read()


@pytest.mark.parametrize(
    "change",
    [
        "content = 'Another text.'",
        "entry_hash = 'not an id'",
        "trail = '{'",
        "snapshot_count = -5, confidence = 500, first_seen = 'yesterday'",
        "section = CAST(zeroblob(9000) AS TEXT)",
        "last_seen = x'00'",
    ],
)
def test_a_record_that_no_intermem_wrote_is_not_imported(sandbox: Sandbox, change: str) -> None:
    path = sandbox.root / ".intermem/metadata.db"
    planted_database(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'memory_entries'")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for name in ("entries_inserted", "entries_deleted", "entries_changed"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"UPDATE memory_entries SET {change}")
    sandbox.run("query", "--all", code=1)
    sandbox.run("sweep")
    sandbox.run("query", "--all", code=1)
    (row,) = [one for one in sandbox.run("log", "--json").json["history"] if one["event"] == "imported"]
    assert row["detail"].startswith("0 entries; 1 left out")


def test_of_phase_one_nothing_but_its_tables_is_taken(sandbox: Sandbox) -> None:
    path = sandbox.root / ".intermem/metadata.db"
    phase_one(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE more (x)")
        connection.execute("ALTER TABLE memory_entries ADD COLUMN evil")
    refused = sandbox.run("sweep", code=2).err
    assert "is not an intermem database of phase 1: memory_entries has a column evil; nothing was changed" in refused
    path.unlink()
    phase_one(path)
    endless(path, "citations")
    assert "is not an intermem database" in sandbox.run("sweep", code=2).err


def test_a_database_that_was_not_closed_is_not_opened_and_no_other_file_is_removed(sandbox: Sandbox) -> None:
    """The journal of SQLite may name another file, which is deleted when it is rolled back."""
    path = sandbox.root / ".intermem/metadata.db"
    phase_one(path)
    path.with_name("metadata.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    said = sandbox.run("sweep", code=2).err
    assert "was not closed: metadata.db-journal lies beside it; nothing was imported" in said
    assert path.with_name("metadata.db-journal").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("verb", [("sweep",), ("query", "--all"), ("status",)], ids=" ".join)
def test_the_state_of_another_user_is_refused(sandbox: Sandbox, verb: tuple[str, ...]) -> None:
    sandbox.run("scan")
    path = sandbox.root / ".git/intermem/root/metadata.db"
    os.chown(path, 12345, 12345)
    said = sandbox.run(*verb, code=2).err
    assert f"{path} is not opened: it belongs to another user (uid 12345)" in said


def test_a_place_may_be_given_from_the_folder_above(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sandbox.root)
    sandbox.note("- A fact.\n")
    sandbox.run("scan", "--state-dir", "../kept")
    assert "A fact." in sandbox.run("query", "--all", "--state-dir", "../kept").out
    assert (sandbox.root.parent / "kept/metadata.db").exists()


def test_a_place_that_a_person_chose_is_refused_too_where_it_is_tracked(sandbox: Sandbox) -> None:
    planted_database(sandbox.root / "state/metadata.db")
    sandbox.commit("planted")
    sandbox.git("config", "intermem.stateDir", "state")
    journal = sandbox.write("state/metadata.db-journal", "not rolled back")
    for verb in (("query", "--all"), ("sweep",), ("doctor",), ("doctor", "--repair")):
        said = sandbox.run(*verb, code=2).err
        assert "state/metadata.db is not opened: it is tracked by git" in said
    assert journal.read_text() == "not rolled back"


def test_a_committed_setting_leads_to_no_state(sandbox: Sandbox, tmp_path: Path) -> None:
    planted_database(sandbox.root / "state/metadata.db")
    planted_database(tmp_path / "other/metadata.db", text="A private fact of another project.")
    for place, why in (("state", "it is tracked by git"), (str(tmp_path / "other"), "it is outside the project")):
        sandbox.write("intermem.toml", f'state_dir = "{place}"\n')
        sandbox.commit("planted")
        outcome = sandbox.run("query", "--all", code=1)
        assert f"metadata.db is not imported: {why}" in outcome.err
        assert "state_dir is ignored in a file" in outcome.err
        assert outcome.out == "No entries.\n"


@pytest.mark.parametrize("what", ["metadata.db", ".intermem"])
def test_a_link_to_the_state_of_another_project_is_not_followed(plain: Sandbox, tmp_path: Path, what: str) -> None:
    planted_database(tmp_path / "other/metadata.db", text="A private fact of another project.")
    if what == ".intermem":
        (plain.root / what).symlink_to(tmp_path / "other")
    else:
        (plain.root / ".intermem").mkdir()
        (plain.root / ".intermem/metadata.db").symlink_to(tmp_path / "other/metadata.db")
    for verb in (("query", "--all"), ("sweep",), ("doctor", "--repair")):
        outcome = plain.run(*verb, code=2)
        assert "symbolic link" in outcome.err
        assert "private fact" not in outcome.out + outcome.err


def test_a_submodule_brings_no_state_either(sandbox: Sandbox, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    box = Sandbox(inner, sandbox.memory, sandbox.capture)
    box.git("init", "-q", "-b", "main")
    planted_database(inner / "metadata.db")
    box.commit("planted")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner), ".intermem")
    sandbox.commit("a submodule")
    assert "is not imported: it is tracked by git" in sandbox.run("query", "--all", code=1).err


def test_what_0_1_kept_in_the_tree_is_imported_once(sandbox: Sandbox) -> None:
    planted_database(sandbox.root / "local/metadata.db", text="Ours, from 0.1.")
    sandbox.write("intermem.toml", 'state_dir = "local"\n')
    assert "Ours, from 0.1." in sandbox.run("query", "--all").out
    sandbox.run("sweep")
    with closing(sqlite3.connect(sandbox.root / "local/metadata.db")) as connection:
        connection.execute("DELETE FROM memory_entries")
        connection.commit()
    assert "Ours, from 0.1." in sandbox.run("query", "--all").out
    assert identity("Ours, from 0.1.")[:8] in sandbox.run("why", identity("Ours, from 0.1.")[:8]).out


def test_the_step_limit_stops_a_query_that_never_ends() -> None:
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as connection,
        pytest.raises(StateError, match="a query of it does not end"),
    ):
        Metadata(connection, "metadata.db").fetch(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c WHERE n < 0"
        )
