"""What is purged: which records a set of filters names, and the words by which what is left of them is found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from intermem.core.lifecycle.retention import Cutoff, is_older
from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

_MIN_LENGTH = 8  # characters of a line that is looked for: shorter ones stand everywhere
_MAX_LENGTH = 64  # characters of it: a long text does not lie in one piece in a database


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which records; every one that is given must hold. ``ids`` and ``found`` are sets of ids (None: not asked for).

    ``before`` and ``older_than`` count from when an entry was last seen.
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
    """Return the records that every filter names, by id (seeds/S0: ANDed, in every combination)."""
    return sorted(
        (one for one in records if _is_meant(one, filters, sessions, now)),
        key=lambda record: record.id,
    )


def needles_of(record: Record) -> list[str]:
    """Return the lines of a record's text that are worth looking for, as written: cut to a length, none very short."""
    lines = (line.strip() for line in split_lines(record.shown_text))
    return list(dict.fromkeys(line[:_MAX_LENGTH] for line in lines if len(line) >= _MIN_LENGTH))


def forms_of(needle: str) -> tuple[bytes, ...]:
    """Return how a needle may be written in a file of ours: as it is, and in the two ways of JSON."""
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
