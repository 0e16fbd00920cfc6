"""Escape control characters: the text of entries is data, not commands to the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.core.entries.invisible import invisible_in
from intermem.patterns import regex

# C0 and C1 controls except line feed and tab, and characters that change the direction of text.
CONTROLS = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Return ``text`` with control characters written as ``\\x1b``, and other invisible ones as ``\\u200b``.

    Those that an emoji or a script needs stay as they are.
    """
    return without_controls("".join(visible_characters(text)))


def visible_characters(text: str) -> Sequence[str]:
    """Return the characters of ``text``, those that are invisible written as ``\\u200b``."""
    hidden = [] if text.isascii() else [one.at for one in invisible_in(text)]
    if not hidden:
        return text
    shown = list(text)
    for at in hidden:
        shown[at] = _named(text[at])
    return shown


def without_controls(text: str) -> str:
    """Return ``text`` with control characters written as ``\\x1b``."""
    return CONTROLS.sub(lambda match: _named(match[0]), text)


def _named(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def one_line(text: str, width: int = 0) -> str:
    """Return ``text`` on one line, cut to ``width`` characters (0: no limit)."""
    line = visible(" ".join(text.split()))
    return line if not width or len(line) <= width else line[: width - 1] + "…"


def visible_name(name: str) -> str:
    """Return a file name with control characters escaped, including tab and line feed."""
    return visible(name).replace("\n", "\\x0a").replace("\t", "\\x09")


def well_formed(text: str) -> str:
    """Return ``text`` with lone surrogates (of a path that is not UTF-8) escaped: strict JSON parsers reject them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
