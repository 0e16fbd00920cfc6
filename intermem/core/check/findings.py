"""What ``check`` finds, by rule: each rule with its code, its severity and the way out, in one table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from intermem.core.check.rules import Rule
from intermem.entities import Judged


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Location:
    """Where in a file: lines and columns from 1, columns in characters, the last one not included."""

    file: str
    first_line: int
    first_column: int
    last_line: int
    last_column: int

    def holds(self, other: Location) -> bool:
        """Return whether ``other`` lies within this place."""
        begins = (self.first_line, self.first_column) <= (other.first_line, other.first_column)
        ends = (other.last_line, other.last_column) <= (self.last_line, self.last_column)
        return self.file == other.file and begins and ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What to write in the place of a finding. A ``safe`` one says the same thing of the same thing."""

    text: str
    safe: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a rule has to say of a place.

    ``source`` holds the whole lines of the place; ``block`` the identity of the block it stands in,
    ``entry`` that of the entry, where it is one; ``judged`` the citation with its verdict.
    """

    rule: Rule
    place: Location
    message: str
    source: str = ""
    block: str = ""
    entry: str | None = None
    judged: Judged | None = None
    suggestion: Suggestion | None = None

    @property
    def fingerprint(self) -> str:
        """What stays the same where lines move: rule, file, block and what is cited, as 16 hex digits."""
        cited = self.judged.citation.text if self.judged is not None else ""
        if self.judged is None and self.entry is None and self.rule.code != "IM030":
            cited = self.message  # elsewhere it tells figures that run on
        parts = "\0".join((self.rule.code, self.place.file, self.entry or self.block, cited))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]
