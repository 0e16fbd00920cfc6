"""Times of a record that lie in the future: until then its age is 0, so that nothing would ever take it out."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta

from intermem.core.times import is_ahead
from intermem.entities import Record


def is_from_future(record: Record, now: datetime, grace: timedelta) -> bool:
    """Return whether a time of ``record`` is later than it can be; ``grace`` is what a restored entry gets."""
    return set_back(record, now, grace) != record


def times_ahead(record: Record, now: datetime, grace: timedelta) -> list[str]:
    """Return the names of the times of ``record`` that are later than they can be."""
    back = set_back(record, now, grace)
    return [one.name for one in fields(record) if getattr(record, one.name) != getattr(back, one.name)]


def set_back(record: Record, now: datetime, grace: timedelta) -> Record:
    """Return the record with every time that is in the future set to ``now``, from which its age then counts.

    When a pin expires is a person's word and stays.
    """

    def earlier(moment: datetime | None, allowed: timedelta = timedelta(0)) -> datetime | None:
        return now + allowed if moment is not None and is_ahead(moment, now, allowed) else moment

    return replace(
        record,
        first_seen=earlier(record.first_seen) or now,
        last_seen=earlier(record.last_seen) or now,
        counted_at=earlier(record.counted_at),
        confidence_updated_at=earlier(record.confidence_updated_at),
        promoted_at=earlier(record.promoted_at),
        demoted_at=earlier(record.demoted_at),
        rejected_at=earlier(record.rejected_at),
        review_at=earlier(record.review_at),
        last_accessed=earlier(record.last_accessed),
        grace_until=earlier(record.grace_until, grace),
    )
