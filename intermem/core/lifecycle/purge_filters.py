"""Select the records to purge, and the strings by which remaining copies of them are found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from intermem.core.lifecycle.retention import Cutoff, is_older
from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

_MIN_LENGTH = 8  # characters of a line to search for: shorter ones are everywhere
_MAX_LENGTH = 64  # characters to search for: a database does not store a long text in one piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Filters for records; all that are given must match. ``ids`` and ``found`` are sets of ids (None: not given).

    ``before`` and ``older_than`` apply to when an entry was last seen.
    """

    ids: frozenset[str] | None = None
    found: frozenset[str] | None = None
    before: Cutoff | None = None
    older_than: Cutoff | None = None
    type: str | None = None
    section: str | None = None
    source: str | None = None
    session: str | None = None


def meant(
    records: Iterable[Record], filters: Filters, sessions: Mapping[str, frozenset[str]], now: datetime
) -> list[Record]:
    """Return the records that match every filter, by id (seeds/S0: ANDed, in every combination)."""
    return sorted(
        (one for one in records if _is_meant(one, filters, sessions, now)),
        key=lambda record: record.id,
    )


def needles_of(record: Record) -> list[str]:
    """Return the lines of a record's text to search for: truncated, and without very short ones."""
    lines = (line.strip() for line in split_lines(record.shown_text))
    return list(dict.fromkeys(line[:_MAX_LENGTH] for line in lines if len(line) >= _MIN_LENGTH))


def forms_of(needle: str) -> tuple[bytes, ...]:
    """Return the forms of a needle in our files: plain, and as JSON with and without escapes."""
    forms = (needle, json.dumps(needle, ensure_ascii=False)[1:-1], json.dumps(needle)[1:-1])
    return tuple(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))


def _is_meant(record: Record, filters: Filters, sessions: Mapping[str, frozenset[str]], now: datetime) -> bool:
    sets = (one for one in (filters.ids, filters.found) if one is not None)
    ages = (one for one in (filters.before, filters.older_than) if one is not None)
    return (
        all(record.id in one for one in sets)
        and all(is_older(record.last_seen, one, now) for one in ages)
        and filters.type in (None, record.type)
        and filters.section in (None, record.section)
        and filters.source in (None, record.source_file)
        and (filters.session is None or filters.session in sessions.get(record.id, frozenset()))
    )
