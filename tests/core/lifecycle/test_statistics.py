from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from intermem.core.lifecycle.confidence import Weights
from intermem.core.lifecycle.decay import Decay, NoDecay
from intermem.core.lifecycle.staleness import Assessment, Rules
from intermem.core.lifecycle.statistics import (
    CAUSES,
    Ages,
    Figured,
    ages,
    census,
    census_by_type,
    confidence_bins,
    departures_by_cause,
    forecast,
    kept,
    month_of,
    week_starts,
)
from intermem.entities import Departure, Record, Status

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
RULES = Rules(weights=Weights(), decay=Decay())


def record(**changes: object) -> Record:
    made = Record(
        id="a" * 16,
        text="Use uv.",
        preview="Use uv.",
        section="Build",
        source_file="MEMORY.md",
        first_seen=NOW,
        last_seen=NOW,
    )
    return replace(made, **changes)


def figured(confidence: int = 500, base: int | None = None, *, stale: bool = False, **changes: object) -> Figured:
    assessment = Assessment(base=base if base is not None else confidence, confidence=confidence, stale=stale)
    return Figured(record(**changes), assessment)


MIXED = [
    figured(800, document="AGENTS.md"),
    figured(601, pinned=True),
    figured(250, stale=True, review_at=NOW),
    figured(100, stale=True, status=Status.DEMOTED, rejected_at=NOW),
    figured(500, rejected_at=NOW),
]


def test_entries_are_counted_by_standing() -> None:
    found = census(MIXED, NOW)
    assert (found.all, found.active, found.stale, found.demoted) == (5, 2, 1, 0)
    assert (found.promoted, found.pinned, found.rejected, found.review) == (1, 1, 2, 1)


def test_averages_leave_out_what_is_demoted_or_rejected() -> None:
    mixed = [*MIXED, figured(900, status=Status.DEMOTED)]
    found = census(mixed, NOW)
    assert found.average_confidence == 550  # 1651 / 3 = 550.33
    assert found.stale_percent == 33.3
    assert found.active + found.stale + found.demoted + found.rejected == found.all == 6
    assert len(kept(mixed)) == 3


def test_a_percentage_has_one_decimal() -> None:
    assert census([figured(200, stale=True), *[figured()] * 2], NOW).stale_percent == 33.3


@pytest.mark.parametrize("found", [[], [figured(status=Status.DEMOTED)]])
def test_an_average_of_nothing_is_none(found: list[Figured]) -> None:
    counted = census(found, NOW)
    assert (counted.average_confidence, counted.stale_percent, counted.active) == (None, None, 0)


def test_an_entry_is_stale_as_of_now_not_as_of_the_last_sweep() -> None:
    found = census([figured(300, 500, stale=True, status=Status.ACTIVE), figured(500, status=Status.STALE)], NOW)
    assert (found.active, found.stale) == (1, 1)


def test_a_pin_counts_while_it_is_in_force() -> None:
    over = figured(pinned=True, pinned_until=NOW)
    still = figured(pinned=True, pinned_until=NOW + SECOND)
    assert census([over, still], NOW).pinned == 1


def test_a_rejected_entry_that_stands_here_is_promoted() -> None:
    found = census([figured(rejected_at=NOW, document="AGENTS.md")], NOW)
    assert (found.promoted, found.rejected) == (1, 0)


def test_types_are_counted_apart_in_order_of_name() -> None:
    found = census_by_type([figured(400, type="user"), figured(600, type="feedback"), figured(500, type="user")], NOW)
    assert {kind: (one.all, one.average_confidence) for kind, one in found.items()} == {
        "feedback": (1, 600),
        "user": (2, 450),
    }
    assert list(found) == ["feedback", "user"]


def test_ages_are_counted_from_when_an_entry_was_first_seen() -> None:
    old = record(id="b" * 16, first_seen=NOW - 10 * DAY, last_seen=NOW)
    young = record(first_seen=NOW - 1.5 * DAY)
    assert ages([young, old], NOW) == Ages(
        oldest="b" * 16, first_seen=NOW - 10 * DAY, oldest_days=10.0, average_days=5.8
    )


def test_an_age_below_zero_counts_as_zero() -> None:
    found = ages([record(first_seen=NOW - 4 * DAY), record(id="b" * 16, first_seen=NOW + 4 * DAY)], NOW)
    assert found is not None
    assert found.average_days == 2.0
    alone = ages([record(first_seen=NOW + 4 * DAY)], NOW)
    assert alone is not None
    assert (alone.oldest_days, alone.average_days) == (0.0, 0.0)


def test_of_equally_old_entries_the_first_by_id_is_the_oldest() -> None:
    found = ages([record(id="c" * 16), record(id="b" * 16)], NOW)
    assert found is not None
    assert found.oldest == "b" * 16


def test_without_entries_there_is_no_age() -> None:
    assert ages([], NOW) is None


@pytest.mark.parametrize(
    ("confidence", "place"), [(0, 0), (99, 0), (100, 1), (299, 2), (300, 3), (899, 8), (900, 9), (999, 9), (1000, 9)]
)
def test_a_bin_takes_its_lower_bound_in_and_the_last_one_all_of_it(confidence: int, place: int) -> None:
    assert confidence_bins([confidence]) == tuple(int(number == place) for number in range(10))


def promoted(base: int = 500, **changes: object) -> Figured:
    return figured(base, document="AGENTS.md", **changes)


def test_what_goes_stale_is_foretold_by_week() -> None:
    found = [
        promoted(),  # 500 is at 300 after 28 days: the fifth week
        promoted(last_seen=NOW - 7 * DAY - SECOND),  # in 20 days and 23:59:59: the third
        promoted(last_seen=NOW - 7 * DAY),  # in exactly 21 days: the fourth
        promoted(last_seen=NOW - 90 * DAY),  # stale already: the first
        promoted(800),  # at 300 after 70 days: the eleventh
    ]
    coming = forecast(found, NOW, RULES)
    assert coming.weeks == (1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0)
    assert (coming.later, coming.never) == (0, 0)


def test_decay_is_not_taken_twice() -> None:
    found = figured(400, 500, document="AGENTS.md", last_seen=NOW - 20 * DAY)  # 500 is at 300 in 8 days
    assert forecast([found], NOW, RULES).weeks[1] == 1


def test_the_twelfth_week_ends_where_later_begins() -> None:
    last = promoted(1000, last_seen=NOW - 14 * DAY - SECOND)  # at 300 after 98 days: in 84 less a second
    over = promoted(1000, last_seen=NOW - 14 * DAY)
    coming = forecast([last, over], NOW, RULES)
    assert (coming.weeks[11], coming.later) == (1, 1)


def test_only_promoted_entries_are_foretold() -> None:
    coming = forecast([figured(last_seen=NOW - 90 * DAY)], NOW, RULES)
    assert (sum(coming.weeks), coming.later, coming.never) == (0, 0, 0)


def test_a_pin_for_good_and_a_base_that_does_not_decay_never_go_stale() -> None:
    assert forecast([promoted(pinned=True, last_seen=NOW - 90 * DAY)], NOW, RULES).never == 1
    assert forecast([promoted()], NOW, replace(RULES, decay=Decay(policy=NoDecay()))).never == 1


def test_a_pin_that_ends_is_foretold_for_its_end() -> None:
    coming = forecast([promoted(pinned=True, pinned_until=NOW + 8 * DAY, last_seen=NOW - 90 * DAY)], NOW, RULES)
    assert coming.weeks[1] == 1


@pytest.mark.parametrize(("days", "week"), [(-5, 0), (6, 0), (7, 1), (10, 1)])
def test_a_grace_puts_off_what_is_stale_already(days: int, week: int) -> None:
    coming = forecast([promoted(last_seen=NOW - 90 * DAY, grace_until=NOW + days * DAY)], NOW, RULES)
    assert coming.weeks[week] == 1


def test_a_grace_that_is_over_before_changes_nothing() -> None:
    assert forecast([promoted(grace_until=NOW + 14 * DAY)], NOW, RULES).weeks[4] == 1


def test_weeks_start_now_and_end_with_the_calendar() -> None:
    starts = week_starts(NOW)
    assert (starts[0], starts[1], starts[11]) == (NOW, NOW + 7 * DAY, NOW + 77 * DAY)
    end = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert week_starts(end - 8 * DAY)[:3] == (end - 8 * DAY, end - DAY, end)


def test_a_month_is_that_of_utc() -> None:
    assert month_of(datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))) == "2026-02"
    assert month_of(NOW) == "2026-03"


def test_departures_are_summed_by_cause_and_event() -> None:
    found = departures_by_cause(
        [
            Departure("demoted", "decay", 2),
            Departure("demoted", "decay", 1),
            Departure("deleted", "prune", 4),
            Departure("demoted", "", 1),
            Departure("purged", "new one", 3),
        ]
    )
    assert found["decay"] == {"demoted": 3, "superseded": 0, "rejected": 0, "deleted": 0, "purged": 0}
    assert (found["prune"]["deleted"], found["unknown"]["demoted"], found["new one"]["purged"]) == (4, 1, 3)
    assert list(found) == [*CAUSES, "new one", "unknown"]


def test_every_cause_is_there_where_nothing_left() -> None:
    assert [sum(row.values()) for row in departures_by_cause([]).values()] == [0] * 10
