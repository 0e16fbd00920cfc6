"""Text that itself says a thing is gone, renamed, planned or a counter-example.

A citation in such a text is no alarm: its author knows. The words decide per clause, so that one
remark does not excuse a whole entry.
"""

from __future__ import annotations

import re

from intermem.core.inline import code_spans

_CLAUSE_END = re.compile(r"(?<=[.!?。;；])\s|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~")

_STATEMENTS = (
    # gone
    r"deleted | deletes? | removed | removes? | dropped | retired | superseded | replaced | replaces? | obsolete",
    r"legacy | gone | missing | absent | abandoned | discontinued | formerly | previously",
    r"was \s at | used \s to \s be",
    r"no \s longer | no \s such | not \s exist(?:s|ing)? | n['’]t \s exist | never \s existed",
    r"non-?existent | old \s path",
    r"not \s yet | not \s (?:been \s )?(?:created|committed|implemented|present|tracked|checked \s in|in \s the)",
    r"n['’]t \s have | there \s (?:is|are) \s no | ha(?:s|ve) \s no | without \s an?",
    # elsewhere now
    r"renamed | moved | migrated | merged \s into | extracted \s (?:from|into) | (?:split|folded) \s into",
    # planned
    r"will \s (?:be|add|create|live|contain|become|move|go) | to \s be \s (?:added|created|written) | to-?do | planned",
    r"propos(?:ed|al) | future | would \s (?:be|live|add|create) | should \s (?:be \s )?(?:add|create)d?",
    r"(?:must|need \s to|going \s to) \s create | create \s (?:a|an|the|new) | add \s an? \s new | new \s file",
    # a counter-example, or any example
    r"never \s (?:create|use|add|commit|edit|write|import|read|run)",
    r"(?:do \s not|don['’]t) \s (?:create|use|add|commit|write|import) | instead \s of | rather \s than | avoid",
    r"e\.g | for \s (?:example|instance) | such \s as | hypothetical | example | placeholder",
)
_ABSENCE = re.compile(rf"\b(?:{' | '.join(_STATEMENTS)})(?!\w)", re.IGNORECASE | re.VERBOSE)
_ARROW = re.compile(r"\s*(?:→|->|=>|⇒|➜)")


def states_absence(text: str, start: int, stop: int) -> bool:
    """True where the clause of ``text`` around ``start`` to ``stop`` says that the thing is not there.

    Also where it is struck through, or stands on the left of an arrow (``old → new``).
    """
    first, last = _clause(text, start, stop)
    clause = text[first:last]
    if _ABSENCE.search(_without_code(clause, start - first, stop - first)):
        return True
    if any(match.start() <= start - first < match.end() for match in _STRUCK.finditer(clause)):
        return True
    return _ARROW.match(text[stop:last].lstrip("`*_)\"' ")) is not None


def _without_code(clause: str, start: int, stop: int) -> str:
    """The words of a clause: what stands in code, or is the citation itself, states nothing."""
    clause = clause[:start] + " " + clause[stop:]
    parts: list[str] = []
    at = 0
    for span in code_spans(clause):
        parts.append(clause[at : span.start])
        at = span.stop
    return " ".join([*parts, clause[at:]])


def _clause(text: str, start: int, stop: int) -> tuple[int, int]:
    first = 0
    for match in _CLAUSE_END.finditer(text, max(0, start - 2000), start):
        first = match.end()
    first = max(first, start - 2000, 0)
    ending = _CLAUSE_END.search(text, stop, stop + 2000)
    return first, ending.start() if ending else min(len(text), stop + 2000)
