"""The strings by which remaining copies of purged entries are found."""

from __future__ import annotations

import json

from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

_MIN_LENGTH = 8  # characters of a line to search for: shorter ones are everywhere
_MAX_LENGTH = 64  # characters to search for: a database does not store a long text in one piece


def needles_of(record: Record) -> list[str]:
    """Return the lines of a record's text to search for: truncated, and without very short ones."""
    lines = (line.strip() for line in split_lines(record.shown_text))
    return list(dict.fromkeys(line[:_MAX_LENGTH] for line in lines if len(line) >= _MIN_LENGTH))


def forms_of(needle: str) -> tuple[bytes, ...]:
    """Return the forms of a needle in our files: plain, and as JSON with and without escapes."""
    forms = (needle, json.dumps(needle, ensure_ascii=False)[1:-1], json.dumps(needle)[1:-1])
    return tuple(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))
