"""The ledger of 0.1: read, and folded as 0.1 did."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.reconcile.fold import fold_lines, with_tombstones
from intermem.core.reconcile.ledger import Ledger, Line, Standing, midnight, tombstone
from intermem.core.reconcile.ledger_history import purged_in
from intermem.core.reconcile.old_ledger import line_numbers, parse_old_ledger, without_lines
from intermem.errors import LedgerRefused
from tests.old_ledger import ledger_text

A, B, C = "a" * 16, "b" * 16, "c" * 16
DAY = midnight(date(2026, 2, 1))


def line(key: str = A, **changes: object) -> Line:
    made = Line(
        id=key,
        status=Standing.PROMOTED,
        document="AGENTS.md",
        section="Build",
        since=DAY,
        first_seen=midnight(date(2026, 1, 1)),
        last_seen=DAY,
        snapshots=3,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


dates = st.dates(date(2000, 1, 1), date(2100, 1, 1)).map(midnight)
keys = st.sampled_from([A, B, C])
pins = st.tuples(st.just(False), st.none()) | st.tuples(st.just(True), st.none() | dates)
lines = st.builds(
    Line,
    id=keys,
    status=st.sampled_from(Standing),
    document=st.sampled_from(["AGENTS.md", "docs/agents/ä.md"]),
    section=st.text(max_size=5),
    since=dates,
    first_seen=dates,
    last_seen=dates,
    snapshots=st.integers(0, 99),
    feedback=st.integers(-900, 900),
    was=st.lists(keys, max_size=2, unique=True).map(tuple),
).flatmap(lambda one: pins.map(lambda pin: replace(one, pinned=pin[0], pinned_until=pin[1])))


@given(st.lists(lines, max_size=5))
def test_what_was_written_reads_back(found: list[Line]) -> None:
    once = fold_lines(found)
    assert parse_old_ledger(ledger_text(once)) == once


@given(st.lists(lines, max_size=5))
def test_folding_twice_changes_nothing(found: list[Line]) -> None:
    once = fold_lines(found)
    assert fold_lines(once.values()) == once
    assert all(key == one.id and key not in one.was for key, one in once.items())


@given(st.lists(lines, max_size=4), st.randoms())
def test_folding_knows_no_order_where_it_matters(found: list[Line], random: object) -> None:
    mixed = list(found)
    random.shuffle(mixed)  # type: ignore[attr-defined]

    def told(result: dict[str, Line]) -> list[object]:
        return [
            (one.id, one.status, one.since, one.first_seen, one.last_seen, one.snapshots) for one in result.values()
        ]

    assert told(fold_lines(found)) == told(fold_lines(mixed))


# Lines of one entry that differ in what two people say of it: few days, so that they often meet on one.
few_days = st.integers(0, 2).map(lambda days: DAY + timedelta(days=days))
twins = st.builds(
    line,
    status=st.sampled_from(Standing),
    since=few_days,
    last_seen=few_days,
    feedback=st.sampled_from([-100, 0, 100]),
).flatmap(
    lambda one: (st.tuples(st.just(False), st.none()) | st.tuples(st.just(True), st.none() | few_days)).map(
        lambda pin: replace(one, pinned=pin[0], pinned_until=pin[1])
    )
)


@given(st.lists(twins, min_size=1, max_size=4), st.data())
def test_folding_is_the_same_in_any_order_in_any_groups_and_more_than_once(
    found: list[Line], data: st.DataObject
) -> None:
    once = fold_lines(found)
    mixed = data.draw(st.permutations(found))
    cut = data.draw(st.integers(0, len(mixed)))
    left, right = fold_lines(mixed[:cut]).values(), fold_lines(mixed[cut:]).values()
    assert fold_lines([*right, *left]) == fold_lines([*left, *right]) == once
    assert fold_lines([*found, *mixed, *once.values()]) == once
    assert parse_old_ledger(ledger_text(once)) == once


def test_a_line_is_one_object_in_the_order_of_the_design() -> None:
    written = ledger_text({A: line(was=(B,), feedback=-50)})
    assert written == (
        f'{{"id": "{A}", "status": "promoted", "doc": "AGENTS.md", "section": "Build", "since": "2026-02-01",'
        ' "first_seen": "2026-01-01", "last_seen": "2026-02-01", "snapshots": 3, "pinned": false,'
        f' "feedback": -0.05, "was": ["{B}"]}}\n'
    )


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"last_seen": DAY}, {"last_seen": DAY + timedelta(1)}, {"last_seen": DAY + timedelta(1)}),
        ({"first_seen": midnight(date(2025, 1, 1))}, {}, {"first_seen": midnight(date(2025, 1, 1))}),
        ({"status": Standing.DEMOTED, "since": DAY + timedelta(1)}, {"pinned": True}, {"status": Standing.DEMOTED}),
        ({"status": Standing.DEMOTED}, {}, {"status": Standing.DEMOTED}),
        ({"status": Standing.DEMOTED}, {"status": Standing.REJECTED}, {"status": Standing.REJECTED}),
        ({"status": Standing.DEMOTED}, {"since": DAY + timedelta(1)}, {"status": Standing.PROMOTED}),
        ({"pinned": True}, {}, {"pinned": True}),
        ({"snapshots": 7}, {}, {"snapshots": 7}),
        ({"was": (B,)}, {"was": (C,)}, {"was": (B, C)}),
    ],
)
def test_two_lines_of_one_entry_become_one(
    one: dict[str, object], other: dict[str, object], expected: dict[str, object]
) -> None:
    for pair in ([line(**one), line(**other)], [line(**other), line(**one)]):
        (found,) = fold_lines(pair).values()
        assert {name: getattr(found, name) for name in expected} == expected


LATER = DAY + timedelta(days=1)


@pytest.mark.parametrize(
    ("one", "other", "pin"),
    [
        ({"pinned": True}, {"pinned": True, "pinned_until": DAY}, (True, None)),
        ({"pinned": True, "pinned_until": DAY}, {"pinned": True, "pinned_until": LATER}, (True, LATER)),
        ({"pinned": True, "pinned_until": DAY}, {}, (True, DAY)),
        ({}, {}, (False, None)),
        ({"pinned": True, "pinned_until": DAY}, {"since": LATER}, (False, None)),
        ({"pinned": True}, {"since": LATER, "pinned": True, "pinned_until": DAY}, (True, DAY)),
        ({"pinned": True, "status": Standing.PROMOTED}, {"status": Standing.DEMOTED}, (False, None)),
    ],
)
def test_of_two_pins_the_longer_holds_where_both_say_the_same_else_the_later_line(
    one: dict[str, object], other: dict[str, object], pin: tuple[bool, datetime | None]
) -> None:
    for pair in ([line(**one), line(**other)], [line(**other), line(**one)]):
        (found,) = fold_lines(pair).values()
        assert (found.pinned, found.pinned_until) == pin


def test_of_two_sums_of_feedback_the_larger_counts_and_of_equal_ones_the_doubt() -> None:
    def heard(*amounts: int) -> int:
        return next(iter(fold_lines([line(feedback=amount) for amount in amounts]).values())).feedback

    assert heard(100, -300) == heard(-300, 100) == -300
    assert heard(500, -300) == heard(-300, 500) == 500
    assert heard(100, -100) == heard(-100, 100) == -100


def test_a_pin_that_ends_is_written_with_its_day_and_one_that_does_not_without() -> None:
    assert '"pinned": true, "pinned_until": "2027-01-31", "feedback"' in ledger_text(
        {A: line(pinned=True, pinned_until=midnight(date(2027, 1, 31)))}
    )
    assert "pinned_until" not in ledger_text({A: line(pinned=True)})


def test_a_former_identity_is_part_of_the_line_that_names_it() -> None:
    found = fold_lines([line(A, status=Standing.DEMOTED, since=DAY + timedelta(3)), line(B, was=(A,))])
    assert list(found) == [B]
    assert (found[B].status, found[B].was) == (Standing.DEMOTED, (A,))


def test_a_line_reworded_there_and_back_is_the_later_one() -> None:
    found = fold_lines([line(A, was=(B,), since=DAY + timedelta(2)), line(B, was=(A,))])
    assert list(found) == [A]


def test_a_former_identity_that_two_lines_claim_is_the_later_ones() -> None:
    ledger = Ledger(fold_lines([line(A, was=(C,)), line(B, was=(C,), since=DAY + timedelta(1))]))
    assert ledger.former == {C: B}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", ":1: not JSON"),
        ("[]", ":1: not a JSON object"),
        ("{}", ":1: id is missing"),
        (json.dumps({"id": "A" * 16}), "is not an id"),
        (json.dumps({"id": A, "status": "lost"}), "lost"),
        (json.dumps({"id": A, "status": "promoted", "doc": 3}), "doc is 3"),
        (json.dumps({"id": A, "status": "promoted", "doc": "A", "since": "soon"}), "since is not a date"),
        ("\n\n" + "[" * 100_000, ":3: not JSON"),
    ],
)
def test_what_is_no_line_is_refused_with_its_number(text: str, says: str) -> None:
    with pytest.raises(LedgerRefused) as refused:
        parse_old_ledger(text)
    assert says in refused.value.message


@pytest.mark.parametrize(
    "change",
    [
        {"pinned": 1},
        {"pinned_until": None},
        {"pinned_until": "soon"},
        {"pinned_until": 20270131},
        {"snapshots": True},
        {"snapshots": 10**25},
        {"snapshots": -1},
        {"was": ["x"]},
        {"feedback": "much"},
        {"feedback": 1e300},
        {"feedback": float("nan")},
        {"doc": ""},
        {"doc": "a\0b"},
        {"doc": "../x"},
        {"doc": "/etc/passwd"},
        {"doc": ".git/config"},
        {"doc": "\ud800"},
        {"section": "\ud800"},
    ],
)
def test_a_wrong_type_is_refused(change: dict[str, object]) -> None:
    loaded = json.loads(ledger_text({A: line()})) | change
    with pytest.raises(LedgerRefused):
        parse_old_ledger(json.dumps(loaded))


def test_a_conflict_is_read_where_it_is_to_be_folded() -> None:
    one, other = ledger_text({A: line()}), ledger_text({A: line(pinned=True), B: line(B)})
    conflict = f"<<<<<<< ours\n{one}||||||| base\n=======\n{other}>>>>>>> theirs\n"
    assert parse_old_ledger(conflict) == {A: line(pinned=True), B: line(B)}


def test_line_ends_and_a_mark_of_order_do_no_harm() -> None:
    text = "\ufeff" + ledger_text({A: line(), B: line(B)}).replace("\n", "\r\n")
    assert parse_old_ledger(text) == {A: line(), B: line(B)}


# Tombstones.


@pytest.mark.parametrize("status", [Standing.PROMOTED, Standing.DEMOTED, Standing.REJECTED])
def test_a_tombstone_wins_over_any_line_of_any_day(status: Standing) -> None:
    for day in (DAY - timedelta(days=9), DAY, LATER):
        pair = [line(status=status, pinned=True, was=(B,)), tombstone(A, day)]
        assert fold_lines(pair) == fold_lines(reversed(pair)) == {A: tombstone(A, day)}


def test_of_two_tombstones_the_earlier_day_stays() -> None:
    assert fold_lines([tombstone(A, LATER), tombstone(A, DAY)]) == {A: tombstone(A, DAY)}


def test_a_tombstone_is_merged_into_no_newer_wording() -> None:
    found = fold_lines([tombstone(A, DAY), line(B, was=(A,), since=LATER)])
    assert found == {A: tombstone(A, DAY), B: line(B, since=LATER)}


def test_a_purged_line_becomes_a_tombstone_and_so_do_its_former_names() -> None:
    lines = {A: line(was=(C,)), B: line(B)}
    day = LATER.date()
    assert with_tombstones(lines, {A: day}) == {A: tombstone(A, LATER), B: line(B), C: tombstone(C, LATER)}


def test_an_entry_without_a_line_gets_no_tombstone() -> None:
    assert with_tombstones({B: line(B)}, {A: LATER.date()}) == {B: line(B)}


def test_tombstones_are_found_and_an_invalid_ledger_has_none() -> None:
    text = ledger_text({A: tombstone(A, DAY), B: line(B)})
    assert purged_in([], text) == {A}
    assert purged_in([], text + "purged") == purged_in([], None) == frozenset()


def test_the_lines_of_purged_entries_are_taken_out_and_so_are_marks_of_a_conflict() -> None:
    kept, named = ledger_text({B: line(B)}), ledger_text({C: line(C, was=(A,))})
    text = f"<<<<<<< ours\n{ledger_text({A: line()})}=======\n{kept}{named}>>>>>>> theirs\n"
    assert without_lines(text, frozenset({A})) == kept
    assert without_lines(text, frozenset()) == ledger_text({A: line()}) + kept + named
    assert line_numbers(text) == {A: 2, B: 4, C: 5}


def test_a_tombstone_takes_no_other_line_with_it() -> None:
    purged = tombstone(A, DAY)
    for order in itertools.permutations([purged, replace(purged, was=(B,)), line(B)]):
        assert fold_lines(order) == {A: purged, B: line(B)}
