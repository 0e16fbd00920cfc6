"""What one snapshot of the memory says about each record: first seen, seen again, gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from intermem.core.identity import phase_one_identity
from intermem.core.splicing import rendered_item
from intermem.entities import Entry, Record, Source

PREVIEW = 80  # characters; S4's content_preview


@dataclass(frozen=True, slots=True)
class Observed:
    """A record as a snapshot leaves it.

    ``takes_over`` is the identity of a phase-1 row whose note this is; ``event`` a word for the
    history (``first seen``, ``seen again``) or empty.
    """

    record: Record
    sources: tuple[Source, ...]
    sessions: frozenset[str]
    takes_over: str | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What is on record before a snapshot: records by id, aliases, and each entry's sessions."""

    records: Mapping[str, Record]
    aliases: Mapping[str, str]
    sessions: Mapping[str, frozenset[str]]


def observe(
    entries: Mapping[str, Sequence[Entry]], known: Known, now: datetime, min_interval: timedelta
) -> list[Observed]:
    """Return what the snapshot ``entries`` (by identity) makes of each entry in it, in order of identity.

    An observation counts where the previous counted one is at least ``min_interval`` older, or a
    new session stands behind the entry; ``last_seen`` always moves, and never back. An echo is
    seen but not counted: an entry that was absent while it stood in a document, and still does.
    Source: DESIGN.md §5.
    """
    grouped: dict[str, list[Entry]] = {}
    for identity in sorted(entries):
        grouped.setdefault(known.aliases.get(identity, identity), []).extend(entries[identity])
    found: list[Observed] = []
    for identity, group in grouped.items():
        record = known.records.get(identity)
        taken = None
        if record is None:
            taken = _phase_one_row(group, known)
            record = known.records[taken] if taken else None
        sessions = frozenset(entry.session for entry in group if entry.session)
        sources = tuple(entry.source for entry in group)
        if record is None:
            found.append(Observed(_first(identity, group[0], now), sources, sessions, event="first seen"))
        else:
            is_new_session = bool(sessions - known.sessions.get(record.id, frozenset()))
            seen = _again(identity, record, group, now, min_interval, is_new_session=is_new_session)
            event = "" if record.in_memory else "seen again"
            found.append(Observed(seen, sources, sessions, taken, event))
    return found


def preview_of(text: str) -> str:
    """Return the first characters of ``text``, for lists."""
    return " ".join(text.split())[:PREVIEW]


def _first(identity: str, entry: Entry, now: datetime) -> Record:
    return Record(
        id=identity,
        text=entry.text,
        preview=preview_of(entry.text),
        section=entry.section,
        trail=entry.trail,
        type=entry.type,
        source_file=entry.source.file,
        first_seen=now,
        last_seen=now,
        counted_at=now,
        in_memory=True,
    )


def _again(
    identity: str,
    record: Record,
    group: Sequence[Entry],
    now: datetime,
    min_interval: timedelta,
    *,
    is_new_session: bool,
) -> Record:
    entry = group[0]
    counts = is_new_session or _is_due(record.counted_at, now, min_interval)
    if record.document is not None and not record.in_memory:
        counts = False  # an echo: the agent copied back what stands in the document
    is_alias = entry.id != identity  # reviewed wording stays; the note goes on being seen
    text = record.text if is_alias and record.text is not None else entry.text
    return replace(
        record,
        id=identity,
        text=text,
        preview=preview_of(text),
        section=entry.section,
        trail=entry.trail,
        type=entry.type,
        source_file=entry.source.file,
        last_seen=max(record.last_seen, now),
        snapshot_count=record.snapshot_count + (1 if counts else 0),
        counted_at=now if counts else record.counted_at,
        in_memory=True,
        read_by=record.read_by if text == record.text else 0,
    )


def _is_due(counted_at: datetime | None, now: datetime, min_interval: timedelta) -> bool:
    """True where the last counted observation is old enough, or lies in the future (a clock set back)."""
    return counted_at is None or now < counted_at or now - counted_at >= min_interval


def _phase_one_row(group: Sequence[Entry], known: Known) -> str | None:
    """The phase-1 row that one of these texts hashed to; phase 1 kept the list marker or not."""
    for entry in group:
        for text in (entry.text, rendered_item(entry.text), rendered_item(entry.text, "*")):
            old = phase_one_identity(text)
            row = known.records.get(old)
            if row is not None and row.text is None:
                return old
    return None
