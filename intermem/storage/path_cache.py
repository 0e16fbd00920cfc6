"""Cache of what git history says of deleted paths, and of the commit up to which it was read."""

from __future__ import annotations

from intermem.facts import Event, PathHistory
from intermem.storage.metadata import Metadata

_KEY = "history"


def load_path_history(metadata: Metadata) -> PathHistory | None:
    """Return the cached path history, or None."""
    rows = metadata.fetch("SELECT value FROM meta WHERE key = ?", (_KEY,))
    if not rows:
        return None
    events = {
        _text(row["path"]): Event(
            commit=row["commit_id"],
            date=row["date"],
            renamed_to=None if row["renamed_to"] is None else _text(row["renamed_to"]),
        )
        for row in metadata.fetch("SELECT * FROM path_events", ())
    }
    return PathHistory(head=rows[0][0], events=events)


def save_path_history(metadata: Metadata, past: PathHistory) -> None:
    """Replace the cached path history; only rows that differ are written."""
    rows = metadata.fetch("SELECT value FROM meta WHERE key = ?", (_KEY,))
    if rows and rows[0][0] == past.head:
        return
    known = load_path_history(metadata)
    before = known.events if known is not None else {}
    metadata.executemany(
        "DELETE FROM path_events WHERE path = ?", [(_bytes(path),) for path in before if path not in past.events]
    )
    metadata.executemany(
        "INSERT OR REPLACE INTO path_events VALUES (?, ?, ?, ?)",
        [
            (_bytes(path), event.commit, event.date, None if event.renamed_to is None else _bytes(event.renamed_to))
            for path, event in past.events.items()
            if before.get(path) != event
        ],
    )
    metadata.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, past.head))


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
