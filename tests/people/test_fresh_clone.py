"""A colleague who has just cloned: what happened, and why, is in git."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once
from tests.old_ledger import events_in
from tests.people.conftest import FACTS, START, Person

Colleague = Callable[..., Person]


def let_go(ann: Person) -> None:
    ann.promotes("queue", "tabs")
    ann.commit("promote")
    ann.remembers("tabs")
    ann.at(40).run("sweep")
    ann.at(41).run("sweep")
    ann.commit("demote")


@pytest.fixture
def ben(person: Person, colleague: Colleague, once: Once) -> Person:
    """Ben clones what Ann has promoted, and demoted again."""
    once(person, let_go)
    person.at(41)
    return colleague()


def test_what_was_demoted_is_listed_with_its_text_and_reason(ben: Person) -> None:
    (entry,) = ben.run("query", "--demoted", "--json").json["entries"]
    assert (entry["text"], entry["status"]) == (FACTS["queue"], "demoted")
    assert "not seen for" in entry["reason"] and entry["demoted_at"] == "2026-02-11T00:00:00Z"
    assert entry["original_confidence"] == 0.5
    assert entry["promoted_at"] == "2026-01-03T00:00:00Z"


def test_what_left_before_there_was_a_ledger_goes_back_where_git_says_that_it_stood(
    person: Person, colleague: Colleague
) -> None:
    line = FACTS["queue"]
    person.write(
        "AGENTS.md", f"<!-- intermem:begin -->\n## Testing\n\n- {line}\n- {FACTS['tabs']}\n<!-- intermem:end -->\n"
    )
    person.commit("by hand")
    person.run("sweep")
    person.take_out("queue")
    person.commit("no queue")
    person.run("reject", person.record("tabs")["id"])
    person.commit("no tabs")
    assert [not one.get("doc") for one in person.ledger().values()] == [True, True]
    ben = colleague()
    for key in [one["id"] for one in ben.run("query", "--status", "rejected", "--json").json["entries"]]:
        assert "into AGENTS.md" in ben.run("restore", key).out
    assert f"## Testing\n\n- {line}\n- {FACTS['tabs']}\n" in ben.read()


def test_status_says_how_many_entries_only_the_ledger_knows(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    assert "1 entry in documents that is not on record here yet" in colleague("one").run("status").out
    person.promotes("queue", "tabs", day=5)
    person.commit("promote")
    assert "2 entries in documents that are not on record here yet" in colleague("two").run("status").out
    key = person.record("tabs")["id"]
    person.at(6).run("demote", key)
    person.commit("demote")
    ben = colleague("three")
    ben.at(7).run("restore", key)
    ben.commit("restore")
    person.at(8).git("pull", "-q", str(ben.root), "main")
    told = person.run("status").out
    assert "not on record" not in told and f"{key[:8]} promoted again into AGENTS.md on" in told


def test_the_confidence_of_a_promotion_is_known_to_who_has_learnt_of_it(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", "tabs")
    event = next(path for path in person.root.glob(".intermem/ledger/*promoted*"))
    event.write_text(event.read_text("utf-8").replace('"confidence": 0.5', '"confidence": 0.7'), "utf-8")
    person.commit("promote")
    ben = colleague()
    ben.at(3).run("sweep")
    ben.goes_stale(300)
    was = sorted(one["original_confidence"] for one in ben.run("query", "--demoted", "--json").json["entries"])
    assert was == [0.5, 0.7]


def test_why_and_log_tell_the_story_of_what_has_no_record_here(ben: Person) -> None:
    (entry,) = ben.run("query", "--demoted", "--json").json["entries"]
    told = ben.run("why", entry["id"][:8]).out
    assert FACTS["queue"] in told and "promoted into AGENTS.md: seen in 3 snapshots" in told
    rows = ben.run("log", entry["id"], "--json").json["history"]
    assert [row["event"] for row in rows] == ["demoted", "promoted"]
    everything = ben.run("log", "--json").json["history"]
    assert [row["event"] for row in everything] == ["demoted", "promoted", "promoted"]
    assert len(ben.run("log", "--limit", "1", "--json").json["history"]) == 1


def test_what_stands_is_told_too_and_nothing_twice_where_it_was_done(ben: Person, person: Person) -> None:
    told = [row["event"] for row in ben.run("log", "--json").json["history"]]
    own = [row["event"] for row in person.run("log", "--json").json["history"]]
    assert told.count("promoted") == own.count("promoted") == 2
    assert told.count("demoted") == own.count("demoted") == 1


def test_it_is_restored_from_there(ben: Person) -> None:
    (entry,) = ben.run("query", "--demoted", "--json").json["entries"]
    ben.run("restore", entry["id"])
    assert ben.holds("queue")


def test_nobody_is_found_who_never_was(ben: Person) -> None:
    assert "no entry starts with abcd" in ben.run("why", "abcd", code=2).err
    assert "no entry starts with abcd" in ben.run("log", "abcd", code=2).err


def test_what_a_person_says_of_an_entry_that_a_sweep_demoted_travels(
    ben: Person, person: Person, colleague: Colleague
) -> None:
    (entry,) = ben.run("query", "--demoted", "--json").json["entries"]
    ben.run("demote", entry["id"], "--for-review", "--reason", "it was never true", code=None)
    person.run("demote", entry["id"], "--for-review", "--reason", "it was never true")
    events = [row["event"] for row in person.run("log", entry["id"], "--json").json["history"]]
    assert events.count("demoted") == 2 and "feedback" in events
    person.commit("not true")
    carol = colleague("carol")
    carol.remembers("queue")
    carol.scans("2026-02-12", "2026-02-13", "2026-02-14")
    (row,) = carol.run("promote", "--json").json["refused"]
    assert row["gate"] == "review" and "confirm lifts that" in row["reason"]
    assert "it was never true" in carol.run("why", entry["id"]).out


def listed(box: Person, *options: str) -> list[str]:
    """What a query returns, by text, in its order."""
    return [one["text"] for one in box.run("query", *options, "--json", "--no-touch", code=None).json["entries"]]


def test_a_query_answers_as_this_branch_says_after_a_pull(person: Person, colleague: Colleague) -> None:
    facts = ("queue", "tabs", "tokens", "cache")
    person.promotes(*facts)
    person.commit("promote")
    ben = colleague()
    ben.remembers(*facts)
    ben.run("scan")
    ben.run("sweep")
    person.at(3).run("demote", person.record("queue")["id"], "--for-review")
    person.run("demote", person.record("tabs")["id"])
    person.run("reject", person.record("tokens")["id"])
    person.run("pin", person.record("cache")["id"])
    person.commit("decide")
    ben.at(4).git("pull", "-q", str(person.root), "main")
    before = ben.tree_hash()
    assert set(listed(ben, "--demoted")) == {FACTS["queue"], FACTS["tabs"]}
    assert set(listed(ben, "--all", "--status", "demoted")) == {FACTS["queue"], FACTS["tabs"]}
    assert listed(ben, "--review") == [FACTS["queue"]]
    assert listed(ben, "--pinned") == [FACTS["cache"]]
    assert listed(ben, "--search", "staging") == [FACTS["tokens"]]
    assert ben.record("tokens")["rejected_at"] == "2026-01-04T00:00:00Z"
    assert "by hand" in ben.record("tokens")["reason"]
    assert ben.tree_hash() == before


def test_a_scan_forgets_nothing_that_the_ledger_says(ben: Person) -> None:
    (before,) = ben.run("query", "--demoted", "--json").json["entries"]
    ben.remembers("queue")
    ben.at(42).run("scan")
    ben.run("query", "--demoted")
    for command in ("scan", "sweep"):
        ben.run(command)
        (entry,) = ben.run("query", "--demoted", "--json").json["entries"]
        assert (entry["demoted_at"], entry["original_confidence"]) == (before["demoted_at"], 0.5)
        assert entry["reason"] == before["reason"] and "not seen for" in entry["reason"]


def test_a_search_finds_a_line_in_the_words_that_a_person_gave_it(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.edit("without a word", "and say nothing")
    assert listed(person, "--search", "say nothing") == [FACTS["queue"].replace("without a word", "and say nothing")]
    assert listed(person, "--search", "tabs", "--limit", "1") == [FACTS["tabs"]]


def known_by_the_ledger_alone(person: Person, colleague: Colleague) -> tuple[Person, dict[str, str]]:
    """A clone without a record of what was demoted for review, demoted, and rejected; and the ids."""
    facts = ("queue", "tabs", "tokens")
    person.promotes(*facts)
    person.commit("promote")
    ids = {name: person.record(name)["id"] for name in facts}
    person.at(3).run("demote", ids["queue"], "--for-review")
    person.run("demote", ids["tabs"])
    person.run("reject", ids["tokens"])
    person.commit("decide")
    return colleague(), ids


def test_every_verb_knows_what_only_the_ledger_knows(person: Person, colleague: Colleague) -> None:
    ben, ids = known_by_the_ledger_alone(person, colleague)
    before = ben.tree_hash()
    for name, key in ids.items():
        for verb in (
            ("feedback", key, "confirm"),
            ("pin", key),
            ("reject", key),
            ("demote", key),
            ("purge", "--id", key),
        ):
            said = ben.run(*verb, *(("--dry-run",) if verb[0] != "purge" else ()), code=None)
            assert (said.code in (0, 1) and FACTS[name][:30] in said.out + said.err) or "Refused" in said.out, verb
            assert "out of AGENTS.md" not in said.out
        (row,) = ben.run("promote", key, "--dry-run", "--json", code=1).json["refused"]
        assert row["gate"] == {"queue": "review", "tabs": "withdrawn", "tokens": "rejected"}[name]
    assert "already rejected on 2026-01-04" in ben.run("reject", ids["tokens"], code=1).out
    assert ben.run("prune", "--older-than", "0", "--delete", "--json", code=1).json["evaluated"] == 0
    assert ben.tree_hash() == before


def test_a_colleague_reviews_what_was_demoted_for_review_and_it_is_kept(person: Person, colleague: Colleague) -> None:
    ben, ids = known_by_the_ledger_alone(person, colleague)
    assert listed(ben, "--review") == [FACTS["queue"]]
    ben.at(4).run("feedback", ids["queue"], "confirm")
    assert listed(ben, "--review") == []
    assert (ben.record("queue")["status"], ben.record("queue")["feedback"]) == ("demoted", 0.1)
    ben.run("undo")
    assert listed(ben, "--review") == [FACTS["queue"]]
    ben.run("pin", ids["tabs"])
    ben.commit("pinned")
    person.git("pull", "-q", str(ben.root), "main")
    assert person.record("tabs")["pinned"]


@pytest.mark.parametrize("selector", [("--search", "counts", "tabs"), ("--older-than", "0"), ("--status", "demoted")])
def test_a_purge_of_it_takes_its_events_and_leaves_a_tombstone(
    person: Person, colleague: Colleague, selector: tuple[str, ...]
) -> None:
    ben, ids = known_by_the_ledger_alone(person, colleague)
    said = ben.at(4).run("purge", *selector, "--confirm")
    assert "Purged" in said.out
    assert ben.standing("tabs") == "purged"
    assert [path.name.split("-")[2] for path in (ben.root / ".intermem/ledger").glob(f"{ids['tabs']}*")] == ["purged"]
    assert FACTS["tabs"] not in listed(ben, "--all")


@pytest.mark.parametrize("wording", [(), ("--text", "Start the queue worker first, or every test hangs.")])
def test_what_was_purged_is_forgotten_in_a_clone_that_had_only_scanned_it(
    person: Person, colleague: Colleague, wording: tuple[str, ...]
) -> None:
    person.remembers("queue", "tabs")
    ben = colleague()
    ben.remembers("queue", "tabs")
    for box in (person, ben):
        for day in (0, 1, 2):
            box.at(day).run("scan")
    key = person.record("queue")["id"]
    person.run("promote", key, "--yes", *wording)
    person.commit("promote")
    person.at(3).run("purge", "--id", key, "--from-documents", "--confirm")
    person.run("reject", person.record("tabs")["id"])
    person.run("purge", "--id", person.record("tabs")["id"], "--confirm")
    person.commit("purge")
    person.git("checkout", "-q", "HEAD~1", "--", "AGENTS.md")  # the line is back, by whatever mistake
    person.commit("it stands again")
    ben.at(4).git("pull", "-q")
    told = ben.run("status").err
    assert f"AGENTS.md still contains {ben.record('queue')['id'][:8]}, which was purged" in told or wording
    person.git("revert", "--no-edit", "HEAD")
    ben.git("pull", "-q")
    assert "purged: set aside here; what stood in a" in ben.run("status").err
    said = ben.run("sweep")
    assert f"1 entry purged in another clone ({key[:8]}): forgotten here too" in said.err
    before = [line for line in ben.run("undo", "--list").out.splitlines() if " scan " in line]
    assert len(before) == 3 and all("dropped by a purge" in line for line in before)
    assert "a purge dropped what was kept for it" in ben.run("undo", "1", code=None).err
    database = ben.root / ".git/intermem/root/metadata.db"
    assert b"queue worker" not in database.read_bytes()
    assert listed(ben, "--all") == [FACTS["tabs"]], "it never was in a document: nobody else can know it"
    assert "what was in none by intermem purge --id" in ben.run("status").err
    ben.run("purge", "--id", identity(FACTS["tabs"]), "--confirm")
    assert listed(ben, "--all") == [] and "set aside" not in ben.run("status").err


def test_history_and_reasons_are_in_plain_words_here_and_in_a_clone(person: Person, colleague: Colleague) -> None:
    facts = ("queue", "tabs", "tokens")
    person.promotes(*facts)
    person.commit("promote")
    old, new, wrong = (person.record(name)["id"] for name in facts)
    person.at(3).run("demote", old, "--by", new, "--reason", "says it better")
    person.run("feedback", new, "incorrect")
    person.run("demote", wrong, "--for-review", "--reason", "is it so")
    person.run("pin", new)
    person.run("pin", new, "--remove")
    assert {one["verb"] for one in person.run("undo", "--list", "--json").json["operations"]} == {
        "init",
        "scan",
        "promote",
        "demote",
        "feedback",
        "pin",
    }
    rows = person.run("log", "--json").json["history"]
    assert ("demoted", "out of AGENTS.md: for review; is it so; confidence 0.5") in {
        (one["event"], one["detail"]) for one in rows
    }
    assert ("feedback", "flagged for review: is it so") in {(one["event"], one["detail"]) for one in rows}
    person.commit("decide")
    ben = colleague()
    ben.remembers(*facts)
    for day in (4, 5, 6):
        ben.at(day).run("scan")
    assert [one["detail"] for one in ben.run("log", "--json").json["history"] if one["event"] == "feedback"] == [
        "−0.3: incorrect"
    ]
    refused = {row["entry"]["id"]: row for row in ben.run("promote", "--json").json["refused"]}
    assert refused[old]["gate"] == "superseded" and refused[old]["reason"].startswith(f"superseded by {new[:8]};")
    assert "says it better" in ben.record("queue")["reason"]
    ben.run("sweep")
    assert f"against it superseded by {new[:8]}" in ben.run("why", old).out


def test_the_day_on_which_an_entry_goes_stale_is_that_of_the_sweep_and_does_not_slide(
    person: Person, colleague: Colleague
) -> None:
    person.promotes("queue")
    person.edit(f"- {FACTS['queue']}\n", f"- {FACTS['queue']}\n- {FACTS['locks']}\n")
    person.commit("promote, and a line by hand")
    person.at(4).run("sweep")
    person.run("pin", person.record("locks")["id"], "--remove")
    person.commit("adopted")
    ben = colleague()
    ids = [ben.record(name)["id"] for name in ("queue", "locks")]
    for box, name in ((ben, "queue"), (ben, "locks"), (person, "locks")):
        key = ids[0] if name == "queue" else ids[1]
        days = {box.at(day).run("why", key, "--json").json["stale_on"] for day in (5, 40, 100, 180)}
        assert len(days) == 1, (name, days)
        (moment,) = days
        last = (datetime.fromisoformat(moment) - START).days
        assert last > 180 + 28
        box.at(last - 1)
        assert not box.run("why", key, "--json").json["stale"]
        box.at(last)
        assert box.run("why", key, "--json").json["stale"]
    told = ben.at(5).run("status", "--json").json["next_stale"]
    assert told["at"] == min(ben.run("why", key, "--json").json["stale_on"] for key in ids)


@pytest.mark.parametrize("command", [("prune", "--older-than", "10d"), ("sweep",)])
def test_an_age_names_a_day_that_is_on_record(person: Person, colleague: Colleague, command: tuple[str, ...]) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    clone = colleague("new")
    clone.run("status")
    found = clone.at(250).run(*command, "--dry-run", "--json").json
    said = "not seen for 248 days (since 2026-01-03), less the 180 days of ledger.observer_days"
    assert [said in one["reason"] for one in found["demoted"]] == [True]


def test_what_is_out_does_not_go_stale_and_a_grace_is_called_what_it_is(person: Person) -> None:
    person.promotes("queue", "tabs", "tokens")
    person.commit("promote")
    person.at(3).run("demote", person.record("queue")["id"])
    person.run("reject", person.record("tabs")["id"])
    for name, out in (("queue", True), ("tabs", True), ("tokens", False)):
        said = person.run("why", person.record(name)["id"]).out
        assert ("goes stale" not in said) is out
    person.run("restore", person.record("queue")["id"])
    said = person.run("why", person.record("queue")["id"]).out
    assert "spared     until 2026-01-18: no sweep counts against it" in said


def test_a_clone_that_has_not_swept_judges_citations_before_it_says_or_does_anything(
    person: Person, colleague: Colleague
) -> None:
    fact = "Never edit `src/app.py` by hand: the generator overwrites it."
    person.promotes(fact)
    key = person.record(fact)["id"]
    person.run("feedback", key, "incorrect")
    person.commit("promote")
    ben = colleague().at(4)
    assert ben.run("why", key, "--json").json["entry"]["confidence"] == 0.5  # 0.5 + 0.3 − 0.3
    status = ben.run("status", "--json").json
    assert status["entries"] == {"active": 1, "all": 1, "demoted": 0, "stale": 0}
    assert status["next_stale"]["at"] == ben.run("why", key, "--json").json["stale_on"]
    assert ben.run("status", "--figures", "--json").json["entries"]["average_confidence"] == 0.5
    assert ben.record(fact)["confidence"] == 0.5
    ben.run("query", "--stale", code=1)
    for criterion in (["--min-score", "0.3"], ["--min-score", "0.5", "--delete"]):
        assert "nothing to prune" in ben.run("prune", *criterion, code=1).out
    assert ben.holds(fact)


@pytest.mark.parametrize("day", [41, 90])
def test_a_clone_lists_what_is_out_with_the_confidence_that_why_shows(ben: Person, day: int) -> None:
    ben.at(day)
    (listed,) = ben.run("query", "--demoted", "--json").json["entries"]
    told = ben.run("why", listed["id"], "--json").json["entry"]
    figures = ("confidence", "base_confidence", "citations", "status", "reason")
    assert [listed[name] for name in figures] == [told[name] for name in figures]
    assert listed["confidence"] < listed["base_confidence"] == listed["original_confidence"] == 0.5


def test_what_is_out_and_never_was_in_a_document_ages_the_same_everywhere(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.remembers("queue", "tabs")
    person.run("scan")
    person.run("demote", person.record("tabs")["id"])
    person.commit("demote a candidate")
    (listed,) = colleague().at(60).run("query", "--demoted", "--json").json["entries"]
    told = colleague("other").at(60).run("why", listed["id"], "--json").json["entry"]
    assert listed["confidence"] == told["confidence"] < 0.5


def test_a_clone_keeps_the_reason_of_what_was_rejected_whatever_its_age(person: Person, colleague: Colleague) -> None:
    ben, ids = known_by_the_ledger_alone(person, colleague)
    found = {one["id"]: one for one in ben.at(200).run("query", "--all", "--json").json["entries"]}
    rejected = found[ids["tokens"]]
    assert rejected["state"] == "rejected" and "by hand" in rejected["reason"]
    assert rejected["confidence"] == ben.run("why", ids["tokens"], "--json").json["entry"]["confidence"] == 0.0


def test_a_clone_counts_what_left_by_the_ledger_and_nothing_twice(person: Person, colleague: Colleague) -> None:
    def removed(box: Person) -> dict[str, dict[str, int]]:
        found = box.run("status", "--figures", "--json").json["removed_this_month"]
        rows = {
            cause: {event: count for event, count in row.items() if count} for cause, row in found["by_cause"].items()
        }
        assert found["total"] == sum(sum(row.values()) for row in rows.values())
        return {cause: row for cause, row in rows.items() if row}

    person.promotes("queue", "tabs", "tokens", "cache")
    person.at(33).run("reject", person.record("tokens")["id"])
    person.run("prune", "--search", "build cache", "--delete", "--confirm")
    person.goes_stale(40)
    person.commit("promote, and take out")
    assert removed(person) == {"decay": {"demoted": 2}, "prune": {"deleted": 1}, "hand": {"rejected": 1}}
    ben = colleague().at(45)
    assert removed(ben) == {"ledger": {"demoted": 3, "rejected": 1}}
    ben.run("sweep")
    assert removed(ben) == {"ledger": {"demoted": 3, "rejected": 1}}, "what it has learnt since is no second removal"
    assert removed(ben.at(60)) == {}


def test_a_clone_that_has_not_swept_says_that_what_was_cited_is_gone(person: Person, colleague: Colleague) -> None:
    fact = "Never edit `src/app.py` by hand: the generator overwrites it."
    person.promotes(fact)
    person.git("rm", "-q", "src/app.py")
    person.commit("promote")
    ben = colleague().at(4)
    assert ben.run("status", "--json").json["entries"]["stale"] == 1
    assert [one["text"] for one in ben.run("query", "--stale", "--json").json["entries"]] == [fact]
    ben.run("prune", "--min-score", "0.3")
    assert not ben.holds(fact)


def test_an_exported_archive_says_once_when_an_entry_was_demoted(ben: Person) -> None:
    exported = ben.run("query", "--demoted", "--format", "md").out
    assert "demoted on 2026-02-11, according to the ledger: " in exported and exported.count("2026-02-11") == 1


def test_a_scan_calls_nothing_stable_that_is_in_a_document_or_was_taken_out(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue", "tabs", "tokens")
    person.run("demote", person.record("tabs")["id"])
    person.commit("promote, and take one out")
    person.take_out("tokens")
    person.commit("and another")
    ben = colleague()
    ben.remembers("queue", "tabs", "tokens")
    for day in (4, 5, 6):
        assert "stable: intermem promote" not in ben.at(day).run("scan").out
    ben.remembers("queue", "tabs", "tokens", "locks")
    said = [ben.at(day).run("scan").out for day in (7, 8, 9)]
    assert "1 entry is stable: intermem promote" in said[2]


def test_status_counts_what_the_lists_show(ben: Person) -> None:
    ben.edit(f"- {FACTS['tabs']}\n", "")
    ben.commit("and another, by hand")
    counted = ben.run("status", "--json").json
    figures = ben.run("status", "--figures", "--json").json["entries"]
    for state in ("demoted", "rejected"):
        listed = len(ben.run("query", "--status", state, "--json").json["entries"])
        assert listed == 1 == figures[state]
        assert listed == (counted["entries"]["demoted"] if state == "demoted" else counted["rejected"])


def test_feedback_of_others_counts_in_lists_before_and_after_the_first_scan(
    person: Person, colleague: Colleague
) -> None:
    person.promotes("queue", "tabs")
    key = person.record("queue")["id"]
    for _ in range(2):
        person.run("feedback", key, "incorrect")
    person.commit("feedback")
    ben = colleague().at(4)
    ben.remembers("queue", "tabs")

    def listed() -> tuple[float, str]:
        (found,) = (one for one in ben.run("query", "--all", "--json").json["entries"] if one["id"] == key)
        return found["confidence"], found["status"]

    before = listed()
    ben.run("scan")
    assert listed() == before
    told = ben.run("why", key, "--json").json["entry"]
    assert (told["confidence"], told["status"]) == before
    assert before[1] == "stale"
    ben.run("query", "--stale", code=0)
    assert "has gone stale since" not in ben.run("query", "--stale").err


LEAVING = [
    ("demote", "ID"),
    ("reject", "ID"),
    ("demote", "ID", "--for-review"),
    ("prune", "--older-than", "0"),
    ("prune", "--older-than", "0", "--delete", "--confirm"),
]


@pytest.mark.parametrize("command", LEAVING)
def test_what_leaves_a_clone_that_has_judged_nothing_leaves_with_the_confidence_that_why_shows(
    person: Person, colleague: Colleague, command: tuple[str, ...]
) -> None:
    fact = "Start the application with `src/app.py` alone, never with the module flag."
    person.promotes(fact)
    person.commit("promote")
    ben = colleague().at(42)
    key = identity(fact)
    shown = ben.run("why", key, "--json").json["entry"]["confidence"]
    assert shown == 0.8, "0.5, and 0.3 for what it cites"
    ben.run(*(key if part == "ID" else part for part in command))
    assert f"confidence {shown}" in ben.run("log", "--limit", "1").out


def test_a_citation_that_went_since_the_last_sweep_counts_in_the_final_confidence(person: Person) -> None:
    fact = "Start the application with `src/app.py` alone, never with the module flag."
    person.promotes(fact)
    (person.root / "src/app.py").unlink()
    shown = person.run("why", identity(fact), "--json").json["entry"]["confidence"]
    person.run("demote", identity(fact))
    assert f"confidence {shown}" in person.run("log", "--limit", "1").out
    assert shown < 0.5


def test_a_line_deleted_by_hand_has_its_final_confidence_in_every_clone(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.at(20)
    person.edit(f"- {FACTS['queue']}\n", "")
    person.commit("without it")
    said = person.run("log", "--limit", "1").out
    assert "rejected" in said, "before anything was written"
    final = said.rpartition("confidence ")[2].split()[0]
    person.run("sweep", "--no-scan")
    (event,) = [one for one in events_in(person.root) if one["what"] == "rejected"]
    assert str(event["confidence"]) == final
    person.commit("sweep")
    ben = colleague().at(200)
    for verb in (("log", "--limit", "1"), ("why", identity(FACTS["queue"]))):
        assert f"; confidence {final}" in ben.run(*verb).out


@pytest.mark.parametrize("first", ["clone", "owner"])
def test_a_line_deleted_by_hand_left_with_the_confidence_that_why_shows(
    person: Person, colleague: Colleague, first: str
) -> None:
    fact = "Start the application with `src/app.py` alone, never with the module flag."
    person.promotes(fact)
    person.commit("promote")
    ben = colleague().at(3)
    one = ben if first == "clone" else person.at(3)
    shown = one.run("why", identity(fact), "--json").json["entry"]["confidence"]
    one.edit(f"- {fact}\n", "")
    one.commit("without it")
    one.run("sweep", "--no-scan")
    (event,) = [event for event in events_in(one.root) if event["what"] == "rejected"]
    assert event["confidence"] == shown == 0.8


def test_what_comes_after_a_line_was_deleted_by_hand_changes_nothing(person: Person, colleague: Colleague) -> None:
    fact = "Start the application with `src/app.py` alone, never with the module flag."
    person.dated = True
    person.promotes(fact)
    person.commit("promote")
    late = colleague("late").at(6)
    late.dated = True
    person.at(5)
    person.edit(f"- {fact}\n", "")
    person.commit("without it")
    (person.root / "src/app.py").unlink()
    person.at(7).commit("app gone")
    late.run("feedback", identity(fact), "incorrect")
    late.commit("doubt")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(late.root), "main")
    for one in (person.at(30), colleague("cora").at(30)):
        assert "on 2026-01-06; confidence 0.8" in one.run("log", "--limit", "0").out


def test_one_removal_that_two_clones_found_is_one(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.dated = True
    person.at(5).take_out("queue")
    person.commit("without it")
    ben = colleague().at(6)
    ben.run("sweep", "--no-scan")
    person.at(7).run("sweep", "--no-scan")
    (mine,) = (person.root / ".intermem/ledger").glob("*rejected*")
    text = mine.read_text("utf-8")
    other = mine.with_name(mine.name.replace("rejected", "rejected-0"))
    (theirs,) = (ben.root / ".intermem/ledger").glob("*rejected*")
    if theirs.name == mine.name:
        changed = text.replace('"confidence": 0.', '"confidence": 0.1')
        assert changed != text
        from intermem.core.reconcile.events import file_name, parse_event

        event = parse_event(changed, mine.name)
        other = mine.with_name(file_name(event))
        other.write_text(changed, "utf-8")
    person.commit("both")
    fresh = colleague("cora").at(8)
    assert fresh.run("log", "--limit", "0").out.count("rejected") == 1
    assert fresh.run("status", "--figures", "--json").json["removed_this_month"]["total"] == 1


def test_a_pin_counts_for_a_line_deleted_by_hand_and_what_it_cites_as_it_is_now(person: Person) -> None:
    fact = "Start the application with `src/app.py` alone, never with the module flag."
    person.promotes("queue", fact)
    person.at(3).run("pin", identity(FACTS["queue"]))
    person.commit("pin")
    (person.root / "src/app.py").unlink()
    person.commit("app gone")
    person.at(50)
    for text in (FACTS["queue"], fact):
        person.edit(f"- {text}\n", "")
    person.commit("without them")
    told = person.run("log", "--limit", "2").out
    assert "which unpins it; confidence 0.5" in told
    assert "confidence 0.0" in told


def test_every_clone_counts_what_left_in_the_month_when_it_did(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", "tabs", "cache")
    person.commit("promote")
    ben = colleague().at(40)
    ben.run("demote", identity(FACTS["queue"]))
    ben.run("reject", identity(FACTS["tabs"]))
    ben.take_out("cache")
    ben.dated = True
    ben.commit("take out")
    person.git("pull", "-q", str(ben.root), "main")
    fresh = colleague("cora")
    for settled in (False, True):
        for one in (ben, person, fresh):
            here = one.at(80).run("status", "--figures", "--json").json["removed_this_month"]
            then = one.at(41).run("status", "--figures", "--json").json["removed_this_month"]
            assert (here["total"], then["total"]) == (0, 3), one.root
        for one in (ben, person, fresh) if not settled else ():
            one.at(80).run("sweep", "--no-scan")


def test_what_a_colleague_took_out_had_the_confidence_of_that_day(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague().at(20)
    ben.run("demote", identity(FACTS["queue"]))
    final = ben.run("log", "--limit", "1").out.rpartition("confidence ")[2].split()[0]
    ben.commit("demote")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(200).run("sweep", "--no-scan")
    cora = colleague("cora").at(200)
    for one in (person, cora):
        assert f"by hand; confidence {final}" in one.run("log", "--limit", "1").out


@pytest.fixture
def restored(person: Person) -> Person:
    """Ann's repository: the line went stale, was demoted, and Ann restored it on day 50."""
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    person.goes_stale()
    assert not person.holds("queue")
    person.commit("demote")
    person.at(50).run("restore", person.record("queue")["id"])
    person.commit("restore")
    return person


def test_what_a_person_restored_is_spared_in_every_clone_until_the_grace_is_over(
    restored: Person, colleague: Colleague
) -> None:
    key = identity(FACTS["queue"])
    for name, first in (("ben", 51), ("cora", 63)):
        clone = colleague(name)
        clone.dated = True
        clone.sweeps(first, first + 0.5)
        clone.commit("sweep")
        clone.sweeps(63.9)
        assert clone.holds("queue"), name
        assert "until 2026-03-06: no sweep counts against it" in clone.run("why", key).out
        assert "put back lately" in clone.run("prune", "--min-score", "0.9", "--dry-run", code=1).out
    late = colleague("dan")
    late.at(63).run("prune", "--min-score", "0.9", code=1)
    assert late.holds("queue")


def test_once_the_grace_is_over_sweeps_begin_to_count_also_by_the_history(
    restored: Person, colleague: Colleague
) -> None:
    """Half way through the grace it was as old as now, but then no sweep counted against it."""
    clone = colleague()
    clone.sweeps(65)
    assert clone.holds("queue")
    clone.sweeps(66)
    assert not clone.holds("queue")


def test_what_is_lifted_without_a_document_is_spared_in_every_clone(person: Person, colleague: Colleague) -> None:
    ben = colleague()
    for one in (person, ben):
        one.remembers("queue")
        one.at(1).run("scan")
    key = person.record("queue")["id"]
    person.run("demote", key)
    person.commit("demote")
    ben.git("pull", "-q", str(person.root), "main")
    ben.run("sweep", "--no-scan")
    person.at(3).run("restore", key)
    person.commit("restore")
    ben.git("pull", "-q", str(person.root), "main")
    for one in (person, ben):
        said = one.at(4).run("prune", "--keep-newest", "0", "--dry-run", code=1).out
        assert "put back lately, protected until 2026-01-18" in said, one.root


def test_what_this_clone_saw_after_a_line_was_deleted_by_hand_changes_nothing(
    person: Person, colleague: Colleague
) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    shown = person.at(5).run("why", identity(FACTS["queue"]), "--json").json["entry"]["confidence"]
    person.take_out("queue")
    person.commit("without it")
    for day in (6, 7, 8, 9):
        person.at(day).run("scan")
    assert f"on 2026-01-06; confidence {shown}" in person.run("log", "--limit", "0").out
    person.run("sweep")
    (event,) = [one for one in events_in(person.root) if one["what"] == "rejected"]
    assert event["confidence"] == shown


def test_a_note_that_comes_back_after_its_line_was_deleted_by_hand_does_not_make_the_removal_younger(
    person: Person,
) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    person.remembers("nothing that anybody promotes")
    person.at(30).run("sweep", "--no-demote")
    person.commit("sweep")
    person.at(44)
    shown = person.run("why", identity(FACTS["queue"]), "--json").json["entry"]["confidence"]
    person.take_out("queue")
    person.commit("without it")
    person.remembers("queue")
    person.at(45).run("scan")
    assert shown < 0.5
    assert f"on 2026-02-14; confidence {shown}" in person.run("log", "--limit", "0").out


def test_a_pin_by_who_did_not_know_of_a_removal_changes_nothing_about_it(person: Person, colleague: Colleague) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    person.remembers("nothing that anybody promotes")
    person.at(30).run("sweep", "--no-demote")
    person.commit("sweep")
    late = colleague().at(47)
    late.dated = True
    person.at(44).take_out("queue")
    person.commit("without it")
    final = person.run("log", "--limit", "1").out.rpartition("confidence ")[2].split()[0]
    late.run("pin", identity(FACTS["queue"]))
    late.commit("pin")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(late.root), "main")
    assert float(final) < 0.5
    for one in (person, colleague("cora")):
        said = one.at(48).run("log", "--limit", "0").out
        assert f"confidence {final}" in next(line for line in said.splitlines() if "rejected" in line), one.root


def test_each_removal_of_an_entry_stays_in_the_log_and_counts_once(person: Person, colleague: Colleague) -> None:
    """For one reason, a colleague's and one's own: a row of the history tells of one event."""
    key = identity(FACTS["queue"])
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    ben = colleague().at(5)
    ben.dated = True
    ben.run("demote", key)
    ben.at(6).run("restore", key)
    ben.commit("and back")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(20).run("demote", key)
    person.commit("demote")
    ben.git("pull", "-q", str(person.root), "main")
    for settled in (False, True):
        for one in (person, ben, colleague("cora" if settled else "dan")):
            told = one.at(21).run("log", "--limit", "0").out
            assert [line[:10] for line in told.splitlines() if " demoted " in line] == ["2026-01-21", "2026-01-06"]
            assert one.run("status", "--figures", "--json").json["removed_this_month"]["total"] == 2
            one.run("sweep", "--no-scan")


def test_what_two_clones_demoted_each_by_itself_left_once(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    for one, hour in ((person, 0.0), (ben, 0.25)):
        one.dated = True
        one.sweeps(220 + hour, 225 + hour)
        assert not one.holds("queue")
        one.commit("sweep")
    ben.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(person.root), "main")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben, colleague("cora")):
        assert one.at(226).run("status", "--figures", "--json").json["removed_this_month"]["total"] == 1, one.root


def test_a_purge_counts_in_the_month_in_which_it_was_done(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague().at(20)
    ben.run("purge", "--id", identity(FACTS["queue"])[:8], "--from-documents", "--confirm")
    ben.commit("purge")
    person.git("pull", "-q", str(ben.root), "main")
    for settled in (False, True):
        for one in (ben, person, colleague("cora" if settled else "dan")):
            then = one.at(21).run("status", "--figures", "--json").json["removed_this_month"]
            here = one.at(40).run("status", "--figures", "--json").json["removed_this_month"]
            assert (then["total"], here["total"]) == (1, 0), one.root
        person.at(40).run("sweep", "--no-scan")
    assert "forgotten  1 entry: purged in another clone" in person.run("log", "--limit", "1").out


def test_feedback_in_the_run_that_finds_a_removal_travels(person: Person, colleague: Colleague) -> None:
    key = identity(FACTS["queue"])
    person.dated = True
    person.promotes("queue")
    person.at(3).run("feedback", key, "incorrect")
    person.commit("promote")
    person.at(4).take_out("queue")
    person.commit("without it")
    person.at(5).run("feedback", key, "confirm")
    person.commit("confirm")
    for one in (person, colleague()):
        assert one.run("why", key, "--json").json["entry"]["confidence"] == 0.3, one.root
    assert [one["amount"] for one in events_in(person.root) if one["what"] == "feedback"] == [-0.3, 0.1]


def test_who_restores_an_entry_has_not_seen_its_note(restored: Person, colleague: Colleague) -> None:
    restored.commit("restore")
    for one in (restored, colleague()):
        (entry,) = one.at(66).run("prune", "--older-than", "30d", "--dry-run", "--json").json["demoted"]
        assert "since 2026-01-03" in entry["reason"], one.root


@pytest.mark.parametrize("first", ["the note", "the ledger"])
def test_a_candidate_that_was_restored_is_spared_by_who_never_knew_that_it_was_out(
    person: Person, colleague: Colleague, first: str
) -> None:
    person.dated = True
    person.promotes("tabs")
    person.commit("promote")
    ben = colleague()
    person.remembers("tabs", "queue")
    person.at(4).run("scan")
    ben.remembers("queue")
    if first == "the note":
        ben.at(4).run("scan")
    key = person.record("queue")["id"]
    person.at(5).run("demote", key)
    person.at(20).run("restore", key)
    person.commit("restore")
    person.remembers("tabs")
    person.at(21).run("scan")
    ben.git("pull", "-q", str(person.root), "main")
    if first == "the ledger":
        ben.at(21).run("scan")
    ben.remembers("tabs")
    ben.at(21).run("sweep")
    for one in (person, ben):
        said = one.at(34).run("prune", "--older-than", "10d", "--search", "queue worker", "--dry-run", code=1).out
        assert "put back lately, protected until 2026-02-04" in said, one.root
        assert key[:8] in one.at(36).run("prune", "--older-than", "10d", "--search", "queue worker", "--dry-run").out


@pytest.mark.parametrize("basis", ["seen", "accessed", "latest"])
def test_neither_a_sight_nor_a_query_after_a_removal_by_hand_makes_it_younger(person: Person, basis: str) -> None:
    """Here the note was in the memory when the line went, but no snapshot of that time proves it."""
    person.write(".intermem.toml", f'[decay]\nbasis = "{basis}"\n')
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    person.at(44)
    person.remembers("tabs")
    shown = person.run("why", identity(FACTS["queue"]), "--json").json["entry"]["confidence"]
    person.remembers("queue")
    person.take_out("queue")
    person.commit("without it")
    person.at(50).run("scan")
    person.run("query", "--all", "--search", "queue worker")
    assert shown < 0.5
    assert f"on 2026-02-14; confidence {shown}" in person.run("log", "--limit", "0").out


@pytest.mark.parametrize("verbs", [("demote", "reject"), ("reject", "demote")])
def test_two_words_against_one_entry_are_two_events_in_every_clone(
    person: Person, colleague: Colleague, verbs: tuple[str, str]
) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    ben = colleague().at(6)
    ben.dated = True
    for one, day, verb in ((person, 5, verbs[0]), (ben, 6, verbs[1])):
        one.at(day).run(verb, identity(FACTS["queue"]))
        one.commit(verb)
    ben.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(person.root), "main")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben, colleague("cora")):
        removed = one.at(7).run("status", "--figures", "--json").json["removed_this_month"]
        assert removed["total"] == 2, one.root


def test_of_what_was_purged_the_purge_alone_counts_and_nothing_that_a_merge_brings_back_stays(
    person: Person, colleague: Colleague
) -> None:
    key = identity(FACTS["queue"])
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague().at(5)
    ben.run("pin", key, "--reason", "it says hunter2, which nobody may read")
    ben.run("pin", key, "--remove")
    ben.run("demote", key)
    ben.commit("demote")
    person.at(6).run("purge", "--id", key[:8], "--from-documents", "--confirm")
    person.commit("purge")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(ben.root), "main")
    ben.git("pull", "-q", str(person.root), "main")
    fresh = colleague("cora")
    for one in (person, ben, fresh):
        removed = one.at(7).run("status", "--figures", "--json").json["removed_this_month"]
        assert removed["total"] == 1, one.root
        assert [path.name[:8] for path in (one.root / ".intermem/ledger").glob(f"{key}*")] != []
        one.run("sweep", "--no-scan")
        if one is ben:  # his default branch has no tombstone yet: a branch brings the ledger that its author likes
            assert len(list((one.root / ".intermem/ledger").glob(f"{key}*"))) > 1
            continue
        kept = [path.read_text("utf-8") for path in (one.root / ".intermem/ledger").glob(f"{key}*")]
        assert len(kept) == 1 and '"purged"' in kept[0], one.root
        one.is_settled()
        assert "hunter2" not in one.run("log", "--limit", "0").out


@pytest.mark.parametrize("year", [2090, 9999])
@pytest.mark.parametrize("document", ["AGENTS.md", ""])
def test_a_restore_that_is_said_of_the_future_spares_nothing(person: Person, year: int, document: str) -> None:
    from intermem.core.reconcile.events import LedgerEvent, What, event_text, path_of

    key = identity(FACTS["queue"])
    person.promotes("queue")
    if not document:
        person.run("reject", key)
    at = datetime.fromisoformat(f"{year}-12-25T00:00:00+00:00")
    event = LedgerEvent(id=key, at=at, what=What.RESTORED, by="person", document=document)
    person.write(path_of(event), event_text(event))
    person.commit("promote")
    person.at(3).run("sweep", "--no-scan")
    for verb in ("status", "check", "doctor"):
        person.run(verb, code=None)
    assert "no sweep counts against it" not in person.run("why", key).out


def test_what_only_this_clone_has_purged_stays_in_the_ledger_of_others(person: Person, colleague: Colleague) -> None:
    """A note that was in no document leaves no tombstone, nor does a purge on a branch that nobody merged."""
    person.promotes("tabs")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue")
    ben.at(3).run("scan")
    ben.run("purge", "--search", "queue worker", "--confirm")
    person.promotes("tabs", "queue", day=6)
    person.run("feedback", identity(FACTS["queue"]), "confirm")
    person.commit("promote")
    ben.git("pull", "-q", "origin", "main")
    before = sorted(path.name for path in (ben.root / ".intermem/ledger").iterdir())
    ben.at(7).run("sweep", "--no-scan")
    assert before == sorted(path.name for path in (ben.root / ".intermem/ledger").iterdir())
    person.git("switch", "-q", "-c", "side")
    person.at(8).run("purge", "--id", identity(FACTS["tabs"])[:8], "--from-documents", "--confirm")
    person.commit("purge")
    person.git("switch", "-q", "main")
    before = sorted(path.name for path in (person.root / ".intermem/ledger").iterdir())
    person.at(9).run("sweep", "--no-scan")
    assert before == sorted(path.name for path in (person.root / ".intermem/ledger").iterdir())


def test_what_two_clones_purged_each_by_itself_left_once(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague()
    for one, day in ((person, 8), (ben, 9)):
        one.at(day).run("purge", "--id", identity(FACTS["queue"])[:8], "--from-documents", "--confirm")
        one.commit("purge")
    ben.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(person.root), "main")
    person.git("pull", "-q", str(ben.root), "main")
    for one in (person, ben, colleague("cora")):
        removed = one.at(10).run("status", "--figures", "--json").json["removed_this_month"]
        assert removed["total"] == 1, one.root


@pytest.mark.parametrize("how", ["deleted by hand", "reverted"])
def test_what_a_colleague_fed_back_on_a_line_that_left_by_hand_still_counts(
    person: Person, colleague: Colleague, how: str
) -> None:
    person.dated = True
    person.commit("before")
    person.promotes("queue")
    promotion = person.commit("promote")
    ben = colleague().at(10)
    ben.dated = True
    ben.run("feedback", identity(FACTS["queue"]), "incorrect")
    ben.commit("doubt")
    ben.at(20)
    if how == "reverted":
        ben.git("revert", "--no-commit", promotion)
    else:
        ben.take_out("queue")
    ben.commit("without it")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(30).run("sweep", "--no-scan")
    assert "feedback" not in [event["what"] for event in events_in(person.root) if event.get("amount", 0) > 0]
    assert "0.5 every entry starts with − 0.3 feedback" in person.run("why", identity(FACTS["queue"])).out
    (told,) = (row["detail"] for row in person.run("log", "--json").json["history"] if row["event"] == "rejected")
    assert told.endswith(("; confidence 0.2", "; confidence 0.1")), told
    person.commit("noticed")
    fresh = colleague("cora").at(30)
    fresh.run("restore", identity(FACTS["queue"]))
    assert "− 0.3 feedback" in fresh.run("why", identity(FACTS["queue"])).out


def test_snapshots_after_a_promotion_was_reverted_count_for_no_removal(person: Person, colleague: Colleague) -> None:
    person.dated = True
    person.promotes("queue")
    promotion = person.commit("promote")
    ben = colleague().at(20)
    ben.dated = True
    ben.run("sweep", "--no-scan")
    ben.git("revert", "--no-commit", promotion)
    ben.commit("reverted")
    person.git("pull", "-q", str(ben.root), "main")
    ben.remembers("queue")
    for day in (21, 22, 23):
        ben.at(day).run("scan")
    found = []
    for one in (person, ben):
        one.at(24).run("sweep", "--no-scan")
        found += [row["detail"] for row in one.run("log", "--json").json["history"] if row["event"] == "rejected"]
    assert len(found) == 2 and found[0] == found[1]


def test_what_is_stale_in_a_fresh_clone_is_so_to_every_selector(person: Person, colleague: Colleague) -> None:
    person.dated = True
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.remembers("tabs")
    person.at(4).run("sweep")
    person.commit("it is lost")
    ben = colleague().at(50)
    for command in (
        ("query", "--status", "stale"),
        ("demote", "--status", "stale", "--dry-run"),
        ("prune", "--status", "stale", "--older-than", "0", "--dry-run"),
        ("purge", "--status", "stale"),
        ("pin", "--status", "stale", "--dry-run"),
    ):
        told = ben.run(*command).out
        assert identity(FACTS["queue"])[:8] in told and identity(FACTS["tabs"])[:8] not in told, command


def test_a_purged_line_that_still_stands_is_left_alone_by_sweeps(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague()
    ben.remembers("queue", "tabs")
    ben.at(3).run("sweep")
    person.git("checkout", "-q", "-b", "side")
    person.at(4).run("purge", "--id", identity(FACTS["queue"]), "--from-documents", "--confirm")
    person.commit("purge")
    ben.git("checkout", "-q", "-b", "own")
    ben.git("pull", "-q", "--no-rebase", str(person.root), "side")
    ben.git("checkout", "-q", "origin/main", "--", "AGENTS.md")
    ben.commit("the line is back")
    ben.remembers("tabs")
    for day in (60, 75, 90):
        ben.at(day).run("sweep")
    assert FACTS["queue"] in ben.read()
    key = identity(FACTS["queue"])[:8]
    way = f"intermem purge --id {key} --from-documents --confirm"
    assert f"AGENTS.md still contains {key}, which was purged" in ben.run("status").err
    assert way in ben.run("check", code=1).out and way in ben.run("doctor", code=1).out
    ben.run(*way.split()[1:])
    assert FACTS["queue"] not in ben.read() and "still contains" not in ben.run("status").err


@pytest.mark.parametrize("pulled", [False, True], ids=["a fresh clone", "after a pull"])
def test_a_query_counts_an_access_to_what_this_clone_has_no_record_of(
    person: Person, colleague: Callable[..., Person], pulled: bool
) -> None:
    ben = colleague() if pulled else None
    person.promotes("queue", "tabs")
    person.commit("promote")
    if ben is None:
        ben = colleague()
    else:
        ben.git("pull", "-q", str(person.root), "main")
    key = person.record("queue")["id"]
    assert ben.at(30).run("query", "--search", "queue", code=None).code == 0
    assert not ben.run("why", key, "--json").json["accessed"]["count"], "there is nowhere to count before a scan"
    ben.remembers()
    ben.at(31).run("scan")
    for _ in range(2):
        ben.at(32).run("query", "--search", "queue")
    found = ben.at(33).run("why", key, "--json").json
    assert (found["accessed"]["count"], found["accessed"]["last"]) == (2, "2026-02-02T00:00:00Z")
    assert [row["event"] for row in found["history"]].count("learnt") == 1
    told = ben.run("prune", "--older-than", "20", "--basis", "used", "--dry-run").out
    assert "Would demote 1 entry" in told and key[:8] not in told
    assert ben.run("sweep", "--json").json["swept"] == 2


@pytest.mark.parametrize("is_swept", [True, False])
@pytest.mark.parametrize("has_note", [True, False])
def test_what_was_purged_goes_where_a_person_reworded_its_line_and_the_line_stays(
    person: Person, colleague: Callable[..., Person], is_swept: bool, has_note: bool
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    key, now = person.record("queue")["id"], FACTS["queue"].replace("without a word", "and say nothing")
    ben = colleague()
    ben.remembers(*(["queue"] if has_note else []), "tabs")
    ben.at(3).run("sweep")
    ben.edit(FACTS["queue"], now)
    if is_swept:
        ben.at(4).run("sweep")
    ben.commit("reword")
    person.at(5).run("purge", "--id", key, "--from-documents", "--confirm", code=None)
    person.commit("purge")
    ben.git("fetch", "-q", str(person.root), "+main:refs/heads/theirs", "+main:refs/remotes/origin/main")
    ben.git("merge", "-q", "--no-edit", "-X", "ours", "theirs")
    assert ben.holds(now)
    ben.remembers("tabs")
    ahead = f"1 entry purged in another clone ({key[:8]}): the next command that writes forgets it here too"
    assert all(ahead in ben.at(6).run("sweep", how, code=None).err for how in ("--check", "--dry-run"))
    assert ben.run("sweep", "--check", code=1).err
    assert f"1 entry purged in another clone ({key[:8]}): forgotten here too" in ben.at(6).run("sweep").err
    ben.run("sweep")
    assert ben.holds(now) and not ben.holds("queue")
    told = {one["text"]: one["id"] for one in ben.run("query", "--all", "--json").json["entries"]}
    assert told[now] == identity(now)
    assert b"hang without a word" not in (ben.root / ".git/intermem/root/metadata.db").read_bytes()
    assert "no entry starts with" in ben.run("show", key, code=None).err or "purged" in ben.run("show", key, code=2).err


def test_decay_by_type_is_the_same_in_a_clone_that_never_read_the_note(
    person: Person, colleague: Callable[..., Person]
) -> None:
    (person.root / "intermem.toml").write_text('[decay.types]\nreference = "none"\n', "utf-8")
    person.note(f"---\nname: queue\ntype: reference\n---\n\n- {FACTS['queue']}\n- {FACTS['tabs']}\n", "queue.md")
    for day in (0, 1, 2):
        person.at(day).run("scan")
    person.run("promote", "--yes", "--limit", "0")
    person.commit("promote")
    (person.memory / "queue.md").unlink()
    ben = colleague()
    for one in (person, ben, colleague("cora")):
        for day in (150, 160):
            assert "0 decayed, 0 stale" in one.at(day).run("sweep").out, one.root
        assert {entry["type"] for entry in one.run("query", "--all", "--json").json["entries"]} == {"reference"}
    ben.run("doctor", "--compact")
    ben.commit("compact")
    assert "0 stale" in colleague("dan").at(161).run("sweep").out


def test_a_line_that_a_purge_left_in_other_words_is_named_and_goes(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    key, now = person.record("queue")["id"], FACTS["queue"].replace("without a word", "and say nothing")
    person.edit(FACTS["queue"], now)
    person.commit("reword")
    person.at(4).run("sweep")
    left = identity(now)[:8]
    assert f"with --from-documents --id {left} --confirm" in person.run("purge", "--id", key, "--confirm", code=1).err
    said = " ".join(person.run("purge", "--id", key, "--from-documents", "--confirm", code=2).err.split())
    assert f"stands in other words: purge --id {left} --from-documents --confirm" in said and person.holds(now)
    person.run("purge", "--id", left, "--from-documents", "--confirm")
    assert not person.holds(now)
