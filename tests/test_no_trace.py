"""Reading verbs and dry runs leave the tree, the git directory and the state as they are."""

from __future__ import annotations

import pytest

from tests.conftest import Once, Sandbox

VERBS = [
    ("scan", "--dry-run"),
    ("sweep", "--dry-run"),
    ("sweep", "--check"),
    ("sweep", "--diff"),
    ("sweep", "--no-scan", "--check"),
    ("promote", "--dry-run"),
    ("promote", "--diff"),
    ("promote",),
    ("promote", "--candidates"),
    ("init", "--dry-run"),
    ("init", "--merge-driver", "--dry-run"),
    ("init", "--diff"),
    ("init", "--remove", "--dry-run"),
    ("query", "--all", "--no-touch"),
    ("query", "--search", "short", "--no-touch"),
    ("query", "--topics"),
    ("query", "--demoted", "--no-touch"),
    ("query", "--review", "--no-touch"),
    ("feedback", "ID", "forget", "--dry-run"),
    ("feedback", "ID", "incorrect", "--diff"),
    ("pin", "ID", "--until", "2027-01-31", "--dry-run"),
    ("unpin", "ID", "--diff"),
    ("supersede", "ID", "OTHER", "--dry-run"),
    ("prune", "--older-than", "0", "--dry-run"),
    ("prune", "--keep-newest", "0", "--delete"),
    ("prune", "--min-score", "0.9", "--diff"),
    ("prune", "--expired", "--dry-run"),
    ("purge", "--older-than", "0"),
    ("purge", "--older-than", "0", "--from-documents", "--confirm", "--dry-run"),
    ("check",),
    ("check", "--all"),
    ("check", "--diff", "HEAD"),
    ("check", "--rev", "HEAD"),
    ("check", "--fix", "--dry-run"),
    ("check", "--rules"),
    ("undo", "--dry-run"),
    ("undo", "--diff"),
    ("undo", "--list"),
    ("doctor",),
    ("doctor", "--repair", "--diff"),
    ("status",),
    ("status", "--config"),
    ("stats",),
    ("log",),
    ("schedule", "cron"),
    ("schedule", "systemd"),
    ("schedule", "claude-hook"),
    ("schedule", "github-actions"),
    ("schedule", "skill"),
]
LATER = "2026-03-01T00:00:00Z"


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_nothing_is_created_in_a_project_without_state(
    sandbox: Sandbox, verb: tuple[str, ...], json: list[str]
) -> None:
    sandbox.note("- Prefer short functions in `src/app.py`.\n")
    before = sandbox.tree_hash()
    sandbox.run(*("ffff" if part in ("ID", "OTHER") else part for part in verb), *json, code=None)
    assert sandbox.tree_hash() == before


def at_work(box: Sandbox) -> None:
    box.note("- Prefer short functions in `src/app.py`.\n- Another fact.\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", "--limit", "1", now="2026-01-03T00:00:00Z")
    box.note("- A third fact.\n")
    box.git("rm", "-q", "src/app.py")
    box.run("sweep", now="2026-02-10T00:00:00Z")


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("verb", [*VERBS, ("why", "ID"), ("log", "ID")], ids=" ".join)
def test_nothing_changes_in_a_project_at_work(
    sandbox: Sandbox, once: Once, verb: tuple[str, ...], json: list[str]
) -> None:
    once(sandbox, at_work)
    one, other, *_ = (entry["id"] for entry in sandbox.entries().values())
    ids = {"ID": one, "OTHER": other}
    before = sandbox.tree_hash()
    sandbox.run(*(ids.get(part, part) for part in verb), *json, now=LATER, code=None)
    assert sandbox.tree_hash() == before


def test_a_check_says_what_a_sweep_does(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note("")
    sandbox.run("sweep", "--check", now="2026-02-10T00:00:00Z", code=0)
    sandbox.run("sweep", now="2026-02-10T00:00:00Z")
    checked = sandbox.run("sweep", "--check", "--json", now="2026-02-11T00:00:00Z", code=1).json
    diff = sandbox.run("sweep", "--diff", now="2026-02-11T00:00:00Z").out
    text = sandbox.read()
    done = sandbox.run("sweep", "--json", now="2026-02-11T00:00:00Z").json
    assert checked["demoted"][0]["id"] == done["demoted"][0]["id"]
    assert "-- Prefer short functions.\n" in diff
    assert "- Prefer short functions." in text
    assert "- Prefer short functions." not in sandbox.read()
    sandbox.run("sweep", "--check", now="2026-02-11T00:00:00Z", code=0)


def test_an_access_is_counted_for_the_rows_returned_and_by_nothing_else(sandbox: Sandbox) -> None:
    import sqlite3

    sandbox.note("- Alpha beta.\n- Gamma delta.\n")
    sandbox.scans("2026-01-01")
    for verb in (("query", "--search", "alpha"), ("query", "--all", "--no-touch"), ("status",), ("sweep", "--check")):
        sandbox.run(*verb, now="2026-01-05T00:00:00Z")
    with sqlite3.connect(sandbox.root / ".git/intermem/root/metadata.db") as connection:
        rows = connection.execute(
            "SELECT content, access_count, last_accessed FROM memory_entries ORDER BY 1"
        ).fetchall()
    connection.close()
    assert rows == [("Alpha beta.", 1, "2026-01-05T00:00:00Z"), ("Gamma delta.", 0, None)]
