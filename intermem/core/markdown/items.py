"""Convert between list items and the text of an entry."""

from __future__ import annotations

from intermem.core.markdown.lines import is_blank, split_lines, unified
from intermem.patterns import regex

_ITEM = regex(r"^([ \t]*(?:[-*+]|\d{1,9}[.)]))([ \t]+|$)")
_LIST = regex(r"(?:[-*+]|(1[.)]))[ \t]+[^\s]")


def item_text(lines: list[str]) -> str:
    """Return the text of a list item from its source ``lines``: without its marker, dedented."""
    match = _ITEM.match(lines[0])
    if match is None:
        return joined_lines(lines)
    gap = match[2] if _width(match[2]) <= 4 else " "
    offset = _width(match[1] + gap)
    first = lines[0][len(match[1]) + len(gap) :] if match[2] else ""
    return joined_lines([first, *(_dedented(line, offset) for line in lines[1:])])


def joined_lines(lines: list[str]) -> str:
    return unified("\n".join("" if is_blank(line) else line for line in lines)).strip("\n")


def _dedented(line: str, width: int) -> str:
    """Return ``line`` without up to ``width`` columns of leading white space; tab stops are 4 columns apart."""
    column = at = 0
    while at < len(line) and column < width and line[at] in " \t":
        step = 4 - column % 4 if line[at] == "\t" else 1
        column, at = column + step, at + 1
    return " " * max(0, column - width) + line[at:]


def _width(text: str) -> int:
    column = 0
    for char in text:
        column += 4 - column % 4 if char == "\t" else 1
    return column


def without_marker(text: str) -> str:
    """Return ``text`` without the bullet or the 1. that it begins with: as an item, it would be one in an empty one.

    The numbers that follow stay: they say the order. 2. cannot end a paragraph, so a blank line goes before it.
    """
    lines = split_lines(text)
    begins = _LIST.match(lines[0]) if lines else None
    if begins is None:
        return text
    stop = next((at for at, line in enumerate(lines) if at and line[:1].strip()), len(lines))
    while is_blank(lines[stop - 1]):
        stop -= 1
    rest = lines[stop:]
    gap = [""] if begins[1] and rest and not is_blank(rest[0]) else []
    return "\n".join([item_text(lines[:stop]), *gap, *rest])


def rendered_item(text: str, marker: str = "-", end: str = "\n") -> str:
    """Return ``text`` as one list item: lines after the first are indented."""
    lines = split_lines(without_marker(text))
    indent = " " * (len(marker) + 1)
    rest = ["" if is_blank(line) else indent + line for line in lines[1:]]
    return end.join([f"{marker} {lines[0]}", *rest]) + end
