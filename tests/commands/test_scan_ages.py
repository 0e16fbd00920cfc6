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
