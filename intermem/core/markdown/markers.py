"""The two comments that delimit our region of a document."""

from __future__ import annotations

from intermem.patterns import regex

BEGIN = "<!-- intermem:begin -->"
END = "<!-- intermem:end -->"

MARKER = regex(r"^ {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*$")


def may_have_marker(text: str) -> bool:
    """Return whether ``text`` can contain a marker; if not, it has no region and need not be parsed."""
    return "intermem:" in text
