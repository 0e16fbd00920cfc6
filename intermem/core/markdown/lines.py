"""Lines and offsets, counted as markdown-it-py does.

A line ends in ``\\r\\n``, ``\\n`` or a lone ``\\r`` and nothing else; ``str.splitlines`` also splits at form
feed, NEL and U+2028, which would shift every offset after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from intermem.patterns import regex

_LINE_END = regex(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    """Return the offset of each line's first character, followed by ``len(text)``.

    There is no empty line after a final line end.
    """
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    if starts[-1] != len(text):
        starts.append(len(text))
    return starts


def split_lines(text: str) -> list[str]:
    """Return the lines of ``text`` without their ends."""
    parts = _LINE_END.split(text)
    if parts[-1] == "":
        parts.pop()
    return parts


def is_blank(text: str) -> bool:
    """Return whether ``text`` has only spaces, tabs and line ends, which Markdown calls blank.

    Unlike for ``str.strip``, a form feed, a no-break space or U+2028 is not blank.
    """
    return not text.strip(" \t\r\n")


def text_stop(lines: Sequence[str], first: int, stop: int) -> int:
    """Return where the text of a block ends: ``stop`` without the blank lines before it.

    ``first`` and ``stop`` are line numbers from 0, half-open; the first line counts even if it is blank.
    """
    stop = min(stop, len(lines))
    while stop > first + 1 and is_blank(lines[stop - 1]):
        stop -= 1
    return stop


def joined(head: str, tail: str) -> str:
    """Return ``head + tail`` with the lines of both: a CR and an LF are kept from becoming one line end."""
    return f"{head}\r{tail}" if head.endswith("\r") and tail.startswith("\n") else head + tail


def line_end_of(text: str) -> str:
    """Return the line end that ``text`` uses most; ``"\\n"`` if there is none, or on a tie."""
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=lambda end: counts[end])


def fitting_line_end(text: str, at: int) -> str:
    """Return the line end to write at offset ``at`` (a line start, or the end), which joins no other."""
    if text[:at].endswith("\r"):
        return "\r"
    end = line_end_of(text)
    return "\n" if end == "\r" and text[at : at + 1] == "\n" else end


def ends_in_line_end(text: str) -> bool:
    """Return whether ``text`` is empty or ends in a line end."""
    return text == "" or text[-1] in "\r\n"


def unified(text: str) -> str:
    """Return ``text`` with every line end replaced by ``"\\n"``."""
    return _LINE_END.sub("\n", text)
