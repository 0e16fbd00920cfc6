"""``pin`` and ``unpin``: a pinned entry does not decay, go stale or get pruned."""

from __future__ import annotations

from typing import Any

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox
from tests.old_ledger import ledger_in

SHORT, LONG = "Prefer short functions.", "Releases are cut on Tuesdays."
KEY, OTHER = identity(SHORT), identity(LONG)


def two_promoted(box: Sandbox) -> None:
    box.note(f"## Notes\n\n- {SHORT}\n- {LONG}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.note("")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two notes in AGENTS.md that are gone from the memory."""
    once(sandbox, two_promoted)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


def record(box: Sandbox, text: str = SHORT) -> dict[str, Any]:
    return box.entries()[text]


def pinned(box: Sandbox, now: str | None = None) -> list[str]:
    told = box.run("query", "--pinned", "--json", "--no-touch", code=None, now=now).json
    return sorted(one["id"] for one in told["entries"])


def two_sweeps(box: Sandbox, month: str) -> None:
    for day in ("10", "11"):
        box.run("sweep", now=f"{month}-{day}T00:00:00Z")


def test_a_pin_beats_decay_staleness_and_demotion(promoted: Sandbox) -> None:
    promoted.run("pin", KEY, "--reason", "the rule of the house")
    two_sweeps(promoted, "2026-06")
    assert SHORT in promoted.read() and LONG not in promoted.read()
    found = record(promoted)
    assert (found["status"], found["confidence"], found["stale_streak"]) == ("active", 0.5, 0)
    rows = promoted.run("log", KEY, "--json").json["history"]
    assert [row["detail"] for row in rows if row["event"] == "pinned"] == ["the rule of the house"]


def test_a_pin_holds_until_its_day_and_not_a_second_longer(promoted: Sandbox) -> None:
    promoted.run("pin", KEY, "--until", "2026-07-01")
    assert record(promoted)["pinned_until"] == "2026-07-01T00:00:00Z"
    two_sweeps(promoted, "2026-06")
    assert SHORT in promoted.read()
    assert pinned(promoted, "2026-06-30T23:59:59Z") == [KEY]
    assert pinned(promoted, "2026-07-01T00:00:00Z") == []
    promoted.run("sweep", "--no-scan", now="2026-06-30T23:59:59Z")
    assert record(promoted)["confidence"] == 0.5
    promoted.run("sweep", "--no-scan", now="2026-07-01T00:00:00Z")
    assert (record(promoted)["confidence"], SHORT in promoted.read()) == (0.0, True)
    promoted.run("sweep", "--no-scan", now="2026-07-01T00:00:01Z")
    assert SHORT not in promoted.read()


def test_unpin_ends_a_pin_and_decay_goes_on_from_where_age_is(promoted: Sandbox) -> None:
    promoted.run("pin", KEY)
    promoted.run("sweep", now="2026-06-10T00:00:00Z")
    promoted.run("pin", KEY, "--remove", now="2026-06-10T01:00:00Z")
    found = record(promoted)
    assert (found["pinned"], found["confidence"], found["status"]) == (False, 0.0, "stale")
    assert found["reason"] == "confidence 0.0; not seen since 2026-01-03, down from 0.5"
    promoted.run("sweep", now="2026-06-11T00:00:00Z")
    assert SHORT in promoted.read(), "no sweep counted against it so far"
    promoted.run("sweep", now="2026-06-12T00:00:00Z")
    assert SHORT not in promoted.read()


def test_pinning_what_is_stale_makes_it_active_again(promoted: Sandbox) -> None:
    promoted.run("sweep", now="2026-06-10T00:00:00Z")
    assert (record(promoted)["status"], record(promoted)["stale_streak"]) == ("stale", 1)
    promoted.run("pin", KEY, now="2026-06-10T01:00:00Z")
    found = record(promoted)
    assert (found["status"], found["stale_streak"], found["confidence"], found["reason"]) == ("active", 0, 0.5, "")


def test_several_are_pinned_at_once_and_what_makes_no_sense_is_refused(promoted: Sandbox) -> None:
    promoted.run("pin", KEY)
    told = promoted.run("pin", KEY, OTHER, OTHER[:4], "--json", code=1).json
    assert [one["id"] for one in told["pinned"]] == [OTHER]
    assert [(one["entry"]["id"], one["reason"]) for one in told["refused"]] == [(KEY, "already pinned")]
    assert pinned(promoted) == sorted([KEY, OTHER])
    told = promoted.run("pin", KEY, "--remove", "--json").json
    assert [one["id"] for one in told["unpinned"]] == [KEY]
    assert "it is not pinned" in promoted.run("pin", KEY, "--remove", code=1).out


def test_a_pin_is_given_another_end_by_pinning_again(promoted: Sandbox) -> None:
    for arguments, end in (
        (["--until", "2026-07-01"], "2026-07-01T00:00:00Z"),
        (["--until", "2026-08-01"], "2026-08-01T00:00:00Z"),
        ([], None),
    ):
        promoted.run("pin", KEY, *arguments)
        assert (record(promoted)["pinned"], record(promoted)["pinned_until"]) == (True, end)
    promoted.run("pin", KEY, "--until", "2026-07-01")
    promoted.run("pin", KEY, "--until", "2026-07-01", now="2026-08-01T00:00:00Z", code=2)
    promoted.run("pin", KEY, now="2026-08-01T00:00:00Z")
    assert record(promoted)["pinned_until"] is None


def test_the_end_of_a_pin_is_in_the_ledger_and_goes_with_it(promoted: Sandbox) -> None:
    promoted.run("pin", KEY, "--until", "2026-07-01")
    assert '"pinned": true, "pinned_until": "2026-07-01"' in ledger_in(promoted.root)
    promoted.run("sweep", "--check")
    promoted.run("pin", KEY, "--remove")
    assert "pinned_until" not in ledger_in(promoted.root)


def test_a_note_that_stands_nowhere_is_pinned_too(promoted: Sandbox) -> None:
    promoted.note("- A new one.\n")
    promoted.run("scan")
    before = ledger_in(promoted.root)
    promoted.run("pin", identity("A new one."))
    promoted.note("")
    promoted.run("sweep", now="2026-06-10T00:00:00Z")
    assert record(promoted, "A new one.")["status"] == "active"
    assert ledger_in(promoted.root) == before, "the ledger speaks of what stands or stood"


def test_what_was_rejected_is_not_pinned(promoted: Sandbox) -> None:
    promoted.run("reject", KEY)
    said = promoted.run("pin", KEY, code=1).out
    assert "it was rejected on 2026-01-03" in said and f"intermem restore {KEY[:8]}" in said
    assert not record(promoted)["pinned"]


@pytest.mark.parametrize("verb", ["reject", "demote"])
def test_what_is_pinned_is_neither_rejected_nor_demoted(promoted: Sandbox, verb: str) -> None:
    promoted.run("pin", KEY)
    before = promoted.read()
    assert f"it is pinned: intermem pin {KEY[:8]} --remove unpins it" in promoted.run(verb, KEY, code=1).out
    assert promoted.read() == before and record(promoted)["pinned"]
    promoted.run("pin", KEY, "--remove")
    promoted.run(verb, KEY)
    assert promoted.read() != before
    assert '"pinned": true' not in ledger_in(promoted.root)


def test_a_pinned_entry_is_not_superseded(promoted: Sandbox) -> None:
    promoted.run("pin", KEY)
    assert (
        f"it is pinned: intermem pin {KEY[:8]} --remove unpins it" in promoted.run("supersede", KEY, OTHER, code=1).out
    )
    assert SHORT in promoted.read() and record(promoted)["superseded_by"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([KEY, "ffff"], "no entry starts with ffff"),
        ([KEY, "--until", "soon"], "--until: 'soon' is not a date"),
        ([KEY, "--until", "2026-02-30"], "is not a date"),
        ([KEY, "--until", "9x"], "is not a date"),
        ([KEY, "--until", "0"], "--until 0 is not in the future"),
        ([KEY, "--until", "2026-01-03"], "--until 2026-01-03 is not in the future"),
        ([], "pin needs an ID or a selector"),
    ],
)
def test_a_bad_pin_is_one_line_and_changes_nothing(promoted: Sandbox, arguments: list[str], says: str) -> None:
    before = promoted.tree_hash()
    assert says in promoted.run("pin", *arguments, code=2).err
    assert promoted.tree_hash() == before


@pytest.mark.parametrize(
    ("until", "end"), [("90d", "2026-04-03"), ("2", "2026-01-05"), ("1w", "2026-01-10"), ("1h", "2026-01-04")]
)
def test_a_pin_that_is_given_a_length_ends_with_a_day(promoted: Sandbox, until: str, end: str) -> None:
    promoted.run("pin", KEY, "--until", until, now="2026-01-03T00:00:00Z")
    assert record(promoted)["pinned_until"] == f"{end}T00:00:00Z"
    later = promoted.run("pin", OTHER, "--until", "1d", "--json", now="2026-01-03T09:00:00Z").json["pinned"]
    assert [row["pinned_until"] for row in later] == ["2026-01-05T00:00:00Z"]


def test_a_pin_that_would_end_at_this_second_is_over_already(promoted: Sandbox) -> None:
    promoted.run("pin", KEY, "--until", "2026-01-04", now="2026-01-04T00:00:00Z", code=2)
    promoted.run("pin", KEY, "--until", "2026-01-04", now="2026-01-03T23:59:59Z")


@pytest.mark.parametrize("flag", ["--dry-run", "--diff"])
def test_a_dry_run_pins_nothing(promoted: Sandbox, flag: str) -> None:
    before = promoted.tree_hash()
    would = promoted.run("pin", KEY, OTHER, flag, "--json").json
    assert promoted.tree_hash() == before
    assert promoted.run("pin", KEY, OTHER, "--json").json["pinned"] == would["pinned"]


def test_why_tells_of_a_pin_and_when_the_entry_goes_stale_after_it(promoted: Sandbox) -> None:
    promoted.run("pin", KEY)
    assert promoted.run("why", KEY, "--json").json["stale_on"] is None
    promoted.run("pin", KEY, "--until", "2026-07-01")
    told = promoted.run("why", KEY, "--json").json
    assert (told["is_pinned"], told["stale_on"]) == (True, "2026-07-01T00:00:00Z")
    assert "until 2026-07-01" in promoted.run("why", KEY).out


def test_a_pin_that_has_ended_is_not_removed_again(promoted: Sandbox) -> None:
    promoted.run("pin", KEY, "--until", "2026-02-01")
    after = "2026-02-01T00:00:00Z"
    before = promoted.tree_hash()
    assert (
        "it is not pinned: its pin ended on 2026-02-01" in promoted.run("pin", KEY, "--remove", code=1, now=after).out
    )
    assert promoted.run("pin", "--search", "short", "--remove", code=1, now=after).out == "No entries match.\n"
    assert promoted.tree_hash() == before


def test_deleting_the_line_of_a_pinned_entry_unpins_it_and_that_is_told(promoted: Sandbox) -> None:
    promoted.run("pin", KEY)
    promoted.commit()
    promoted.write("AGENTS.md", promoted.read().replace(f"- {SHORT}\n", ""))
    promoted.commit()
    promoted.run("sweep", "--no-scan")
    assert (record(promoted)["pinned"], record(promoted)["rejected_at"]) == (False, promoted.now)
    assert "which unpins it" in promoted.run("why", KEY).out


@pytest.mark.parametrize("verbs", [[("pin",), ("pin", "--remove")], [("demote",), ("restore",)]])
def test_a_note_that_stands_in_the_memory_is_fresh_to_whoever_unpins_or_restores_it(
    promoted: Sandbox, verbs: list[tuple[str, ...]]
) -> None:
    promoted.note(f"## Notes\n\n- {SHORT}\n- {LONG}\n")
    late = "2026-02-20T00:00:00Z"
    for verb, *more in verbs:
        promoted.run(verb, KEY, *more, now=late)
    promoted.run("pin", OTHER, now=late)
    assert promoted.run("query", "--stale", "--no-touch", now=late, code=1).out == "No entries.\n"
    assert "2 active, 0 stale" in promoted.run("status", now=late).out
    promoted.run("demote", "--status", "stale", now=late, code=1)
    assert SHORT in promoted.read()
