from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from intermem.core.lifecycle.purge_traces import forms_of, needles_of
from intermem.entities import Record

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def record(letter: str, **changes: object) -> Record:
    made = Record(
        id=letter * 16,
        text=f"The fact {letter}.",
        preview=f"The fact {letter}.",
        section="Build",
        type="project",
        source_file="MEMORY.md",
        first_seen=NOW - 90 * DAY,
        last_seen=NOW - 30 * DAY,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_lines_are_looked_for_that_say_enough() -> None:
    text = "A line of some length.\nmake\n\n  " + "x" * 100 + "\nA line of some length. "
    assert needles_of(record("a", text=text)) == ["A line of some length.", "x" * 64]


def test_a_line_is_looked_for_as_it_is_written() -> None:
    assert needles_of(record("a", text="Two  blanks\tand a tab.")) == ["Two  blanks\tand a tab."]


def test_of_a_phase_one_row_the_preview_is_looked_for() -> None:
    assert needles_of(record("a", text=None, preview="Only so much is known")) == ["Only so much is known"]


def test_a_line_is_looked_for_as_json_writes_it_too() -> None:
    assert forms_of("plain words") == (b"plain words",)
    assert forms_of('say "é"') == ('say "é"'.encode(), 'say \\"é\\"'.encode(), b'say \\"\\u00e9\\"')


LONG = "Never commit to the release branch by hand, as the pipeline overwrites it every night, and nobody is told."


def test_a_line_that_begins_as_another_text_is_searched_for_by_what_is_its_own() -> None:
    other = LONG.replace("night", "morning")
    (needle,) = needles_of(record("a", text=LONG), [other])
    assert needle in LONG and needle not in other and len(needle) == 64
    assert needles_of(record("a", text=LONG), [f"> {LONG} That is all."]) == [LONG[:64]], "that text has it all"
    assert needles_of(record("a", text=LONG), ["Another text."]) == [LONG[:64]]
