from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.confidence import Weights
from intermem.core.lifecycle.decay import Decay
from intermem.core.lifecycle.stability import Ahead, is_waiting, next_counted
from intermem.core.lifecycle.staleness import Assessment, Rules
from intermem.entities import Record

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
RULES = Rules(weights=Weights(), decay=Decay())
RECORD = Record(
    id="a" * 16,
    text="Prefer short functions.",
    preview="",
    section="",
    source_file="MEMORY.md",
    first_seen=NOW,
    last_seen=NOW,
    counted_at=NOW,
    in_memory=True,
)


def ahead(*records: Record, now: datetime = NOW) -> Ahead | None:
    return next_counted(records, now, HOUR, RULES)


def test_the_next_snapshot_counts_an_interval_after_the_last_counted_one() -> None:
    assert ahead(RECORD) == Ahead(2, 3, NOW + HOUR)
    assert ahead(replace(RECORD, counted_at=NOW - HOUR / 2)) == Ahead(2, 3, NOW + HOUR / 2)


def test_the_note_that_lacks_the_fewest_decides() -> None:
    near = replace(RECORD, snapshot_count=2, counted_at=NOW - HOUR / 2)
    assert ahead(RECORD, near, RECORD) == Ahead(3, 3, NOW + HOUR / 2)


@pytest.mark.parametrize("counted_at", [None, NOW + HOUR])
def test_a_time_that_is_missing_or_still_to_come_is_now(counted_at: datetime | None) -> None:
    assert ahead(replace(RECORD, counted_at=counted_at)) == Ahead(2, 3, NOW + HOUR)


def test_what_was_imported_does_not_count() -> None:
    assert ahead(replace(RECORD, snapshot_count=5, imported_count=4)) == Ahead(2, 3, NOW + HOUR)


@pytest.mark.parametrize(
    "records", [[], [replace(RECORD, in_memory=False)], [RECORD, replace(RECORD, snapshot_count=3)]]
)
def test_there_is_nothing_to_wait_for(records: list[Record]) -> None:
    assert ahead(*records) is None


def test_the_calendar_may_end_before() -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert ahead(replace(RECORD, counted_at=last), now=last) is None


def test_a_stable_entry_waits_unless_it_stands_or_may_not() -> None:
    fine, stale = (Assessment(base=500, confidence=500, stale=one) for one in (False, True))
    stable = replace(RECORD, snapshot_count=3)
    assert is_waiting(stable, fine, RULES)
    assert not is_waiting(stable, stale, RULES)
    for changes in (
        {"snapshot_count": 2},
        {"document": "AGENTS.md"},
        {"in_memory": False},
        {"rejected_at": NOW},
        {"type": "user"},
    ):
        assert not is_waiting(replace(stable, **changes), fine, RULES), changes
