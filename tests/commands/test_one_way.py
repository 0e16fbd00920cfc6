"""One way to do each thing: selectors that mean the same everywhere, and old spellings that say what replaced them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox
from tests.storage.test_migrations import TEXT, phase_one

BOX, TUESDAY, SHORT = "Deploys go through the old box.", "Releases are cut on Tuesdays.", "Prefer short functions."
KEYS = {text: identity(text) for text in (BOX, TUESDAY, SHORT)}


def three_promoted(box: Sandbox) -> None:
    box.note(f"## Releasing\n\n- {BOX}\n- {TUESDAY}\n\n## Style\n\n- {SHORT}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, three_promoted)
    sandbox.now = "2026-01-03T02:00:00Z"
    return sandbox


SELECTORS = [
    (("--section", "Releasing"), {BOX, TUESDAY}),
    (("--search", "RELEASES"), {TUESDAY}),
    (("--search", "releasing", "old"), {BOX}),  # words of the section count too
    (("--source", "MEMORY.md", "--type", "untyped"), {BOX, TUESDAY, SHORT}),
    (("--status", "promoted", "--section", "Style"), {SHORT}),
    (("--status", "active"), set()),
    (("--older-than", "0", "--search", "functions"), {SHORT}),
    (("--older-than", "30d"), set()),
    (("--status", "stale"), set()),
    (("--session", "s-1"), set()),
]


@pytest.mark.parametrize(("selectors", "texts"), SELECTORS, ids=lambda value: " ".join(sorted(value)))
@pytest.mark.parametrize("verb", ["query", "demote", "pin", "prune", "purge"])
def test_selectors_mean_the_same_everywhere(
    promoted: Sandbox, verb: str, selectors: tuple[str, ...], texts: set[str]
) -> None:
    preview = () if verb == "query" else ("--dry-run",)
    told = promoted.run(verb, *selectors, *preview, "--json", code=0 if texts else 1).json
    rows = told["entries"] if verb in ("query", "purge") else told[{"pin": "pinned"}.get(verb, "demoted")]
    assert {row["text"] for row in rows} == texts


@pytest.mark.parametrize("verb", ["demote", "pin"])
def test_entries_are_named_or_selected(promoted: Sandbox, verb: str) -> None:
    assert f"{verb} needs an ID or a selector" in promoted.run(verb, code=2).err
    said = promoted.run(verb, KEYS[BOX], "--section", "Style", code=2).err
    assert "ids cannot be combined with --section" in said
    assert promoted.run(verb, "--section", "None such", code=1).out == "No entries match.\n"


@pytest.mark.parametrize("more", [(), ("--for-review",)])
def test_a_selector_demotes_candidates_too_but_not_what_is_out_already(sandbox: Sandbox, more: tuple[str, ...]) -> None:
    three_promoted(sandbox)
    billing = ["Billing runs on the first.", "Billing data is never cached.", "Billing mails go out at noon."]
    sandbox.note("## Releasing\n\n" + "".join(f"- {one}\n" for one in (BOX, *billing)))
    sandbox.run("scan")
    candidate, out, rejected = map(identity, billing)
    sandbox.run("demote", out)
    sandbox.run("reject", rejected)
    sandbox.run("pin", KEYS[TUESDAY])
    would = sandbox.run("demote", "--section", "Releasing", *more, "--dry-run", code=1).out
    told = sandbox.run("demote", "--section", "Releasing", *more, "--json", code=1).json
    assert {row["id"] for row in told["demoted"]} == {candidate, KEYS[BOX]}
    assert [(row["entry"]["id"], row["gate"]) for row in told["refused"]] == [(KEYS[TUESDAY], "pinned")]
    assert f"Would demote {candidate[:8]}: " in would and out[:8] not in would and rejected[:8] not in would
    assert BOX not in sandbox.read() and sandbox.entries()[billing[0]]["status"] == "demoted"
    assert sandbox.run("demote", "--search", "billing", *more, code=1).out == "No entries match.\n"


def test_a_list_can_be_narrowed(promoted: Sandbox) -> None:
    promoted.run("demote", "--section", "Releasing")
    told = promoted.run("query", "--demoted", "--search", "tuesdays", "--json").json
    assert [row["text"] for row in told["entries"]] == [TUESDAY]
    told = promoted.run("query", "--topics", "--status", "demoted", "--json").json
    assert [(row["section"], row["entries"]) for row in told["topics"]] == [("Releasing", 2)]
    assert [
        row["text"]
        for row in promoted.run("query", "--all", "--limit", "1", "--search", "go", "--json").json["entries"]
    ] == [BOX]


def test_what_was_demoted_for_review_comes_back_once_it_is_confirmed(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX], "--for-review", "--reason", "the box was replaced")
    (row,) = promoted.run("query", "--review", "--json").json["entries"]
    assert row["text"] == BOX and "the box was replaced" in row["reason"]
    promoted.scans("2026-01-04")
    assert "flagged for review" in promoted.run("promote", "--yes", now="2026-01-04T01:00:00Z").out
    promoted.run("feedback", KEYS[BOX], "confirm", now="2026-01-04T02:00:00Z")
    promoted.run("promote", "--yes", now="2026-01-04T03:00:00Z")
    assert BOX in promoted.read()


@pytest.mark.parametrize("verb", [("demote",), ("prune", "--search")])
def test_what_a_person_took_out_stays_out(promoted: Sandbox, verb: tuple[str, ...]) -> None:
    promoted.run(*verb, KEYS[BOX] if verb == ("demote",) else "box")
    promoted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    assert "a person took it out on 2026-01-03" in promoted.run("promote", "--yes", now="2026-01-06T01:00:00Z").out
    assert BOX not in promoted.read()
    promoted.run("restore", KEYS[BOX], now="2026-01-06T02:00:00Z")
    assert BOX in promoted.read()
    promoted.run("sweep", "--check", now="2026-01-06T03:00:00Z")


def test_by_takes_one_entry(promoted: Sandbox) -> None:
    for arguments in ((KEYS[BOX], KEYS[SHORT]), ("--section", "Style"), (KEYS[BOX], "--for-review")):
        assert "--by takes one ID" in promoted.run("demote", *arguments, "--by", KEYS[TUESDAY], code=2).err


OLD = {
    "unpin": (("unpin", KEYS[BOX]), "intermem unpin is now intermem pin --remove"),
    "supersede": (("supersede", KEYS[BOX], KEYS[SHORT]), "intermem supersede is now intermem demote OLD --by NEW"),
    "forget": (("feedback", KEYS[BOX], "forget"), "intermem feedback ID forget is now intermem demote ID --for-review"),
    "stats": (("stats",), "intermem stats is now intermem status --figures"),
    "config": (("status", "--config"), "intermem status --config is now intermem config"),
    "log": (("log", KEYS[BOX]), "intermem log ID is now intermem why ID"),
    "max-age": (("prune", "--max-age-days", "0", "--dry-run"), "is now intermem prune --older-than N --basis used"),
    "before": (("purge", "--before", "2027-01-01"), "is now intermem purge --older-than DATE"),
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_spelling_works_and_says_what_replaced_it(promoted: Sandbox, name: str) -> None:
    arguments, says = OLD[name]
    assert says in promoted.run(*arguments, code=None).err
    assert says not in promoted.run(*arguments, "--quiet", code=None).err


def test_why_tells_of_an_entry_whose_record_was_deleted(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.run("scan")
    sandbox.run("prune", "--search", "functions", "--delete", "--confirm")
    told = sandbox.run("why", KEYS[SHORT][:6], "--json").json
    assert (told["id"], told["history"][0]["event"]) == (KEYS[SHORT], "deleted")
    assert f"{KEYS[SHORT]}  deleted" in sandbox.run("why", KEYS[SHORT]).out


def test_of_an_entry_that_the_ledger_knows_it_tells_more(promoted: Sandbox) -> None:
    promoted.run("prune", "--search", "functions", "--delete", "--confirm")
    told = promoted.run("why", KEYS[SHORT], "--json").json
    assert (told["entry"]["status"], told["ledger"]["by"]) == ("demoted", "person")


def test_a_clone_without_state_answers_from_the_ledger(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX])
    for file in (promoted.root / ".git/intermem").rglob("metadata.db*"):
        file.unlink()
    lists = {
        ("--all",): {BOX, TUESDAY, SHORT},
        ("--search", "tuesdays"): {TUESDAY},
        ("--status", "promoted"): {TUESDAY, SHORT},
        ("--demoted",): {BOX},
    }
    for arguments, keys in lists.items():
        told = promoted.run("query", *arguments, "--json").json
        assert {row["id"] for row in told["entries"]} == {KEYS[text] for text in keys}, arguments
    assert sum(one["entries"] for one in promoted.run("query", "--topics", "--json").json["topics"]) == 2
    assert promoted.run("query", "--search", "absent", code=1).out


def test_the_status_promoted_is_of_all_that_stands_in_a_document(promoted: Sandbox) -> None:
    promoted.note("- Something else, noted today.\n")
    promoted.run("sweep", "--no-demote", now="2026-03-05T00:00:00Z")
    for status in ("stale", "promoted"):
        rows = promoted.run("query", "--status", status, "--json", now="2026-03-05T00:00:00Z").json["entries"]
        assert {row["id"] for row in rows} == {KEYS[BOX], KEYS[TUESDAY], KEYS[SHORT]}
        assert {row["status"] for row in rows} == {"stale"}


# What one figure says, the others say.


def test_what_was_restored_is_stale_in_every_figure(promoted: Sandbox) -> None:
    promoted.note("- Something else, noted today.\n")
    for day in ("01", "02"):
        promoted.run("sweep", now=f"2026-06-{day}T00:00:00Z")
    promoted.run("restore", KEYS[SHORT], now="2026-06-03T00:00:00Z")
    entry = promoted.entries()[SHORT]
    assert (entry["status"], entry["confidence"]) == ("stale", 0.0)
    status = promoted.run("status", "--json", now="2026-06-03T00:00:00Z").json["entries"]
    figures = promoted.run("status", "--figures", "--json", now="2026-06-03T00:00:00Z").json["entries"]
    assert {name: figures[name] for name in status} == status == {"all": 4, "active": 1, "stale": 1, "demoted": 2}
    said = promoted.run("sweep", now="2026-06-03T01:00:00Z").out
    assert "1 decayed, 1 stale" in said, "what is demoted neither decays nor is stale"
    assert "nothing to demote: 1 entry in a document is spared for now" in said, "it was restored: no sweep counts"
    assert SHORT in promoted.read()


NOTE = "Always run `uv run pytest -q`, never plain `pytest`: that picks up the wrong interpreter."
EPISODE = "**Why:** on 2025-11-02 another interpreter was used, and an hour was lost looking for it."


def an_excerpt(box: Sandbox) -> None:
    box.note(f"---\nname: Tests\ntype: feedback\n---\n\n{NOTE}\n\n{EPISODE}\n", "tests.md")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")


def in_words_of_a_person(box: Sandbox) -> None:
    box.note(f"{NOTE}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--text", "Run `uv run pytest -q`.", identity(NOTE), "--yes", now="2026-01-03T01:00:00Z")


def reworded_in_the_document(box: Sandbox) -> None:
    box.note(f"{NOTE}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.write("AGENTS.md", box.read().replace("that picks up", "this picks up"))


@pytest.mark.parametrize("written", [an_excerpt, in_words_of_a_person, reworded_in_the_document])
def test_what_stands_in_the_memory_is_not_stale_in_any_list(
    sandbox: Sandbox, written: Callable[[Sandbox], None]
) -> None:
    written(sandbox)
    sandbox.now = "2026-05-20"
    [entry] = sandbox.run("query", "--all", "--no-touch", "--json").json["entries"]
    assert (entry["state"], entry["confidence"]) == ("promoted", 0.5)
    assert not sandbox.run("why", entry["id"], "--json").json["stale"]
    status = sandbox.run("status", "--json").json["entries"]
    assert (status["active"], status["stale"]) == (1, 0)
    sandbox.run("query", "--stale", code=1)
    for verb in ("demote", "prune", "purge"):
        sandbox.run(verb, "--status", "stale", "--dry-run", code=1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("confirm",), "1.0 = 0.5 every entry starts with + "),
        (("failure", "--severity", "high"), "0.0 = 0.5 every entry starts with − "),
    ],
)
def test_why_says_where_a_sum_is_more_than_all_or_less_than_nothing(
    sandbox: Sandbox, given: tuple[str, ...], said: str
) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.scans("2026-01-01")
    for _ in range(6):
        sandbox.run("feedback", KEYS[SHORT], *given)
    bound = " feedback, at most 1.0\n" if given == ("confirm",) else " feedback, at least 0.0\n"
    [line] = [
        row for row in sandbox.run("why", KEYS[SHORT], now="2026-01-01").out.splitlines(keepends=True) if said in row
    ]
    assert line.endswith(bound)


def test_what_waits_for_a_scan_is_not_stale_in_what_promote_says(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.now = "2026-04-20"
    [refused] = sandbox.run("promote", "--json").json["refused"]
    assert refused["gate"] == "unread"
    [listed] = sandbox.run("query", "--all", "--no-touch", "--json").json["entries"]
    entry = refused["entry"]
    assert {name: entry[name] for name in ("state", "confidence", "reason")} == {
        "state": listed["state"],
        "confidence": listed["confidence"],
        "reason": "",
    }
    assert (entry["state"], entry["confidence"]) == ("active", 0.5)
    stated = sandbox.run("promote", identity(NOTE), "--text", "Use uv.", "--json", code=1).json["refused"][0]["entry"]
    assert stated["state"] == "active"


def test_what_was_promoted_before_a_scan_is_due_has_not_aged(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.now = "2026-01-20"  # after the grace, and fresh all the same
    [promoted] = sandbox.run("promote", "--yes", "--json").json["promoted"]
    [listed] = sandbox.run("query", "--all", "--no-touch", "--json").json["entries"]
    assert (promoted["confidence"], listed["confidence"], listed["state"]) == (0.5, 0.5, "promoted")


def test_what_was_promoted_has_the_confidence_it_was_promoted_with(sandbox: Sandbox) -> None:
    note = "Always run `src/gen.py` before the tests, never plain `pytest`: every import fails."
    sandbox.write("src/gen.py", "x = 1\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/gen.py")
    sandbox.commit()
    sandbox.note(f"- {note}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.git("revert", "--no-edit", "HEAD")
    sandbox.now = "2026-01-03T00:10:00Z"
    [promoted] = sandbox.run("promote", "--yes", "--json").json["promoted"]
    assert promoted["confidence"] == 0.8
    told = sandbox.run("query", "--stale", "--no-touch", code=1)
    assert "gone stale" not in told.err
    [listed] = sandbox.run("query", "--all", "--no-touch", "--json").json["entries"]
    assert (listed["state"], listed["confidence"]) == ("promoted", 0.8)
    assert sandbox.run("status", "--json").json["entries"]["stale"] == 0
    history = [row["event"] for row in sandbox.run("why", listed["id"], "--json").json["history"]]
    assert "verdict" in history and "fresh again" in history


def test_the_source_is_the_file_of_the_memory(promoted: Sandbox) -> None:
    said = promoted.run("query", "--search", "tuesdays").out
    assert "MEMORY.md" in said and "AGENTS.md" not in said


def test_a_pin_ends_on_its_day_in_every_list(promoted: Sandbox) -> None:
    promoted.run("pin", KEYS[SHORT], "--until", "2026-02-01")
    for now, pinned in (("2026-01-31T23:59:59Z", True), ("2026-02-01T00:00:00Z", False)):
        (row,) = promoted.run("query", "--search", "functions", "--json", now=now).json["entries"]
        assert row["pinned"] is pinned
        assert promoted.run("status", "--json", now=now).json["pinned"] == int(pinned)


def test_the_list_of_operations_is_short_and_says_what_a_purge_dropped(promoted: Sandbox) -> None:
    said = promoted.run("undo", "--list").out
    assert ".intermem/" not in said and "AGENTS.md, 3 events, 3 records" in said
    promoted.run("purge", "--search", "tuesdays", "--from-documents", "--confirm")
    lines = promoted.run("undo", "--list").out.splitlines()
    assert "cannot be undone" in lines[1] and all("dropped by a purge" in line for line in lines[2:])


def test_a_purge_writes_its_criteria_to_the_log_and_to_standard_error(promoted: Sandbox) -> None:
    arguments = ("purge", "--section", "Releasing", "--older-than", "0", "--search", "tuesdays", "--confirm")
    said = promoted.run(*arguments, code=None).err
    criteria = "1 entry: by --older-than 0, --search (1 word), --section Releasing"
    assert f"purged {criteria}, at 2026-01-03T02:00:00Z" in said and "tuesdays" not in said
    assert criteria in promoted.run("log").out


def test_why_counts_as_an_access_where_that_is_configured(promoted: Sandbox) -> None:
    promoted.run("why", KEYS[SHORT])
    assert promoted.run("why", KEYS[SHORT], "--json").json["accessed"]["count"] == 0
    promoted.write("intermem.toml", "[query]\nwhy_counts = true\n")
    promoted.run("why", KEYS[SHORT])
    assert promoted.run("why", KEYS[SHORT], "--json").json["accessed"]["count"] == 1


@pytest.fixture
def since_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sandbox:
    """A project whose state is in its tree, as git came later."""
    box = Sandbox(tmp_path / "project", tmp_path / "memory", capsys)
    box.root.mkdir()
    box.note("- Prefer short functions.\n")
    box.run("scan")
    box.git("init", "-q")
    return box


def test_all_files_of_a_state_that_git_would_commit_are_named(since_git: Sandbox) -> None:
    files = [".intermem/metadata.db", ".intermem/key", ".intermem/lock"]
    said = since_git.run("status").err
    assert f"git add .intermem would commit {', '.join(files)}, and every note is in the database" in said
    assert "add .intermem/metadata.db*, .intermem/key and .intermem/lock to .gitignore" in said
    since_git.write(".gitignore", ".intermem/metadata.db\n")
    assert (
        "would commit .intermem/key, .intermem/lock, which belong to this machine alone" in since_git.run("status").err
    )
    since_git.git("add", ".intermem/lock")
    assert "git rm --cached .intermem/lock, and add .intermem/metadata.db*" in since_git.run("status").err
    since_git.git("rm", "-q", "--cached", ".intermem/lock")
    since_git.write(".gitignore", ".intermem/metadata.db*\n.intermem/key\n.intermem/lock\n")
    since_git.write(".intermem/ledger/event.json", "{}\n")
    assert "would commit" not in since_git.run("status", code=None).err
    assert ".intermem/ledger/event.json" in since_git.git("status", "--porcelain", "-uall")


def test_a_state_that_is_in_use_is_not_to_be_deleted(since_git: Sandbox) -> None:
    said = since_git.run("status", "--state-dir", str(since_git.root / ".intermem")).err
    assert "add .intermem/metadata.db*, .intermem/key and .intermem/lock to .gitignore" in said and "delete" not in said


def test_prune_by_what_decay_has_left(promoted: Sandbox) -> None:
    now = "2026-02-15T00:00:00Z"  # 43 days later: 0.3 is gone
    promoted.note("")
    assert promoted.run("prune", "--min-left", "0.7", "--dry-run", now=now, code=1).out
    told = promoted.run("prune", "--min-left", "0.71", "--dry-run", "--json", now=now).json
    assert {row["reason"] for row in told["demoted"]} == {"pruned: decay has left 0.7 of 1.0"} and told["pruned"] == 3


@pytest.mark.parametrize("verb", ["status", "doctor", "init"])
def test_a_database_that_git_would_commit_is_named(sandbox: Sandbox, verb: str) -> None:
    sandbox.write(".intermem/metadata.db", "")
    assert "git add .intermem would commit .intermem/metadata.db" in sandbox.run(verb, "--dry-run", code=None).err or (
        verb != "init" and "git add .intermem would commit" in sandbox.run(verb, code=None).err
    )
    sandbox.write(".gitignore", "metadata.db\n")
    assert "would commit" not in sandbox.run(verb, code=None).err


def test_a_database_of_phase_1_is_called_imported_only_if_all_of_it_was(sandbox: Sandbox) -> None:
    database = sandbox.root / ".intermem/metadata.db"
    phase_one(database)
    sandbox.note(f"- {TEXT}\n")
    sandbox.run("scan")
    assert sandbox.run("status").err.endswith("it has been imported: delete it\n")
    with closing(sqlite3.connect(database)) as old, old:  # the old tool is still in use
        old.execute("UPDATE memory_entries SET entry_hash = ? WHERE entry_hash = ?", ("f" * 16, "b" * 16))
    for verb in ("status", "init", "doctor"):
        assert "to .gitignore (1 entry of it was not imported)" in sandbox.run(verb, code=None).err
    database.write_bytes(b"SQLite format 3\0" + bytes(500))
    assert "to .gitignore (it was not imported)" in sandbox.run("status").err


def test_a_database_that_came_after_the_first_run_was_not_imported(promoted: Sandbox) -> None:
    phase_one(promoted.root / ".intermem/metadata.db")
    assert "entries of it were not imported" in promoted.run("status").err


def test_the_archive_can_be_shown_and_exported(promoted: Sandbox) -> None:
    promoted.run("demote", "--section", "Releasing", "--reason", "moved to CI")
    exported = promoted.run("query", "--demoted", "--format", "md").out
    lines = [f"- {BOX}", "", f"  `{KEYS[BOX][:8]}` demoted on 2026-01-03: moved to CI"]
    assert exported.startswith("## Releasing\n\n- ") and "\n".join(lines) in exported and SHORT not in exported
    shown = promoted.run("show", KEYS[BOX][:6]).out
    assert shown.startswith(f"{KEYS[BOX]}  demoted") and f"\n\n{BOX}\n" in shown
    assert "MEMORY.md:3, section Releasing" in shown
    assert promoted.run("show", KEYS[BOX], "--json").json["entry"]["id"] == KEYS[BOX]
    assert "no entry starts with" in promoted.run("show", "ffff", code=2).err
    for format in ("md", "text"):
        refused = promoted.run("query", "--all", "--format", format, "--json", code=2).json["error"]
        assert refused["message"] == f"--json cannot be combined with --format {format}"
    assert "--format md lists entries" in promoted.run("query", "--topics", "--format", "md", code=2).err


def test_a_marker_in_a_reason_is_none_in_an_export(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX], "--reason", "stood below <!-- intermem:end -->")
    exported = promoted.run("query", "--demoted", "--format", "md").out
    assert "demoted on 2026-01-03: stood below \\<!-- intermem:end -->\n" in exported


def test_a_selector_of_what_is_out_already_says_that_it_is(promoted: Sandbox) -> None:
    promoted.run("demote", "--section", "Releasing")
    assert (
        "demoted or rejected already is not considered" in promoted.run("demote", "--section", "Releasing", code=1).err
    )
    assert "not considered" not in promoted.run("demote", "--section", "Baking", code=1).err


def test_a_sweep_can_decay_without_demoting(promoted: Sandbox) -> None:
    promoted.note("- Something else, noted today.\n")
    before = promoted.read()
    for day in ("01", "02", "03"):
        told = promoted.run("sweep", "--no-demote", "--json", now=f"2026-06-{day}T00:00:00Z").json
        assert told["demoted"] == [] and told["decayed"] == 3
    assert promoted.read() == before and promoted.entries()[SHORT]["confidence"] == 0.0


def test_a_sweep_says_how_many_wait_for_the_next(promoted: Sandbox) -> None:
    promoted.note("- Something else, noted today.\n")
    said = promoted.run("sweep", now="2026-06-01T00:00:00Z").out
    assert "nothing to demote yet: 3 entries in a document may go in a later sweep" in said


def test_a_sweep_that_may_not_demote_says_what_is_due(promoted: Sandbox) -> None:
    promoted.note("- Something else, noted today.\n")
    said = [promoted.run("sweep", "--no-demote", now=f"2026-06-0{day}T00:00:00Z").out for day in (1, 2, 3)]
    assert "nothing to demote yet: 3 entries in a document may go in a later sweep" in said[0]
    for one in said[1:]:
        assert "nothing demoted: 3 entries in a document are due, and --no-demote keeps them\n" in one
        assert "next sweep" not in one
    told = promoted.run("sweep", "--no-demote", "--json", now="2026-06-04T00:00:00Z").json
    assert (told["waiting"], told["due"]) == (0, 3)
    told = promoted.run("sweep", "--json", now="2026-06-05T00:00:00Z").json
    assert (told["waiting"], told["due"], len(told["demoted"])) == (0, 0, 3)


def test_feedback_of_one_moment_is_told_once_each(promoted: Sandbox) -> None:
    for _ in range(6):
        promoted.run("feedback", KEYS[SHORT], "failure")
    rows = [row for row in promoted.run("why", KEYS[SHORT], "--json").json["history"] if row["event"] == "feedback"]
    assert [row["detail"] for row in rows] == ["−0.05: failure (low)"] * 6


def test_a_list_that_is_cut_says_so(promoted: Sandbox) -> None:
    for arguments in (("--all",), ("--search", "e"), ("--older-than", "0")):
        cut = promoted.run("query", *arguments, "--limit", "2").err
        assert "note: only the first 2 are shown; --limit 0 shows all\n" in cut
        assert "only the first" not in promoted.run("query", *arguments, "--limit", "3").err


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        (("query", "--topics"), "topics"),
        (("query", "--topics", "--status", "promoted"), "topics"),
        (("query", "--all"), "entries"),
        (("log",), "history"),
        (("undo", "--list"), "operations"),
    ],
    ids=" ".join,
)
def test_every_list_that_is_cut_says_so(promoted: Sandbox, command: tuple[str, ...], rows: str) -> None:
    cut = promoted.run(*command, "--limit", "1", "--json").json
    assert cut["warnings"] == ["only the first is shown; --limit 0 shows all"]
    whole = promoted.run(*command, "--limit", "0", "--json").json
    assert whole["warnings"] == [] and cut[rows] == whole[rows][:1]
    assert promoted.run(*command, "--limit", str(len(whole[rows])), "--json").json["warnings"] == []


def test_the_type_of_a_note_without_a_heading_is_no_topic(sandbox: Sandbox) -> None:
    sandbox.note("---\nname: A\ntype: project\n---\nDeploys go through the old box.\n", "a.md")
    sandbox.note("---\nname: B\ntype: project\n---\n## project\n\nReleases are cut on Tuesdays.\n", "b.md")
    sandbox.note("## Style\n\n- Prefer short functions.\n")
    sandbox.run("scan")
    for selectors in ((), ("--status", "active")):
        told = sandbox.run("query", "--topics", *selectors, "--json").json["topics"]
        assert sorted(row["section"] for row in told) == ["", "Style", "project"]
    assert "(none)" in sandbox.run("query", "--topics").out
    for section, files in {"": ["a.md"], "project": ["a.md", "b.md"], "style": ["MEMORY.md"]}.items():
        found = sandbox.run("query", "--section", section, "--json").json["entries"]
        assert sorted(one["source_file"] for one in found) == files


def test_a_pin_protects_a_note_that_never_stood_too(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.run("scan")
    sandbox.run("pin", KEYS[SHORT])
    assert "it is pinned" in sandbox.run("reject", KEYS[SHORT], code=1).out


def test_an_age_of_zero_is_any(promoted: Sandbox) -> None:
    for basis in ("seen", "created", "used", "latest"):  # with "accessed", what was never queried has no age (seeds/S1)
        told = promoted.run("prune", "--older-than", "0", "--basis", basis, "--dry-run", "--json").json
        assert told["pruned"] == 3, basis


def test_a_purge_is_not_too_old_to_undo_but_no_operation_to_undo(promoted: Sandbox) -> None:
    promoted.run("purge", "--search", "tuesdays", "--confirm", code=1)
    said = promoted.run("undo", code=2).err
    assert "cannot be undone" in said and "too old" not in said


def test_a_line_that_a_purge_left_is_removed_and_that_is_said(promoted: Sandbox) -> None:
    promoted.run("purge", "--id", KEYS[SHORT], "--confirm", code=None)
    assert SHORT in promoted.read()
    before = promoted.run("status", "--figures", "--json").json["removed_this_month"]
    for more in ((), ("--confirm",)):
        outcome = promoted.run("purge", "--id", KEYS[SHORT], *more, code=1)
        assert outcome.out == "Nothing to purge: no record is left.\n" and "AGENTS.md" in outcome.err
    arguments = ("purge", "--id", KEYS[SHORT], "--from-documents")
    ledger = sorted((promoted.root / ".intermem/ledger").iterdir())
    assert "Would remove what had been purged before from AGENTS.md" in promoted.run(*arguments, code=None).out
    removed = promoted.run(*arguments, "--confirm", now="2026-01-05T00:00:00Z", code=None)
    assert "Removed what had been purged before from AGENTS.md" in removed.out
    assert "removed what a purge had left in AGENTS.md: by --id (1)" in removed.err
    assert SHORT not in promoted.read()
    assert sorted((promoted.root / ".intermem/ledger").iterdir()) == ledger, "its tombstone stands there already"
    assert "ledger" not in removed.out
    events = [(row["event"], row["detail"]) for row in promoted.run("log", "--json").json["history"]]
    assert events[0] == ("removed", "what a purge had left in AGENTS.md: by --id (1)")
    assert promoted.run("status", "--figures", "--json").json["removed_this_month"] == before, "it is purged once"
    assert "no record of it is left" in promoted.run(*arguments, code=2).err


def test_what_this_clone_said_before_its_memory_was_committed_is_its_own_word(sandbox: Sandbox) -> None:
    sandbox.memory = sandbox.root / "memory"
    sandbox.note("- Prefer short functions.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.commit()
    sandbox.note("- Something else.\n")
    sandbox.run("sweep", "--no-demote", now="2026-02-28T00:00:00Z")
    (told,) = (one for one in sandbox.entries().values() if one["document"])
    asked = sandbox.run("why", told["id"], "--json", now="2026-02-28T00:00:00Z").json["entry"]
    assert (told["confidence"], asked["confidence"]) == (0.1, 0.1), "one figure, one moment"


@pytest.mark.parametrize(
    ("basis", "words"),
    [("seen", ", unless it is seen again"), ("accessed", ", unless it is queried"), ("created", "")],
)
def test_why_says_what_keeps_an_entry_from_going_stale(sandbox: Sandbox, basis: str, words: str) -> None:
    sandbox.write("intermem.toml", f'[decay]\nbasis = "{basis}"\n')
    sandbox.note("- Prefer short functions.\n")
    sandbox.run("scan")
    (entry,) = sandbox.entries().values()
    (line,) = (one for one in sandbox.run("why", entry["id"]).out.split("\n") if "goes stale" in one)
    assert line.endswith(f"2026-01-29{words}")


def test_for_review_takes_what_is_in_no_document_by_the_same_selectors(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n- Never deploy on a Friday.\n")
    sandbox.run("scan")
    assert "Friday" in sandbox.run("demote", "--search", "Friday", "--for-review").out
    assert sandbox.run("demote", "--search", "Friday", "--for-review", code=1).out.startswith("No entries")
    assert "Friday" in sandbox.run("query", "--review").out


def test_who_is_told_to_commit_the_ledger_is_told_what_must_not_go_with_it(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.write(".intermem/metadata.db", "")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    assert "would commit" not in sandbox.run("sweep").err
    said = sandbox.run("promote", KEYS[SHORT], "--yes").err
    assert said.count("git add .intermem would commit .intermem/metadata.db") == 1


@pytest.mark.parametrize(
    "command",
    [
        ("pin", "--section", "Nope"),
        ("demote", "--section", "Nope"),
        ("restore", KEYS[BOX]),
        ("demote", KEYS[BOX]),
        ("promote", KEYS[TUESDAY]),
        ("prune", "--older-than", "900d"),
    ],
    ids=" ".join,
)
def test_a_diff_of_what_is_refused_says_why_on_standard_error(promoted: Sandbox, command: tuple[str, ...]) -> None:
    if command[0] == "demote":
        promoted.run("demote", KEYS[BOX])
    told = promoted.run(*command, "--dry-run", code=1).out
    diff = promoted.run(*command, "--diff", code=1)
    assert (diff.out, diff.err) == ("", told) and told
    assert promoted.run(*command, "--diff", "--quiet", code=1).err == ""


def test_a_diff_of_some_says_why_others_are_refused(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX])
    diff = promoted.run("demote", KEYS[BOX], KEYS[SHORT], "--diff", code=1)
    assert f"-- {SHORT}" in diff.out and "Refused" not in diff.out
    assert f"Refused {KEYS[BOX][:8]}: " in diff.err
    assert promoted.run("demote", KEYS[SHORT], "--diff").err == ""


def test_the_status_that_is_selected_is_the_one_that_is_shown(promoted: Sandbox) -> None:
    candidate, gone = "Never deploy on a Friday.", "Tag every release."
    promoted.note(f"- {candidate}\n- {gone}\n", "more.md")
    promoted.run("scan")
    promoted.run("reject", identity(gone))
    promoted.run("demote", KEYS[BOX])
    shown = {"promoted": {TUESDAY, SHORT}, "active": {candidate}, "rejected": {gone}, "demoted": {BOX}}
    for status, texts in shown.items():
        told = promoted.run("query", "--status", status, "--json").json["entries"]
        assert {row["text"] for row in told} == texts and {row["state"] for row in told} == {status}
        assert promoted.run("query", "--status", status).out.count(f"  {status}  ") == len(texts)
    assert f"`{identity(gone)[:8]}` rejected" in promoted.run("query", "--all", "--format", "md").out
    assert {row["text"] for row in promoted.run("purge", "--status", "active", "--json").json["entries"]} == {candidate}


@pytest.mark.parametrize(
    "selector",
    [("--section", "Releasing"), ("--type", "x"), ("--status", "stale"), ("--older-than", "9d"), ("--source", "a.md")],
)
@pytest.mark.parametrize("verb", ["query", "demote", "pin", "prune", "purge"])
def test_a_selector_that_is_given_twice_is_refused(promoted: Sandbox, verb: str, selector: tuple[str, ...]) -> None:
    before = promoted.tree_hash()
    said = promoted.run(verb, *selector, *selector, code=2).err
    assert f"{selector[0]}: may be given only once" in said and promoted.tree_hash() == before


@pytest.mark.parametrize("selector", ["--type", "--source", "--session", "--search"])
@pytest.mark.parametrize("verb", ["query", "demote", "pin", "prune", "purge"])
def test_a_selector_without_a_value_is_an_error_and_not_a_search_for_nothing(
    promoted: Sandbox, verb: str, selector: str
) -> None:
    for value in ("", " "):
        assert f"error: {selector} requires a " in promoted.run(verb, selector, value, code=2).err


def test_an_empty_section_is_that_of_entries_without_a_heading(promoted: Sandbox) -> None:
    promoted.note("- Never deploy on a Friday.\n", "more.md")
    promoted.run("scan")
    (bare,) = promoted.run("query", "--section", "", "--json").json["entries"]
    assert (bare["text"], bare["section"]) == ("Never deploy on a Friday.", "")


def test_words_to_search_for_are_given_as_often_as_one_likes(promoted: Sandbox) -> None:
    told = promoted.run("query", "--search", "deploys", "--search", "old", "--json").json
    assert [row["text"] for row in told["entries"]] == [BOX]


@pytest.mark.parametrize("verb", ["query", "demote", "pin", "prune", "purge"])
def test_an_age_in_minutes_or_months_is_refused(promoted: Sandbox, verb: str) -> None:
    said = promoted.run(verb, "--older-than", "3m", code=2).err
    assert "--older-than: '3m' may mean minutes or months" in said and "3min" in said and "90d" in said
    until = promoted.run("pin", "--older-than", "0", "--until", "3 m", code=2).err
    assert "--until: '3 m' may mean minutes or months" in until
    given = ("--older-than", "3min", "--json")
    promoted.note("")
    assert promoted.run("query", *given, now="2026-01-03T00:03:00Z").json["entries"]
    assert promoted.run("query", *given, now="2026-01-03T00:02:59Z", code=1).json["entries"] == []


BACK = {
    "demote": ("demote", KEYS[BOX]),
    "reject": ("reject", KEYS[BOX]),
    "by": ("demote", KEYS[BOX], "--by", KEYS[SHORT]),
    "prune": ("prune", "--search", "box"),
}


@pytest.mark.parametrize("name", BACK)
def test_what_takes_an_entry_out_says_what_brings_it_back(promoted: Sandbox, name: str) -> None:
    said = f"intermem restore {KEYS[BOX][:8]} brings it back"
    assert "brings" not in promoted.run(*BACK[name], "--dry-run").out
    assert promoted.run(*BACK[name]).out.count(said) == 1
    promoted.run("restore", KEYS[BOX])
    assert BOX in promoted.read()


def test_of_several_it_is_said_once(promoted: Sandbox) -> None:
    assert promoted.run("demote", "--section", "Releasing").out.count("intermem restore ID brings one back") == 1
    said = promoted.run("demote", KEYS[SHORT], "--for-review").out
    assert f"or intermem feedback {KEYS[SHORT][:8]} confirm and seeing it again" in said
    told = promoted.run("prune", "--older-than", "0", "--delete", "--confirm").out
    assert "intermem undo brings back what was deleted" in told


@pytest.mark.parametrize(
    "verb",
    ["show", "why", "pin", "pin --remove", "demote", "reject", "restore", "promote --yes", "purge --confirm --id"],
)
def test_an_id_that_no_entry_has_is_an_error_and_a_selector_that_matches_nothing_is_none(
    promoted: Sandbox, verb: str
) -> None:
    assert "no entry starts with ffff" in promoted.run(*verb.split(), "ffff", code=2).err
    if verb in ("pin", "demote", "purge --confirm --id"):
        promoted.run(verb.split()[0], "--session", "nobody", code=1)


def test_a_removal_is_logged_with_its_final_confidence(promoted: Sandbox) -> None:
    promoted.note("")
    for day in ("2026-02-20", "2026-02-21"):
        promoted.run("sweep", now=f"{day}T00:00:00Z")
    rows = promoted.run("log", "--json").json["history"]
    gone = [row["detail"] for row in rows if row["event"] == "demoted"]
    assert len(gone) == 3 and all("confidence 0.2" in detail for detail in gone)


@pytest.mark.parametrize(
    ("verb", "why"),
    [
        (("demote", KEYS[SHORT]), "out of AGENTS.md: by hand"),
        (("reject", KEYS[SHORT], "--reason", "no more"), "out of AGENTS.md: no more"),
        (("demote", KEYS[SHORT], "--for-review"), "out of AGENTS.md: for review"),
        (("demote", KEYS[SHORT], "--by", KEYS[BOX]), f"out of AGENTS.md: superseded by {KEYS[BOX][:8]}"),
        (("prune", "--search", SHORT), "out of AGENTS.md: pruned: --search"),
        (("prune", "--search", SHORT, "--delete", "--confirm"), "out of AGENTS.md: pruned: --search"),
    ],
)
def test_a_removal_for_another_reason_is_logged_with_its_final_confidence_as_of_then(
    promoted: Sandbox, verb: tuple[str, ...], why: str
) -> None:
    promoted.note("")
    promoted.run("scan", now="2026-02-20T00:00:00Z")
    promoted.run(*verb, now="2026-03-05T00:00:00Z")
    rows = [
        row
        for row in promoted.run("log", "--json").json["history"]
        if row["event"] in ("demoted", "rejected", "deleted")
    ]
    assert [row["detail"].startswith(why) for row in rows] == [True]
    assert rows[0]["detail"].endswith("; confidence 0.1")


def test_one_sweep_is_none_in_a_row(promoted: Sandbox) -> None:
    promoted.note("")
    promoted.run("sweep", now="2026-02-20T00:00:00Z")
    assert "now, with a stale streak of 1\n" in promoted.run("why", KEYS[SHORT], now="2026-02-20T00:00:00Z").out
    promoted.write("intermem.toml", "[sweep]\ndemote_streak = 1\n")
    assert "(then 1 sweep demotes them)\n" in promoted.run("status", "--figures", now="2026-01-04T00:00:00Z").out


def test_what_one_stale_sweep_demotes_was_stale_in_that_one(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", "[sweep]\ndemote_streak = 1\n")
    promoted.note("- Something else, noted today.\n")
    demoted = promoted.run("sweep", "--json", now="2026-06-01T00:00:00Z").json["demoted"]
    assert demoted and all(one["reason"].startswith("stale in this sweep: confidence 0.0") for one in demoted)


@pytest.mark.parametrize("verb", ["restore", "demote", "reject", "pin", "show", "promote", "feedback"])
def test_what_was_deleted_and_never_stood_is_said_to_be(promoted: Sandbox, verb: str) -> None:
    more = ("confirm",) if verb == "feedback" else ()
    promoted.note("- Never deploy on a Friday.\n", "more.md")
    promoted.run("scan")
    key = promoted.entries()["Never deploy on a Friday."]["id"]
    promoted.run("prune", "--search", "Friday", "--delete", "--confirm")
    said = promoted.run(verb, key[:8], *more, code=2).err
    assert f"the record of {key[:8]} was deleted" in said and "intermem undo --list" in said
    assert "no entry starts with ffff" in promoted.run(verb, "ffff", *more, code=2).err


def test_a_note_of_two_files_is_found_by_either(sandbox: Sandbox) -> None:
    sandbox.note("# N\n\n- The cache warms up slowly, so wait before a load test.\n", "a.md")
    sandbox.note("# O\n\n- the cache warms up slowly so wait before a load test\n", "b.md")
    sandbox.run("scan")
    (entry,) = sandbox.entries().values()
    for file in ("a.md", "b.md", "B.md"):
        assert entry["id"][:8] in sandbox.run("query", "--all", "--source", file).out
        assert entry["id"][:8] in sandbox.run("purge", "--source", file).out
        assert "1 entr" in sandbox.run("prune", "--older-than", "0", "--source", file, "--dry-run").out
        assert entry["id"][:8] in sandbox.run("demote", "--source", file, "--dry-run").out
    sandbox.run("query", "--all", "--source", "c.md", code=1)
