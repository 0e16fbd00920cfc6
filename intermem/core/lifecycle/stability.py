"""How far a memory is from its first candidates: what is stable, and when the next snapshot counts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from intermem.core.lifecycle.staleness import Assessment, Rules
from intermem.entities import Record
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Ahead:
    """The next snapshot that counts: its ``number``, of how many, and the moment (``after``) from which it does."""

    number: int
    of: int
    after: datetime


def is_stable(record: Record, rules: Rules) -> bool:
    """Return whether an entry was seen in enough snapshots."""
    return record.observed_count >= rules.min_snapshots


def is_waiting(record: Record, assessment: Assessment, rules: Rules) -> bool:
    """Return whether an entry is stable and not promoted, and neither stale nor private nor rejected.

    ``promote`` has more gates; it says which of them each entry fails.
    """
    is_out = record.document is None and record.in_memory and record.rejected_at is None
    return is_out and is_stable(record, rules) and not assessment.stale and record.type in rules.types


def counts_after(record: Record, now: datetime, min_interval: timedelta) -> datetime | None:
    """Return the moment from which the next snapshot counts for an entry, at the latest ``now`` + ``min_interval``.

    None if the calendar ends before.
    """
    counted = min(record.counted_at or now, now)
    if datetime.max.replace(tzinfo=counted.tzinfo) - counted < min_interval:
        return None
    return counted + min_interval


def next_counted(records: Iterable[Record], now: datetime, min_interval: timedelta, rules: Rules) -> Ahead | None:
    """Return the next snapshot that counts, for the notes in the memory that lack the fewest.

    None if one is stable or in a document, if there is none, or if the calendar ends before.
    """
    waiting = [one for one in records if one.in_memory]
    counts = (one.observed_count if one.document is None else rules.min_snapshots for one in waiting)
    most = max(counts, default=rules.min_snapshots)
    if most >= rules.min_snapshots:
        return None
    moments = (counts_after(one, now, min_interval) for one in waiting if one.observed_count == most)
    first = min((moment for moment in moments if moment is not None), default=None)
    return Ahead(most + 1, rules.min_snapshots, first) if first is not None else None
