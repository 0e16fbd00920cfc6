"""The order of what stands after a merge: that of the side that changed it, and additions where their side has them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

Rank = Callable[[str], Any]


def merged_order(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], rank: Rank) -> list[str]:
    """Return all keys of ``ours`` and ``theirs``, each once.

    What both have stands in the order of ``theirs`` if ``ours`` left the order of ``base`` alone, else in that of
    ``ours``. What one side alone has stays below its neighbour there. Where both have such keys in one place, they
    are sorted by ``rank`` if each side has them sorted, else those of ``ours`` come first.
    """
    shared = set(ours) & set(theirs)
    old = shared & set(base)
    is_left_alone = _only(ours, old) == _only(base, old)
    spine = _only(theirs if is_left_alone else ours, shared)
    mine, other = _runs(ours, shared), _runs(theirs, shared)
    found: list[str] = []
    for anchor in (None, *spine):
        found += [anchor] if anchor is not None else []
        found += _joined(mine.get(anchor, []), other.get(anchor, []), rank)
    return found


def _only(keys: Sequence[str], wanted: Collection[str]) -> list[str]:
    return [key for key in keys if key in wanted]


def _runs(keys: Sequence[str], shared: Collection[str]) -> dict[str | None, list[str]]:
    """Return the keys that only this side has, by the shared one that they stand below."""
    runs: dict[str | None, list[str]] = {}
    anchor: str | None = None
    for key in keys:
        if key in shared:
            anchor = key
        else:
            runs.setdefault(anchor, []).append(key)
    return runs


def _joined(mine: list[str], other: list[str], rank: Rank) -> list[str]:
    if not (mine and other) or any(run != sorted(run, key=rank) for run in (mine, other)):
        return mine + other
    return sorted(mine + other, key=rank)
