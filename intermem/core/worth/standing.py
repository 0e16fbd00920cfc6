"""What a text that stands in a document is, judged by the reasons that it gives: whether it is a rule."""

from __future__ import annotations

from functools import lru_cache

from intermem.core.worth.passage import Note, Passage
from intermem.core.worth.reasons import REASONS, Reason

_OF_RULES = ("prohibition", "demand", "emphatic", "imperative")
_RULES = tuple(reason for reason in REASONS if reason.name in _OF_RULES)


@lru_cache(maxsize=4096)  # the items of a region are asked about for each entry that goes in
def is_rule(text: str) -> bool:
    """Return whether ``text`` forbids, demands, stresses what must be, or begins with an instruction."""
    return _any_holds(_RULES, Passage(Note(text), 0, len(text), 0))


def _any_holds(reasons: tuple[Reason, ...], passage: Passage) -> bool:
    return any(reason.holds(passage) for reason in reasons)
