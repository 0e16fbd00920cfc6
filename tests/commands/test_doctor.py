"""``doctor``: each problem has a name and a fix, and ``--repair`` loses nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.parse import find_region
from intermem.storage import connection
from tests.conftest import Once, Sandbox
from tests.faults.test_kill import left_pending
from tests.old_ledger import ledger_in

NOTES = "## Notes\n\n- Prefer short functions.\n- The entry point is `src/app.py`.\n"


def two_promoted(box: Sandbox) -> None:
    box.note(NOTES)
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.commit("promoted")
    box.note(NOTES + "- Not promoted yet.\n")
    box.run("scan", now="2026-01-04T00:00:00Z")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, two_promoted)
    sandbox.now = "2026-01-05T00:00:00Z"
    return sandbox


def database(box: Sandbox) -> Path:
    return box.root / ".git/intermem/root/metadata.db"


def codes(box: Sandbox, *options: str, code: int | None = None) -> list[str]:
    return [one["code"] for one in box.run("doctor", *options, "--json", code=code).json["findings"]]


def change(box: Sandbox, *statements: str) -> None:
    with closing(sqlite3.connect(database(box), isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def truths(box: Sandbox) -> dict[str, tuple[object, ...]]:
    kept = ("document", "status", "first_seen", "pinned")
    return {text: tuple(entry[name] for name in kept) for text, entry in box.entries().items()}


def test_a_sound_project_and_a_fresh_clone_are_well(promoted: Sandbox, tmp_path: Path) -> None:
    promoted.now = "2026-01-10T00:00:00Z"
    assert "No problems found." in promoted.run("doctor").out
    shutil.copytree(promoted.root, tmp_path / "clone")
    shutil.rmtree(tmp_path / "clone/.git/intermem")
    clone = Sandbox(tmp_path / "clone", tmp_path / "no-memory", promoted.capture, promoted.now)
    before = clone.tree_hash()
    assert "No problems found." in clone.run("doctor").out
    assert clone.tree_hash() == before


INDEXES: dict[str, tuple[str, ...]] = {
    "database-index": (
        "INSERT INTO entries_fts (entries_fts, rowid, content, section)"
        " SELECT 'delete', id, content, section FROM memory_entries",
    ),
    "database-schema": ("DROP TRIGGER entries_changed",),
}


@pytest.mark.parametrize("code", INDEXES)
def test_indexes_and_triggers_are_made_anew(promoted: Sandbox, code: str) -> None:
    before = truths(promoted)
    change(promoted, *INDEXES[code])
    assert codes(promoted, code=1) == [code]
    assert codes(promoted, "--repair", code=0) == [code]
    assert codes(promoted, code=0) == []
    assert truths(promoted) == before
    assert len(promoted.run("query", "--search", "short", "--json").json["entries"]) == 1
    promoted.run("undo", code=None)


def test_a_trigger_that_was_changed_is_seen(promoted: Sandbox) -> None:
    change(
        promoted,
        "DROP TRIGGER aliases_insert_kept",
        "CREATE TRIGGER aliases_insert_kept AFTER INSERT ON aliases BEGIN SELECT 1; END",
    )
    assert codes(promoted, "--repair") == ["database-schema"]
    assert codes(promoted) == []


def zeroed_pages(path: Path) -> None:
    """Damage the leaf of an index and one of a table; the rows before and behind it can still be read."""
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'history_by_entry'").fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\0" * size)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a page is zeroed": zeroed_pages,
    "it is no database": lambda path: path.write_bytes(b"This is not a database at all. " * 400),
    "it was cut short": lambda path: os.truncate(path, path.stat().st_size // 2),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_database_is_put_aside_and_every_record_saved_or_learnt_anew(promoted: Sandbox, name: str) -> None:
    before, document = truths(promoted), promoted.read()
    with closing(sqlite3.connect(database(promoted))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    DAMAGES[name](database(promoted))
    damaged = database(promoted).read_bytes()
    outcome = promoted.run("sweep", code=None)
    if outcome.code == 2:
        assert "intermem doctor --repair" in outcome.err
    assert codes(promoted, code=1) == ["database-damaged"]
    assert database(promoted).with_name("metadata.db.damaged-1").exists() is False
    shown = promoted.run("doctor", "--repair").out
    assert "the old file is" in shown
    assert codes(promoted, code=0) == []
    kept = database(promoted).with_name("metadata.db.damaged-1")
    assert kept.read_bytes() == damaged or outcome.code == 0
    assert kept.stat().st_mode & 0o777 == 0o600
    after = truths(promoted)
    assert {text: row[:2] for text, row in after.items()} == {text: row[:2] for text, row in before.items()}
    assert promoted.read() == document
    if name == "a page is zeroed":
        assert after == before, "every row could be read"
    promoted.run("sweep", now="2026-01-06T00:00:00Z")
    assert promoted.read() == document


def test_records_are_rebuilt_from_regions_ledger_and_memory_where_the_database_is_gone(promoted: Sandbox) -> None:
    before, document = truths(promoted), promoted.read()
    for path in database(promoted).parent.glob("metadata.db*"):
        path.unlink()
    assert codes(promoted, code=1) == ["database-gone"]
    assert codes(promoted, "--repair", code=0) == ["database-gone"]
    after = truths(promoted)
    assert set(after) == set(before)
    assert {text: row[0] for text, row in after.items()} == {text: row[0] for text, row in before.items()}
    assert after["Prefer short functions."] == before["Prefer short functions."], "the ledger knows since when"
    assert promoted.read() == document
    assert codes(promoted, code=0) == []


def test_a_database_of_a_newer_version_is_left_alone(promoted: Sandbox) -> None:
    change(promoted, "PRAGMA user_version = 99")
    content = database(promoted).read_bytes()
    assert codes(promoted, "--repair", code=1) == ["database-other"]
    assert database(promoted).read_bytes() == content


def test_a_pending_operation_is_finished(promoted: Sandbox) -> None:
    left_pending(promoted, "demote", promoted.entries()["Prefer short functions."]["id"], now=promoted.now)
    assert codes(promoted, code=1) == ["pending"]
    assert codes(promoted, "--repair", code=0) == ["pending"]
    assert "Prefer short" not in promoted.read()
    assert codes(promoted, code=0) == []


def test_a_damaged_journal_is_closed_and_records_follow_the_documents(promoted: Sandbox) -> None:
    key = promoted.entries()["Prefer short functions."]["id"]
    left_pending(promoted, "demote", key, now=promoted.now)
    whole = promoted.read()
    change(promoted, "UPDATE intents SET content_after = x'00'")
    assert "is damaged" in (refused := promoted.run("sweep", code=2).err)
    assert "intermem doctor --repair closes it" in refused
    assert codes(promoted, code=1)[0] == "journal-damaged"
    promoted.run("doctor", "--repair", code=None)
    assert codes(promoted, code=0) == []
    assert promoted.read() == whole
    assert promoted.entries()["Prefer short functions."]["document"] == "AGENTS.md"


def test_temporary_files_that_nobody_knows_are_removed(promoted: Sandbox) -> None:
    for name in (".AGENTS.md.intermem-20260101T000000", ".intermem/.ledger.jsonl.intermem-20260101T000000"):
        promoted.write(name, "half a docu")
    kept = promoted.write(".AGENTS.md.intermem-notes", "mine")
    assert codes(promoted, code=1) == ["leftover", "leftover"]
    assert codes(promoted, "--repair", code=0) == ["leftover", "leftover"]
    assert codes(promoted, code=0) == []
    assert kept.exists()


def test_two_regions_become_one(promoted: Sandbox) -> None:
    second = f"{BEGIN}\n### Notes\n\n- Prefer short functions.\n- From a merge.\n{END}\n"
    promoted.write("AGENTS.md", f"{promoted.read()}\n## More\n\nBy hand.\n\n{second}\nThe end.\n")
    assert codes(promoted, code=1) == ["regions"]
    assert "-- From a merge." in promoted.run("doctor", "--repair", "--diff", code=1).out
    promoted.run("doctor", "--repair")
    text = promoted.read()
    region = find_region(text, "AGENTS.md")
    assert region is not None
    assert [item.text for item in region.items] == [
        "Prefer short functions.",
        "From a merge.",
        "The entry point is `src/app.py`.",
    ]
    assert text.endswith(f"{END}\n\n## More\n\nBy hand.\n\nThe end.\n")
    assert codes(promoted, code=0) == []
    promoted.run("undo", code=None)


def test_a_second_region_with_other_lines_is_left_to_a_person(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", promoted.read() + f"\n{BEGIN}\nA paragraph of mine.\n{END}\n")
    before = promoted.read()
    outcome = promoted.run("doctor", "--repair", code=1)
    assert "this second region holds lines that are not entries" in outcome.out
    assert promoted.read() == before


def cut(text: str, *, title: bool) -> str:
    start = text.index("## Project memory") if title else text.index(BEGIN)
    stop = text.index(END) + len(END) + 1
    return text[:start].rstrip("\n") + "\n" + text[stop:]


@pytest.mark.parametrize("title", [True, False])
def test_a_region_that_was_deleted_comes_back_as_it_was(promoted: Sandbox, title: bool) -> None:
    whole = promoted.read()
    promoted.write("AGENTS.md", cut(whole, title=title))
    assert codes(promoted, code=1) == ["region-lost"]
    assert codes(promoted, "--repair", code=0) == ["region-lost"]
    assert promoted.read() == whole
    assert codes(promoted, code=0) == []


def test_a_deleted_region_comes_back_at_the_end_where_the_document_has_changed(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", cut(promoted.read(), title=True).replace("Hello.", "Hello, world."))
    promoted.run("doctor", "--repair")
    assert promoted.read().startswith("# Project\n\nHello, world.\n\n## Project memory\n")
    assert "- Prefer short functions.\n" in promoted.read()
    assert {row[0] for text, row in truths(promoted).items() if text != "Not promoted yet."} == {"AGENTS.md"}


def test_a_region_that_moved_to_another_document_is_followed(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", 'targets = ["AGENTS.md", "docs/NOTES.md"]\n')
    whole = promoted.read()
    promoted.write("AGENTS.md", cut(whole, title=True))
    promoted.write("docs/NOTES.md", "# Notes\n\n" + whole[whole.index("## Project memory") :])
    promoted.run("doctor", "--repair", code=None)
    assert codes(promoted, code=0) == []
    assert truths(promoted)["Prefer short functions."][0] == "docs/NOTES.md"
    assert '"doc": "docs/NOTES.md"' in ledger_in(promoted.root)


def test_what_people_did_is_recorded_and_the_ledger_follows(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", promoted.read().replace("Prefer short functions.", "Prefer really short functions."))
    assert codes(promoted, code=1) == ["unrecorded"]
    before = promoted.read()
    assert codes(promoted, "--repair", code=0) == ["unrecorded"]
    assert codes(promoted, code=0) == []
    assert promoted.read() == before
    assert '"was": ' in ledger_in(promoted.root)


def test_what_only_a_person_can_decide_is_named_and_left(promoted: Sandbox) -> None:
    promoted.run("promote", "--yes", "--min-snapshots", "1")
    promoted.write("AGENTS.md", promoted.read().replace("- Not promoted yet.\n", ""))
    ledger = ledger_in(promoted.root)
    found = promoted.run("doctor", "--repair", "--json", code=1).json["findings"]
    assert [one["code"] for one in found] == ["missing"]
    assert "intermem restore" in found[0]["hint"] and "intermem reject" in found[0]["hint"]
    assert ledger_in(promoted.root) == ledger


def test_a_repair_can_be_undone(promoted: Sandbox) -> None:
    cut_out = cut(promoted.read(), title=True)
    promoted.write("AGENTS.md", cut_out)
    promoted.run("doctor", "--repair")
    newest = promoted.run("undo", "--list", "--json").json["operations"]
    assert newest[0]["verb"] == "doctor"
    while promoted.read() != cut_out:
        assert "doctor" in promoted.run("undo").out


@pytest.mark.parametrize("step", ["copyfileobj", "replace"])
def test_a_repair_that_cannot_write_leaves_the_damaged_file_where_it_is(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    database(promoted).write_bytes(b"This is not a database at all. " * 400)
    before = database(promoted).read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(shutil if step == "copyfileobj" else connection.os, step, full)
        outcome = promoted.run("doctor", "--repair", code=2)
    assert "No space left on device" in outcome.err
    assert database(promoted).read_bytes() == before
    promoted.run("doctor", "--repair")


def test_a_ledger_that_lags_behind_is_found_like_a_check_finds_it(promoted: Sandbox) -> None:
    promoted.run("reject", promoted.entries()["Prefer short functions."]["id"])
    promoted.git("clean", "-fdq", ".intermem")
    promoted.run("sweep", "--check", code=1)
    assert codes(promoted, code=1) == ["unrecorded"]
    assert codes(promoted, "--repair", code=0) == ["unrecorded"]
    promoted.run("sweep", "--check", code=0)


def test_a_ledger_that_is_only_a_few_days_behind_is_no_disagreement(promoted: Sandbox) -> None:
    promoted.scans("2026-01-30")
    promoted.now = "2026-01-30T00:00:00Z"
    assert codes(promoted, code=0) == []


def test_blank_lines_that_were_added_elsewhere_outlive_the_return_of_a_region(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", cut(promoted.read(), title=True).replace("# Project\n\n", "# Project\n\n\n"))
    promoted.run("doctor", "--repair")
    assert promoted.read().startswith("# Project\n\n\nHello.\n")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE memory_entries SET first_seen = 'yesterday' WHERE section = 'Notes'", "first_seen: 'yesterday'"),
        ("UPDATE memory_entries SET trail = 'x'", "trail: 'x'"),
        ("UPDATE citations SET evidence = '{'", "evidence: '{'"),
    ],
)
def test_a_value_that_cannot_be_read_stops_no_repair(promoted: Sandbox, statement: str, says: str) -> None:
    texts = set(truths(promoted))
    change(promoted, statement)
    assert says in promoted.run("doctor", code=1).out
    promoted.run("doctor", "--repair")
    assert set(truths(promoted)) == texts
    assert codes(promoted, code=0) == []


def test_a_schema_whose_words_are_no_text_is_put_aside(promoted: Sandbox) -> None:
    with closing(sqlite3.connect(database(promoted))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    content = database(promoted).read_bytes()
    assert b"last_sweep'" in content
    database(promoted).write_bytes(content.replace(b"last_sweep'", b"last_swee\xf0'", 1))
    outcome = promoted.run("sweep", code=None)
    assert "Traceback" not in outcome.err
    promoted.run("doctor", "--repair", code=None)
    assert codes(promoted, code=0) == []


def test_a_bare_repository_is_well(promoted: Sandbox, tmp_path: Path) -> None:
    promoted.git("clone", "-q", "--bare", str(promoted.root), str(tmp_path / "bare.git"))
    bare = Sandbox(tmp_path / "bare.git", tmp_path / "none", promoted.capture)
    assert "No problems found." in bare.run("doctor").out


def test_a_line_that_one_side_edited_and_the_other_took_out_is_left_to_a_person(promoted: Sandbox) -> None:
    whole = promoted.read()
    promoted.git("checkout", "-q", "-b", "other")
    promoted.write("AGENTS.md", whole.replace("- Prefer short functions.\n", ""))
    promoted.commit("out")
    promoted.run("sweep", "--no-scan")
    promoted.commit("recorded")
    promoted.git("checkout", "-q", "main")
    promoted.write("AGENTS.md", whole.replace("Prefer short functions.", "Prefer really short functions."))
    promoted.commit("edited")
    promoted.run("sweep", "--no-scan")
    promoted.commit("recorded")
    with pytest.raises(AssertionError):
        promoted.git("merge", "-q", "other")
    assert "<<<<<<<" in promoted.read()
    said = promoted.run("doctor", "--repair", code=1).out
    assert "1 line reworded on one side and removed on the other" in said
    left = "<<<<<<< HEAD\n- Prefer really short functions.\n=======\n>>>>>>> other\n"
    assert left in promoted.read() and promoted.read().count("<<<<<<<") == 1
    promoted.write("AGENTS.md", promoted.read().replace(left, "- Prefer really short functions.\n"))
    promoted.commit("kept")
    assert codes(promoted, code=1) == ["contested"], "the removal is recorded, the merge is not: it asks once"
    promoted.now = "2027-01-01T00:00:00Z"  # after the commits of these tests
    promoted.run("restore", promoted.entries()["Prefer really short functions."]["id"])
    promoted.commit("decided")
    assert codes(promoted, code=0) == []


def test_what_was_taken_out_since_the_commit_does_not_come_back_with_a_region(promoted: Sandbox) -> None:
    promoted.run("reject", promoted.entries()["Prefer short functions."]["id"])
    promoted.write("AGENTS.md", cut(promoted.read(), title=True))
    promoted.run("doctor", "--repair")
    assert "Prefer short" not in promoted.read()
    assert "- The entry point is `src/app.py`.\n" in promoted.read()
    assert promoted.entries()["Prefer short functions."]["rejected_at"] is not None


def test_damage_of_two_kinds_is_mended_once(promoted: Sandbox) -> None:
    change(
        promoted,
        *INDEXES["database-index"],
        "PRAGMA foreign_keys = OFF",
        "INSERT INTO sources VALUES ('nobody', 'MEMORY.md', 1, 1)",
    )
    assert codes(promoted, code=1) == ["database-index", "database-damaged"]
    assert codes(promoted, "--repair", code=0) == ["database-index", "database-damaged"]
    kept = sorted(path.name for path in database(promoted).parent.glob("*.damaged-*") if not path.name.endswith("-wal"))
    assert kept == ["metadata.db.damaged-1"]
    assert codes(promoted, code=0) == []


def test_an_operation_whose_time_cannot_be_read_stops_neither_undo_nor_doctor(promoted: Sandbox) -> None:
    change(promoted, "UPDATE operations SET at = 'x' WHERE id = 4")
    assert "damaged" in promoted.run("undo", "--list").out
    assert codes(promoted, code=1) == ["journal-damaged"]
    promoted.run("doctor", "--repair")
    assert codes(promoted, code=0) == []


@pytest.mark.parametrize(
    ("column", "stands"), [("last_seen", "2026-01-04T00:00:00Z"), ("first_seen", "2026-01-01T00:00:00Z")]
)
def test_a_time_of_seeing_that_cannot_be_read_is_not_now(promoted: Sandbox, column: str, stands: str) -> None:
    """A note that is gone would be fresh again, and no clone would agree."""
    before = promoted.entries()["Prefer short functions."][column]
    change(promoted, f"UPDATE memory_entries SET {column} = 'yesterday' WHERE content LIKE 'Prefer short%'")
    promoted.note("# Memory\n")
    outcome = promoted.run("doctor", "--repair", now="2026-03-01T00:00:00Z")
    after = promoted.run("query", "--all", "--json", "--no-touch", now="2026-03-01T00:00:00Z").json["entries"]
    (entry,) = [one for one in after if one["text"] == "Prefer short functions."]
    assert before == stands == entry[column]
    assert f"of the record or the ledger: {entry['id'][:8]} {column.replace('_', ' ')}" in outcome.out
