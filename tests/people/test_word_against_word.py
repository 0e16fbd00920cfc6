"""What a person took out and a merge brought back is asked about, and nothing is done by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.old_ledger import events_in
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]


@pytest.fixture
def ann(person: Person) -> Person:
    """Ann has promoted three facts; her commits have dates."""
    person.dated = True
    person.promotes("queue", "tabs", "cache")
    person.commit("promote")
    return person


def moved(person: Person, name: str) -> None:
    """Move a line to the end of the region, below a heading of its own."""
    line = f"- {FACTS[name]}\n"
    person.edit(line, "")
    person.edit("<!-- intermem:end -->", f"\n### Elsewhere\n\n{line}<!-- intermem:end -->")


def taken_out_and_moved(ann: Person) -> None:
    """Delete a line on one branch and move it on another: git merges both cleanly into the line."""
    ann.git("checkout", "-q", "-b", "feature")
    ann.at(5).take_out("queue")
    ann.commit("take it out")
    ann.git("checkout", "-q", "main")
    moved(ann.at(6), "queue")
    ann.commit("move it")
    text = ann.read()
    ann.git("merge", "-q", "--no-commit", "-s", "ours", "feature")
    assert ann.read() == text
    ann.at(7).commit("merge")


def asked(person: Person) -> str:
    return person.run("status").err


def test_a_deletion_that_a_move_brought_back_is_named_with_both_commits(ann: Person) -> None:
    taken_out_and_moved(ann)
    out = ann.git("rev-parse", "HEAD^2").strip()[:10]
    merge = ann.git("rev-parse", "HEAD").strip()[:10]
    said = asked(ann)
    assert f"taken out of AGENTS.md in {out} on 2026-01-06, back since merge {merge} on 2026-01-08" in said
    assert "intermem reject" in said and "intermem restore" in said
    ann.remembers("tabs")
    for day in (8, 60, 61):
        ann.at(day).run("sweep")
    assert ann.holds("queue"), "nothing is done by itself, though it is stale by now"
    assert "contested" in {one["code"] for one in ann.run("doctor", "--json", code=1).json["findings"]}
    found = ann.run("check", "--json", code=1).json["findings"]
    assert found[0]["code"] == "IM012" and merge in found[0]["message"]


@pytest.mark.parametrize(("verb", "stands"), [("restore", True), ("reject", False)])
def test_a_person_decides_once(ann: Person, verb: str, stands: bool) -> None:
    taken_out_and_moved(ann)
    ann.at(8).run(verb, ann.record("queue")["id"])
    ann.commit("decided")
    assert ann.holds("queue") is stands
    assert "back since merge" not in asked(ann)
    assert ann.run("doctor").out == "No problems found.\n"
    ann.is_settled()


def test_a_rejection_is_not_lifted_by_merging_who_did_not_know_it(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.dated = True
    ann.at(5).run("reject", ann.record("queue")["id"])
    ann.commit("reject")
    moved(ben.at(6), "queue")
    ben.commit("move")
    ann.git("pull", "-q", "--no-rebase", "-X", "theirs", "--no-edit", str(ben.root), "main")
    assert ann.holds("queue"), "git merged it into the line"
    ann.at(7).run("sweep", "--no-scan")
    assert ann.standing("queue") == "rejected" and "rejected on 2026-01-06, back since merge" in asked(ann)
    assert not ann.record("queue")["pinned"]
    assert "restored" not in {event["what"] for event in events_in(ann.root)}


def test_what_a_person_put_in_again_knowingly_is_no_question(ann: Person) -> None:
    ann.at(5).take_out("queue")
    ann.commit("take it out")
    ann.edit("<!-- intermem:end -->", f"- {FACTS['queue']}\n<!-- intermem:end -->")
    ann.at(6).commit("no, keep it")
    ann.git("checkout", "-q", "-b", "feature", "HEAD~1")
    ann.edit("# Project", "# The project")
    ann.commit("title")
    ann.git("checkout", "-q", "main")
    ann.git("merge", "-q", "--no-edit", "feature")
    assert "back since merge" not in asked(ann)


def test_a_new_wording_of_a_note_does_not_get_around_a_rejection_that_came_later(ann: Person) -> None:
    again = FACTS["queue"].replace("Run", "Always start")
    ann.remembers(again, "tabs", "cache")
    for day in (3, 4, 5):
        ann.at(day).run("scan")
    ann.take_out("queue")
    ann.commit("take it out")
    ann.at(6).run("sweep")
    out = ann.at(7).run("promote", "--yes").out
    assert "rejected on" in out and "in its former wording" in out and not ann.holds(again)
    ann.remembers(again.replace("tests", "9 tests"), "tabs", "cache")
    for day in (8, 9, 10):
        ann.at(day).run("scan")
    assert "in its former wording" not in ann.run("promote", "--yes").out, "another number is another statement"


def test_the_notes_own_wording_does_not_replace_what_a_person_wrote(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.edit(FACTS["queue"], FACTS["queue"].replace("Run", "Start"))
    ben.at(5).run("sweep", "--no-scan")
    ben.commit("reword")
    ann.git("pull", "-q", str(ben.root), "main")
    for day in (6, 7, 8):
        ann.at(day).run("curate", "--yes")
    assert ann.holds(FACTS["queue"].replace("Run", "Start")) and not ann.holds("queue")
    assert "demoted" not in {event["what"] for event in events_in(ann.root)}


@pytest.mark.parametrize("times", [1, 2])
def test_what_a_person_took_out_does_not_come_back_in_the_words_of_a_note_reworded_meanwhile(
    ann: Person, times: int
) -> None:
    ann.git("checkout", "-q", "-b", "feature", "HEAD~1")  # where it does not stand
    for day, word in zip((5, 6), ("the old queue", "the older queue")[:times], strict=False):
        ann.remembers("tabs", "cache", FACTS["queue"].replace("the queue", word))
        ann.at(day).run("scan")
    ann.git("checkout", "-q", "main")
    ann.at(7).git("revert", "--no-edit", "HEAD")
    for day in (8, 9, 10):
        ann.at(day).run("curate", "--yes")
    assert "queue" not in ann.read()
    assert "rejected on 2026-01-09 in its former wording" in ann.run("promote", "--all").out


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_promotion_older_than_a_removal_is_asked_about_also_where_it_was_rebased_onto_it(
    ann: Person, *, is_recorded: bool
) -> None:
    ann.git("checkout", "-q", "-b", "feature", "HEAD~1")
    ann.at(3).run("promote", "--yes")
    ann.commit("promote too")
    ann.git("checkout", "-q", "main")
    ann.at(4).take_out("queue")
    ann.commit("take it out")
    said = f"taken out of AGENTS.md in {ann.git('rev-parse', 'HEAD')[:10]} on 2026-01-05, back since"
    if is_recorded:
        ann.run("sweep", "--no-scan")
        ann.commit("record it")
        said = "rejected on 2026-01-05, back since"
    line = f"- {FACTS['queue']}\n"
    ann.edit("<!-- intermem:end -->", f"{line}<!-- intermem:end -->")
    ann.git("checkout", "-q", "feature", "--", ".intermem")
    ann.at(6).commit("what a squash or a rebase makes of it")
    assert said in asked(ann)
    ann.run("sweep", "--no-scan")
    assert "restored" not in {event["what"] for event in events_in(ann.root)}


def test_what_was_taken_out_is_not_promoted_from_a_colleagues_note_in_other_words(
    ann: Person, colleague: Colleague
) -> None:
    ben = colleague()
    ben.dated = True
    ben.remembers(FACTS["queue"].replace("Run", "Always run"))
    for day in (3, 4, 5):
        ben.at(day).run("scan")
    assert "says so already" in ben.run("promote", "--yes", code=None).out
    ann.at(6).take_out("queue")
    ann.commit("take it out")
    ben.at(7).commit("what ben has seen")
    ben.git("pull", "-q", "--no-rebase", "--no-edit", str(ann.root), "main")
    for day in (8, 9, 10):
        ben.at(day).run("curate", "--yes")
    assert "queue worker" not in ben.read()
    assert "rejected on 2026-01-07 in other words" in ben.run("promote", "--yes", code=None).out


def test_what_was_taken_out_in_other_words_than_a_colleague_has_is_not_promoted_again(ann: Person) -> None:
    ann.git("checkout", "-q", "-b", "feature")
    ann.at(5).take_out("queue")
    ann.commit("take it out")
    ann.git("checkout", "-q", "main")
    new = FACTS["queue"].replace("Run", "Always run")
    ann.edit(FACTS["queue"], new)
    ann.at(6).run("sweep", "--no-scan")
    ann.commit("reword")
    ann.git("merge", "-q", "--no-commit", "-s", "ours", "feature")
    ann.take_out(new)
    ann.at(7).commit("merge: it is out")
    for day in (8, 9, 10):
        ann.at(day).run("curate", "--yes")
    assert "queue worker" not in ann.read()


@pytest.mark.parametrize("told", [True, False], ids=["swept", "not swept"])
def test_a_promotion_older_than_a_revert_of_another_promotion_of_it_is_asked_about(
    person: Person, colleague: Colleague, told: bool
) -> None:
    ben = colleague()
    ben.dated = person.dated = True
    ben.git("checkout", "-q", "-b", "bens")
    ben.promotes("queue", day=3)
    ben.commit("ben promotes")
    person.promotes("queue", day=5)
    person.commit("ann promotes")
    person.at(6).git("revert", "--no-edit", "HEAD")
    person.commit("dated")
    if told:
        person.at(7).run("sweep", "--no-scan")
        person.commit("sweep")
    person.at(8).git("fetch", "-q", str(ben.root), "bens")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GIT_COMMITTER_DATE", person.now)
        person.git("merge", "-q", "--no-edit", "-m", "merge", "FETCH_HEAD")
    assert person.holds("queue")
    cleaner = colleague("zoe").at(9)
    assert "back since merge" in asked(cleaner)


@pytest.mark.parametrize("pulls_first", ["ann", "ben"])
def test_taken_out_here_and_demoted_and_restored_there_is_rejected_whoever_merges(
    ann: Person, colleague: Colleague, pulls_first: str
) -> None:
    ben = colleague()
    ben.dated = True
    key = ann.record("queue")["id"]
    for day, verb in ((5, "demote"), (6, "restore")):
        ann.at(day).run(verb, key)
        ann.commit(verb)
    ben.at(7).take_out("queue")
    ben.commit("take it out")
    one, other = (ann, ben) if pulls_first == "ann" else (ben, ann)
    for puller, pulled in ((one, other), (other, one)):
        puller.git("pull", "-q", "--no-rebase", "--no-edit", str(pulled.root), "HEAD")
    out = ben.git("log", "-1", "--format=%h", "--abbrev=10", "--grep=take it out").strip()
    for person in (ann.at(8), ben.at(8)):
        assert f"a person removed it from AGENTS.md in {out}" in person.run("status").out
        assert person.run("why", key).out.startswith(f"{key}  rejected\n")
        listed = person.run("query", "--all", "--json").json["entries"]
        assert [one["state"] for one in listed if one["id"] == key] == ["rejected"]
        assert f"{key[:8]}  rejected  a person removed it" in person.run("sweep").out
        assert person.standing("queue") == "rejected"


@pytest.mark.parametrize("verb", ["reject", "demote"])
@pytest.mark.parametrize("first", ["ann", "ben"])
def test_a_promotion_by_who_did_not_know_does_not_lift_what_a_person_took_out(
    person: Person, colleague: Colleague, verb: str, first: str
) -> None:
    person.dated = True
    for day in (3, 4, 5):
        person.at(day).remembers("queue")
        person.run("scan")
    person.commit("start")
    key = person.record("queue")["id"]
    ben = colleague()
    ben.dated = True
    person.at(6).run(verb, key)
    person.commit("take it out")
    for day in (3, 4, 5):
        ben.at(day).remembers("queue")
        ben.run("scan")
    ben.at(7).run("curate", "--yes")
    assert ben.holds("queue")
    ben.commit("promote")
    person.at(8)
    ben.at(8).git("pull", "-q", "--no-rebase", "--no-edit", str(person.root), "main")
    if first == "ann":
        person.git("pull", "-q", str(ben.root), "main")
    for one in (ben, person) if first == "ben" else (person, ben):
        for day in (9, 10):
            one.at(day).run("curate", "--yes")
        took = "rejected" if verb == "reject" else "demoted"
        assert f"{took} on 2026-01-07, back since merge" in asked(one), one.root
        assert "restored" not in {event["what"] for event in events_in(one.root)}
        if one is ben and first == "ben":
            one.commit("swept")
            person.git("pull", "-q", str(ben.root), "main")
    ben.run("restore", key)
    assert "back since merge" not in asked(ben) and ben.holds("queue")


@pytest.mark.parametrize("removal", ["sweep", "for review"])
def test_what_a_person_took_out_stays_out_of_a_clone_that_let_it_go_later_and_less_firmly(
    ann: Person, colleague: Colleague, removal: str
) -> None:
    ann.at(4).run("pin", ann.record("tabs")["id"], ann.record("cache")["id"])
    ann.commit("pin the others")
    ben = colleague()
    ben.dated = True
    key = ann.record("queue")["id"]
    ben.at(35).run("demote", key)
    ben.commit("take it out")
    if removal == "sweep":
        ann.remembers("tabs", "cache")
        ann.goes_stale(40)
    else:
        ann.at(48).run("demote", key, "--for-review")
    assert not ann.holds("queue")
    ann.commit("let it go")
    ann.at(49).git("pull", "-q", "--no-rebase", "--no-edit", str(ben.root), "main")
    ann.remembers("queue", "tabs", "cache")
    ann.at(50).run("feedback", key, "confirm")
    for day in (51, 52, 53):
        ann.at(day).run("curate", "--yes")
    assert not ann.holds("queue")
    assert "Held back until a person lifts it" in ann.run("promote", key, "--yes", code=None).out
    ann.run("restore", key)
    assert ann.holds("queue")


def test_a_pin_of_what_a_colleague_demoted_is_told(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.dated = True
    key = ann.record("queue")["id"]
    ben.at(10).run("demote", key)
    ben.commit("take it out")
    ann.at(11).run("pin", key, "--until", "2026-06-01")
    ann.commit("keep it")
    ann.at(12).git("pull", "-q", "--no-rebase", "--no-edit", str(ben.root), "main")
    said = f"{key[:8]} is pinned, and demoted all the same: intermem restore {key[:8]} brings it back"
    assert said in ann.run("sweep").err and said in asked(ann)
    assert said not in ann.at(300).run("status").err, "the pin has ended"
    ann.at(13).run("restore", key)
    assert "all the same" not in asked(ann) and ann.holds("queue")


def test_why_lists_the_feedback_of_others_beside_ones_own(ann: Person, colleague: Colleague) -> None:
    key = ann.record("queue")["id"]
    for day in (10, 10, 10.1):
        ann.at(day).run("feedback", key, "confirm")
    ann.at(11).run("feedback", key, "incorrect")
    ann.commit("judged")
    ben = colleague()
    for number, day in enumerate((12, 13), 1):
        ben.at(day).run("feedback", key, "failure")
        history = ben.run("why", key, "--json").json["history"]
        assert [row["event"] for row in history].count("feedback") == 4 + number
    given = [event for event in events_in(ben.root) if event["what"] == "feedback"]
    assert len(given) == 6 and not any("according to the ledger" in one.get("cause", "") for one in given)
