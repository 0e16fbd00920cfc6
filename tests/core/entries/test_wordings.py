"""The records of one note: what it was reworded to, and what says the same beside it."""

from __future__ import annotations

from intermem.core.entries.wordings import also_said_by, by_heir, newest_wording, now_said_by, same_before
from tests.core.lifecycle.test_retention import A, B, C, entry

SAID = "Run the queue worker before the tests, or they hang for ever."
AGAIN = "Run the queue worker before the tests or else they hang for ever."
OTHER = "Never run the queue worker before the tests, or they hang for ever."


def test_a_note_is_followed_to_its_newest_wording_and_not_in_circles() -> None:
    chain = {A: entry(A, superseded_by=B), B: entry(B, superseded_by=C), C: entry(C)}
    assert newest_wording(chain[A], chain) is chain[C]
    circle = {A: entry(A, superseded_by=B), B: entry(B, superseded_by=A)}
    assert newest_wording(circle[A], circle) is circle[B]
    assert by_heir(chain) == {B: [chain[A]], C: [chain[B]]}


def test_what_says_it_now_stands_in_a_document_or_is_the_newest_that_says_the_same() -> None:
    chain = {
        A: entry(A, text=SAID, superseded_by=B),
        B: entry(B, text=AGAIN, superseded_by=C),
        C: entry(C, text=OTHER),
    }
    assert now_said_by(chain[A], chain) is chain[B], "the next says something else"
    assert same_before(chain[B], by_heir(chain)) == [chain[A]]
    assert same_before(chain[C], by_heir(chain)) == []
    standing = {**chain, A: entry(A, text=SAID, superseded_by=B, document="AGENTS.md")}
    assert now_said_by(standing[A], standing) is standing[A]


def test_the_notes_that_say_the_same_are_those_in_the_memory() -> None:
    line = entry(A, text=SAID, document="AGENTS.md")
    others = [entry(C, text=AGAIN, in_memory=True), entry(B, text=OTHER, in_memory=True)]
    assert also_said_by(line, [line, *others], 0.85) == [(others[0], False)]
    assert also_said_by(line, [entry(C, text=AGAIN, in_memory=False)], 0.85) == []
