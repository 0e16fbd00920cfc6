"""How near the entries that ``promote`` refused are to being promoted: groups of gates, the nearest misses first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from intermem.core.lifecycle.gates import Refusal
from intermem.entities import Record

# The nearest group first: what time alone lifts, what other words lift, what only a person lifts, what nothing lifts.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "unstable": ("snapshots",),
    "unread": ("unread", "demoted"),
    "worth": ("worth",),
    "long": ("length",),
    "said": ("duplicate", "promoted"),
    "limit": ("limit",),
    "budget": ("budget",),
    "declined": ("declined",),
    "unsafe": ("unsafe",),
    "blocked": ("blocked",),
    "bound": ("pinned", "elsewhere"),
    "stale": ("stale",),
    "person": ("review", "superseded", "withdrawn", "missing", "rejected"),
    "hazard": ("hazard",),
    "secret": ("secret", "invisible"),
    "private": ("type",),
    "replaced": ("replaced",),
    "gone": ("gone", "text"),
    "purged": ("purged",),
}
_GROUP_OF = {gate: group for group, gates in GROUPS.items() for gate in gates}
_RANK = {group: number for number, group in enumerate(GROUPS)}


def group_of(gate: str) -> str:
    """Return the group of a gate's refusals."""
    return _GROUP_OF[gate]


def nearest_first(refused: Iterable[tuple[Record, Refusal]], worths: Mapping[str, int]) -> list[tuple[Record, Refusal]]:
    """Return refusals by group, and inside a group the nearest misses first.

    Nearest is what lacks the fewest snapshots or characters, then what is worth most (``worths``, by id); else the
    order stays.
    """

    def distance(pair: tuple[Record, Refusal]) -> tuple[int, int, int]:
        record, refusal = pair
        group = group_of(refusal.gate)
        lacking = {"unstable": -record.observed_count, "long": len(record.shown_text)}.get(group, 0)
        return _RANK[group], lacking, -worths.get(record.id, -1)

    return sorted(refused, key=distance)
