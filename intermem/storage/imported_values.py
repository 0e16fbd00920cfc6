"""Values of a stranger's database, cut down to what an intermem would have written."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from intermem.core.times import format_time, parse_time
from intermem.entities import FULL
from intermem.patterns import regex

MAX_NAME = 4096  # characters of a section, a path, a citation
MAX_COUNT = 1_000_000  # snapshots, sweeps

_ID = regex(r"[0-9a-f]{16}")


def insert(connection: sqlite3.Connection, table: str, values: Mapping[str, object]) -> None:
    """Insert a row."""
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", dict(values))


def is_id(value: object) -> bool:
    """Return whether ``value`` has the form of an entry's id."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def short(value: object) -> str:
    """Return ``value`` as a text of at most ``MAX_NAME`` characters; NULL is empty."""
    return str(value if value is not None else "")[:MAX_NAME]


def within(value: object, low: int, high: int) -> int:
    """Return ``value`` moved into a range, ``low`` if it is no whole number."""
    return max(low, min(high, value)) if isinstance(value, int) else low


def thousandths(value: object) -> int:
    """Return a fraction as an integer 0..1000; 500 if it is no number."""
    number = value if isinstance(value, int | float) and value == value else 0.5
    return round(max(0.0, min(1.0, number)) * FULL)


def time_of(value: object, whose: str) -> str | None:
    """Return a time in our format. Raises UnreadableTime, which names ``whose`` it is, for what is none."""
    return None if value is None else format_time(parse_time(str(value)[:MAX_NAME], whose=whose))
