"""Write records, citations, snapshots, history and feedback to metadata.db.

Every function runs inside the caller's transaction and writes only rows that change.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from intermem.core.times import format_time
from intermem.entities import Feedback, HistoryRow, Judged, Record, Source
from intermem.errors import StateError
from intermem.storage.columns import WRITTEN, is_stored_alike, row_of
from intermem.storage.metadata import Metadata
from intermem.storage.schema import VERSION

_MANY = 1000  # deleted records, above which the full-text index is built anew in any case (S0)
_AT_ONCE = 5000  # entries whose citations are in memory as rows
_CITE = (
    "INSERT INTO citations (entry_hash, citation_type, citation_value, name, first_line, last_line, flags,"
    " anchor, resolved_path, status, evidence, last_validated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_NAMES = [column.name for column in WRITTEN]  # the identity comes first
_INSERT = f"INSERT INTO memory_entries ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"
_UPDATE = f"UPDATE memory_entries SET {', '.join(f'{name} = ?' for name in _NAMES[1:])} WHERE entry_hash = ?"


def save_records(metadata: Metadata, changes: Iterable[tuple[Record | None, Record]]) -> None:
    """Write records, given as pairs of the stored one (None for a new one) and the one to store."""
    inserts: list[tuple[object, ...]] = []

    def updates() -> Iterator[tuple[object, ...]]:
        for before, after in changes:
            if before is None:
                inserts.append(row_of(after))
            elif not is_stored_alike(before, after):
                identity, *rest = row_of(after)
                yield (*rest, identity)

    metadata.executemany(_UPDATE, updates())
    metadata.executemany(_INSERT, inserts)


def save_accesses(metadata: Metadata, records: Iterable[Record]) -> None:
    """Write when ``records`` were last accessed, which ``save_records`` leaves alone."""
    metadata.executemany(
        "UPDATE memory_entries SET last_accessed = ? WHERE entry_hash = ?",
        [(format_time(one.last_accessed) if one.last_accessed else None, one.id) for one in records],
    )


def save_citations(
    metadata: Metadata, changes: Iterable[tuple[str, Sequence[Judged], Sequence[Judged]]], now: datetime
) -> None:
    """Write the citations and verdicts of the entries of which any has changed, given with the stored ones."""
    changed = ((entry_id, after) for entry_id, before, after in changes if tuple(before) != tuple(after))
    while some := list(islice(changed, _AT_ONCE)):
        metadata.executemany("DELETE FROM citations WHERE entry_hash = ?", [(entry_id,) for entry_id, _ in some])
        metadata.executemany(_CITE, (_citation_row(entry_id, item, now) for entry_id, after in some for item in after))


def save_snapshot(
    metadata: Metadata,
    now: datetime,
    files: Iterable[str],
    sources: Mapping[str, Sequence[Source]],
    sessions: Mapping[str, Iterable[str]],
) -> None:
    """Write a snapshot: the memory's files, and the sources and sessions of each entry."""
    before = {tuple(row) for row in metadata.fetch("SELECT * FROM sources")}
    after = {
        (key, one.file, one.first_line): one.last_line for key, found in sources.items() for one in reversed(found)
    }
    rows = {(*key, last) for key, last in after.items()}
    metadata.executemany(
        "DELETE FROM sources WHERE entry_hash = ? AND source_file = ? AND first_line = ? AND last_line = ?",
        sorted(before - rows),
    )
    metadata.executemany("INSERT INTO sources VALUES (?, ?, ?, ?)", sorted(rows - before))
    metadata.executemany(
        "INSERT OR IGNORE INTO sessions VALUES (?, ?)",
        [(key, session) for key, found in sessions.items() for session in sorted(found)],
    )
    metadata.execute(
        "INSERT INTO snapshots (taken_at, files, entries) VALUES (?, ?, ?)",
        (format_time(now), json.dumps(sorted(files)), len(sources)),
    )


def rename_record(metadata: Metadata, old: str, new: str) -> None:
    """Rename a record, with its rows in other tables; the old identity becomes an alias."""
    metadata.execute("DELETE FROM aliases WHERE alias = ?", (new,))
    metadata.execute("UPDATE memory_entries SET entry_hash = ? WHERE entry_hash = ?", (new, old))
    metadata.execute("UPDATE history SET entry_hash = ? WHERE entry_hash = ?", (new, old))
    add_aliases(metadata, {old: new})


def add_aliases(metadata: Metadata, aliases: Mapping[str, str]) -> None:
    """Add former identities, by alias. The identity of a record must not be an alias."""
    metadata.executemany(
        "INSERT INTO aliases VALUES (?, ?) ON CONFLICT (alias) DO UPDATE SET entry_hash = excluded.entry_hash"
        " WHERE entry_hash != excluded.entry_hash",
        sorted(aliases.items()),
    )


def drop_alias(metadata: Metadata, alias: str) -> None:
    """Remove an alias: it is the identity of an entry again."""
    metadata.execute("DELETE FROM aliases WHERE alias = ?", (alias,))


def absorb_record(metadata: Metadata, gone: str, into: str) -> None:
    """Merge the record ``gone`` into ``into``, which is the same entry.

    Sources, sessions, feedback, aliases and history move; the identity becomes an alias.
    """
    for table in ("sources", "sessions", "feedback"):
        metadata.execute(f"UPDATE OR IGNORE {table} SET entry_hash = ? WHERE entry_hash = ?", (into, gone))
    metadata.execute("UPDATE aliases SET entry_hash = ? WHERE entry_hash = ?", (into, gone))
    metadata.execute("UPDATE history SET entry_hash = ? WHERE entry_hash = ?", (into, gone))
    metadata.execute("DELETE FROM memory_entries WHERE entry_hash = ?", (gone,))
    add_aliases(metadata, {gone: into})


def add_history(metadata: Metadata, rows: Iterable[HistoryRow]) -> None:
    """Append history rows; those without an operation belong to the one under way."""
    metadata.executemany(
        "INSERT INTO history (at, operation_id, entry_hash, event, detail, cause)"
        " VALUES (?, coalesce(?, (SELECT operation_id FROM recording)), ?, ?, ?, ?)",
        ((format_time(row.at), row.operation, row.entry_id, row.event, row.detail, row.cause) for row in rows),
    )


def add_feedback(metadata: Metadata, given: Iterable[tuple[str, Feedback]]) -> None:
    """Append feedback, by entry. The sum in the record is the caller's to update."""
    metadata.executemany(
        "INSERT INTO feedback (entry_hash, at, kind, severity, amount, context, note) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(key, format_time(one.at), one.kind, one.severity, one.amount, one.context, one.note) for key, one in given],
    )


def delete_records(metadata: Metadata, ids: Iterable[str]) -> None:
    """Delete records and their rows in other tables; history stays.

    The full-text index keeps the terms of deleted rows for a while, and grows with every deletion: it is built anew
    after many, or once a quarter of the rows went, as ``Metadata.shrink`` gives back a quarter of the pages.
    """
    gone = sorted(ids)
    if not gone:
        return
    metadata.executemany("DELETE FROM memory_entries WHERE entry_hash = ?", [(key,) for key in gone])
    if len(gone) > _MANY or not metadata.fetch("SELECT 1 FROM memory_entries LIMIT 1 OFFSET ?", (3 * len(gone),)):
        metadata.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")


def set_observer(metadata: Metadata, observer: str) -> None:
    """Record the id of this clone as an observer, inside the caller's transaction."""
    metadata.execute("INSERT INTO meta VALUES ('observer', ?) ON CONFLICT (key) DO NOTHING", (observer,))


def set_last_sweep(metadata: Metadata, now: datetime) -> None:
    """Store when a sweep advanced the streaks."""
    metadata.execute(
        "INSERT INTO meta VALUES ('last_sweep', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        " WHERE value != excluded.value",
        (format_time(now),),
    )


def touch(
    metadata: Metadata,
    ids: Sequence[str],
    now: datetime,
    learnt: Sequence[Record] = (),
    rows: Sequence[HistoryRow] = (),
) -> bool:
    """Count an access of each of ``ids``; return False if another process is writing.

    An access is not worth waiting or failing for, nor is a database of another version touched. ``learnt`` are records
    of which there is no row yet, for all that was known when they were read, ``rows`` their history.
    """
    with contextlib.suppress(StateError), metadata.transaction():
        if metadata.fetch("PRAGMA user_version")[0][0] != VERSION:
            return False
        wanted = json.dumps([one.id for one in learnt])
        have = "SELECT entry_hash FROM memory_entries WHERE entry_hash IN (SELECT value FROM json_each(?))"
        known = {row[0] for row in metadata.fetch(have, (wanted,))} if learnt else set()
        save_records(metadata, ((None, one) for one in learnt if one.id not in known))
        add_history(metadata, [row for row in rows if row.entry_id not in known])
        metadata.execute(
            "UPDATE memory_entries SET access_count = access_count + 1,"
            " last_accessed = max(?, coalesce(last_accessed, ''))"
            " WHERE entry_hash IN (SELECT value FROM json_each(?))",
            (format_time(now), json.dumps(list(ids))),
        )
        return True
    return False


def _citation_row(entry_id: str, item: Judged, now: datetime) -> tuple[object, ...]:
    citation, verdict = item.citation, item.verdict
    flags = " ".join([str(citation.stance), *(name for name in ("weak", "link") if getattr(citation, name))])
    return (
        entry_id,
        citation.kind,
        citation.text,
        citation.name,
        citation.first_line,
        citation.last_line,
        flags,
        citation.anchor,
        verdict.target,
        str(verdict.status),
        _evidence(item),
        format_time(now),
    )


def _evidence(item: Judged) -> str:
    verdict = item.verdict
    kept = {
        "reason": verdict.reason,
        "commit": verdict.commit,
        "date": verdict.date,
        "candidates": list(verdict.candidates),
        "claim": verdict.claim,
        "class": verdict.evidence,
    }
    return json.dumps({name: value for name, value in kept.items() if value}, ensure_ascii=False, sort_keys=True)
