"""Which words a text contains: one pass for all of them says what splitting the text says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intermem.core.code import name_search
from intermem.core.code.name_search import best_shape
from intermem.core.code.words import WordSearch, words_among
from intermem.facts import Shape

PIECES = [b"a", b"b", b"_", b"A", b"1", b"\xc3", b"\xa9", b" ", b".", b"\n", b"\0", b"ab"]
words = st.lists(st.sampled_from([b"a", b"b", b"_", b"\xc3\xa9", b"1"]), min_size=1, max_size=4).map(b"".join)


@given(st.sets(words, max_size=6), st.lists(st.sampled_from(PIECES), max_size=300).map(b"".join))
def test_it_finds_what_splitting_the_text_finds(wanted: set[bytes], content: bytes) -> None:
    assert WordSearch(wanted).among(content) == words_among(frozenset(wanted), content)


def test_of_a_text_full_of_parts_of_words_the_whole_ones_are_found() -> None:
    assert WordSearch([b"a", b"aa"]).among(b"aaa" * 100_000 + b" aa") == {b"aa"}


def test_the_shape_of_a_name_is_that_of_its_lines_wherever_they_stand() -> None:
    code = b"x = 1\n" * 50 + b"call(save_all)\n" + b"# save_all\ndef save_all():\n"
    assert best_shape("save_all", "a.py", code) is Shape.DEFINITION
    assert best_shape("save_all", "a.py", code.replace(b"def save_all", b"def save_more")) is Shape.USE
    assert best_shape("save_all", "a.py", b'"""\n' + code + b'"""\n') is Shape.USE
    assert best_shape("save", "a.py", code) is None
    long = code.replace(b"call(", b"call(" + b"y" * name_search._MAX_KEPT)
    assert best_shape("save_all", "a.py", long) is Shape.DEFINITION
