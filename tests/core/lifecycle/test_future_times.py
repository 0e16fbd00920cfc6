"""Times of a record that no clock has reached yet, and dates of the ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.future_times import set_back, times_ahead
from intermem.core.reconcile.future_dates import has_future_dates, without_future_dates
from intermem.core.reconcile.ledger import Ledger
from intermem.core.times import LONG_AGO
from intermem.entities import Record
from tests.core.reconcile.test_fold import old

NOW = datetime(2026, 3, 1, tzinfo=UTC)
GRACE = timedelta(days=14)
SOON, LATER = NOW + timedelta(days=7), NOW + timedelta(days=400)


def note(**changes: object) -> Record:
    given = {"first_seen": NOW, "last_seen": NOW} | changes
    return Record(id="a" * 16, text="x", preview="x", section="", source_file="m.md", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["last_seen", "promoted_at", "rejected_at", "last_accessed"])
def test_a_time_that_is_ahead_counts_as_now(name: str) -> None:
    record = note(**{name: SOON})
    assert times_ahead(record, NOW, GRACE) == [name]
    assert getattr(set_back(record, NOW, GRACE), name) == NOW


def test_grace_may_be_ahead_by_what_a_restored_entry_gets() -> None:
    assert set_back(note(grace_until=SOON), NOW, GRACE) == note(grace_until=SOON)
    assert set_back(note(grace_until=LATER), NOW, GRACE).grace_until == NOW + GRACE


def test_a_pin_may_end_whenever_a_person_likes() -> None:
    assert times_ahead(note(pinned=True, pinned_until=LATER), NOW, GRACE) == []


def test_a_date_of_the_ledger_that_is_ahead_counts_as_the_latest_other_one() -> None:
    past = NOW - timedelta(days=9)
    ledger = Ledger(lines={"a": old(first_seen=past, since=past, last_seen=LATER), "b": old()})
    counted, changed = without_future_dates(ledger, NOW)
    assert has_future_dates(ledger, NOW) and not has_future_dates(counted, NOW)
    assert (changed, counted.lines["a"].last_seen, counted.lines["b"]) == (("a",), past, ledger.lines["b"])


def test_what_has_no_other_date_was_seen_long_ago() -> None:
    ledger = Ledger(lines={"a": old(first_seen=LATER, since=LATER, last_seen=LATER)})
    line = without_future_dates(ledger, NOW)[0].lines["a"]
    assert (line.since, line.last_seen) == (NOW, LONG_AGO)


def test_a_ledger_of_the_past_is_left_alone() -> None:
    ledger = Ledger(lines={"a": old()})
    assert without_future_dates(ledger, NOW) == (ledger, ())
