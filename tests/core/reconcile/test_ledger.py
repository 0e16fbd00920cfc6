"""The ledger as text and back, folded, and brought up to date."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.reconcile.ledger import (
    Ledger,
    Line,
    Standing,
    fold_ledger,
    ledger_text,
    midnight,
    parse_ledger,
    tombstone,
    tombstones_in,
    with_tombstones,
)
from intermem.core.reconcile.ledger_update import Policy, updated_lines
from intermem.entities import Record, Status
from intermem.errors import LedgerRefused

A, B, C = "a" * 16, "b" * 16, "c" * 16
DAY = date(2026, 2, 1)


def line(key: str = A, **changes: object) -> Line:
    made = Line(
        id=key,
        status=Standing.PROMOTED,
        document="AGENTS.md",
        section="Build",
        since=DAY,
        first_seen=date(2026, 1, 1),
        last_seen=DAY,
        snapshots=3,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def record(key: str = A, **changes: object) -> Record:
    seen = datetime(2026, 2, 1, 12, tzinfo=UTC)
    made = Record(
        id=key,
        text="t",
        preview="t",
        section="Build",
        source_file="M",
        first_seen=seen,
        last_seen=seen,
        promoted_at=seen,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


dates = st.dates(date(2000, 1, 1), date(2100, 1, 1))
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
    more=st.dictionaries(st.sampled_from(["x", "y"]), st.integers(), max_size=1),
).flatmap(lambda one: pins.map(lambda pin: replace(one, pinned=pin[0], pinned_until=pin[1])))


@given(st.lists(lines, max_size=5))
def test_what_was_written_reads_back(found: list[Line]) -> None:
    once = fold_ledger(found)
    assert parse_ledger(ledger_text(once)).lines == once


@given(st.lists(lines, max_size=5))
def test_folding_twice_changes_nothing(found: list[Line]) -> None:
    once = fold_ledger(found)
    assert fold_ledger(once.values()) == once
    assert all(key == one.id and key not in one.was for key, one in once.items())


@given(st.lists(lines, max_size=4), st.randoms())
def test_folding_knows_no_order_where_it_matters(found: list[Line], random: object) -> None:
    mixed = list(found)
    random.shuffle(mixed)  # type: ignore[attr-defined]

    def told(result: dict[str, Line]) -> list[object]:
        return [
            (one.id, one.status, one.since, one.first_seen, one.last_seen, one.snapshots) for one in result.values()
        ]

    assert told(fold_ledger(found)) == told(fold_ledger(mixed))


# Lines of one entry that differ in what two people say of it: few days, so that they often meet on one.
few_days = st.dates(DAY, DAY + timedelta(days=2))
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
    once = fold_ledger(found)
    mixed = data.draw(st.permutations(found))
    cut = data.draw(st.integers(0, len(mixed)))
    left, right = fold_ledger(mixed[:cut]).values(), fold_ledger(mixed[cut:]).values()
    assert fold_ledger([*right, *left]) == fold_ledger([*left, *right]) == once
    assert fold_ledger([*found, *mixed, *once.values()]) == once
    assert parse_ledger(ledger_text(once)).lines == once


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
        ({"first_seen": date(2025, 1, 1)}, {}, {"first_seen": date(2025, 1, 1)}),
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
        (found,) = fold_ledger(pair).values()
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
    one: dict[str, object], other: dict[str, object], pin: tuple[bool, date | None]
) -> None:
    for pair in ([line(**one), line(**other)], [line(**other), line(**one)]):
        (found,) = fold_ledger(pair).values()
        assert (found.pinned, found.pinned_until) == pin


def test_of_two_sums_of_feedback_the_larger_counts_and_of_equal_ones_the_doubt() -> None:
    def heard(*amounts: int) -> int:
        return next(iter(fold_ledger([line(feedback=amount) for amount in amounts]).values())).feedback

    assert heard(100, -300) == heard(-300, 100) == -300
    assert heard(500, -300) == heard(-300, 500) == 500
    assert heard(100, -100) == heard(-100, 100) == -100


def test_a_pin_that_ends_is_written_with_its_day_and_one_that_does_not_without() -> None:
    assert '"pinned": true, "pinned_until": "2027-01-31", "feedback"' in ledger_text(
        {A: line(pinned=True, pinned_until=date(2027, 1, 31))}
    )
    assert "pinned_until" not in ledger_text({A: line(pinned=True)})


def test_a_former_identity_is_part_of_the_line_that_names_it() -> None:
    found = fold_ledger([line(A, status=Standing.DEMOTED, since=DAY + timedelta(3)), line(B, was=(A,))])
    assert list(found) == [B]
    assert (found[B].status, found[B].was) == (Standing.DEMOTED, (A,))


def test_a_line_reworded_there_and_back_is_the_later_one() -> None:
    found = fold_ledger([line(A, was=(B,), since=DAY + timedelta(2)), line(B, was=(A,))])
    assert list(found) == [A]


def test_a_former_identity_that_two_lines_claim_is_the_later_ones() -> None:
    ledger = Ledger(fold_ledger([line(A, was=(C,)), line(B, was=(C,), since=DAY + timedelta(1))]), "")
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
        ("<<<<<<< HEAD\n", ":1: a merge conflict"),
        ("\n\n" + "[" * 100_000, ":3: not JSON"),
    ],
)
def test_what_is_no_line_is_refused_with_its_number(text: str, says: str) -> None:
    with pytest.raises(LedgerRefused) as refused:
        parse_ledger(text)
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
        parse_ledger(json.dumps(loaded))


def test_a_conflict_is_read_where_it_is_to_be_folded() -> None:
    one, other = ledger_text({A: line()}), ledger_text({A: line(pinned=True), B: line(B)})
    conflict = f"<<<<<<< ours\n{one}||||||| base\n=======\n{other}>>>>>>> theirs\n"
    assert parse_ledger(conflict, tolerant=True).lines == {A: line(pinned=True), B: line(B)}


def test_line_ends_and_a_mark_of_order_do_no_harm() -> None:
    text = "\ufeff" + ledger_text({A: line(), B: line(B)}).replace("\n", "\r\n")
    assert parse_ledger(text).lines == {A: line(), B: line(B)}


def update(
    known: Line | None, *records: Record, newly: tuple[str, ...] = (), today: date = DAY, **aliases: str
) -> object:
    ledger = Ledger({known.id: known}, "") if known is not None else None
    former = {key: [alias] for alias, key in aliases.items()}
    found = updated_lines(ledger, records, former, {A: "Heading"}, newly, today, Policy())
    return next(iter(found.values())) if len(found) == 1 else found


def test_an_entry_that_stands_gets_a_line() -> None:
    made = update(None, record(document="AGENTS.md"))
    assert isinstance(made, Line)
    assert (made.status, made.since, made.section, made.snapshots) == (Standing.PROMOTED, DAY, "Heading", 1)


@pytest.mark.parametrize(("moved", "rewritten"), [(6, False), (7, True)])
def test_a_later_sight_is_written_when_it_is_a_week_later(moved: int, rewritten: bool) -> None:
    seen = midnight(DAY) + timedelta(days=moved)
    found = update(line(), record(document="AGENTS.md", last_seen=seen))
    assert (found != line()) is rewritten


def test_a_pin_is_written_at_once() -> None:
    found = update(line(), record(document="AGENTS.md", pinned=True))
    assert isinstance(found, Line) and found.pinned


def test_the_end_of_a_pin_is_written_at_once_and_goes_with_it() -> None:
    until = midnight(DAY) + timedelta(days=9)
    found = update(line(pinned=True), record(document="AGENTS.md", pinned=True, pinned_until=until))
    assert isinstance(found, Line) and (found.pinned, found.pinned_until) == (True, until.date())
    ended = update(found, record(document="AGENTS.md"))
    assert isinstance(ended, Line) and (ended.pinned, ended.pinned_until) == (False, None)


def test_what_is_said_of_an_entry_after_it_was_demoted_is_written_too() -> None:
    known = line(status=Standing.DEMOTED)
    away = record(status=Status.DEMOTED, pinned=True, feedback=-300, last_seen=midnight(DAY) + timedelta(days=99))
    assert update(known, away) == replace(known, pinned=True, feedback=-300)


@pytest.mark.parametrize("most", [10**6, 10**9])
def test_more_days_than_the_calendar_has_keep_every_line(most: int) -> None:
    old = line(status=Standing.DEMOTED)
    ledger = Ledger({A: old, B: line(B)}, "")
    policy = Policy(granularity_days=most, demoted_days=most)
    today = date(2100, 1, 1)
    seen = record(B, document="AGENTS.md", last_seen=midnight(today))
    assert updated_lines(ledger, [seen], {}, {}, (), today, policy) == {A: old, B: line(B)}


def test_what_left_is_told_with_its_day() -> None:
    left = midnight(DAY) + timedelta(days=40)
    demoted = update(line(), record(status=Status.DEMOTED, demoted_at=left), today=left.date())
    assert isinstance(demoted, Line) and (demoted.status, demoted.since) == (Standing.DEMOTED, left.date())
    rejected = update(line(), record(rejected_at=left), today=left.date())
    assert isinstance(rejected, Line) and (rejected.status, rejected.since) == (Standing.REJECTED, left.date())


def test_what_is_missing_or_of_another_branch_keeps_its_line() -> None:
    assert update(line(), record(missing_from="AGENTS.md")) == line()
    assert update(line(), record()) == line()
    assert update(line(status=Standing.DEMOTED), record(status=Status.DEMOTED)) == line(status=Standing.DEMOTED)
    assert update(line(B), record(status=Status.DEMOTED)) == line(B)


def test_a_rejection_by_hand_is_told_of_what_never_stood_too() -> None:
    found = update(None, record(rejected_at=midnight(DAY)), newly=(A,))
    assert isinstance(found, Line) and found.status is Standing.REJECTED
    assert update(None, record(rejected_at=midnight(DAY))) == {}


def test_a_reworded_entry_takes_its_line_along() -> None:
    found = update(line(B), record(A, document="AGENTS.md"), **{B: A})
    assert isinstance(found, Line) and (found.id, found.was) == (A, (B,))


@pytest.mark.parametrize(("status", "kept"), [(Standing.DEMOTED, False), (Standing.REJECTED, True)])
def test_after_180_days_a_demoted_line_leaves_and_a_rejected_one_stays(status: Standing, kept: bool) -> None:
    old = line(status=status)
    assert (update(old, today=DAY + timedelta(days=180)) == old) is kept
    assert update(old, today=DAY + timedelta(days=179)) == old


# Tombstones.


@pytest.mark.parametrize("status", [Standing.PROMOTED, Standing.DEMOTED, Standing.REJECTED])
def test_a_tombstone_wins_over_any_line_of_any_day(status: Standing) -> None:
    for day in (DAY - timedelta(days=9), DAY, LATER):
        pair = [line(status=status, pinned=True, was=(B,)), tombstone(A, day)]
        assert fold_ledger(pair) == fold_ledger(reversed(pair)) == {A: tombstone(A, day)}


def test_of_two_tombstones_the_earlier_day_stays() -> None:
    assert fold_ledger([tombstone(A, LATER), tombstone(A, DAY)]) == {A: tombstone(A, DAY)}


def test_a_tombstone_is_merged_into_no_newer_wording() -> None:
    found = fold_ledger([tombstone(A, DAY), line(B, was=(A,), since=LATER)])
    assert found == {A: tombstone(A, DAY), B: line(B, since=LATER)}


def test_a_tombstone_is_written_without_anything_else() -> None:
    assert (
        ledger_text({A: tombstone(A, DAY)}) == '{"id": "aaaaaaaaaaaaaaaa", "status": "purged", "since": "2026-02-01"}\n'
    )


def test_a_purged_line_becomes_a_tombstone_and_so_do_its_former_names() -> None:
    lines = {A: line(was=(C,)), B: line(B)}
    assert with_tombstones(lines, {A: LATER}) == {A: tombstone(A, LATER), B: line(B), C: tombstone(C, LATER)}


def test_an_entry_without_a_line_gets_no_tombstone() -> None:
    assert with_tombstones({B: line(B)}, {A: LATER}) == {B: line(B)}


def test_tombstones_are_found_and_an_invalid_ledger_has_none() -> None:
    text = ledger_text({A: tombstone(A, DAY), B: line(B)})
    assert tombstones_in(text) == {A}
    assert tombstones_in(text + "purged") == tombstones_in(None) == frozenset()


def test_a_tombstone_survives_the_update_of_the_ledger() -> None:
    """Whatever the record says, under its own id or as a former one of it."""
    ledger = Ledger({A: tombstone(A, DAY)}, "")
    today = LATER + timedelta(days=999)
    for found, former in ((record(A, document="AGENTS.md"), {}), (record(B, document="AGENTS.md"), {B: (A,)})):
        lines = updated_lines(ledger, [found], former, {}, [], today, Policy())
        assert lines.pop(A) == tombstone(A, DAY)
        assert [one.status for one in lines.values()] == [Standing.PROMOTED] * len(former)
