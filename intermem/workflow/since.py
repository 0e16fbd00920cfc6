"""A change to the tree, and what it can have touched: by it alone ``check --diff`` judges what is older."""

from __future__ import annotations

from functools import cached_property

from intermem.core.citations.touched import Touched
from intermem.facts import Change
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Since:
    """A judgement of what a ``change`` did to the tree of the commit ``base``, or of that tree itself.

    Of what a citation with the anchor ``base`` names, only the change is searched for what became of it.
    """

    base: str
    change: Change
    at_base: bool = False

    @cached_property
    def touched(self) -> Touched:
        """What the change can have touched."""
        return Touched(self.change)
