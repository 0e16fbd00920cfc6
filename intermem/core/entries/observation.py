"""Update records from a snapshot of the memory: first seen, seen again, revised."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from intermem.core.entries.identity import joint_type, phase_one_identity
from intermem.core.entries.pairing import pairs_alike
from intermem.core.entries.similarity import (
    duplicate_of,
    is_the_same,
    says_the_same,
    spoken,
    swaps_a_word,
)
from intermem.core.markdown.items import rendered_item
from intermem.entities import SUPERSEDED_BY, Entry, Record, Source, Status
from intermem.lazy_dataclass import dataclass

PREVIEW = 80  # characters; S4's content_preview
MOST_PROVEN = 5  # observations before the first snapshot; more would open no further gate

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)  # DESIGN.md §5, day one


@dataclass(frozen=True, slots=True)
class Observed:
    """A record after a snapshot.

    ``takes_over`` is the identity of the phase-1 row of the same note; ``event`` is the history event
    (``first seen``, ``seen again``) or empty.
    """

    record: Record
    sources: tuple[Source, ...]
    sessions: frozenset[str]
    takes_over: str | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """The state before a snapshot: records by id, aliases, and the sessions of each entry.

    ``proven`` has, by identity, the earlier times at which the memory itself proves that it held a note; each counts
    as an observation of an entry that has no record yet. ``was_read`` is whether there was a snapshot before.
    """

    records: Mapping[str, Record]
    aliases: Mapping[str, str]
    sessions: Mapping[str, frozenset[str]]
    proven: Mapping[str, Sequence[datetime]] = field(default_factory=dict)
    was_read: bool = True


def without_record(entries: Mapping[str, Sequence[Entry]], known: Known) -> dict[str, Sequence[Entry]]:
    """Return those of ``entries`` that have no record, under their own identity or the one they had before."""
    return {
        identity: group
        for identity, group in entries.items()
        if identity not in known.records and known.aliases.get(identity) not in known.records
    }


def ascending(dates: Sequence[datetime], now: datetime) -> list[datetime | None]:
    """Return the dates of a line of commits, from new to old, without what cannot be.

    A commit is not older than one it is built on, nor later than ``now``: such a one has the date of the latest before
    it, None where there is none.
    """
    found: list[datetime | None] = []
    latest = None
    for date in reversed(dates):
        if date <= now and (latest is None or date > latest):
            latest = date
        found.append(latest)
    return found[::-1]


def unchanged(since: datetime, now: datetime) -> tuple[datetime, ...]:
    """Return the observations, from new to old, that a file stands for which has not changed ``since``.

    One if it was a day or longer, two if it was a week. Source: DESIGN.md §5, day one.
    """
    if now - since < _DAY:
        return ()
    return (since,) if now - since < _WEEK else (since + (now - since) / 2, since)


def counted_before(times: Iterable[datetime], now: datetime, min_interval: timedelta) -> tuple[datetime, ...]:
    """Return those of ``times`` (from new to old) that count as observations before one at ``now``, oldest first.

    Each is earlier than the next that counts, by ``min_interval`` at least.
    """
    found: list[datetime] = []
    later = now
    for time in times:
        if time < later and later - time >= min_interval:
            found.append(time)
            later = time
    return tuple(reversed(found))


def still_said(entries: Mapping[str, Sequence[Entry]], known: Known, floor: float) -> dict[str, str]:
    """Return the new notes that only reword the note of an entry whose wording stays: their ids, and the entry's.

    They are in the file and the section of a note that vanished, and at least ``floor`` similar to it. The wording
    stays if a person chose it (the note never said it so) and the note has the same numbers, negations and code spans
    as before, or if the new note still says it. Source: DESIGN.md §5.
    """
    new = without_record(entries, known)
    places: dict[tuple[str, str], tuple[dict[str, str], dict[str, str]]] = {}
    here = {known.aliases.get(key, key) for key in entries}
    for record in known.records.values():
        if record.note_text is not None and record.in_memory and record.id not in here:
            places.setdefault((record.source_file, record.section), ({}, {}))[0][record.id] = record.note_text
    for key, group in new.items():
        place = (group[0].source.file, group[0].section)
        if place in places:
            places[place][1][key] = group[0].text
    pairs = [pair for gone, come in places.values() for pair in pairs_alike(gone, come, floor)]
    return {key: old for old, key in pairs if _stays(known.records[old], new[key][0].text)}


def _stays(record: Record, note: str) -> bool:
    """Return whether the wording stays; a note that said the same in other words said it as well."""
    text, former = record.text or "", record.note_text or ""
    said, was, now = (spoken(one) for one in (text, former, note))
    is_chosen = said not in was and not is_the_same(text, former)
    return said in now or (is_chosen and says_the_same(former, note))


def without_purged(entries: Mapping[str, Sequence[Entry]], purged: Container[str]) -> dict[str, Sequence[Entry]]:
    """Return ``entries`` without those that were purged, under their own identity or one of phase 1."""
    return {
        identity: group
        for identity, group in entries.items()
        if identity not in purged and not any(name in purged for one in group for name in phase_one_names(one.text))
    }


def observe(
    entries: Mapping[str, Sequence[Entry]], known: Known, now: datetime, min_interval: timedelta
) -> list[Observed]:
    """Return the updated record of each entry in the snapshot ``entries`` (by identity), in order of identity.

    An observation counts if the previous counted one is at least ``min_interval`` older, or if the entry
    comes from a new session; ``last_seen`` is always updated, but never moves back. A new entry has been seen before
    if the memory proves it. What was absent from the memory while it stood in a document, and still stands there, is
    seen but not counted; it is an echo, unless something shows that it is not a copy of the line.
    Source: DESIGN.md §5.
    """
    grouped: dict[str, list[Entry]] = {}
    for identity in sorted(entries):
        # A wording with a record of its own, such as a superseded one, counts as itself.
        owner = identity if identity in known.records else known.aliases.get(identity, identity)
        grouped.setdefault(owner, []).extend(entries[identity])
    for owner, group in grouped.items():  # its own wording first
        group.sort(key=lambda entry: entry.id != owner)
        kind = joint_type(entry.type for entry in group)
        group[:] = [replace(entry, type=kind) for entry in group]
    found: list[Observed] = []
    restored = _restored_files(grouped, known)
    for identity, group in grouped.items():
        record = known.records.get(identity)
        taken = None
        if record is None:
            taken = _phase_one_row(group, known)
            record = known.records[taken] if taken else None
        sessions = frozenset(entry.session for entry in group if entry.session)
        sources = tuple(entry.source for entry in group)
        if record is None:
            before = max((known.proven.get(entry.id, ()) for entry in group), key=len)
            found.append(Observed(_first(identity, group[0], now, before), sources, sessions, event="first seen"))
        else:
            is_new_session = bool(sessions - known.sessions.get(record.id, frozenset()))
            echo = known.was_read and _is_copied(record, group, known.sessions.get(record.id, ()), restored, now)
            seen = _again(identity, record, group, now, min_interval, is_new_session=is_new_session, is_echo=echo)
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
    """Return ``observed`` with revisions recognised, and the vanished entries that they supersede (old id to new).

    A note that appeared in this snapshot and is at least ``floor`` similar to one that vanished from the same
    file and section is a revision: it inherits first_seen and count, and supersedes the vanished one. So does a note
    of any file that says the same as a line of a document whose own note vanished: the line stays. Entries
    in ``kept`` are in files that could not be read, and have not vanished. Source: DESIGN.md §5.
    """
    here = {one.record.id for one in observed}
    places: dict[tuple[str, str], tuple[dict[str, str], dict[str, str]]] = {}
    for record in known.records.values():
        if record.in_memory and record.id not in here and record.id not in kept and record.text is not None:
            places.setdefault((record.source_file, record.section), ({}, {}))[0][record.id] = record.noted_text
    for one in observed:
        before = known.records.get(one.record.id)
        place = (one.record.source_file, one.record.section)
        if place in places and one.takes_over is None and (before is None or not before.in_memory):
            places[place][1][one.record.id] = one.record.text or ""
    pairs = [pair for gone, come in places.values() for pair in pairs_alike(gone, come, floor)]
    # Two lines that are both in a document are two entries, whichever of them the note matches.
    stand = {one.record.id for one in observed if one.record.document is not None}
    superseded = {old: new for old, new in pairs if new not in stand or known.records[old].document is None}
    superseded |= _said_elsewhere(observed, known, kept, superseded)
    heirs = {new: known.records[old] for old, new in superseded.items()}
    return [_inheriting(one, heirs.get(one.record.id), min_interval, now) for one in observed], superseded


def _said_elsewhere(
    observed: Sequence[Observed], known: Known, kept: Container[str], superseded: Mapping[str, str]
) -> dict[str, str]:
    """Return, for each line of a document whose note vanished, the note anywhere else that says the same.

    Whenever it vanished, if no other has taken over since: what this memory once had is no copy of the document. A note
    with one word in place of another is of something else: it would take the line's place.
    """
    here = {one.record.id for one in observed}
    taken = set(superseded.values())
    texts = {
        one.record.noted_text: one.record.id
        for one in observed
        if one.record.document is None and one.record.rejected_at is None and one.record.id not in taken
    }
    found: dict[str, str] = {}
    for record in known.records.values():
        is_here = record.id in here or record.id in kept or record.id in superseded
        was_here = record.in_memory or (record.counted_at is not None and record.superseded_by is None)
        if record.document is None or not was_here or is_here:
            continue
        alike = [text for text in texts if not swaps_a_word(record.noted_text, text)]
        twin = duplicate_of(record.noted_text, alike)
        if twin is not None:
            found[record.id] = texts.pop(twin)
    return found


def _inheriting(one: Observed, old: Record | None, min_interval: timedelta, now: datetime) -> Observed:
    if old is None:
        return one
    heir = old.superseded_by if old.superseded_by != one.record.id else None
    if old.rejected_at is not None or heir is not None:
        # A new wording gets around neither a rejection nor what a person put in its place; a different statement is a
        # note of its own.
        same = duplicate_of(one.record.text or "", [old.text or "", old.noted_text]) is not None
        word = replace(one.record, rejected_at=old.rejected_at, superseded_by=heir)
        return replace(one, record=word) if same else one
    is_same = one.event == "first seen" and says_the_same(one.record.noted_text, old.noted_text)
    count = old.snapshot_count + (1 if _is_due(old.counted_at, now, min_interval) else 0)
    record = replace(
        one.record,
        first_seen=min(one.record.first_seen, old.first_seen),
        snapshot_count=max(one.record.snapshot_count, count),
        imported_count=old.imported_count if count > one.record.snapshot_count else one.record.imported_count,
        counted_at=max(filter(None, (one.record.counted_at, old.counted_at)), default=None),
        feedback=old.feedback if is_same else one.record.feedback,  # what was corrected is judged anew
    )
    return replace(one, record=record, event="first seen, as a revision" if one.event == "first seen" else one.event)


def phase_one_names(text: str) -> tuple[str, ...]:
    """Return the identities that phase 1 may have used for ``text``, with or without a list marker."""
    return tuple(phase_one_identity(one) for one in (text, rendered_item(text), rendered_item(text, "*")))


def preview_of(text: str) -> str:
    """Return the first characters of ``text`` on one line, for lists."""
    return " ".join(text.split())[:PREVIEW]


def _restored_files(grouped: Mapping[str, Sequence[Entry]], known: Known) -> set[str]:
    """Return the files of the memory with a note that left it, came back, and could not be copied from a document."""
    back = ((known.records[key], group) for key, group in grouped.items() if key in known.records)
    return {
        record.source_file
        for record, group in back
        if not record.in_memory and record.counted_at is not None and record.document is None
        if any(entry.source.file == record.source_file for entry in group)
    }


def _is_copied(
    record: Record, group: Sequence[Entry], sessions: Container[str], restored: Container[str], now: datetime
) -> bool:
    """Return whether the agent may have copied the note ``record`` from the document in which it stands.

    Not if it never left the memory, nor if what came back is the note as it was there: in its own words, where the
    document has others; in the file of the session that wrote it; along with other notes of a file; or in its place
    within a day, as after a file was moved about or a copy of the memory was unfinished.
    """
    if record.document is None or record.in_memory:
        return False
    if record.counted_at is None:
        return True  # this memory never had it
    if record.id != record.entry_id and any(entry.id == record.entry_id for entry in group):
        return False
    back = [entry for entry in group if entry.source.file == record.source_file]
    if any(entry.session and entry.session in sessions for entry in back):
        return False
    soon = timedelta(0) <= now - record.last_seen <= _DAY and any(one.section == record.section for one in back)
    return not (soon or (back and record.source_file in restored))


def _first(identity: str, entry: Entry, now: datetime, before: Sequence[datetime]) -> Record:
    return Record(
        id=identity,
        text=entry.text,
        preview=preview_of(entry.text),
        section=entry.section,
        trail=entry.trail,
        type=entry.type,
        source_file=entry.source.file,
        snapshot_count=1 + min(len(before), MOST_PROVEN),
        first_seen=min(before, default=now),
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
    is_echo: bool,
) -> Record:
    entry = group[0]
    counts = is_new_session or _is_due(record.counted_at, now, min_interval)
    if record.document is not None and not record.in_memory:
        counts = False  # the agent copied it from the document, as far as is known
    is_alias = entry.id != identity  # the reviewed wording stays, and the note counts as seen
    text = record.text if is_alias and record.text is not None else entry.text
    if is_alias and text != entry.text:  # the note as it is now
        record = replace(record, note_text=entry.text)
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
        echoed=record.document is not None and (is_echo or record.echoed),
        # If it never left the memory, nothing is new: the decision of a person stays in force.
        superseded_by=record.superseded_by if record.in_memory or is_replaced(record) else None,
        read_by=record.read_by if text == record.text else 0,
    )


def is_replaced(record: Record) -> bool:
    """Return whether a person put another entry in its place, and not only a scan: only a person takes that back."""
    return record.status is Status.DEMOTED and SUPERSEDED_BY in record.reason


def _is_due(counted_at: datetime | None, now: datetime, min_interval: timedelta) -> bool:
    """Return whether the last counted observation is old enough, or in the future (clock set back)."""
    return counted_at is None or now < counted_at or now - counted_at >= min_interval


def _phase_one_row(group: Sequence[Entry], known: Known) -> str | None:
    """Return the identity of the phase-1 row for one of these texts, or None."""
    for entry in group:
        for old in phase_one_names(entry.text):
            row = known.records.get(old)
            if row is not None and row.text is None:
                return old
    return None
