"""A change to a file as a unified diff, as ``git diff`` shows it."""

from __future__ import annotations

import difflib

from intermem.patterns import regex
from intermem.results import FileDiff

_LINE = regex(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def unified_diff(change: FileDiff) -> str:
    """Return the diff of ``change``, empty if nothing changes."""
    before = _LINE.findall(change.before or "")
    after = _LINE.findall(change.after or "")
    old = "/dev/null" if change.before is None else f"a/{change.document}"
    new = "/dev/null" if change.after is None else f"b/{change.document}"
    parts: list[str] = []
    for line in difflib.unified_diff(before, after, old, new):
        ended = line.endswith(("\n", "\r"))
        parts.append(line if ended else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)
