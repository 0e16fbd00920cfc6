"""The points that reasons give to a note or take from it."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.lazy_dataclass import dataclass

COUNTING = ("two-against", "three-against", "four-against")  # how many reasons speak against a note


@dataclass(frozen=True, slots=True)
class Point:
    """A reason that holds: its name, what it says of the note, and its points."""

    reason: str
    says: str
    points: int


def heaviest(points: Sequence[Point], number: int = 2) -> list[Point]:
    """Return the ``number`` heaviest reasons for, then those against, of ``points``, sorted by weight.

    Without those that only count others, which say what is wrong.
    """
    told = [one for one in points if one.reason not in COUNTING]
    return [*[one for one in told if one.points > 0][:number], *[one for one in told if one.points < 0][:number]]
