from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.purge_filters import Filters, forms_of, meant, needles_of
from intermem.core.lifecycle.retention import Cutoff
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


A, B = record("a"), record("b", section="Tests", type="user", source_file="b.md", last_seen=NOW)
SESSIONS = {A.id: frozenset({"s-1", "s-2"}), B.id: frozenset({"s-2"})}


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(), "ab"),
        (Filters(ids=frozenset({A.id})), "a"),
        (Filters(found=frozenset({B.id})), "b"),
        (Filters(ids=frozenset({A.id}), found=frozenset({B.id})), ""),
        (Filters(type="user"), "b"),
        (Filters(section="Build"), "a"),
        (Filters(source="b.md"), "b"),
        (Filters(session="s-2"), "ab"),
        (Filters(session="s-2", type="project"), "a"),
        (Filters(session="s-3"), ""),
        (Filters(before=Cutoff(before=NOW)), "a"),
        (Filters(older_than=Cutoff(age=30 * DAY)), "a"),
        (Filters(older_than=Cutoff(age=31 * DAY)), ""),
        (Filters(older_than=Cutoff(age=timedelta(0))), "ab"),
        (Filters(older_than=Cutoff(age=timedelta(0)), section="Tests"), "b"),
    ],
)
def test_only_what_every_filter_names_is_meant(filters: Filters, ids: str) -> None:
    for records in ([A, B], [B, A]):
        assert "".join(one.id[0] for one in meant(records, filters, SESSIONS, NOW)) == ids


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
