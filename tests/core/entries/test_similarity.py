"""Which notes resemble which: the most similar first, each once."""

from __future__ import annotations

from intermem.core.entries.similarity import most_alike, pairs_alike

RULE = "Run the queue worker before the tests."


def test_the_most_alike_come_first_and_the_same_words_count_once() -> None:
    others = [
        ("d", "The parser counts tabs as one column."),
        ("c", "Run the queue worker before any of the tests."),
        ("b", RULE),
        ("a", f"{RULE}  "),
    ]
    found = most_alike(RULE, others, 0.75, 5)
    assert found[0] == (1000, "b", RULE)
    assert [key for _, key, _ in found] == ["b", "c"]
    assert [key for _, key, _ in most_alike(RULE, others, 0.75, 1)] == ["b"]


def test_each_key_is_paired_once_with_the_most_similar() -> None:
    left = {"one": RULE, "two": "Run the queue worker before all the tests."}
    right = {"new": "Run the queue worker before the tests"}
    assert pairs_alike(left, right, 0.75) == [("one", "new")]
    assert pairs_alike(left, {}, 0.75) == []
