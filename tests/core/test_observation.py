from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.identity import identity, phase_one_identity
from intermem.core.observation import Known, Observed, observe, preview_of
from intermem.entities import Entry, Record, Source

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
TEXT = "Prefer short functions."
KEY = identity(TEXT)


def entry(text: str = TEXT, session: str | None = None, file: str = "MEMORY.md") -> Entry:
    source = Source(file=file, first_line=1, last_line=1)
    return Entry(id=identity(text), text=text, section="Style", source=source, session=session)


def record(**changes: object) -> Record:
    made = Record(
        id=KEY,
        text=TEXT,
        preview=TEXT,
        section="Style",
        source_file="MEMORY.md",
        first_seen=NOW - 10 * HOUR,
        last_seen=NOW - HOUR,
        counted_at=NOW - HOUR,
        snapshot_count=2,
        in_memory=True,
        read_by=1,
    )
    return replace(made, **changes)


def seen(
    known: Record | None, *entries: Entry, sessions: Sequence[str] = (), aliases: dict[str, str] | None = None
) -> Observed:
    by_id: dict[str, list[Entry]] = {}
    for one in entries or (entry(),):
        by_id.setdefault(one.id, []).append(one)
    records = {known.id: known} if known is not None else {}
    (found,) = observe(by_id, Known(records, aliases or {}, {KEY: frozenset(sessions)}), NOW, HOUR)
    return found


def test_a_new_entry_counts_once() -> None:
    found = seen(None)
    assert (found.record.snapshot_count, found.record.first_seen, found.event) == (1, NOW, "first seen")
    assert found.record.in_memory


@pytest.mark.parametrize(
    ("counted_at", "count"),
    [(NOW - HOUR, 3), (NOW - HOUR + SECOND, 2), (NOW, 2), (NOW + HOUR, 3), (None, 3)],
)
def test_an_observation_counts_an_hour_after_the_last_counted_one(counted_at: datetime | None, count: int) -> None:
    found = seen(record(counted_at=counted_at)).record
    assert found.snapshot_count == count
    assert found.counted_at == (NOW if count == 3 else counted_at)
    assert found.last_seen == NOW


@pytest.mark.parametrize(("session", "count"), [("new", 3), ("old", 2), (None, 2)])
def test_a_new_session_behind_the_entry_counts_at_once(session: str | None, count: int) -> None:
    assert seen(record(counted_at=NOW), entry(session=session), sessions=["old"]).record.snapshot_count == count


def test_last_seen_never_moves_back() -> None:
    assert seen(record(last_seen=NOW + HOUR)).record.last_seen == NOW + HOUR


def test_an_entry_that_was_gone_is_seen_again() -> None:
    assert seen(record(in_memory=False)).event == "seen again"
    assert seen(record()).event == ""


def test_an_echo_is_seen_and_not_counted() -> None:
    echo = seen(record(in_memory=False, document="AGENTS.md"), entry(session="new")).record
    assert (echo.snapshot_count, echo.last_seen) == (2, NOW)
    assert seen(record(document="AGENTS.md")).record.snapshot_count == 3
    assert seen(record(in_memory=False)).record.snapshot_count == 3


def test_two_files_with_one_text_are_one_entry_with_two_sources() -> None:
    found = seen(None, entry(), entry(file="topic.md"))
    assert [source.file for source in found.sources] == ["MEMORY.md", "topic.md"]


def test_an_alias_is_an_observation_and_keeps_the_reviewed_text() -> None:
    reviewed = record(id="r" * 16, text="Reviewed.")
    found = seen(reviewed, aliases={KEY: "r" * 16})
    assert (found.record.id, found.record.text, found.record.snapshot_count) == ("r" * 16, "Reviewed.", 3)
    assert found.record.read_by == 1


def test_new_formatting_of_the_same_text_is_kept_and_read_again() -> None:
    found = seen(record(), entry("Prefer  short functions"))
    assert (found.record.text, found.record.read_by) == ("Prefer  short functions", 0)


@pytest.mark.parametrize("hashed", [TEXT, f"- {TEXT}", f"* {TEXT}\n"])
def test_a_row_of_phase_one_is_taken_over(hashed: str) -> None:
    old = record(id=phase_one_identity(hashed), text=None, preview="Prefer")
    found = seen(old)
    assert (found.takes_over, found.record.id, found.record.text) == (old.id, KEY, TEXT)
    assert found.record.first_seen == old.first_seen


def test_a_row_with_a_text_is_not_taken_over() -> None:
    other = record(id=phase_one_identity(TEXT))
    assert seen(other).takes_over is None


def test_a_preview_is_eighty_characters_on_one_line() -> None:
    assert preview_of("a\n b  " + "x" * 100) == "a b " + "x" * 76
