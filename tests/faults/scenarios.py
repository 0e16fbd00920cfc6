"""What is broken on purpose: named scenarios, each a project at the moment before a command.

A new verb is one more row in SCENARIOS.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from intermem.core.entries.identity import identity
from intermem.storage.schema import statements_of
from tests.faults.grounds import Ground, dies_before, new_ground
from tests.storage.test_migrations import SCHEMAS, phase_one
from tests.storage.test_migrations import TEXT as PHASE_ONE_TEXT

NOTES = (
    "Prefer short functions.",
    "The entry point is `src/app.py`.",
    "Two lines:\n\n  ```sh\n  make\n  ```",
    "Releases are cut on Tuesdays.",
)
FIRST = "AGENTS.md"
SECOND = "docs/CLAUDE.md"

# The state apart from the ledger, as in a repository: else a sync of one would vouch for the other.
STATE = "state"
SETTINGS = f'targets = ["{FIRST}", "{SECOND}"]\n\n[sweep]\nmin_interval = "1d"\n'
BARE_SETTINGS = '[sweep]\nmin_interval = "1d"\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A command at a given time: ``build`` creates the project before it.

    ``facts`` are the texts of which none may ever be lost or stand twice. Those ``deleted`` go with
    the command: until it has happened they are facts like the others, then they are nowhere. Those ``destroyed``
    are then in no file at all.
    """

    name: str
    verb: tuple[str, ...]
    now: str
    build: Callable[[Ground], None]
    facts: tuple[str, ...] = NOTES
    deleted: tuple[str, ...] = ()
    destroyed: tuple[str, ...] = ()

    def ground(self, folder: Path) -> Ground:
        """Return the project built below ``folder``, kept so that it can be put back."""
        ground = new_ground(folder)
        self.build(ground)
        ground.keep()
        return ground


def done(ground: Ground, *verb: str, now: str) -> None:
    outcome = ground.run(*verb, now=now)
    assert outcome.code == 0, (verb, outcome)


def note(ground: Ground, *texts: str) -> None:
    ground.write("../memory/MEMORY.md", "## Notes\n\n" + "".join(f"- {text}\n" for text in texts))


def scanned(ground: Ground) -> None:
    """Four notes that are stable, two documents, nothing promoted yet."""
    ground.write("intermem.toml", SETTINGS)
    ground.keep_state_in(STATE)
    ground.write(FIRST, "# Project\n\nHello.\n")
    ground.write(SECOND, "# For Claude\r\n\r\nNo final newline")
    ground.write("src/app.py", "print('app')\n")
    note(ground, *NOTES)
    for day in ("2026-01-01", "2026-01-02", "2026-01-03"):
        done(ground, "scan", now=f"{day}T00:00:00Z")


def promoted(ground: Ground) -> None:
    """Two notes in each document."""
    scanned(ground)
    ids = [identity(text) for text in NOTES]
    done(ground, "promote", *ids[:2], "--yes", now="2026-01-03T01:00:00Z")
    done(ground, "promote", *ids[2:], "--yes", "--target", SECOND, now="2026-01-03T02:00:00Z")


def with_second_tier(ground: Ground) -> None:
    """As ``promoted``; the second tier is on, and two facts of the first document can move."""
    promoted(ground)
    ground.write("intermem.toml", f"tiers = true\n{SETTINGS}")


def swept_once(ground: Ground) -> None:
    """The notes are gone from the memory, and a first sweep has found all four stale."""
    promoted(ground)
    note(ground)
    done(ground, "sweep", now="2026-06-01T00:00:00Z")


def demoted(ground: Ground) -> None:
    promoted(ground)
    done(ground, "demote", identity(NOTES[0]), identity(NOTES[2]), now="2026-01-04T00:00:00Z")


def with_an_old_copy(ground: Ground) -> None:
    """As after an upgrade: a copy of the old database holds the notes as well."""
    swept_once(ground)
    state = ground.root / "state"
    with (
        closing(sqlite3.connect(state / "metadata.db")) as old,
        closing(sqlite3.connect(state / "metadata.db.v4")) as new,
    ):
        old.backup(new)


def purge_left_pending(ground: Ground) -> None:
    """A purge was killed when its documents were written, before it destroyed anything."""
    swept_once(ground)
    killed = dies_before("intermem.workflow.operation", "destroy", 1)
    outcome = ground.run(*_PURGE, now="2026-06-03T00:00:00Z", arm=killed)
    assert outcome.code == -signal.SIGKILL, outcome


def sweep_left_pending(ground: Ground) -> None:
    """A sweep was killed between its first document and its second."""
    swept_once(ground)
    killed = dies_before("intermem.workflow.writeback", "put_in_place", 2)
    outcome = ground.run("sweep", now="2026-06-03T00:00:00Z", arm=killed)
    assert outcome.code == -signal.SIGKILL, outcome


def unheard_of(ground: Ground) -> None:
    """A project that intermem has never seen, with notes in its memory."""
    ground.write("intermem.toml", BARE_SETTINGS)
    note(ground, *NOTES)


def without_state(ground: Ground) -> None:
    """A project whose state belongs in folders that do not exist yet."""
    ground.keep_state_in("local/state")
    ground.write(FIRST, "# Project\n")
    note(ground, *NOTES)


def of_phase_one(ground: Ground) -> None:
    """The database of phase 1 in its own place: it is replaced there, and a copy kept."""
    ground.write("intermem.toml", BARE_SETTINGS)
    ground.write(FIRST, "# Project\n")
    phase_one(ground.root / ".intermem" / "metadata.db")
    note(ground, PHASE_ONE_TEXT)


def make_version(connection: sqlite3.Connection, version: int) -> None:
    """Turn a database back into one of an older version, entries and all; what it did stays in the WAL."""
    rows = connection.execute(f"SELECT {_KEPT} FROM memory_entries ORDER BY id").fetchall()
    sources = connection.execute("SELECT * FROM sources").fetchall()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN")
    for kind, name in connection.execute(
        "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'entries_fts_%' AND type IN ('trigger', 'view', 'table')"
        " ORDER BY type = 'table', name != 'entries_fts'"
    ).fetchall():
        connection.execute(f"DROP {kind} {name}")
    for statement in statements_of((SCHEMAS / f"version-{version}.sql").read_text("utf-8")):
        connection.execute(statement)
    places = ", ".join("?" * len(_KEPT.split(",")))
    connection.executemany(f"INSERT INTO memory_entries ({_KEPT}) VALUES ({places})", rows)
    connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?)", sources)
    connection.execute("UPDATE memory_entries SET section = 'Later'")
    connection.execute("COMMIT")


_KEPT = (
    "entry_hash, content, content_preview, section, source_file, first_seen, last_seen, snapshot_count, counted_at,"
    " status, promoted_at, document"
)


def of_version_two(ground: Ground) -> None:
    """A database of version 2, with the changes of its last, killed writer still in the WAL."""
    promoted(ground)
    path = ground.root / "state" / "metadata.db"
    child = os.fork()
    if child == 0:
        connection = sqlite3.connect(path, isolation_level=None)
        make_version(connection, 2)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert path.with_name("metadata.db-wal").stat().st_size


def undone_twice(ground: Ground) -> None:
    """Two operations on two documents, to be undone: 6 is a demotion from both, 7 a rejection."""
    promoted(ground)
    done(ground, "demote", identity(NOTES[0]), identity(NOTES[2]), now="2026-01-04T00:00:00Z")
    done(ground, "reject", identity(NOTES[1]), now="2026-01-04T01:00:00Z")


def everything_undone(ground: Ground) -> None:
    """One operation, which created the ledger and its attributes: undo removes them."""
    scanned(ground)
    done(ground, "promote", "--yes", now="2026-01-03T01:00:00Z")


def an_undo(ground: Ground) -> None:
    """An undo of a demotion, to be undone itself."""
    demoted(ground)
    done(ground, "undo", "6", now="2026-01-04T01:00:00Z")


def with_old_markers(ground: Ground) -> None:
    """A document of phase 1 with its database."""
    of_phase_one(ground)
    ground.write("intermem.toml", SETTINGS)
    ground.keep_state_in(STATE)
    ground.write(SECOND, "# For Claude\n\n- Another fact. <!-- intermem:bbbbbbbb -->\n")
    ground.write(FIRST, f"# Project\n\n- {PHASE_ONE_TEXT} <!-- intermem -->\n- By hand.\n")


def with_two_regions(ground: Ground) -> None:
    """A merge doubled the region, and the full-text index is damaged."""
    promoted(ground)
    text = (ground.root / FIRST).read_text("utf-8")
    ground.write(FIRST, text + text[text.index("\n## Project memory") :])
    connection = sqlite3.connect(ground.root / "state" / "metadata.db")
    connection.execute("DROP TRIGGER entries_changed")
    connection.commit()
    connection.close()


def with_a_damaged_database(ground: Ground) -> None:
    """metadata.db is no longer a database; documents and ledger are intact."""
    promoted(ground)
    (ground.root / "state" / "metadata.db").write_bytes(b"This is no database. " * 500)


_PURGE = ("purge", "--search", "e", "t", "--section", "Notes", "--from-documents", "--confirm")

SCENARIOS = (
    Scenario(name="promote", verb=("promote", "--yes"), now="2026-01-03T01:00:00Z", build=scanned),
    Scenario(name="sweep", verb=("sweep",), now="2026-06-03T00:00:00Z", build=swept_once),
    Scenario(
        name="restore",
        verb=("restore", identity(NOTES[0]), identity(NOTES[2])),
        now="2026-01-05T00:00:00Z",
        build=demoted,
    ),
    Scenario(name="reject", verb=("reject", identity(NOTES[1])), now="2026-01-05T00:00:00Z", build=promoted),
    Scenario(
        name="demote",
        verb=("demote", identity(NOTES[1]), identity(NOTES[3])),
        now="2026-01-05T00:00:00Z",
        build=promoted,
    ),
    Scenario(
        name="feedback",
        verb=("feedback", identity(NOTES[0]), "forget", "--note", "no use"),
        now="2026-01-05T00:00:00Z",
        build=promoted,
    ),
    Scenario(
        name="pin",
        verb=("pin", identity(NOTES[0]), identity(NOTES[2]), "--until", "2027-01-01"),
        now="2026-01-05T00:00:00Z",
        build=promoted,
    ),
    Scenario(
        name="supersede",
        verb=("supersede", identity(NOTES[3]), identity(NOTES[0]), "--reason", "newer"),
        now="2026-01-05T00:00:00Z",
        build=promoted,
    ),
    Scenario(name="migrate", verb=("migrate", "--yes"), now="2026-01-05T00:00:00Z", build=with_second_tier),
    Scenario(name="prune", verb=("prune", "--keep-newest", "1"), now="2026-06-03T00:00:00Z", build=swept_once),
    Scenario(
        name="prune delete",
        verb=("prune", "--keep-newest", "1", "--delete", "--confirm"),
        now="2026-06-03T00:00:00Z",
        build=swept_once,
        facts=(min(NOTES, key=identity),),
        deleted=tuple(sorted(NOTES, key=identity)[1:]),
    ),
    Scenario(
        name="purge",
        verb=_PURGE,
        now="2026-06-03T00:00:00Z",
        build=swept_once,
        facts=(),
        deleted=NOTES,
        destroyed=NOTES,
    ),
    Scenario(
        name="purge candidates",
        verb=("purge", "--search", "e", "t", "--section", "Notes", "--confirm"),
        now="2026-01-05T00:00:00Z",
        build=scanned,
        facts=(),
        deleted=NOTES,
        destroyed=NOTES,
    ),
    Scenario(
        name="purge demoted",
        verb=("purge", "--id", identity(NOTES[0]), identity(NOTES[2]), "--confirm"),
        now="2026-01-05T00:00:00Z",
        build=demoted,
        facts=(NOTES[1], NOTES[3]),
        deleted=(NOTES[0], NOTES[2]),
        destroyed=(NOTES[0], NOTES[2]),
    ),
    Scenario(
        name="purge with a copy",
        verb=_PURGE,
        now="2026-06-03T00:00:00Z",
        build=with_an_old_copy,
        facts=(),
        deleted=NOTES,
        destroyed=NOTES,
    ),
    Scenario(
        name="purge recovery",
        verb=("sweep",),
        now="2026-06-03T00:00:00Z",
        build=purge_left_pending,
        facts=(),
        deleted=NOTES,
        destroyed=NOTES,
    ),
    Scenario(name="init", verb=("init",), now="2026-01-01T00:00:00Z", build=unheard_of),
    Scenario(
        name="remove",
        verb=("init", "--remove", "--target", FIRST),
        now="2026-01-05T00:00:00Z",
        build=promoted,
    ),
    Scenario(name="first scan", verb=("scan",), now="2026-01-01T00:00:00Z", build=without_state),
    Scenario(
        name="migration",
        verb=("scan",),
        now="2026-01-05T00:00:00Z",
        build=of_phase_one,
        facts=(PHASE_ONE_TEXT, "Another fact"),
    ),
    Scenario(name="upgrade", verb=("scan",), now="2026-01-05T00:00:00Z", build=of_version_two),
    Scenario(name="undo", verb=("undo", "6"), now="2026-01-05T00:00:00Z", build=undone_twice),
    Scenario(name="undo all", verb=("undo", "4"), now="2026-01-05T00:00:00Z", build=everything_undone),
    Scenario(name="redo", verb=("undo", "7"), now="2026-01-05T00:00:00Z", build=an_undo),
    Scenario(
        name="adopt",
        verb=("init", "--adopt"),
        now="2026-01-05T00:00:00Z",
        build=with_old_markers,
        facts=(PHASE_ONE_TEXT, "Another fact."),
    ),
    Scenario(name="repair", verb=("doctor", "--repair"), now="2026-01-05T00:00:00Z", build=with_two_regions),
    Scenario(name="salvage", verb=("doctor", "--repair"), now="2026-01-05T00:00:00Z", build=with_a_damaged_database),
    Scenario(name="recovery", verb=("sweep",), now="2026-06-03T00:00:00Z", build=sweep_left_pending),
)
