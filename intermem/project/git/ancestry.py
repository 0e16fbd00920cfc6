"""The commits behind one, and which of them a search starts after, or was made of before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from intermem.facts import ALONE

if TYPE_CHECKING:
    from intermem.project.git.known_removals import Searched

MAX_COMMITS = 50_000  # that are searched


class Ancestry:
    """The commits behind HEAD, children first, with their parents."""

    def __init__(self, log: str) -> None:
        """Read a ``log``: on each line a commit, and its parents."""
        rows = (row.split() for row in log.split("\n") if row)
        self._parents = {key: tuple(parents) for key, *parents in rows}
        self.keys = tuple(self._parents)
        self.places = {key: place for place, key in enumerate(self.keys)}

    @property
    def searchable(self) -> Sequence[str]:
        """The newest commits; what is further back stays unknown."""
        return self.keys[:MAX_COMMITS]

    def has(self, since: str) -> bool:
        """Return whether a search can start at ``since``."""
        return since.removesuffix(ALONE) in self._parents

    def continues(self, head: str) -> bool:
        """Return whether all commits in front of ``head`` are newer: what is behind it then comes in the same order."""
        place = self.places.get(head)
        return place is not None and len(self._behind([head])) == len(self.keys) - place

    def searched(self, searches: Iterable[Searched]) -> frozenset[str]:
        """Return the commits that are covered by ``searches``."""
        found: set[str] = set()
        for one in searches:
            if one.head not in self._parents or (one.head != self.keys[0] and len(self.keys) > MAX_COMMITS):
                continue
            behind = self._behind([one.head])
            after = [self.after(since) for since in one.since if self.has(since)]
            found |= (behind.intersection(frozenset().union(*after)) if one.since else behind) - one.without
        return frozenset(found)

    def after(self, since: str | None) -> frozenset[str]:
        """Return the commits to search: those not reachable from ``since``, plus itself for ``^!``."""
        key = (since or "").removesuffix(ALONE)
        if key not in self._parents:
            return frozenset(self._parents)
        return frozenset(self._parents) - self._behind([key] if since == key else self._parents[key])

    def _behind(self, keys: Iterable[str]) -> set[str]:
        """Return ``keys``, and all commits behind them."""
        behind: set[str] = set()
        queue = list(keys)
        while queue:
            key = queue.pop()
            if key not in behind:
                behind.add(key)
                queue += self._parents.get(key, ())
        return behind
