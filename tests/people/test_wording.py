"""Notes that the agent rewords, and lines that people reword: one fact, one line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from tests.old_ledger import events_in, ledger_in
from tests.people.conftest import FACTS, Person

OLD = "The local server listens on port 8080, and the proxy in front of it on 443."
NEW = "The local server listens on port 9090, and the proxy in front of it on 443."


def test_a_revised_note_takes_the_place_of_the_old_text_through_promote_alone(person: Person) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    old = person.record(OLD)
    person.remembers(NEW, "tabs")
    person.at(5).run("sweep")
    assert person.holds(OLD) and not person.holds(NEW), "until promote the old text stays"
    new = person.record(NEW)
    assert (new["first_seen"], new["snapshot_count"]) == ("2026-01-01T00:00:00Z", 4)
    assert person.record(OLD)["superseded_by"] == new["id"]
    shown = person.run("promote", "--yes", "--diff").out
    assert f"-- {OLD}\n" in shown and f"+- {NEW}\n" in shown
    person.run("promote", "--yes")
    assert person.holds(NEW) and not person.holds(OLD)
    assert person.ledger()[new["id"]]["was"] == [old["id"]] and old["id"] not in person.ledger()
    demoted = person.record(OLD)
    assert demoted["status"] == "demoted" and f"replaced by {new['id'][:8]}" in demoted["reason"]
    person.commit("revise")
    person.is_settled()
    said = " ".join(person.run("restore", old["id"], code=1).out.split())
    assert "its newer wording" in said and f", then restore {old['id'][:8]}" in said


def test_the_old_wording_in_another_memory_is_an_observation_of_the_new_one(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes(OLD)
    person.commit("promote")
    ben = colleague()
    ben.remembers(OLD)
    for day in (3, 4, 5):
        ben.at(day).run("scan")
    person.remembers(NEW)
    person.at(5).run("sweep")
    person.run("promote", "--yes")
    person.commit("revise")
    ben.git("pull", "-q")
    ben.at(6).run("sweep")
    ben.run("promote", "--yes")
    assert ben.holds(NEW) and not ben.holds(OLD)
    assert OLD not in ben.entries() and ben.record(NEW)["last_seen"] == "2026-01-07T00:00:00Z"
    ben.is_settled()


def test_a_note_reworded_there_and_back(person: Person) -> None:
    person.promotes(OLD)
    person.remembers(NEW)
    person.at(5).run("sweep")
    person.remembers(OLD)
    person.at(6).run("sweep")
    assert person.record(OLD)["superseded_by"] is None and person.record(NEW)["superseded_by"] is not None
    person.run("promote", "--yes")
    assert person.holds(OLD) and not person.holds(NEW)


def test_a_pinned_line_is_not_replaced(person: Person) -> None:
    person.promotes("tabs")
    person.edit("<!-- intermem:end -->", f"- {OLD}\n<!-- intermem:end -->")
    person.remembers("tabs", OLD)
    person.at(5).run("sweep")
    assert person.record(OLD)["pinned"]
    person.remembers("tabs", NEW)
    for day in (6, 7, 8):
        person.at(day).run("sweep")
    assert "which is pinned" in person.run("promote", "--yes").out
    assert person.holds(OLD) and not person.holds(NEW)


def test_another_note_in_another_section_is_no_revision(person: Person) -> None:
    person.promotes(OLD)
    person.note(f"## Elsewhere\n\n- {NEW}\n")
    person.at(5).run("sweep")
    assert person.record(OLD)["superseded_by"] is None and person.record(NEW)["snapshot_count"] == 1


def test_a_reworded_line_whose_new_words_the_agent_has_noted_already(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    new = FACTS["queue"].replace("Run", "Start")
    person.remembers("queue", new)
    person.at(5).run("scan")
    person.edit(FACTS["queue"], new)
    person.at(6).run("sweep")
    assert FACTS["queue"] not in person.entries()
    record = person.record(new)
    assert (record["document"], record["pinned"]) == ("AGENTS.md", False)
    history = person.run("why", record["id"]).out
    assert "edited" in history and "joined" in history
    person.is_settled()


def test_a_line_reworded_by_two_people(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague()
    ann_says, ben_says = FACTS["queue"].replace("Run", "Start"), FACTS["queue"].replace("Run", "Mind")
    person.edit(FACTS["queue"], ann_says)
    person.at(5).run("sweep")
    person.commit("ann")
    ben.edit(FACTS["queue"], ben_says)
    ben.at(5).run("sweep", "--no-scan")
    ben.commit("ben")
    ben.git("fetch", "-q", "origin")
    ben.git("merge", "-q", "-X", "ours", "origin/main")
    ben.sweeps(6, 7)
    assert ben.holds(ben_says) and not ben.holds(ann_says)
    record = ben.record(ben_says)
    assert (record["pinned"], record["rejected_at"], record["missing_from"]) == (False, None, None)
    assert len(ben.ledger()) == 2 and "rejected" not in ledger_in(ben.root)
    ben.is_settled()


def test_an_echo_is_seen_and_not_counted(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.remembers()
    person.at(5).run("sweep")
    person.remembers("queue")
    person.at(6).run("sweep")
    record = person.record("queue")
    assert (record["snapshot_count"], record["last_seen"]) == (3, "2026-01-07T00:00:00Z")


def test_a_note_reworded_back_after_it_was_promoted_replaces_the_line_again(person: Person) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    person.remembers(NEW, "tabs")
    person.at(5).run("sweep")
    person.run("promote", "--yes")
    person.commit("revise")
    person.remembers(OLD, "tabs")
    person.at(6).run("sweep")
    person.run("promote", "--yes")
    assert person.holds(OLD) and not person.holds(NEW)
    person.commit("revise again")
    person.is_settled()
    assert person.ledger()[person.record(OLD)["id"]]["was"] == [person.record(NEW)["id"]]
    person.at(7).run("sweep")
    assert person.record(OLD)["last_seen"] == "2026-01-08T00:00:00Z"


def test_a_revision_is_promoted_by_its_id_too(person: Person) -> None:
    person.promotes(OLD)
    person.remembers(NEW)
    person.at(5).run("sweep")
    person.run("promote", person.record(NEW)["id"], "--yes")
    assert person.holds(NEW) and not person.holds(OLD)


def test_a_revision_goes_where_its_former_wording_stands(person: Person) -> None:
    person.write("intermem.toml", 'targets = ["AGENTS.md", "docs/b.md"]\n')
    person.write("docs/b.md", "# B\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    person.promotes(OLD)
    person.remembers(NEW)
    person.at(5).run("sweep")
    said = person.run("promote", "--yes", "--target", "docs/b.md").out
    assert "stands in AGENTS.md: promote it there" in said and person.holds(OLD)


def test_another_word_does_not_get_round_a_rejection(person: Person) -> None:
    person.promotes("tabs")
    person.remembers("tabs", "queue")
    person.at(5).run("scan")
    person.run("reject", person.record("queue")["id"])
    again = FACTS["queue"].replace("Run", "Start")
    person.remembers("tabs", again)
    for day in (6, 7, 8):
        person.at(day).run("scan")
    assert "rejected on 2026-01-06" in person.run("promote", "--yes").out
    assert not person.holds(again)


def test_what_says_something_else_is_a_note_of_its_own(person: Person) -> None:
    person.promotes("tabs")
    person.remembers("tabs", OLD)
    person.at(5).run("scan")
    person.run("reject", person.record(OLD)["id"])
    person.remembers("tabs", NEW)
    for day in (6, 7):
        person.at(day).run("scan")
    assert "seen in 2 of 3 snapshots" in person.run("promote", "--yes").out
    person.at(8).run("scan")
    person.run("promote", "--yes")
    assert person.holds(NEW)


def test_two_wordings_of_one_line_that_both_stand_are_two_entries(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    one, other = FACTS["queue"].replace("Run", "Start"), FACTS["queue"].replace("Run", "Mind")
    person.git("checkout", "-q", "-b", "feature")
    person.edit(FACTS["queue"], one)
    person.sweeps(5)
    person.commit("one")
    person.git("checkout", "-q", "main")
    person.edit(FACTS["queue"], other)
    person.sweeps(6)
    person.commit("other")
    with pytest.raises(AssertionError):
        person.git("merge", "-q", "feature")
    signs = ("<<<<<<<", "=======", ">>>>>>>")
    person.write("AGENTS.md", "".join(one for one in person.read().splitlines(True) if not one.startswith(signs)))
    person.commit("both")
    person.at(7).run("sweep")
    before = person.entries()
    for day in (8, 9, 10):
        person.at(day).run("sweep")
    for text in (one, other):
        record = person.record(text)
        assert (record["document"], record["pinned"], record["superseded_by"]) == ("AGENTS.md", False, None)
    assert before.keys() == person.entries().keys()
    assert "two wordings of the same line" in person.run("doctor", code=1).out
    person.is_settled()
    person.run("reject", person.record(one)["id"])
    assert person.run("doctor").out == "No problems found.\n"
    person.sweeps(11)
    assert person.holds(other) and not person.record(other)["pinned"]


def test_a_line_that_a_person_words_as_before_survives_a_merge_with_its_move(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    old, new = FACTS["queue"], FACTS["queue"].replace("Run", "Start")
    person.edit(old, new)
    person.sweeps(5)
    person.commit("reword")
    person.git("checkout", "-q", "-b", "feature")
    person.edit(new, old)
    person.edit(FACTS["tabs"], FACTS["tabs"].replace("Tabs", "All tabs"))
    person.commit("as before")
    person.git("checkout", "-q", "main")
    person.edit(f"- {new}\n", "")
    person.edit(FACTS["tabs"], FACTS["tabs"].replace("Tabs", "The tabs"))
    person.edit("<!-- intermem:end -->", f"\n### Elsewhere\n\n- {new}\n<!-- intermem:end -->")
    person.commit("move")
    with pytest.raises(AssertionError):
        person.git("merge", "-q", "feature")
    person.at(7).run("doctor", "--repair", code=None)
    assert person.read().count(old) == 1 and new not in person.read()
    assert person.read().index("### Elsewhere") < person.read().index(old)


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_the_words_that_a_person_gave_a_line_come_back_in_every_clone(
    person: Person, colleague: Callable[..., Person], verb: str
) -> None:
    person.promotes("dates", "tabs")
    person.commit("promote")
    key, reworded = person.record("dates")["id"], FACTS["dates"].replace("local time", "Danish time")
    person.edit(FACTS["dates"], reworded)
    person.commit("reword")
    person.at(5).run(verb, key)  # nothing ran in between that would have noticed
    person.commit(verb)
    ben = colleague()
    ben.remembers("cache")
    ben.at(6).run("restore", key)
    assert ben.holds(reworded) and not ben.holds("dates")


@pytest.mark.parametrize("is_seen", [True, False])
def test_what_was_reworded_and_taken_out_elsewhere_is_known_by_its_last_words(
    person: Person, colleague: Callable[..., Person], is_seen: bool
) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    ben = colleague()
    ben.remembers("cache")
    ben.at(3).run("sweep")
    person.remembers(NEW, "tabs")
    for day in (4, 5, 6):
        person.at(day).run("curate", "--yes")
    person.commit("reword")
    new = person.record(NEW)["id"]
    if is_seen:
        ben.git("pull", "-q", "--no-rebase", "--no-edit", str(person.root), "main")
        ben.at(7).run("sweep")
    person.at(8).run("demote", new)
    person.commit("demote")
    ben.git("pull", "-q", "--no-rebase", "--no-edit", str(person.root), "main")
    ben.at(9).run("sweep")
    (out,) = ben.run("query", "--demoted", "--json").json["entries"]
    assert (out["id"], out["text"], out["note_text"]) == (new, NEW, None)
    assert out["snapshot_count"] == person.ledger()[new]["snapshots"] > 3, "what others saw of it"
    assert ben.run("show", new, "--json").json["entry"]["text"] == NEW
    assert OLD not in ben.run("show", new).out


def test_feedback_on_former_words_that_say_something_else_counts_once_they_are_back(person: Person) -> None:
    person.promotes(OLD, "tabs")
    old = person.record(OLD)["id"]
    person.remembers(NEW, "tabs")
    for day in (4, 5, 6):
        person.at(day).run("curate", "--yes")
    person.run("feedback", old, "confirm")
    person.at(7).run("demote", person.record(NEW)["id"], "--for-review")
    person.remembers(OLD, "tabs")
    for day in (8, 9):
        person.at(day).run("scan")
    assert person.record(OLD)["feedback"] == 0.1


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_what_was_reworded_and_taken_out_before_one_pull_is_known_by_its_last_words(
    person: Person, colleague: Callable[..., Person], verb: str
) -> None:
    person.promotes("queue")
    person.commit("promote")
    key = person.record("queue")["id"]
    ben = colleague()
    now = FACTS["queue"].replace("without a word", "and say nothing")
    ben.edit(FACTS["queue"], now)
    ben.commit("reword")
    ben.at(5).run(verb, key)
    ben.commit("out")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person.at(6), colleague("cora").at(6)):
        assert one.run("show", key, "--json").json["entry"]["text"] == now, one.root
    person.run("scan")
    person.at(7).run("sweep")
    assert "said" not in person.run("restore", key).out
    assert (
        now in (person.root / "AGENTS.md").read_text() and FACTS["queue"] not in (person.root / "AGENTS.md").read_text()
    )


def test_what_was_reworded_and_deleted_by_hand_before_one_pull_left_in_its_last_words(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.commit("promote")
    key = person.record("queue")["id"]
    ben = colleague()
    now = FACTS["queue"].replace("without a word", "and say nothing")
    ben.edit(FACTS["queue"], now)
    ben.commit("reword")
    ben.at(5).run("sweep")
    ben.commit("swept")
    ben.edit(f"- {now}\n", "")
    ben.commit("out")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(6).run("sweep")
    person.commit("noticed")
    said = [event["what"] for event in events_in(person.root) if event["id"] == key]
    assert said.count("reworded") == 1 and said.count("rejected") == 1
    for one in (person.at(7), colleague("cora").at(7)):
        assert one.run("show", key, "--json").json["entry"]["text"] == now, one.root


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_a_persons_words_come_back_where_the_memory_has_the_note_as_well(
    person: Person, colleague: Callable[..., Person], verb: str
) -> None:
    person.promotes("queue")
    person.commit("promote")
    key = person.record("queue")["id"]
    now = FACTS["queue"].replace("without a word", "and say nothing")
    person.edit(FACTS["queue"], now)
    person.at(5).run("sweep")
    person.commit("reword")
    person.run(verb, key)
    person.commit("out")
    ben = colleague()
    ben.remembers("queue")
    for day in (6, 7, 8):
        ben.at(day).run("scan")
    assert "Restored" in ben.run("restore", key).out
    assert ben.holds(now) and not ben.holds("queue")
    for day in (9, 10):
        ben.at(day).run("curate", "--yes")
    assert ben.holds(now) and not ben.holds("queue"), "the note is seen in the words that a person gave it"


def test_words_that_two_people_replaced_alike_are_demoted_in_both_clones(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    ben = colleague()
    ben.remembers(OLD, "tabs")
    ben.at(3).run("sweep")
    person.remembers(NEW, "tabs")
    person.at(5).run("sweep")
    person.run("promote", "--yes")
    person.commit("revise")
    ben.remembers(NEW, "tabs")
    ben.at(6).run("sweep")
    ben.git("checkout", "-q", "--", ".")
    ben.git("clean", "-qfd")
    ben.git("pull", "-q", "--no-edit", str(person.root), "main")
    ben.at(7).run("sweep")
    for one in (person, ben):
        assert one.record(OLD)["status"] == "demoted", one.root
        assert "its note was reworded" in one.run("why", one.record(OLD)["id"]).out
    ben.at(8).run("sweep")
    ben.is_settled()


def test_a_former_wording_that_stands_as_well_is_named_with_its_text(person: Person) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    person.edit(OLD, NEW)
    person.at(4).run("sweep")
    key = person.record(NEW)["id"]
    person.edit(f"- {NEW}\n", f"- {OLD}\n- {NEW}\n")
    person.commit("a merge that keeps both")
    found = person.at(5).run("doctor", code=1).out
    assert f"AGENTS.md: {key[:8]} stands there in its former wording as well: {OLD[:72]}" in found
    assert f"AGENTS.md has {key[:8]} in its former wording, too: remove one of the two" in person.run("sweep").err
    person.edit(f"- {OLD}\n", "")
    assert "No problems" in person.run("doctor").out


def test_the_id_of_a_former_wording_puts_that_back_where_only_the_history_has_it(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes(OLD, "tabs")
    person.commit("promote")
    person.remembers(NEW, "tabs")
    person.at(5).run("curate", "--yes")
    person.commit("revise")
    old, new = identity(OLD), identity(NEW)
    ben = colleague()
    refused = " ".join(ben.at(6).run("restore", old, code=1).out.split())
    assert f"intermem demote {new[:8]}, then restore {old[:8]}" in refused
    ben.run("demote", new)
    ben.run("restore", old)
    assert ben.holds(OLD) and not ben.holds(NEW)
    assert f"- {OLD}\n" in ben.read() and "already in AGENTS.md" in " ".join(
        ben.run("restore", old, code=1).out.split()
    )
    ben.run("undo")
    assert not ben.holds(OLD) and not ben.holds(NEW)
    ben.run("restore", old)
    ben.commit("the former wording")
    ben.is_settled()
    person.git("pull", "-q", str(ben.root), "main")
    person.at(7).run("curate", "--yes")
    person.at(8).run("curate", "--yes")
    assert person.holds(OLD) and not person.holds(NEW)
    person.run("demote", old)
    person.run("restore", old)
    assert person.holds(OLD)
    person.commit("seen")
    person.is_settled()
