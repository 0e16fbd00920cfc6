"""The size of a region, and the budget that it is held to."""

from __future__ import annotations

from intermem.core.region.parse import Region
from intermem.core.region.topic_files import is_topic_file
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How large promotions may make a region; 0 is no limit."""

    entries: int = 50
    tokens: int = 2000

    def of(self, name: str) -> Budget:
        """Return the budget of the document ``name``: none for a topic file, which no session loads unasked."""
        return Budget(entries=0, tokens=0) if is_topic_file(name) else self

    def excess(self, region: Region, text: str) -> str:
        """Return what a region of the document ``text`` has too much of, in words; empty if it keeps to the budget."""
        tokens = region_tokens(region, text)
        if self.entries and len(region.items) > self.entries:
            return f"{len(region.items)} entries, more than {self.entries} (promote.budget_entries)"
        if self.tokens and tokens > self.tokens:
            return f"{tokens} tokens, more than {self.tokens} (promote.budget_tokens)"
        return ""


def region_tokens(region: Region, text: str) -> int:
    """Return the estimated tokens between the markers of a region, without the lines that name topic files."""
    body = text[region.start : region.stop]
    for one in reversed(region.pointers):
        body = body[: one.start - region.start] + body[one.stop - region.start :]
    return estimated_tokens(body)


def estimated_tokens(text: str) -> int:
    """Return an estimate of the tokens in a text: a quarter of its bytes in UTF-8, rounded up (DESIGN.md §5)."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4
