"""What must hold after a fault: the documents, the records, the facts, and the next run."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.core.entries.identity import identity
from intermem.core.reconcile.events import is_event_name
from intermem.core.reconcile.ledger_history import ledger_of
from intermem.core.region.parse import find_region
from intermem.entities import LEDGER
from tests.conftest import Outcome
from tests.faults.grounds import Ground
from tests.faults.scenarios import Scenario
from tests.old_ledger import ledger_text

_STATE = re.compile(r"metadata\.db.*|lock|key(?:\.new)?")
_LEFTOVER = re.compile(r".*\.intermem-.*|metadata\.db\.new.*|key\.new")
_KEY = re.compile(rb"[0-9a-f]{64}\n")
_ROWS = {
    # Columns that say nothing here: the numbers of rows. Tables that are left out count runs, not facts.
    "memory_entries": ("id", "access_count", "last_accessed", "confidence_updated_at"),
    "citations": ("id",),
    "aliases": (),
    "sources": (),
    "sessions": (),
    "meta": (),
    "purged": (),
    "history": ("id", "operation_id"),
}

Rows = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The contents of a project: files (except the state) by name, records by table, copies of old databases."""

    files: dict[str, bytes]
    records: dict[str, Rows]
    pending: int = 0
    kept: tuple[tuple[str, str], ...] = ()

    def differences(self, other: Standing) -> list[str]:
        """Return the differences to ``other``, in words."""
        found = [
            f"{name}: {_shown(self.files.get(name))} instead of {_shown(other.files.get(name))}"
            for name in sorted({*self.files, *other.files})
            if self.files.get(name) != other.files.get(name)
        ]
        for table in _ROWS:
            ours, theirs = self.records.get(table, ()), other.records.get(table, ())
            if ours != theirs:
                more = [row for row in ours if row not in theirs]
                less = [row for row in theirs if row not in ours]
                found.append(f"{table}: {len(ours)} rows, not {len(theirs)}; has {more}, lacks {less}")
        if self.pending != other.pending:
            found.append(f"{self.pending} operations are pending")
        if self.kept != other.kept:
            found.append(f"copies of old databases: {self.kept} instead of {other.kept}")
        return found


@dataclass(frozen=True, slots=True)
class Expected:
    """A scenario without a fault: before, after one run, and the outcome of a second run."""

    scenario: Scenario
    before: dict[str, bytes]
    after: Standing
    again: Outcome
    known: tuple[str, ...] = ()


def expected_of(scenario: Scenario, ground: Ground) -> Expected:
    """Run a scenario without a fault, and once more: that must change nothing. The project is put back."""
    before = files_of(ground.root)
    known = tuple(_lost(scenario, ground, before))  # what the command is there to mend
    ground.reset()
    first = ground.run(*scenario.verb, now=scenario.now)
    assert first.code == 0, first
    after = standing_of(ground)
    again = ground.run(*scenario.verb, now=scenario.now)
    assert "Traceback" not in again.err, again
    assert standing_of(ground).differences(after) == []
    assert _lost(scenario, ground, after.files) == []
    ground.reset()
    return Expected(scenario, before, after, again, known)


def complaints(expected: Expected, ground: Ground, *, finished: bool = False, settled: bool = False) -> list[str]:
    """Return what is wrong in a project after a fault, [] for nothing; the command is run once more for it.

    ``finished`` where the command had ended well before: then nothing of what it did may be undone.
    ``settled`` where it had told of an error: then the ledger may lag until a sweep (docs/journal.md).
    """
    wrong: list[str] = []
    scenario, after = expected.scenario, expected.after
    files = files_of(ground.root)
    for name in sorted({*files, *expected.before, *after.files}):
        if _LEFTOVER.fullmatch(Path(name).name) or (settled and name.startswith(LEDGER)):
            continue
        if not finished and files.get(name) not in (expected.before.get(name), after.files.get(name)):
            wrong.append(f"after the fault, {name}: {_shown(files.get(name))}")
    wrong += [f"after the fault, {one}" for one in _lost(scenario, ground, files) if one not in expected.known]
    if finished:
        wrong += [f"after the fault, {one}" for one in standing_of(ground).differences(after)]
    again = ground.run(*scenario.verb, now=scenario.now)
    if again.code not in (0, expected.again.code) or "Traceback" in again.err:
        wrong.append(f"the next run ended with {again.code}: {again.err.strip()}")
    standing = standing_of(ground)
    if settled and _ledger(standing.files) != _ledger(after.files):
        ground.run("sweep", "--no-scan", "--no-demote", now=scenario.now)
        standing = replace(standing, files=files_of(ground.root))
    if settled and _ledger(standing.files) == _ledger(after.files):  # the same was said in other words
        kept = {name: content for name, content in standing.files.items() if not name.startswith(f"{LEDGER}/")}
        said = {name: content for name, content in after.files.items() if name.startswith(f"{LEDGER}/")}
        standing = replace(standing, files={**kept, **said})
    different = standing.differences(after)
    if settled:  # that a file could not be read for once is part of what happened
        different = [one for one in different if not one.startswith("history: ")]
    wrong += [f"after the next run, {one}" for one in different]
    if different:
        wrong += [f"after the next run, {one}" for one in _lost(scenario, ground, standing.files)]
    left = [path.name for path in ground.root.rglob("*") if _LEFTOVER.fullmatch(path.name)]
    if left:
        wrong.append(f"after the next run, there are {', '.join(sorted(left))}")
    keys = [path.read_bytes() for path in ground.root.rglob("key")]
    if keys and not all(_KEY.fullmatch(key) for key in keys):
        wrong.append(f"after the next run, the key is {keys}")
    return wrong + [f"after the next run, {one}" for one in _survivors(scenario, ground, again)]


def _ledger(files: Mapping[str, bytes]) -> str:
    """What the events among ``files`` amount to, but for who said it and why."""
    texts = {Path(name).name: content.decode() for name, content in files.items() if name.startswith(f"{LEDGER}/")}
    texts = {name: text for name, text in texts.items() if is_event_name(name)}
    return ledger_text(ledger_of(texts, None).lines)


def _survivors(scenario: Scenario, ground: Ground, again: Outcome) -> list[str]:
    """Return the files that still hold what was to be destroyed, unless the run names them."""
    lines = [fact.splitlines()[0].encode() for fact in scenario.destroyed]
    files = [path for path in sorted(ground.root.rglob("*")) if path.is_file()] if lines else []
    holding = [path for path in files if any(line in path.read_bytes() for line in lines)]
    return [f"{path.name} holds it" for path in holding if path.name not in again.out + again.err]


def unclear(outcome: Outcome) -> list[str]:
    """Return what is wrong with an error report: it must be one line, at most one hint, and no traceback.

    A document or memory file that cannot be read is refused by name and the rest goes on, so there
    may be more than one such pair; ``doctor`` tells of what it found, with exit code 1.
    """
    if outcome.code == 0 or (outcome.code == 1 and outcome.out.startswith(("found ", "fixed "))):
        return []
    lines = [line for line in outcome.err.splitlines() if not line.startswith("note: ")]
    errors = [line for line in lines if line.startswith("error: ")]
    hints = [line for line in lines if line.startswith("hint: ")]
    if outcome.code == 2 and errors and len(lines) == len(errors) + len(hints) and len(hints) <= len(errors):
        return []
    return [f"exit {outcome.code} with {outcome.err!r}"]


def untrue(expected: Expected, ground: Ground) -> list[str]:
    """Return where records and documents disagree while no operation is pending, though some were written.

    Where all of them are in one and the same state, before or after, the next run is judge enough.
    """
    files = files_of(ground.root)
    changed = [name for name in {*expected.before, *expected.after.files} if _changes(expected, name)]
    done = [name for name in changed if files.get(name) == expected.after.files.get(name)]
    if len(done) in (0, len(changed)):
        return []
    standing = standing_of(ground)
    if standing.pending:
        return []
    claimed = {(row[0], row[1]) for row in standing.records.get("standing", ())}
    stands = set()
    for name in (one for one in files if one.endswith(".md")):
        region = find_region(files[name].decode("utf-8"), name)
        stands |= {(key, name) for key in region.ids} if region is not None else set()
    return [] if claimed == stands else [f"only {done} were written, and the records say {claimed ^ stands} otherwise"]


def standing_of(ground: Ground) -> Standing:
    """Return the contents of a project. Opening metadata.db replays what a killed run left in the WAL."""
    path = max(ground.root.rglob("metadata.db"), default=None)  # one of phase 1 sorts before ours
    records: dict[str, Rows] = {}
    pending = 0
    if path is not None:
        try:
            with closing(sqlite3.connect(path)) as connection:
                (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
                assert sound == "ok", sound
                records = {table: _rows(connection, table) for table in _ROWS}
                (pending,) = connection.execute("SELECT count(*) FROM operations WHERE state = 'pending'").fetchone()
                records["standing"] = tuple(
                    connection.execute("SELECT entry_hash, document FROM memory_entries WHERE document IS NOT NULL")
                )
        except (sqlite3.Error, AssertionError) as error:
            records = {"memory_entries": ((f"metadata.db: {error}",),)}
    copies = tuple((one.name, _dumped(one)) for one in sorted(ground.root.rglob("metadata.db.v?")))
    return Standing(files_of(ground.root), records, pending, copies)


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file below ``root`` by name, except those of the state."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not _STATE.fullmatch(path.name)
    }


def _rows(connection: sqlite3.Connection, table: str) -> Rows:
    cursor = connection.execute(f"SELECT * FROM {table}")
    names = [one[0] for one in cursor.description]
    kept = [at for at, name in enumerate(names) if name not in _ROWS[table]]
    rows = cursor.fetchall()
    if table == "history":  # that an effect did not happen stays on record, where it did happen later too
        rows = [row for row in rows if row[names.index("event")] != "settled"]
    if table == "memory_entries":  # the ledger knows days: a second run may have learnt this from it
        first = names.index("first_seen")
        rows = [(*row[:first], row[first][:10], *row[first + 1 :]) for row in rows]
    return tuple(sorted((tuple(row[at] for at in kept) for row in rows), key=repr))


def _dumped(path: Path) -> str:
    try:
        with closing(sqlite3.connect(path)) as connection:
            return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()[:12]
    except sqlite3.Error as error:
        return f"unreadable ({error})"


def _lost(scenario: Scenario, ground: Ground, files: dict[str, bytes]) -> list[str]:
    """Facts that are in a document twice, or lost: neither there, nor in the memory, nor on record.

    One that the command deletes may be nowhere; but while it stands it is on record.
    """
    wrong: list[str] = []
    memory = "".join(path.read_text("utf-8") for path in ground.memory.rglob("*.md"))
    documents = {name: content.decode("utf-8", "replace") for name, content in files.items() if name.endswith(".md")}
    sought: list[str] = []
    gone: set[str] = set()
    for fact in (*scenario.facts, *scenario.deleted):
        line = f"- {fact.splitlines()[0]}"
        standing = {name: text.splitlines().count(line) for name, text in documents.items()}
        wrong += [f"{fact!r} stands {count} times in {name}" for name, count in standing.items() if count > 1]
        if fact in scenario.deleted:
            gone |= set() if any(standing.values()) else {fact}
            sought.append(fact)
        elif not any(standing.values()) and fact not in memory:
            sought.append(fact)
    if not sought:
        return wrong
    asked = ground.run("query", "--all", "--json", "--limit", "0", "--no-touch", now=scenario.now)
    if asked.code not in (0, 1) or "Traceback" in asked.err:
        return [*wrong, f"query ended with {asked.code}: {asked.err.strip()}"]
    for fact in sought:
        held = sum(one["id"] == identity(fact) or fact.startswith(one["text"]) for one in asked.json["entries"])
        if held != 1 and not (held == 0 and fact in gone):
            where = "though it stands" if fact in scenario.deleted else "and nowhere else"
            wrong.append(f"{fact!r} is on record {held} times, {where}")
    return wrong


def _changes(expected: Expected, name: str) -> bool:
    return expected.before.get(name) != expected.after.files.get(name)


def _shown(content: bytes | None) -> str:
    return "not there" if content is None else f"{len(content)} bytes ({content[-60:]!r})"
