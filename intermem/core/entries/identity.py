"""The identity of an entry: a hash of its text without what formatters may change."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from intermem.core.markdown.inline import Span, code_spans, fence_spans
from intermem.core.markdown.lines import unified
from intermem.entities import UNTYPED
from intermem.patterns import regex

ID_LENGTH = 16  # hex digits; 8 collide at 100,000 entries (DESIGN.md §5)

_BULLETS = regex(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+")
_NUMBER = regex(r"[ \t]*(?!1[.)])\d{1,9}[.)][ \t]")
_QUOTE = regex(r"[ \t]*((?:>[ \t]*)+)")
_RULE = regex(r"^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.MULTILINE)
_CELL_RULE = regex(r":?-+:?")
_ESCAPE = regex(r"\\([!-/:-@\[-`{-~])|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});")
_HARD_BREAK = regex(r"\\\n")
_OPENING_UNDERSCORES = regex(r"(?<![\w\\])_{1,3}(?=\S)")
_CLOSING_UNDERSCORES = regex(r"(?<=[^\s_])_{1,3}(?!\w)")
_SPACE = regex(r"\s+")
_CODE = "\x00"  # replaces a code span while the words around it are normalised
_FINAL = " .,;:…。"


def identity(text: str) -> str:
    """Return the identity of ``text``: the first 16 hex digits of the SHA-256 of its normal form."""
    return hashlib.sha256(normalised(text).encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


def joint_type(types: Iterable[str]) -> str:
    """Return the type of what several notes say: ``user`` if one is private, else the first that is given."""
    found = list(types)
    return "user" if "user" in found else next((one for one in found if one != UNTYPED), UNTYPED)


def phase_one_identity(text: str) -> str:
    """Return the identity that phase 1 used: the same hash of the stripped text."""
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


@lru_cache(maxsize=64)  # an entry is asked for its text first, then for its identity
def normalised(text: str) -> str:
    """Return the normal form of ``text``.

    NFC; runs of white space collapsed; list markers, backslash escapes, table padding, empty last cells and
    delimiter rows removed; a quote marked only where it begins; character references resolved; ``_`` emphasis
    written as ``*``; rules, fences and the delimiters of code spans in one form; a final run of
    ``. , ; : … 。`` outside code removed. Inside code only white space is collapsed.

    Source: DESIGN.md §5; it undoes the changes that mdformat and prettier make.
    """
    text = unicodedata.normalize("NFC", unified(text)).replace(_CODE, "\ufffd")
    parts: list[str] = []
    at = 0
    for fence in fence_spans(text):
        parts += [_prose(text[at : fence.start]), _fence(text[fence.start : fence.stop])]
        at = fence.stop
    rest = _SPACE.sub(" ", _prose(text[at:])).strip()
    if rest or not parts:
        parts.append(rest.rstrip(_FINAL))
    return _SPACE.sub(" ", " ".join(parts)).strip()


def _fence(source: str) -> str:
    """Return a fenced block with the shortest fence, and its info string and content unchanged."""
    first, _, inside = source.strip().partition("\n")
    info = _BULLETS.sub("", first, count=1).strip().lstrip("`~").strip()
    lines = inside.split("\n")
    if lines and set(lines[-1].strip()) in ({"`"}, {"~"}):
        lines.pop()
    return f"```{info} {' '.join(lines)} ```"


def _prose(text: str) -> str:
    text = _RULE.sub("---", text)
    lines = _unmarked(_unquoted(_unmarked(text.split("\n"))))
    text = "\n".join(_tabled(lines))
    spans = code_spans(text)
    words: list[str] = []
    at = 0
    for span in spans:
        words.append(text[at : span.start])
        at = span.stop
    folded = _words(_CODE.join([*words, text[at:]])).split(_CODE)
    pieces = [folded[0]]
    for span, following in zip(spans, folded[1:], strict=True):
        pieces += [_code(span), following]
    return "".join(pieces)


def _unmarked(lines: list[str]) -> list[str]:
    """Return the lines without list markers; "2024. Then" on a wrapped line of a paragraph is not one."""
    found: list[str] = []
    in_list, after_blank = False, True
    for line in lines:
        marker = _BULLETS.match(line)
        if marker and _NUMBER.match(line) and not (in_list or after_blank):
            marker = None
        if marker:
            in_list = True
        elif not line.strip():
            in_list = in_list and not after_blank
        after_blank = not line.strip()
        found.append(line[marker.end() :] if marker else line)
    return found


def _unquoted(lines: list[str]) -> list[str]:
    """Return the lines without quote markers; each quote begins with a line that has its marker alone.

    Rewrapping moves the markers, and a continuation line may omit them (a lazy continuation in CommonMark).
    """
    found: list[str] = []
    depth = 0
    for line in lines:
        quote = _QUOTE.match(line)
        now = quote[1].count(">") if quote else 0
        rest = line[quote.end() :] if quote else line
        if now > depth:
            found.append("> " * now)
        depth = max(depth, now) if rest.strip() else now
        found.append(rest)
    return found


def _is_delimiter_row(line: str) -> bool:
    if not set(line) <= set("|-: \t") or "|" not in line:
        return False
    return all(_CELL_RULE.fullmatch(cell.strip()) for cell in line.strip().strip("|").split("|"))


def _tabled(lines: list[str]) -> list[str]:
    """Return the lines with tables normalised. A table needs a delimiter row: any line may start with a pipe."""
    found: list[str] = []
    in_table = False
    for line in lines:
        if not in_table and found and "|" in found[-1] and _is_delimiter_row(line):
            found[-1] = _row(found[-1])
            in_table = True
        else:
            in_table = in_table and "|" in line
            found.append(_row(line) if in_table else line)
    return found


def _row(line: str) -> str:
    """Return a table row between pipes, without padding and empty last cells; pipes in code spans are kept."""
    cells: list[str] = []
    at = 0
    text = f"{'' if line.lstrip().startswith('|') else '|'}{line.strip()}|"
    for span in code_spans(text):
        cells += [_unpadded(text[at : span.start]), text[span.start : span.stop]]
        at = span.stop
    cells.append(_unpadded(text[at:]))
    row = "".join(cells).rstrip("|")
    return row + ("||" if row.endswith("\\") else "|")


def _unpadded(text: str) -> str:
    """Return ``text`` without white space next to its pipes; its own ends are kept."""
    cells = text.split("|")
    if len(cells) == 1:
        return text
    return "|".join([cells[0].rstrip(), *(cell.strip() for cell in cells[1:-1]), cells[-1].lstrip()])


def _code(span: Span) -> str:
    """Return a code span between single backticks, without the padding that CommonMark strips."""
    inside = _SPACE.sub(" ", span.text)
    if inside.startswith(" ") and inside.endswith(" ") and inside.strip():
        inside = inside[1:-1]
    return f"`{inside}`"


def _unescaped(match: re.Match[str]) -> str:
    from html import unescape  # a table of all entities, for the few texts that have one

    return match[1] or unescape(match[0])


def _words(text: str) -> str:
    text = _ESCAPE.sub(_unescaped, _HARD_BREAK.sub(" ", text))
    text = _OPENING_UNDERSCORES.sub(lambda match: "*" * len(match[0]), text)
    return _CLOSING_UNDERSCORES.sub(lambda match: "*" * len(match[0]), text)
