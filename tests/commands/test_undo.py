"""``undo``: documents and records are as they were before an operation, whatever the operation was."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from intermem.storage import undo_log
from tests.conftest import Once, Sandbox

NOTES = "## Notes\n\n- Prefer short functions.\n- The entry point is `src/app.py`.\n"
EVENING = "2026-01-03T20:00:00Z"


NOT_UNDONE = {
    "operations": "they are what is undone",
    "intents": "so are they",
    "images": "so are they",
    "recording": "it is empty between operations",
    "history": "it goes on",
    "citation_checks": "nothing writes them",
}
NOT_UNDONE_OF_RECORDS = ("access_count", "last_accessed")


def records_of(box: Sandbox) -> dict[str, list[tuple[object, ...]]]:
    """Everything that an operation may change in metadata.db, row by row: every table, every column."""
    with closing(sqlite3.connect(box.root / ".git/intermem/root/metadata.db")) as connection:
        tables = (
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND NOT (name GLOB '*_fts*' OR name GLOB 'sqlite_*')"
        )
        found: dict[str, list[tuple[object, ...]]] = {}
        for (table,) in connection.execute(tables).fetchall():
            if table not in NOT_UNDONE:
                names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
                kept = ", ".join(name for name in names if name not in NOT_UNDONE_OF_RECORDS)
                found[table] = sorted(connection.execute(f"SELECT {kept} FROM {table}").fetchall(), key=repr)
        found["meta"] = [row for row in found["meta"] if row[0] != "observer"]  # who a clone is was no operation
        assert {"memory_entries", "citations", "feedback", "sources", "aliases", "meta"} <= found.keys()
        return found


def files_of(box: Sandbox) -> dict[str, bytes]:
    return {
        str(path.relative_to(box.root)): path.read_bytes()
        for path in box.root.rglob("*")
        if path.is_file() and ".git/" not in str(path)
    }


def two_notes(box: Sandbox) -> None:
    box.note(NOTES)
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")


def two_promoted(box: Sandbox) -> None:
    box.run("promote", "--yes")
    box.commit("promoted")


@pytest.fixture
def scanned(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, two_notes)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


@pytest.fixture
def promoted(scanned: Sandbox, once: Once) -> Sandbox:
    once(scanned, two_promoted)
    scanned.now = "2026-01-03T02:00:00Z"
    return scanned


def key_of(box: Sandbox, text: str = "Prefer short functions.") -> str:
    return str(box.entries()[text]["id"])


def reworded(box: Sandbox) -> None:
    box.write("AGENTS.md", box.read().replace("Prefer short functions.", "Prefer really short functions."))
    box.run("sweep")


def two_stale_sweeps(box: Sandbox) -> None:
    box.note("")
    box.run("sweep", now="2026-03-01T00:00:00Z")
    box.run("sweep", now="2026-03-02T00:00:00Z")
    assert "Prefer short" not in box.read()


def revised_note(box: Sandbox) -> None:
    box.note(NOTES.replace("Prefer short", "Prefer very short"))
    box.run("sweep", now="2026-01-04T00:00:00Z")
    box.run("promote", "--yes", "--min-snapshots", "1", now="2026-01-04T01:00:00Z")
    assert "very short" in box.read()


ENTRY = "The entry point is `src/app.py`."


def retention_at_a_sweep(box: Sandbox) -> None:
    """One entry was never promoted and is demoted; the record of another, demoted long ago, is deleted."""
    box.note("- Never stood, and cites `src/app.py`.\n" + "".join(f"- {chr(0x4E00 + one) * 9}\n" for one in range(99)))
    box.run("scan", now="2026-01-04T00:00:00Z")
    box.run("demote", key_of(box), now="2026-01-04T00:00:00Z")
    box.note("")
    box.write("intermem.toml", "[retention]\nenabled = true\nat_sweep = true\n[retention.days]\nuntyped = 30\n")
    told = box.run("sweep", "--json", now="2026-09-01T00:00:00Z").json
    (box.root / "intermem.toml").unlink()
    assert (len(told["expired"]), len(told["deleted"])) == (100, 1)


RUNS: dict[str, Callable[[Sandbox], object]] = {
    "scan": lambda box: (box.note(NOTES + "- A new one.\n"), box.run("scan", now="2026-01-04T00:00:00Z")),
    "scan, nothing left": lambda box: (box.note(""), box.run("scan", now="2026-01-04T00:00:00Z")),
    "promote": lambda box: (box.note(NOTES + "- A new one.\n"), box.scans("2026-01-04"), box.run("promote", "--yes")),
    "sweep, nothing demoted": lambda box: box.run("sweep", "--no-scan", now="2026-01-30T00:00:00Z"),
    "sweep, demoted": two_stale_sweeps,
    "demote": lambda box: box.run("demote", key_of(box), "--reason", "for a while"),
    "reject": lambda box: box.run("reject", key_of(box)),
    "restore": lambda box: (box.run("demote", key_of(box)), box.run("restore", key_of(box))),
    "lift": lambda box: (
        box.note(NOTES + "- A new one.\n"),
        box.scans("2026-01-04"),
        box.run("reject", key_of(box, "A new one.")),
        box.run("restore", key_of(box, "A new one.")),
    ),
    "feedback": lambda box: box.run("feedback", key_of(box), "failure", "--severity", "high", "--note", "It's é."),
    "feedback, confirmed": lambda box: box.run("feedback", key_of(box, ENTRY), "confirm"),
    "feedback, forgotten": lambda box: box.run("feedback", key_of(box), "forget"),
    "feedback, several": lambda box: [
        box.run("feedback", key_of(box), kind) for kind in ("outdated", "incorrect", "incorrect", "confirm", "forget")
    ],
    "pin": lambda box: box.run("pin", key_of(box), "--until", "2027-01-01"),
    "unpin": lambda box: (box.run("pin", key_of(box), key_of(box, ENTRY)), box.run("unpin", key_of(box))),
    "forgotten": lambda box: box.run("feedback", key_of(box), "forget"),
    "supersede": lambda box: box.run("supersede", key_of(box), key_of(box, ENTRY), "--reason", "newer"),
    "prune": lambda box: box.run("prune", "--keep-newest", "0", "--confirm"),
    "prune, deleted": lambda box: (
        box.run("feedback", key_of(box, ENTRY), "failure"),
        box.run("query", "--all"),
        box.run("prune", "--keep-newest", "0", "--delete", "--confirm"),
    ),
    "prune, expired": lambda box: (
        box.run("supersede", key_of(box), key_of(box, ENTRY)),
        box.note(""),
        box.run("scan", now="2026-01-04T00:00:00Z"),
        box.run("prune", "--expired", "--delete", "--confirm", now="2026-03-01T00:00:00Z"),
    ),
    "sweep, with retention": retention_at_a_sweep,
    "reworded by hand": reworded,
    "revised in the memory": revised_note,
    "init --remove": lambda box: box.run("init", "--remove"),
    "put twice and repaired": lambda box: (
        box.write("AGENTS.md", box.read().replace("- Prefer short", "- Prefer short functions.\n- Prefer short")),
        box.run("doctor", "--repair"),
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_undo_leaves_documents_and_records_as_they_were(promoted: Sandbox, name: str) -> None:
    files, records = files_of(promoted), records_of(promoted)
    first = promoted.run("undo", "--list", "--json").json["operations"][0]["operation"]
    RUNS[name](promoted)
    after, changed = files_of(promoted), records_of(promoted)
    assert (after, changed) != (files, records) or name == "put twice and repaired"
    edited_by_hand = name in ("reworded by hand", "put twice and repaired")
    done = promoted.run("undo", str(first + 1), now=EVENING)
    assert "Undone: operation" in done.out
    assert records_of(promoted) == records
    assert edited_by_hand or files_of(promoted) == files
    newest = promoted.run("undo", "--list", "--json").json["operations"][0]
    promoted.run("undo", str(newest["operation"]), now=EVENING)
    assert (files_of(promoted), records_of(promoted)) == (after, changed), "an undo is undone by its number"


@pytest.mark.parametrize(
    "name", ["feedback", "feedback, forgotten", "pin", "supersede", "prune", "prune, deleted", "prune, expired"]
)
def test_a_word_on_an_entry_is_taken_back_alone_and_after_another_operation(promoted: Sandbox, name: str) -> None:
    first = promoted.run("undo", "--list", "--json").json["operations"][0]["operation"] + 1
    RUNS[name](promoted)
    files, records = files_of(promoted), records_of(promoted)
    promoted.note(NOTES + "- A new one.\n")
    promoted.scans("2026-03-02")
    promoted.run("feedback", key_of(promoted, "A new one."), "confirm")
    promoted.run("undo", now=EVENING)
    promoted.run("undo", now=EVENING)
    assert (files_of(promoted), records_of(promoted)) == (files, records)
    promoted.scans("2026-03-03")
    promoted.run("undo", str(first), now=EVENING)
    assert all(text in promoted.read() for text in ("Prefer short functions.", ENTRY))
    assert {one["document"] for one in promoted.entries().values()} == {"AGENTS.md"}


def test_access_survives_the_undo_of_a_deletion(promoted: Sandbox) -> None:
    promoted.run("query", "--all", now="2026-01-05T01:00:00Z")
    promoted.run("prune", "--keep-newest", "0", "--delete", "--confirm")
    promoted.run("undo", now=EVENING)
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        rows = connection.execute("SELECT access_count, last_accessed FROM memory_entries").fetchall()
    assert rows == [(1, "2026-01-05T01:00:00Z")] * 2
    assert promoted.run("query", "--search", "short").code == 0, "the full-text index came back, too"


def test_undo_takes_back_the_newest_operation_and_the_one_before_it_next(promoted: Sandbox) -> None:
    whole = promoted.read()
    promoted.run("demote", key_of(promoted))
    half = promoted.read()
    promoted.run("demote", key_of(promoted, "The entry point is `src/app.py`."))
    promoted.run("undo")
    assert promoted.read() == half
    promoted.run("undo")
    assert promoted.read() == whole
    promoted.run("undo")
    assert promoted.read() == "# Project\n\nHello.\n"
    assert not (promoted.root / ".intermem").exists()


def test_what_is_undone_stays_undone_for_the_runs_after_it(promoted: Sandbox) -> None:
    whole = promoted.read()
    promoted.run("demote", key_of(promoted))
    promoted.run("undo")
    promoted.run("sweep")
    assert promoted.read() == whole
    assert {entry["document"] for entry in promoted.entries().values()} == {"AGENTS.md"}
    promoted.run("undo")
    promoted.run("undo")
    promoted.run("sweep", "--no-scan")
    assert {entry["document"] for entry in promoted.entries().values()} == {None}
    assert {entry["rejected_at"] for entry in promoted.entries().values()} == {None}, "nobody took it out by hand"


def test_a_hand_edit_is_never_overwritten(promoted: Sandbox) -> None:
    promoted.run("demote", key_of(promoted))
    promoted.write("AGENTS.md", promoted.read().replace("Hello.", "Hello, by hand."))
    before, records = files_of(promoted), records_of(promoted)
    outcome = promoted.run("undo", code=2)
    assert "AGENTS.md has changed since operation 5 (demote); nothing was changed" in outcome.err
    assert (files_of(promoted), records_of(promoted)) == (before, records)
    promoted.write("AGENTS.md", promoted.read().replace("Hello, by hand.", "Hello."))
    promoted.run("undo")


def test_an_edit_between_two_operations_is_not_undone_with_them(promoted: Sandbox) -> None:
    promoted.run("demote", key_of(promoted))
    promoted.write("AGENTS.md", promoted.read().replace("Hello.", "Hello, by hand."))
    promoted.run("demote", key_of(promoted, "The entry point is `src/app.py`."))
    outcome = promoted.run("undo", "5", code=2)
    assert "AGENTS.md has changed since operation 5 (demote)" in outcome.err
    promoted.run("undo")
    assert "by hand" in promoted.read()


def test_nothing_to_undo_is_exit_code_1(sandbox: Sandbox) -> None:
    assert "Nothing to undo." in sandbox.run("undo", code=1).out
    assert "No operations." in sandbox.run("undo", "--list", code=1).out
    assert not (sandbox.root / ".git/intermem").exists()


@pytest.mark.parametrize(
    ("number", "says"),
    [("99", "no operation 99"), ("4", "operation 4 (promote) was already undone by operation 5")],
)
def test_what_cannot_be_undone_is_said(promoted: Sandbox, number: str, says: str) -> None:
    promoted.run("undo")
    before = records_of(promoted)
    assert says in promoted.run("undo", number, code=2).err
    assert records_of(promoted) == before


def test_an_undo_is_undone_only_while_it_is_the_last_operation(promoted: Sandbox) -> None:
    promoted.run("undo")
    promoted.scans("2026-01-05")
    outcome = promoted.run("undo", "5", code=2)
    assert "operation 6 (scan) came after it" in outcome.err


def test_only_the_newest_operations_are_kept(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", "[undo]\noperations = 2\n")
    promoted.scans("2026-01-05", "2026-01-06")
    outcome = promoted.run("undo", "4", code=2)
    assert "operation 4 (promote) is too old to undo" in outcome.err
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        assert connection.execute("SELECT min(operation_id), max(operation_id) FROM images").fetchone() == (5, 6)
        assert connection.execute("SELECT count(*) FROM intents").fetchone() == (0,)
    promoted.run("undo", "5")


def test_images_are_bounded_but_the_newest_operation_can_be_undone(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_log, "MAX_IMAGES", 1)
    promoted.scans("2026-01-05")
    assert "too old to undo" in promoted.run("undo", "4", code=2).err
    promoted.run("undo")


def test_a_dry_run_shows_what_undo_would_do_and_writes_nothing(promoted: Sandbox) -> None:
    promoted.run("demote", key_of(promoted))
    before = promoted.tree_hash()
    assert "AGENTS.md would be restored" in promoted.run("undo", "--dry-run").out
    assert "+- Prefer short functions." in promoted.run("undo", "--diff").out
    assert [one["verb"] for one in promoted.run("undo", "--dry-run", "--json").json["undone"]] == ["demote"]
    assert promoted.tree_hash() == before


def test_another_worktrees_operation_is_undone_from_there(promoted: Sandbox, tmp_path: Path) -> None:
    promoted.git("worktree", "add", "-q", str(tmp_path / "second"))
    second = replace(promoted, root=tmp_path / "second")
    second.run("demote", key_of(promoted))
    outcome = promoted.run("undo", code=2)
    assert f"operation 5 (demote) ran in {tmp_path / 'second'}" in outcome.err
    second.run("undo")
    assert "Prefer short functions." in second.read()


def test_a_moved_repository_undoes_in_its_own_files(promoted: Sandbox, tmp_path: Path) -> None:
    whole = promoted.read()
    promoted.run("demote", key_of(promoted))
    shutil.copytree(promoted.root, tmp_path / "copy", symlinks=True)
    moved = replace(promoted, root=promoted.root.rename(tmp_path / "moved"))
    moved.run("undo")
    assert moved.read() == whole
    assert (tmp_path / "copy/AGENTS.md").read_text("utf-8") != whole


def test_every_kind_of_text_comes_back_as_it_was(promoted: Sandbox) -> None:
    strange = 'A "quoted" \\ text with a NUL \0, a bell \a, é, 漢字, 😀 and `x`, { "a": 1 }.'
    promoted.note(NOTES + f"- {strange}\n")
    promoted.scans("2026-01-04")
    before = records_of(promoted)
    promoted.note(NOTES + f"- {strange} Reworded.\n")
    promoted.run("sweep", now="2026-01-05T00:00:00Z")
    assert records_of(promoted) != before
    promoted.run("undo", now=EVENING)
    assert records_of(promoted) == before


def test_access_is_not_undone(promoted: Sandbox) -> None:
    promoted.scans("2026-01-05")
    promoted.run("query", "--all", now="2026-01-05T01:00:00Z")
    promoted.run("undo", now=EVENING)
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        rows = connection.execute("SELECT access_count, last_accessed FROM memory_entries").fetchall()
    assert set(rows) == {(1, "2026-01-05T01:00:00Z")}


def test_why_and_log_tell_of_an_undo(promoted: Sandbox) -> None:
    key = key_of(promoted)
    promoted.run("demote", key, now="2026-01-03T02:00:00Z")
    promoted.run("undo", now="2026-01-03T03:00:00Z")
    assert "undone operation 5, demote of 2026-01-03T02:00:00Z" in promoted.run("why", key).out
    rows = promoted.run("log", key, "--json").json["history"]
    assert [(row["event"], row["operation"]) for row in rows[:2]] == [("undone", 6), ("demoted", 5)]


def test_a_run_that_changes_nothing_is_no_operation(promoted: Sandbox) -> None:
    promoted.run("sweep", "--no-scan", now="2026-01-03T02:00:00Z")
    before = promoted.run("undo", "--list", "--json").json["operations"]
    promoted.run("sweep", "--no-scan", now="2026-01-03T02:00:00Z")
    assert promoted.run("undo", "--list", "--json").json["operations"] == before


def test_undo_in_the_middle_of_a_merge_is_refused(promoted: Sandbox) -> None:
    (promoted.root / ".git/MERGE_HEAD").write_text(promoted.git("rev-parse", "HEAD"))
    assert "an unfinished merge" in promoted.run("undo", code=2).err
    promoted.run("undo", "--force")


@pytest.mark.parametrize("arguments", [["--list", "3"], ["--list", "--dry-run"], ["--limit", "3"], ["x"], ["0"]])
def test_options_that_do_not_go_together_are_refused(sandbox: Sandbox, arguments: list[str]) -> None:
    assert sandbox.run("undo", *arguments, code=2).err.startswith("error: ")


@pytest.mark.parametrize("keep", [1, 2])
def test_the_oldest_operation_that_is_kept_is_undone_records_and_all(sandbox: Sandbox, keep: int) -> None:
    sandbox.write("intermem.toml", f"[undo]\noperations = {keep}\n")
    sandbox.note(NOTES)
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    before = records_of(sandbox)
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    for day in ("2026-01-04", "2026-01-05")[: keep - 1]:
        sandbox.scans(day)
    sandbox.run("undo", "4", now=EVENING)
    assert records_of(sandbox) == before
    sandbox.run("undo", str(4 + keep), now=EVENING)
    assert {entry["document"] for entry in sandbox.entries().values()} == {"AGENTS.md"}


def test_what_was_committed_is_said_to_count_as_taken_out_once_that_is_committed(promoted: Sandbox) -> None:
    promoted.run("undo", "--dry-run", "4")
    outcome = promoted.run("undo", "4")
    assert "HEAD has 2 of these entries in AGENTS.md" in outcome.err
    promoted.run("undo", "5")
    promoted.run("demote", key_of(promoted))
    assert "HEAD has" not in promoted.run("undo").err


def test_a_before_image_that_was_damaged_is_never_written(promoted: Sandbox) -> None:
    promoted.run("demote", key_of(promoted))
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        connection.execute(
            "UPDATE intents SET content_before = x'00' WHERE operation_id = 5 AND document = 'AGENTS.md'"
        )
        connection.commit()
    text = promoted.read()
    assert "the undo data of operation 5 (demote) is damaged" in promoted.run("undo", code=2).err
    assert promoted.read() == text
    assert "damaged" in promoted.run("undo", "--list").out
    assert "can no longer be undone" in promoted.run("doctor", "--repair").out
    assert "No problems found." in promoted.run("doctor").out
    assert "is damaged" in promoted.run("undo", code=2).err


def test_a_worktree_that_was_removed_holds_up_no_undo(promoted: Sandbox, tmp_path: Path) -> None:
    promoted.git("worktree", "add", "-q", str(tmp_path / "second"))
    second = replace(promoted, root=tmp_path / "second")
    second.run("demote", key_of(promoted))
    promoted.git("worktree", "remove", "--force", str(tmp_path / "second"))
    text = promoted.read()
    promoted.run("undo")
    assert promoted.read() == text
    assert key_of(promoted) and promoted.entries()["Prefer short functions."]["document"] == "AGENTS.md"


def test_a_repair_is_undone_as_one(promoted: Sandbox) -> None:
    region = promoted.read()[promoted.read().index("<!-- intermem:begin") :]
    promoted.write("AGENTS.md", promoted.read() + "\n" + region.replace("Prefer short", "Prefer long"))
    before = files_of(promoted)
    promoted.run("doctor", "--repair")
    assert files_of(promoted) != before
    promoted.run("undo")
    assert files_of(promoted) == before


def test_history_of_what_never_stood_names_no_place(promoted: Sandbox) -> None:
    promoted.note(NOTES + "- A new one.\n")
    promoted.scans("2026-01-04")
    promoted.run("reject", key_of(promoted, "A new one."))
    (row,) = [row for row in promoted.run("log", "--json").json["history"] if row["event"] == "rejected"]
    assert row["detail"] == "by hand; confidence 0.5"


@pytest.mark.parametrize(
    "command", [("prune", "--keep-newest", "0", "--delete", "--confirm"), ("feedback", "ID", "incorrect")]
)
def test_why_says_what_was_undone_of_entries_in_no_document(scanned: Sandbox, command: tuple[str, ...]) -> None:
    key = key_of(scanned)
    scanned.run(*(key if word == "ID" else word for word in command), now=EVENING)
    scanned.run("undo", now="2026-01-03T21:00:00Z")
    newest = scanned.run("log", key, "--json").json["history"][0]
    what = "deleted" if command[0] == "prune" else "feedback"
    assert newest["event"] == "undone" and newest["detail"].endswith(f", {command[0]} of {EVENING}: {what}")


@pytest.mark.parametrize("preview", [(), ("--dry-run",)])
def test_what_a_sweep_demoted_before_stays_its_demotion_and_nothing_is_said(
    promoted: Sandbox, preview: tuple[str, ...]
) -> None:
    promoted.note("- Something else entirely.\n")
    for day in ("2026-02-10", "2026-02-11"):
        promoted.run("sweep", now=f"{day}T00:00:00Z")
    promoted.note(NOTES)
    promoted.run("scan", now="2026-02-12T00:00:00Z")
    promoted.run("promote", "--yes", now="2026-02-12T01:00:00Z")
    outcome = promoted.run("undo", *preview, now="2026-02-12T02:00:00Z")
    assert "AGENTS.md" in outcome.out and "HEAD has" not in outcome.err
    if not preview:
        promoted.commit("say so")
        promoted.run("sweep", "--no-scan", now="2026-02-12T03:00:00Z")
        assert {one["rejected_at"] for one in promoted.entries().values()} == {None}


def test_a_record_that_is_changed_and_deleted_is_one(sandbox: Sandbox) -> None:
    two_notes(sandbox)
    sandbox.run("promote", "--yes", now=EVENING)
    sandbox.run("prune", "--search", "Prefer", "--delete", "--confirm", now=EVENING)
    newest = sandbox.run("undo", "--list", "--json", now=EVENING).json["operations"][0]
    assert (newest["verb"], newest["records"]) == ("prune", 1)


def test_an_operation_that_changed_nothing_is_not_the_one_to_undo(sandbox: Sandbox) -> None:
    before = sandbox.read()
    sandbox.run("sweep")
    assert "Nothing to undo" in sandbox.run("undo", code=1).out
    sandbox.run("init")
    assert sandbox.read() != before
    sandbox.run("sweep", now="2026-01-02T00:00:00Z")
    said = sandbox.run("undo").out
    assert sandbox.read() == before and "init" in said and "AGENTS.md restored" in said


def test_a_word_that_changes_no_figure_is_undone(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", "[feedback]\nfailure_low = 0\n")
    (key,) = [one["id"] for text, one in promoted.entries().items() if "short" in text]
    promoted.run("feedback", key, "failure", "--severity", "low")
    assert "feedback" in promoted.run("undo").out
    assert promoted.run("why", key, "--json").json["feedback"] == []


def test_an_undone_demotion_of_what_was_in_no_document_names_none(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n")
    sandbox.scans("2026-01-01")
    (key,) = [one["id"] for one in sandbox.entries().values()]
    sandbox.run("demote", key)
    sandbox.run("undo")
    (told,) = [row["detail"] for row in sandbox.run("log", key, "--json").json["history"] if row["event"] == "undone"]
    assert told.endswith(", demote of 2026-01-01T00:00:00Z: demote")


def test_an_older_version_can_be_undone_before_it_is_migrated_and_after(promoted: Sandbox) -> None:
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db", isolation_level=None)) as old:
        for (name,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            old.execute(f"DROP TRIGGER {name}")
        old.execute("ALTER TABLE memory_entries DROP COLUMN kept_out")
        old.execute("PRAGMA user_version = 8")
    listed = promoted.run("undo", "--list").out
    assert "damaged" not in listed and "too old" not in listed
    assert "promote of" in promoted.run("undo").out
    assert {entry["status"] for entry in promoted.entries().values()} == {"active"}


@pytest.mark.parametrize("verb", ["sweep", "promote", "scan"])
def test_what_undo_took_out_is_no_removal_by_a_person_before_that_is_committed(promoted: Sandbox, verb: str) -> None:
    promoted.run("undo")
    promoted.run(verb, *(["--dry-run"] if verb == "promote" else []))
    assert {entry["status"] for entry in promoted.entries().values()} == {"active"}
    promoted.run("promote", "--yes")
    assert "Prefer short functions." in promoted.read()


def test_what_undo_took_out_can_be_restored_once_that_is_committed(promoted: Sandbox) -> None:
    key = key_of(promoted)
    promoted.run("undo")
    assert "No problems" in promoted.run("doctor").out, "document and ledger went together"
    promoted.commit("undone")
    assert "rejected" in promoted.run("why", key).out
    assert "as a candidate" in promoted.run("restore", key).out
    promoted.run("promote", key, "--yes")
    assert "Prefer short functions." in promoted.read()
