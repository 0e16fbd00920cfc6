"""What a note says to a reader, without the spellings and the markup that hide it from a pattern."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

from intermem.core.entries.invisible import unseen
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_COMMENT = regex(r"<!--(?:(?!-->)[\s\S]){0,500}-->")
_TAG = regex(
    r"</?(?:a|abbr|b|bdi|big|br|center|code|del|details|div|em|font|i|img|ins|kbd|mark|p|q|s|samp|small|span|strike|strong|sub"
    r"|summary|sup|tt|u|var|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_ENTITY = regex(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED = regex(r"\\([!-/:-@\[-`{-~])")
_LINK = regex(r"!?\[([^\[\]]{1,300})\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,300}\])")
# A pipe from one code span to the next; in a row of a table it parts two cells.
_TICKED_PIPE = regex(r"`[ \t]*\|[ \t]*`")
_EMPHASIS = regex(r"\*{1,3}|~~|(?<![A-Za-z0-9])_{1,3}|_{1,3}(?![A-Za-z0-9])")
_WIDE = regex(r"[^\x00-\x7f]")
_HYPHENS = frozenset("\u2010\u2011\u2212\ufe63\uff0d")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is read; ``at`` has the offset in the original of each character, and of the end."""

    text: str
    at: tuple[int, ...]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return the offsets in the original of what is from ``start`` to ``stop``."""
        return self.at[start], self.at[stop - 1] + 1 if stop > start else self.at[start]


def folded(text: str) -> Folded:
    """Return ``text`` with characters, entities, escapes and inline markup replaced by what a reader sees.

    Compatibility forms such as full-width and mathematical letters become plain letters, invisible characters go.
    """
    read = Folded(text, tuple(range(len(text) + 1)))
    if not text.isascii():
        read = _replaced(read, unseen(), _nothing)
        read = _replaced(read, _WIDE, _plain)
    read = _replaced(read, _TICKED_PIPE, lambda match: "|" if _is_in_prose(match) else match[0])
    read = _replaced(read, _COMMENT, _nothing)
    read = _replaced(read, _TAG, lambda match: " " if match[0][:3].lower() == "<br" else "")
    read = _replaced(read, _ENTITY, lambda match: html.unescape(match[0]))
    read = _replaced(read, _LINK, lambda match: match[1])
    read = _replaced(read, _ESCAPED, lambda match: match[1])
    return _replaced(read, _EMPHASIS, _nothing)


def _nothing(_match: re.Match[str]) -> str:
    return ""


def _is_in_prose(pipe: re.Match[str]) -> bool:
    line = pipe.string[pipe.string.rfind("\n", 0, pipe.start()) + 1 : pipe.start()]
    return not line.lstrip(" \t>*+-").startswith("|")


def _plain(match: re.Match[str]) -> str:
    return "-" if match[0] in _HYPHENS else unicodedata.normalize("NFKC", match[0])


def _replaced(read: Folded, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> Folded:
    """Return ``read`` with each match replaced; the characters of a replacement are where the match is."""
    parts: list[str] = []
    offsets: list[int] = []
    end = 0
    for match in pattern.finditer(read.text):
        new = by(match)
        if new == match[0]:
            continue
        # What is kept of the match, such as the words of a link, stays at its place.
        kept = match.start(1) if match.lastindex and new == match[1] else None
        parts += (read.text[end : match.start()], new)
        offsets += read.at[end : match.start()]
        offsets += read.at[kept : kept + len(new)] if kept is not None else [read.at[match.start()]] * len(new)
        end = match.end()
    if not end:
        return read
    return Folded("".join((*parts, read.text[end:])), (*offsets, *read.at[end:]))
