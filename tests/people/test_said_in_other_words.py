"""A note of one clone that says what another clone promoted in words that count the same is that entry there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from tests.old_ledger import events_in
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]
QUEUE = FACTS["queue"]
SAME = "Please run queue worker before tests, or they hang without a word"


@pytest.fixture
def pair(person: Person, colleague: Colleague) -> tuple[Person, Person]:
    """Ann, and Ben, who noted it in his words before he pulled what she promoted."""
    ben = colleague()
    ben.remembers(SAME)
    for day in (1, 2, 3):
        ben.at(day).run("scan")
    person.promotes("queue")
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    return person, ben


def test_it_is_one_entry_as_soon_as_the_line_is_there(pair: tuple[Person, Person]) -> None:
    _, ben = pair
    for _ in range(2):  # before it is on record, and after
        (entry,) = ben.at(4).entries().values()
        assert (entry["id"], entry["text"], entry["document"]) == (identity(QUEUE), QUEUE, "AGENTS.md")
        assert ben.run("show", identity(SAME), "--json").json["entry"]["id"] == identity(QUEUE)
        assert ben.run("promote", "--yes", "--json").json["promoted"] == []
        ben.run("sweep")
    assert [one["file"] for one in ben.run("why", identity(QUEUE), "--json").json["sources"]] == ["MEMORY.md"]


def test_it_holds_the_line_for_every_clone(pair: tuple[Person, Person]) -> None:
    ann, ben = pair
    ben.at(4).run("sweep")
    assert "held" in {one["what"] for one in events_in(ben.root)}
    ben.commit("what ben has")
    ann.git("pull", "-q", "--no-edit", str(ben.root), "main")
    ann.goes_stale(68)
    assert ann.holds("queue")
    ben.at(69).remembers("something else entirely")
    ben.run("sweep")
    assert "lost" in {one["what"] for one in events_in(ben.root)}


def test_a_scan_does_not_offer_what_stands_there(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers(SAME)
    for day in (4, 5, 6):
        scanned = ben.at(day).run("scan", "--json").json
    assert scanned["stable"] == 0


def test_what_stands_there_does_not_wait_for_snapshots_nor_for_a_scan(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers(SAME)
    assert "scanned" not in ben.at(4).run("promote", "--yes", code=None).err
    assert ben.run("scan", "--json").json["next_counted"] is None


@pytest.mark.parametrize("verb", ["reject", "demote", "pin"])
def test_what_somebody_decided_about_his_note_stays_a_record_of_its_own(
    person: Person, colleague: Colleague, verb: str
) -> None:
    ben = colleague()
    ben.remembers(SAME)
    ben.at(1).run("scan")
    ben.run(verb, identity(SAME))
    person.promotes("queue")
    person.commit("promote")
    ben.git("clean", "-q", "-f", "-d", ".intermem")
    ben.git("checkout", "-q", ".")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(4).run("sweep")
    assert set(ben.entries()) == {QUEUE, SAME}


def test_a_pin_that_has_ended_keeps_nothing_apart(person: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.remembers(SAME)
    ben.at(1).run("scan")
    ben.run("pin", identity(SAME), "--until", "2d")
    person.promotes("queue")
    person.commit("promote")
    ben.git("clean", "-q", "-f", "-d", ".intermem")
    ben.git("checkout", "-q", ".")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(9).run("sweep")
    assert set(ben.entries()) == {QUEUE}


SHORT = "Never run `make wipe` on staging because it drops tables."
SHORT_TOO = "Please do not run the `make wipe` on staging because it drops the tables."


@pytest.mark.parametrize("verb", ["reject", "demote"])
def test_what_a_colleague_took_out_is_not_written_again_however_short_it_is(
    person: Person, colleague: Colleague, verb: str
) -> None:
    person.promotes(SHORT)
    person.commit("promote")
    person.run(verb, identity(SHORT))
    person.commit("take it out")
    ben = colleague()
    ben.remembers(SHORT_TOO)
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    ben.run("promote", "--yes", code=None)
    assert "make wipe" not in ben.read()


def test_what_holds_a_note_back_is_told_where_only_the_ledger_knows_of_it(person: Person, colleague: Colleague) -> None:
    person.promotes(SHORT)
    person.commit("promote")
    person.run("reject", identity(SHORT))
    person.commit("take it out")
    ben = colleague()
    ben.remembers(SHORT_TOO)
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    found = ben.run("why", identity(SHORT_TOO), "--json").json["not_promoted_because"]
    assert "rejected on" in found and "in other words" in found


def test_what_a_person_wrote_into_the_document_is_not_said_again(person: Person) -> None:
    person.edit("Hello.\n", f"Hello.\n\n- {SHORT}\n")
    person.commit("by hand")
    person.remembers(SHORT_TOO)
    for day in (1, 2, 3):
        person.at(day).run("scan")
    person.run("promote", "--yes", code=None)
    assert person.read().count("make wipe") == 1


def test_another_word_is_another_note(person: Person, colleague: Colleague) -> None:
    ben = colleague()
    other = QUEUE.replace("before", "after")
    ben.remembers(other)
    ben.at(1).run("scan")
    person.promotes("queue")
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(4).run("sweep")
    assert set(ben.entries()) == {QUEUE, other}


def test_of_two_lines_that_say_the_same_the_notes_of_both_hold_the_one_that_stays(
    person: Person, colleague: Colleague
) -> None:
    ben = colleague()
    person.promotes("queue")
    person.commit("promote")
    ben.promotes(SAME)
    ben.commit("promote as well")
    ben.git("fetch", "-q", str(person.root), "main")
    ben.git("merge", "-q", "--no-commit", "-s", "ours", "FETCH_HEAD")
    ben.git("checkout", "FETCH_HEAD", "--", ".intermem")  # an event a file: both sides' are there
    ben.edit(f"- {SAME}\n", f"- {SAME}\n- {QUEUE}\n")
    ben.commit("merge")
    one, other = identity(QUEUE), identity(SAME)
    hint = ben.at(3).run("doctor", code=1).out
    assert f"--by {min(one, other)[:8]}" in hint or f"--by {max(one, other)[:8]}" in hint
    ben.run("demote", one, "--by", other)
    ben.commit("one line of two")
    person.git("pull", "-q", "--no-edit", str(ben.root), "main")
    for day in (4, 5, 90, 91):
        person.at(day).run("sweep")
    assert SAME in person.read()
    assert not person.holds("queue")
    (entry,) = person.entries().values()
    assert (entry["id"], entry["document"]) == (other, "AGENTS.md")
    said = person.run("purge", "--id", one, code=None)
    assert other[:8] in said.out and f"{one} is another wording of what is listed" in said.err
    person.remembers("something else entirely")
    person.run("purge", "--id", one, "--from-documents", "--confirm")
    assert SAME not in person.read() and person.entries() == {}
