"""The wordings of one note: an agent words it otherwise, and each wording is a record of its own."""

from __future__ import annotations

from collections.abc import Mapping

from intermem.core.entries.similarity import says_the_same
from intermem.entities import Record


def newest_wording(record: Record, records: Mapping[str, Record]) -> Record:
    """Return the record of the note that ``record`` was reworded to, however often; itself if it was not."""
    newest, met = record, {record.id}
    while (heir := records.get(newest.superseded_by or "")) is not None and heir.id not in met:
        newest = heir
        met.add(heir.id)
    return newest


def same_before(record: Record, records: Mapping[str, Record]) -> list[Record]:
    """Return the former wordings of ``record`` that say the same, the later first; feedback on them is on it too."""
    found: dict[str, Record] = {}
    heirs = [record]
    for heir in heirs:
        for one in records.values():
            is_former = one.superseded_by == heir.id and one.id not in (record.id, *found)
            if is_former and says_the_same(heir.noted_text, one.noted_text):
                found[one.id] = one
                heirs.append(one)
    return list(found.values())
