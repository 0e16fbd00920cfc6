"""The points that reasons give to a note or take from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A reason that holds: its name, what it says of the note, and its points."""

    reason: str
    says: str
    points: int


def heaviest(points: Sequence[Point], number: int = 2) -> list[Point]:
    """Return the ``number`` heaviest reasons for, then those against, of ``points``, sorted by weight."""
    return [*[one for one in points if one.points > 0][:number], *[one for one in points if one.points < 0][:number]]
