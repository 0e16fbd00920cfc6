"""The wordings of one note: an agent words it otherwise, and each that says something else is a record of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from intermem.core.entries.observation import Known, phase_one_names, without_record
from intermem.core.entries.similarity import (
    duplicate_of,
    gist,
    is_the_same,
    rough,
    says_only,
    says_the_same,
    swaps_a_word,
)
from intermem.entities import Entry, Record


def newest_wording(record: Record, records: Mapping[str, Record]) -> Record:
    """Return the record of the note that ``record`` was reworded to, however often; itself if it was not."""
    newest, met = record, {record.id}
    while (heir := records.get(newest.superseded_by or "")) is not None and heir.id not in met:
        newest = heir
        met.add(heir.id)
    return newest


def now_said_by(record: Record, records: Mapping[str, Record]) -> Record:
    """Return the record that says in other words what ``record`` said: the one in a document, else the newest.

    ``record`` itself if it stands in a document, or was not reworded to what says the same.
    """
    newest, met = record, {record.id}
    while newest.document is None:
        heir = records.get(newest.superseded_by or "")
        if heir is None or heir.id in met or not says_the_same(newest.noted_text, heir.noted_text):
            break
        newest = heir
        met.add(heir.id)
    return newest


def by_heir(records: Mapping[str, Record]) -> dict[str, list[Record]]:
    """Return the records that were reworded, by what they were reworded to."""
    found: dict[str, list[Record]] = {}
    for one in records.values():
        if one.superseded_by is not None:
            found.setdefault(one.superseded_by, []).append(one)
    return found


def same_before(record: Record, formers: Mapping[str, Sequence[Record]]) -> list[Record]:
    """Return the former wordings of ``record`` that say the same, the later first; feedback on them is on it too.

    ``formers`` are records by their heirs.
    """
    found = {record.id: record}
    for heir in (waiting := [record]):
        for one in formers.get(heir.id, ()):
            if one.id not in found and says_the_same(heir.noted_text, one.noted_text):
                found[one.id] = one
                waiting.append(one)
    return list(found.values())[1:]


def also_said_by(record: Record, records: Iterable[Record], floor: float) -> list[tuple[Record, bool]]:
    """Return the records of other notes in the memory that say the same as ``record``, in order of id.

    Those that are at least ``floor`` similar: of such notes one alone is written unasked. True for one that has a word
    in place of quite another.
    """
    said = {record.shown_text, record.noted_text} - {""}
    others = (one for one in records if one.id != record.id and one.in_memory and one.text is not None)
    twins = ((one, duplicate_of(one.noted_text, said, floor)) for one in others)
    alike = ((one, _differs_in_a_word(one.noted_text, twin)) for one, twin in twins if twin is not None)
    return sorted(alike, key=lambda pair: pair[0].entry_id)


def _differs_in_a_word(text: str, other: str) -> bool:
    return not is_the_same(text, other) and swaps_a_word(text, other)


def said_again(entries: Mapping[str, Sequence[Entry]], known: Known, rank: Callable[[Entry], int]) -> dict[str, str]:
    """Return the new notes that say what another note says: their ids, and that entry's.

    Such notes differ in capitals, spacing, punctuation and what says nothing besides (``gist``), and are one entry with
    several sources. The wording that is known stays, first of all that of what stands in the memory or a document; of
    new ones that which ``rank`` puts highest, else the first in the memory. Source: seeds/S2, duplicates.
    """
    alike: dict[str, list[Entry]] = {}  # of one gist, perhaps
    for group in without_record(entries, known).values():
        alike.setdefault(rough(group[0].text), []).append(group[0])
    if not alike:
        return {}
    rows = {key for key, record in known.records.items() if record.text is None}  # of phase 1
    first: dict[str, str] = {}
    met: set[str] = set()
    for record in sorted(known.records.values(), key=lambda one: not (one.in_memory or one.document is not None)):
        for text in {record.shown_text, record.noted_text} if record.id not in rows else ():
            if (near := rough(text)) in alike:
                met.add(near)
                first.setdefault(gist(text), record.id)
    groups: dict[str, list[Entry]] = {}
    for near, ones in alike.items():
        for one in ones if len(ones) > 1 or near in met else ():
            groups.setdefault(gist(one.text), []).append(one)
    found: dict[str, str] = {}
    for said, group in groups.items():
        of_row = [one for one in group if not rows.isdisjoint(phase_one_names(one.text))]  # each completes its own
        owner = first.get(said) or _best(of_row or group, rank)
        found.update((one.id, owner) for one in group if said and one.id != owner and one not in of_row)
    return found


def written_already(
    entries: Mapping[str, Sequence[Entry]], known: Known, written: Callable[[Entry], str | None]
) -> dict[str, str]:
    """Return the new notes of which nothing would be ``written`` but the words of a line: their ids, and its entry's.

    Of a line that stood in a document, and whose own note is not in the memory any more: a rule whose reasons were
    written anew is the same rule, in words that count the same (``gist``).
    """
    here = {known.aliases.get(key, key) for key in entries}
    lines = {
        one.id: one.text
        for one in known.records.values()
        if one.text is not None and one.promoted_at is not None and one.id not in here
    }
    found: dict[str, str] = {}
    for key, (note, *_) in without_record(entries, known).items() if lines else ():
        owners = (owner for owner, text in lines.items() if says_only(text, note.text, partial(written, note)))
        owner = next(owners, key)
        found.update({key: owner} if owner != key else {})
    return found


def _best(group: Sequence[Entry], rank: Callable[[Entry], int]) -> str:
    if len(group) == 1:
        return group[0].id
    return min(group, key=lambda one: (-rank(one), one.source.file, one.source.first_line)).id
