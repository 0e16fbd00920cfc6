"""Search and list records: every word is a substring of a text, its note or a heading; hits are ranked."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from intermem.core.lifecycle.decay import Decay, NoDecay, half_life_factor
from intermem.core.lifecycle.selection import contains
from intermem.core.times import format_time
from intermem.entities import Record
from intermem.lazy_dataclass import dataclass
from intermem.storage.columns import SELECT, loaded_json, record_of
from intermem.storage.metadata import Metadata

BLENDED, DEFAULT = "blended", "default"
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
    decay: Decay,
    min_weight: float = 0.0,
) -> list[Record]:
    """Return the records that contain every one of ``words``, best first.

    ``rank`` is ``relevance`` (BM25), ``recency`` (age, from the basis of ``decay``), ``blended`` (relevance halved with
    every ``half_life`` of age, before the cut to ``limit``; DESIGN.md §15.10) or the default, in which what does not
    decay has no age. In these two a record whose age leaves less than ``min_weight`` of its rank is dropped (seeds/S3,
    milestone 4).
    The index has texts and sections: a word that only the note behind a text has, or an outer heading, adds no rank.
    Ties: the younger first, then by id. Words are data: none of their characters is syntax.
    """
    long = [word for word in words if len(word) >= _TRIGRAM]
    folded = [word.casefold() for word in words]
    values: dict[str, object] = {}
    if long:
        values["match"] = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
        sql = (
            f"{SELECT}, -bm25(entries_fts) AS score FROM entries_fts"
            " JOIN memory_entries ON memory_entries.id = entries_fts.rowid WHERE entries_fts MATCH :match"
        )
    else:
        sql = f"{SELECT}, 1.0 AS score FROM memory_entries"
    rows = ((float(row["score"]), record_of(row)) for row in metadata.fetch(sql, values))
    found = [(score, one) for score, one in rows if contains(one, folded)]
    if long:
        found += ((0.0, one) for one in _beside_the_index(metadata, folded, {one.id for _, one in found}))
    ages = {record.id: max(timedelta(0), now - decay.since(record)) for _, record in found}
    spared = (record for _, record in found if rank == DEFAULT and isinstance(decay.policy_for(record.type), NoDecay))
    ageless = {record.id for record in spared}
    left = {key: 1.0 if key in ageless else half_life_factor(age, half_life) for key, age in ages.items()}
    is_blended = rank in (BLENDED, DEFAULT)
    if is_blended:
        found = [(score, record) for score, record in found if left[record.id] >= min_weight]

    def order(hit: tuple[float, Record]) -> tuple[float, float, str]:
        score, record = hit
        age = ages[record.id].total_seconds()
        if rank == "recency":
            return age, -score, record.id
        return -score * (left[record.id] if is_blended else 1.0), age, record.id

    hits = [record for _, record in sorted(found, key=order)]
    return metadata.with_citations(hits[:limit] if limit else hits)


def _beside_the_index(metadata: Metadata, words: Sequence[str], known: Collection[str]) -> Iterator[Record]:
    """Yield the records, but those ``known``, that contain ``words`` with their note or their outer headings."""
    trails = [row[0] for row in metadata.fetch("SELECT DISTINCT trail FROM memory_entries WHERE trail != '[]'")]
    told = {trail: "\n".join(loaded_json(trail, "the headings of an entry")).casefold() for trail in trails}
    named = [trail for trail, headings in told.items() if any(word in headings for word in words)]
    rows = metadata.fetch(
        f"{SELECT} FROM memory_entries WHERE note_text IS NOT NULL OR trail IN (SELECT value FROM json_each(?))",
        (json.dumps(named),),
    )
    yield from (one for one in map(record_of, rows) if one.id not in known and contains(one, words))


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
        found.setdefault(record.topic, []).append(record.confidence)
    rows = [Topic(section, len(all_of), round(sum(all_of) / len(all_of))) for section, all_of in found.items()]
    return sorted(rows, key=lambda one: (-one.entries, one.section))
