"""Lists that are cut: at most so many rows, and a note that there are more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row")


def at_most(limit: int, rows: Sequence[Row]) -> tuple[list[Row], tuple[str, ...]]:
    """Return the first ``limit`` of ``rows`` (0: all), and a notice if that left some out."""
    if not limit or len(rows) <= limit:
        return list(rows), ()
    shown = "the first is" if limit == 1 else f"the first {limit} are"
    return list(rows[:limit]), (f"only {shown} shown; --limit 0 shows all",)


def one_more(limit: int) -> int:
    """Return how many rows to read for ``at_most`` to know whether there are more (0: all)."""
    return limit + 1 if limit else 0
