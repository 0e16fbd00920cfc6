"""Parse ignore comments: the rules they name, the lines they apply to, a reason, an expiry date.

At the top level a comment applies to the next block that is not a comment; in a list item or a quote, to
all of it; at the end of a row of a table, to that row.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date

from intermem.core.check.findings import Finding, Location, Suggestion
from intermem.core.check.rules import BY_CODE, HAZARDS
from intermem.core.check.settings import OWN_CODES, rule_like, rules_named
from intermem.core.entries.identity import identity
from intermem.core.markdown.blocks import BOM, Block, blocks_of
from intermem.core.markdown.ignore_comments import (
    Written,
    ignores_in_code,
    misspelt_ignores,
    next_block,
    written_ignores,
)
from intermem.core.markdown.lines import line_starts, split_lines
from intermem.errors import UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_WORD = regex(
    r"""(?P<key>[^\s,="']++)=(?P<value>"[^"]*+"?|'[^']*+'?|[^\s,]*+)|(?P<word>[^\s,]++)""",
)
_MISSPELT = "the comment hides nothing as it is spelt; write <!-- intermem:ignore CODE -->"
_IN_CODE = "the comment hides nothing in code: put it above the block"
_DAY = regex(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A word of a comment that names rules: their codes, and its location."""

    word: str
    codes: frozenset[str]
    place: Location
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """A comment that hides findings which begin on ``lines`` (from 1), until 00:00 UTC of ``until``.

    ``until_named`` is the word with the date; ``block`` the identity of the block the comment applies to.
    """

    named: tuple[Named, ...]
    lines: range
    block: str
    reason: str = ""
    until: date | None = None
    until_named: Named | None = None


@dataclass(frozen=True, slots=True)
class Comments:
    """The ignore comments of a document, and findings on invalid ones (IM062).

    And on those ``in_code``, with the lines (from 1) of that: where nothing is to be hidden, they may be shown.
    """

    ignores: tuple[Ignore, ...] = ()
    invalid: tuple[Finding, ...] = ()
    in_code: tuple[tuple[Finding, range], ...] = ()


def comments_of(text: str, name: str) -> Comments:
    """Return the ignore comments of the document ``text``; ``name`` is its file name for findings.

    An invalid word is a finding; the other words of the comment apply. A comment with an invalid date hides
    nothing. A text whose Markdown cannot be parsed has no comments.
    """
    try:
        written, misspelt, in_code = (
            list(written_ignores(text)),
            list(misspelt_ignores(text)),
            list(ignores_in_code(text)),
        )
    except UnreadableFile:
        return Comments()
    if not (written or misspelt or in_code):
        return Comments()
    document = _Document(text, name)
    ignores: list[Ignore] = []
    invalid = [document.useless(line, _MISSPELT) for line in misspelt]
    shown = [(document.useless(line, _IN_CODE), range(block.start + 1, block.stop + 1)) for line, block in in_code]
    for comment in written:
        reader = _Reader(document, comment)
        ignore = reader.ignore()
        if ignore is not None:
            ignores.append(ignore)
        invalid += reader.invalid
    return Comments(tuple(ignores), tuple(invalid), tuple(shown))


class _Document:
    """The lines and blocks of a document, and what a comment in it applies to."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = split_lines(text.removeprefix(BOM))
        self._blocks = blocks_of(text)
        self._firsts = [block.first for block in self._blocks]
        self._next = next_block(self._blocks)
        self._identities: dict[int, str] = {}

    def scope_of(self, comment: Written) -> tuple[range, str]:
        """Return the lines (from 1) that ``comment`` applies to, and the identity of the block.

        They start with its own lines, because findings on a whole document are reported on its first line.
        """
        index = bisect_right(self._firsts, comment.first) - 1
        own, following = self._blocks[index], self._next[index]
        if comment.row:
            return range(comment.first + 1, comment.first + 2), self._identity(own)
        if comment.level:
            return range(own.first + 1, own.stop + 1), self._identity(own)
        if following is None:
            return range(own.first + 1, len(self.lines) + 1), ""
        return range(own.first + 1, following.stop + 1), self._identity(following)

    def useless(self, line: int, message: str) -> Finding:
        """Return a finding on the comment that begins on ``line`` (from 0)."""
        source = self.lines[line]
        place = Location(
            file=self.name,
            first_line=line + 1,
            first_column=len(source) - len(source.lstrip()) + 1,
            last_line=line + 1,
            last_column=len(source.rstrip()) + 1,
        )
        own = self._blocks[bisect_right(self._firsts, line) - 1]
        return Finding(rule=BY_CODE["IM062"], place=place, message=message, source=source, block=self._identity(own))

    def _identity(self, block: Block) -> str:
        if block.first not in self._identities:
            self._identities[block.first] = identity("\n".join(self.lines[block.first : block.stop]))
        return self._identities[block.first]


class _Reader:
    """Parses one comment, word by word."""

    def __init__(self, document: _Document, comment: Written) -> None:
        self.invalid: list[Finding] = []
        self._document = document
        self._comment = comment
        self._starts = line_starts(comment.content)
        self._lines, self._block = document.scope_of(comment)
        self._reason: str | None = None
        self._until: date | None = None
        self._until_named: Named | None = None

    def ignore(self) -> Ignore | None:
        """Return the parsed comment, or None if it hides nothing; its errors are in ``invalid``."""
        comment = self._comment
        words = list(_WORD.finditer(comment.content, comment.body, comment.close))
        whole = self._named(comment.start, comment.stop)
        if comment.trouble:
            self._refuse(whole, comment.trouble)
            return None
        if not any(match["word"] for match in words):
            self._refuse(whole, "the comment names no rule")
        named = [one for match in words if (one := self._read(match)) is not None]
        if not named or (self._until_named is not None and self._until is None):
            return None
        return Ignore(
            named=tuple(named),
            lines=self._lines,
            block=self._block,
            reason=self._reason or "",
            until=self._until,
            until_named=self._until_named,
        )

    def _named(self, start: int, stop: int, codes: frozenset[str] = frozenset()) -> Named:
        first_line, first_column = self._at(start)
        last_line, last_column = self._at(stop)
        place = Location(
            file=self._document.name,
            first_line=first_line,
            first_column=first_column,
            last_line=last_line,
            last_column=last_column,
        )
        source = "\n".join(self._document.lines[first_line - 1 : last_line])
        return Named(word=self._comment.content[start:stop], codes=codes, place=place, source=source)

    def _at(self, offset: int) -> tuple[int, int]:
        """Return line and column (from 1) of an offset in the content, whose lines may lack an indentation."""
        content, starts = self._comment.content, self._starts
        row = min(bisect_right(starts, offset), len(starts) - 1)
        end = starts[row] - (content[starts[row] - 1] == "\n")
        line = self._comment.first + row
        return line, len(self._document.lines[line - 1]) - (end - offset) + 1

    def _read(self, match: re.Match[str]) -> Named | None:
        text = match[0]
        here = self._named(match.start(), match.end(), rules_named(match["word"] or ""))
        if match["key"]:
            self._attribute(match["key"].lower(), match["value"], here)
            return None
        if not here.codes:
            self._refuse(here, f"unknown rule {text}", rule_like(text))
            return None
        if here.codes & HAZARDS:
            self._refuse(here, f"{text} cannot be ignored by a comment; use git config intermem.hazards.allow")
            return None
        if here.codes & OWN_CODES:
            self._refuse(here, f"{text} cannot be ignored by a comment; use check.ignore in the configuration")
            return None
        return here

    def _attribute(self, key: str, value: str, here: Named) -> None:
        quote = value[:1] if value[:1] in ("'", '"') else ""
        given = value.strip(quote) if quote else value
        if key not in ("reason", "until"):
            self._refuse(here, f"unknown attribute {key}: expected reason or until")
        elif (self._reason if key == "reason" else self._until_named) is not None:
            self._refuse(here, f"{key} is given twice")
        elif key == "until":
            self._until_named, self._until = here, _day(given)
            if self._until is None:
                self._refuse(here, f"{value or 'nothing'} is not a date such as 2027-01-31; the comment hides nothing")
        else:
            self._reason = given
            if quote and (len(value) == 1 or not value.endswith(quote)):
                self._refuse(here, "unclosed quote in reason")

    def _refuse(self, named: Named, message: str, suggestion: str | None = None) -> None:
        self.invalid.append(
            Finding(
                rule=BY_CODE["IM062"],
                place=named.place,
                message=message,
                source=named.source,
                block=self._block,
                suggestion=Suggestion(text=suggestion, safe=False) if suggestion else None,
            )
        )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
