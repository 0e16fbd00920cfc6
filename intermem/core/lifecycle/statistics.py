"""Statistics on records: counts, averages, ages, departures, and a forecast. Pure; ``now`` is a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from intermem.core.lifecycle.staleness import Assessment, Rules, goes_stale_at, status_after
from intermem.entities import DEPARTURES, FULL, Departure, Record, Status
from intermem.lazy_dataclass import dataclass

CAUSES = ("decay", "citations", "feedback", "hand", "prune", "retention", "superseded", "ledger", "purge")
UNKNOWN = "unknown"  # departures from before causes were recorded
BINS = 10
WEEK, WEEKS = timedelta(weeks=1), 12

_DAY = timedelta(days=1)
_LAST = datetime.max.replace(microsecond=0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Figured:
    """A record with its assessment at the time of the report."""

    record: Record
    assessment: Assessment


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """The number of entries in each state; an entry may be in several.

    ``active``, ``stale``, ``demoted`` and ``rejected`` are as of the report, and add up to ``all``.
    ``average_confidence`` (thousandths) is that of the active and stale ones, None if there are none.
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
        """The percentage of stale entries among these and the active ones, to one decimal; None if there are none."""
        kept = self.active + self.stale
        return round(1000 * self.stale / kept) / 10 if kept else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """The oldest entry, when it was first seen, its age, and the average age; in days, to one decimal."""

    oldest: str
    first_seen: datetime
    oldest_days: float
    average_days: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How many entries become stale in each of the next ``WEEKS`` weeks, later, and never."""

    weeks: tuple[int, ...]
    later: int
    never: int


def kept(found: Iterable[Figured]) -> list[Figured]:
    """Return the entries that are neither demoted nor rejected; averages, ages and bins are computed from these."""
    return [one for one in found if not (is_rejected(one.record) or one.record.status is Status.DEMOTED)]


def is_rejected(record: Record) -> bool:
    """Return whether a person rejected an entry, and it is in no document: so it is counted, whatever its status."""
    return record.rejected_at is not None and record.document is None


def census(found: Sequence[Figured], now: datetime) -> Census:
    """Return the counts at ``now``, and the average confidence rounded to whole thousandths.

    Source: knowledge_count, average_confidence and stale_knowledge_percent of seeds/S2.
    """
    rejected = sum(is_rejected(one.record) for one in found)
    statuses = [status_after(one.record, one.assessment.stale) for one in found if not is_rejected(one.record)]
    confidences = [one.assessment.confidence for one in kept(found)]
    records = [one.record for one in found]
    return Census(
        all=len(records),
        active=statuses.count(Status.ACTIVE),
        stale=statuses.count(Status.STALE),
        demoted=statuses.count(Status.DEMOTED),
        promoted=sum(1 for one in records if one.document is not None),
        pinned=sum(1 for one in records if one.is_pinned(now)),
        rejected=rejected,
        review=sum(1 for one in records if one.review_at is not None),
        average_confidence=round(sum(confidences) / len(confidences)) if confidences else None,
    )


def census_by_type(found: Iterable[Figured], now: datetime) -> dict[str, Census]:
    """Return the counts by type, in order of its name."""
    by_type: dict[str, list[Figured]] = {}
    for one in found:
        by_type.setdefault(one.record.type, []).append(one)
    return {kind: census(by_type[kind], now) for kind in sorted(by_type)}


def ages(records: Sequence[Record], now: datetime) -> Ages | None:
    """Return the ages of ``records`` since they were first seen, or None if there are none; ties go by id.

    A negative age (clock set back) counts as zero. Source: OldestNode and AverageNodeAge of seeds/S3.
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
    """Return how many of ``confidences`` (thousandths) are in each of ``BINS`` equal bins from 0 to 1.

    A bin includes its lower bound, and the last one its upper bound as well.
    """
    bins = [0] * BINS
    for confidence in confidences:
        bins[min(confidence * BINS // FULL, BINS - 1)] += 1
    return tuple(bins)


def forecast(found: Iterable[Figured], now: datetime, rules: Rules) -> Forecast:
    """Return when the promoted entries in ``found`` become stale if none of them is seen again.

    What counts is the later of that time and the end of the grace period, when sweeps start to count, in
    weeks of 168 hours from ``now``. Entries that are already stale are in the first week.
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
    """Return the start of each week of a forecast, limited to the last possible date."""
    return tuple(now + min(number * WEEK, _LAST - now) for number in range(WEEKS))


def month_of(now: datetime) -> str:
    """Return the calendar month of ``now`` in UTC, as ``2026-01``."""
    return now.astimezone(UTC).date().isoformat()[: len("2026-01")]


def departures_by_cause(departures: Iterable[Departure]) -> dict[str, dict[str, int]]:
    """Return how many entries left, by cause and event.

    Every known cause and event is included, if need be with 0; causes that this version does not know come
    after them, ``UNKNOWN`` last. Source: removed_this_month of seeds/S2.
    """
    departed = [Departure(one.event, one.cause or UNKNOWN, one.number) for one in departures]
    strange = sorted({one.cause for one in departed} - {*CAUSES, UNKNOWN})
    counts = {cause: dict.fromkeys(DEPARTURES, 0) for cause in (*CAUSES, *strange, UNKNOWN)}
    for one in departed:
        counts[one.cause][one.event] += one.number
    return counts


def _age(record: Record, now: datetime) -> timedelta:
    return max(timedelta(0), now - record.first_seen)


def _days(age: timedelta) -> float:
    return round(age / _DAY, 1)
