"""``scan`` knows what holds an entry, as ``sweep`` does."""

from __future__ import annotations

from tests.conftest import Sandbox

NOTE = "Reset the cache with `rm -rf .cache` after each schema change."
OTHER = "Reset the cache with rm -rf .cache after every schema change."


def test_what_a_note_of_other_words_holds_is_not_stale_to_a_scan(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    sandbox.note(f"- {OTHER}\n", "b.md")
    sandbox.run("scan", now="2026-01-04")
    (sandbox.memory / "a.md").unlink()
    sandbox.run("sweep", now="2026-03-20")
    sandbox.run("scan", now="2026-03-21")
    assert sandbox.run("query", "--stale", code=None, now="2026-03-21").out.startswith("No entries")
    assert "stale" not in sandbox.run("log", "--limit", "0", now="2026-03-21").out
    sandbox.run("demote", "--status", "stale", code=1, now="2026-03-21")
    assert NOTE in sandbox.read()


def held_for_long(sandbox: Sandbox) -> str:
    """Return the id of a promoted note that stands in the memory, which no scan has read since 3 January."""
    sandbox.note(f"- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    (entry,) = sandbox.entries().values()
    return str(entry["id"])


def test_what_stands_in_the_memory_is_stale_to_no_command_that_judges(sandbox: Sandbox) -> None:
    key, later = held_for_long(sandbox), "2026-06-06"
    assert sandbox.run("status", "--json", now=later).json["entries"]["stale"] == 0
    assert sandbox.run("status", "--figures", "--json", now=later).json["entries"]["stale"] == 0
    assert sandbox.run("check", now=later).code == 0
    told = sandbox.run("why", key, "--json", now=later).json
    assert (told["stale"], told["entry"]["confidence"]) == (False, 0.5)
    assert "have gone stale" not in sandbox.run("query", "--stale", now=later, code=1).err
    assert "confidence 0.6" in sandbox.run("feedback", key, "confirm", now=later).out
    assert "No entries match" in sandbox.run("demote", "--status", "stale", now=later, code=1).out
    assert f"- {NOTE}\n" in sandbox.read()


def test_what_left_the_memory_since_the_last_scan_is_stale_to_all_of_them(sandbox: Sandbox) -> None:
    key, later = held_for_long(sandbox), "2026-06-06"
    sandbox.note("- Something else.\n")
    assert sandbox.run("status", "--json", now=later).json["entries"]["stale"] == 1
    assert "IM020" in sandbox.run("check", now=later, code=1).out
    assert sandbox.run("why", key, "--json", now=later).json["stale"] is True
    since = "1 entry has gone stale since the last scan or sweep: intermem sweep counts it"
    for command in (
        ("query", "--stale"),
        ("query", "--status", "stale"),
        ("demote", "--status", "stale"),
        ("prune", "--status", "stale", "--older-than", "1d"),
        ("purge", "--status", "stale"),
    ):
        assert since in sandbox.run(*command, now=later, code=1).err, command


def test_a_note_that_stands_in_the_memory_waits_for_a_scan_all_the_same(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (entry,) = sandbox.entries().values()
    assert "no scan has read it since 2026-01-03" in sandbox.run("why", str(entry["id"]), now="2026-06-06").out
