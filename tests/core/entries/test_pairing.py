"""Pair texts: each with the one that resembles it most, whatever their lengths and however many there are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.entries.identity import normalised
from intermem.core.entries.pairing import pairs_alike
from intermem.core.entries.similarity import COMPARED, likeness

RULE = "Run the queue worker before the tests."


def one_by_one(left: Mapping[str, str], right: Mapping[str, str], floor: float) -> list[tuple[str, str]]:
    """The pairs, by comparing each text with each."""
    every = [
        (-likeness(normalised(text), normalised(candidate), floor), key, other)
        for key, text in left.items()
        for other, candidate in right.items()
    ]
    found: dict[str, str] = {}
    for score, key, other in sorted(every):
        if -score >= floor and key not in found and other not in found.values():
            found[key] = other
    return sorted(found.items())


def test_each_key_is_paired_once_with_the_most_similar() -> None:
    left = {"one": RULE, "two": "Run the queue worker before all the tests."}
    right = {"new": "Run the queue worker before the tests"}
    assert pairs_alike(left, right, 0.75) == [("one", "new")]
    assert pairs_alike(left, {}, 0.75) == []


LENGTHS = st.sampled_from([1, 2, 3, 40, COMPARED, 2 * COMPARED - 1, 2 * COMPARED, 2 * COMPARED + 1, 3 * COMPARED])
WORDS = st.text("ab c", min_size=1, max_size=9)
TEXTS = st.dictionaries(
    st.sampled_from("abcdef"),
    st.builds(lambda text, length: (text * length)[:length], WORDS, LENGTHS),
    max_size=3,
)


@given(TEXTS, TEXTS, st.sampled_from([0.0, 0.3, 0.75, 0.85, 1.0]))
def test_it_finds_what_comparing_each_with_each_does(left: dict[str, str], right: dict[str, str], floor: float) -> None:
    assert pairs_alike(left, right, floor) == one_by_one(left, right, floor)


@pytest.mark.parametrize("length", [20, COMPARED])
def test_a_text_pairs_with_one_that_is_as_long_as_it_may_be(length: int) -> None:
    text = "x" * length
    assert pairs_alike({"one": text}, {"new": text + "y" * (length // 4)}, 0.85) == [("one", "new")]
    assert pairs_alike({"one": text}, {"new": text + "y" * length}, 0.85) == []
