"""A connection to metadata.db: queries that return values, and transactions."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.core.times import format_time, parse_time
from intermem.entities import (
    DEPARTURES,
    Citation,
    Departure,
    Evidence,
    Feedback,
    HistoryRow,
    Judged,
    Origins,
    Record,
    Source,
    Stance,
    Verdict,
    VerdictStatus,
)
from intermem.errors import NoSuchEntry, StateError
from intermem.storage.columns import SELECT, loaded_json, record_of
from intermem.storage.step_limit import StepLimit

_LARGE = 250  # pages, a megabyte
_VERDICTS = {status.value: status for status in VerdictStatus}
_STANCES = {stance.value: stance for stance in Stance}
_EVIDENCE = {evidence.value: evidence for evidence in Evidence}


class Metadata:
    """A connection to metadata.db. Errors of SQLite are raised as StateError, unsettled.

    ``key`` is that of the journal's checksums; empty: none of them is valid. A query that takes too many steps is
    stopped.
    """

    def __init__(self, connection: sqlite3.Connection, where: str, key: bytes = b"") -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._where = where
        self._steps = StepLimit(connection)
        self.key = key

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._connection.close()

    def __enter__(self) -> Metadata:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execute(self, statement: str, values: Sequence[object] | Mapping[str, object] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        self._steps.begin_write()
        with translated(self._where):
            return self._connection.execute(statement, values)

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        self._steps.begin_write()
        with translated(self._where):
            self._connection.executemany(statement, rows)

    def fetch(self, statement: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        self._steps.begin_read()
        with translated(self._where):
            return self._connection.execute(statement, values).fetchall()

    def each(self, statement: str, values: Sequence[object] = ()) -> Generator[sqlite3.Row, None, None]:
        """Yield the rows of a query, one at a time; to be closed before anything else is run."""
        self._steps.begin_read()
        with translated(self._where):
            yield from self._connection.execute(statement, values)

    def version(self) -> int | None:
        """Return a number that changes when another connection has written; None for a database in memory."""
        file = self.fetch("PRAGMA database_list")[0]["file"]
        return int(self.fetch("PRAGMA data_version")[0][0]) if file else None

    def reclaim(self) -> None:
        """Return every free page to the file system. As a script: a single ``execute`` frees only one page."""
        with translated(self._where):
            self._connection.executescript("PRAGMA incremental_vacuum")

    def shrink(self) -> None:
        """Return the free pages to the file system if they are a quarter of a file that is not small."""
        pages, free = (self.fetch(f"PRAGMA {name}")[0][0] for name in ("page_count", "freelist_count"))
        if pages >= _LARGE and free * 4 >= pages:
            self.reclaim()

    def empty_log(self) -> None:
        """Checkpoint the write-ahead log and truncate it. Raises StateError if another process is reading it."""
        busy = self.fetch("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
        if busy:
            raise StateError(
                f"the rows are deleted, but another process is reading {self._where}: its log could not be emptied, and"
                " may hold their text",
                hint="when that process is done, run a command that writes, such as intermem sweep, to finish",
            )

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything inside, or roll all of it back. Takes the write lock at once."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # An error of the rollback must not hide the real one.
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def records(self) -> dict[str, Record]:
        """Return every record by id, with its citations and their latest verdicts.

        Raises UnreadableTime, with the entry's id, if a stored time cannot be read.
        """
        cited = self._citations()
        shared: dict[object, object] = {}
        with contextlib.closing(self.each(_RECORDS + " ORDER BY entry_hash")) as rows:
            return {row["entry_hash"]: record_of(row, cited.pop(row["entry_hash"], ()), shared) for row in rows}

    def record(self, prefix: str) -> Record:
        """Return the record whose id, or else former id, starts with ``prefix`` (at least 4 characters).

        Raises NoSuchEntry if there is none, or more than one.
        """
        like = checked_prefix(prefix) + "%"
        rows = self.fetch("SELECT entry_hash FROM memory_entries WHERE entry_hash LIKE ? ORDER BY 1", (like,))
        if not rows:
            rows = self.fetch("SELECT DISTINCT entry_hash FROM aliases WHERE alias LIKE ? ORDER BY 1", (like,))
        key = only_one(prefix, [row[0] for row in rows])
        row = self.fetch(_RECORDS + " WHERE entry_hash = ?", (key,))[0]
        return record_of(row, self._citations(key).get(key, ()))

    def entry_of_history(self, prefix: str) -> str:
        """Return the id of the record that ``prefix`` names, or of a deleted one that is still in the history.

        Raises NoSuchEntry if there is none, or more than one.
        """
        try:
            return self.record(prefix).id
        except NoSuchEntry:
            like = checked_prefix(prefix) + "%"
            rows = self.fetch("SELECT DISTINCT entry_hash FROM history WHERE entry_hash LIKE ? ORDER BY 1", (like,))
            if len(rows) != 1:
                raise
            return str(rows[0][0])

    def entry_ids(self) -> dict[str, str]:
        """Return the id that people see of each record whose own is another one."""
        rows = self.fetch("SELECT entry_hash, note_id FROM memory_entries WHERE note_id IS NOT NULL")
        return {row[0]: row[1] for row in rows}

    def deleted(self) -> frozenset[str]:
        """Return the ids of the entries whose record was deleted, according to the history."""
        return frozenset(
            row[0] for row in self.fetch("SELECT DISTINCT entry_hash FROM history WHERE event = 'deleted'")
        )

    def with_citations(self, records: Iterable[Record]) -> list[Record]:
        """Return ``records`` with their citations."""
        wanted = list(records)
        cited = self._citations(*(one.id for one in wanted)) if wanted else {}
        return [replace(one, citations=cited.get(one.id, ())) for one in wanted]

    def sources(self, entry_id: str) -> tuple[Source, ...]:
        """Return where an entry stood in the last snapshot."""
        rows = self.fetch(
            "SELECT source_file, first_line, last_line FROM sources WHERE entry_hash = ? ORDER BY 1, 2", (entry_id,)
        )
        return tuple(Source(file=row[0], first_line=row[1], last_line=row[2]) for row in rows)

    def sources_by_file(self, files: Iterable[str]) -> dict[str, list[Source]]:
        """Return, by entry, the sources of the last snapshot that are in ``files``, or below them for folders."""
        found: dict[str, list[Source]] = {}
        for file in sorted(files):
            rows = self.fetch(
                "SELECT * FROM sources"
                " WHERE source_file = :file OR substr(source_file, 1, length(:file) + 1) = :file || '/'",
                {"file": file.encode("utf-8", "replace").decode("utf-8")},
            )
            for row in rows:
                source = Source(file=row["source_file"], first_line=row["first_line"], last_line=row["last_line"])
                found.setdefault(row["entry_hash"], []).append(source)
        return found

    def sessions(self) -> dict[str, frozenset[str]]:
        """Return the sessions that each entry was seen in."""
        found: dict[str, set[str]] = {}
        for row in self.fetch("SELECT entry_hash, session_id FROM sessions"):
            found.setdefault(row[0], set()).add(row[1])
        return {key: frozenset(value) for key, value in found.items()}

    def origins(self) -> Origins:
        """Return where each entry was seen."""
        files: dict[str, set[str]] = {}
        for row in self.fetch("SELECT entry_hash, source_file FROM sources"):
            files.setdefault(row[0], set()).add(row[1])
        return Origins(self.sessions(), {key: frozenset(value) for key, value in files.items()})

    def said(self) -> dict[str, str]:
        """Return what people said of each entry with feedback."""
        told: dict[str, list[str]] = {}
        for key, context, note in self.fetch("SELECT entry_hash, context, note FROM feedback"):
            told.setdefault(key, []).extend((context, note))
        return {key: "\n".join(words) for key, words in told.items()}

    def aliases(self) -> dict[str, str]:
        """Return former identities with the current one of each."""
        return {row[0]: row[1] for row in self.fetch("SELECT alias, entry_hash FROM aliases")}

    def last_sweep(self) -> datetime | None:
        """Return when a sweep last advanced the streaks."""
        return self._moment("last_sweep")

    def observer(self) -> str | None:
        """Return the id of this clone as an observer; None until it has written one into the ledger."""
        rows = self.fetch("SELECT value FROM meta WHERE key = 'observer'")
        return str(rows[0][0]) if rows else None

    def last_snapshot(self, until: datetime | None = None) -> datetime | None:
        """Return when the last snapshot was taken, or the last one up to a moment."""
        wanted = "" if until is None else "WHERE taken_at <= :until"
        rows = self.fetch(
            f"SELECT taken_at FROM snapshots {wanted} ORDER BY id DESC LIMIT 1",
            {} if until is None else {"until": format_time(until)},
        )
        return parse_time(rows[0][0], whose="the last snapshot") if rows else None

    def snapshots_since(self, moment: datetime) -> list[datetime]:
        """Return when snapshots were taken after a ``moment``, in order."""
        rows = self.fetch("SELECT taken_at FROM snapshots WHERE taken_at > ?", [format_time(moment)])
        return sorted(parse_time(row[0], whose="a snapshot") for row in rows)

    def memory_files(self) -> frozenset[str]:
        """Return the names of the memory's files in the last snapshot."""
        rows = self.fetch("SELECT files FROM snapshots ORDER BY id DESC LIMIT 1")
        return frozenset(loaded_json(rows[0][0], "the last snapshot")) if rows else frozenset()

    def history(self, entry_id: str | None = None, limit: int = 0) -> list[HistoryRow]:
        """Return the history, newest first, of one entry or of all, with the ids that people see."""
        where = " WHERE entry_hash = :entry" if entry_id is not None else ""
        cut = " LIMIT :limit" if limit else ""
        note = "(SELECT note_id FROM memory_entries AS entry WHERE entry.entry_hash = history.entry_hash) AS note_id"
        rows = self.fetch(
            f"SELECT *, {note} FROM history{where} ORDER BY at DESC, id DESC{cut}", {"entry": entry_id, "limit": limit}
        )
        return [
            HistoryRow(
                at=parse_time(row["at"], whose=f"history row {row['id']}"),
                event=row["event"],
                entry_id=row["note_id"] or row["entry_hash"],
                detail=row["detail"],
                operation=row["operation_id"],
                cause=row["cause"],
            )
            for row in rows
        ]

    def departures(self, month: str, apart_from: Collection[str] = ()) -> list[Departure]:
        """Return how many entries, ``apart_from`` these, left in a month (``2026-01``, UTC), by event and cause.

        Events are counted, not entries: one that left, came back and left again counts twice. A purge
        is one row without an entry, whose detail starts with the number purged (counted as one if a
        later purge has redacted it); the other rows of those entries are gone. The rows of an
        operation count unless it was undone; a row without an operation always counts.
        """
        rows = self.fetch(
            "SELECT event, cause, sum(CASE event WHEN 'purged' THEN max(1, CAST(detail AS INTEGER)) ELSE 1 END)"
            " FROM history LEFT JOIN operations ON operations.id = history.operation_id"
            " WHERE substr(history.at, 1, 7) = ? AND event IN (SELECT value FROM json_each(?))"
            " AND NOT (event = 'superseded' AND coalesce(cause, '') = '')"  # a note was reworded: nothing left
            " AND (entry_hash IS NULL OR entry_hash NOT IN (SELECT value FROM json_each(?)))"
            " AND operations.undone_by IS NULL GROUP BY event, cause ORDER BY event, cause",
            (month, json.dumps(DEPARTURES), json.dumps(sorted(apart_from))),
        )
        return [Departure(row[0], row[1], row[2]) for row in rows]

    def feedback(self, entry_id: str) -> list[Feedback]:
        """Return what people said of an entry, oldest first."""
        rows = self.fetch("SELECT * FROM feedback WHERE entry_hash = ? ORDER BY at, id", (entry_id,))
        return [
            Feedback(
                at=parse_time(row["at"], whose=f"feedback on {entry_id}"),
                kind=row["kind"],
                amount=row["amount"],
                severity=row["severity"],
                context=row["context"],
                note=row["note"],
            )
            for row in rows
        ]

    def fed_back(self) -> dict[str, list[Feedback]]:
        """Return what was fed back on each entry here, the oldest first, without its context and note."""
        found: dict[str, list[Feedback]] = {}
        rows = self.fetch("SELECT entry_hash, at, kind, severity, amount FROM feedback ORDER BY at, id")
        for key, at, kind, severity, amount in rows:
            moment = parse_time(at, whose=f"feedback on {key}")
            found.setdefault(key, []).append(Feedback(at=moment, kind=kind, amount=amount, severity=severity))
        return found

    def confirmations(self) -> dict[str, datetime]:
        """Return when a person last confirmed an entry, by its id; without those that nobody has confirmed."""
        rows = self.fetch("SELECT entry_hash, max(at) FROM feedback WHERE kind = 'confirm' GROUP BY entry_hash")
        return {row[0]: parse_time(row[1], whose=f"feedback on {row[0]}") for row in rows}

    def _moment(self, key: str) -> datetime | None:
        rows = self.fetch("SELECT value FROM meta WHERE key = ?", (key,))
        return parse_time(rows[0][0], whose=key) if rows else None

    def _citations(self, *entry_ids: str) -> dict[str, tuple[Judged, ...]]:
        """Return the citations by entry: of those named, or of all."""
        where = " WHERE entry_hash IN (SELECT value FROM json_each(?))" if entry_ids else ""
        values = (json.dumps(entry_ids),) if entry_ids else ()
        found: dict[str, tuple[Judged, ...]] = {}
        several: dict[str, list[Judged]] = {}
        known: dict[tuple[object, ...], tuple[Judged, ...]] = {}  # most entries cite one thing, and many the same
        asked = f"SELECT entry_hash, {_CITED} FROM citations{where} ORDER BY id"
        with contextlib.closing(self.each(asked, values)) as rows:
            for row in rows:
                key, *cited = row
                judged = known.get(tuple(cited))
                if judged is None:
                    judged = known[tuple(cited)] = (_judged(row),)
                if key in found:
                    several.setdefault(key, [*found[key]]).extend(judged)
                else:
                    found[key] = judged
        return found | {key: tuple(cited) for key, cited in several.items()}


_RECORDS = f"{SELECT} FROM memory_entries"
_CITED = "citation_type, citation_value, name, first_line, last_line, flags, anchor, resolved_path, status, evidence"


def _judged(row: sqlite3.Row) -> Judged:
    flags = row["flags"].split()
    evidence = loaded_json(row["evidence"], f"entry {row['entry_hash']}")
    citation = Citation(
        kind=row["citation_type"],
        text=row["citation_value"],
        name=row["name"],
        first_line=row["first_line"],
        last_line=row["last_line"],
        stance=next((_STANCES[one] for one in flags if one in _STANCES), Stance.PLAIN),
        weak="weak" in flags,
        link="link" in flags,
        anchor=row["anchor"],
    )
    verdict = Verdict(
        status=_VERDICTS.get(row["status"], VerdictStatus.UNVERIFIABLE),
        target=row["resolved_path"],
        reason=evidence.get("reason", ""),
        commit=evidence.get("commit"),
        date=evidence.get("date"),
        candidates=tuple(evidence.get("candidates", ())),
        claim=evidence.get("claim"),
        evidence=_EVIDENCE.get(str(evidence.get("class"))),
    )
    return Judged(citation=citation, verdict=verdict)


@contextlib.contextmanager
def translated(where: str) -> Iterator[None]:
    """Raise errors of SQLite and the file system as StateError, with a message and a hint."""
    try:
        yield
    except OSError as error:
        raise StateError(
            f"{where} cannot be used ({error.strerror})",
            hint="check free space and the folder's permissions",
            unsettled=True,
        ) from None
    except (sqlite3.Error, UnicodeDecodeError) as error:
        text = str(error)
        if text == "interrupted":
            message, hint = f"{where} was given up: a query of it does not end", "intermem doctor checks the file"
        elif "locked" in text or "busy" in text:
            message, hint = f"{where} is locked by another process", "try again when it is done"
        elif isinstance(error, sqlite3.OperationalError) and "no such" not in text:
            message, hint = f"{where} cannot be used ({text})", "check free space and the folder's permissions"
        else:
            message = f"{where} is damaged or not a database ({text})"
            hint = "intermem doctor --repair sets it aside and saves every record that can be read"
        raise StateError(message, hint=hint, unsettled=True) from None
