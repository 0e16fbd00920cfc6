"""Text that itself says a thing is gone, renamed, planned or a counter-example.

A citation in such a text is no alarm: its author knows. The words decide per clause, so that one
remark does not excuse a whole entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice

from intermem.core.inline import code_spans

_CLAUSE_END = re.compile(r"(?<=[.!?。;；])\s|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_CHUNK = re.compile(r"[^\s`]+")
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
    r"dead | died | killed | nuked | any \s? more | recreate | (?:stop | not) \s look(?:ing)? \s for",
    # elsewhere now, or of another place
    r"became | is \s now | inlined | consolidated | upstream | branch(?:es)? | another \s repo(?:sitory)?",
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
# The same in the languages that notes were seen in; most of them know no word boundary.
_ELSEWHERE = (
    r"삭제|제거|폐기|통합|없어|없음|없다|이전됨|예정|구\s",
    r"删除|移除|废弃|不存在|已合并|刪除|將|计划|削除|廃止|存在しない",
    r"xóa|gỡ\sbỏ|gelöscht|entfernt|supprimé|retiré|eliminado|removido|excluído",
)
_ABSENCE = re.compile(rf"\b(?:{' | '.join(_STATEMENTS)})(?!\w)|{'|'.join(_ELSEWHERE)}", re.IGNORECASE | re.VERBOSE)
_ARROW = re.compile(r"[`*_)\"' ]{0,9}\s{0,9}(?:→|->|=>|⇒|➜)")


class Claims:
    """What the clauses of one text state; each clause is read once, however much it cites."""

    def __init__(self, text: str) -> None:
        self._text = text
        words = list(text)
        for span in code_spans(text):
            words[span.start : span.stop] = " " * (span.stop - span.start)
        for chunk in _CHUNK.finditer(text):
            if "/" in chunk[0]:
                words[chunk.start() : chunk.end()] = " " * len(chunk[0])
        self._words = "".join(words)  # what stands in code or in a path states nothing
        self._starts = [0, *(match.end() for match in _CLAUSE_END.finditer(text))]
        self._stated: dict[int, list[tuple[int, int]]] = {}
        self._struck = [match.span() for match in _STRUCK.finditer(text)]

    def states_absence(self, start: int, stop: int) -> bool:
        """True where the clause around ``start`` to ``stop`` says that the thing is not there.

        Also where it is struck through, or stands on the left of an arrow (``old → new``). Words
        of the citation itself state nothing.
        """
        number = bisect_right(self._starts, start) - 1
        if any(last <= start or first >= stop for first, last in self._of_clause(number)):
            return True
        struck = bisect_right(self._struck, (start, stop)) - 1
        if struck >= 0 and self._struck[struck][0] <= start < self._struck[struck][1]:
            return True
        return _ARROW.match(self._text, stop) is not None

    def _of_clause(self, number: int) -> list[tuple[int, int]]:
        """The first statements of a clause: two decide for every citation, one may be the citation."""
        if number not in self._stated:
            ends = [*self._starts[number + 1 : number + 2], len(self._text)]
            found = _ABSENCE.finditer(self._words, self._starts[number], ends[0])
            self._stated[number] = [match.span() for match in islice(found, 2)]
        return self._stated[number]
