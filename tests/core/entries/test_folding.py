"""What a text says without its disguise, and where each character of it stands in the original."""

from __future__ import annotations

import pytest

from intermem.core.entries.folding import folded


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("plain text_with_names, 2 < 3 & 4", "plain text_with_names, 2 < 3 & 4"),
        ("Ｒｕｎ 𝐦𝐚𝐤𝐞\u200b ‑‑all", "Run make --all"),
        ("a **b**c _d_ ~~e~~ snake_case", "a bc d e snake_case"),
        ("see [the\nguide](x.md) and ![one][two]", "see the\nguide and one"),
        ("x<!-- y -->z <b class='c'>w</b> <name>", "xz w <name>"),
        ("&#97;&lt;&unknown; \\# \\|", "a<&unknown; # |"),
        ("`a` | `b`", "`a|b`"),
        ("| `a` | `b` |", "| `a` | `b` |"),
        ("", ""),
    ],
)
def test_it_is_read_as_a_person_sees_it(text: str, read: str) -> None:
    assert folded(text).text == read
    assert len(folded(text).at) == len(read) + 1


def test_a_place_is_that_of_the_original() -> None:
    text = "one\n[two](x.md) &#97;nd ﬁve"
    read = folded(text)
    start = read.text.index("two")
    assert text[slice(*read.span(start, start + 3))] == "two"
    start = read.text.index("five")
    assert text[slice(*read.span(start, start + 4))] == "ﬁve"
    assert read.span(len(read.text), len(read.text)) == (len(text), len(text))
