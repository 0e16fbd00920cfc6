"""What one snapshot of the memory says about each record: first seen, seen again, gone."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from intermem.core.entries.identity import phase_one_identity
from intermem.core.entries.similarity import duplicate_of, pairs_alike
from intermem.core.markdown.items import rendered_item
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
        # A wording that is on record by itself, as one that was superseded, is seen as itself.
        owner = identity if identity in known.records else known.aliases.get(identity, identity)
        grouped.setdefault(owner, []).extend(entries[identity])
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


def revised(
    observed: Sequence[Observed],
    known: Known,
    kept: Container[str],
    min_interval: timedelta,
    now: datetime,
    floor: float,
) -> tuple[list[Observed], dict[str, str]]:
    """Return ``observed`` with revisions told apart, and which vanished entry each of them supersedes.

    A note that appeared in this snapshot and resembles one that vanished in it from the same file
    and section is that one, revised: it inherits first_seen and count, and the vanished one is
    superseded (old id to new id). Entries ``kept`` stood in files that could not be read: they
    have not vanished. Source: DESIGN.md §5.
    """
    here = {one.record.id for one in observed}
    places: dict[tuple[str, str], tuple[dict[str, str], dict[str, str]]] = {}
    for record in known.records.values():
        if record.in_memory and record.id not in here and record.id not in kept and record.text is not None:
            places.setdefault((record.source_file, record.section), ({}, {}))[0][record.id] = record.text
    for one in observed:
        before = known.records.get(one.record.id)
        place = (one.record.source_file, one.record.section)
        if place in places and one.takes_over is None and (before is None or not before.in_memory):
            places[place][1][one.record.id] = one.record.text or ""
    pairs = [pair for gone, come in places.values() for pair in pairs_alike(gone, come, floor)]
    # Two lines that both stand in a document are two entries, whichever of them a note belongs to.
    stand = {one.record.id for one in observed if one.record.document is not None}
    superseded = {old: new for old, new in pairs if new not in stand or known.records[old].document is None}
    heirs = {new: known.records[old] for old, new in superseded.items()}
    return [_inheriting(one, heirs.get(one.record.id), min_interval, now) for one in observed], superseded


def _inheriting(one: Observed, old: Record | None, min_interval: timedelta, now: datetime) -> Observed:
    if old is None:
        return one
    if old.rejected_at is not None:
        # A rejection is not got round by another word; what says something else is a note of its own.
        same = duplicate_of(one.record.text or "", [old.text or ""]) is not None
        return replace(one, record=replace(one.record, rejected_at=old.rejected_at)) if same else one
    count = old.snapshot_count + (1 if _is_due(old.counted_at, now, min_interval) else 0)
    record = replace(
        one.record,
        first_seen=min(one.record.first_seen, old.first_seen),
        snapshot_count=max(one.record.snapshot_count, count),
        counted_at=max(filter(None, (one.record.counted_at, old.counted_at)), default=None),
    )
    return replace(one, record=record, event="first seen, as a revision" if one.event == "first seen" else one.event)


def phase_one_names(text: str) -> tuple[str, ...]:
    """Return the identities that phase 1 may have given ``text``; it kept the list marker or not."""
    return tuple(phase_one_identity(one) for one in (text, rendered_item(text), rendered_item(text, "*")))


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
        # One that never left the memory is no news: what a person said of it holds.
        superseded_by=record.superseded_by if record.in_memory else None,
        read_by=record.read_by if text == record.text else 0,
    )


def _is_due(counted_at: datetime | None, now: datetime, min_interval: timedelta) -> bool:
    """True where the last counted observation is old enough, or lies in the future (a clock set back)."""
    return counted_at is None or now < counted_at or now - counted_at >= min_interval


def _phase_one_row(group: Sequence[Entry], known: Known) -> str | None:
    """The phase-1 row that one of these texts hashed to."""
    for entry in group:
        for old in phase_one_names(entry.text):
            row = known.records.get(old)
            if row is not None and row.text is None:
                return old
    return None
