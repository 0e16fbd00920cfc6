"""Text output as snapshots, at the width of a pipe and of a small terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from intermem.cli.verbs import VERBS
from intermem.reporters.escaping import one_line, visible, visible_name
from intermem.reporters.text.render import render
from intermem.results import Result
from tests.conftest import Sandbox

NOW = "2026-02-11T00:00:00Z"


@pytest.fixture
def life(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """Three promoted notes: one cites a file that was deleted, one has left the memory."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-02-09T12:00:00Z")
    sandbox.note(
        "## Build\n\n- Run `uv run pytest -q`; plain `pytest` picks up the system interpreter.\n"
        "- The entry point is `src/app.py`.\n\n## Style\n\n- Prefer short functions.\n"
    )
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.commit("drop app")
    sandbox.note("## Style\n\n- Prefer short functions.\n")
    sandbox.run("sweep", now="2026-02-10T00:00:00Z")
    return sandbox


def plain(box: Sandbox, text: str) -> str:
    """Return ``text`` without what differs between runs: folders and commits."""
    head = box.git("rev-parse", "HEAD").strip()
    return text.replace(str(box.root.parent), "/tmp").replace(head[:10], "c0ffee0000")


@pytest.mark.parametrize(
    "call",
    [
        ("sweep", "--dry-run"),
        ("sweep", "--diff"),
        ("query", "--all"),
        ("query", "--topics"),
        ("query", "--search", "pytest"),
        ("promote",),
        ("scan", "--verbose"),
        ("log", "--limit", "5"),
        ("status",),
    ],
    ids="_".join,
)
def test_in_a_pipe(life: Sandbox, call: tuple[str, ...], snapshot) -> None:  # type: ignore[no-untyped-def]
    out = plain(life, life.run(*call, now=NOW).out)
    snapshot.snapshot_dir = "tests/snapshots/pipe"
    snapshot.assert_match(out.encode("utf-8"), "_".join(call).replace("--", "") + ".txt")


def test_why(life: Sandbox, snapshot) -> None:  # type: ignore[no-untyped-def]
    life.run("sweep", now=NOW)
    key = life.entries()["The entry point is `src/app.py`."]["id"]
    out = plain(life, life.run("why", key, now=NOW).out)
    snapshot.snapshot_dir = "tests/snapshots/pipe"
    snapshot.assert_match(out.encode("utf-8"), "why.txt")


def test_entries_are_identifiable_at_eighty_columns(life: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    life.run("sweep", now=NOW)
    seen: list[Result] = []
    monkeypatch.setattr("intermem.reporters.text.render.write", lambda result, *_more, **_named: seen.append(result))
    life.run("query", "--demoted", "--no-touch", now=NOW)
    out = io.StringIO()
    render(seen[0], VERBS["query"].renderer, Console(file=out, width=80, no_color=True, soft_wrap=True))
    lines = out.getvalue().split("\n")
    assert max(len(line) for line in lines) <= 80
    assert lines[0].split() == ["ID", "DEMOTED", "WAS", "TEXT", "WHY"]
    for entry in life.entries().values():
        if entry["status"] == "demoted":
            assert any(line.startswith(entry["id"][:8] + "  2026-02-11T00:00:00Z") for line in lines)


def test_control_characters_are_escaped() -> None:
    assert visible("a\x1b[31m\x07\x9b\u202e\ud800b\tc\nd") == "a\\x1b[31m\\x07\\x9b\\u202e\\ud800b\tc\nd"
    assert one_line("a\n  b   c", 4) == "a b…"
    assert visible_name("two  words\t\n\x1b.md") == "two  words\\x09\\x0a\\x1b.md"


def test_a_dry_run_says_how_many_events_would_be_added(life: Sandbox) -> None:
    one = life.run("query", "--stale", "--json", now=NOW).json["entries"][0]["id"]
    assert "ledger: 1 event would be added: commit" in life.run("reject", one, "--dry-run", now=NOW).out
    assert "ledger: 1 event added: commit" in life.run("reject", one, now=NOW).out
