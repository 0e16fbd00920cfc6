"""Figures on what is on record: counts, averages, ages, what left, what goes stale next. Pure; ``now`` is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from intermem.core.lifecycle.staleness import Assessment, Rules, goes_stale_at, status_after
from intermem.entities import DEPARTURES, FULL, Departure, Record, Status

CAUSES = ("decay", "citations", "feedback", "hand", "prune", "retention", "superseded", "ledger", "purge")
UNKNOWN = "unknown"  # what left before causes were kept
BINS = 10
WEEK, WEEKS = timedelta(weeks=1), 12

_DAY = timedelta(days=1)
_LAST = datetime.max.replace(microsecond=0, tzinfo=UTC)
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Figured:
    """A record with its figures at the moment of the report."""

    record: Record
    assessment: Assessment


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """How many entries there are of each standing; one may have several.

    ``active``, ``stale`` and ``demoted`` are statuses at the moment of the report, and add up to
    ``all``. ``average_confidence`` (thousandths) is of those that are not demoted, None without any.
    """

    all: int
    active: int
    stale: int
    demoted: int
    promoted: int
    pinned: int
    rejected: int
    review: int
    average_confidence: int | None

    @property
    def stale_percent(self) -> float | None:
        """How many in a hundred are stale of those that are not demoted, to one decimal; None without any."""
        kept = self.active + self.stale
        return round(1000 * self.stale / kept) / 10 if kept else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """The entry that was seen first, when that was, its age, and the average age; ages in days, to one decimal."""

    oldest: str
    first_seen: datetime
    oldest_days: float
    average_days: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How many entries go stale in each of the next ``WEEKS`` weeks, later, and never."""

    weeks: tuple[int, ...]
    later: int
    never: int


def kept(found: Iterable[Figured]) -> list[Figured]:
    """Return those that are not demoted: what averages, ages and bins are of."""
    return [one for one in found if one.record.status is not Status.DEMOTED]


def census(found: Sequence[Figured], now: datetime) -> Census:
    """Return the counts at ``now``, and the average confidence rounded to whole thousandths.

    Source: knowledge_count, average_confidence and stale_knowledge_percent of seeds/S2.
    """
    statuses = [status_after(one.record, one.assessment.stale) for one in found]
    confidences = [one.assessment.confidence for one in kept(found)]
    records = [one.record for one in found]
    return Census(
        all=len(records),
        active=statuses.count(Status.ACTIVE),
        stale=statuses.count(Status.STALE),
        demoted=statuses.count(Status.DEMOTED),
        promoted=sum(1 for one in records if one.document is not None),
        pinned=sum(1 for one in records if one.is_pinned(now)),
        rejected=sum(1 for one in records if one.rejected_at is not None and one.document is None),
        review=sum(1 for one in records if one.review_at is not None),
        average_confidence=round(sum(confidences) / len(confidences)) if confidences else None,
    )


def census_by_type(found: Iterable[Figured], now: datetime) -> dict[str, Census]:
    """Return the counts of each type that an entry has, in order of its name."""
    by_type: dict[str, list[Figured]] = {}
    for one in found:
        by_type.setdefault(one.record.type, []).append(one)
    return {kind: census(by_type[kind], now) for kind in sorted(by_type)}


def ages(records: Sequence[Record], now: datetime) -> Ages | None:
    """Return how long ago ``records`` were first seen; of equally old ones the first by id. None without any.

    An age below zero (a clock set back) counts as zero. Source: OldestNode and AverageNodeAge of seeds/S3.
    """
    if not records:
        return None
    oldest = min(records, key=lambda one: (one.first_seen, one.id))
    total = sum((_age(one, now) for one in records), timedelta(0))
    return Ages(
        oldest=oldest.id,
        first_seen=oldest.first_seen,
        oldest_days=_days(_age(oldest, now)),
        average_days=_days(total / len(records)),
    )


def confidence_bins(confidences: Iterable[int]) -> tuple[int, ...]:
    """Return how many of ``confidences`` (thousandths) lie in each of ``BINS`` equal parts of 0 to 1.

    A part takes its lower bound in, the last one its upper bound as well.
    """
    bins = [0] * BINS
    for confidence in confidences:
        bins[min(confidence * BINS // FULL, BINS - 1)] += 1
    return tuple(bins)


def forecast(found: Iterable[Figured], now: datetime, rules: Rules) -> Forecast:
    """Return when the promoted entries of ``found`` go stale if none of them is seen again.

    Counted is the later of that moment and the end of a grace, in weeks of 168 hours from ``now``:
    from there on sweeps count against the entry. What is stale already is in the first week.
    """
    weeks = [0] * WEEKS
    later = never = 0
    for one in found:
        if one.record.document is None:
            continue
        moment = goes_stale_at(one.record, one.assessment.base, now, rules)
        if moment is None:
            never += 1
            continue
        week = (max(moment, one.record.grace_until or moment) - now) // WEEK
        if week < WEEKS:
            weeks[week] += 1
        else:
            later += 1
    return Forecast(weeks=tuple(weeks), later=later, never=never)


def week_starts(now: datetime) -> tuple[datetime, ...]:
    """Return the beginnings of the weeks of a forecast; none is beyond the calendar."""
    return tuple(now + min(number * WEEK, _LAST - now) for number in range(WEEKS))


def month_of(now: datetime) -> str:
    """Return the calendar month of ``now`` in UTC, as ``2026-01``."""
    return now.astimezone(UTC).date().isoformat()[: len("2026-01")]


def departures_by_cause(departures: Iterable[Departure]) -> dict[str, dict[str, int]]:
    """Return, by cause, how many entries left by each event.

    Every known cause and event is there, with 0 where nothing left by it; a cause that is not
    known to this version comes after them, ``UNKNOWN`` last. Source: removed_this_month of seeds/S2.
    """
    departed = [Departure(one.event, one.cause or UNKNOWN, one.number) for one in departures]
    strange = sorted({one.cause for one in departed} - {*CAUSES, UNKNOWN})
    counts = {cause: dict.fromkeys(DEPARTURES, 0) for cause in (*CAUSES, *strange, UNKNOWN)}
    for one in departed:
        counts[one.cause][one.event] += one.number
    return counts


def estimated_tokens(text: str) -> int:
    """Return about how many tokens ``text`` costs: a quarter of its characters, rounded up. An estimate, no more."""
    return -(-len(text) // _CHARACTERS_A_TOKEN)


def _age(record: Record, now: datetime) -> timedelta:
    return max(timedelta(0), now - record.first_seen)


def _days(age: timedelta) -> float:
    return round(age / _DAY, 1)
