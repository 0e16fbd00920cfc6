"""Times of a record that lie in the future: until then its age is 0, so that nothing would ever take it out."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from intermem.core.times import is_ahead
from intermem.entities import Record

_AT_ONCE = timedelta(0)
_TIMES = (
    "last_seen",
    "first_seen",
    "counted_at",
    "confidence_updated_at",
    "promoted_at",
    "demoted_at",
    "rejected_at",
    "review_at",
    "last_accessed",
    "grace_until",
)


def times_ahead(record: Record, now: datetime, grace: timedelta) -> list[str]:
    """Return the names of the times of ``record`` that are later than they can be.

    ``grace`` is what a restored entry gets. When a pin expires is a person's word.
    """
    latest = {"grace_until": grace}
    times = ((name, getattr(record, name)) for name in _TIMES)
    return [name for name, time in times if time is not None and is_ahead(time, now, latest.get(name, _AT_ONCE))]


def set_back(record: Record, now: datetime, grace: timedelta) -> Record:
    """Return the record with every time that is in the future set to ``now``, from which its age then counts."""
    ahead = times_ahead(record, now, grace)
    back: dict[str, Any] = {name: now + grace if name == "grace_until" else now for name in ahead}
    return replace(record, **back) if back else record
