from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.markdown import blocks
from intermem.core.markdown.blocks import tokens_of
from intermem.core.markdown.lines import ends_in_line_end, line_end_of, line_starts, split_lines, unified
from intermem.errors import UnreadableFile

TEXTS = st.text(alphabet="ab \n\r\x0b\x0c\x1c\x85\u2028", max_size=40)


@given(TEXTS)
def test_offsets_and_lines_agree(text: str) -> None:
    starts = line_starts(text)
    lines = split_lines(text)
    assert len(starts) == len(lines) + 1 or text == ""
    for start, stop, line in zip(starts, starts[1:], lines, strict=False):
        assert text[start:stop].rstrip("\r\n") == line.rstrip("\r\n")
    assert unified(text).count("\n") == len(starts) - 1 - (0 if ends_in_line_end(text) else 1) or text == ""


@given(TEXTS)
def test_a_paragraph_behind_any_text_is_where_markdown_it_says(text: str) -> None:
    whole = text + "\n\n# head\n"
    heading = [token for token in tokens_of(whole) if token.type == "heading_open"][-1]
    assert heading.map is not None
    assert split_lines(whole)[heading.map[0]] == "# head"


@pytest.mark.parametrize(
    ("text", "end"), [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\r\n\n", "\r\n"), ("a\rb\r", "\r")]
)
def test_the_line_end_that_is_used_most(text: str, end: str) -> None:
    assert line_end_of(text) == end


def test_a_text_that_the_parser_fails_on_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:

    assert blocks.is_parsed("# Kiln\n\n- heat\n")

    def refuse(text: str) -> list[object]:
        raise UnreadableFile("no", hint="none")

    monkeypatch.setattr(blocks, "tokens_of", refuse)
    assert not blocks.is_parsed("# Kiln\n")
