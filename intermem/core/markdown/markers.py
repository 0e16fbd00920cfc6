"""The two comments that delimit our region of a document."""

from __future__ import annotations

from intermem.patterns import regex

BEGIN = "<!-- intermem:begin -->"
END = "<!-- intermem:end -->"

MARKER = regex(r"^ {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*$")

# What phase 1 put behind an entry, perhaps with its hash.
OLD_MARKER = regex(r"[ \t]*<!--[ \t]*intermem(?::[ \t]*([0-9A-Fa-f]{4,64}))?[ \t]*-->")
_OLD_AT_END = regex(rf"(?:\s*{OLD_MARKER.pattern})+\s*$")


def without_old_marker(text: str) -> str:
    """Return the text of an item without old markers at its end: they say nothing in a region."""
    return _OLD_AT_END.sub("", text) if text.endswith("-->") else text


def may_have_marker(text: str) -> bool:
    """Return whether ``text`` can contain a marker; if not, it has no region and need not be parsed."""
    return "intermem:" in text
