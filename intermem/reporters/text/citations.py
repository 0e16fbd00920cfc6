"""Text of an entry's citations, and of the sum that its confidence is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from intermem.core.lifecycle.confidence import Signal
from intermem.core.lifecycle.staleness import explained
from intermem.entities import FULL, Judged, VerdictStatus

_SHOWN = 8  # citations of one entry; broken and moved ones are always shown
_SUMMED = 4  # signals of the same amount in a sum
_ORDER = (
    VerdictStatus.BROKEN,
    VerdictStatus.MOVED,
    VerdictStatus.AMBIGUOUS,
    VerdictStatus.VALID,
    VerdictStatus.UNVERIFIABLE,
)


def cited(judged: Sequence[Judged], *, verbose: bool) -> list[str]:
    """Return a line for each citation: broken ones first, then moved, ambiguous, valid, unverifiable.

    Unless ``verbose``, they are limited to the first ``_SHOWN``, or to all that are broken or moved if those are more,
    and a last line counts the others.
    """
    ordered = sorted(judged, key=lambda item: _ORDER.index(item.verdict.status))
    drifted = sum(item.verdict.status in _ORDER[:2] for item in ordered)
    kept = len(ordered) if verbose else max(_SHOWN, drifted)
    rest = Counter(item.verdict.status for item in ordered[kept:])
    lines = [_line(item) for item in ordered[:kept]]
    if rest:
        lines.append("and " + ", ".join(f"{rest[status]} more {status}" for status in _ORDER if rest[status]))
    return lines


def summed(signals: Sequence[Signal]) -> str:
    """Return the sum behind a base confidence; signals of the same amount are combined if there are many."""
    alike = Counter(one.amount for one in signals)
    parts: list[str] = []
    met: Counter[int] = Counter()
    for one in signals:
        amount = one.amount
        met[amount] += 1
        if met[amount] <= _SUMMED or alike[amount] == _SUMMED + 1:
            parts.append(f"{'+' if amount >= 0 else '−'} {abs(amount) / FULL:g} {one.label}")
        elif met[amount] == alike[amount]:
            parts.append(
                f"{'+' if amount >= 0 else '−'} {abs(amount) / FULL:g} for each of {alike[amount] - _SUMMED} more"
            )
    return " ".join(parts).removeprefix("+ ")


def _line(item: Judged) -> str:
    target = item.verdict.target
    same = target is None or target == item.citation.name or item.verdict.status is VerdictStatus.MOVED
    where = "" if same else f" → {target}"
    return f"{item.citation.text}{where}: {explained(item)}"
