"""Destroy records: rows, index terms, history, before-images, free pages and the write-ahead log.

A purge is noted here, by the ids of its entries and without their texts, before the first of them is deleted. The
next command that writes continues it from there (``workflow/purging.py`` has the order of the steps).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from datetime import date

from intermem.core.lifecycle.effects import without_heir
from intermem.core.times import parse_time
from intermem.entities import HistoryRow
from intermem.lazy_dataclass import dataclass
from intermem.storage.columns import loaded_json
from intermem.storage.metadata import Metadata
from intermem.storage.operations import SETTLED
from intermem.storage.record_writes import add_history, rename_record, save_records

PURGE = "purge"  # the verb whose operation on files is only its first step

_UNDER_WAY = "purging"
_RELEARNT = "relearnt"
_GONE = "(purged)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingPurge:
    """A purge that is under way.

    ``ids`` are the identities of the entries, former ones too. ``operation`` is the one that edits documents and
    ledger for it (0: none). ``detail`` is what the history says of the purge, which names nothing that was purged, and
    ``event`` what it calls it. ``rows_deleted`` is set with the deletion of the records, and then ``left`` are the
    places where a line of them was found that only a person can remove.
    """

    ids: tuple[str, ...]
    at: str
    detail: str
    event: str = "purged"
    operation: int = 0
    rows_deleted: bool = False
    left: tuple[str, ...] = ()


def begin_purge(metadata: Metadata, purge: PendingPurge, *, edits_files: bool) -> None:
    """Note a purge and its ids, inside the transaction that journals the edits of its files, if any."""
    metadata.executemany("INSERT OR REPLACE INTO purged VALUES (?, ?)", [(key, purge.at) for key in purge.ids])
    _set_relearnt(metadata, relearnt(metadata).difference(purge.ids))
    if edits_files:
        purge = replace(purge, operation=metadata.fetch("SELECT operation_id FROM recording")[0][0])
    _note(metadata, purge)


def give_up_wordings(metadata: Metadata, names: Mapping[str, str]) -> None:
    """Turn records of lines that people reworded back into those of their notes, by the id of each, to be purged.

    Inside the caller's transaction. The wording that stands is nobody's record then: it is adopted as another entry.
    """
    for key, name in names.items():
        rename_record(metadata, key, name)
        metadata.execute("DELETE FROM aliases WHERE alias = ?", (key,))
        metadata.execute(
            "UPDATE memory_entries SET content = coalesce(note_text, ''), content_preview = coalesce(note_text, ''),"
            " note_id = NULL, note_text = NULL WHERE entry_hash = ?",
            (name,),
        )


def pending_purge(metadata: Metadata) -> PendingPurge | None:
    """Return the purge that is under way; None if there is none."""
    rows = metadata.fetch("SELECT value FROM meta WHERE key = ?", (_UNDER_WAY,))
    if not rows:
        return None
    if not rows[0][0].startswith("{"):  # noted by an older version, which deleted the rows first
        return PendingPurge(ids=(), at=rows[0][0], detail="", rows_deleted=True)
    found = loaded_json(rows[0][0], "the purge under way")
    return PendingPurge(**found | {name: tuple(found[name]) for name in ("ids", "left")})


def is_called_off(metadata: Metadata, purge: PendingPurge) -> bool:
    """Return whether the files of a purge were not written: a person edited them since, or they could not be."""
    found = metadata.fetch("SELECT state FROM operations WHERE id = ?", (purge.operation,))
    return not purge.rows_deleted and bool(found) and found[0][0] == SETTLED


def call_off(metadata: Metadata, purge: PendingPurge) -> None:
    """Forget a purge that has deleted nothing yet, in one transaction."""
    with metadata.transaction():
        metadata.executemany("DELETE FROM purged WHERE entry_hash = ?", [(key,) for key in purge.ids])
        metadata.execute("DELETE FROM meta WHERE key = ?", (_UNDER_WAY,))


def purged_days(metadata: Metadata) -> dict[str, date]:
    """Return every identity that was purged here, with the day."""
    rows = metadata.fetch("SELECT entry_hash, at FROM purged")
    return {row[0]: parse_time(row[1], whose=f"the purge of {row[0]}").date() for row in rows}


def relearnt(metadata: Metadata) -> frozenset[str]:
    """Return the identities that were purged, and learnt again because a person asked for it."""
    rows = metadata.fetch("SELECT value FROM meta WHERE key = ?", (_RELEARNT,))
    return frozenset(loaded_json(rows[0][0], "the list of entries learnt again")) if rows else frozenset()


def learn_again(metadata: Metadata, ids: Collection[str]) -> None:
    """Forget that ``ids`` were purged, inside the caller's transaction."""
    if ids:
        metadata.executemany("DELETE FROM purged WHERE entry_hash = ?", [(key,) for key in sorted(ids)])
        _set_relearnt(metadata, relearnt(metadata).union(ids))


def delete_purged(metadata: Metadata, purge: PendingPurge, texts: Collection[str], left: Collection[str]) -> None:
    """Delete the records of a purge, their rows in other tables and the whole undo log, in one transaction.

    History and effects of other entries that contain one of ``texts`` are redacted. ``left`` is noted with the
    purge. Call ``clean_file`` next.
    """
    metadata.execute("PRAGMA secure_delete = ON")
    named = json.dumps(sorted(purge.ids))
    with metadata.transaction():
        metadata.execute("DELETE FROM images")
        metadata.execute(
            "DELETE FROM intents WHERE operation_id IN (SELECT id FROM operations WHERE state != 'pending')"
        )
        metadata.execute("UPDATE operations SET kept = 0 WHERE state != 'pending'")
        _redact_operations(metadata, purge.ids, texts)
        metadata.execute("DELETE FROM history WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        _redact_history(metadata, texts)
        replaced = [one for one in metadata.records().values() if one.superseded_by in purge.ids]
        save_records(metadata, ((one, without_heir(one, purge.ids)) for one in replaced))
        metadata.execute("DELETE FROM memory_entries WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        # Deleting rows leaves their terms in the index; only a rebuild removes them.
        metadata.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
        at = parse_time(purge.at, whose="the purge under way")
        add_history(metadata, [HistoryRow(at=at, event=purge.event, entry_id=None, detail=purge.detail, cause="purge")])
        _note(metadata, replace(purge, rows_deleted=True, left=tuple(left)))


def clean_file(metadata: Metadata) -> None:
    """Overwrite and release every page that a purge freed, and empty the write-ahead log.

    Raises StateError if another process is reading the database: the log then still holds old
    pages, and the next command that writes continues.
    """
    metadata.execute("PRAGMA secure_delete = ON")
    metadata.reclaim()
    metadata.execute("VACUUM")  # earlier deletions left traces in pages that are in use
    metadata.empty_log()
    with metadata.transaction():
        metadata.execute("DELETE FROM meta WHERE key = ?", (_UNDER_WAY,))
    metadata.reclaim()
    metadata.empty_log()


def holders_of(metadata: Metadata, texts: Iterable[str], apart_from: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the ids of the records, those ``apart_from`` left out, that contain one of ``texts``, by text."""
    rows = metadata.fetch(
        "SELECT entry_hash, coalesce(content, '') || char(10) || content_preview || char(10) || section || char(10)"
        " || trail || char(10) || source_file || char(10) || reason AS held FROM memory_entries ORDER BY entry_hash"
    )
    more: dict[str, str] = {}
    for table, columns in (("citations", ("citation_value", "name", "evidence")), ("feedback", ("context", "note"))):
        held = " || char(10) || ".join(columns)
        for key, text in metadata.fetch(f"SELECT entry_hash, {held} FROM {table}"):
            more[key] = more.get(key, "") + "\n" + text
    found: dict[str, list[str]] = {}
    for text in texts:
        keys = [row["entry_hash"] for row in rows if text in row["held"] or text in more.get(row["entry_hash"], "")]
        keys = [key for key in keys if key not in apart_from]
        if keys:
            found[text] = keys
    return found


def _redact_operations(metadata: Metadata, ids: Collection[str], texts: Collection[str]) -> None:
    """Empty the effects of closed operations that name a purged entry or contain its text."""
    redacted = [
        (row["id"],)
        for row in metadata.fetch("SELECT id, effects FROM operations WHERE state != 'pending' AND effects != '[]'")
        if any(key in row["effects"] for key in ids) or any(_as_json(text) in row["effects"] for text in texts)
    ]
    metadata.executemany("UPDATE operations SET effects = '[]', checksum = '' WHERE id = ?", redacted)


def _redact_history(metadata: Metadata, texts: Collection[str]) -> None:
    redacted = [
        (_GONE, row["id"])
        for row in metadata.fetch("SELECT id, detail FROM history")
        if any(text in row["detail"] for text in texts)
    ]
    metadata.executemany("UPDATE history SET detail = ? WHERE id = ?", redacted)


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _set_relearnt(metadata: Metadata, ids: Collection[str]) -> None:
    metadata.execute("DELETE FROM meta WHERE key = ?", (_RELEARNT,))
    if ids:
        metadata.execute("INSERT INTO meta VALUES (?, ?)", (_RELEARNT, json.dumps(sorted(ids))))


def _note(metadata: Metadata, purge: PendingPurge) -> None:
    metadata.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_UNDER_WAY, json.dumps(asdict(purge))))
