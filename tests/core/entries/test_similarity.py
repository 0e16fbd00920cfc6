"""Which notes resemble which: the most similar first, each once."""

from __future__ import annotations

from intermem.core.entries.similarity import duplicate_of, most_alike, pairs_alike

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


def test_what_is_code_in_both_is_the_same_only_to_the_letter() -> None:
    for one, other in (("`&amp;`", "`&`"), (r"`a\_b`", "`a_b`"), ("`make test` `all`", "`make` `test all`")):
        assert (
            duplicate_of(
                f"Write {one} in what is sent to the kiln, and nothing else.",
                [f"Write {other} in what is sent to the kiln, and nothing else."],
            )
            is None
        )
    plain = "Write make test all in what is sent to the kiln, and nothing else."
    assert duplicate_of(plain.replace("make test", "`make test`"), [plain]) == plain


def test_each_key_is_paired_once_with_the_most_similar() -> None:
    left = {"one": RULE, "two": "Run the queue worker before all the tests."}
    right = {"new": "Run the queue worker before the tests"}
    assert pairs_alike(left, right, 0.75) == [("one", "new")]
    assert pairs_alike(left, {}, 0.75) == []
