"""The strings by which remaining copies of purged entries are found."""

from __future__ import annotations

import json
from collections.abc import Sequence

from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

_MIN_LENGTH = 8  # characters of a line to search for: shorter ones are everywhere
_STEP = 16  # characters between the parts of a line that are tried
_MAX_LENGTH = 64  # characters to search for: a database does not store a long text in one piece


def needles_of(record: Record, others: Sequence[str] = ()) -> list[str]:
    """Return the lines of a record's text to search for: truncated, and without very short ones.

    Of a long line it is a part that no text of ``others`` has, unless one has all of it.
    """
    lines = (line.strip() for line in split_lines(record.shown_text))
    return list(dict.fromkeys(_telling(line, others) for line in lines if len(line) >= _MIN_LENGTH))


def _telling(line: str, others: Sequence[str]) -> str:
    first = line[:_MAX_LENGTH]
    alike = [other for other in others if first in other]
    if len(line) <= _MAX_LENGTH or not alike or any(line in other for other in alike):
        return first
    starts = [*range(_STEP, len(line) - _MAX_LENGTH, _STEP), len(line) - _MAX_LENGTH]
    parts = (line[start : start + _MAX_LENGTH] for start in starts)
    return next((part for part in parts if not any(part in other for other in others)), first)


def forms_of(needle: str) -> tuple[bytes, ...]:
    """Return the forms of a needle in our files: plain, and as JSON with and without escapes."""
    forms = (needle, json.dumps(needle, ensure_ascii=False)[1:-1], json.dumps(needle)[1:-1])
    return tuple(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))
