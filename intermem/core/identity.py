"""The identity of an entry: a hash of its text without what formatters may change."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from intermem.core.inline import Span, code_spans, fence_spans
from intermem.core.lines import unified

ID_LENGTH = 16  # hex digits; 8 collide at 100,000 entries (DESIGN.md §5)

_MARKERS = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+", re.MULTILINE)
_DELIMITER_ROW = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,200}\|?[ \t]*$")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HARD_BREAK = re.compile(r"\\\n")
_OPENING_UNDERSCORES = re.compile(r"(?<![\w\\])_{1,3}(?=\S)")
_CLOSING_UNDERSCORES = re.compile(r"(?<=[^\s_])_{1,3}(?!\w)")
_SPACE = re.compile(r"\s+")
_FINAL = re.compile(r"[\s.,;:…。]+$")


def identity(text: str) -> str:
    """Return the identity of ``text``: the first 16 hex digits of the SHA-256 of its normal form."""
    return hashlib.sha256(normalised(text).encode("utf-8")).hexdigest()[:ID_LENGTH]


def phase_one_identity(text: str) -> str:
    """Return the identity that phase 1 gave: the same hash of the text, merely stripped."""
    return hashlib.sha256(text.strip().encode("utf-8")).hexdigest()[:ID_LENGTH]


def normalised(text: str) -> str:
    """Return ``text`` as far as it carries meaning.

    NFC; white space runs folded; list markers, back-slash escapes, table padding and delimiter
    rows dropped; ``_`` emphasis written as ``*``; a final run of ``. , ; : … 。`` outside code
    dropped. Code spans and fences keep everything but the length of their white space.

    Source: DESIGN.md §5.
    """
    text = unicodedata.normalize("NFC", unified(text))
    parts: list[str] = []
    at = 0
    fences = fence_spans(text)
    for fence in fences:
        parts += [_prose(text[at : fence.start]), _SPACE.sub(" ", text[fence.start : fence.stop]).strip()]
        at = fence.stop
    rest = _prose(text[at:])
    parts.append(rest)
    whole = _SPACE.sub(" ", " ".join(parts)).strip()
    if rest.strip() or not fences:
        whole = _without_final_punctuation(whole)
    return whole


def _prose(text: str) -> str:
    lines = _MARKERS.sub("", text).split("\n")
    if any(line.lstrip().startswith("|") for line in lines):
        lines = [_row(line) for line in lines if not (_DELIMITER_ROW.match(line) and "|" in line)]
    else:
        lines = _bare_table(lines)
    text = "\n".join(lines)
    parts: list[str] = []
    at = 0
    for span in code_spans(text):
        parts += [_words(text[at : span.start]), _code(text, span)]
        at = span.stop
    parts.append(_words(text[at:]))
    return "".join(parts)


def _bare_table(lines: list[str]) -> list[str]:
    """A table without outer pipes reads as the one that a formatter makes of it."""
    at = next((i for i, line in enumerate(lines) if "|" in line and _DELIMITER_ROW.match(line)), None)
    if at is None or at == 0 or "|" not in lines[at - 1]:
        return lines
    return [
        *lines[: at - 1],
        *(_row(f"|{line}|") if line.strip() else line for line in lines[at - 1 :] if line is not lines[at]),
    ]


def _row(line: str) -> str:
    """A table row without the padding of its cells; pipes inside code spans are kept as they are."""
    if not line.lstrip().startswith("|"):
        return line
    cells: list[str] = []
    at = 0
    text = line.strip()
    spans = code_spans(text)
    for span in spans:
        cells += [re.sub(r"[ \t]*\|[ \t]*", "|", text[at : span.start]), text[span.start : span.stop]]
        at = span.stop
    cells.append(re.sub(r"[ \t]*\|[ \t]*", "|", text[at:]))
    return "".join(cells)


def _code(text: str, span: Span) -> str:
    return _SPACE.sub(" ", text[span.start : span.stop])


def _words(text: str) -> str:
    text = _ESCAPE.sub(r"\1", _HARD_BREAK.sub(" ", text))
    text = _OPENING_UNDERSCORES.sub(lambda match: "*" * len(match[0]), text)
    return _CLOSING_UNDERSCORES.sub(lambda match: "*" * len(match[0]), text)


def _without_final_punctuation(text: str) -> str:
    """Drop a final run of punctuation, also where closing emphasis stands behind it."""
    return _FINAL.sub("", text)
