"""Find ignore comments: ``<!-- intermem:ignore IM001 reason="…" until=2027-01-31 -->``.

Such a comment is an HTML block for markdown-it-py, and is alone on its lines; or it ends a row of a table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from intermem.core.markdown.blocks import BOM, Block, is_comment, tokens_of
from intermem.core.markdown.inline import code_spans
from intermem.core.markdown.lines import is_blank, line_starts, split_lines
from intermem.core.markdown.markers import MARKER
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

SIGN = "intermem:ignore"

_OPENER = regex(rf"(?<!\\)<!--\s*{SIGN}(?=\s|,|-->|$)")
# With blanks, in other letters, with another sign between, or with its letters in another order.
_LIKE_ONE = regex(r"(?<!\\)<!--\s*intermem\s?[:_.-]?\s?i(?=[gnore]{4,6}\b|gnor)[gnore]+[\w-]*", re.IGNORECASE)
_NOT_ALONE = (
    "the comment hides nothing here: it must be alone on its lines, without text or other HTML, or end a row of a table"
)
_NOT_CLOSED = "the comment is not closed: everything after it is part of it"


@dataclass(frozen=True, slots=True)
class Written:
    """An ignore comment as written.

    ``content`` begins on the line ``first`` (from 0); each of its lines is the end of a line of the document.
    The comment is at ``start`` to ``stop`` of it, its words at ``body`` to ``close``; ``trouble`` is why it
    hides nothing in this place, and ``row`` is true if it ends a row of a table, to which it applies.
    """

    first: int
    level: int
    content: str
    start: int
    body: int
    close: int
    stop: int
    trouble: str = ""
    row: bool = False


def written_ignores(text: str) -> Iterator[Written]:
    """Yield the ignore comments of ``text`` in order, also those in places where they hide nothing.

    Of several in one block of text or of other HTML it yields the first. Raises UnreadableFile as ``tokens_of`` does.
    """
    if SIGN not in text:
        return
    lines = split_lines(text.removeprefix(BOM))
    rows: set[int] = set()
    for token in tokens_of(text):
        if token.map is None or SIGN not in "".join(lines[slice(*token.map)]):
            continue
        first = token.map[0]
        if token.type == "tr_open":  # what stands behind its last cell is in no other token
            rows.add(first)
            yield from _in_words(lines[first], first, in_row=True)
        elif SIGN not in token.content or first in rows:
            continue
        elif token.type == "html_block":
            yield from _in_html(token.content, first, token.level)
        elif token.type == "inline":
            yield from _in_words("\n".join(lines[first : token.map[1]]), first, in_row=False)


def misspelt_ignores(text: str) -> Iterator[int]:
    """Yield the lines (from 0) of comments that are meant to be ignore comments, and hide nothing as they are written.

    Raises UnreadableFile as ``tokens_of`` does.
    """
    if all(_OPENER.match(text, match.start()) for match in _LIKE_ONE.finditer(text)):
        return
    lines = split_lines(text.removeprefix(BOM))
    found: set[int] = set()
    for token in tokens_of(text):
        if token.map is None or token.type not in ("html_block", "inline", "tr_open"):
            continue
        source = "\n".join(lines[slice(*token.map)])
        code = [] if token.type == "html_block" else [(span.start, span.stop) for span in code_spans(source)]
        for match in _LIKE_ONE.finditer(source):
            is_code = any(start <= match.start() < stop for start, stop in code)
            if not is_code and _OPENER.match(source, match.start()) is None:
                found.add(token.map[0] + source.count("\n", 0, match.start()))
    yield from sorted(found)


def ignores_in_code(text: str) -> Iterator[tuple[int, range]]:
    """Yield the lines (from 0) of ignore comments in blocks of code, which they are a part of, and the lines of that.

    Raises UnreadableFile as ``tokens_of`` does.
    """
    if SIGN not in text:
        return
    lines = split_lines(text.removeprefix(BOM))
    for token in tokens_of(text):
        if token.map is not None and token.type in ("fence", "code_block") and SIGN in token.content:
            block = range(*token.map)
            yield from ((number, block) for number in block if _OPENER.search(lines[number]) is not None)


def is_ignore(block: Block) -> bool:
    """Return whether a top-level block is an ignore comment, which belongs to the block below it."""
    return block.type == "html" and any(not one.trouble for one in _in_html(block.content, 0, 0))


def without_ignores(text: str) -> str:
    """Return ``text`` with its ignore comments replaced by spaces, so that no line or column moves.

    The text can then be judged as if they were absent: they do not separate a list from its lead-in, and a reason says
    nothing about what it is the reason for.
    """
    written = [comment for comment in written_ignores(text) if not comment.trouble]
    if not written:
        return text
    bom = BOM if text.startswith(BOM) else ""
    text = text.removeprefix(BOM)
    starts, lines = line_starts(text), split_lines(text)
    ends = [text[starts[number] + len(line) : starts[number + 1]] for number, line in enumerate(lines)]
    for comment in written:
        if comment.row:
            row, width = lines[comment.first], comment.stop - comment.start
            lines[comment.first] = row[: comment.start] + " " * width + row[comment.stop :]
            continue
        for number, content in enumerate(split_lines(comment.content), start=comment.first):
            length = len(content.lstrip(" \t"))
            lines[number] = lines[number][: len(lines[number]) - length] + " " * length
    return bom + "".join(line + end for line, end in zip(lines, ends, strict=True))


def next_block(blocks: Sequence[Block]) -> list[Block | None]:
    """Return for each block the next one that is not a comment (our markers count as blocks), or None."""
    found: list[Block | None] = []
    following: Block | None = None
    for block in reversed(blocks):
        found.append(following)
        if not is_comment(block) or MARKER.match(block.content.rstrip("\r\n")):
            following = block
    return found[::-1]


def _in_html(content: str, first: int, level: int) -> Iterator[Written]:
    match = _OPENER.search(content)
    if match is None:
        return
    close = content.find("-->", match.end())
    trouble = ""
    if not is_blank(content[: match.start()]) or (close >= 0 and not is_blank(content[close + 3 :])):
        trouble = _NOT_ALONE
    elif close < 0:
        trouble = _NOT_CLOSED
    close = close if close >= 0 else match.end()
    stop = close if trouble == _NOT_CLOSED else close + 3
    yield Written(first, level, content, match.start(), match.end(), close, stop, trouble)


def _in_words(source: str, first: int, *, in_row: bool) -> Iterator[Written]:
    spans = code_spans(source)
    starts = [span.start for span in spans]
    for match in _OPENER.finditer(source):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or spans[before].stop <= match.start():
            close = source.find("-->", match.end())
            if in_row and close >= 0 and is_blank(source[close + 3 :].rstrip().removesuffix("|")):
                yield Written(first, 0, source, match.start(), match.end(), close, close + 3, row=True)
            else:
                yield Written(first, 0, source, match.start(), match.end(), match.end(), match.end(), _NOT_ALONE)
            break
