"""What was fed back on a note stays with it when the agent words it otherwise, and counts once."""

from __future__ import annotations

from tests.conftest import Sandbox
from tests.old_ledger import events_in

FIRST = "Always start the omega server with the vault key and `make omega`, never by hand."
OTHER = "Always start the omega server with the vault key and `make omega`, and never by hand."


def reworded(sandbox: Sandbox, text: str, *days: str) -> None:
    sandbox.note(f"- {text}\n", "a.md")
    sandbox.scans(*days)
    sandbox.run("promote", "--yes", now=f"{days[-1]}T01:00:00Z")


def entry(sandbox: Sandbox, text: str) -> str:
    found: str = sandbox.entries()[text]["id"]
    return found


def test_a_failure_is_counted_with_its_words_once_the_note_is_reworded(sandbox: Sandbox) -> None:
    reworded(sandbox, FIRST, "2026-01-01", "2026-01-02", "2026-01-03")
    given = ("feedback", entry(sandbox, FIRST), "failure", "--context", "at dawn", "--note", "it hung")
    sandbox.run(*given, now="2026-01-03T02:00:00Z")
    reworded(sandbox, OTHER, "2026-01-04", "2026-01-05")
    why = sandbox.run("why", entry(sandbox, OTHER), now="2026-01-05T02:00:00Z").out
    assert "failures   1" in why
    assert "2026-01-03 feedback −0.05: failure (low): at dawn; it hung" in why
    assert "− 0.05 feedback" in why and why.count("feedback −0.05") == 1, "in the sum, and once in the history"


def test_feedback_counts_once_when_the_note_is_worded_as_before(sandbox: Sandbox) -> None:
    reworded(sandbox, FIRST, "2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("feedback", entry(sandbox, FIRST), "incorrect", now="2026-01-03T02:00:00Z")
    reworded(sandbox, OTHER, "2026-01-04", "2026-01-05")
    reworded(sandbox, FIRST, "2026-01-06", "2026-01-07")
    assert FIRST in sandbox.read()
    why = sandbox.run("why", entry(sandbox, FIRST), now="2026-01-07T02:00:00Z").out
    assert "− 0.3 feedback" in why
    sandbox.run("sweep", now="2026-01-08")
    sandbox.run("sweep", now="2026-01-09")
    assert FIRST in sandbox.read()


def test_feedback_on_what_stands_counts_for_the_wording_that_was_scanned_already(sandbox: Sandbox) -> None:
    reworded(sandbox, FIRST, "2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.note(f"- {OTHER}\n", "a.md")
    sandbox.scans("2026-01-04", "2026-01-05")
    sandbox.run("feedback", entry(sandbox, FIRST), "incorrect", now="2026-01-05T02:00:00Z")
    other = entry(sandbox, OTHER)
    assert "− 0.3 feedback" in sandbox.run("why", other, now="2026-01-05T03:00:00Z").out
    sandbox.run("promote", other, "--yes", code=None, now="2026-01-06")
    assert "− 0.3 feedback" in sandbox.run("why", other, now="2026-01-06T03:00:00Z").out
    amounts = [one["amount"] for one in events_in(sandbox.root) if one["what"] == "feedback"]
    assert amounts == [-0.3], "told once"


def test_feedback_on_former_words_is_noted_of_those_that_say_it_now(sandbox: Sandbox) -> None:
    sandbox.note(f"- {FIRST}\n", "a.md")
    sandbox.scans("2026-01-01")
    first = entry(sandbox, FIRST)
    sandbox.note(f"- {OTHER}\n", "a.md")
    sandbox.scans("2026-01-02", "2026-01-03")
    other = entry(sandbox, OTHER)
    said = sandbox.run("feedback", first, "incorrect", now="2026-01-03T02:00:00Z")
    assert f"{first[:8]} was reworded to {other[:8]}: noted there" in said.err + said.out
    assert "− 0.3 feedback" in sandbox.run("why", other, now="2026-01-03T03:00:00Z").out
    sandbox.run("feedback", first, "confirm", now="2026-01-03T04:00:00Z")
    sandbox.run("promote", other, "--yes", code=None, now="2026-01-04")
    sandbox.run("feedback", first, "confirm", now="2026-01-04T02:00:00Z")
    assert "− 0.1 feedback" in sandbox.run("why", other, now="2026-01-04T03:00:00Z").out


def test_feedback_counts_once_when_the_former_wording_is_restored(sandbox: Sandbox) -> None:
    reworded(sandbox, FIRST, "2026-01-01", "2026-01-02", "2026-01-03")
    first = entry(sandbox, FIRST)
    sandbox.run("feedback", first, "failure", "--severity", "high", now="2026-01-03T02:00:00Z")
    reworded(sandbox, OTHER, "2026-01-04", "2026-01-05")
    sandbox.run("demote", entry(sandbox, OTHER), now="2026-01-06")
    sandbox.run("restore", first, now="2026-01-06T01:00:00Z")
    assert "− 0.15 feedback" in sandbox.run("why", first, now="2026-01-06T02:00:00Z").out


def test_a_flag_that_was_given_on_former_words_is_lifted_with_what_confirms_it(sandbox: Sandbox) -> None:
    reworded(sandbox, FIRST, "2026-01-01", "2026-01-02", "2026-01-03")
    old = entry(sandbox, FIRST)
    reworded(sandbox, OTHER, "2026-01-04", "2026-01-05", "2026-01-06")
    other = entry(sandbox, OTHER)
    for kind, day in (("failure", "07"), ("outdated", "08"), ("confirm", "09")):
        sandbox.run("feedback", old, kind, now=f"2026-01-{day}T00:00:00Z")
    told = sandbox.run("why", other, "--json", now="2026-01-10").json
    assert (told["entry"]["feedback"], told["entry"]["review_at"]) == (0.05, None)
    assert sandbox.run("query", "--review", code=1, now="2026-01-10").out.startswith("No entries")
