"""Who has seen it: what anybody's memory holds stays, and what all let go of leaves, in every clone alike."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from intermem.cli.main import main
from intermem.core.entries.identity import identity
from tests.old_ledger import as_old_ledger, events_in
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]


@pytest.fixture
def ann(person: Person) -> Person:
    """Ann has promoted two facts that her memory holds; her commits have dates."""
    person.dated = True
    person.promotes("queue", "tabs")
    person.commit("promote")
    return person


@pytest.fixture
def bot(ann: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[float], Person]:
    """A bot makes a clean clone without a memory, sweeps it, and commits to main what changed."""
    numbers: Iterator[int] = iter(range(999))
    (tmp_path / "empty").mkdir()

    def sweeps(day: float, *arguments: str) -> Person:
        made = Person(tmp_path / f"bot{next(numbers)}", tmp_path / "empty", capsys, dated=True)
        ann.git("clone", "-q", str(ann.root), str(made.root))
        made.at(day).run("sweep", "--no-scan", *arguments, code=None)
        if made.git("status", "--porcelain"):
            made.commit("the bot sweeps")
            ann.git("pull", "-q", "--no-rebase", "--no-edit", str(made.root), "main")
        return made

    return sweeps


def whats(person: Person) -> list[str]:
    return [event["what"] for event in events_in(person.root)]


def test_what_an_observer_holds_no_colleague_and_no_bot_demotes(
    ann: Person, bot: Callable[[float], Person], colleague: Colleague
) -> None:
    ben = colleague()
    ben.remembers("cache")
    for day in range(10, 130, 7):
        ben.at(day).run("sweep")
        bot(day)
    assert ann.holds("queue") and ann.holds("tabs") and ben.holds("queue") and ben.holds("tabs")
    assert whats(ann) == ["promoted", "promoted"], "nothing changes because time went by"


def test_what_its_observer_let_go_of_leaves_on_every_clone_alike(
    ann: Person, bot: Callable[[float], Person], colleague: Colleague
) -> None:
    ann.remembers("tabs")
    ann.at(20).run("sweep")
    ann.commit("lost")
    assert [event["at"] for event in events_in(ann.root) if event["what"] == "lost"] == ["2026-01-03T00:00:00Z"]
    ben = colleague()
    gone = 0.0
    for day in range(21, 90, 7):
        bot(day)
        if not gone and not ann.holds("queue"):
            gone = day
    assert 30 < gone <= 2 + 56 and ann.holds("tabs")
    ben.git("pull", "-q")
    ben.sweeps(gone + 1)
    assert ben.git("status", "--porcelain") == "" and not ben.holds("queue")


def test_a_clean_clone_demotes_what_was_stale_a_week_ago_and_not_what_has_just_gone_stale(
    ann: Person, bot: Callable[[float], Person]
) -> None:
    ann.remembers("tabs")
    ann.at(3).run("sweep")
    ann.commit("lost")
    assert bot(30.5).holds("queue"), "stale since day 30: a streak of 1"
    assert bot(36.9).holds("queue"), "a week ago it was not stale"
    assert not bot(37).holds("queue"), "28 days after day 2, and 7 more"


def test_a_streak_from_history_ends_where_the_entry_was_promoted_again(
    ann: Person, bot: Callable[[float], Person]
) -> None:
    ann.remembers("tabs")
    ann.at(3).run("sweep")
    ann.commit("lost")
    assert not bot(38).holds("queue")
    ann.at(39).run("restore", ann.record("queue")["id"])
    ann.commit("restore")
    assert bot(40).holds("queue"), "it was stale a week ago, but that was another promotion"


@pytest.mark.parametrize("sweeps_before_it_is_lost", [True, False])
def test_snapshots_that_raise_a_confidence_after_the_promotion_do_so_in_every_clone(
    ann: Person, colleague: Colleague, sweeps_before_it_is_lost: bool
) -> None:
    for day in (3, 4, 5):
        ann.at(day).run("scan")
    ann.at(6).run("sweep" if sweeps_before_it_is_lost else "scan")
    ann.at(7).run("sweep" if sweeps_before_it_is_lost else "scan")
    ann.remembers("tabs")
    ann.at(8).run("sweep")
    ours = [one for one in events_in(ann.root) if one["id"] == identity(FACTS["queue"]) and one["what"] != "promoted"]
    expected = [("held", 7), ("lost", None)] if sweeps_before_it_is_lost else [("lost", 8)]
    assert [(one["what"], one.get("snapshots")) for one in ours] == expected
    ann.commit("lost")
    ben = colleague()
    told = [one.at(60).run("why", identity(FACTS["queue"]), "--json").json for one in (ann, ben)]
    bases = [one["entry"]["base_confidence"] for one in told]
    assert bases == [0.7, 0.7], "0.5, and 0.2 for so many snapshots"
    assert told[0]["entry"]["confidence"] == told[1]["entry"]["confidence"]


def test_a_sweep_that_reads_no_memory_decides_as_a_clean_clone_does(ann: Person, colleague: Colleague) -> None:
    ann.remembers("tabs")
    ann.at(3).run("sweep")
    ann.commit("lost")
    ben = colleague()
    ben.git("config", "intermem.observe", "false")
    ben.remembers("queue")
    ben.at(40).run("sweep")
    ben.at(60).run("sweep")
    assert ben.holds("queue"), "its own snapshots are one more voice"
    ben.remembers("cache")
    ben.sweeps(61, 62)
    assert not ben.holds("queue"), "all that the ledger tells is that it was lost"


def test_a_history_that_is_too_young_is_said_once(ann: Person, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ann.remembers("tabs")
    ann.at(3).run("sweep")
    ann.commit("lost")
    shallow = Person(tmp_path / "shallow", tmp_path / "empty", ann.capture, dated=True)
    ann.git("clone", "-q", "--depth", "1", f"file://{ann.root}", str(shallow.root))
    said = shallow.at(60).run("sweep", "--no-scan")
    assert said.err.count("stale streaks are this clone's own") == 1 and shallow.holds("queue")
    shallow.sweeps(61)
    assert not shallow.holds("queue"), "then its own streak counts"


@pytest.mark.parametrize(("days", "held"), [(180 + 28 - 1 / 86400, True), (180 + 28, False)])
def test_an_observer_that_is_silent_for_half_a_year_holds_no_more(ann: Person, days: float, held: bool) -> None:
    shutil.rmtree(ann.memory)
    ann.memory.mkdir()
    (ann.root / ".git/intermem").rename(ann.root / ".git/gone")
    ann.sweeps(2 + days, 2 + days)
    assert ann.holds("queue") is held


def test_an_observer_says_once_a_quarter_that_it_is_alive(ann: Person) -> None:
    for day in range(3, 200, 9):
        ann.at(day).run("sweep")
        ann.commit("sweep")
    alive = [event["at"] for event in events_in(ann.root) if event["what"] == "alive"]
    assert len(alive) == len(set(alive)) == 2 and ann.holds("queue")


def test_a_note_that_comes_back_is_held_again_unless_it_is_an_echo(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.remembers("cache")
    ben.at(5).run("sweep")
    ben.remembers("cache", "queue")  # copied from the document by the agent
    ben.at(6).run("sweep")
    ben.at(7).run("sweep")
    assert "held" not in whats(ben)
    carl = colleague("carl")
    carl.remembers("queue")
    carl.at(5).run("sweep")
    assert whats(carl).count("held") == 1, "it was there before this clone knew the document"


def test_a_note_that_one_scan_missed_is_held_again(ann: Person, bot: Callable[[float], Person]) -> None:
    ann.at(5).run("sweep")
    ann.remembers("tabs")  # as while a file is moved about
    ann.at(5.1).run("sweep")
    ann.remembers("queue", "tabs")
    ann.at(5.2).run("sweep")
    ann.commit("lost and held")
    ours = [event["what"] for event in events_in(ann.root) if event["id"] == identity(FACTS["queue"])]
    assert sorted(ours) == ["held", "lost", "promoted"]
    bot(80)
    bot(88)
    assert ann.holds("queue")


def test_an_observer_with_a_revised_note_still_holds_the_old_one(ann: Person) -> None:
    ann.remembers(FACTS["queue"].replace("Run", "Start"), "tabs")
    ann.at(5).run("sweep")
    assert "lost" not in whats(ann)
    ann.at(60).run("sweep")
    assert ann.holds("queue"), "until promote replaces it"


def test_a_sweep_without_a_scan_says_nothing_of_the_memory(ann: Person) -> None:
    ann.remembers("tabs")
    ann.sweeps(5, 200)
    assert whats(ann) == ["promoted", "promoted"]


def test_what_observers_say_is_no_reason_to_fail_a_check(ann: Person) -> None:
    ann.remembers("tabs")
    assert ann.at(5).run("sweep", "--check").code == 0
    assert "lost" not in whats(ann)


def test_a_clone_that_is_not_to_observe_writes_nothing(ann: Person) -> None:
    ann.git("config", "intermem.observe", "false")
    ann.remembers("tabs")
    ann.at(5).run("sweep")
    assert whats(ann) == ["promoted", "promoted"]


def test_a_stranger_cannot_silence_an_observer(ann: Person) -> None:
    ann.write("intermem.toml", "observe = false\n")
    ann.remembers("tabs")
    assert "observe is ignored in a file" in ann.at(5).run("sweep").err
    assert "lost" in whats(ann)


def test_a_committed_memory_needs_no_observer(person: Person) -> None:
    person.dated = True
    person.memory = person.root / ".claude/memory"
    person.remembers("queue", "tabs")
    person.commit("a memory")
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.remembers("tabs")
    person.at(9).run("sweep")
    assert all("observer" not in event for event in events_in(person.root))
    person.commit("forget the queue")
    ben = Person(person.root.parent / "ben", person.root.parent / "ben/.claude/memory", person.capture, dated=True)
    person.git("clone", "-q", str(person.root), str(ben.root))
    ben.at(29).run("sweep")
    assert ben.holds("queue"), "the commit of day 2 held it"
    ben.at(38).run("sweep")
    assert not ben.holds("queue") and ben.holds("tabs"), "stale a week ago as well"


@pytest.mark.parametrize("observes", [True, False])
def test_of_a_committed_memory_every_command_knows_what_the_sweep_knows(person: Person, observes: bool) -> None:
    person.git("config", "intermem.observe", str(observes).lower())
    person.dated = True
    person.memory = person.root / ".claude/memory"
    person.remembers("queue", "tabs")
    person.commit("a memory")
    person.promotes("queue", "tabs")
    person.remembers("tabs")
    person.commit("forget the queue")
    person.at(9).run("sweep")
    key = identity(FACTS["queue"])
    person.at(35)
    assert person.run("why", key, "--json").json["stale"] is True
    assert "IM020" in person.run("check", code=None).out
    assert person.run("sweep", "--dry-run", "--json").json["stale"] == 1
    assert person.run("prune", "--older-than", "20d", "--dry-run", "--json").json["pruned"] == 1


def test_an_adopted_line_is_as_old_as_its_note_though_nobody_said_who_holds_it(person: Person) -> None:
    person.write("AGENTS.md", f"# A\n\n- {FACTS['queue']} <!-- intermem -->\n")
    person.remembers("queue", "tabs")
    person.run("init", "--adopt")
    person.at(1).run("scan")
    person.commit("adopted")
    person.remembers("tabs")
    person.at(39).run("sweep")
    person.at(46).run("sweep")
    assert not person.holds("queue")
    silent = next(event for event in events_in(person.root) if event["what"] in ("lost", "demoted"))
    assert silent["id"] == identity(FACTS["queue"])


@pytest.mark.parametrize("hours", [-1, 1], ids=["before", "after"])
def test_feedback_that_a_colleague_gave_on_the_words_before_is_on_those_that_stand(
    person: Person, colleague: Callable[..., Person], hours: int
) -> None:
    said = "Always run `make build` before the release, else the wheel is empty."
    person.promotes(said)
    person.commit("promote")
    ben = colleague()
    ben.at(6 + hours / 24).run("feedback", identity(said), "incorrect")
    ben.commit("feedback")
    again = said.replace("the release, else", "each release, or else")
    person.remembers(again)
    person.at(5).run("scan")
    person.at(6).run("scan")
    person.run("promote", identity(again), "--yes")
    assert person.holds(again) and not person.holds(said)
    person.commit("promote")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(ben.root), "main")
    ben.git("pull", "-q", str(person.root), "main")
    for one in (person, ben, colleague("cora")):
        assert "− 0.3 feedback" in one.at(7).run("why", identity(again)).out, one.root


def test_a_pin_of_a_colleague_is_told_beside_feedback_of_the_same_moment(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue")
    person.commit("promote")
    ben = colleague()
    ben.at(5).run("pin", identity(FACTS["queue"]), "--reason", "Ben says so")
    ben.commit("pin")
    person.at(5).run("feedback", identity(FACTS["queue"]), "confirm")
    person.commit("feedback")
    person.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(ben.root), "main")
    assert "Ben says so" in person.at(6).run("why", identity(FACTS["queue"])).out
    assert "Ben says so" in person.run("log", "--limit", "0").out


@pytest.mark.parametrize(
    ("ours", "theirs", "total"),
    [("incorrect", "confirm", "− 0.2"), ("confirm", "failure", "+ 0.05"), ("confirm", "confirm", "+ 0.2")],
)
def test_feedback_of_two_clones_on_a_candidate_adds_up_once_it_stands(
    person: Person, colleague: Callable[..., Person], ours: str, theirs: str, total: str
) -> None:
    key = identity(FACTS["queue"])
    ben = colleague()
    for one in (person, ben):
        one.remembers("queue", "tabs")
        for day in (1, 2, 3):
            one.at(day).run("scan")
    person.run("feedback", key, ours)
    ben.run("feedback", key, theirs)
    ben.at(4).run("promote", key, "--yes")
    ben.commit("promote")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(5).run("pin", identity(FACTS["tabs"]))  # which is not about the entry, and saves what is known of it
    person.at(5).run("sweep")
    person.commit("sweep")
    ben.git("pull", "-q", str(person.root), "main")
    for one in (person, ben, colleague("cora")):
        assert f"{total} feedback" in one.at(6).run("why", key).out, one.root


def test_feedback_of_a_colleague_counts_for_every_list_and_still_after_another_command(
    person: Person, colleague: Callable[..., Person]
) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    ben = colleague()
    for hour in (1, 2):
        ben.at(5 + hour / 24).run("feedback", identity(FACTS["queue"]), "incorrect")
    ben.commit("feedback")
    person.git("pull", "-q", str(ben.root), "main")
    person.at(6).run("demote", "--status", "stale", "--dry-run")

    def shown() -> tuple[float, float]:
        (one,) = person.run("query", "--search", "queue worker", "--no-touch", "--json").json["entries"]
        return one["confidence"], one["feedback"]

    assert shown() == (0, -0.6)
    person.run("pin", identity(FACTS["tabs"]))
    assert shown() == (0, -0.6)
    assert FACTS["queue"] in person.run("query", "--stale").out


@pytest.mark.parametrize("giver", ["ann", "ben"])
def test_a_note_that_goes_back_to_its_first_words_keeps_what_was_fed_back_in_between(
    person: Person, colleague: Callable[..., Person], giver: str
) -> None:
    said = "Never edit the lock file by hand or the hooks break."
    again = "Never edit the lock file by hand, or the git hooks break."
    person.promotes(said)
    person.run("feedback", identity(said), "confirm")
    for one, first in ((again, 3), (said, 7)):
        person.remembers(one)
        for day in range(first, first + 3):
            person.at(day).run("scan")
        if one is again:
            person.run("promote", identity(one), "--yes")
            person.commit("reworded")
            who = colleague() if giver == "ben" else person
            who.at(6).run("feedback", identity(again), "failure")
            who.run("feedback", identity(again), "confirm")
            who.commit("feedback")
            if who is not person:
                person.git("pull", "-q", str(who.root), "main")
    before = person.run("why", identity(said), "--json").json["entry"]["feedback"]
    person.run("promote", identity(said), "--yes")
    given = [event["amount"] for event in events_in(person.root) if event["what"] == "feedback"]
    assert len(given) == 3 and sum(given) == pytest.approx(before), "no more than what was given"
    assert person.run("why", identity(said), "--json").json["entry"]["feedback"] == before != 0


def test_feedback_that_two_clones_took_along_counts_once(person: Person, colleague: Callable[..., Person]) -> None:
    said = "Always run `make build` before the release, else the wheel is empty."
    again = said.replace("the release, else", "each release, or else")
    person.promotes(said)
    person.run("feedback", identity(said), "failure")
    person.commit("promote")
    ben = colleague()
    for one in (person, ben):
        one.remembers(said)
        one.at(3).run("sweep")
        one.remembers(again)
        for day in (4, 5, 6):
            one.at(day).run("scan")
    person.run("promote", identity(again), "--yes")
    person.commit("promote")
    ben.git("stash", "-q", "-u")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(7).run("sweep")
    for one in (person, ben):
        assert "− 0.05 feedback" in one.at(8).run("why", identity(again)).out, one.root


def test_a_run_that_finds_no_memory_ages_nothing(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.run("sweep")
    person.commit("promote")

    def run(*given: str) -> tuple[int, str]:
        code = main([*given, "--project-root", str(person.root), "--now", person.at(60).now])
        return code, person.capture.readouterr().out

    assert "0 decayed, 0 stale" in run("sweep")[1]
    assert "goes stale" in run("why", identity(FACTS["queue"]))[1]
    assert "IM020" not in run("check")[1]
    assert "stale now" not in run("status")[1]
    for given in (("prune", "--older-than", "30d"), ("prune", "--min-score", "0.4"), ("demote", "--older-than", "30d")):
        assert run(*given, "--dry-run")[0] == 1, given


def test_feedback_on_what_a_colleague_reworded_is_on_the_line_that_stands(
    person: Person, colleague: Callable[..., Person]
) -> None:
    said = "Always run `make build` before the release, else the wheel is empty."
    again = said.replace("the release, else", "each release, or else")
    ben = colleague()
    ben.remembers(said)
    ben.at(1).run("scan")
    person.remembers(said)
    person.at(1).run("scan")
    person.remembers(again)
    for day in (2, 3, 4):
        person.at(day).run("scan")
    person.run("promote", identity(again), "--yes")
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    ben.at(5).run("feedback", identity(said), "incorrect")
    assert "− 0.3 feedback" in ben.run("why", identity(again)).out


def test_what_is_contradicted_leaves_whoever_holds_it(ann: Person, bot: Callable[[float], Person]) -> None:
    fact = "Start `src/app.py` with two workers, as one alone is too slow for the whole of the test data."
    ann.promotes("queue", "tabs", fact, day=12)
    ann.at(13).commit("promote")
    ann.git("rm", "-q", "src/app.py")
    ann.commit("remove the app")
    assert bot(20.5).holds(fact) is False or bot(28).holds(fact) is False
    assert ann.holds("queue") and ann.holds("tabs")


def test_what_a_sweep_demotes_is_as_old_to_every_command_as_it_was_to_the_sweep(
    ann: Person, bot: Callable[[float], Person]
) -> None:
    fact = "Start `src/app.py` with two workers, as one alone is too slow for the whole of the test data."
    ann.promotes("queue", "tabs", fact, day=12)
    ann.at(13).commit("promote")
    ann.git("rm", "-q", "src/app.py")
    ann.commit("remove the app")
    clone = bot(60)
    assert not clone.holds(fact)
    (entry,) = clone.run("query", "--demoted", "--json", "--no-touch").json["entries"]
    assert "confidence 0.1; cites" in entry["reason"], "Ann's memory holds it: it has not aged"
    assert entry["confidence"] == 0.1
    assert clone.run("why", entry["id"], "--json").json["entry"]["confidence"] == 0.1
    assert clone.at(75).run("why", entry["id"], "--json").json["entry"]["confidence"] == 0.0, "since the sweep"


def test_entries_of_0_1_are_held_by_somebody_who_was_silent_since(ann: Person, bot: Callable[[float], Person]) -> None:
    as_old_ledger(ann.root)
    ann.commit("as of 0.1")
    assert "not in git yet" not in ann.run("status").err
    bot(100), bot(180)
    assert ann.holds("queue")
    bot(220), bot(227), bot(234)
    assert not ann.holds("queue")


def test_a_line_that_was_just_reworded_is_as_old_as_its_note(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.dated = True
    ben.edit(FACTS["queue"], FACTS["queue"].replace("Run", "Start"))
    ben.at(60).commit("reworded by somebody without the tool")
    carl = colleague("carl")
    carl.git("pull", "-q", str(ben.root), "main")
    carl.remembers("cache")
    assert "decayed, 0 stale" in carl.at(61).run("sweep").out
    carl.at(62).run("sweep")
    ben.sweeps(61, 62)
    assert all(one.holds(FACTS["queue"].replace("Run", "Start")) for one in (ben, carl)), "ann holds it"


def test_a_note_that_was_reworded_twice_still_holds_its_line(ann: Person, bot: Callable[[float], Person]) -> None:
    for day, words in ((10, "Always run"), (20, "Be sure to always run")):
        ann.remembers("tabs", FACTS["queue"].replace("Run", words))
        ann.at(day).run("sweep")
        ann.at(day + 1).run("sweep")
    ann.commit("what I hold")
    assert "lost" not in whats(ann)
    for day in range(22, 100, 7):
        bot(day)
    assert ann.holds("queue")


def test_what_somebody_holds_is_old_to_no_command(ann: Person, colleague: Colleague) -> None:
    ben = colleague()
    ben.remembers("cache")
    ben.at(60).run("sweep")
    old = ("--older-than", "30d", "--status", "promoted")
    assert ben.run("query", *old, "--json", code=1).json["entries"] == []
    for verb in ("demote", "pin", "prune", "purge"):
        ben.run(verb, *old, "--dry-run", code=1)
    held = "kept 2 entries that this clone has not seen for so long: another memory held them since"
    assert held in ben.run("prune", *old, code=1).err
    ann.remembers("dates")
    ann.at(61).run("sweep")
    ann.commit("let go")
    ben.git("pull", "-q", str(ann.root), "main")
    ben.at(100).run("sweep", "--no-demote", code=None)
    assert len(ben.run("query", *old[:2], "--json").json["entries"]) == 2
    assert "another memory" not in ben.run("prune", *old[:2], "--dry-run").err


@pytest.mark.parametrize("has_ledger", [True, False])
def test_what_could_not_be_read_is_not_unseen(person: Person, has_ledger: bool) -> None:
    person.promotes("queue", "tabs")
    if not has_ledger:
        shutil.rmtree(person.root / ".intermem")
    person.commit("promote")
    key = person.record("queue")["id"]
    (person.memory / "MEMORY.md").write_bytes(b"\xff\n")
    said = person.at(40).run("scan", code=2).out
    assert "Recorded a snapshot: 0 entries in 0 files, 1 file not read" in said
    for day in (60, 61, 62):
        swept = person.at(day).run("sweep", "--json", code=2).json
        assert (swept["decayed"], swept["stale"], swept["demoted"]) == (0, 0, [])
    assert not person.run("why", key, "--json").json["stale"]
    person.remembers("tabs")
    person.at(63).run("sweep")
    person.at(64).run("sweep")
    assert person.holds("tabs") and not person.holds("queue")


def test_a_citation_that_heals_and_breaks_again_starts_a_new_streak_by_the_history_too(
    person: Person, colleague: Callable[..., Person]
) -> None:
    note = "Never change `src/retry.py` without the server, whose limits must match."
    person.dated = True
    person.write("src/retry.py", "LIMITS = (1, 2, 3)\n")
    person.git("config", "intermem.promote.minWorth", "0")
    person.remembers(note)
    for day in (0, 1, 2):
        person.at(day).run("curate", "--yes")
    person.commit("promote")
    assert person.holds(note)
    for day, there in ((7, False), (9, True), (15, False)):
        person.at(day)
        if there:
            person.write("src/retry.py", "LIMITS = (1, 2, 3)\n")
        else:
            (person.root / "src/retry.py").unlink()
        person.commit("flap")
        person.run("sweep")
    assert person.holds(note) and person.record(note)["stale_streak"] == 1
    ben = colleague().at(15)
    ben.run("sweep", "--no-scan")
    assert ben.holds(note)
    person.at(16).run("sweep")
    assert not person.holds(note), "the second sweep in a row"


def test_what_is_said_of_a_note_that_went_back_to_its_first_words_is_not_said_of_those_in_between(
    person: Person, colleague: Callable[..., Person]
) -> None:
    said = "Never edit the lock file by hand or the hooks break."
    again = "Never edit the lock file by hand, or the git hooks break."
    for one, first in ((said, 0), (again, 3), (said, 6)):
        person.remembers(one)
        for day in range(first, first + 3):
            person.at(day).run("scan")
        person.run("promote", "--yes")
    person.commit("back")
    before = person.run("query", "--demoted", "--no-touch", "--json").json["entries"]
    ben = colleague()
    ben.at(9).run("demote", identity(said), "--reason", "not ours")
    ben.commit("demote")
    person.git("pull", "-q", str(ben.root), "main")
    out = {one["id"]: one for one in person.at(10).run("query", "--demoted", "--no-touch", "--json").json["entries"]}
    assert out.keys() == {identity(said), identity(again)}
    assert out[identity(again)] == before[0] and "not ours" in out[identity(said)]["reason"]
    person.run("restore", identity(said))
    person.remembers(again)
    for day in (11, 12, 13):
        person.at(day).run("scan")
    assert "replaces" in person.run("promote", "--yes").out and again in person.read()


def test_what_is_promoted_again_elsewhere_was_worth_what_it_is_then(
    ann: Person, colleague: Callable[..., Person]
) -> None:
    ben = colleague()
    ben.at(3).run("sweep")
    assert ben.record("queue")["original_confidence"] == ann.record("queue")["original_confidence"] == 0.5
    ann.at(3).run("demote", identity(FACTS["queue"]))
    for day in (4, 5, 6):
        ann.at(day).run("scan")
    ann.run("restore", identity(FACTS["queue"]))
    ann.commit("again")
    told = ann.record("queue")["original_confidence"]
    ben.git("pull", "-q", str(ann.root), "main")
    ben.at(7).run("sweep")
    assert ben.record("queue")["original_confidence"] == told == 0.7


def test_a_sum_of_feedback_is_told_in_a_clone_that_did_not_give_it_once(
    person: Person, colleague: Callable[..., Person]
) -> None:
    said = "Never edit the lock file by hand or the hooks break."
    again = "Never edit the lock file by hand, or the git hooks break."
    person.promotes(said)
    person.run("feedback", identity(said), "failure")
    person.remembers(again)
    for day in (3, 4, 5):
        person.at(day).run("scan")
    person.run("promote", identity(again), "--yes")
    person.commit("reworded")
    for one in (person, colleague()):
        told = one.at(6).run("why", identity(again)).out
        assert len([line for line in told.split("\n") if line.split()[1:2] == ["feedback"]]) == 1


def test_feedback_that_a_colleague_gave_is_told_once_after_the_words_changed(
    person: Person, colleague: Callable[..., Person]
) -> None:
    said = "Never edit the lock file by hand or the hooks break."
    again = "Never edit the lock file by hand, or the git hooks break."
    person.promotes(said)
    person.commit("promote")
    ben = colleague()
    ben.at(3).run("sweep")
    ben.run("feedback", identity(said), "failure", "--note", "it broke")
    ben.commit("feedback")
    person.git("pull", "-q", str(ben.root), "main")
    person.remembers(again)
    for day in (4, 5, 6):
        person.at(day).run("scan")
    person.run("promote", identity(again), "--yes")
    person.commit("reworded")
    ben.git("pull", "-q", str(person.root), "main")
    for told in (ben.at(7).run("why", identity(again)).out, ben.run("sweep").out and ben.run("log").out):
        (line,) = (line for line in told.split("\n") if "feedback" in line.split()[1:3])
        assert "it broke" in line


def test_what_is_flagged_in_the_second_in_which_it_was_confirmed_is_flagged(person: Person) -> None:
    person.promotes("queue")
    person.at(2.5).run("feedback", identity(FACTS["queue"]), "confirm")
    person.run("demote", identity(FACTS["queue"]), "--for-review")
    assert person.run("query", "--review", "--json").json["entries"][0]["id"] == identity(FACTS["queue"])
    for day in (3, 4, 5):
        person.at(day).run("scan")
    assert not person.run("promote", "--yes", code=None).out.startswith("Promoted") and not person.holds("queue")


def test_what_another_entry_was_put_in_the_place_of_can_be_restored_though_it_was_reworded(person: Person) -> None:
    said = "Never edit the lock file by hand or the hooks break."
    again = "Never edit the lock file by hand, or the git hooks break."
    person.promotes(said, "tabs")
    person.remembers(again, "tabs")
    for day in (3, 4, 5):
        person.at(day).run("scan")
    person.run("promote", "--yes")
    person.run("demote", identity(again))
    person.run("demote", identity(said), "--by", identity(FACTS["tabs"]))
    person.run("restore", identity(said))
    assert said in person.read() and again not in person.read()


@pytest.mark.parametrize("commits", [True, False])
def test_a_line_that_the_agent_reworded_and_then_a_person_was_not_taken_out(person: Person, commits: bool) -> None:
    said = "Never restart the kilo daemon by hand on the server."
    again = "Never restart the kilo daemon by hand on this server."
    person.dated = True
    person.promotes(said)
    person.commit("promote")
    person.remembers(again)
    for day in (3, 4, 5, 6):
        person.at(day).run("scan")
    person.run("promote", "--yes")
    person.commit("reworded")
    person.edit("this server", "that server")
    if commits:
        person.at(7).commit("by hand")
    assert "rejected" not in person.at(7).run("sweep").out
    person.commit("swept")
    assert "noted there" in person.at(8).run("feedback", identity(said), "confirm").err
    person.run("check")


def promoted_late_and_lost(person: Person, colleague: Callable[..., Person]) -> Person:
    """Promote a note ten days after its last snapshot, lose it, and return who clones that."""
    person.remembers("queue")
    for day in (0, 1, 2):
        person.at(day).run("scan")
    person.at(12).run("promote", "--yes")
    person.commit("promote")
    person.remembers("tabs")
    person.at(17).run("sweep")
    person.commit("it is lost")
    return colleague()


def test_what_was_promoted_days_after_it_was_seen_is_as_old_for_who_has_seen_it_as_for_all(
    person: Person, colleague: Callable[..., Person]
) -> None:
    ben = promoted_late_and_lost(person, colleague)
    queue = identity(FACTS["queue"])
    for day in (30, 34, 38, 39, 40, 41, 42, 46):
        mine, theirs = (one.at(day).run("why", queue, "--json").json for one in (person, ben))
        assert (mine["stale"], mine["stale_on"]) == (theirs["stale"], theirs["stale_on"]), day
    assert theirs["stale"]


def test_what_was_promoted_late_is_as_old_to_every_selector(person: Person, colleague: Callable[..., Person]) -> None:
    ben = promoted_late_and_lost(person, colleague)
    for one in (person, ben):
        assert "No entries" in one.at(28).run("query", "--older-than", "27d", "--search", "queue worker", code=1).out
        assert "queue worker" in one.at(29).run("query", "--older-than", "27d", "--search", "queue worker").out


def test_who_had_a_note_longer_than_who_promoted_it_says_so(person: Person, colleague: Callable[..., Person]) -> None:
    person.remembers("queue")
    for day in (0, 1, 2):
        person.at(day).run("scan")
    ben = colleague()
    ben.remembers("queue")
    for day in (2, 3, 6):
        ben.at(day).run("scan")
    person.at(12).run("promote", "--yes")
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    for one in (person, ben):
        one.remembers("tabs")
        one.at(17).run("sweep")
        one.commit("it is lost")
    ben.git("-c", "user.name=x", "-c", "user.email=x@y", "pull", "-q", "--no-rebase", str(person.root), "main")
    ben.at(18).run("sweep")
    ben.commit("seen until day 6")
    person.git("pull", "-q", str(ben.root), "main")
    cora = colleague("cora")
    queue = identity(FACTS["queue"])
    for day in (29, 30, 33, 34):
        told = {one.at(day).run("why", queue, "--json").json["stale_on"] for one in (person, ben, cora)}
        assert told == {"2026-02-04T00:00:00Z"}, day


def test_a_fresh_clone_with_a_memory_knows_what_stands_in_it(person: Person, colleague: Callable[..., Person]) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.remembers("tabs")
    person.at(4).run("sweep")
    person.commit("it is lost")
    ben = colleague().at(50)
    ben.remembers("queue")
    assert ben.run("status", "--json").json["entries"]["stale"] == 0
    assert ben.run("why", identity(FACTS["queue"]), "--json").json["stale"] is False
    ben.run("check")
    assert ben.run("sweep", "--dry-run", "--json").json["stale"] == 0


def test_a_shallow_clone_says_what_it_lacks_to_restore(ann: Person, tmp_path: Path) -> None:
    key = ann.record("queue")["id"]
    ann.at(5).run("demote", key)
    ann.commit("demote")
    ann.write("notes.md", "later\n")
    ann.commit("later")
    shallow = Person(tmp_path / "shallow", tmp_path / "empty", ann.capture, dated=True)
    ann.git("clone", "-q", "--depth", "1", f"file://{ann.root}", str(shallow.root))
    shallow.memory.mkdir()
    said = " ".join(shallow.at(6).run("restore", key, code=1).out.split())
    assert "of which a shallow clone lacks a part: git fetch --unshallow" in said
    shallow.git("fetch", "-q", "--unshallow")
    shallow.run("restore", key)
    assert shallow.holds("queue")


def test_a_sweep_that_finds_an_entry_fresh_begins_anew_whatever_the_history_says(person: Person) -> None:
    person.dated = True
    person.promotes("queue")
    person.commit("promote")
    for day, known in ((31, ()), (32, ("queue",))):
        person.remembers(*known, "something else entirely, which nobody promotes")
        person.at(day).run("sweep")
        person.commit("sweep")
    person.remembers("something else entirely, which nobody promotes")
    person.at(61).run("sweep")
    assert person.holds("queue"), "once stale"
    person.at(62).run("sweep")
    assert not person.holds("queue")
