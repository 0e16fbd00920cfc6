"""The sum: what it is made of, and what a note reads like."""

from __future__ import annotations

import pytest

from intermem.core.worth.passage import Note
from intermem.core.worth.points import Point, heaviest
from intermem.core.worth.topics import topic_of
from intermem.core.worth.weights import BASE
from intermem.core.worth.worth import Worth, worth_of

RULE = (
    "Never start the server with `make run` in CI: always use `make serve`, which waits for the queue and fails if not."
)
LOG = "2026-02-24: fixed the flaky upload test and merged PR #412, all 33 tests pass now."


def test_the_worth_is_the_base_and_its_points() -> None:
    found = worth_of(Note(RULE, "Pitfalls"), 400)
    assert found.score == BASE + sum(one.points for one in found.points) > 500
    assert found.text == RULE
    assert [abs(one.points) for one in found.points] == sorted((abs(one.points) for one in found.points), reverse=True)
    assert len({one.reason for one in found.points}) == len(found.points)


def test_a_reason_elsewhere_in_the_note_counts_too_and_says_so() -> None:
    note = Note(f"The upload.\n\n{RULE}\n\n" + "More of it follows. " * 30)
    found = worth_of(note, 400)
    assert found.text == "The upload."
    assert "forbids something elsewhere" in {one.says for one in found.points}


def test_the_worth_stays_between_0_and_1000() -> None:
    assert worth_of(Note(LOG, "Status ✅ 2026-02-24", "user", "project_progress.md"), 400).score >= 0
    assert worth_of(Note(RULE, "Pitfalls", "feedback", "feedback_rules.md"), 400).score <= 1000
    assert worth_of(Note("", ""), 400) == Worth(0, (), None)


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        (Note(RULE, "Pitfalls"), "rule"),
        (Note(LOG, "Status", "project", "progress.md"), "episode"),
        (Note("Phase 3 is in progress: 12 of 33 tests pass.", "Status"), "status"),
        (Note("`Runner` — holds `a`, `b`, `c`, `d`; returns `x` in src/run.py"), "reference"),
        (Note("x"), "fragment"),
        (Note(""), "fact"),
    ],
)
def test_a_note_reads_like_one_kind(note: Note, kind: str) -> None:
    assert worth_of(note, 400).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "Always run `make lint` before a commit, because CI refuses otherwise.",
        "Never edit `src/app.py` by hand, because `make gen` overwrites it.",
        "Use `uv run pytest`, not bare `pytest`: it fails without the environment.",
        "`schema.sql` must never be edited: migrations fail otherwise.",
    ],
)
def test_a_plain_rule_with_its_reason_passes_the_gate(text: str) -> None:
    assert worth_of(Note(text), 400).score >= 500


def test_what_is_not_cut_again_is_written_whole() -> None:
    note = Note(f"{RULE} " * 6)
    found = worth_of(note, 400)
    assert found.text != note.text
    assert (found.uncut(note).text, found.uncut(note).score) == (note.text, found.score)


def test_the_heaviest_reasons_are_two_for_and_two_against() -> None:
    points = [Point(name, name, worth) for name, worth in (("a", 50), ("b", -40), ("c", 30), ("d", 20), ("e", -10))]
    assert [one.reason for one in heaviest(points)] == ["a", "c", "b", "e"]
    assert [one.reason for one in heaviest(points, 1)] == ["a", "b"]
    counted = [Point("two-against", "has signs of a log", -60), *points]
    assert heaviest(counted) == heaviest(points)


@pytest.mark.parametrize(
    ("trail", "topic"),
    [
        ((), ""),
        (("Build",), "Build"),
        (("Build", "Caches"), "Caches"),
        (("Build", "Done on 2026-02-24"), "Build"),
        (("Build", "Wave 3 ✅"), "Build"),
        (("Project memory", "feedback"), ""),
        (("记忆",), ""),
        (("Build", "x" * 61), "Build"),
        (("Build", "**Why**"), "Build"),
    ],
)
def test_a_topic_is_a_heading_that_says_what_it_is_about(trail: tuple[str, ...], topic: str) -> None:
    assert topic_of(trail) == topic
