"""Destroy records: rows, index terms, history, before-images, free pages and the write-ahead log.

The transaction that deletes them also notes that a purge is under way. Until the file is cleaned
as well, the next command that writes continues with that.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime

from intermem.core.times import format_time
from intermem.entities import HistoryRow
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_history

_UNDER_WAY = "purging"
_GONE = "(purged)"


def purge_records(metadata: Metadata, ids: Collection[str], texts: Collection[str], now: datetime, detail: str) -> None:
    """Delete records, their rows in other tables and the whole undo log, in one transaction.

    History and effects of other entries that contain one of ``texts`` are redacted. ``detail`` is
    what the history says of the purge; it must not name what was purged. Call ``clean_file`` next.
    """
    metadata.execute("PRAGMA secure_delete = ON")
    named = json.dumps(sorted(ids))
    with metadata.transaction():
        metadata.execute("DELETE FROM images")
        metadata.execute(
            "DELETE FROM intents WHERE operation_id IN (SELECT id FROM operations WHERE state != 'pending')"
        )
        metadata.execute("UPDATE operations SET kept = 0 WHERE state != 'pending'")
        _redact_operations(metadata, ids, texts)
        metadata.execute("DELETE FROM history WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        _redact_history(metadata, texts)
        metadata.execute(
            "UPDATE memory_entries SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?))",
            (named,),
        )
        metadata.execute("DELETE FROM memory_entries WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        # Deleting rows leaves their terms in the index; only a rebuild removes them.
        metadata.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
        add_history(metadata, [HistoryRow(at=now, event="purged", entry_id=None, detail=detail, cause="purge")])
        metadata.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_UNDER_WAY, format_time(now)))


def is_purge_under_way(metadata: Metadata) -> bool:
    """Return whether a purge deleted its records but has not cleaned the file yet."""
    return bool(metadata.fetch("SELECT 1 FROM meta WHERE key = ?", (_UNDER_WAY,)))


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
    metadata.empty_log()


def holders_of(metadata: Metadata, texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the ids of the records that still contain one of ``texts``, by text."""
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
