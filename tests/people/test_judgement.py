"""``restore``, ``reject``, ``demote``: a person overrides what happens to single entries."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing

import pytest

from intermem.core.entries.identity import identity
from intermem.storage.operations import FileWrite
from intermem.workflow import writeback
from tests.old_ledger import events_in, ledger_in
from tests.people.conftest import FACTS, Person


def test_restore_brings_back_what_was_demoted_and_spares_it(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    before = person.record("queue")
    person.at(45).run("restore", before["id"][:6])
    record = person.record("queue")
    assert person.holds("queue") and not person.holds("tabs")
    assert (record["status"], record["pinned"], record["stale_streak"]) == ("stale", False, 0)
    assert person.standing("queue") == "promoted"
    person.sweeps(46, 47, 48)
    assert person.holds("queue"), "no sweep counts against it for 14 days"
    assert "spared" in person.run("why", before["id"]).out
    person.sweeps(60, 61)
    assert not person.holds("queue")


def test_restore_lifts_a_rejection_and_brings_the_text_back(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    person.commit("take out")
    person.sweeps(5)
    assert person.standing("queue") == "rejected"
    person.run("restore", person.record("queue")["id"])
    record = person.record("queue")
    assert person.holds("queue") and record["rejected_at"] is None and not record["pinned"]
    person.commit("restore")
    person.is_settled()
    assert person.run("log", "--json").json["history"][0]["event"] == "restored"


def test_restore_finds_the_text_in_history_where_metadata_db_is_gone(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    person.commit("demote")
    shutil.rmtree(person.root / ".git" / "intermem")
    person.note("")
    key = identity(FACTS["queue"])
    shown = person.at(45).run("restore", key, "--diff")
    assert f"+- {FACTS['queue']}" in shown.out and not person.holds("queue")
    person.run("restore", key)
    assert person.holds("queue")
    record = person.record("queue")
    assert (record["first_seen"], record["last_seen"]) == ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"), (
        "as the ledger says"
    )
    person.is_settled()


def test_restore_finds_what_neither_record_nor_ledger_know(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    shutil.rmtree(person.root / ".intermem")
    person.commit("away with it all")
    shutil.rmtree(person.root / ".git" / "intermem")
    person.run("restore", identity(FACTS["queue"])[:8])
    assert person.holds("queue") and person.standing("queue") == "promoted"
    person.is_settled()


def test_what_never_stood_is_only_a_candidate_again(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue")
    person.at(5).remembers("queue", "tabs")
    person.run("scan")
    key = identity(FACTS["tabs"])
    person.run("reject", key, "--reason", "half true")
    assert person.standing("tabs") == "rejected" and person.record("tabs")["reason"] == "half true"
    for day in (6, 7, 8):
        person.at(day).run("scan")
    assert "rejected on" in person.run("promote", "--yes").out
    person.run("restore", key)
    assert person.standing("tabs") is None and not person.holds("tabs")
    person.run("promote", "--yes")
    assert person.holds("tabs")


def test_what_a_person_took_out_stays_out_until_a_person_restores_it(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.at(5).run("reject", person.record("queue")["id"])
    person.run("demote", person.record("tabs")["id"])
    assert not person.holds("queue") and not person.holds("tabs")
    assert (person.standing("queue"), person.standing("tabs")) == ("rejected", "demoted")
    person.is_settled()
    person.at(6).run("scan")
    assert "a person took it out on" in person.run("promote", "--yes").out
    assert not person.holds("tabs") and not person.holds("queue")
    person.run("restore", person.record("tabs")["id"])
    assert person.holds("tabs")


@pytest.mark.parametrize(
    ("verb", "says"),
    [("restore", "already in AGENTS.md"), ("demote", "already; intermem restore"), ("reject", "already rejected")],
)
def test_what_makes_no_sense_is_refused_and_the_others_are_done(person: Person, verb: str, says: str) -> None:
    person.promotes("queue", "tabs")
    queue, tabs = person.record("queue")["id"], person.record("tabs")["id"]
    first = {"restore": "demote", "demote": "demote", "reject": "reject"}[verb]
    person.run(first, tabs)
    fit, unfit = {"restore": (tabs, queue), "demote": (queue, tabs), "reject": (queue, tabs)}[verb]
    said = person.run(verb, unfit, fit, unfit, code=1)
    assert said.out.count("Refused") == 1 and says in said.out
    assert len(person.run("log", fit, "--json").json["history"]) > 0
    assert person.holds("tabs") == (verb == "restore")


@pytest.mark.parametrize("verb", ["restore", "reject", "demote"])
def test_an_id_that_names_nothing_changes_nothing(person: Person, verb: str) -> None:
    person.promotes("queue")
    before = person.read(), ledger_in(person.root)
    assert "no entry starts with ffff" in person.run(verb, person.record("queue")["id"], "ffff", code=2).err
    assert "is not an id" in person.run(verb, "x", code=2).err
    assert before == (person.read(), ledger_in(person.root))


@pytest.mark.parametrize("verb", ["restore", "reject", "demote"])
@pytest.mark.parametrize("flag", ["--dry-run", "--diff"])
def test_a_dry_run_writes_nothing(person: Person, verb: str, flag: str) -> None:
    person.promotes("queue", "tabs")
    person.run("demote", person.record("tabs")["id"])
    name = "tabs" if verb == "restore" else "queue"
    before = person.tree_hash()
    out = person.run(verb, person.record(name)["id"], flag).out
    assert person.tree_hash() == before
    assert FACTS[name][:30] in out


def test_a_secret_in_a_hand_written_line_is_not_restored(person: Person) -> None:
    line = "The staging key is AKIAIOSFODNN7QZXCVBN, ask for another one."
    person.promotes("queue")
    person.edit("<!-- intermem:end -->", f"- {line}\n<!-- intermem:end -->")
    person.at(5).run("unpin", identity(line)[:8])
    person.run("reject", identity(line)[:8])
    said = person.run("restore", identity(line)[:8], code=1)
    assert "seems to hold a secret" in said.out and "AKIA" not in said.out


def test_restoring_a_former_wording_makes_it_an_entry_of_its_own(person: Person) -> None:
    old = "The local server listens on port 8080, and the proxy in front of it on 443."
    new = old.replace("8080", "9090")
    person.promotes(old, "tabs")
    person.remembers(new, "tabs")
    person.at(5).run("sweep")
    person.run("promote", "--yes")
    person.run("reject", person.record(new)["id"])
    person.run("restore", person.record(old)["id"])
    person.commit("the old one was right")
    person.sweeps(6)
    record = person.record(old)
    assert (record["document"], record["pinned"]) == ("AGENTS.md", False)
    assert person.record(new)["rejected_at"] is not None
    person.is_settled()


def test_restore_goes_into_no_other_document_than_its_own(person: Person) -> None:
    person.write("intermem.toml", 'targets = ["AGENTS.md", "docs/b.md"]\n')
    person.write("docs/b.md", "# B\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    person.promotes("queue")
    person.run("demote", person.record("queue")["id"])
    person.write("AGENTS.md", "# A\n\n<!-- intermem:begin -->\n")
    said = person.run("restore", person.record("queue")["id"], code=2)
    assert "AGENTS.md was refused" in said.out and FACTS["queue"] not in person.read("docs/b.md")


def test_restore_writes_nothing_that_the_document_says_already(person: Person) -> None:
    person.promotes("queue")
    person.run("demote", person.record("queue")["id"])
    person.edit("Hello.\n", f"Hello.\n\n{FACTS['queue']}\n")
    said = person.run("restore", person.record("queue")["id"], code=1)
    assert f"AGENTS.md says so already: {FACTS['queue'][:59]}…\n" in said.out
    assert person.read().count(FACTS["queue"]) == 1


def test_a_rejection_of_what_never_stood_is_lifted_by_somebody_who_never_saw_it(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("tabs")
    person.remembers("tabs", "queue")
    person.at(5).run("scan")
    person.run("reject", person.record("queue")["id"])
    person.commit("reject")
    ben = colleague()
    ben.run("restore", identity(FACTS["queue"]))
    assert ben.standing("queue") is None and ben.standing("tabs") == "promoted"


def test_a_secret_is_not_echoed(person: Person) -> None:
    line = "The staging key is AKIAIOSFODNN7QZXCVBN, ask for another one."
    person.edit("<!-- intermem:end -->", f"- {line}\n<!-- intermem:end -->")
    person.sweeps(1)
    assert "AKIA" not in person.run("demote", identity(line)).out


@pytest.mark.parametrize("verb", ["promote", "sweep", "reject"])
def test_a_ledger_that_has_no_place_stops_everything_before_it_begins(person: Person, verb: str) -> None:
    person.remembers("queue")
    for day in (1, 2, 3):
        person.at(day).run("scan")
    person.write(".intermem", "a file\n")
    before = person.read()
    more = {"promote": ["--yes"], "reject": [person.record("queue")["id"]]}.get(verb, [])
    said = person.run(verb, *more, code=2)
    assert ".intermem is not a directory" in said.err and person.read() == before


def test_a_pin_comes_back_with_its_line(person: Person) -> None:
    line = "Never deploy on a Friday."
    person.promotes("queue")
    person.edit("<!-- intermem:end -->", f"- {line}\n<!-- intermem:end -->")
    person.sweeps(5)
    key = person.record(line)["id"]
    for verb in ("unpin", "demote", "pin"):
        person.run(verb, key)
    person.sweeps(6)
    person.run("restore", key)
    assert person.record(line)["pinned"] and person.ledger()[person.record(line)["id"]]["pinned"]


def test_why_says_what_promote_would(person: Person) -> None:
    person.edit("Hello.\n", f"Hello.\n\n{FACTS['queue']}\n")
    secret = "The staging key is AKIAIOSFODNN7QZXCVBN, ask for another one."
    person.remembers("queue", "tabs", secret)
    for day in (1, 2, 3):
        person.at(day).run("scan")
    assert "AGENTS.md says so already" in person.run("why", identity(FACTS["queue"])).out
    told = person.run("why", identity(secret)).out
    assert "seems to hold a secret" in told and "AKIA" not in told
    assert person.run("why", identity(FACTS["tabs"]), "--json").json["not_promoted_because"] is None


def test_doctor_knows_what_is_not_on_record_yet(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.edit(FACTS["queue"], FACTS["queue"].replace("Run", "Start"))
    assert "1 change by people" in person.run("doctor", code=1).out
    person.sweeps(5)
    assert person.run("doctor").out == "No problems found.\n"
    shutil.rmtree(person.root / ".intermem")
    assert "git checkout HEAD -- .intermem" in person.run("doctor", code=1).out


def test_two_restores_of_one_fact_write_it_once(person: Person) -> None:
    same = FACTS["queue"].replace("Run", "Start")
    person.promotes("tabs")
    person.promotes("tabs", "queue", day=5)
    person.remembers("tabs", same)
    person.at(6).run("scan")
    person.run("demote", person.record("queue")["id"], "--by", person.record(same)["id"])
    person.run("promote", "--yes")
    person.run("demote", person.record(same)["id"])
    said = person.run("restore", person.record("queue")["id"], person.record(same)["id"], code=1)
    assert "AGENTS.md says so already" in said.out and person.read().count("queue worker") == 1


@pytest.mark.parametrize("verb", ["restore", "reject", "demote"])
def test_a_wrong_id_leaves_no_trace(person: Person, verb: str) -> None:
    shutil.rmtree(person.root / ".git" / "intermem")
    before = person.tree_hash()
    person.run(verb, "abcd", code=2)
    assert person.tree_hash() == before


def test_a_rejection_is_lifted_in_any_clone_and_everywhere(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue")
    person.remembers("queue", "tabs")
    person.at(3).run("scan")
    person.commit("promote")
    for name in ("queue", "tabs"):
        person.run("reject", person.record(name)["id"])
    person.commit("reject")
    ben = colleague()
    ben.remembers("queue", "tabs")
    ben.at(4).run("scan")
    for name in ("queue", "tabs"):
        ben.run("restore", ben.record(name)["id"])
    assert ben.holds("queue") and not ben.holds("tabs"), "the one was never in a document"
    ben.commit("restore")
    ben.at(5).run("promote", "--yes")
    assert ben.holds("queue") and ben.standing("queue") == "promoted"
    ben.commit("promote")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(6).run("scan")
    assert [person.record(name)["status"] for name in ("queue", "tabs")] == ["active", "active"]
    assert "lifted on 2026-01-05" in person.run("why", person.record("tabs")["id"]).out
    person.run("promote", person.record("tabs")["id"], "--yes", "--min-snapshots", "1")
    assert person.holds("queue") and person.holds("tabs")


def test_what_was_never_in_a_document_comes_back_with_the_status_of_its_confidence(person: Person) -> None:
    person.remembers("queue")
    person.run("scan")
    person.run("demote", person.record("queue")["id"], "--for-review")
    person.remembers("tabs")
    person.at(90).run("scan")
    person.run("restore", person.record("queue")["id"])
    record = person.record("queue")
    assert (record["status"], record["confidence"]) == ("stale", 0.0)
    assert FACTS["queue"][:30] in person.run("query", "--stale").out


def test_what_was_demoted_for_review_is_reviewed_in_any_clone(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.at(3).run("demote", person.record("queue")["id"], "--for-review", "--reason", "is it so")
    person.commit("demote")
    ben = colleague()
    ben.remembers("queue")
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    ben.run("promote", "--yes")
    assert not ben.holds("queue")
    assert FACTS["queue"][:30] in ben.run("query", "--review").out
    ben.run("feedback", ben.record("queue")["id"], "confirm")
    ben.run("promote", "--yes")
    assert ben.holds("queue")
    ben.commit("confirmed")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(7).run("sweep", "--no-scan")
    assert (person.record("queue")["review_at"], person.record("queue")["document"]) == (None, "AGENTS.md")


def test_nothing_is_concluded_from_what_an_interrupted_run_has_left(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key = person.record("queue")["id"]
    person.remembers("tabs")
    person.at(40).run("sweep")
    person.at(41)
    child = os.fork()
    if child == 0:
        write = writeback._carry_out

        def killed(one: FileWrite) -> None:
            write(one)
            if one.document == "AGENTS.md":
                os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(writeback, "_carry_out", killed)
        person.run("sweep", code=None)
        os._exit(1)
    os.waitpid(child, 0)
    assert not person.holds("queue"), "the document was replaced, and the record does not know"
    for verb in (("status",), ("query", "--all"), ("show", key), ("why", key), ("doctor",), ("sweep", "--dry-run")):
        said = person.run(*verb, code=None)
        assert "an interrupted sweep is pending" in said.err + said.out
        assert "removed it" not in said.out and "rejected:" not in said.out and "lacks" not in said.err
    assert "0 rejected" in person.run("status").out
    assert f"an interrupted sweep was completed: {key[:8]} out of AGENTS.md" in person.run("scan").err
    assert person.record("queue")["status"] == "demoted"


TAKEN_OUT = {
    "demote": ("demote", "ID"),
    "for review": ("demote", "ID", "--for-review"),
    "prune": ("prune", "--older-than", "0", "--search", "queue"),
    "reject": ("reject", "ID"),
}
REWORDED = FACTS["queue"].replace("without a word", "without any word")


@pytest.mark.parametrize("name", TAKEN_OUT)
def test_what_a_person_took_out_stays_out_in_other_words_of_its_note(
    person: Person, colleague: Callable[..., Person], name: str
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue", "tabs")
    ben.at(3).run("sweep")
    key = person.record("queue")["id"]
    person.at(4).run(*(key if one == "ID" else one for one in TAKEN_OUT[name]))
    person.commit("take it out")
    ben.git("checkout", "-q", ".")
    ben.git("clean", "-q", "-f", ".intermem")
    ben.git("pull", "-q", str(person.root), "main")
    for one in (person, ben):
        one.remembers(REWORDED, "tabs")
        for day in (5, 6, 7, 8):
            one.at(day).run("curate", "--yes")
        assert not one.holds(REWORDED)
        assert "Held back until a person lifts it (2)" in one.run("promote", "--yes").out
    person.at(9).run("feedback" if name == "for review" else "restore", key, *["confirm"] * (name == "for review"))
    assert "in its former wording" not in person.run("promote", "--yes", code=None).out


@pytest.mark.parametrize("name", TAKEN_OUT)
def test_who_restores_the_new_wording_has_decided(person: Person, name: str) -> None:
    person.promotes("queue", "tabs")
    key = person.record("queue")["id"]
    person.at(4).run(*(key if one == "ID" else one for one in TAKEN_OUT[name]))
    person.remembers(REWORDED, "tabs")
    assert not any("intermem promote" in person.at(day).run("scan").out for day in (5, 6, 7))
    assert key[:8] in person.run("promote", "--yes").out and not person.holds(REWORDED)
    new = person.record(REWORDED)["id"]
    person.at(8).run("restore", new)
    person.at(9).run("promote", "--yes")
    assert person.holds(REWORDED) and not person.holds("queue")
    person.at(10).run("demote", new)
    person.at(11).run("curate", "--yes")
    assert not person.holds(REWORDED), "a later word counts"


@pytest.mark.parametrize("flag", [["demote", "ID", "--for-review"], ["feedback", "ID", "outdated"]])
def test_who_confirms_the_new_wording_lifts_the_flag_of_the_former_one(person: Person, flag: list[str]) -> None:
    person.promotes("queue", "tabs")
    key = person.record("queue")["id"]
    person.at(4).run(*(key if one == "ID" else one for one in flag))
    person.remembers(REWORDED, "tabs")
    for day in (5, 6, 7):
        person.at(day).run("scan")
    new = person.record(REWORDED)["id"]
    out = person.at(8).run("feedback", new, "confirm")
    assert f"{new[:8]} was flagged in its former wording {key[:8]}: confirmed there" in out.err
    assert person.record("queue")["review_at"] is None
    person.at(9).run("promote", "--yes")
    assert person.holds(REWORDED) and not person.holds("queue")
    assert [one["amount"] for one in person.run("why", new, "--json").json["feedback"]].count(0.1) == 1


def test_restore_of_what_stands_flagged_names_what_lifts_the_flag(person: Person) -> None:
    person.promotes("queue")
    key = person.record("queue")["id"]
    person.run("feedback", key, "outdated")
    said = person.run("restore", key, code=1).out
    assert f"already in AGENTS.md, flagged for review on 2026-01-03; intermem feedback {key[:8]} confirm" in said


@pytest.mark.parametrize("name", [*TAKEN_OUT, "by hand"])
def test_a_fresh_clone_does_not_promote_in_other_words_what_a_person_took_out(
    person: Person, colleague: Callable[..., Person], name: str
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key = person.record("queue")["id"]
    if name == "by hand":
        person.take_out("queue")
    else:
        person.at(3).run(*(key if one == "ID" else one for one in TAKEN_OUT[name]))
    person.commit("take it out")
    ben = colleague()
    ben.remembers(REWORDED, "tabs")
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    told = ben.run("promote", "--yes", code=None)
    assert not ben.holds(REWORDED)
    assert f"in other words, as {key[:8]}" in " ".join(told.out.split())
    ben.remembers(REWORDED.replace("tests", "9 tests"))
    for day in (7, 8, 9):
        ben.at(day).run("scan")
    ben.run("promote", "--yes")
    assert "9 tests" in ben.read(), "another number is another statement"


@pytest.mark.parametrize("verb", [("demote", "--search", "queue"), ("prune", "--older-than", "0", "--search", "queue")])
def test_what_a_person_took_out_is_not_promoted_from_another_note_in_nearly_the_same_words(
    person: Person, verb: tuple[str, ...]
) -> None:
    person.promotes("queue")
    person.run(*verb)
    person.note(f"- {REWORDED}\n", "more.md")
    for day in (3, 4, 5):
        person.at(day).run("curate", "--yes")
    assert not person.holds(REWORDED)
    assert "a person took it out on 2026-01-03 in other words" in person.run("promote", "--yes").out
    person.note(f"- {REWORDED.replace('tests', '9 tests')}\n", "more.md")
    for day in (6, 7, 8):
        person.at(day).run("curate", "--yes")
    assert "9 tests" in person.read(), "another number is another statement"


def test_who_demotes_by_name_what_this_clone_has_pruned_tells_the_others(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("tabs")
    person.remembers("tabs", "queue")
    person.run("scan")
    key = person.record("queue")["id"]
    person.run("prune", "--older-than", "0", "--search", "queue")
    assert person.line("queue") is None
    person.run("demote", key)
    assert person.standing("queue") == "demoted"
    assert "a person took it out on 2026-01-03 already" in person.run("demote", key, code=1).out
    person.commit("demote")
    ben = colleague()
    ben.remembers("queue")
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    ben.run("promote", "--yes")
    assert not ben.holds("queue")


def test_who_restores_a_note_has_decided_about_what_was_taken_out_in_other_words(person: Person) -> None:
    person.promotes("queue")
    old = person.record("queue")["id"]
    person.run("demote", old)
    person.note(f"- {REWORDED}\n", "more.md")
    for day in (3, 4, 5):
        person.at(day).run("scan")
    new = person.entries()[REWORDED]["id"]
    told = person.run("why", new).out
    assert f"against it a person took it out on 2026-01-03 in other words, as {old[:8]}" in " ".join(told.split())
    assert f"intermem restore {new[:8]}" in " ".join(told.split())
    person.run("restore", new)
    assert "nothing keeps it out" in person.run("restore", new, code=1).out
    person.run("promote", "--yes")
    assert person.holds(REWORDED)


@pytest.mark.parametrize("order", ["demote, restore", "restore, demote, restore"])
def test_what_never_stood_comes_back_though_another_says_it_better(person: Person, order: str) -> None:
    person.promotes("queue")
    person.note(f"- {REWORDED}\n", "more.md")
    for day in (3, 4, 5):
        person.at(day).run("scan")
    old, new = person.entries()[REWORDED]["id"], person.record("queue")["id"]
    assert f"intermem restore {old[:8]} brings it back" in person.run("demote", old, "--by", new).out
    for number, verb in enumerate(order.split(", ")):
        person.at(6 + number).run(verb, new if verb == "demote" else old)
    person.run("promote", "--yes")
    assert person.holds(REWORDED) and not person.holds("queue")


def test_a_candidate_that_was_called_outdated_is_not_promoted_in_other_words(person: Person) -> None:
    person.remembers("queue")
    person.run("scan")
    person.run("feedback", person.record("queue")["id"], "outdated")
    person.remembers(REWORDED)
    for day in (1, 2, 3):
        person.at(day).run("curate", "--yes")
    assert not person.holds(REWORDED)
    assert "flagged for review on 2026-01-01 in its former wording" in person.run("promote", "--yes").out


def test_what_two_clones_say_in_one_moment_is_listed_as_each_gave_it(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.commit("promote")
    key = person.record("queue")["id"]
    ben = colleague()
    ben.remembers("queue")
    ben.at(3).run("scan")
    for one, kind in ((person, "incorrect"), (ben, "confirm")):
        one.at(4).run("feedback", key, kind)
        one.commit(kind)
    ben.git("pull", "-q", "--no-rebase", "--no-edit", str(person.root), "main")
    for one in (ben, ben.at(5)):
        told = [row["detail"] for row in one.run("why", key, "--json").json["history"] if row["event"] == "feedback"]
        assert sorted(detail.partition(":")[0] for detail in told) == ["+0.1", "−0.3"]


@pytest.mark.parametrize("stood", [True, False])
def test_what_was_replaced_stays_out_though_its_note_was_away(person: Person, stood: bool) -> None:
    if stood:
        person.promotes("queue", "tabs")
    else:
        person.remembers("queue", "tabs")
        person.run("scan")
    key, heir = person.record("queue")["id"], person.record("tabs")["id"]
    person.run("demote", key, "--by", heir)
    person.remembers("cache")
    person.at(4).run("scan")
    person.remembers("queue", "tabs", "cache")
    for day in (5, 6, 7):
        person.at(day).run("curate", "--yes")
    assert not person.holds("queue") and person.record("queue")["superseded_by"] == heir
    person.at(8).run("restore", key)
    person.run("promote", "--yes", code=None)
    assert person.holds("queue")


def test_what_was_replaced_stays_out_in_other_words_of_its_note(person: Person) -> None:
    person.promotes("queue", "tabs")
    key, heir = person.record("queue")["id"], person.record("tabs")["id"]
    person.run("demote", key, "--by", heir)
    person.remembers(REWORDED, "tabs")
    for day in (3, 4, 5, 6):
        person.at(day).run("curate", "--yes")
    assert not person.holds(REWORDED) and person.record(REWORDED)["superseded_by"] == heir
    person.run("restore", person.record(REWORDED)["id"])
    person.run("promote", "--yes")
    assert person.holds(REWORDED)


def test_a_new_wording_replaces_what_was_taken_out_once_a_person_says_so(person: Person) -> None:
    person.promotes("queue")
    key = person.record("queue")["id"]
    person.run("demote", key)
    person.remembers(REWORDED)
    person.at(3).run("curate", "--yes")
    person.run("demote", key, "--by", person.record(REWORDED)["id"])
    person.run("promote", "--yes")
    assert person.holds(REWORDED)


def test_what_was_replaced_is_kept_out_by_the_same_entry_in_another_clone(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue", REWORDED)
    for day in (3, 4, 5):
        ben.at(day).run("scan")
    ben.run("sweep")
    person.remembers("queue", REWORDED)
    person.at(5).run("scan")
    heir = person.record(REWORDED)["id"]
    person.run("demote", person.record("queue")["id"], "--by", heir)
    person.commit("replace")
    ben.git("checkout", "-q", ".")
    ben.git("clean", "-q", "-f", ".intermem")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(6).run("curate", "--yes")
    assert ben.record("queue")["superseded_by"] == heir
    assert ben.holds(REWORDED) and not ben.holds("queue")


def shared(person: Person, ben: Person) -> None:
    """Commit what a person said, and let a colleague pull it and sweep."""
    person.commit("say so")
    ben.git("checkout", "-q", ".")
    ben.git("clean", "-q", "-f", ".intermem")
    ben.git("pull", "-q", str(person.root), "main")
    ben.run("sweep")


def test_what_a_sweep_demoted_is_kept_out_in_every_clone(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.goes_stale(40)
    key = person.record("queue")["id"]
    assert person.standing("queue") == "demoted"
    person.remembers("queue")
    assert f"Demoted {key[:8]}: " in person.at(42).run("demote", key).out
    person.commit("keep it out")
    ben = colleague()
    for one in (person, ben):
        one.remembers("queue")
        for day in (43, 44, 45):
            one.at(day).run("curate", "--yes")
        assert not one.holds("queue")
        assert "a person took it out on 2026-02-12" in one.run("promote", "--yes").out
    again = person.run("demote", key, code=1).out
    assert f"a person took it out on 2026-02-12 already; intermem restore {key[:8]} lifts that" in again
    person.run("restore", key)
    assert person.holds("queue")


@pytest.mark.parametrize("heir", [None, "tabs"])
def test_a_candidate_is_kept_out_in_every_clone_until_it_is_restored(
    person: Person, colleague: Callable[..., Person], heir: str | None
) -> None:
    ben = colleague()
    for one in (person, ben):
        one.remembers("queue", "tabs")
        one.at(2).run("scan")
    key = person.record("queue")["id"]
    person.run("demote", key, *(["--by", person.record(heir)["id"]] if heir else []), "--reason", "not now")
    assert (person.standing("queue"), person.record("queue")["original_confidence"]) == ("demoted", 0.5)
    shared(person, ben.at(3))
    for one in (person, ben):
        for day in (4, 5, 6):
            one.at(day).run("curate", "--yes")
        assert not one.holds("queue")
        assert one.record("queue")["status"] == "demoted"
    person.is_settled()
    assert "not now" in ben.run("why", key).out
    ben.run("restore", key)
    ben.commit("back")
    person.git("checkout", "-q", ".")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben):
        one.at(7).run("sweep")
        assert (one.record("queue")["status"], one.record("queue")["demoted_at"]) == ("active", None)
        one.run("promote", "--yes")
        assert one.holds("queue")


def test_a_clone_that_never_saw_a_candidate_lifts_that_it_is_kept_out(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.remembers("queue")
    person.run("scan")
    key = person.record("queue")["id"]
    person.run("demote", key)
    person.commit("say so")
    ben = colleague()
    ben.run("sweep")
    assert "a person took it out" in ben.run("demote", key, code=1).out
    assert "a note that was in no document" in ben.run("query", "--demoted").out
    ben.run("restore", key)
    ben.remembers("queue")
    for day in (1, 2, 3):
        ben.at(day).run("curate", "--yes")
    assert ben.holds("queue")


@pytest.mark.parametrize("more", [(), ("--for-review",), ("--by", "tabs")])
def test_what_is_rejected_is_not_demoted(person: Person, more: tuple[str, ...]) -> None:
    person.promotes("queue", "tabs")
    key = person.record("queue")["id"]
    person.run("reject", key)
    given = [person.record(one)["id"] if one in FACTS else one for one in more]
    said = person.run("demote", key, *given, code=1).out
    assert f"rejected on 2026-01-03 already; intermem restore {key[:8]} lifts that" in said


def test_what_a_sweep_demoted_stays_out_once_a_person_deleted_its_record(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.goes_stale(40)
    key = person.record("queue")["id"]
    person.at(42).run("prune", "--search", "queue", "--older-than", "0", "--delete", "--confirm")
    assert "queue" not in person.entries()
    person.remembers("queue")
    for day in (43, 44, 45):
        person.at(day).run("curate", "--yes")
    assert not person.holds("queue")
    person.run("restore", key)
    assert person.holds("queue")


@pytest.mark.parametrize("stands", [False, True])
def test_what_was_called_outdated_is_for_review_in_every_clone_until_it_is_confirmed(
    person: Person, colleague: Callable[..., Person], stands: bool
) -> None:
    person.promotes("tabs", *["queue"] * stands)
    person.commit("promote")
    ben = colleague()
    for one in (person, ben):
        one.remembers("queue", "tabs")
        one.at(3).run("sweep")
    key = person.record("queue")["id"]
    person.at(4).run("feedback", key, "outdated", "--context", "after the move")
    shared(person, ben.at(5))
    assert FACTS["queue"][:30] in ben.run("query", "--review").out
    assert "outdated: after the move" in ben.run("why", key).out
    for day in (6, 7, 8):
        ben.at(day).run("curate", "--yes")
    assert ben.holds("queue") is stands
    ben.at(9).run("feedback", key, "confirm")
    ben.run("promote", "--yes", code=None)
    assert ben.holds("queue")
    ben.commit("confirmed")
    person.git("checkout", "-q", ".")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(10).run("sweep")
    assert person.record("queue")["review_at"] is None
    person.run("feedback", key, "outdated")
    assert person.record("queue")["review_at"] is not None
    person.at(11).run("sweep")
    assert person.record("queue")["review_at"] is not None
    person.run("undo")
    person.run("undo")
    assert person.record("queue")["review_at"] is None


def test_a_fresh_clone_knows_what_is_for_review(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue", "tabs")
    person.run("feedback", person.record("queue")["id"], "outdated")
    person.run("demote", person.record("tabs")["id"], "--for-review")
    person.commit("say so")
    rows = colleague().run("query", "--review", "--json").json["entries"]
    assert {row["id"] for row in rows} == {identity(FACTS["queue"]), identity(FACTS["tabs"])}


ORDERS = {
    "demote, then for review": [("demote",), ("demote", "--for-review")],
    "for review, then demote": [("demote", "--for-review"), ("demote",)],
    "outdated, then demote": [("feedback", "outdated"), ("demote",)],
    "outdated, then prune": [("feedback", "outdated"), ("prune", "--search", "queue worker")],
    "prune, then for review": [("prune", "--search", "queue worker"), ("demote", "--for-review")],
    "for review, then reject": [("demote", "--for-review"), ("reject",)],
    "by, then for review": [("demote", "--by", "tabs"), ("demote", "--for-review")],
    "for review, then by": [("demote", "--for-review"), ("demote", "--by", "tabs")],
}


def says(person: Person, verb: str, *more: str, code: int | None = 0) -> str:
    """Say something of the queue, and return what is printed."""
    named = [person.record(one)["id"] if one in FACTS else one for one in more]
    ids = () if verb == "prune" else (identity(FACTS["queue"]),)
    return person.run(verb, *ids, *named, code=code).out


@pytest.mark.parametrize("order", ORDERS)
def test_the_strongest_removal_decides_what_brings_it_back(
    person: Person, colleague: Callable[..., Person], order: str
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    said = [says(person.at(3 + hours / 24), *command) for hours, command in enumerate(ORDERS[order])]
    assert "brings it back\n" in said[1], "and no other way is told"
    person.commit("take it out")
    fresh = colleague()
    for one in (person, fresh):
        one.remembers("queue", "tabs")
        one.at(4).run("scan")
        says(one, "feedback", "confirm")
        for day in (5, 6, 7):
            one.at(day).run("curate", "--yes")
        assert not one.holds("queue")
        assert "intermem restore" in says(one, "promote", "--yes", code=1)
        says(one, "restore")
        assert one.holds("queue")
        one.is_settled()


def test_what_is_only_for_review_comes_back_once_it_is_confirmed(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue", "tabs")
    says(person, "feedback", "outdated")
    assert "confirm and seeing it again" in says(person, "demote", "--for-review")
    person.commit("look again")
    fresh = colleague()
    for one in (person, fresh):
        one.remembers("queue", "tabs")
        for day in (4, 5, 6):
            one.at(day).run("scan")
        says(one, "feedback", "confirm")
        one.run("promote", "--yes")
        assert one.holds("queue")


def test_a_candidate_for_review_is_kept_out_more_firmly(person: Person) -> None:
    person.remembers("queue")
    for day in (1, 2, 3):
        person.at(day).run("scan")
    says(person, "feedback", "outdated")
    assert "Demoted" in says(person, "demote")
    says(person, "feedback", "confirm")
    person.at(4).run("scan")
    assert "a person took it out" in says(person, "promote", "--yes", code=1)
    assert "already; intermem restore" in says(person, "demote", code=1)


@pytest.mark.parametrize("demoted", [False, True])
def test_feedback_and_why_give_one_figure_in_a_fresh_clone_and_after_a_change(
    person: Person, colleague: Callable[..., Person], demoted: bool
) -> None:
    fact = "The entry point is `src/app.py`, which prints the banner."
    person.promotes(fact)
    person.commit("promote")
    key = person.record(fact)["id"]
    if demoted:
        person.run("demote", key, "--for-review")
    person.commit("say so")
    fresh = colleague()
    would = fresh.run("feedback", key, "confirm", "--dry-run", "--json").json["entry"]["confidence"]
    told = fresh.run("feedback", key, "confirm", "--json").json["entry"]
    assert would == told["confidence"] == fresh.run("why", key, "--json").json["entry"]["confidence"] == 0.9
    assert fresh.record(fact)["confidence"] == 0.9
    (fresh.root / "src/app.py").unlink()
    fresh.git("commit", "-qam", "away with it")
    told = fresh.run("feedback", key, "incorrect", "--json").json["entry"]
    assert told["confidence"] == fresh.run("why", key, "--json").json["entry"]["confidence"] < 0.6


def test_to_restore_what_is_not_out_says_what_it_waits_for(person: Person) -> None:
    person.remembers("queue")
    person.run("scan")
    key = person.record("queue")["id"]
    said = person.run("restore", key, code=1).out
    assert f"nothing keeps it out: intermem why {key[:8]} says what it waits for" in said
    person.run("feedback", key, "outdated")
    said = person.run("restore", key, code=1).out
    assert f"flagged for review on 2026-01-01; intermem feedback {key[:8]} confirm lifts that" in said


@pytest.mark.parametrize(
    "command", [("demote", "ID"), ("demote", "--status", "missing"), ("demote", "ID", "--for-review"), ("by",)]
)
def test_what_is_missing_is_not_demoted(person: Person, command: tuple[str, ...]) -> None:
    person.promotes("queue", "tabs")
    key, heir = person.record("queue")["id"], person.record("tabs")["id"]
    person.take_out("queue")  # nothing is committed yet, so that no history tells whose decision it is
    command = ("demote", key, "--by", heir) if command == ("by",) else command
    told = person.run(*(key if one == "ID" else one for one in command), code=1)
    ways = f"missing from AGENTS.md: intermem restore {key[:8]} puts it back, intermem reject {key[:8]} gives it up"
    assert ways in told.out and person.record("queue")["state"] == "missing"
    person.run("reject", key)
    assert person.record("queue")["state"] == "rejected"


def test_prune_says_what_it_never_considers(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.take_out("queue")
    told = person.run("prune", "--status", "missing", code=1)
    assert "what is missing or rejected is not considered" in told.err
    assert "not considered" not in person.run("prune", "--min-score", "0.1", code=1).err


def test_a_restore_without_a_text_says_so(person: Person) -> None:
    person.remembers("queue")
    person.run("scan")
    key = person.record("queue")["id"]
    person.run("demote", key)
    person.remembers("tabs")
    person.at(1).run("scan")
    person.run("prune", "--search", "queue", "--delete", "--confirm")
    told = person.run("restore", key)
    assert f"{key[:8]}: nothing keeps it out any more, but its text is not known here" in told.err
    person.remembers("queue")
    for day in (2, 3, 4):
        person.at(day).run("scan")
    person.run("promote", "--yes")
    assert person.holds("queue")
    person.run("demote", key)
    assert "its text" not in person.run("restore", key).err


def test_what_was_in_a_document_is_restored_after_its_record_has_expired(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key = person.record("queue")["id"]
    person.run("demote", key)
    person.remembers("tabs")
    person.at(3).run("scan")
    gone = person.at(200).run("prune", "--expired", "--delete", "--confirm", "--json").json["deleted"]
    assert [one["id"] for one in gone] == [key]
    assert "in 3 snapshots, according to the ledger" in person.run("why", key).out
    assert "according to the ledger" not in person.run("why", person.record("tabs")["id"]).out
    person.run("restore", key)
    assert person.holds("queue")


def test_a_line_that_was_called_outdated_is_not_replaced_by_other_words_of_its_note(person: Person) -> None:
    person.promotes("queue")
    person.run("feedback", person.record("queue")["id"], "outdated")
    person.remembers(REWORDED)
    for day in (3, 4, 5):
        person.at(day).run("curate", "--yes")
    assert not person.holds(REWORDED)
    key = person.record("queue")["id"]
    assert f"in its former wording {key[:8]}" in person.run("promote", "--yes").out
    person.run("feedback", key, "confirm")
    person.run("promote", "--yes")
    assert person.holds(REWORDED)


def test_feedback_goes_with_a_note_that_says_the_same_in_other_words(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.run("feedback", person.record("queue")["id"], "confirm")
    given = person.record("queue")["feedback"]
    person.remembers(REWORDED)
    for day in (3, 4):
        person.at(day).run("curate", "--yes")
    assert given > 0 and person.record(REWORDED)["feedback"] == given
    assert person.holds(REWORDED)
    person.commit("reworded")
    person.is_settled()
    ben = colleague()
    assert ben.record(REWORDED)["feedback"] == given
    ben.run("sweep", "--no-scan")
    assert ben.record(REWORDED)["feedback"] == given
    other = REWORDED.replace("tests", "9 tests")
    person.remembers(other)
    person.at(5).run("scan")
    assert person.record(other)["feedback"] == 0.0, "a correction is another statement"


def test_a_rewording_is_no_removal_until_it_replaces_a_line_and_then_one(person: Person) -> None:
    def removed() -> int:
        causes = person.run("status", "--figures", "--json").json["removed_this_month"]["by_cause"]
        return sum(sum(events.values()) for events in causes.values())

    person.promotes("queue")
    person.commit("promote")
    person.remembers(REWORDED)
    person.at(5).run("scan")
    assert removed() == 0
    person.run("promote", "--yes")
    assert person.holds(REWORDED) and removed() == 1
    assert "was reworded: replaced by" in person.run("log").out and "; confidence 0." in person.run("log").out
    person.commit("reworded")
    person.take_out(REWORDED)
    person.commit("deleted")
    person.run("sweep")
    row = next(line for line in person.run("log").out.split("\n") if "a person removed it" in line)
    assert "; confidence 0." in row


def test_why_says_of_a_new_wording_what_promote_does_with_it(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.remembers(REWORDED)
    person.at(5).run("scan")
    new = person.record(REWORDED)["id"]

    def told() -> str | None:
        found = person.run("why", new, "--json").json["not_promoted_because"]
        assert found is None or isinstance(found, str)
        return found

    assert told() is None
    person.run("pin", person.record("queue")["id"])
    assert told() == f"it would replace {person.record('queue')['id'][:8]}, which is pinned"
    assert "which is pinned" in person.run("promote", new, "--yes", code=1).out
    person.run("pin", person.record("queue")["id"], "--remove")
    person.run("promote", "--yes")
    assert person.holds(REWORDED) and not person.holds("queue")


@pytest.mark.parametrize("verb", ["reject", "demote"])
@pytest.mark.parametrize("kind", ["incorrect", "confirm", "failure"])
def test_feedback_on_what_is_out_counts_in_every_clone_once_it_is_back(
    person: Person, colleague: Callable[..., Person], verb: str, kind: str
) -> None:
    person.promotes("queue")
    key = person.record("queue")["id"]
    person.commit("promote")
    person.run(verb, key)
    person.commit("out")
    person.at(3).run("feedback", key, kind)
    given = person.record("queue")["feedback"]
    assert given
    person.commit("feedback")
    ben = colleague().at(4)
    assert ben.run("why", key, "--json").json["entry"]["feedback"] == given
    ben.run("restore", key)
    ben.commit("back")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(5).run("sweep")
    assert person.record("queue")["feedback"] == given and person.holds("queue")


def test_that_a_candidate_is_outdated_is_told_where_there_is_no_ledger_yet(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.remembers("queue")
    person.run("scan")
    person.run("feedback", person.record("queue")["id"], "outdated")
    person.commit("say so")
    ben = colleague()
    ben.remembers("queue")
    for day in (1, 2, 3):
        ben.at(day).run("curate", "--yes")
    assert not ben.holds("queue")
    assert "flagged for review on 2026-01-01" in ben.run("promote", "--yes").out


def test_what_took_the_place_of_another_is_protected_in_every_clone_and_without_its_record(
    person: Person, colleague: Callable[..., Person]
) -> None:
    settings = "[retention]\nenabled = true\n[retention.days]\nuntyped = 30\n"
    (person.root / "intermem.toml").write_text(settings)
    person.remembers("queue", "tabs")
    person.run("scan")
    queue, tabs = person.record("queue")["id"], person.record("tabs")["id"]
    person.at(1).run("demote", queue, "--by", tabs)
    person.commit("superseded")
    ben = colleague()
    ben.remembers("tabs")
    ben.at(2).run("scan")
    for one in (person, ben):
        (one.memory / "MEMORY.md").unlink()
        one.at(3).run("scan")
        assert "it superseded another entry" in one.at(40).run("prune", "--expired", "--dry-run").out, one.root
    person.run("prune", "--expired", "--delete", "--confirm")
    assert "superseded by" in person.run("why", queue).out
    assert "it superseded another entry" in person.at(50).run("prune", "--expired", "--dry-run").out


def test_a_third_note_is_no_way_around_what_a_person_replaced_in_any_clone(
    person: Person, colleague: Callable[..., Person]
) -> None:
    third = FACTS["queue"].replace("without a word", "without any word")
    person.promotes("queue", "tabs")
    person.commit("promote")
    queue = person.record("queue")["id"]
    person.remembers("tabs", "cache")
    for day in (3, 4, 5):
        person.at(day).run("scan")
    person.run("demote", queue, "--by", person.record("cache")["id"])
    person.run("promote", "--yes")
    person.commit("replaced")
    assert person.holds("cache") and not person.holds("queue")
    ben = colleague()
    (ben.memory / "MEMORY.md").write_text(f"## Notes\n\n- {third}\n", "utf-8")
    for day in (6, 7, 8):
        ben.at(day).run("scan")
    told = ben.run("promote", "--yes", code=None).out
    assert third not in (ben.root / "AGENTS.md").read_text() and "to take its place" in told


def test_a_record_of_an_older_database_learns_that_a_person_took_it_out(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key = person.record("queue")["id"]
    person.at(3).run("demote", key)
    person.commit("out")
    with closing(sqlite3.connect(person.root / ".git/intermem/root/metadata.db", isolation_level=None)) as connection:
        connection.execute("UPDATE memory_entries SET kept_out = 0")  # as version 8 had it
    for day in (4, 5, 6):
        person.at(day).run("curate", "--yes")
    assert not person.holds("queue")
    assert "restored" not in [event["what"] for event in events_in(person.root) if event["id"] == key]
    person.run("restore", key)
    assert person.holds("queue")


def test_a_sweep_says_that_what_was_put_back_is_spared(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    person.at(45).run("restore", person.record("queue")["id"])
    swept = person.at(46).run("sweep")
    assert "nothing to demote: 1 entry in a document is spared for now" in swept.out
    assert person.at(47).run("sweep", "--json").json["spared"] == 1


def test_a_revert_of_what_was_flagged_and_demoted_lifts_the_flag_in_every_clone(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key = person.record("queue")["id"]
    person.at(3).run("demote", key, "--for-review")
    person.commit("look at it")
    person.git("revert", "--no-edit", "HEAD")
    person.at(4).run("sweep")
    person.commit("swept")
    for one in (person, colleague().at(5)):
        one.run("sweep")
        assert one.run("query", "--review", "--json", code=1).json["entries"] == []


def test_a_sweep_counts_no_rejected_entry_as_stale(person: Person) -> None:
    person.promotes("queue", "tabs")
    key = person.record("queue")["id"]
    person.at(3).run("reject", key)
    person.run("feedback", key, "incorrect")
    assert "0 stale" in person.at(4).run("sweep").out
    assert "0 stale" in person.run("status").out


@pytest.mark.parametrize("how", ["demote", "sweep"])
def test_what_left_two_documents_goes_back_into_both_and_that_is_said(person: Person, how: str) -> None:
    person.promotes("queue", "tabs")
    person.write("CLAUDE.md", person.read() + "\n@AGENTS.md\n")
    person.commit("the same for another agent")
    key = person.record("queue")["id"]
    if how == "demote":
        said = person.at(3).run("demote", key)
    else:
        person.remembers("tabs")
        person.at(60).run("sweep")
        said = person.at(61).run("sweep", "--json")
        assert said.json["demoted_from"] == ["AGENTS.md", "CLAUDE.md"]
    assert f"{key[:8]} leaves CLAUDE.md as well" in said.err + said.out
    assert (person.holds("queue"), FACTS["queue"] in person.read("CLAUDE.md")) == (False, False)
    assert f"note: {key[:8]} goes back into CLAUDE.md as well\n" in person.at(62).run("restore", key).err
    assert (person.holds("queue"), FACTS["queue"] in person.read("CLAUDE.md")) == (True, True)
    assert person.read("CLAUDE.md").count("queue worker") == 1


@pytest.mark.parametrize("verb", [("demote",), ("reject",), ("demote", "--by")])
def test_a_copy_that_was_never_committed_goes_back_as_well(person: Person, verb: Sequence[str]) -> None:
    person.promotes("queue", "tabs")
    person.write("CLAUDE.md", person.read() + "\n@AGENTS.md\n")
    queue, tabs = (person.record(word)["id"] for word in ("queue", "tabs"))
    person.at(3).run(verb[0], queue, *(("--by", tabs) if "--by" in verb else ()))
    assert (person.holds("queue"), FACTS["queue"] in person.read("CLAUDE.md")) == (False, False)
    person.at(4).run("sweep")
    assert f"note: {queue[:8]} goes back into CLAUDE.md as well\n" in person.at(5).run("restore", queue).err
    assert (person.holds("queue"), person.read("CLAUDE.md").count(FACTS["queue"])) == (True, 1)
    person.write("CLAUDE.md", person.read("CLAUDE.md").replace(f"- {FACTS['queue']}\n", ""))
    person.at(6).run("demote", queue)
    person.at(7).run("restore", queue)
    assert FACTS["queue"] not in person.read("CLAUDE.md"), "a person had taken it out of there"


def test_why_and_promote_agree_on_a_note_that_no_scan_has_read(person: Person) -> None:
    person.remembers("queue", "tabs")
    for day in (0, 1, 2):
        person.at(day).run("scan")
    key = identity(FACTS["queue"])

    def held(day: float) -> tuple[object, object]:
        refused = person.at(day).run("promote", key, "--json", code=None).json["refused"]
        return person.run("why", key, "--json").json["not_promoted_because"], next(
            (one["reason"] for one in refused), None
        )

    person.remembers("tabs")
    said, told = held(3)
    assert said == told and "no longer in the memory" in str(said), "it left, unscanned"
    person.run("scan")
    for words in ("queue", f"Please run queue worker{FACTS['queue'].removeprefix('Run the queue worker')}"):
        person.remembers(words, "tabs")
        assert held(4) == (None, None), "it is back, unscanned, in whatever words"


def test_a_note_waits_for_a_scan_where_another_clone_says_that_it_left(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.goes_stale()
    person.commit("demote")
    ben = colleague()
    key = identity(FACTS["queue"])
    for words in ("queue", f"Please run queue worker{FACTS['queue'].removeprefix('Run the queue worker')}"):
        ben.remembers(words)
        ben.at(42)
        (refused,) = ben.run("promote", key, "--json", code=None).json["refused"]
        assert "not seen since: intermem scan reads the memory" in refused["reason"]
        assert ben.run("why", key, "--json").json["not_promoted_because"] == refused["reason"]
    person.remembers("queue")
    assert "1 note waits for a scan" in person.at(43).run("promote", "--candidates", code=None).err
