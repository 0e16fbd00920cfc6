"""``purge`` (seeds/S0): what it deletes is gone from all our files; what it does not select stays."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox
from tests.storage.test_migrations import first_version

SECRET = "The staging door opens with zxqvjk plumage forty."
PUBLIC = "Prefer short functions."
OTHER = "Releases are cut on Tuesdays."
TRIGRAMS = {"zxq", "xqv", "qvj", "vjk"}  # of no other text


def state_of(sandbox: Sandbox) -> Path:
    return sandbox.root / ".git/intermem/root"


def files_with(folder: Path, text: str) -> list[str]:
    """Every file below ``folder`` that holds ``text``, git's own objects apart."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and "objects" not in path.parts)
    return [path.relative_to(folder).as_posix() for path in found if text.encode() in path.read_bytes()]


def indexed(sandbox: Sandbox) -> set[str]:
    """The trigrams in the full-text index."""
    with closing(sqlite3.connect(state_of(sandbox) / "metadata.db")) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, entries_fts, 'row')")
        return {row[0] for row in connection.execute("SELECT term FROM temp.words")}


@pytest.fixture
def filled(sandbox: Sandbox, once: Once) -> Sandbox:
    """Three notes in a document, one of them the secret; seen, judged, given feedback and edited: it is everywhere."""
    once(sandbox, everywhere)
    return sandbox


def everywhere(sandbox: Sandbox) -> None:
    sandbox.note(f"## Doors\n\n- {SECRET}\n- {PUBLIC}\n\n## Other\n\n- {OTHER}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.run("feedback", identity(SECRET), "failure", "--note", f"said: {SECRET}", now="2026-01-04T00:00:00Z")
    sandbox.run("pin", identity(SECRET), "--reason", SECRET, now="2026-01-04T00:00:00Z")
    sandbox.note(f"- {PUBLIC}\n- {OTHER}\n")


def test_without_confirm_it_is_a_preview(filled: Sandbox) -> None:
    before = filled.tree_hash()
    outcome = filled.run("purge", "--search", "zxqvjk")
    assert filled.tree_hash() == before
    assert "Would purge 1 entry:" in outcome.out
    assert identity(SECRET)[:8] in outcome.out
    assert "it was pinned: purge deletes it too" in outcome.err
    assert "AGENTS.md contains a line of it: --from-documents" in outcome.err
    assert "add --confirm" in outcome.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([], "nothing was destroyed: add --confirm; earlier"),
        (["--dry-run", "--confirm"], "nothing was destroyed: leave out --dry-run; earlier"),
        (["--dry-run"], "nothing was destroyed: add --confirm, and leave out --dry-run; earlier"),
    ],
)
def test_a_preview_says_what_would_carry_it_out(filled: Sandbox, more: list[str], says: str) -> None:
    before = filled.tree_hash()
    assert says in filled.run("purge", "--search", "zxqvjk", *more).err
    assert filled.tree_hash() == before


@pytest.mark.parametrize("more", [[], ["--confirm"]])
def test_a_purge_that_matches_nothing_says_so_and_exits_1_like_a_search(filled: Sandbox, more: list[str]) -> None:
    before = filled.tree_hash()
    outcome = filled.run("purge", "--search", "sk-", *more, code=1)
    assert (outcome.out, outcome.err) == ("No entries match.\n", "")
    assert filled.tree_hash() == before


def test_a_preview_shows_ten_rows_and_the_count(sandbox: Sandbox) -> None:
    sandbox.note("".join(f"- Fact number {number} of many.\n" for number in range(13)))
    sandbox.run("scan")
    outcome = sandbox.run("purge", "--search", "fact")
    assert "Would purge 13 entries:" in outcome.out
    assert outcome.out.count("Fact number") == 10
    assert "… and 3 more (--verbose shows all)" in outcome.out


def test_what_people_said_of_another_entry_is_searched_as_well(filled: Sandbox) -> None:
    filled.run("feedback", identity(OTHER), "failure", "--note", "the old badge qqzzyx", now="2026-01-05T00:00:00Z")
    found = filled.run("purge", "--search", "qqzzyx", "--json").json["entries"]
    assert [one["id"] for one in found] == [identity(OTHER)]
    filled.run("purge", "--search", "snapshots", code=1)  # what intermem itself says of an entry selects none
    filled.run("purge", "--search", "qqzzyx", "--from-documents", "--confirm")
    assert files_with(filled.root, "qqzzyx") == []


def test_nothing_of_it_is_left_in_any_file_of_ours(filled: Sandbox) -> None:
    assert indexed(filled) >= TRIGRAMS
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    assert "no file of intermem contains a line of it" in outcome.out
    assert files_with(filled.root, "zxqvjk") == []
    assert not TRIGRAMS & indexed(filled)
    assert "zxqvjk" not in outcome.out + outcome.err, "what is destroyed is not echoed into a log"
    assert PUBLIC in filled.read()
    assert OTHER in filled.read()
    assert set(filled.entries()) == {PUBLIC, OTHER}


@pytest.mark.parametrize("selector", ["--search", "--id"])
def test_what_was_deleted_and_only_undo_could_bring_back_goes_as_well(filled: Sandbox, selector: str) -> None:
    filled.run("pin", identity(SECRET), "--remove")
    filled.note(f"- {PUBLIC}\n")
    filled.run("scan", now="2026-01-04T00:00:00Z")
    filled.run("prune", "--search", "zxqvjk", "--delete", "--confirm")
    assert SECRET not in filled.entries() and files_with(state_of(filled), "zxqvjk") == ["metadata.db"]
    wanted = "zxqvjk" if selector == "--search" else identity(SECRET)[:8]
    assert SECRET in filled.run("purge", selector, wanted).out
    filled.run("purge", selector, wanted, "--confirm")
    assert files_with(state_of(filled), "zxqvjk") == []
    assert filled.run("purge", selector, wanted, code=None).code in (1, 2)
    filled.note(f"- {SECRET}\n")
    assert "purged" in filled.run("scan", now="2026-01-05T00:00:00Z").err and SECRET not in filled.entries()


def test_what_the_history_says_of_a_deleted_entry_is_destroyed_by_its_id(filled: Sandbox) -> None:
    candidate = "Never in a document, and said once."
    key = identity(candidate)
    filled.note(f"- {candidate}\n", "once.md")
    filled.run("scan", now="2026-01-03T00:00:00Z")
    filled.run("feedback", key, "incorrect", "--note", "qzwhisper")
    (filled.memory / "once.md").unlink()
    filled.run("scan", now="2026-01-04T00:00:00Z")
    filled.run("prune", "--search", candidate, "--delete", "--confirm")
    filled.run("purge", "--id", identity(OTHER), "--from-documents", "--confirm")
    assert files_with(state_of(filled), "qzwhisper") == ["metadata.db"]
    told = "what the history says of an entry whose record was deleted before"
    assert f"Would destroy {told}" in filled.run("purge", "--id", key[:8]).out
    assert files_with(state_of(filled), "qzwhisper") == ["metadata.db"]
    assert f"Destroyed {told}" in filled.run("purge", "--id", key[:8], "--confirm").out
    assert files_with(state_of(filled), "qzwhisper") == []
    assert "1 entry, deleted before: by --id (1)" in filled.run("log").out
    assert "was purged" in filled.run("purge", "--id", key[:8], "--confirm", code=2).err


def test_a_purge_says_what_of_it_can_be_learnt_again(filled: Sandbox) -> None:
    candidate = "Never in a document, and said once."
    filled.note(f"- {SECRET}\n- {candidate}\n")
    filled.run("scan", now="2026-01-04T00:00:00Z")
    ids = ("--id", identity(SECRET), "--id", identity(candidate))
    said = filled.run("purge", *ids).err
    assert "no scan learns them again; scan --relearn learns what never was in a document" in said
    assert "no scan learns it again, but for scan --relearn" in filled.run("purge", *ids[2:]).err
    assert "no scan learns it again\n" in filled.run("purge", *ids[:2]).err
    filled.run("purge", *ids, "--from-documents", "--confirm")
    said = {text: filled.run("why", identity(text), code=2).err for text in (SECRET, candidate)}
    assert "hint: the ledger keeps it out for good" in said[SECRET]
    assert "hint: intermem scan --relearn learns it again" in said[candidate]


@pytest.mark.parametrize("image", ["{", "[]", "7", "{}", "null", '{"entry_hash": 1}'])
def test_a_damaged_image_for_undo_keeps_no_purge_from_dropping_it(filled: Sandbox, image: str) -> None:
    with closing(sqlite3.connect(state_of(filled) / "metadata.db", isolation_level=None)) as connection:
        sql = "INSERT INTO images (operation_id, relation, row, before) SELECT max(id), 'memory_entries', NULL, ?"
        connection.execute(f"{sql} FROM operations", (image,))
    filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", code=None)
    assert SECRET not in filled.entries()
    with closing(sqlite3.connect(state_of(filled) / "metadata.db")) as connection:
        assert connection.execute("SELECT count(*) FROM images").fetchone() == (0,)


def test_checks_that_an_older_version_logged_go_with_the_entry(filled: Sandbox) -> None:
    with closing(sqlite3.connect(state_of(filled) / "metadata.db", isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO citation_checks (entry_hash, citation_value, check_type, result, checked_at)"
            " VALUES (?, 'zxqvjk', 'path', 'valid', '2026-01-01')",
            (identity(SECRET),),
        )
    filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    assert files_with(filled.root, "zxqvjk") == []


def test_what_is_told_of_others_is_struck_where_it_holds_the_text(filled: Sandbox) -> None:
    filled.run("feedback", identity(PUBLIC), "confirm", "--note", f"unlike {SECRET}", now="2026-01-05T00:00:00Z")
    outcome = filled.run("purge", "--id", identity(SECRET), "--from-documents", "--confirm", code=1)
    assert f"entry {identity(PUBLIC)[:8]} still contains a line of it" in outcome.err, (
        "a person's note on another entry is named, not cut"
    )
    assert "zxqvjk" not in filled.run("log", "--limit", "0").out


def test_the_history_says_that_there_was_a_purge_and_not_of_what(filled: Sandbox) -> None:
    filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    rows = filled.run("log", "--limit", "0", "--json").json["history"]
    assert [(row["detail"], row["cause"]) for row in rows if row["event"] == "purged"] == [
        ("1 entry: by --search (1 word)", "purge")
    ]
    assert identity(SECRET) not in {row["id"] for row in rows}


def test_what_a_purge_dropped_is_unknown_and_not_nothing(filled: Sandbox) -> None:
    filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    operations = {one["verb"]: one for one in filled.run("undo", "--list", "--json").json["operations"]}
    promoted = operations["promote"]
    assert [promoted[name] for name in ("documents", "entries", "records", "purged")] == [None, None, None, True]
    assert not promoted["can_be_undone"]


def test_nothing_before_a_purge_can_be_undone(filled: Sandbox) -> None:
    filled.run("purge", "--id", identity(SECRET), "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    assert "(purge) cannot be undone: a purge destroys" in filled.run("undo", code=2).err
    assert "zxqvjk" not in filled.read()


def test_each_purge_is_an_operation_that_is_named_and_cannot_be_undone(sandbox: Sandbox) -> None:
    """Also where it edits no file, as of notes that were in no document."""
    sandbox.note(f"- {PUBLIC}\n- {OTHER}\n")
    sandbox.run("scan")
    for number, text in ((2, PUBLIC), (3, OTHER)):
        sandbox.run("purge", "--id", identity(text), "--confirm")
        said = sandbox.run("undo", code=2).err
        assert f"operation {number} (purge) cannot be undone: a purge destroys" in said
    rows = [line.split(maxsplit=4)[2:] for line in sandbox.run("undo", "--list").out.splitlines()[1:]]
    assert [(row[0], row[-1]) for row in rows] == [
        ("purge", "cannot be undone"),
        ("purge", "cannot be undone"),
        ("scan", "dropped by a purge"),
    ]


def test_a_document_that_still_holds_it_is_named(filled: Sandbox) -> None:
    outcome = filled.run("purge", "--search", "zxqvjk", "--confirm", code=1)
    assert "AGENTS.md still contains a line of it" in outcome.err
    assert files_with(filled.root, "zxqvjk") == ["AGENTS.md"]


def _one_for_another(sandbox: Sandbox, old: str, new: str) -> dict[str, str]:
    """Promote ``old`` and ``new``, each in its time, and leave only ``old`` in the document; return ids by text."""
    sandbox.note(f"- {old}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note(f"- {new}\n")
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    sandbox.run("promote", "--yes", now="2026-01-06T00:00:00Z")
    keys = {text: entry["id"] for text, entry in sandbox.entries().items()}
    sandbox.run("demote", keys[new], now="2026-01-07T00:00:00Z", code=None)
    sandbox.run("restore", keys[old], now="2026-01-08T00:00:00Z", code=None)
    return keys


def test_what_begins_like_it_is_another_entry_and_holds_no_line_of_it(sandbox: Sandbox) -> None:
    old = "Never edit `src/app.py` by hand without also changing its test, or the loader breaks."
    keys = _one_for_another(sandbox, old, new := old.replace("or the", "or else the"))
    out = sandbox.run("purge", "--id", keys[new], "--confirm", now="2026-01-09T00:00:00Z")
    assert "still" not in out.out + out.err and old in sandbox.read()
    assert files_with(state_of(sandbox), "or else the loader") == []


def test_another_entry_that_holds_the_line_is_named_with_the_way_out(sandbox: Sandbox) -> None:
    new = "Never edit `src/app.py` by hand without also changing its test."
    keys = _one_for_another(sandbox, old := f"{new} The loader breaks otherwise.", new)
    out = sandbox.run("purge", "--id", keys[new], "--confirm", now="2026-01-09T00:00:00Z", code=1)
    assert f"entry {keys[old][:8]} still contains a line of it" in out.err
    assert f"remove that by hand, or with --from-documents --id {keys[old][:8]} --confirm" in out.err
    sandbox.run("purge", "--from-documents", "--id", keys[old][:8], "--confirm", now="2026-01-10T00:00:00Z")
    assert "The loader breaks" not in sandbox.read()


def test_text_outside_the_region_is_named_and_never_cut(filled: Sandbox) -> None:
    text = filled.read().replace("Hello.", f"Hello. {SECRET}")
    filled.write("AGENTS.md", text)
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", code=1)
    assert "AGENTS.md still contains a line of it" in outcome.err
    assert filled.read() == text.replace(f"- {SECRET}\n", "", 1)


def test_the_memory_that_still_holds_it_is_named(filled: Sandbox) -> None:
    filled.note(f"- {PUBLIC}\n\n- {SECRET}\n")
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm")
    assert "the memory contains it (MEMORY.md:3): delete it there" in outcome.err


@pytest.mark.parametrize("committed", [True, False])
def test_git_history_is_out_of_reach_and_it_says_so_where_a_commit_has_it(filled: Sandbox, committed: bool) -> None:
    if committed:
        filled.commit()
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm")
    assert ("what was committed stays in the git history" in outcome.err) is committed


def test_a_copy_that_a_migration_kept_goes_where_it_holds_it(sandbox: Sandbox) -> None:
    path = state_of(sandbox) / "metadata.db"
    first_version(path, [(identity(SECRET), SECRET, None), (identity(PUBLIC), PUBLIC, None)])
    sandbox.run("sweep")
    kept = path.with_name("metadata.db.v1")
    assert "zxqvjk" in kept.read_bytes().decode("latin-1")
    assert (
        "metadata.db.v1, a copy from before an upgrade" in sandbox.run("purge", "--search", "zxqvjk", "--confirm").out
    )
    assert not kept.exists()
    assert files_with(sandbox.root, "zxqvjk") == []


def test_a_copy_that_holds_another_wording_or_one_too_short_to_look_for_goes_too(sandbox: Sandbox) -> None:
    path = state_of(sandbox) / "metadata.db"
    first_version(path, [(identity("sk-12"), "sk-12", None)])
    sandbox.run("sweep")
    sandbox.run("purge", "--id", identity("sk-12"), "--confirm")
    assert not path.with_name("metadata.db.v1").exists()


def test_a_copy_that_does_not_hold_it_stays(sandbox: Sandbox) -> None:
    path = state_of(sandbox) / "metadata.db"
    first_version(path, [(identity(PUBLIC), PUBLIC, None)])
    sandbox.note(f"- {SECRET}\n")
    sandbox.run("scan")
    sandbox.run("purge", "--search", "zxqvjk", "--confirm")
    assert path.with_name("metadata.db.v1").exists()


def test_a_damaged_database_that_was_put_aside_is_named(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SECRET}\n")
    sandbox.run("scan")
    aside = state_of(sandbox) / "metadata.db.damaged-1"
    aside.write_bytes(b"\0" * 100 + SECRET.encode())
    outcome = sandbox.run("purge", "--search", "zxqvjk", "--confirm", code=1)
    assert f"{aside} still contains a line of it" in outcome.err


def test_a_line_with_several_blanks_is_found_too(sandbox: Sandbox) -> None:
    text = "The staging  door opens with zxqvjk."
    sandbox.write("AGENTS.md", f"# Project\n\n{text}\n")
    sandbox.note(f"- {text}\n")
    sandbox.run("scan")
    aside = state_of(sandbox) / "metadata.db.damaged-1"
    aside.write_bytes(text.encode())
    outcome = sandbox.run("purge", "--search", "zxqvjk", "--confirm", code=1)
    assert f"{aside} still contains a line of it" in outcome.err
    assert "AGENTS.md still contains a line of it" in outcome.err


def test_what_is_too_short_to_be_looked_for_is_said(sandbox: Sandbox) -> None:
    sandbox.note("- sk-12\n")
    sandbox.run("scan")
    outcome = sandbox.run("purge", "--search", "sk-", "--confirm")
    assert "1 of them is too short to search for" in outcome.err
    assert "holds a line of it any more" not in outcome.out
    assert files_with(sandbox.root, "sk-12") == []


def test_every_free_page_is_given_back(sandbox: Sandbox) -> None:
    """One ``execute`` of incremental_vacuum frees one page: an original's mistake."""
    sandbox.note("".join(f"- Fact {number}: {'many words ' * 60}.\n" for number in range(200)))
    sandbox.run("scan")
    path = state_of(sandbox) / "metadata.db"
    before = path.stat().st_size
    sandbox.run("purge", "--older-than", "0", "--confirm")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,), "still incremental"
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert path.stat().st_size < before / 2
    wal = path.with_name("metadata.db-wal")
    assert not wal.exists() or not wal.stat().st_size


# Filters: each alone, and all of them ANDed.


@pytest.fixture
def notes(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, of_three_files)
    return sandbox


def of_three_files(sandbox: Sandbox) -> None:
    head = "---\nname: {}\ndescription: d\ntype: {}\noriginSessionId: {}\n---\n"
    sandbox.note(head.format("one", "reference", "s-1") + "## A\n\n- The first fact here.\n", "one.md")
    sandbox.note(head.format("two", "project", "s-1") + "## A\n\n- The second fact here.\n", "two.md")
    sandbox.run("scan", now="2026-01-01T00:00:00Z")
    (sandbox.memory / "one.md").unlink()
    sandbox.note(head.format("three", "project", "s-2") + "## B\n\n- The third fact here.\n", "three.md")
    sandbox.run("scan", now="2026-03-01T00:00:00Z")


@pytest.mark.parametrize(
    ("filters", "gone"),
    [
        (("--type", "project"), {"second", "third"}),
        (("--type", "user"), set()),
        (("--status", "active"), {"second", "third"}),
        (("--status", "demoted"), set()),
        (("--section", "A"), {"first", "second"}),
        (("--source", "three.md"), {"third"}),
        (("--session", "s-1"), {"first", "second"}),
        (("--session", "s-1", "--type", "project"), {"second"}),  # the original deleted all of s-1
        (("--search", "fact", "first"), {"first"}),
        (("--before", "2026-02-01"), {"first"}),
        (("--before", "2026-01-01"), set()),
        (("--older-than", "30"), {"first"}),
        (("--older-than", "0"), {"first", "second", "third"}),
        (("--older-than", "0", "--section", "B"), {"third"}),
        (("--search", "fact", "--section", "A", "--type", "project", "--older-than", "0"), {"second"}),
        (("--id", identity("The third fact here."), "--section", "A"), set()),
        (("--id", identity("The third fact here.")), {"third"}),
    ],
    ids=lambda value: " ".join(sorted(value) if isinstance(value, set) else value),
)
def test_only_what_every_selector_means_goes(notes: Sandbox, filters: tuple[str, ...], gone: set[str]) -> None:
    now = "2026-03-02T00:00:00Z"
    everything = {"first", "second", "third"}
    code = 0 if gone else 1
    previewed = notes.run("purge", *filters, "--json", now=now, code=code).json
    assert {entry["text"].split()[1] for entry in previewed["entries"]} == gone
    done = notes.run("purge", *filters, "--confirm", "--json", now=now, code=code).json
    assert done["count"] == previewed["count"] == len(gone)
    assert {text.split()[1] for text in notes.entries()} == everything - gone


def test_without_a_selector_it_refuses(filled: Sandbox) -> None:
    assert "purge needs a selector" in filled.run("purge", "--confirm", code=2).err
    assert "--search requires a word" in filled.run("purge", "--search", " ", "--confirm", code=2).err
    assert "no entry starts with" in filled.run("purge", "--id", "ffff", "--confirm", code=2).err


def test_dry_run_wins_over_confirm(filled: Sandbox) -> None:
    before = filled.tree_hash()
    filled.run("purge", "--older-than", "0", "--from-documents", "--confirm", "--dry-run")
    assert filled.tree_hash() == before


# A kill, a reader.


def killed_before(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str, *verb: str) -> None:
    """Run a command that is killed before it calls ``name``."""
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        sandbox.run(*verb, now="2026-01-05T00:00:00Z", code=None)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


STEPS = (
    "operation.apply",
    "operation.destroy",
    "purging._copies_removed",
    "purging.delete_purged",
    "purging.clean_file",
)
FROM_DOCUMENTS = ("purge", "--search", "zxqvjk", "--from-documents", "--confirm")


@pytest.mark.parametrize("name", STEPS)
def test_a_purge_that_was_killed_is_finished_by_the_next_command(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    killed_before(filled, monkeypatch, f"intermem.workflow.{name}", *FROM_DOCUMENTS)
    for verb in (("status",), ("scan", "--dry-run")):
        assert "an interrupted purge is pending" in filled.run(*verb, now="2026-01-06T00:00:00Z").err
    outcome = filled.run("scan", now="2026-01-06T00:00:00Z")
    assert "an interrupted purge was completed" in outcome.err
    assert files_with(filled.root, "zxqvjk") == []
    assert not TRIGRAMS & indexed(filled)
    assert "pending" not in filled.run("status", now="2026-01-06T00:00:00Z").err


@pytest.mark.parametrize("name", STEPS[1:])
def test_a_purge_that_was_killed_says_what_is_left_for_a_person(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    aside = state_of(filled) / "metadata.db.damaged-1"
    aside.write_bytes(b"\0" * 100 + SECRET.encode())
    killed_before(filled, monkeypatch, f"intermem.workflow.{name}", "purge", "--search", "zxqvjk", "--confirm")
    outcome = filled.run("scan", now="2026-01-06T00:00:00Z")
    assert "completed" not in outcome.err
    assert f"a line of them is still in {aside}, AGENTS.md" in outcome.err
    left = [name for name in files_with(filled.root, "zxqvjk") if not name.endswith("damaged-1")]
    assert left == ["AGENTS.md"]


def test_a_killed_purge_whose_document_was_edited_since_destroys_nothing(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_before(filled, monkeypatch, "intermem.workflow.operation.apply", *FROM_DOCUMENTS)
    filled.write("AGENTS.md", filled.read().replace("Hello.", "Hello, by hand."))
    assert "called off" in filled.run("scan", now="2026-01-06T00:00:00Z").err
    assert SECRET in filled.entries()
    assert "pending" not in filled.run("status", now="2026-01-06T00:00:00Z").err
    filled.run(*FROM_DOCUMENTS, now="2026-01-06T00:00:00Z")
    assert files_with(filled.root, "zxqvjk") == []


def test_a_pending_purge_holds_ids_and_no_text(filled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_before(filled, monkeypatch, "intermem.workflow.purging.clean_file", *FROM_DOCUMENTS)
    with closing(sqlite3.connect(state_of(filled) / "metadata.db")) as connection:
        dumped = "\n".join(connection.iterdump())
    assert "zxqvjk" not in dumped
    assert identity(SECRET) in dumped


@pytest.fixture
def reader(filled: Sandbox) -> Iterator[sqlite3.Connection]:
    """A process that holds an open read transaction."""
    connection = sqlite3.connect(state_of(filled) / "metadata.db", isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM memory_entries").fetchone()
    yield connection
    connection.close()


def test_a_log_that_cannot_be_emptied_is_an_error_and_is_emptied_later(
    filled: Sandbox, reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intermem.storage.connection._BUSY_SECONDS", 0.1)
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", code=2)
    assert "the rows are deleted, but another process is reading" in outcome.err
    assert "purged 1 entry: by --search (1 word), at " in outcome.err
    assert "an interrupted purge could not be completed" in filled.run("scan", now="2026-01-06T00:00:00Z").err
    reader.execute("COMMIT")
    assert "an interrupted purge was completed" in filled.run("scan", now="2026-01-07T00:00:00Z").err
    assert files_with(filled.root, "zxqvjk") == []


def test_the_search_at_the_end_finds_what_is_left(filled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check that nothing is left can fail: without the cleaning it does."""
    monkeypatch.setattr("intermem.workflow.purging.clean_file", lambda _metadata: None)
    keeper = sqlite3.connect(state_of(filled) / "metadata.db")  # the last to close would fold the log in
    keeper.execute("SELECT count(*) FROM memory_entries").fetchone()
    outcome = filled.run("purge", "--search", "zxqvjk", "--from-documents", "--confirm", code=1)
    keeper.close()
    assert "still contains" in outcome.err
    assert "an interrupted purge was completed" in filled.run("scan", now="2026-01-07T00:00:00Z").err


def test_what_only_an_outer_heading_has_is_found_by_it(sandbox: Sandbox) -> None:
    sandbox.note("# Login zebrasecret here\n\n## Build\n\n- Run `make build` first.\n")
    sandbox.scans("2026-01-01")
    assert "Would purge 1 entry" in sandbox.run("purge", "--search", "zebrasecret").out
    sandbox.run("purge", "--search", "zebrasecret", "--confirm")
    assert sandbox.entries() == {}


def test_what_still_holds_a_line_is_said_to_whom_wants_errors_only(filled: Sandbox) -> None:
    said = filled.run("purge", "--id", identity(SECRET), "--confirm", "-q", code=1)
    assert said.out == "" and "error: AGENTS.md still contains a line of it\nhint: remove that by hand" in said.err
