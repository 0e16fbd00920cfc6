"""Take the rows of a phase-1 database (DESIGN.md §9): previews of texts, which are completed when the note is seen."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from intermem.patterns import regex
from intermem.storage.imported_values import MAX_COUNT, insert, is_id, short, thousandths, time_of, within

Row = Mapping[str, object]

_MARKER = regex(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")

# The tables of phase 1 (DESIGN.md §9), with the columns that its second half added.
TABLES: Mapping[str, frozenset[str]] = {
    "memory_entries": frozenset(
        [
            "entry_hash",
            "content_preview",
            "section",
            "source_file",
            "first_seen",
            "last_seen",
            "snapshot_count",
            "confidence",
            "confidence_updated_at",
            "status",
            "stale_streak",
            "demoted_at",
        ]
    ),
    "citations": frozenset(
        ["id", "entry_hash", "citation_type", "citation_value", "resolved_path", "status", "last_validated"]
    ),
    "citation_checks": frozenset(
        ["id", "entry_hash", "citation_value", "check_type", "result", "detail", "checked_at"]
    ),
    "schema_version": frozenset(["version", "migration_version", "applied_at"]),
}
_KINDS = {"file_path": "path", "file": "path", "directory": "dir"}


def take_rows(connection: sqlite3.Connection, rows: Mapping[str, list[dict[str, object]]]) -> tuple[int, int]:
    """Insert the rows of phase 1's tables as ours; return how many entries were taken, and how many left out."""
    taken: set[object] = set()
    for row in rows["memory_entries"]:
        values = _entry(row)
        if values is not None and row["entry_hash"] not in taken:
            insert(connection, "memory_entries", values)
            taken.add(row["entry_hash"])
            status = short(row.get("status")) or "not set"
            at = values["confidence_updated_at"] or values["last_seen"]
            detail = f"from a phase-1 database; its status was {status}"
            event = {"at": at, "entry_hash": row["entry_hash"], "event": "imported", "detail": detail}
            insert(connection, "history", event)
    for row in rows["citations"]:
        if row.get("entry_hash") in taken:
            insert(connection, "citations", _citation(row))
    for row in rows["citation_checks"]:
        if row.get("entry_hash") in taken:
            names = ("citation_value", "check_type", "result", "detail", "checked_at")
            values = {name: short(row.get(name)) for name in names}
            insert(connection, "citation_checks", {"entry_hash": row["entry_hash"], **values})
    return len(taken), len(rows["memory_entries"]) - len(taken)


def _entry(row: Row) -> dict[str, object] | None:
    """Return the columns of a row, None if its id is none. Its text is complete when the note is seen again."""
    if not is_id(row["entry_hash"]):
        return None
    status = row.get("status") if row.get("status") in ("active", "stale", "demoted") else "active"
    confidence = thousandths(row.get("confidence"))
    count = within(row.get("snapshot_count"), 1, MAX_COUNT)

    def time(column: str, *others: str) -> str | None:
        found = next((name for name in (column, *others) if row.get(name)), None)
        return time_of(row.get(found), f"entry {row['entry_hash']}, {found}") if found is not None else None

    return {
        "entry_hash": row["entry_hash"],
        "content_preview": _MARKER.sub("", short(row.get("content_preview"))),
        "section": short(row.get("section")),
        "source_file": short(row.get("source_file")),
        "first_seen": time("first_seen", "last_seen") or "",
        "last_seen": time("last_seen", "first_seen") or "",
        "snapshot_count": count,
        "imported_count": count,
        "confidence": confidence,
        "base_confidence": confidence,
        "confidence_updated_at": time("confidence_updated_at"),
        "status": status,
        "stale_streak": within(row.get("stale_streak"), 0, MAX_COUNT),
        "promoted_at": time("demoted_at", "last_seen", "first_seen") if status == "demoted" else None,
        "demoted_at": time("demoted_at"),
        "reason": "demoted before the import" if status == "demoted" else "",
    }


def _citation(row: Row) -> dict[str, object]:
    kind = short(row.get("citation_type")) or "path"
    value = short(row.get("citation_value"))
    return {
        "entry_hash": row["entry_hash"],
        "citation_type": _KINDS.get(kind, kind),
        "citation_value": value,
        "name": value,
        "flags": "weak",
        "resolved_path": short(row.get("resolved_path")) or None,
        "status": short(row.get("status")) or None,
        "last_validated": time_of(row.get("last_validated"), f"entry {row['entry_hash']}, last_validated"),
    }
