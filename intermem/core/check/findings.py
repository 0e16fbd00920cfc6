"""Findings of ``check``: a violation of a rule at a location."""

from __future__ import annotations

import hashlib

from intermem.core.check.rules import Rule
from intermem.entities import Judged
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Location:
    """A range in a file: lines and columns from 1, columns in characters, the last column exclusive."""

    file: str
    first_line: int
    first_column: int
    last_line: int
    last_column: int

    def holds(self, other: Location) -> bool:
        """Return whether ``other`` is inside this location."""
        begins = (self.first_line, self.first_column) <= (other.first_line, other.first_column)
        ends = (other.last_line, other.last_column) <= (self.last_line, self.last_column)
        return self.file == other.file and begins and ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Replacement text for a finding; a ``safe`` one does not change the meaning."""

    text: str
    safe: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A violation of a rule.

    ``source`` holds the full lines of the location; ``block`` is the identity of the block around it,
    ``entry`` that of the entry, if it is one; ``in_row``: it is in a row of a table; ``judged`` is the citation with
    its verdict; ``hint`` says how to fix this violation, where that of its rule is not enough.
    """

    rule: Rule
    place: Location
    message: str
    source: str = ""
    block: str = ""
    entry: str | None = None
    in_row: bool = False
    judged: Judged | None = None
    suggestion: Suggestion | None = None
    hint: str = ""

    @property
    def remediation(self) -> str:
        """How to fix the violation."""
        return self.hint or self.rule.remediation

    @property
    def fingerprint(self) -> str:
        """16 hex digits from rule, file, block and citation, which stay the same when lines move."""
        cited = self.judged.citation.text if self.judged is not None else ""
        if self.judged is None and self.entry is None and self.rule.code != "IM030":
            cited = self.message  # elsewhere the message has numbers that change
        parts = "\0".join((self.rule.code, self.place.file, self.entry or self.block, cited))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]
