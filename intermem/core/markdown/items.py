"""Convert between list items and the text of an entry."""

from __future__ import annotations

import re

from intermem.core.markdown.lines import is_blank, split_lines, unified

_ITEM = re.compile(r"^([ \t]*(?:[-*+]|\d{1,9}[.)]))([ \t]+|$)")
_BULLET = re.compile(r"[-*+][ \t]+[^\s]")


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


def without_bullet(text: str) -> str:
    """Return ``text`` without the bullet that it begins with: as an item, it would be one in an empty one.

    The numbers of a numbered list stay: they say the order.
    """
    lines = split_lines(text)
    if not lines or _BULLET.match(lines[0]) is None:
        return text
    stop = next((at for at, line in enumerate(lines) if at and line[:1].strip()), len(lines))
    while is_blank(lines[stop - 1]):
        stop -= 1
    return "\n".join([item_text(lines[:stop]), *lines[stop:]])


def rendered_item(text: str, marker: str = "-", end: str = "\n") -> str:
    """Return ``text`` as one list item: lines after the first are indented."""
    lines = split_lines(without_bullet(text))
    indent = " " * (len(marker) + 1)
    rest = ["" if is_blank(line) else indent + line for line in lines[1:]]
    return end.join([f"{marker} {lines[0]}", *rest]) + end
