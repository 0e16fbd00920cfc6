"""Destroying records: rows, words of the index, history, before-images, free pages and the write-ahead log.

The one transaction says that a purge is under way; until the file has been cleaned as well, the
next command that writes goes on with that.
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
    """Delete records, all that belongs to them and all that was kept to undo anything, in one transaction.

    ``texts`` are looked for in what is told of other entries, and struck there. ``detail`` says in
    the history what was done; it must not name what was purged. ``clean_file`` comes next.
    """
    metadata.execute("PRAGMA secure_delete = ON")
    named = json.dumps(sorted(ids))
    with metadata.transaction():
        metadata.execute("DELETE FROM images")
        metadata.execute(
            "DELETE FROM intents WHERE operation_id IN (SELECT id FROM operations WHERE state != 'pending')"
        )
        metadata.execute("UPDATE operations SET kept = 0 WHERE state != 'pending'")
        _strike_operations(metadata, ids, texts)
        metadata.execute("DELETE FROM history WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        _strike_history(metadata, texts)
        metadata.execute(
            "UPDATE memory_entries SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?))",
            (named,),
        )
        metadata.execute("DELETE FROM memory_entries WHERE entry_hash IN (SELECT value FROM json_each(?))", (named,))
        # Deleting leaves words in the index that nothing points to any more; only this takes them out.
        metadata.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
        add_history(metadata, [HistoryRow(at=now, event="purged", entry_id=None, detail=detail, cause="purge")])
        metadata.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_UNDER_WAY, format_time(now)))


def is_purge_under_way(metadata: Metadata) -> bool:
    """Return whether a purge has deleted its records but not yet cleaned the file."""
    return bool(metadata.fetch("SELECT 1 FROM meta WHERE key = ?", (_UNDER_WAY,)))


def clean_file(metadata: Metadata) -> None:
    """Overwrite and give back every page that a purge freed, and empty the write-ahead log.

    Raises StateError where another process reads the database just now: the log then still holds
    old pages. The next command that writes goes on with it.
    """
    metadata.execute("PRAGMA secure_delete = ON")
    metadata.reclaim()
    metadata.execute("VACUUM")  # what earlier deletions left in pages that are in use
    metadata.empty_log()
    with metadata.transaction():
        metadata.execute("DELETE FROM meta WHERE key = ?", (_UNDER_WAY,))
    metadata.empty_log()


def holders_of(metadata: Metadata, texts: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each of ``texts`` that a record still holds, the ids of those records."""
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


def _strike_operations(metadata: Metadata, ids: Collection[str], texts: Collection[str]) -> None:
    """Empty the effects of closed operations that name a purged entry, or hold its text."""
    struck = [
        (row["id"],)
        for row in metadata.fetch("SELECT id, effects FROM operations WHERE state != 'pending' AND effects != '[]'")
        if any(key in row["effects"] for key in ids) or any(_as_json(text) in row["effects"] for text in texts)
    ]
    metadata.executemany("UPDATE operations SET effects = '[]', checksum = '' WHERE id = ?", struck)


def _strike_history(metadata: Metadata, texts: Collection[str]) -> None:
    struck = [
        (_GONE, row["id"])
        for row in metadata.fetch("SELECT id, detail FROM history")
        if any(text in row["detail"] for text in texts)
    ]
    metadata.executemany("UPDATE history SET detail = ? WHERE id = ?", struck)


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
