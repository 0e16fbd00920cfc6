"""Finding records: every word as a substring of text or section, and how hits are ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from intermem.entities import Record
from intermem.storage.metadata import Metadata, record_of

_TRIGRAM = 3  # characters; shorter words are not in the index

_SELECT = (
    "SELECT memory_entries.*, EXISTS (SELECT 1 FROM sources WHERE sources.entry_hash = memory_entries.entry_hash)"
    " AS in_memory"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A section with how many entries it has and their average confidence in thousandths."""

    section: str
    entries: int
    average_confidence: int


def search(
    metadata: Metadata, words: Sequence[str], *, rank: str, limit: int, now: datetime, half_life: timedelta
) -> list[Record]:
    """Return the records that hold every one of ``words``, best first.

    ``rank``: ``relevance`` (BM25), ``recency`` (last seen) or ``blended`` (relevance halved with
    every ``half_life`` since last seen; applied before the cut to ``limit``, DESIGN.md §15.10).
    Words are data: no character of theirs is syntax.
    """
    long = [word for word in words if len(word) >= _TRIGRAM]
    short = [word.casefold() for word in words if len(word) < _TRIGRAM]
    values: dict[str, object] = {}
    if long:
        values["match"] = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
        sql = (
            f"{_SELECT}, -bm25(entries_fts) AS score FROM entries_fts"
            " JOIN memory_entries ON memory_entries.id = entries_fts.rowid WHERE entries_fts MATCH :match"
        )
    else:
        sql = f"{_SELECT}, 1.0 AS score FROM memory_entries"
    found: list[tuple[float, Record]] = []
    for row in metadata.fetch(sql, values):
        record = record_of(row)
        text = f"{record.shown_text}\n{record.section}".casefold()
        if all(word in text for word in short):
            found.append((float(row["score"]), record))
    age = {record.id: max(timedelta(0), now - record.last_seen) for _, record in found}

    def order(hit: tuple[float, Record]) -> tuple[float, float, str]:
        score, record = hit
        seen = age[record.id].total_seconds()
        if rank == "recency":
            return seen, -score, record.id
        if rank == "blended":
            return -score * 0.5 ** (seen / half_life.total_seconds()), seen, record.id
        return -score, seen, record.id

    hits = [record for _, record in sorted(found, key=order)]
    return metadata.with_citations(hits[:limit] if limit else hits)


def listed(metadata: Metadata, which: str, limit: int) -> list[Record]:
    """Return records of one standing: ``demoted``, ``stale``, ``pinned`` or ``all``.

    Demoted ones newest demotion first; the others by confidence, then last seen, then id.
    """
    where = {
        "demoted": "status = 'demoted'",
        "stale": "status = 'stale'",
        "pinned": "pinned = 1",
        "all": "1",
    }[which]
    order = "demoted_at DESC, entry_hash" if which == "demoted" else "confidence DESC, last_seen DESC, entry_hash"
    rows = metadata.fetch(f"{_SELECT} FROM memory_entries WHERE {where} ORDER BY {order} LIMIT ?", (limit or -1,))
    return metadata.with_citations(record_of(row) for row in rows)


def topics(metadata: Metadata, limit: int) -> list[Topic]:
    """Return the sections, those with most entries first."""
    rows = metadata.fetch(
        "SELECT section, count(*), sum(confidence) FROM memory_entries GROUP BY section"
        " ORDER BY count(*) DESC, section LIMIT ?",
        (limit or -1,),
    )
    return [Topic(row[0], row[1], round(row[2] / row[1])) for row in rows]
