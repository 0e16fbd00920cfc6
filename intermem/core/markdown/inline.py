"""Code spans and links inside a block, found in linear time.

markdown-it-py's inline rules give no offsets, which citations need. Only what citations and identities
depend on is parsed here.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_TICKS = regex(r"`+")
# A fence may follow the marker of an item. A backtick fence has no backticks in its info string.
_FENCE = regex(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}+(?![^\n]*`)|~{3,}+)([^\n]*)$", re.MULTILINE)
_LINK = regex(r"!?\[[^\[\]\n]{0,500}\]\(\s{0,9}(<[^<>\n]{1,500}>|(?:[^()\s<>]|\([^()\s<>]{0,100}\)){1,500})")
# Link definitions, but not footnotes; and links in HTML.
_DEFINED = regex(
    r"^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)]))*[ \t]*\[[^\[\]^\n][^\[\]\n]{0,300}\]:"
    r"[ \t]{0,9}(<[^<>\n]{1,500}>|[^\s<>]{1,500})",
    re.MULTILINE,
)
_ATTRIBUTE = regex(r"(?<=[\s\"'])(?:href|src)\s{0,9}=\s{0,9}(?:\"([^\"<>\n]{1,500})\"|'([^'<>\n]{1,500})')")
_WIKI = regex(r"\[\[([^\[\]|\n]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]")


@dataclass(frozen=True, slots=True)
class Span:
    """``text`` and its offsets, which include the delimiters."""

    start: int
    stop: int
    text: str


def code_spans(text: str) -> list[Span]:
    """Return the code spans of ``text``: from a run of backticks to the next run of the same length.

    A backslash removes a backtick from an opening run, but not from a closing one.
    """
    if "`" not in text:
        return []
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for start, stop in runs:
        by_length.setdefault(stop - start, []).append(start)
    spans: list[Span] = []
    at = 0
    for start, stop in runs:
        if start < at:
            continue
        before = start
        while before > at and text[before - 1] == "\\":
            before -= 1
        start += (start - before) % 2
        same = by_length.get(stop - start, [])
        following = bisect_right(same, start)
        if following < len(same):
            closing = same[following]
            spans.append(Span(start, closing + stop - start, text[stop:closing]))
            at = closing + stop - start
    return spans


def fence_spans(text: str) -> list[Span]:
    """Return the fenced blocks of ``text``, an unclosed one up to the end; ``text`` of a span is its content."""
    if "```" not in text and "~~~" not in text:
        return []
    spans: list[Span] = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match[1][0] == opening[1][0] and len(match[1]) >= len(opening[1]) and not match[2].strip():
            spans.append(_fence(text, opening, match.end(1)))
            opening = None
    if opening is not None:
        spans.append(_fence(text, opening, len(text)))
    return spans


def _fence(text: str, opening: re.Match[str], stop: int) -> Span:
    first_end = text.find("\n", opening.end())
    inside = text[first_end + 1 : stop] if 0 <= first_end < stop else ""
    return Span(opening.start(), stop, inside)


def links(text: str) -> list[Span]:
    """Return the targets of links, images, link definitions and HTML, without angle brackets and titles."""
    found: list[Span] = []
    for sign, pattern in (("](", _LINK), ("]:", _DEFINED), ("=", _ATTRIBUTE)):
        for match in pattern.finditer(text) if sign in text else ():
            group = match.lastindex or 1
            found.append(Span(match.start(group), match.end(group), match[group].strip("<>")))
    return found


def wiki_links(text: str) -> list[Span]:
    """Return the names in ``[[name]]`` links."""
    return (
        [Span(match.start(), match.end(), match[1].strip()) for match in _WIKI.finditer(text)] if "[[" in text else []
    )


def link_key(name: str) -> str:
    """Return a file's name as links spell it: ``folded``, without folder and extension."""
    return folded(posixpath.basename(name.strip()).removesuffix(".md"))


def folded(name: str) -> str:
    """Return ``name`` in lower case, with ``-``, ``_`` and spaces alike."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")
