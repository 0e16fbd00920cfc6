from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.decay import LinearDecay, NoDecay, apply_decay_penalty, linear_penalty

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("age", "lost"),
    [
        (timedelta(0), 0),
        (-5 * DAY, 0),
        (13 * DAY, 0),
        (14 * DAY, 0),
        (14 * DAY + SECOND, 100),
        (28 * DAY - SECOND, 100),
        (28 * DAY, 200),
        (28 * DAY + SECOND, 200),
        (42 * DAY, 300),
        (3650 * DAY, 26_000),
    ],
)
def test_the_penalty_is_one_step_per_full_period_once_past_the_grace(age: timedelta, lost: int) -> None:
    assert linear_penalty(age, LinearDecay()) == lost


def test_decay_never_goes_below_zero() -> None:
    assert apply_decay_penalty(500, NOW - 3650 * DAY, NOW, LinearDecay()) == 0


def test_without_decay_nothing_is_lost() -> None:
    assert apply_decay_penalty(500, NOW - 3650 * DAY, NOW, NoDecay()) == 500


@given(st.integers(0, 1000), st.integers(-400, 4000), st.integers(0, 400))
def test_an_older_entry_never_has_more_confidence(confidence: int, days: int, more: int) -> None:
    younger = apply_decay_penalty(confidence, NOW - days * DAY, NOW, LinearDecay())
    older = apply_decay_penalty(confidence, NOW - (days + more) * DAY, NOW, LinearDecay())
    assert 0 <= older <= younger <= confidence
