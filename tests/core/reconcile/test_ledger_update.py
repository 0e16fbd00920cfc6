"""The events that a ledger lacks, given the records."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import Holding, Ledger
from intermem.core.reconcile.ledger_update import Decision, Observation, Update, new_events
from intermem.entities import Record, Status
from tests.core.reconcile.test_fold import ME, A, B, C, day, event, old

NOW = day(10)


def record(key: str = A, **changes: object) -> Record:
    made = Record(
        id=key,
        text="t",
        preview="t",
        section="Build",
        source_file="M",
        first_seen=day(-5),
        last_seen=day(1),
        snapshot_count=4,
        promoted_at=day(0),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def standing(key: str = A, **changes: object) -> Record:
    return record(key, **{"document": "AGENTS.md", **changes})


def update(**changes: object) -> Update:
    return Update(now=NOW, **changes)  # type: ignore[arg-type]


def seen(*holds: str, **changes: object) -> Observation:
    return Observation(observer=ME, holds=frozenset(holds), **changes)  # type: ignore[arg-type]


PROMOTED = folded([event(What.PROMOTED)])


def told(ledger: Ledger | None, one: Record, **changes: object) -> list[LedgerEvent]:
    found = new_events(ledger, [one], update(**changes))
    again = folded([*(ledger.events if ledger else ()), *found])
    wanted = replace(update(**changes), placed={}, lifted=frozenset())
    assert new_events(again, [one], wanted) == [], "told once"
    return found


def test_what_a_run_puts_into_a_document_is_promoted_with_the_reason() -> None:
    (found,) = told(
        None,
        standing(),
        placed={A: "promote"},
        sections={A: "Heading"},
        decisions={A: Decision("person", "seen in\n4 snapshots")},
    )
    assert found == LedgerEvent(
        id=A,
        at=NOW,
        what=What.PROMOTED,
        by="person",
        cause="seen in 4 snapshots",
        document="AGENTS.md",
        section="Heading",
        written=A,
        first_seen=day(-5),
        snapshots=4,
    )


def test_what_agrees_says_nothing_however_much_time_went_by() -> None:
    assert told(PROMOTED, standing(last_seen=day(9), snapshot_count=99)) == []


def test_an_excerpt_is_written_under_the_id_of_its_note() -> None:
    (found,) = told(None, standing(B, note_id=A), placed={B: "promote"})
    assert (found.id, found.written) == (A, B)


@pytest.mark.parametrize(
    ("changes", "newly", "what"),
    [
        ({"status": Status.DEMOTED, "demoted_at": NOW}, (), What.DEMOTED),
        ({"rejected_at": NOW}, (), What.REJECTED),
        ({"rejected_at": NOW}, (A,), What.REJECTED),
    ],
)
def test_what_leaves_is_told_with_who_decided_it(changes: dict[str, object], newly: tuple[str], what: What) -> None:
    decisions = {A: Decision("sweep", "stale in 2 sweeps")}
    (found,) = told(PROMOTED, record(**changes), rejected=frozenset(newly), decisions=decisions)
    assert (found.what, found.by, found.cause, found.written) == (what, "sweep", "stale in 2 sweeps", None)


def test_a_removal_happened_when_its_commit_was_made() -> None:
    decisions = {A: Decision("person", "in 3f2a", day(4))}
    (found,) = told(PROMOTED, record(rejected_at=NOW), rejected=frozenset({A}), decisions=decisions)
    assert found.at == day(4)


@pytest.mark.parametrize("behind", [timedelta(0), timedelta(days=3)])
def test_a_word_follows_what_it_knew_whatever_the_clock_shows(behind: timedelta) -> None:
    ledger = folded([event(What.PROMOTED, 0), replace(event(What.REJECTED), at=NOW + behind)])
    (found,) = told(ledger, standing(), placed={A: "restore"})
    assert (found.what, found.at) == (What.RESTORED, NOW + behind + timedelta(seconds=1))


def test_a_lifted_rejection_is_told_and_a_later_promotion_follows_it() -> None:
    ledger = folded([replace(event(What.REJECTED), at=NOW)])
    (lifted,) = told(ledger, record(promoted_at=None), lifted=frozenset({A}))
    assert (lifted.what, lifted.document, lifted.written) == (What.RESTORED, "", None)
    after = folded([*ledger.events, lifted])
    (again,) = told(after, standing(), placed={A: "promote"})
    assert again.what is What.PROMOTED and again.at > lifted.at


def test_what_is_missing_or_never_stood_or_stands_elsewhere_is_left_as_it_is() -> None:
    assert told(PROMOTED, record(missing_from="AGENTS.md")) == []
    assert told(PROMOTED, record()) == []
    assert told(None, record(status=Status.DEMOTED)) == []
    assert told(folded([event(What.PROMOTED, key=B)]), record(status=Status.DEMOTED)) == []


def test_a_rewording_keeps_the_id_and_names_the_former_wording() -> None:
    (found,) = told(PROMOTED, standing(B, note_id=A), aliases={B: [A]})
    assert (found.id, found.what, found.written, found.was) == (A, What.REWORDED, B, (A,))


def test_a_move_to_another_document_is_told() -> None:
    (found,) = told(PROMOTED, standing(document="CLAUDE.md"))
    assert (found.what, found.document, found.was) == (What.REWORDED, "CLAUDE.md", ())


def test_an_entry_that_takes_the_place_of_another_is_promoted_and_names_it() -> None:
    (found,) = told(PROMOTED, standing(B), placed={B: "promote"}, aliases={B: [A]})
    assert (found.id, found.what, found.was) == (B, What.PROMOTED, (A,))


def test_pins_and_feedback_are_told_of_what_stands_and_of_what_was_demoted() -> None:
    pinned, felt = told(PROMOTED, standing(pinned=True, pinned_until=day(40), feedback=-300))
    assert (pinned.what, pinned.until) == (What.PINNED, day(40))
    assert (felt.what, felt.amount) == (What.FEEDBACK, -300)
    ledger = folded([event(What.PROMOTED), event(What.PINNED, 1), event(What.FEEDBACK, 1, amount=100)])
    unpinned, more = told(ledger, standing(feedback=-200))
    assert (unpinned.what, more.amount) == (What.UNPINNED, -300)
    demoted = folded([event(What.PROMOTED), event(What.DEMOTED, 1)])
    (found,) = told(demoted, record(status=Status.DEMOTED, pinned=True))
    assert found.what is What.PINNED


def test_a_tombstone_is_never_followed_by_anything() -> None:
    ledger = folded([event(What.PURGED)])
    assert told(ledger, standing(), placed={A: "promote"}, observation=seen(A)) == []


def test_secrets_stay_out_of_the_ledger() -> None:
    secret = "password = hunter2Xq9!"
    (found,) = told(None, standing(), sections={A: secret}, decisions={A: Decision("person", secret)})
    assert (found.section, found.cause) == ("", "")


def test_a_promotion_by_an_observer_says_that_it_holds_the_note() -> None:
    (found,) = told(None, standing(), placed={A: "promote"}, observation=seen(A, complete=False))
    assert (found.what, found.observer) == (What.PROMOTED, ME)
    (other,) = told(None, standing(), placed={A: "promote"}, observation=seen(complete=False))
    assert other.observer is None


def test_what_the_memory_holds_and_has_lost_is_told_once() -> None:
    (held,) = told(PROMOTED, standing(), observation=seen(A))
    assert (held.what, held.observer, held.at) == (What.HELD, ME, NOW)
    holding = folded([event(What.PROMOTED), event(What.HELD, 0.5, observer=ME)])
    (lost,) = told(holding, standing(last_seen=day(1)), observation=seen())
    assert (lost.what, lost.at) == (What.LOST, day(1)), "the last snapshot that held it, to the second"
    assert lost.until is None
    assert told(PROMOTED, standing(last_seen=day(0)), observation=seen()) == [], "what it never held it cannot lose"
    assert told(PROMOTED, standing(), observation=seen(A, complete=False)) == []


def test_what_was_promoted_after_its_last_snapshot_was_lost_at_that() -> None:
    holding = folded([event(What.PROMOTED, 0, observer=ME)])
    (lost,) = told(holding, standing(last_seen=day(-5)), observation=seen())
    assert (lost.what, lost.at, lost.until) == (What.LOST, day(0), day(-5))
    (line,) = folded([*holding.events, lost]).lines.values()
    assert line.holders[ME] == Holding(holds=False, at=day(-5))


def test_who_held_it_before_anybody_was_named_says_that_it_was_lost() -> None:
    (lost,) = told(PROMOTED, standing(last_seen=day(1)), observation=seen())
    assert (lost.what, lost.observer, lost.at) == (What.LOST, ME, day(1))
    named = folded([event(What.PROMOTED), event(What.HELD, 0.5, observer="other")])
    assert told(named, standing(last_seen=day(1)), observation=seen()) == [], "another holds it, and has said so"
    echo = standing(last_seen=day(1), echoed=True)
    assert told(PROMOTED, echo, observation=seen()) == [], "a copy of the line was no note"


def test_feedback_is_told_with_its_kind_where_it_is_all_that_is_told() -> None:
    given = {A: ("failure", "failure (high)", -150)}
    (failed,) = told(PROMOTED, standing(feedback=-150), kinds=given)
    assert (failed.kind, failed.cause, failed.amount) == ("failure", "failure (high)", -150)
    (total,) = told(PROMOTED, standing(feedback=-50), kinds=given)
    assert (total.kind, total.cause, total.amount) == ("sum", "", -50), "with what was given before"


def test_feedback_on_wordings_that_say_the_same_is_not_told_again() -> None:
    fed_back = replace(event(What.FEEDBACK, 0.1), amount=-300)
    ledger = folded([event(What.PROMOTED), fed_back])
    heir = standing(B, feedback=-300, text="other")
    placed = {"placed": {B: "promote"}, "aliases": {B: (A,)}}
    (only,) = [
        one for one in told(ledger, heir, same={B: (A,)}, **placed) if one.what in (What.PROMOTED, What.FEEDBACK)
    ]
    assert (only.what, only.same) == (What.PROMOTED, (A,))
    corrected = [one for one in told(ledger, replace(heir, feedback=0), **placed) if one.what == What.FEEDBACK]
    assert corrected == [], "what was corrected is judged anew"
    again = folded([*ledger.events, replace(only, at=day(3))])
    back = standing(feedback=-300, last_seen=day(1))
    found = told(again, back, placed={A: "promote"}, aliases={A: (B,)}, same={A: (B,)})
    assert [one.what for one in found if one.what in (What.PROMOTED, What.FEEDBACK)] == [What.PROMOTED]


def test_feedback_on_what_is_put_back_is_not_told_again() -> None:
    fed_back = replace(event(What.FEEDBACK, 0.1), amount=-300)
    taken_over = replace(event(What.PROMOTED, 0.2), id=B, written=B, was=(A,))
    ledger = folded([event(What.PROMOTED), fed_back, taken_over])
    found = told(ledger, standing(feedback=-400), placed={A: "restore"})
    assert [one.amount for one in found if one.what == What.FEEDBACK] == [-100]


def test_what_was_lost_and_held_at_one_moment_is_held_a_second_later() -> None:
    ledger = folded([event(What.PROMOTED), replace(event(What.LOST), at=NOW, observer=ME)])
    (held,) = told(ledger, standing(), observation=seen(A))
    assert held.at == NOW + timedelta(seconds=1)


def test_an_observer_that_holds_something_says_once_a_period_that_it_is_alive() -> None:
    long_ago = folded([event(What.PROMOTED, -200, observer=ME)])
    (alive,) = told(long_ago, standing(), observation=seen(A))
    assert (alive.what, alive.id) == (What.ALIVE, ME) and NOW - timedelta(days=84) < alive.at <= NOW
    later = folded([*long_ago.events, alive])
    assert new_events(later, [standing()], Update(now=NOW + timedelta(hours=1), observation=seen(A))) == []
    assert told(long_ago, standing(), observation=seen(A, complete=False)) == []
    lost = folded([*long_ago.events, event(What.LOST, -150, observer=ME)])
    assert told(lost, standing(), observation=seen()) == [], "who holds nothing owes nothing"


def test_a_line_of_0_1_is_followed_by_events() -> None:
    ledger = folded([], {A: old(A, was=(C,))})
    (found,) = new_events(ledger, [record(status=Status.DEMOTED, demoted_at=NOW)], update())
    assert (found.id, found.what) == (A, What.DEMOTED)
    assert new_events(ledger, [standing()], update()) == []


def test_a_former_wording_says_nothing_of_an_entry_that_stands_in_another() -> None:
    former = record(status=Status.DEMOTED, demoted_at=NOW)
    found = new_events(PROMOTED, [former, standing(B, note_id=A)], update(placed={B: "promote"}))
    assert [event.what for event in found] == [What.PROMOTED]


def test_a_note_is_held_whatever_its_wording_in_the_document() -> None:
    ledger = folded([event(What.PROMOTED, observer=ME), event(What.REWORDED, 1, written=B, was=(A,))])
    assert new_events(ledger, [standing(B)], update(observation=seen(A))) == []
    assert [one.what for one in new_events(ledger, [standing(B)], update(observation=seen(C)))] == [What.LOST]


def test_a_person_s_word_on_what_a_sweep_demoted_is_told() -> None:
    swept = folded([event(What.PROMOTED), event(What.DEMOTED, 1, by="sweep")])
    gone = record(status=Status.DEMOTED, demoted_at=NOW)
    decisions = {A: Decision("person", "never true")}
    found = new_events(swept, [gone], update(demoted=frozenset({A}), decisions=decisions))
    assert [(one.what, one.by, one.cause) for one in found] == [(What.DEMOTED, "person", "never true")]
    assert new_events(swept, [gone], update(decisions=decisions)) == []
    again = folded([*swept.events, *found])
    assert new_events(again, [gone], update(demoted=frozenset({A}), decisions=decisions)) == []


def test_a_promotion_keeps_its_confidence() -> None:
    (found,) = told(None, standing(original_confidence=800), placed={A: "promote"})
    assert found.confidence == 800 and folded([found]).lines[A].confidence == 800
