"""In which order the notes of a snapshot are recognised, and which entries they hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from intermem.core.entries.identity import identity
from intermem.core.entries.observation import Known
from intermem.core.entries.snapshot import Snapshot, snapshot_of
from intermem.entities import Entry, Record, Source

NOW = datetime(2026, 3, 1, tzinfo=UTC)
TEXT, REVISED = "Prefer short functions.", "Prefer shorter functions."
KEY = identity(TEXT)


def taken(text: str, *, section: str = "Style", kept: tuple[str, ...] = ()) -> Snapshot:
    """A snapshot of a memory that holds ``text``, and held TEXT in MEMORY.md before."""
    source = Source(file="MEMORY.md", first_line=1, last_line=1)
    entry = Entry(id=identity(text), text=text, section=section, source=source)
    times = {"first_seen": NOW - timedelta(days=9), "last_seen": NOW - timedelta(days=8)}
    record = Record(id=KEY, text=TEXT, preview=TEXT, section="Style", source_file="MEMORY.md", in_memory=True, **times)
    known = Known({KEY: record}, {}, {})
    return snapshot_of(
        {entry.id: [entry]},
        known,
        kept,
        now=NOW,
        min_interval=timedelta(hours=1),
        floor=0.75,
        rank=lambda _: 0,
        written=lambda one: one.text,
    )


def test_a_snapshot_holds_an_entry_in_its_own_words_and_in_others() -> None:
    assert taken(TEXT).held == {KEY}
    said_again = taken("please prefer short functions", section="Elsewhere")
    assert said_again.held == {KEY} and KEY in said_again.reworded.values() and not said_again.superseded
    revised = taken(REVISED)
    assert revised.held == {KEY, identity(REVISED)} and revised.superseded == {KEY: identity(REVISED)}


def test_it_does_not_hold_what_another_note_resembles() -> None:
    assert taken(REVISED, section="Elsewhere").held == {identity(REVISED)}
    assert taken(REVISED, kept=(KEY,)).held == {identity(REVISED)}, "what could not be read has not vanished"
    assert Snapshot().held == frozenset()
