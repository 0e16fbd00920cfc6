"""Dates in the ledger that lie in the future: whoever wrote them, they are no evidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from intermem.core.reconcile.ledger import Ledger, Line
from intermem.core.times import LONG_AGO, is_ahead


def has_future_dates(ledger: Ledger, now: datetime) -> bool:
    """Return whether a line of the ledger has a date in the future."""
    return any(is_ahead(day, now) for line in ledger.lines.values() for day in _dates(line))


def without_future_dates(ledger: Ledger, now: datetime) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger as it counts at ``now``, and the ids of the lines with a date in the future.

    Such a date counts as the line's latest other one. Where all are in the future, the line stands since ``now``, and
    was seen last long ago: one that could say when would keep its entry for ever. Pins may end whenever they like.
    """
    changed = {key: counted for key, line in ledger.lines.items() if (counted := _counted(line, now)) != line}
    return (replace(ledger, lines={**ledger.lines, **changed}), tuple(changed)) if changed else (ledger, ())


def _counted(line: Line, now: datetime) -> Line:
    dates = _dates(line)
    past = [day for day in dates if not is_ahead(day, now)]
    if len(past) == len(dates):
        return line
    if not past:
        return replace(line, since=now, last_seen=LONG_AGO)
    latest = max(past)
    first, since, last = (day if day in past else latest for day in dates)
    return replace(line, first_seen=first, since=since, last_seen=last)


def _dates(line: Line) -> tuple[datetime, datetime, datetime]:
    return line.first_seen, line.since, line.last_seen
