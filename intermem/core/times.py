"""Parse and format times: ISO 8601, UTC, whole seconds. The clock is never read here."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from intermem.errors import ConfigurationError, UnreadableTime, UsageError
from intermem.patterns import regex

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)  # when nobody knows

_DURATION = regex(r"([0-9]+)\s*(w|d|h|min|s)?")
_MAX_SECONDS = 100 * 366 * 86_400  # seconds; a century
_DIFFERENCE = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_KNOWN = 1024  # times that are read or written again and again: thousands of entries were seen in one scan
_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "min": 60, "s": 1}


def parse_time(text: str, *, whose: str) -> datetime:
    """Return the time that ``text`` gives, in UTC, truncated to whole seconds.

    A time without a zone is UTC, a date alone is its midnight. ``whose`` names the owner of the time in
    the error. Raises UnreadableTime: an unreadable time never counts as recent or as old.
    """
    try:
        return _parsed(text)
    except (ValueError, OverflowError, AttributeError, TypeError):
        shown = repr(text)[:60]
        raise UnreadableTime(
            f"{whose}: {shown} is not a time", hint="times are ISO 8601, as in 2026-01-31T09:00:00Z"
        ) from None


@lru_cache(maxsize=_KNOWN)
def _parsed(text: str) -> datetime:
    moment = datetime.fromisoformat(text.strip())
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).replace(microsecond=0)


def is_ahead(moment: datetime, now: datetime, allowed: timedelta = timedelta(0)) -> bool:
    """Return whether ``moment`` is later than ``allowed`` from now, by more than the day that clocks may differ."""
    return moment - now > _DIFFERENCE + allowed  # never now + a day: the last day of the calendar has no next


def earlier(moment: datetime, span: timedelta) -> datetime:
    """Return ``moment`` less ``span``, or the first moment of the calendar if that would be before it."""
    first = datetime.min.replace(tzinfo=UTC)
    return moment - span if moment - first > span else first


def later(moment: datetime, span: timedelta) -> datetime:
    """Return ``moment`` plus ``span``, or the last moment of the calendar if that would be after it."""
    last = datetime.max.replace(tzinfo=UTC)
    return moment + span if last - moment > span else last


def is_naive(text: str) -> bool:
    """Return whether ``text`` is a time without a zone; a date alone, midnight in UTC, is not one."""
    try:
        return ":" in text and datetime.fromisoformat(text.strip()).tzinfo is None
    except ValueError:
        return False


@lru_cache(maxsize=_KNOWN)
def format_time(moment: datetime) -> str:
    """Return ``moment`` as ``2026-01-31T09:00:00Z``."""
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat() + "Z"


def format_date(moment: datetime) -> str:
    """Return the date of ``moment`` in UTC, as ``2026-01-31``."""
    return date.isoformat(moment.astimezone(UTC).date())


def format_moment(moment: datetime, now: datetime) -> str:
    """Return ``moment`` to the next full minute as ``14:05 UTC``, with its date if that is not the day of ``now``."""
    moment = moment.astimezone(UTC)
    if moment.second and datetime.max.replace(tzinfo=UTC) - moment >= _MINUTE:
        moment += _MINUTE
    clock = f"{moment:%H:%M} UTC"
    day = format_date(moment)
    return clock if day == format_date(now) else f"{day} {clock}"


def parse_duration(text: str, *, whose: str) -> timedelta:
    """Return a duration of up to a century: ``"1h"``, ``"14d"``, ``"0"``. Raises ConfigurationError.

    Only 0 needs no unit: 90 may mean days or seconds. ``3m`` is refused: who means months must not get minutes.
    """
    _refuse_minutes_or_months(text, whose, ConfigurationError)
    match = _DURATION.fullmatch(text.strip())
    number, unit = (int(match[1]), match[2]) if match and len(match[1]) <= 12 else (_MAX_SECONDS + 1, "s")
    if number and unit is None:
        raise ConfigurationError(f"{whose}: {text!r} has no unit", hint=f'a duration needs a unit: write "{number}d"')
    seconds = number * _UNITS.get(unit, 0)
    if seconds > _MAX_SECONDS:
        hint = 'expected a duration, as in "30min", "1h" or "14d"'
        raise ConfigurationError(f"{whose}: {text!r} is not a duration", hint=hint)
    return timedelta(seconds=seconds)


def parse_age(text: str, *, whose: str) -> timedelta | None:
    """Return an age as people write it, days (``"90"``) or a duration (``"12w"``); None for anything else, as a date.

    Raises ConfigurationError for a duration that is none, and UsageError for ``3m``: who means months must not get
    minutes.
    """
    text = text.strip()
    _refuse_minutes_or_months(text, whose, UsageError)
    if text.isascii() and text.isdigit() and len(text) <= len("36500"):
        return timedelta(days=int(text))
    if text[-1:].isalpha() and text[:1].isdigit() and text[-1:] not in "Zz":
        return parse_duration(text, whose=whose)
    return None


def _refuse_minutes_or_months(text: str, whose: str, error: type[UsageError | ConfigurationError]) -> None:
    text = text.strip()
    if text[-1:] == "m" and (number := text[:-1].strip()).isdigit():
        hint = f"write {number}min, or days, as in 90d"
        raise error(f"{whose}: {text!r} may mean minutes or months", hint=hint)


def format_age(age: timedelta) -> str:
    """Return ``age`` in words, the largest whole unit: ``28 days``, ``3 hours``, ``just now``."""
    seconds = int(age.total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = seconds // length
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "just now"
