"""DESIGN.md §7, "People win": each row of the table, in a real repository."""

from __future__ import annotations

from collections.abc import Callable

from intermem.core.entries.identity import identity
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]


def test_stands_and_promoted_keeps_what_both_have_seen(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", day=10)
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue")
    ben.at(5).run("scan")  # ben saw it earlier, ann later
    ben.at(12).run("sweep", "--no-scan")
    record = ben.record("queue")
    assert record["document"] == "AGENTS.md"
    assert record["last_seen"] == "2026-01-06T00:00:00Z", "what this clone has seen itself"
    assert record["first_seen"] == "2026-01-06T00:00:00Z"
    assert not record["pinned"]
    ben.is_settled()


def test_a_reverted_demotion_is_restored_and_pinned(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale()
    assert not person.holds("queue")
    person.commit("demote")
    person.git("revert", "--no-edit", "HEAD")
    person.sweeps(50, 51, 52)
    assert person.holds("queue") and person.holds("tabs")
    assert person.record("queue")["pinned"] and person.line("queue")["pinned"]  # type: ignore[index]
    assert "reverted" in person.run("log", "--json").out
    person.is_settled()


def test_an_older_branch_keeps_what_was_demoted_elsewhere_for_a_grace(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.git("branch", "older")
    person.goes_stale()
    person.commit("demote")
    person.git("checkout", "-q", "older")
    person.sweeps(43, 44, 45)
    assert person.holds("queue") and not person.record("queue")["pinned"]
    assert person.record("queue")["stale_streak"] == 0
    assert "until 2026-02-27" in person.run("log").out
    for day in (58, 59):
        person.at(day).run("sweep")
    assert not person.holds("queue"), "the grace is over, and it is as stale as before"
    assert person.standing("queue") == "demoted"


def test_a_reworded_line_is_the_same_entry(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    before = person.record("queue")
    new = "Start the queue worker before the tests, or they hang without a word."
    person.edit(FACTS["queue"], new)
    person.at(10).run("sweep")
    after = person.record(new)
    assert FACTS["queue"] not in person.entries()
    assert (after["first_seen"], after["document"], after["pinned"]) == (before["first_seen"], "AGENTS.md", False)
    assert after["id"] == before["id"]
    assert [person.ledger()[identity(new)][name] for name in ("was", "note")] == [[before["id"]], before["id"]]
    assert before["id"] not in person.ledger()
    assert after["last_seen"] == "2026-01-11T00:00:00Z", "the old note in the memory is an observation of it"
    assert "edited" in person.run("why", before["id"][:8]).out
    out = person.run("promote", "--yes").out
    assert "Nothing to promote" in out and before["id"][:8] not in out
    person.is_settled()


def test_a_demoted_line_that_a_person_put_back_is_pinned(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale()
    person.commit("demote")
    person.edit("<!-- intermem:end -->", f"- {FACTS['queue']}\n<!-- intermem:end -->")
    person.sweeps(50, 51, 52)
    assert person.holds("queue") and person.record("queue")["pinned"]
    assert person.standing("queue") == "promoted"
    assert not person.holds("tabs")
    person.is_settled()


def test_a_rejected_line_that_a_person_put_back_is_pinned(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    person.sweeps(5)
    person.commit("take out")
    assert person.standing("queue") == "rejected"
    person.edit("<!-- intermem:end -->", f"- {FACTS['queue']}\n<!-- intermem:end -->")
    person.commit("put back")
    person.sweeps(6)
    assert person.record("queue")["pinned"] and person.record("queue")["rejected_at"] is None
    assert person.standing("queue") == "promoted"


def test_a_line_written_by_hand_is_adopted_and_pinned(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.edit("<!-- intermem:end -->", "- Never deploy on a Friday.\n<!-- intermem:end -->")
    person.sweeps(5)
    record = person.record("Never deploy on a Friday.")
    assert record["pinned"] and record["document"] == "AGENTS.md"
    assert person.ledger()[record["id"]]["pinned"]
    person.sweeps(90, 91, 92)
    assert "Never deploy on a Friday." in person.read()


def test_without_a_ledger_what_stands_is_adopted_and_not_pinned(person: Person) -> None:
    person.edit("<!-- intermem:end -->", "- Never deploy on a Friday.\n<!-- intermem:end -->")
    person.sweeps(5)
    record = person.record("Never deploy on a Friday.")
    assert (record["pinned"], record["document"], record["last_seen"]) == (False, "AGENTS.md", "2026-01-06T00:00:00Z")
    assert not person.ledger(), "a sweep makes no ledger where there is none"
    person.sweeps(40, 41)
    assert "Friday" not in person.read()
    assert not person.ledger()


def test_what_a_person_took_out_is_rejected_for_good(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    commit = person.commit("take out")
    person.at(5).run("sweep")
    assert person.standing("queue") == "rejected" and person.standing("tabs") == "promoted"
    assert commit[:10] in person.run("why", person.record("queue")["id"]).out
    for day in (6, 7, 8, 9):
        person.at(day).run("scan")
    out = person.run("promote", "--yes").out
    assert "rejected on 2026-01-06" in out and not person.holds("queue")


def test_a_conflict_resolved_without_it_leaves_it_missing(person: Person) -> None:
    person.git("checkout", "-q", "-b", "feature")
    person.promotes("queue")
    person.commit("promote")
    person.git("checkout", "-q", "main")
    person.git("merge", "-q", "--no-commit", "--no-ff", "feature")
    person.git("checkout", "main", "--", "AGENTS.md")
    person.commit("merge, the document as it was")
    person.sweeps(5, 6)
    assert person.standing("queue") == "promoted" and not person.holds("queue")
    assert person.record("queue")["missing_from"] == "AGENTS.md"
    said = person.run("status")
    assert "AGENTS.md lacks 1 entry that the ledger lists" in said.err
    person.at(7).run("scan")
    assert "missing from AGENTS.md" in person.run("promote", "--yes").out and not person.holds("queue")
    person.run("restore", person.record("queue")["id"])
    assert person.holds("queue") and person.record("queue")["missing_from"] is None
    person.is_settled()


def test_gone_and_demoted_is_demoted(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue")
    ben.at(5).run("scan")
    ben.run("sweep")
    person.goes_stale()
    person.commit("demote")
    ben.git("pull", "-q")
    ben.sweeps(45)
    record = ben.record("queue")
    assert (record["status"], record["demoted_at"], record["document"]) == ("demoted", "2026-02-11T00:00:00Z", None)
    assert "according to this branch" in ben.run("why", record["id"]).out


def test_gone_and_rejected_is_rejected(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue")
    for day in (3, 4, 5):
        ben.at(day).run("scan")
    person.at(5).run("reject", person.record("queue")["id"])
    person.commit("reject")
    ben.git("pull", "-q")
    assert "rejected on 2026-01-06" in ben.at(6).run("promote", "--yes").out
    assert not ben.holds("queue")


def test_gone_without_a_line_is_not_promoted_on_this_branch(person: Person) -> None:
    person.git("branch", "older")
    person.promotes("queue")
    person.commit("promote")
    person.git("checkout", "-q", "older")
    person.sweeps(5)
    record = person.record("queue")
    assert (record["document"], record["missing_from"], record["rejected_at"]) == (None, None, None)
    person.git("checkout", "-q", "main")
    person.sweeps(6)
    assert person.record("queue")["document"] == "AGENTS.md"
    assert person.record("queue")["promoted_at"] == "2026-01-03T00:00:00Z"
    person.is_settled()
