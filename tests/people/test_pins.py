"""Pins and feedback travel between branches, clones and people."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import git
from tests.old_ledger import ledger_in
from tests.people.conftest import FACTS, Person

QUEUE, TABS = identity(FACTS["queue"]), identity(FACTS["tabs"])
UNTIL = "2026-06-01"
Colleague = Callable[..., Person]


@pytest.fixture
def promoter(person: Person) -> Person:
    """Somebody who has promoted two facts and committed that."""
    person.promotes("queue", "tabs")
    person.commit("promote")
    return person


def pin(person: Person, name: str = "queue") -> tuple[bool, str | None]:
    found = person.record(name)
    return found["pinned"], found["pinned_until"]


def test_a_pin_is_in_force_on_the_branch_that_says_so_and_on_no_other(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.commit("pin")
    promoter.git("checkout", "-q", "main")
    promoter.sweeps(3)
    assert pin(promoter) == (False, None)
    promoter.goes_stale(40)
    assert not promoter.holds("queue")
    promoter.git("checkout", "-q", ".")
    promoter.git("checkout", "-q", "feature")
    promoter.sweeps(50, 51)
    assert pin(promoter) == (True, f"{UNTIL}T00:00:00Z")
    assert promoter.holds("queue") and promoter.record("queue")["confidence"] == 0.5
    promoter.is_settled()


def test_every_clone_tells_until_when(promoter: Person, colleague: Colleague) -> None:
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.commit("pin")
    ben = colleague().at(2)
    assert f"until {UNTIL}" in ben.run("log").out
    assert f"until {UNTIL}" in promoter.run("log").out


def test_feedback_counts_on_the_branch_that_says_so_and_on_no_other(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    promoter.run("feedback", QUEUE, "failure")
    promoter.commit("doubt")
    for branch, feedback in (("main", 0), ("feature", -0.05), ("main", 0)):
        promoter.git("checkout", "-q", branch)
        promoter.sweeps(3)
        assert promoter.record("queue")["feedback"] == feedback
        promoter.is_settled()


def test_a_clone_without_state_honours_pins_and_feedback(promoter: Person, colleague: Colleague) -> None:
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.run("feedback", TABS, "incorrect")
    promoter.remembers("cache")
    promoter.at(3).run("sweep")
    promoter.commit("pin, doubt, lost")
    ben = colleague()
    ben.sweeps(60, 61)
    assert ben.holds("queue") and not ben.holds("tabs")
    assert pin(ben) == (True, f"{UNTIL}T00:00:00Z")
    assert (ben.record("tabs")["feedback"], ben.record("queue")["feedback"]) == (-0.3, 0)
    day_of_the_end = 151
    ben.sweeps(day_of_the_end - 1)
    assert ben.holds("queue")
    ben.sweeps(day_of_the_end, day_of_the_end + 1)
    assert not ben.holds("queue")


def test_a_colleague_prunes_around_the_pins_of_others(promoter: Person, colleague: Colleague) -> None:
    promoter.run("pin", QUEUE)
    promoter.commit("pin")
    ben = colleague()
    told = ben.at(5).run("prune", "--keep-newest", "0", "--confirm", "--json").json
    assert [one["id"] for one in told["demoted"]] == [TABS]
    assert [one["entry"]["id"] for one in told["spared"]] == [QUEUE]
    ben.is_settled()


def test_a_colleagues_unpin_arrives_with_the_next_pull(promoter: Person, colleague: Colleague) -> None:
    promoter.run("pin", QUEUE)
    promoter.commit("pin")
    ben = colleague()
    ben.run("pin", QUEUE, "--remove")
    ben.run("feedback", QUEUE, "failure", "--severity", "high")
    ben.commit("unpin")
    promoter.git("pull", "-q", str(ben.root), "main")
    promoter.sweeps(4)
    assert pin(promoter) == (False, None) and promoter.record("queue")["feedback"] == -0.15
    promoter.run("feedback", QUEUE, "failure", "--context", "release")
    told = promoter.run("why", QUEUE, "--json").json
    assert (told["failures"], len(told["feedback"])) == (2, 1), "it is counted, and their words stay with them"
    assert "feedback −0.15: failure (high)" in " ".join(promoter.run("why", QUEUE).out.split())


def test_of_two_pins_that_meet_in_a_merge_the_longer_holds(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    promoter.run("pin", QUEUE, "--until", "2026-08-01")
    promoter.run("feedback", TABS, "failure", "--severity", "high")
    promoter.commit("pin on feature")
    promoter.git("checkout", "-q", "main")
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.run("feedback", TABS, "confirm")
    promoter.commit("pin on main")
    promoter.git("merge", "-q", "--no-edit", "feature")
    assert pin(promoter) == (True, "2026-08-01T00:00:00Z"), "before anything has run"
    promoter.sweeps(4)
    assert pin(promoter) == (True, "2026-08-01T00:00:00Z")
    assert promoter.record("tabs")["feedback"] == -0.05, "the feedback of two people adds up"
    promoter.is_settled()


def test_a_demotion_merged_with_a_pin_of_another_day_is_the_later_word(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    promoter.at(3).run("pin", QUEUE)
    promoter.commit("pin on feature")
    promoter.git("checkout", "-q", "main")
    promoter.at(4).run("demote", QUEUE)
    promoter.commit("demote on main")
    promoter.git("merge", "-q", "--no-edit", "feature")
    promoter.sweeps(5)
    assert not promoter.holds("queue") and promoter.standing("queue") == "demoted"
    promoter.is_settled()


def test_a_pin_stays_with_what_was_demoted_and_comes_back_with_it(promoter: Person) -> None:
    promoter.run("demote", QUEUE)
    promoter.run("pin", QUEUE, "--until", UNTIL)
    line = promoter.line("queue")
    assert line is not None and (line["status"], line["pinned_until"]) == ("demoted", UNTIL)
    promoter.commit("demote")
    promoter.sweeps(5)
    promoter.run("restore", QUEUE)
    assert pin(promoter) == (True, f"{UNTIL}T00:00:00Z")
    promoter.is_settled()


def test_a_colleague_restores_what_was_demoted_with_its_pin_and_its_feedback(
    promoter: Person, colleague: Colleague
) -> None:
    promoter.run("feedback", QUEUE, "confirm")
    promoter.run("demote", QUEUE)
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.commit("demote")
    ben = colleague()
    ben.run("restore", QUEUE)
    line = ben.line("queue")
    assert line is not None and (line["pinned_until"], line["feedback"]) == (UNTIL, 0.1)
    assert pin(ben) == (True, f"{UNTIL}T00:00:00Z")


def test_what_is_said_of_a_demoted_entry_is_said_in_the_ledger(promoter: Person, colleague: Colleague) -> None:
    promoter.run("demote", QUEUE)
    promoter.commit("demote")
    promoter.at(5).run("pin", QUEUE)
    promoter.run("feedback", QUEUE, "incorrect")
    line = promoter.line("queue")
    assert line is not None and (line["status"], line["since"]) == ("demoted", "2026-01-03")
    assert (line["pinned"], line["feedback"]) == (True, -0.3)
    promoter.is_settled()
    promoter.sweeps(6)
    assert pin(promoter) == (True, None) and promoter.record("queue")["feedback"] == -0.3
    promoter.commit("pin")
    ben = colleague()
    ben.at(7).run("restore", QUEUE)
    assert pin(ben) == (True, None)


def test_what_a_colleague_says_of_a_demoted_entry_counts_here_too(promoter: Person, colleague: Colleague) -> None:
    promoter.run("demote", QUEUE)
    promoter.commit("demote")
    ben = colleague()
    ben.remembers("queue")
    ben.at(4).run("sweep")
    promoter.at(5).run("pin", QUEUE, "--until", UNTIL)
    promoter.run("feedback", QUEUE, "failure")
    promoter.commit("pin")
    git(ben.root, "pull", "-q", str(promoter.root), "main")
    ben.sweeps(6)
    assert pin(ben) == (True, f"{UNTIL}T00:00:00Z") and ben.record("queue")["feedback"] == -0.05
    ben.is_settled()


def test_a_line_reworded_by_hand_keeps_its_pin_and_its_feedback(promoter: Person, colleague: Colleague) -> None:
    promoter.run("pin", QUEUE, "--until", UNTIL)
    promoter.run("feedback", QUEUE, "failure")
    promoter.commit("pin")
    new = FACTS["queue"].replace("Run", "Start")
    promoter.edit(FACTS["queue"], new)
    promoter.sweeps(5)
    found = promoter.record(new)
    assert (found["pinned"], found["pinned_until"], found["feedback"]) == (True, f"{UNTIL}T00:00:00Z", -0.05)
    assert promoter.run("why", found["id"], "--json").json["failures"] == 1
    assert found["id"] == QUEUE, "a reworded line is the same entry"
    line = promoter.ledger()[identity(new)]
    assert (line["was"], line["pinned_until"], line["feedback"]) == ([QUEUE], UNTIL, -0.05)
    promoter.commit("reword")
    promoter.is_settled()
    promoter.at(6).run("unpin", QUEUE[:8])
    assert not promoter.record(new)["pinned"], "by its former id"
    ben = colleague()
    ben.sweeps(60, 61)
    assert pin(ben, new) == (True, f"{UNTIL}T00:00:00Z") and ben.holds(new)


def test_feedback_on_a_line_that_was_reworded_just_now_is_on_the_new_wording(promoter: Person) -> None:
    new = FACTS["queue"].replace("Run", "Start")
    promoter.edit(FACTS["queue"], new)
    promoter.run("feedback", QUEUE, "forget", "--note", "all wrong")
    assert not promoter.holds(new) and not promoter.holds("queue") and promoter.holds("tabs")
    found = promoter.record(new)
    assert (found["status"], found["reason"]) == ("demoted", "demoted for review; all wrong")
    assert [one["kind"] for one in promoter.run("why", QUEUE, "--json").json["feedback"]] == ["forget"]
    promoter.is_settled()


def test_what_was_taken_out_by_hand_loses_its_pin_and_is_not_put_back(promoter: Person) -> None:
    promoter.run("pin", QUEUE)
    promoter.commit("pin")
    promoter.take_out("queue")
    promoter.commit("take it out")
    promoter.sweeps(5)
    assert (promoter.standing("queue"), pin(promoter)) == ("rejected", (False, None))
    assert not promoter.holds("queue")


def test_a_pin_where_there_is_no_ledger_holds_here_and_is_in_the_ledger_once_there_is_one(promoter: Person) -> None:
    shutil.rmtree(promoter.root / ".intermem")
    promoter.run("pin", QUEUE, "--until", UNTIL)
    assert not (promoter.root / ".intermem").exists()
    promoter.goes_stale(40)
    assert promoter.holds("queue") and not promoter.holds("tabs")
    promoter.promotes("locks", day=50)
    line = promoter.line("queue")
    assert line is not None and line["pinned_until"] == UNTIL
    promoter.is_settled()


def test_what_was_forgotten_here_stands_on_a_branch_where_nobody_said_so(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    promoter.git("checkout", "-q", "main")
    promoter.at(5).run("feedback", QUEUE, "forget")
    promoter.commit("forget")
    promoter.git("checkout", "-q", "feature")
    promoter.sweeps(6)
    assert promoter.holds("queue") and promoter.record("queue")["document"] == "AGENTS.md"
    promoter.is_settled()
    promoter.git("checkout", "-q", "main")
    promoter.sweeps(7)
    assert promoter.record("queue")["status"] == "demoted"
    promoter.is_settled()


@pytest.mark.parametrize("verb", [["feedback", QUEUE, "forget"], ["supersede", QUEUE, TABS], ["prune", "--older-than"]])
def test_what_left_by_a_persons_word_is_no_rejection_for_a_colleague(
    promoter: Person, colleague: Colleague, verb: list[str]
) -> None:
    ben = colleague()
    ben.sweeps(3)
    if verb[0] == "prune":
        promoter.remembers("cache")
        promoter.at(9).run("sweep")  # what its memory has lost is old
        promoter.at(10).run("pin", TABS)
        verb = [*verb, "5d"]
    promoter.at(10).run(*verb)
    promoter.commit("away")
    git(ben.root, "pull", "-q", str(promoter.root), "main")
    ben.sweeps(11)
    found = ben.record("queue")
    assert (found["status"], found["document"], found["rejected_at"]) == ("demoted", None, None)
    assert not ben.holds("queue") and ben.holds("tabs")
    ben.is_settled()
    ben.run("restore", QUEUE)
    assert ben.holds("queue")


def test_what_was_deleted_here_is_no_rejection_for_a_colleague_and_comes_back_from_history(
    promoter: Person, colleague: Colleague
) -> None:
    promoter.at(10).run("prune", "--keep-newest", "1", "--delete", "--confirm")
    gone = max(QUEUE, TABS)
    assert promoter.ledger()[gone]["status"] == "demoted"
    promoter.commit("delete")
    promoter.is_settled()
    ben = colleague()
    ben.sweeps(11)
    ben.is_settled()
    ben.run("restore", gone)
    assert ben.holds("queue") and ben.holds("tabs")
    promoter.note("")
    promoter.at(12).run("restore", gone)
    assert promoter.holds("queue") and promoter.holds("tabs")


def test_an_operation_that_another_branch_does_not_know_is_undone_where_it_was_made(promoter: Person) -> None:
    promoter.git("checkout", "-q", "-b", "feature")
    before = promoter.read(), ledger_in(promoter.root)
    promoter.run("pin", QUEUE)
    promoter.run("feedback", TABS, "forget")
    promoter.run("undo")
    promoter.run("undo")
    assert (promoter.read(), ledger_in(promoter.root)) == before
    assert pin(promoter) == (False, None) and promoter.record("tabs")["status"] == "active"
    promoter.is_settled()


def test_what_was_said_of_a_note_holds_when_somebody_else_promotes_it(person: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.remembers("queue", "tabs")
    ben.run("scan")
    ben.run("pin", QUEUE)
    ben.run("feedback", QUEUE, "confirm")
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    ben.sweeps(3)
    assert pin(ben) == (True, None) and ben.record("queue")["feedback"] == 0.1
    assert ben.ledger()[QUEUE]["pinned"] and ben.ledger()[QUEUE]["feedback"] == 0.1
    assert pin(ben, "tabs") == (False, None)
    ben.is_settled()


@pytest.mark.parametrize("before", [(), ("sweep", "--no-scan")], ids=["first command", "after a sweep"])
def test_why_somebody_pinned_or_unpinned_an_entry_is_told_in_every_clone(
    promoter: Person, colleague: Colleague, before: tuple[str, ...]
) -> None:
    ben = colleague()
    if before:
        ben.run(*before)
    ben.at(5).run("pin", QUEUE, "--reason", "the release needs it")
    ben.at(6).run("pin", QUEUE, "--remove", "--reason", "released")
    ben.commit("pin")
    promoter.git("pull", "-q", str(ben.root), "main")
    for one in (promoter.at(7), colleague("cora").at(7)):
        said = one.run("why", QUEUE).out
        assert "pinned the release needs it" in said
        assert "unpinned released" in said
        assert "pinned promoted" not in said
