"""The two comments between which a document is ours."""

from __future__ import annotations

import re

BEGIN = "<!-- intermem:begin -->"
END = "<!-- intermem:end -->"

MARKER = re.compile(r"^ {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*$")


def may_have_marker(text: str) -> bool:
    """False where no line of ``text`` can be a marker; then nothing need be parsed to know that it has no region."""
    return "intermem:" in text
