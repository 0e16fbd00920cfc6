"""What the events of a ledger amount to."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import Holding, Line, Standing, tombstone
from tests.core.reconcile.test_events import events as any_events

A, B, C, D = ("abcd"[number] * 16 for number in range(4))
START = datetime(2026, 3, 1, tzinfo=UTC)
ME, YOU = "00000001", "00000002"


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def event(what: What, number: float = 0, key: str = A, **changes: object) -> LedgerEvent:
    values = {"id": key, "at": day(number), "what": what} | changes
    if what in (What.PROMOTED, What.RESTORED):
        values = {"document": "AGENTS.md", "written": key} | values
    return LedgerEvent(**values)  # type: ignore[arg-type]


def line_of(*events: LedgerEvent, key: str = A) -> Line:
    return folded(events).lines[key]


def old(key: str = A, **changes: object) -> Line:
    values = {"id": key, "status": Standing.PROMOTED, "document": "AGENTS.md", "section": "", "since": day(-9)}
    values |= {"first_seen": day(-20), "last_seen": day(-8), "snapshots": 4} | changes
    return Line(**values)  # type: ignore[arg-type]


# Few times, so that they often meet.
close_events = any_events.flatmap(
    lambda one: st.integers(0, 3).map(
        lambda number: LedgerEvent(
            **{name: getattr(one, name) for name in one.__slots__ if name != "at"}, at=START + timedelta(days=number)
        )
    )
)


@given(st.lists(close_events, max_size=12), st.data())
def test_any_two_histories_merge_to_the_same_state_in_any_order(found: list[LedgerEvent], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(found))
    cut = data.draw(st.integers(0, len(found)))
    once = folded(found)
    assert folded(mixed).lines == once.lines and folded(mixed).signs == once.signs
    assert folded([*mixed[cut:], *mixed[:cut], *found]).lines == once.lines, "what both sides have counts once"
    assert all(key == one.id and key not in one.was for key, one in once.lines.items())
    names = [name for one in once.lines.values() for name in {one.id, one.entry_id}]
    assert len(names) == len(set(names)), "no two entries share an id"


@pytest.mark.parametrize("what", [What.PROMOTED, What.DEMOTED])
def test_of_two_events_that_differ_in_confidence_alone_the_same_counts_in_any_order(what: What) -> None:
    pair = [event(what, 1, confidence=300), event(what, 1, confidence=500)]
    assert folded(pair).lines == folded(pair[::-1]).lines


def test_the_id_of_a_note_whose_text_stands_as_another_entry_is_that_entrys() -> None:
    swapped = [event(What.RESTORED, 4, key=B, written=A), event(What.RESTORED, 3, key=A, written=C)]
    lines = folded(swapped).lines
    assert {key: (one.entry_id, one.was) for key, one in lines.items()} == {A: (B, (B,)), C: (C, ())}


def test_a_promotion_stands_with_all_that_it_says() -> None:
    made = event(What.PROMOTED, 1, section="Build", written=B, first_seen=day(-3), snapshots=4, by="person", cause="x")
    assert line_of(made, key=B) == Line(
        id=B,
        status=Standing.PROMOTED,
        document="AGENTS.md",
        section="Build",
        since=day(1),
        first_seen=day(-3),
        last_seen=day(1),
        snapshots=4,
        was=(A,),
        note_id=A,
        by="person",
        cause="x",
    )


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ([event(What.PROMOTED, 1), event(What.DEMOTED, 2)], Standing.DEMOTED),
        ([event(What.DEMOTED, 2), event(What.PROMOTED, 3)], Standing.PROMOTED),
        ([event(What.PROMOTED, 2), event(What.DEMOTED, 1)], Standing.PROMOTED),
        ([event(What.PROMOTED, 2), event(What.REJECTED, 1)], Standing.REJECTED),
        ([event(What.PROMOTED, 3), event(What.RESTORED, 2), event(What.REJECTED, 1)], Standing.PROMOTED),
        ([event(What.PROMOTED, 1), event(What.DEMOTED, 1)], Standing.DEMOTED),
        ([event(What.REJECTED, 1), event(What.DEMOTED, 1)], Standing.REJECTED),
        ([event(What.REJECTED, 1), event(What.RESTORED, 2)], Standing.PROMOTED),
    ],
)
def test_of_what_is_said_of_an_entry_the_latest_counts(events: list[LedgerEvent], status: Standing) -> None:
    assert line_of(*events).status is line_of(*reversed(events)).status is status


def test_a_lifted_rejection_leaves_nothing_and_a_promotion_after_it_counts() -> None:
    lifted = [event(What.REJECTED, 1), event(What.RESTORED, 2, document="", written=None)]
    assert folded(lifted).lines == {}
    assert line_of(*lifted, event(What.PROMOTED, 3)).status is Standing.PROMOTED


def test_feedback_of_two_people_adds_up_and_pins_follow_the_latest() -> None:
    said = [event(What.PROMOTED), event(What.FEEDBACK, 1, amount=100), event(What.FEEDBACK, 1, amount=-300)]
    assert line_of(*said).feedback == -200
    pins = [event(What.PROMOTED), event(What.PINNED, 1, until=day(9)), event(What.UNPINNED, 2)]
    assert (line_of(*pins[:2]).pinned, line_of(*pins[:2]).pinned_until) == (True, day(9))
    assert (line_of(*pins).pinned, line_of(*pins).pinned_until) == (False, None)
    assert line_of(*pins[:2], event(What.REJECTED, 2)).pinned is False


def test_a_purge_is_final_and_the_earliest_counts() -> None:
    found = [event(What.PURGED, 4), event(What.PURGED, 2), event(What.PROMOTED, 1), event(What.PROMOTED, 9)]
    assert folded(found).lines == {A: tombstone(A, day(2))}
    assert folded(found).purged == {A: day(2).date()}


def test_a_rewording_keeps_the_id_and_remembers_the_wordings() -> None:
    found = line_of(event(What.PROMOTED), event(What.REWORDED, 1, written=B), event(What.REWORDED, 2, written=C), key=C)
    assert (found.entry_id, found.was, found.since) == (A, (A, B), day(0))


def test_two_wordings_of_one_entry_are_the_later_one() -> None:
    found = folded([event(What.PROMOTED), event(What.REWORDED, 1, written=B), event(What.REWORDED, 2, written=C)])
    assert list(found.lines) == [C] and found.former == {A: C, B: C}


def test_two_entries_of_which_the_same_is_written_are_one() -> None:
    found = folded([event(What.PROMOTED, 1, key=A, written=C), event(What.PROMOTED, 2, key=B, written=C)])
    assert list(found.lines) == [C]
    assert set(found.lines[C].was) == {A, B}


def test_an_entry_whose_place_another_takes_is_a_former_wording_of_it() -> None:
    taken = [event(What.PROMOTED, 1), event(What.PROMOTED, 3, key=B, was=(A,)), event(What.DEMOTED, 5)]
    for found in (folded(taken[:2]), folded(taken)):
        assert list(found.lines) == [B] and found.lines[B].was == (A,)
        assert found.lines[B].status is Standing.PROMOTED, (
            "a sweep of the old wording elsewhere says nothing of the new"
        )
    rejected = folded([*taken[:2], event(What.REJECTED, 5)])
    assert [line.status for line in rejected.lines.values()] == [Standing.REJECTED], "a person's word counts for both"
    again = folded([*taken, event(What.RESTORED, 6)])
    assert set(again.lines) == {A, B} and again.lines[B].was == (), "restored, it is an entry in its own right"


def test_chains_and_circles_of_former_wordings_end() -> None:
    chain = [
        event(What.PROMOTED, 1),
        event(What.PROMOTED, 2, key=B, was=(A,)),
        event(What.PROMOTED, 3, key=C, was=(B,)),
    ]
    found = folded(chain)
    assert list(found.lines) == [C] and set(found.lines[C].was) == {A, B}
    circle = folded([event(What.PROMOTED, 1, was=(B,)), event(What.PROMOTED, 2, key=B, was=(A,))])
    assert list(circle.lines) == [B]


def test_observers_hold_lose_and_are_alive() -> None:
    found = folded(
        [
            event(What.PROMOTED, 1, observer=ME),
            event(What.HELD, 2, observer=YOU),
            event(What.LOST, 3, observer=ME),
            LedgerEvent(id=YOU, at=day(40), what=What.ALIVE),
        ]
    )
    assert found.lines[A].holders == {ME: Holding(holds=False, at=day(3)), YOU: Holding(holds=True, at=day(2))}
    assert found.signs == {ME: day(3), YOU: day(40)}
    late = folded([event(What.PROMOTED, 4, observer=ME), event(What.LOST, 4, observer=ME, until=day(3))])
    assert late.lines[A].holders == {ME: Holding(holds=False, at=day(3))}, "promoted a day after it was seen last"
    ahead = folded([event(What.PROMOTED, 1), event(What.LOST, 4, observer=ME, until=day(90))])
    assert ahead.lines[A].holders[ME].at == day(4), "it cannot have been there after it was lost"
    same = folded([event(What.HELD, 2, observer=ME), event(What.LOST, 2, observer=ME), event(What.PROMOTED, 0)])
    assert same.lines[A].holders[ME].holds is False, "lost at the moment at which it was held last"


def test_what_is_unknown_or_without_a_standing_says_nothing() -> None:
    assert (
        folded([event(What.HELD, 1, observer=ME), event(What.PINNED), LedgerEvent(id=A, at=START, what="new")]).lines
        == {}
    )
    assert line_of(event(What.PROMOTED), LedgerEvent(id=A, at=day(3), what="new")).status is Standing.PROMOTED


def test_lines_of_0_1_are_the_oldest_events() -> None:
    found = folded([event(What.DEMOTED, 1), event(What.FEEDBACK, 1, amount=-100)], {A: old(feedback=50), B: old(B)})
    assert (found.lines[A].status, found.lines[A].feedback, found.lines[A].first_seen) == (
        Standing.DEMOTED,
        -50,
        day(-20),
    )
    assert found.lines[B] == old(B)


def test_a_line_of_0_1_is_found_by_its_note() -> None:
    line = old(B, note_id=A, was=(A,))
    assert folded([event(What.PINNED, 1)], {B: line}).lines[B].pinned
    assert folded([event(What.REWORDED, 1, written=C)], {B: line}).lines[C].was == (A, B)
    assert folded([event(What.PURGED, 1)], {B: line}).lines == {A: tombstone(A, day(1))}


SWEPT, FLAGGED = {"by": "sweep"}, {"by": "person", "cause": "demoted for review; wrong"}
OUT = {"by": "person", "cause": "by hand"}


@pytest.mark.parametrize(("weak", "strong"), [(SWEPT, FLAGGED), (FLAGGED, OUT), (SWEPT, OUT)])
def test_of_removals_that_nothing_lifts_in_between_the_strongest_counts(
    weak: dict[str, str], strong: dict[str, str]
) -> None:
    promoted = event(What.PROMOTED, 0)
    weaker, stronger = event(What.DEMOTED, 2, **weak), event(What.DEMOTED, 1, **strong)
    found = line_of(promoted, stronger, weaker)
    assert (found.since, found.by, found.cause) == (day(1), strong["by"], strong.get("cause", ""))
    found = line_of(promoted, replace(weaker, at=day(0.5)), stronger)
    assert (found.since, found.by, found.cause) == (day(1), strong["by"], strong.get("cause", ""))
    found = line_of(promoted, stronger, event(What.RESTORED, 1.5), weaker)
    assert (found.since, found.by) == (day(2), weak["by"])
    assert line_of(promoted, event(What.REJECTED, 1, by="person"), weaker).status is Standing.REJECTED
