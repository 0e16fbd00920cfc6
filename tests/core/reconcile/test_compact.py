"""Old events are compacted: the state stays the same, and what comes back from a branch changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intermem.core.reconcile.compact import compacted
from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.fold import folded
from tests.core.reconcile.test_fold import ME, START, YOU, A, B, close_events, day, event, old


def after(events: list[LedgerEvent], before: float) -> list[LedgerEvent]:
    found = compacted(events, day(before), {})
    return [*(one for one in events if one not in found.gone), *found.new]


LIFE = [
    event(What.PROMOTED, 1, observer=ME, first_seen=day(-3), snapshots=4, section="Build"),
    event(What.REWORDED, 2, written=B, was=(A,)),
    event(What.FEEDBACK, 3, amount=100),
    event(What.FEEDBACK, 4, amount=-300),
    event(What.PINNED, 5),
    event(What.UNPINNED, 6),
    event(What.LOST, 7, observer=ME),
    event(What.HELD, 8, observer=YOU),
    event(What.DEMOTED, 9, cause="x"),
    LedgerEvent(id=YOU, at=day(2), what=What.ALIVE),
    LedgerEvent(id=YOU, at=day(10), what=What.ALIVE),
]


def test_what_later_events_have_superseded_goes() -> None:
    kept = after(LIFE, 400)
    assert sorted(one.what for one in kept) == ["alive", "demoted", "feedback", "feedback", "held", "lost", "unpinned"]
    assert folded(kept).lines == folded(LIFE).lines and folded(kept).signs == folded(LIFE).signs
    assert after(kept, 400) == kept, "done once"


def test_what_was_lost_before_it_was_promoted_stays_lost() -> None:
    events = [
        event(What.PROMOTED, 5, observer=ME),
        event(What.HELD, 6, observer=YOU),
        event(What.LOST, 6, observer=ME, until=day(3)),
        event(What.FEEDBACK, 7, amount=100),
        event(What.FEEDBACK, 8, amount=100),
        event(What.LOST, 9, observer=YOU, snapshots=7),
    ]
    kept = after(events, 400)
    assert sorted(one.what for one in kept) == ["feedback", "feedback", "lost", "lost", "promoted"]
    assert folded(kept).lines == folded(events).lines


def test_failures_are_counted_on_and_a_sum_says_nothing_of_a_review() -> None:
    failed = event(What.FEEDBACK, 5, amount=-150, kind="failure", cause="failure (high)")
    given = [
        event(What.PROMOTED, 1),
        event(What.FEEDBACK, 2, amount=100, kind="confirm", cause="confirm"),
        event(What.FEEDBACK, 3, amount=-300, kind="incorrect", cause="incorrect"),
        event(What.FEEDBACK, 4, amount=0, kind="outdated", cause="outdated: old"),
        failed,
        event(What.FEEDBACK, 6, amount=-300, kind="incorrect", cause="incorrect"),
        event(What.PINNED, 7),
        event(What.UNPINNED, 8),
    ]
    kept = [one for one in after(given, 400) if one.what == What.FEEDBACK]
    assert failed in kept and len(kept) == 3
    assert {(one.kind, one.amount, one.cause) for one in kept if one != failed} == {
        ("outdated", 0, "outdated: old"),
        ("sum", -500, ""),
    }
    assert folded(after(given, 400)).lines == folded(given).lines
    assert folded(after(given, 400)).reviews == folded(given).reviews


def test_what_left_keeps_both_its_confidences() -> None:
    left = [
        event(What.PROMOTED, 1, confidence=700),
        event(What.FEEDBACK, 2, amount=100),
        event(What.FEEDBACK, 3, amount=-300),
        event(What.DEMOTED, 4, cause="x"),
        event(What.RESTORED, 5, confidence=600),
        event(What.DEMOTED, 6, cause="y", confidence=0),
    ]
    kept = after(left, 400)
    assert sorted(one.what for one in kept) == ["demoted", "feedback", "feedback", "restored"]
    (line,) = folded(kept).lines.values()
    assert (line.confidence, line.final_confidence) == (600, 0)
    assert folded(kept).lines == folded(left).lines


def test_what_is_younger_stays_as_it_is() -> None:
    assert compacted(LIFE, START, {}).gone == ()
    kept = after(LIFE, 4.5)
    assert [one for one in kept if one.at > day(4.5)] == [one for one in LIFE if one.at > day(4.5)]
    assert folded(kept).lines == folded(LIFE).lines


def test_a_branch_that_brings_its_events_back_changes_where_nothing_stands() -> None:
    kept = after(LIFE, 400)
    both, line = folded([*kept, *LIFE]).lines[B], folded(LIFE).lines[B]
    assert (both.status, both.holders, both.pinned, both.was) == (line.status, line.holders, line.pinned, line.was)


def test_tombstones_and_entries_of_0_1_are_left_alone() -> None:
    events = [event(What.PURGED, 1), event(What.PURGED, 2)]
    assert compacted(events, day(9), {}).gone == ()
    assert compacted(LIFE, day(400), {A: old()}).gone == LIFE_OF_OBSERVERS


LIFE_OF_OBSERVERS = (LIFE[-2],)


@given(st.lists(close_events, max_size=10, unique=True), st.integers(0, 4))
def test_no_state_changes(events: list[LedgerEvent], number: int) -> None:
    kept = after(events, number + 0.5)
    assert folded(kept).lines == folded(events).lines
    assert folded(kept).signs == folded(events).signs
    assert len(kept) <= len(set(events)) or kept == events


def test_what_is_for_review_stays_for_review() -> None:
    flagged = [*LIFE[:1], event(What.FEEDBACK, 2, amount=100), event(What.FEEDBACK, 3, kind="outdated")]
    for events in (flagged, [*flagged, event(What.FEEDBACK, 4, kind="confirm")]):
        assert folded(after(events, 400)).reviews == folded(events).reviews != {}
