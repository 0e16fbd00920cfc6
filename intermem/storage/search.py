"""Search and list records: every word is a substring of text or section; hits are ranked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from intermem.core.lifecycle.decay import Basis, counted_from, half_life_factor
from intermem.core.times import format_time
from intermem.entities import Record
from intermem.storage.columns import SELECT, record_of
from intermem.storage.metadata import Metadata

_TRIGRAM = 3  # characters; shorter words are not in the index


@dataclass(frozen=True, slots=True)
class Topic:
    """A section: how many entries it has, and their average confidence in thousandths."""

    section: str
    entries: int
    average_confidence: int


def search(
    metadata: Metadata,
    words: Sequence[str],
    *,
    rank: str,
    limit: int,
    now: datetime,
    half_life: timedelta,
    basis: Basis = Basis.SEEN,
    min_weight: float = 0.0,
) -> list[Record]:
    """Return the records that contain every one of ``words``, best first.

    ``rank`` is ``relevance`` (BM25), ``recency`` (age, counted from ``basis``) or ``blended`` (relevance
    halved with every ``half_life`` of age, before the cut to ``limit``; DESIGN.md §15.10). Blended, a
    record whose age leaves less than ``min_weight`` of its rank is dropped (seeds/S3, milestone 4).
    Ties: the younger first, then by id. Words are data: none of their characters is syntax.
    """
    long = [word for word in words if len(word) >= _TRIGRAM]
    short = [word.casefold() for word in words if len(word) < _TRIGRAM]
    values: dict[str, object] = {}
    if long:
        values["match"] = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
        sql = (
            f"{SELECT}, -bm25(entries_fts) AS score FROM entries_fts"
            " JOIN memory_entries ON memory_entries.id = entries_fts.rowid WHERE entries_fts MATCH :match"
        )
    else:
        sql = f"{SELECT}, 1.0 AS score FROM memory_entries"
    found: list[tuple[float, Record]] = []
    for row in metadata.fetch(sql, values):
        record = record_of(row)
        text = f"{record.shown_text}\n{record.section}".casefold()
        if all(word in text for word in short):
            found.append((float(row["score"]), record))
    ages = {record.id: max(timedelta(0), now - counted_from(record, basis)) for _, record in found}
    left = {key: half_life_factor(age, half_life) for key, age in ages.items()}
    if rank == "blended":
        found = [(score, record) for score, record in found if left[record.id] >= min_weight]

    def order(hit: tuple[float, Record]) -> tuple[float, float, str]:
        score, record = hit
        age = ages[record.id].total_seconds()
        if rank == "recency":
            return age, -score, record.id
        return -score * (left[record.id] if rank == "blended" else 1.0), age, record.id

    hits = [record for _, record in sorted(found, key=order)]
    return metadata.with_citations(hits[:limit] if limit else hits)


def listed(metadata: Metadata, which: str, limit: int, now: datetime) -> list[Record]:
    """Return the records of one list: ``demoted``, ``stale``, ``pinned`` (at ``now``), ``review`` or ``all``.

    Sorted by demotion, newest first; by review flag, oldest first; the others by confidence, then
    last seen, then id.
    """
    where = {
        "demoted": "status = 'demoted'",
        "stale": "status = 'stale'",
        "pinned": "pinned = 1 AND (pinned_until IS NULL OR pinned_until > :now)",
        "review": "review_at IS NOT NULL",
        "all": "1",
    }[which]
    orders = {"demoted": "demoted_at DESC, entry_hash", "review": "review_at, entry_hash"}
    order = orders.get(which, "confidence DESC, last_seen DESC, entry_hash")
    rows = metadata.fetch(
        f"{SELECT} FROM memory_entries WHERE {where} ORDER BY {order} LIMIT :limit",
        {"limit": limit or -1, "now": format_time(now)},
    )
    return metadata.with_citations(record_of(row) for row in rows)


def topics(metadata: Metadata, limit: int) -> list[Topic]:
    """Return the sections, those with the most entries first; a type in place of one is none.

    What was demoted or rejected is not counted.
    """
    rows = metadata.fetch(
        "SELECT CASE WHEN section = entry_type AND trail = '[]' THEN '' ELSE section END AS topic,"
        " count(*), sum(confidence) FROM memory_entries"
        " WHERE status != 'demoted' AND rejected_at IS NULL GROUP BY topic ORDER BY count(*) DESC, topic LIMIT ?",
        (limit or -1,),
    )
    return [Topic(row[0], row[1], round(row[2] / row[1])) for row in rows]


def topics_of(records: Iterable[Record]) -> list[Topic]:
    """Return the sections of ``records`` as ``topics`` does."""
    found: dict[str, list[int]] = {}
    for record in records:
        is_type = record.section == record.type and not record.trail
        found.setdefault("" if is_type else record.section, []).append(record.confidence)
    rows = [Topic(section, len(all_of), round(sum(all_of) / len(all_of))) for section, all_of in found.items()]
    return sorted(rows, key=lambda one: (-one.entries, one.section))
