from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.retention import Cutoff
from intermem.core.lifecycle.selection import Selectors, selected
from intermem.entities import Origins, Record
from intermem.errors import UsageError

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
    ("wanted", "ids"),
    [
        (Selectors(), "ab"),
        (Selectors(type="user"), "b"),
        (Selectors(section="Build"), "a"),
        (Selectors(source="b.md"), "b"),
        (Selectors(type="USER"), "b"),
        (Selectors(section="bUILD"), "a"),
        (Selectors(section="Buil"), ""),
        (Selectors(source="./memory.md"), "a"),
        (Selectors(source="x/../b.md"), "b"),
        (Selectors(source=""), ""),
        (Selectors(session="s-1"), "a"),
        (Selectors(session=""), ""),
        (Selectors(session="s-2"), "ab"),
        (Selectors(session="s-2", type="project"), "a"),
        (Selectors(session="s-3"), ""),
        (Selectors(older_than=Cutoff(before=NOW)), "a"),
        (Selectors(words=("FACT", "b.")), "b"),
        (Selectors(words=("tests",)), "b"),
        (Selectors(words=("other",)), ""),
        (Selectors(status="stale"), ""),
        (Selectors(status="active", words=("fact",)), "ab"),
        (Selectors(older_than=Cutoff(age=30 * DAY)), "a"),
        (Selectors(older_than=Cutoff(age=31 * DAY)), ""),
        (Selectors(older_than=Cutoff(age=timedelta(0))), "ab"),
        (Selectors(older_than=Cutoff(age=timedelta(0)), section="Tests"), "b"),
    ],
)
def test_only_what_every_selector_names_is_selected(wanted: Selectors, ids: str) -> None:
    for records in ([A, B], [B, A]):
        assert "".join(sorted(one.id[0] for one in selected(records, wanted, Origins(SESSIONS), NOW))) == ids


def test_a_note_is_found_by_what_is_not_written_of_it() -> None:
    whole = record("c", note_text="The fact c, and its reason.")
    assert selected([A, whole], Selectors(words=("reason",)), Origins(), NOW) == [whole]


def test_the_names_of_selectors_are_those_of_the_options() -> None:
    assert Selectors(words=("sk-1",), older_than=Cutoff(age=DAY), type="x").named == [
        "--older-than",
        "--search",
        "--type",
    ]
    assert not Selectors() and Selectors(status="stale")


def test_a_session_is_named_by_a_prefix_that_only_it_has() -> None:
    sessions = {A.id: frozenset({"7f3a-1", "7f"}), B.id: frozenset({"7f3a-2", "7f3b-2"})}

    def of(session: str) -> list[str]:
        return [one.id for one in selected([A, B], Selectors(session=session), Origins(sessions), NOW)]

    assert (of("7f3a-1"), of("7f3b"), of("7f"), of("8")) == ([A.id], [B.id], [A.id], [])
    with pytest.raises(UsageError, match="--session 7f3a: 2 sessions start with it"):
        of("7f3a")
    with pytest.raises(UsageError, match="--session 7f3 is too short"):
        of("7f3")


def test_selectors_are_told_by_their_options_and_without_words_that_may_be_secret() -> None:
    wanted = Selectors(type="user", words=("sesame", "open"), older_than=Cutoff(age=9 * DAY))
    assert wanted.named == ["--older-than", "--search", "--type"]
    assert wanted.criteria == ["--older-than 9 days", "--search (2 words)", "--type user"]
    assert Selectors(words=("sesame",)).criteria == ["--search (1 word)"]
