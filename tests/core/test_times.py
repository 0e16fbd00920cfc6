from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.times import (
    format_age,
    format_date,
    format_moment,
    format_time,
    is_naive,
    parse_age,
    parse_duration,
    parse_time,
)
from intermem.errors import ConfigurationError, UnreadableTime


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-01-31T09:00:00Z", "2026-01-31T09:00:00Z"),
        ("2026-01-31", "2026-01-31T00:00:00Z"),
        ("2026-01-31T09:00:00.999999", "2026-01-31T09:00:00Z"),
        ("2026-01-31T09:00:00+05:30", "2026-01-31T03:30:00Z"),
        (" 0001-01-01T00:00:00Z ", "0001-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_utc_with_whole_seconds(text: str, shown: str) -> None:
    moment = parse_time(text, whose="it")
    assert format_time(moment) == shown
    assert parse_time(shown, whose="it") == moment
    assert format_date(moment) == shown[:10]


@pytest.mark.parametrize("text", ["", "soon", "2026-02-30", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_is_an_error_that_says_whose(text: str) -> None:
    with pytest.raises(UnreadableTime, match="entry 1a2b"):
        parse_time(text, whose="entry 1a2b")


@pytest.mark.parametrize(
    ("text", "naive"),
    [("2026-01-31T09:00:00", True), ("2026-01-31T09:00:00Z", False), ("2026-01-31", False), ("a:b", False)],
)
def test_a_time_of_day_without_a_zone_is_naive(text: str, naive: bool) -> None:
    assert is_naive(text) is naive


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0), ("90s", 90), ("30s", 30), ("5 min", 300), ("1h", 3600), ("2w", 1_209_600)],
)
def test_a_duration(text: str, seconds: int) -> None:
    assert parse_duration(text, whose="it") == timedelta(seconds=seconds)


def test_a_duration_that_may_mean_months_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="it: '3m' may mean minutes or months") as refused:
        parse_duration("3m", whose="it")
    assert refused.value.hint == "write 3min, or days, as in 90d"


@pytest.mark.parametrize("text", ["", "1y", "-1d", "1.5h", "²", "9" * 30, "99999999w"])
def test_what_is_no_duration_is_an_error(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_duration(text, whose="it")


def test_a_duration_without_a_unit_is_refused_with_what_to_write() -> None:
    with pytest.raises(ConfigurationError, match="it: '90' has no unit") as refused:
        parse_duration("90", whose="it")
    assert refused.value.hint == 'a duration needs a unit: write "90d"'


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute"),
        (7200, "2 hours"),
        (86_400, "1 day"),
        (86_400 * 30, "30 days"),
    ],
)
def test_an_age_in_words(age: int, words: str) -> None:
    assert format_age(timedelta(seconds=age)) == words


def test_a_moment_of_another_zone_is_written_in_utc() -> None:
    assert format_time(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("2026-01-31T14:05:00Z", "14:05 UTC"),
        ("2026-01-31T14:04:01Z", "14:05 UTC"),
        ("2026-01-31T15:05:00+01:00", "14:05 UTC"),
        ("2026-02-01T00:00:00Z", "2026-02-01 00:00 UTC"),
        ("2026-01-31T23:59:30Z", "2026-02-01 00:00 UTC"),
        ("9999-12-31T23:59:59Z", "9999-12-31 23:59 UTC"),
    ],
)
def test_a_moment_is_a_full_minute_that_is_not_before_and_has_a_date_on_another_day(moment: str, shown: str) -> None:
    now = parse_time("2026-01-31T09:00:00Z", whose="now")
    assert format_moment(parse_time(moment, whose="it"), now) == shown


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("90", timedelta(days=90)),
        (" 12w ", timedelta(weeks=12)),
        ("36h", timedelta(hours=36)),
        ("2026-01-31", None),
        ("2026-01-31T09:00:00Z", None),
        ("yesterday", None),
    ],
)
def test_an_age_is_days_or_a_duration_and_a_date_is_none(text: str, age: timedelta | None) -> None:
    assert parse_age(text, whose="--older-than") == age


def test_an_age_of_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="--older-than"):
        parse_age("12x", whose="--older-than")
