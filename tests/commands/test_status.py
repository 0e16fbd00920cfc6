from __future__ import annotations

import pytest

from tests.conftest import Sandbox


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- x\n" * 200, False),
        ("- x\n" * 201, True),
        ("x" * 25 * 1024, False),
        ("x" * (25 * 1024 + 1), True),
    ],
)
def test_status_says_where_the_agent_stops_reading_its_memory(sandbox: Sandbox, text: str, said: bool) -> None:
    sandbox.note(text)
    assert ("Claude Code loads 200 lines or 25 KB of MEMORY.md" in sandbox.run("status").err) is said


def test_status_tells_everything_as_json(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n- Another, wholly different.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", "--limit", "1", now="2026-01-03T00:00:00Z")
    data = sandbox.run("status", "--json", now="2026-01-04T00:00:00Z").json
    assert data["entries"] == {"active": 2, "all": 2, "demoted": 0, "stale": 0}
    assert (data["promoted"], data["last_sweep"], data["last_snapshot"]) == (1, None, "2026-01-03T00:00:00Z")
    (document,) = data["documents"]
    assert (document["region"]["entries"], document["region"]["other_blocks"]) == (1, 0)
    assert (data["next_stale"]["at"], data["next_stale"]["now"]) == ("2026-02-01T00:00:00Z", False)


def test_status_says_which_promoted_entries_are_missing(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.write("AGENTS.md", sandbox.read().replace("- One fact.\n", ""))
    assert "AGENTS.md lacks 1 entry that the ledger lists" in sandbox.run("status").err


def test_an_entry_is_named_by_its_note_whatever_is_written_of_it(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (entry,) = sandbox.entries().values()
    sandbox.run("init")
    sandbox.run(
        "promote", entry["id"], "--text", "Never deploy on Fridays: nobody is on call.", "--yes", now="2026-01-04"
    )
    status = sandbox.run("status", "--json").json
    assert status["next_stale"]["id"] == entry["id"]
    written = (
        next(iter(sandbox.root.glob(".intermem/ledger/*promoted*"))).read_text("utf-8").split('"written": "')[1][:16]
    )
    assert f"{written[:6]} is what is written of it" in sandbox.run("why", written[:6]).err
    sandbox.write("AGENTS.md", sandbox.read().replace("- Never deploy on Fridays: nobody is on call.\n", ""))
    assert f"({entry['id'][:8]})" in sandbox.run("status", now="2026-01-05").err


def test_what_is_stale_now_is_named_with_the_number_of_others(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays.\n- Always run `make lint`.\n- Never push to main.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", "--limit", "0", now="2026-01-03T00:00:00Z")
    sandbox.note("")
    told = sandbox.run("status", "--json", now="2026-06-01T00:00:00Z").json["next_stale"]
    assert (told["now"], told["others"]) == (True, len(sandbox.entries()) - 1)
    assert (
        f"{told['id'][:8]} and {told['others']} more in documents"
        in sandbox.run("status", now="2026-06-01T00:00:00Z").out
    )
    assert sandbox.run("status", "--json", now="2026-01-04T00:00:00Z").json["next_stale"]["others"] == 0


def test_a_list_of_what_is_stale_says_what_has_gone_stale_since(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.note("")
    told = "1 entry has gone stale since the last scan or sweep: intermem sweep counts it"
    assert told in sandbox.run("query", "--stale", now="2026-06-01T00:00:00Z", code=1).err
    sandbox.run("scan", now="2026-06-01T00:00:00Z")
    listed = sandbox.run("query", "--stale", "--json", now="2026-06-01T00:00:00Z").json
    assert len(listed["entries"]) == 1 and listed["warnings"] == []
