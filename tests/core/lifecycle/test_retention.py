"""Whom criteria and the retention table let go, and whom not (seeds/S0, S1, S3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.lifecycle.confidence import Weights
from intermem.core.lifecycle.decay import Basis, Decay, DecayPolicy, HalfLifeDecay, LinearDecay
from intermem.core.lifecycle.retention import (
    Criteria,
    Cutoff,
    Pruning,
    Retention,
    expired,
    held_elsewhere,
    is_older,
    is_worth_a_sweep,
    pruned,
)
from intermem.core.lifecycle.staleness import Rules, assess
from intermem.entities import Record, Status

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
RULES = Rules(weights=Weights(), decay=Decay())
A, B, C, D = (letter * 16 for letter in "abcd")
PINNED = f"it is pinned: intermem pin {A[:8]} --remove unpins it"


def entry(key: str = A, seen: float = 0, **changes: object) -> Record:
    """A note that was last seen so many days ago."""
    made = Record(
        id=key,
        text=key,
        preview=key,
        section="",
        source_file="MEMORY.md",
        first_seen=NOW - 300 * DAY,
        last_seen=NOW - seen * DAY,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def demoted(key: str = A, days: float = 0, **changes: object) -> Record:
    """A record that was put away so many days ago."""
    return entry(key, 290, status=Status.DEMOTED, demoted_at=NOW - days * DAY, **changes)


def gone(records: list[Record], *, deletes: bool = False, **criteria: object) -> list[str]:
    found = pruned(records, Criteria(**criteria), NOW, RULES, deletes=deletes)  # type: ignore[arg-type]
    return [one.record.id for one in found.leaving]


def days(number: float) -> Cutoff:
    return Cutoff(age=number * DAY)


# Age


@pytest.mark.parametrize(
    ("age", "goes"),
    [(90 * DAY, True), (90 * DAY - SECOND, False), (90 * DAY + SECOND, True), (-DAY, False)],
)
def test_older_than_takes_what_is_at_least_so_old(age: timedelta, goes: bool) -> None:
    """Seeds/S0, note 3: the cutoff counts the second itself."""
    assert is_older(NOW - age, days(90), NOW) is goes


@pytest.mark.parametrize(("late", "goes"), [(-SECOND, True), (timedelta(0), False), (SECOND, False)])
def test_a_date_takes_what_was_before_it_and_not_what_was_at_it(late: timedelta, goes: bool) -> None:
    """Seeds/S1: ``timestamp < cutoff``."""
    moment = NOW - 50 * DAY
    assert is_older(moment + late, Cutoff(before=moment), NOW) is goes


def test_an_age_of_zero_takes_even_what_was_seen_now_or_will_be() -> None:
    assert is_older(NOW, days(0), NOW)
    assert is_older(NOW + DAY, days(0), NOW)


def test_what_another_memory_has_held_since_is_counted() -> None:
    held = entry(A, seen=9, document="AGENTS.md", held_at=NOW, held_until=NOW)
    records = [held, entry(B, seen=9, document="AGENTS.md"), entry(C, seen=9, held_at=NOW, held_until=NOW)]
    assert held_elsewhere(records, Criteria(older_than=days(5)), NOW) == 1
    assert held_elsewhere(records, Criteria(older_than=days(20)), NOW) == 0
    assert held_elsewhere(records, Criteria(older_than=days(5), basis=Basis.CREATED), NOW) == 0
    assert held_elsewhere(records, Criteria(keep_newest=1), NOW) == 0


def test_what_has_no_time_is_never_too_old() -> None:
    assert not is_older(None, days(0), NOW)
    assert not is_older(None, Cutoff(before=NOW), NOW)


def test_used_counts_from_the_last_access_else_from_creation() -> None:
    """Seeds/S3, MaxAgeDays; what was never accessed has no time with the basis ``accessed`` (seeds/S1)."""
    asked = entry(A, 200, last_accessed=NOW - 10 * DAY)
    never = entry(B, 0, first_seen=NOW - 91 * DAY)
    young = entry(C, 0, first_seen=NOW - 20 * DAY)
    everyone = [asked, never, young]
    assert gone(everyone, older_than=days(90), basis=Basis.USED) == [B]
    assert gone(everyone, older_than=days(90), basis=Basis.ACCESSED) == []
    assert gone(everyone, older_than=days(90), basis=Basis.CREATED) == [A, B]


def test_an_age_of_zero_takes_even_what_was_made_now() -> None:
    made = [entry(first_seen=NOW), entry(B, first_seen=NOW + DAY)]
    assert gone(made, older_than=days(0), basis=Basis.USED) == [A, B]


# Numbers


def test_keep_newest_keeps_the_newer_and_of_equals_the_smaller_id() -> None:
    records = [entry(D, 5), entry(C, 1), entry(B, 5), entry(A, 9)]
    assert gone(records, keep_newest=1) == [A, B, D]
    assert gone(records, keep_newest=2) == [A, D], "b and d are equally new: the smaller id stays"
    assert gone(records, keep_newest=3) == [A]
    assert gone(records, keep_newest=4) == []
    assert gone(records, keep_newest=99) == []


def test_keep_newest_drops_what_has_no_time_first_and_an_age_keeps_it() -> None:
    """Seeds/S1, first and second slice."""
    asked = entry(A, last_accessed=NOW - 200 * DAY)
    never = entry(B, 0)
    assert gone([asked, never], keep_newest=1, basis=Basis.ACCESSED) == [B]
    assert gone([asked, never], older_than=days(90), basis=Basis.ACCESSED) == [A]


def test_of_those_without_a_time_the_smaller_id_stays() -> None:
    assert gone([entry(B), entry(A), entry(C)], keep_newest=1, basis=Basis.ACCESSED) == [B, C]


def test_keep_highest_keeps_the_higher_then_the_newer_then_the_smaller_id() -> None:
    """Seeds/S1, third slice; those without a time come last of their equals."""
    low = entry(A, feedback=-100)
    older, newer, twin = entry(B, 9), entry(D, 3), entry(C, 3)
    records = [low, older, newer, twin]
    assert gone(records, keep_highest=3) == [A]
    assert gone(records, keep_highest=2) == [A, B]
    assert gone(records, keep_highest=1) == [A, B, D]
    asked, never = entry(D, last_accessed=NOW), entry(A)
    assert gone([never, asked], keep_highest=1, basis=Basis.ACCESSED) == [A]


def test_min_score_is_the_confidence_after_decay() -> None:
    fresh, faded, pinned = entry(A, 0), entry(B, 30), entry(C, 200, pinned=True)
    assert gone([fresh, faded, pinned], min_score=500) == [B]
    assert gone([fresh, faded, pinned], min_score=300) == []
    assert gone([entry(feedback=-300)], min_score=300) == [A]


def test_a_score_as_high_as_the_least_one_stays() -> None:
    assert gone([entry()], min_score=500) == []
    assert gone([entry()], min_score=501) == [A]


def test_criteria_must_all_speak_against_an_entry() -> None:
    records = [entry(A, 100), entry(B, 50), entry(C, 100, feedback=500)]
    assert gone(records, older_than=days(90)) == [A, C]
    assert gone(records, older_than=days(90), min_score=200) == [A]
    assert gone(records, older_than=days(90), min_score=200, keep_newest=2) == []
    assert gone(records, older_than=days(90), keep_newest=2) == [C], "of equals the smaller id stays"


def test_without_criteria_every_entry_that_is_given_goes() -> None:
    assert gone([entry(A, 1), entry(B, 999)]) == [A, B]


# Who is looked at, who is spared


def test_what_is_demoted_is_looked_at_only_to_be_deleted() -> None:
    records = [entry(A, 100), demoted(B, 5)]
    assert gone(records, older_than=days(90)) == [A]
    assert gone(records, older_than=days(90), deletes=True) == [A, B]
    assert pruned(records, Criteria(min_score=1), NOW, RULES, deletes=False).evaluated == 1
    assert pruned(records, Criteria(min_score=1), NOW, RULES, deletes=True).evaluated == 2


def test_what_is_rejected_is_not_looked_at_unless_it_stands() -> None:
    out = entry(A, 100, rejected_at=NOW)
    standing = entry(B, 100, rejected_at=NOW, document="AGENTS.md")
    assert gone([out, standing], older_than=days(90), deletes=True) == [B]


@pytest.mark.parametrize(
    ("changes", "spared"),
    [
        ({"pinned": True}, PINNED),
        ({"pinned": True, "pinned_until": NOW + SECOND}, PINNED),
        ({"pinned": True, "pinned_until": NOW}, ""),
        ({"grace_until": NOW}, "put back lately, protected until 2026-06-01"),
        ({"grace_until": NOW - SECOND}, ""),
    ],
)
@pytest.mark.parametrize("deletes", [False, True])
def test_pins_and_grace_beat_prune(changes: dict[str, object], spared: str, deletes: bool) -> None:
    found = pruned([entry(A, 100, **changes)], Criteria(keep_newest=0), NOW, RULES, deletes=deletes)
    assert [one.reason for one in found.spared] == ([spared] if spared else [])
    assert [one.record.id for one in found.leaving] == ([] if spared else [A])


def test_each_criterion_gives_its_reason() -> None:
    old = entry(A, 100)
    found = pruned([old, entry(B)], Criteria(older_than=days(90), keep_newest=1), NOW, RULES, deletes=False)
    (one,) = found.leaving
    assert one.reason == "not seen for 100 days (since 2026-02-21); not among the newest 1"


# The retention table

TABLE = Retention(enabled=True, days={"project": 365, "user": 730, "kept": 0})


def old_note(kind: str = "project", seen: float = 366, **changes: object) -> Record:
    return entry(A, seen, type=kind, **changes)


def let_go(*records: Record, retention: Retention = TABLE) -> tuple[list[str], list[str]]:
    found = expired(records, retention, NOW)
    assert found.evaluated == len(records)
    return [one.record.id for one in found.demoted], [one.record.id for one in found.deleted]


@pytest.mark.parametrize(
    ("kind", "seen", "goes"),
    [
        ("project", 365 - 1 / 86_400, False),
        ("project", 365, True),
        ("user", 366, False),
        ("user", 731, True),
        ("unknown", 9_999, False),
        ("untyped", 9_999, False),
        ("kept", 9_999, False),
    ],
)
def test_a_type_stays_its_days_and_one_that_is_not_named_for_good(kind: str, seen: float, goes: bool) -> None:
    assert let_go(old_note(kind, seen)) == ([A] if goes else [], [])


def test_nothing_goes_by_type_while_retention_is_off() -> None:
    assert let_go(old_note(), retention=replace(TABLE, enabled=False)) == ([], [])


@pytest.mark.parametrize(
    "changes",
    [
        {"document": "AGENTS.md"},
        {"missing_from": "AGENTS.md"},
        {"pinned": True},
        {"pinned": True, "pinned_until": NOW + DAY},
        {"grace_until": NOW},
        {"rejected_at": NOW - 300 * DAY},
    ],
)
def test_what_is_promoted_promised_pinned_brought_back_or_rejected_is_protected(changes: dict[str, object]) -> None:
    assert let_go(old_note(**changes)) == ([], [])
    put_away = demoted(days=181)
    assert let_go(put_away) == ([], [A])
    assert let_go(replace(put_away, **changes)) == ([], [])  # type: ignore[arg-type]


def test_what_has_superseded_another_is_protected_as_long_as_that_is_on_record() -> None:
    heir, old = old_note(), demoted(B, 5, superseded_by=A)
    assert let_go(heir, old) == ([], [])
    assert let_go(heir) == ([A], [])


def test_a_pin_that_has_ended_protects_no_longer() -> None:
    assert let_go(old_note(pinned=True, pinned_until=NOW)) == ([A], [])


@pytest.mark.parametrize(
    ("record", "goes"),
    [
        (demoted(days=180 - 1 / 86_400), False),
        (demoted(days=180), True),
        (demoted(days=9_999, in_memory=True), False),
        (demoted(days=30 - 1 / 86_400, superseded_by=B), False),
        (demoted(days=30, superseded_by=B), True),
        (demoted(days=31, superseded_by=B, in_memory=True), False),
        (entry(status=Status.DEMOTED), False),
    ],
)
@pytest.mark.parametrize("enabled", [False, True])
def test_records_go_so_many_days_after_they_were_put_away(record: Record, goes: bool, enabled: bool) -> None:
    assert let_go(record, retention=replace(TABLE, enabled=enabled)) == ([], [A] if goes else [])


def test_each_of_the_two_spans_counts_for_its_own_records() -> None:
    put_away, superseded = demoted(A, 9_999), demoted(B, 9_999, superseded_by=C)
    assert let_go(put_away, superseded) == ([], [A, B])
    assert let_go(put_away, superseded, retention=replace(TABLE, archive_days=0)) == ([], [B])
    assert let_go(put_away, superseded, retention=replace(TABLE, superseded_days=0)) == ([], [A])
    assert let_go(put_away, superseded, retention=replace(TABLE, superseded_days=10_000)) == ([], [A])


def test_what_protects_an_entry_whose_time_is_up_is_said() -> None:
    records = [
        demoted("a" * 16, 181, pinned=True),
        demoted("b" * 16, 181, in_memory=True),
        demoted("c" * 16, 181, kept_out=True, in_memory=True),
        demoted("d" * 16, 31, superseded_by="e" * 16),
        old_note(id="e" * 16, text="e"),
        demoted("f" * 16, 10, in_memory=True),
        old_note("unknown", id="1" * 16, pinned=True),
    ]
    found = expired(records, TABLE, NOW)
    assert {one.record.id[0]: one.reason.partition(":")[0] for one in found.spared} == {
        "a": "it is pinned",
        "b": "the last scan found its note in the memory",
        "c": "a person took it out, and the last scan found it in the memory",
        "e": "it superseded another entry",
    }


@pytest.mark.parametrize("huge", [999_999_999, 1_000_000_000])
def test_days_beyond_all_reckoning_mean_for_good(huge: int) -> None:
    table = Retention(enabled=True, days={"project": huge}, archive_days=huge, superseded_days=huge)
    assert let_go(old_note(), demoted(B, 9_999), demoted(C, 9_999, superseded_by=D), retention=table) == ([], [])


def test_whom_the_table_lets_go_is_told_why() -> None:
    found = expired([old_note(), demoted(B, 200), demoted(C, 40, superseded_by=D)], TABLE, NOW)
    assert [one.reason for one in (*found.demoted, *found.deleted)] == [
        "not seen for 366 days; notes of type project are kept for 365 days",
        "demoted 200 days ago",
        "superseded by dddddddd, demoted 40 days ago",
    ]


@pytest.mark.parametrize(
    ("entries", "age", "worth"),
    [(100, DAY + SECOND, True), (99, DAY + SECOND, False), (100, DAY, False), (500, timedelta(0), False)],
)
def test_a_sweep_lets_go_only_where_a_hundred_entries_are_older_than_a_day(
    entries: int, age: timedelta, worth: bool
) -> None:
    records = [entry(f"{number:016x}", first_seen=NOW - age) for number in range(entries)]
    assert is_worth_a_sweep(records, NOW) is worth


# What holds for any entries

ages = st.integers(-5, 400).map(lambda number: number * DAY)
times = ages.map(lambda age: NOW - age)
records_of_all_kinds = st.builds(
    lambda key, **more: entry(f"{key:016x}", **more),
    st.integers(0, 10**6),
    first_seen=times,
    last_seen=times,
    last_accessed=st.none() | times,
    feedback=st.sampled_from([-600, -300, 0, 100, 500]),
    pinned=st.booleans(),
    grace_until=st.none() | times,
    rejected_at=st.none() | times,
    document=st.none() | st.just("AGENTS.md"),
    status=st.sampled_from(Status),
    type=st.sampled_from(["project", "user", "untyped"]),
)
plain_records = st.builds(
    lambda key, **more: entry(f"{key:016x}", **more),
    st.integers(0, 10**6),
    last_seen=times,
    last_accessed=st.none() | times,
    feedback=st.sampled_from([-300, 0, 100]),
)


def many(kind: st.SearchStrategy[Record]) -> st.SearchStrategy[list[Record]]:
    return st.lists(kind, max_size=12, unique_by=lambda one: one.id)


all_criteria = st.builds(
    Criteria,
    older_than=st.none() | ages.filter(lambda age: age >= timedelta(0)).map(lambda age: Cutoff(age=age)),
    min_score=st.none() | st.integers(0, 1000),
    keep_newest=st.none() | st.integers(0, 8),
    keep_highest=st.none() | st.integers(0, 8),
    basis=st.none() | st.sampled_from(Basis),
)


def put_away(records: list[Record], found: Pruning, *, deletes: bool) -> list[Record]:
    """The records after the real run."""
    left = {one.record.id for one in found.leaving}
    if deletes:
        return [one for one in records if one.id not in left]
    away: Mapping[str, object] = {"status": Status.DEMOTED, "demoted_at": NOW, "document": None}
    return [replace(one, **away) if one.id in left else one for one in records]  # type: ignore[arg-type]


@given(many(records_of_all_kinds), all_criteria, st.booleans(), st.randoms())
def test_whom_a_prune_takes_does_not_depend_on_the_order_of_the_records(
    records: list[Record], criteria: Criteria, deletes: bool, random: object
) -> None:
    mixed = list(records)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    once = pruned(records, criteria, NOW, RULES, deletes=deletes)
    assert pruned(mixed, criteria, NOW, RULES, deletes=deletes) == once
    assert pruned(iter(records), criteria, NOW, RULES, deletes=deletes) == once


@given(many(records_of_all_kinds), all_criteria, st.booleans())
def test_a_prune_never_takes_what_is_protected_and_forgets_nobody(
    records: list[Record], criteria: Criteria, deletes: bool
) -> None:
    found = pruned(records, criteria, NOW, RULES, deletes=deletes)
    left, spared = ({one.record.id for one in some} for some in (found.leaving, found.spared))
    assert not left & spared and len(left) + len(spared) <= found.evaluated <= len(records)
    for one in records:
        protected = one.is_pinned(NOW) or (one.grace_until is not None and one.grace_until >= NOW)
        assert not (one.id in left and (protected or (one.rejected_at and not one.document)))
        assert one.id not in spared or protected
    assert all(one.reason for one in (*found.leaving, *found.spared))


@given(many(plain_records), st.integers(0, 15), st.none() | st.sampled_from(Basis))
def test_keep_newest_and_keep_highest_keep_exactly_so_many(
    records: list[Record], number: int, basis: Basis | None
) -> None:
    newest = gone(records, keep_newest=number, basis=basis)
    highest = gone(records, keep_highest=number, basis=basis)
    assert len(records) - len(newest) == len(records) - len(highest) == min(number, len(records))
    assert set(gone(records, keep_newest=number + 1, basis=basis)) <= set(newest)
    scores = {one.id: assess(one, (), NOW, RULES).confidence for one in records}
    kept = [scores[one.id] for one in records if one.id not in highest]
    assert max((scores[key] for key in highest), default=0) <= min(kept, default=1000)


@given(many(records_of_all_kinds), all_criteria, st.booleans())
def test_a_second_prune_by_age_or_score_finds_nothing_more(
    records: list[Record], criteria: Criteria, deletes: bool
) -> None:
    criteria = replace(criteria, keep_newest=None, keep_highest=None)
    found = pruned(records, criteria, NOW, RULES, deletes=deletes)
    again = pruned(put_away(records, found, deletes=deletes), criteria, NOW, RULES, deletes=deletes)
    assert (again.leaving, again.spared) == ((), found.spared)


@given(many(plain_records), st.integers(0, 15), st.booleans(), st.none() | st.sampled_from(Basis))
def test_a_second_prune_by_number_finds_nothing_more(
    records: list[Record], number: int, deletes: bool, basis: Basis | None
) -> None:
    criteria = Criteria(keep_newest=number, basis=basis)
    found = pruned(records, criteria, NOW, RULES, deletes=deletes)
    again = pruned(put_away(records, found, deletes=deletes), criteria, NOW, RULES, deletes=deletes)
    assert (again.evaluated, again.leaving) == (len(records) - len(found.leaving), ())


@given(many(records_of_all_kinds), all_criteria, all_criteria)
def test_another_criterion_never_takes_more(records: list[Record], one: Criteria, other: Criteria) -> None:
    both = Criteria(
        older_than=one.older_than,
        min_score=one.min_score,
        keep_newest=one.keep_newest,
        keep_highest=other.keep_highest,
        basis=one.basis,
    )
    fewer = replace(both, keep_highest=None)
    if fewer != Criteria(basis=one.basis):
        taken = {each.record.id for each in pruned(records, both, NOW, RULES, deletes=False).leaving}
        assert taken <= {each.record.id for each in pruned(records, fewer, NOW, RULES, deletes=False).leaving}


@given(many(records_of_all_kinds), st.booleans(), st.integers(0, 400), st.integers(0, 400), st.randoms())
def test_whom_retention_takes_does_not_depend_on_the_order_of_the_records(
    records: list[Record], enabled: bool, project: int, archive: int, random: object
) -> None:
    table = Retention(enabled=enabled, days={"project": project}, archive_days=archive)
    mixed = list(records)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    once = expired(records, table, NOW)
    assert expired(mixed, table, NOW) == once
    assert all(one.record.type == "project" and enabled for one in once.demoted)
    assert all(one.record.status is Status.DEMOTED for one in once.deleted)
    assert all(one.record.document is None for one in (*once.demoted, *once.deleted))


@pytest.mark.parametrize(("policy", "left"), [(LinearDecay(), 600), (HalfLifeDecay(), 274)])
@pytest.mark.parametrize("feedback", [-1000, -450, 0, 500])
def test_what_decay_has_left_is_its_own_factor_whatever_the_confidence(
    policy: DecayPolicy, left: int, feedback: int
) -> None:
    old, young = entry(A, 56, feedback=feedback), entry(B, 0, feedback=feedback)
    rules = Rules(weights=Weights(), decay=Decay(policy=policy))
    assert not pruned([old, young], Criteria(min_left=left), NOW, rules, deletes=False).leaving
    (gone,) = pruned([old, young], Criteria(min_left=left + 1), NOW, rules, deletes=False).leaving
    assert (gone.record.id, gone.reason) == (A, f"decay has left {left / 1000} of 1.0")


@pytest.mark.parametrize(
    ("configured", "basis", "goes"),
    [
        (Basis.SEEN, None, [A]),
        (Basis.SEEN, Basis.USED, [B]),
        (Basis.SEEN, Basis.ACCESSED, []),
        (Basis.SEEN, Basis.CREATED, [A, B]),
        (Basis.ACCESSED, None, [B]),
        (Basis.ACCESSED, Basis.SEEN, [A]),
    ],
)
def test_what_decay_has_left_counts_from_the_basis_that_is_given(
    configured: Basis, basis: Basis | None, goes: list[str]
) -> None:
    """Seeds/S3: whoever was asked for lately keeps it; what was never asked for has no age by ``accessed`` (S1)."""
    used, seen = entry(A, 100, last_accessed=NOW - DAY), entry(B, 1)
    rules = Rules(weights=Weights(), decay=Decay(policy=HalfLifeDecay(), basis=configured))
    found = pruned([used, seen], Criteria(min_left=500, basis=basis), NOW, rules, deletes=False)
    assert [one.record.id for one in found.leaving] == goes


def test_a_cutoff_has_words() -> None:
    assert days(90).words == "90 days" and days(0).words == "0"
    assert Cutoff(before=NOW).words == "2026-06-01T00:00:00Z"


def test_what_a_person_took_out_keeps_its_record_while_the_memory_says_it_in_other_words() -> None:
    out = demoted(A, 181, kept_out=True, superseded_by=B)
    for heir, left in ((entry(B, in_memory=True), []), (entry(B), [A])):
        assert [one.record.id for one in expired([out, heir], Retention(), NOW).deleted] == left


@pytest.mark.parametrize(
    ("out", "told", "goes"),
    [
        (demoted(A, 181, kept_out=True), frozenset(), False),
        (demoted(A, 181, kept_out=True), frozenset({A}), True),
        (demoted(A, 181, kept_out=True), None, True),
        (demoted(A, 181, kept_out=True, promoted_at=NOW), frozenset(), True),
        (demoted(A, 181), frozenset(), True),
    ],
)
def test_a_record_stays_where_it_alone_says_that_a_person_took_it_out(
    out: Record, told: frozenset[str] | None, goes: bool
) -> None:
    found = expired([out], Retention(), NOW, told)
    assert ([one.record.id for one in found.deleted], [one.record.id for one in found.spared]) == (
        ([A], []) if goes else ([], [A])
    )
    assert found.among({A}).deleted == found.deleted and not found.among({B}).deleted
