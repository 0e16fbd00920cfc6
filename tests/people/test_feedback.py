"""Feedback in several clones: each is told as it was given, once, and counts for all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]
QUEUE = identity(FACTS["queue"])


def given_on(one: Person, key: str = QUEUE) -> list[str]:
    history = one.run("why", key, "--json").json["history"]
    return sorted(row["detail"] for row in history if row["event"] == "feedback")


def scanned(*people: Person) -> None:
    for one in people:
        one.remembers("queue")
        for day in (0, 1, 2):
            one.at(day).run("scan")


def test_what_was_fed_back_on_a_candidate_is_listed_once_it_is_promoted_as_it_was_given(
    person: Person, colleague: Colleague
) -> None:
    key = identity(FACTS["queue"])
    person.remembers("queue")
    for day in (0, 1, 2):
        person.at(day).run("scan")
    person.run("feedback", key, "incorrect")
    person.at(3).run("feedback", key, "confirm", "--note", "seen")
    person.run("promote", key, "--yes")
    given = [row for row in person.run("log", key, "--json").json["history"] if row["event"] == "feedback"]
    assert [row["detail"] for row in given] == ["+0.1: confirm: seen", "−0.3: incorrect"]
    person.commit("promote")
    ben = colleague().at(4)
    ben.run("feedback", key, "confirm")
    for one, told in (
        (ben, ["+0.1: confirm", "+0.1: confirm", "−0.3: incorrect"]),
        (person, ["+0.1: confirm", "+0.1: confirm: seen", "−0.3: incorrect"]),
    ):
        given = [row for row in one.run("log", key, "--json").json["history"] if row["event"] == "feedback"]
        assert [row["detail"] for row in given] == told, one.root
        ben.commit("agreed")
        person.git("pull", "-q", str(ben.root), "main")


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_what_was_fed_back_while_a_candidate_was_out_counts_for_who_promotes_it(
    person: Person, colleague: Colleague, verb: str
) -> None:
    scanned(person)
    person.run(verb, QUEUE)
    person.at(3).run("feedback", QUEUE, "failure", "--severity", "high")
    person.at(3).run("restore", QUEUE)
    person.commit("judged")
    ben = colleague()
    scanned(ben)
    entry = ben.at(4).run("why", QUEUE, "--json").json
    assert (entry["entry"]["feedback"], entry["entry"]["confidence"], entry["failures"]) == (-0.15, 0.35, 1)
    ben.run("promote", QUEUE, "--yes")
    ben.commit("promoted")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben, colleague("cora")):
        assert given_on(one.at(5)) == ["−0.15: failure (high)"], one.root


def test_what_is_fed_back_on_a_candidate_that_was_let_back_in_is_told_at_once(
    person: Person, colleague: Colleague
) -> None:
    scanned(person)
    person.run("demote", QUEUE)
    person.commit("out")
    ben = colleague().at(3)
    ben.run("restore", QUEUE)
    ben.run("feedback", QUEUE, "failure", "--severity", "high")
    ben.commit("back in, but")
    person.git("pull", "-q", str(ben.root), "main")
    promoted = person.at(4).run("promote", QUEUE, "--yes").out
    assert "confidence 0.35" in promoted
    person.commit("promoted")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(5).run("sweep")
    for one in (person, ben, colleague("cora")):
        assert given_on(one.at(6)) == ["−0.15: failure (high)"], one.root
        assert one.run("why", QUEUE, "--json").json["entry"]["feedback"] == -0.15, one.root


@pytest.mark.parametrize("away", ["promote", "demote", "reject", "prune"])
def test_the_kind_of_feedback_on_a_candidate_is_told_with_the_entry(
    person: Person, colleague: Colleague, away: str
) -> None:
    scanned(person)
    for moment, said in ((2.1, ["failure"]), (2.2, ["confirm"]), (2.2, ["confirm"])):
        person.at(moment).run("feedback", QUEUE, *said)
    how = {"promote": [QUEUE, "--yes"], "prune": ["--keep-newest", "0"]}.get(away, [QUEUE])
    person.at(3).run(away, *how)
    if away == "prune":
        person.run("restore", QUEUE)
        person.run("promote", QUEUE, "--yes")
    person.commit("judged")
    for one in (person.at(4), colleague().at(4)):
        assert given_on(one) == ["+0.1: confirm", "+0.1: confirm", "−0.05: failure (low)"], one.root
        assert one.run("why", QUEUE, "--json").json["failures"] == 1, one.root


def test_feedback_before_a_flag_does_not_lift_it_though_it_is_told_later(person: Person, colleague: Colleague) -> None:
    scanned(person)
    person.at(2.1).run("feedback", QUEUE, "confirm")
    person.at(2.2).run("feedback", QUEUE, "outdated")
    person.at(2.3).run("demote", QUEUE, "--for-review")
    person.commit("judged")
    for one in (person.at(3), colleague().at(3)):
        assert [entry["id"] for entry in one.run("query", "--review", "--json").json["entries"]] == [QUEUE], one.root


def test_the_same_feedback_of_two_clones_in_one_second_counts_twice(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue")
    ben.at(3).run("sweep")
    ben.commit("seen here too")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben):
        one.at(4).run("feedback", QUEUE, "failure")
        one.commit("it failed")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(ben.root), "main")
    for one in (person, colleague("cora")):
        assert one.at(5).run("why", QUEUE, "--json").json["failures"] == 2, one.root
        assert given_on(one) == ["−0.05: failure (low)"] * 2, one.root


def test_feedback_is_no_sign_that_a_memory_holds_the_note(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    before = colleague("ben").at(100).run("why", QUEUE, "--json").json["entry"]["confidence"]
    person.at(60).run("feedback", QUEUE, "failure", "--severity", "low")
    person.commit("it failed")
    after = colleague("cora").at(100).run("why", QUEUE, "--json").json["entry"]["confidence"]
    assert after == round(before - 0.05, 3)


def test_a_flagged_candidate_is_on_the_review_list_of_a_clone_that_never_saw_it(
    person: Person, colleague: Colleague
) -> None:
    scanned(person)
    person.at(3).run("feedback", QUEUE, "outdated")
    person.commit("look again")
    ben = colleague().at(4)
    assert [entry["id"] for entry in ben.run("query", "--review", "--json").json["entries"]] == [QUEUE]
    assert "flagged on 2026-01-04" in ben.run("why", QUEUE).out
    assert "No entries match" in ben.run("demote", "--older-than", "0", "--dry-run", code=1).out
    ben.run("feedback", QUEUE, "confirm")
    ben.commit("fine as it is")
    person.git("pull", "-q", str(ben.root), "main")
    assert person.at(5).run("query", "--review", "--json", code=1).json["entries"] == []
    person.run("promote", QUEUE, "--yes")
    assert person.holds("queue")


def test_a_flag_on_former_words_is_one_to_look_at(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    now = FACTS["queue"].replace("without a word", "without any word")
    memory = person.memory / "MEMORY.md"
    memory.write_text(memory.read_text().replace(FACTS["queue"], now))
    for day in (3, 4, 5):
        person.at(day).run("scan")
    person.run("promote", "--yes")
    person.commit("reworded")
    ben.at(6).run("feedback", QUEUE, "outdated")
    ben.commit("look again")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(ben.root), "main")
    assert [entry["id"] for entry in person.at(7).run("query", "--review", "--json").json["entries"]] == [identity(now)]
    assert person.run("status", "--json").json["review"] == 1


def test_the_first_sweep_after_a_deleted_record_was_restored_counts_as_the_second(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.run("demote", QUEUE)
    person.commit("out")
    person.remembers("tabs")
    person.at(3).run("scan")
    person.at(60).run("prune", "--search", "queue", "--delete", "--confirm")
    person.run("restore", QUEUE)
    person.commit("back")
    assert person.at(61).run("why", QUEUE, "--json").json["stale"]
    first = person.run("sweep", "--json").json
    assert first["decayed"] == person.run("sweep", "--json").json["decayed"] == 1


def test_a_candidate_that_was_let_back_in_is_known_to_a_clone_that_never_saw_it(
    person: Person, colleague: Colleague
) -> None:
    scanned(person)
    person.at(3).run("demote", QUEUE)
    person.at(4).run("restore", QUEUE)
    person.at(5).run("feedback", QUEUE, "incorrect")
    person.commit("let back in")
    ben = colleague().at(6)
    (known,) = ben.run("query", "--all", "--json").json["entries"]
    assert (known["id"], known["status"], known["confidence"]) == (QUEUE, "stale", 0.2)
    events = [row["event"] for row in ben.run("why", QUEUE, "--json").json["history"]]
    assert sorted(events) == ["demoted", "feedback", "restored"]
    assert "nothing keeps it out" in ben.run("restore", QUEUE, code=1).out
    assert "No entries match" in ben.run("demote", "--older-than", "0", "--dry-run", code=1).out
    assert "1 stale" in ben.run("status").out


def test_a_severity_that_is_none_counts_as_low_and_is_told(person: Person) -> None:
    scanned(person)
    assert (
        "grave is not a severity (high, medium or low): it counts as low"
        in person.run("feedback", QUEUE, "failure", "--severity", "grave").err
    )
    assert "severity" not in person.run("feedback", QUEUE, "failure", "--severity", "HIGH").err
    assert person.record("queue")["feedback"] == -0.2
    person.at(3).run("promote", "--yes", code=None)
    person.run("feedback", QUEUE, "failure", "--severity", "ben broke the kiln")
    told = "".join(path.read_text() for path in (person.root / ".intermem").rglob("*.json"))
    assert ("kiln" in told, "grave" in told, "kiln" in person.run("why", QUEUE).out) == (False, False, True)


def test_feedback_on_former_words_that_said_something_else_stays_theirs_in_every_clone(
    person: Person, colleague: Colleague
) -> None:
    old, new = FACTS["tokens"], FACTS["tokens"].replace("an hour", "2 hours")
    person.promotes(old, "tabs")
    person.commit("promote")
    person.remembers(new, "tabs")
    for day in (3, 4, 5):
        person.at(day).run("curate", "--yes")
    assert person.holds(new) and not person.holds(old)
    person.at(6).run("feedback", identity(old), "incorrect")
    person.commit("it never was an hour")
    ben = colleague().at(7)
    ben.remembers(old)
    ben.run("scan")
    ben.run("sweep")
    (known,) = [one for one in ben.run("query", "--all", "--json").json["entries"] if "Tokens" in one["text"]]
    assert (known["id"], known["text"], known["feedback"]) == (identity(new), new, 0)


def test_a_flag_that_was_lifted_before_the_promotion_is_told_once(person: Person, colleague: Colleague) -> None:
    scanned(person)
    person.at(3).run("feedback", QUEUE, "outdated", "--note", "is it so")
    person.run("feedback", QUEUE, "confirm", "--note", "it is")
    person.run("promote", QUEUE, "--yes")
    person.commit("promote")
    for one in (person, colleague().at(4)):
        rows = [row for row in one.run("log", QUEUE, "--json").json["history"] if row["event"] == "feedback"]
        assert [row["detail"] for row in rows] == ["+0.1: confirm: it is", "outdated: is it so"], one.root
        assert one.record("queue")["confidence"] == 0.6


@pytest.mark.parametrize("said", [("feedback", QUEUE, "outdated"), ("reject", QUEUE)])
def test_a_candidate_of_which_the_ledger_tells_is_out_for_good_once_it_is_purged(
    person: Person, colleague: Colleague, said: tuple[str, ...]
) -> None:
    scanned(person)
    person.at(3).run(*said)
    if said[0] == "reject":
        person.run("restore", QUEUE)
    person.commit("said")
    ben = colleague()
    scanned(ben)
    person.at(4).run("purge", "--id", QUEUE, "--confirm")
    person.commit("purge")
    ben.git("pull", "-q")
    assert "purged on" in ben.at(5).run("promote", QUEUE, "--yes", code=2).err
    assert not ben.holds("queue")
