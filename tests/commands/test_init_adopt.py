"""``init --adopt``: what phase 1 left in a document becomes a region, with its records."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Sandbox
from tests.old_ledger import events_in
from tests.storage.test_migrations import OLD, TEXT, phase_one

DOCUMENT = f"""# Project

Hello.

## Style

- {TEXT} <!-- intermem:{OLD[:8]} -->
- By hand.

Run this:
```sh
make
``` <!-- intermem -->

## Later

More.
"""


@pytest.fixture
def old(sandbox: Sandbox) -> Sandbox:
    phase_one(sandbox.root / ".intermem/metadata.db")
    sandbox.write("AGENTS.md", DOCUMENT)
    sandbox.write(".gitignore", ".intermem/metadata.db\n")
    sandbox.commit("phase 1")
    sandbox.now = "2026-01-05T00:00:00Z"
    return sandbox


def test_entries_move_into_the_region_and_everything_else_stays(old: Sandbox) -> None:
    outcome = old.run("init", "--adopt")
    assert "2 entries move into a region" in outcome.err
    assert old.read() == (
        "# Project\n\nHello.\n\n## Style\n\n- By hand.\n\n## Later\n\nMore.\n\n## Project memory\n\n"
        "<!-- intermem:begin -->\n### Style\n\n"
        f"- {TEXT}\n- Run this:\n  ```sh\n  make\n  ```\n<!-- intermem:end -->\n"
    )
    assert {event["what"] for event in events_in(old.root)} == {"promoted"}


def test_a_record_of_phase_1_goes_on_with_its_history(old: Sandbox) -> None:
    old.run("init", "--adopt")
    entry = old.entries()[TEXT]
    assert (entry["id"], entry["document"], entry["section"]) == (identity(TEXT), "AGENTS.md", "Style")
    assert (entry["first_seen"], entry["snapshot_count"], entry["pinned"]) == ("2025-12-01T10:00:00Z", 4, False)
    events = [row["event"] for row in old.run("log", OLD[:8], "--json").json["history"]]
    assert events == ["promoted", "imported"]


def test_the_hash_in_a_marker_finds_the_record_of_a_line_that_was_touched(old: Sandbox) -> None:
    old.write("AGENTS.md", DOCUMENT.replace("Prefer short functions", "Prefer very short functions"))
    old.run("init", "--adopt")
    assert old.entries()[TEXT.replace("Prefer short", "Prefer very short")]["snapshot_count"] == 4


def test_an_adopted_entry_is_spared_for_a_while_then_it_decays_like_any_other(old: Sandbox) -> None:
    old.run("init", "--adopt")
    for day in range(6, 19):
        old.run("sweep", "--no-scan", now=f"2026-01-{day:02}T00:00:00Z")
    assert TEXT in old.read()
    for day in ("2026-09-20", "2026-09-21"):
        old.run("sweep", "--no-scan", now=f"{day}T00:00:00Z")
    assert TEXT not in old.read()
    assert "- By hand." in old.read()


def test_it_is_undone_like_any_operation(old: Sandbox) -> None:
    old.run("init", "--adopt")
    old.run("undo")
    assert old.read() == DOCUMENT
    assert events_in(old.root) == []
    old.run("init", "--adopt")
    assert TEXT in old.entries()


def test_a_dry_run_shows_it_and_writes_nothing(old: Sandbox) -> None:
    before = old.tree_hash()
    assert "AGENTS.md would be edited" in old.run("init", "--adopt", "--dry-run").out
    assert f"-- {TEXT} <!-- intermem:{OLD[:8]} -->" in old.run("init", "--adopt", "--diff").out
    assert old.tree_hash() == before


def test_without_old_markers_nothing_is_done(sandbox: Sandbox) -> None:
    before = sandbox.tree_hash()
    assert "no entry outside of a region has an old marker; nothing to do" in sandbox.run("init", "--adopt").err
    assert sandbox.tree_hash() == before


def test_a_second_time_changes_nothing(old: Sandbox) -> None:
    old.run("init", "--adopt")
    text = old.read()
    assert "nothing to do" in old.run("init", "--adopt").err
    old.run("sweep")
    assert old.read() == text


def test_a_marker_behind_nothing_is_named(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P <!-- intermem -->\n\n- A fact. <!-- intermem -->\n")
    outcome = sandbox.run("init", "--adopt")
    assert "AGENTS.md:1: an old marker that follows no entry; left alone" in outcome.err
    assert sandbox.read().startswith("# P <!-- intermem -->\n\n## Project memory")


def test_a_document_that_cannot_be_edited_safely_is_refused_and_the_others_go_on(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", 'targets = ["A.md", "B.md"]\n')
    sandbox.write("A.md", "# A\n\n- A fact. <!-- intermem -->\n")
    bad = sandbox.write("B.md", "# P\n\nAbove\n- A fact. <!-- intermem -->\n---\n").read_bytes()
    outcome = sandbox.run("init", "--adopt", code=2)
    assert "B.md: removing the marked entries would change the text beside them" in outcome.err
    assert (sandbox.root / "B.md").read_bytes() == bad
    assert "intermem:begin" in sandbox.read("A.md")


def test_only_the_target_is_touched_where_one_is_named(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", 'targets = ["A.md", "B.md"]\n')
    for name in ("A.md", "B.md"):
        sandbox.write(name, "# A\n\n## Facts\n\n- A fact. <!-- intermem -->\n- Mine.\n\n## End\n")
    before = (sandbox.root / "A.md").read_bytes()
    sandbox.run("init", "--adopt", "--target", "B.md", "--after", "Facts")
    assert (sandbox.root / "A.md").read_bytes() == before
    assert sandbox.read("B.md").startswith("# A\n\n## Facts\n\n- Mine.\n\n<!-- intermem:begin -->")


@pytest.mark.parametrize("option", ["--remove", "--write-config"])
def test_options_that_do_not_go_together_are_refused(sandbox: Sandbox, option: str) -> None:
    assert "--adopt cannot be combined with" in sandbox.run("init", "--adopt", option, code=2).err


def test_entries_with_old_markers_are_named_until_they_are_adopted(old: Sandbox) -> None:
    assert "AGENTS.md has 2 entries with the markers" in old.run("status").err
    old.write("AGENTS.md", DOCUMENT.partition("Run this:")[0])
    said = "AGENTS.md has 1 entry with the markers of an older intermem: intermem init --adopt moves them"
    for verb in (("status",), ("doctor",), ("init", "--dry-run")):
        assert said in old.run(*verb, code=None).err, verb
    old.run("init", "--adopt")
    for verb in (("status",), ("doctor",)):
        assert "older intermem" not in old.run(*verb, code=None).err, verb


def test_an_old_marker_above_its_entry_is_named(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# Notes\n\n<!-- intermem:abc12345 -->\n- Never use tabs in Python files.\n")
    for verb in (("status",), ("doctor",), ("init", "--dry-run")):
        assert "AGENTS.md:3: an old marker that follows no entry" in sandbox.run(*verb, code=None).err, verb


def test_what_stands_with_an_old_marker_is_not_promoted_beside_itself(old: Sandbox) -> None:
    old.write("AGENTS.md", DOCUMENT.partition("Run this:")[0])
    old.note(f"## Style\n\n- {TEXT}\n")
    for day in ("2026-01-06", "2026-01-07", "2026-01-08"):
        old.run("scan", now=f"{day}T00:00:00Z")
    said = old.run("promote", "--yes", now="2026-01-08T01:00:00Z", code=None)
    assert "AGENTS.md says so already" in said.out, said.err
    assert old.read().count(TEXT) == 1


def test_a_marker_in_an_example_is_none(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# Notes\n\n```\n- a fact <!-- intermem:1a2b3c4d -->\n- another\n```\n")
    assert "older intermem" not in sandbox.run("status").err


def test_an_adopted_entry_is_as_old_as_its_note_though_no_run_has_told_who_held_it(sandbox: Sandbox) -> None:
    line = "Never run the tests in parallel: they share one database."
    sandbox.write("AGENTS.md", f"# Hello\n\n- {line} <!-- intermem -->\n")
    sandbox.note(f"- {line}\n")
    sandbox.now = "2026-01-05T10:00:00Z"
    sandbox.run("init")
    sandbox.run("init", "--adopt")
    sandbox.run("scan")
    key = sandbox.entries()[line]["id"]
    assert "goes stale 2026-02-02" in sandbox.run("why", key).out
    sandbox.note("")
    sandbox.run("sweep", now="2026-01-06T10:00:00Z")
    sandbox.run("sweep", now="2026-02-04T10:00:00Z")
    assert sandbox.run("sweep", "--json", now="2026-02-05T10:00:00Z").json["demoted"]


def test_an_old_marker_in_a_region_is_named_and_no_part_of_the_entry(sandbox: Sandbox) -> None:
    body = f"### Building\n\n- {TEXT} <!-- intermem:{OLD[:8]} -->\n"
    sandbox.write("AGENTS.md", f"# P\n\n<!-- intermem:begin -->\n{body}<!-- intermem:end -->\n")
    sandbox.commit()
    for verb in (("status",), ("doctor",), ("init", "--adopt")):
        assert (
            "AGENTS.md:6: an old marker in the region says nothing: delete it" in sandbox.run(*verb, code=None).err
        ), verb
    (entry,) = sandbox.run("query", "--all", "--json").json["entries"]
    assert (entry["id"], entry["text"], entry["citations"]) == (identity(TEXT), TEXT, [])


def test_what_is_adopted_came_from_its_document(old: Sandbox) -> None:
    old.run("init", "--adopt")
    found = old.run("query", "--source", "AGENTS.md", "--json").json["entries"]
    assert {one["source_file"] for one in found} == {"AGENTS.md"} and len(found) == 1
