"""Base confidence: computed from an entry's citations, observations and feedback, before decay."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from intermem.entities import FULL, MENTIONED, Judged, VerdictStatus
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights in thousandths. Source of the defaults: seeds/S4; DESIGN.md §7."""

    base: int = 500
    valid: int = 300
    broken: int = 400
    stable: int = 200
    stable_snapshots: int = 5


# Kinds that name a word of the code. Naming many is easy and says less than one path: all together they count once.
NAMES = frozenset({"symbol", "env", "config"})


@dataclass(frozen=True, slots=True)
class Signal:
    """One component of a confidence: a label, and the thousandths that it adds or subtracts."""

    label: str
    amount: int


def signals(judged: Iterable[Judged], snapshot_count: int, weights: Weights, feedback: int = 0) -> tuple[Signal, ...]:
    """Return the components of a base confidence, in order; it is their sum, clamped.

    A kind and target counts once. Valid citations of the kinds in ``NAMES`` are one component.
    """
    found = [Signal("every entry starts with", weights.base)]
    told = _distinct(judged)
    others = sum(map(_is_valid_name, told)) - 1
    is_named = False
    for item in told:
        label = f"{item.verdict.status} {item.citation.kind} {item.citation.text}"
        if _is_valid_name(item):
            if is_named:
                continue
            is_named = True
            if others:
                label += f" and {others} more name{'' if others == 1 else 's'}"
        found.append(Signal(label, weights.valid if item.verdict.status is VerdictStatus.VALID else -weights.broken))
    if snapshot_count >= weights.stable_snapshots:
        found.append(Signal(f"seen in {snapshot_count} snapshot{'' if snapshot_count == 1 else 's'}", weights.stable))
    if feedback:
        found.append(Signal("feedback", feedback))
    return tuple(found)


def _distinct(judged: Iterable[Judged]) -> list[Judged]:
    """Return the valid and the broken citations, the first of each kind and target; not those only mentioned."""
    found: dict[tuple[str, str, str], Judged] = {}
    for item in judged:
        verdict = item.verdict
        if verdict.status in (VerdictStatus.VALID, VerdictStatus.BROKEN) and verdict.reason != MENTIONED:
            target = verdict.target or posixpath.normpath(item.citation.name)
            found.setdefault((verdict.status, item.citation.kind, target), item)
    return list(found.values())


def _is_valid_name(item: Judged) -> bool:
    return item.verdict.status is VerdictStatus.VALID and item.citation.kind in NAMES


def compute_confidence(judged: Iterable[Judged], snapshot_count: int, weights: Weights, feedback: int = 0) -> int:
    """Return the base confidence in thousandths, 0..1000. It does not depend on the time (seeds/S4, F1)."""
    return clamped(sum(signal.amount for signal in signals(judged, snapshot_count, weights, feedback)))


def clamped(amount: int) -> int:
    """Return ``amount`` limited to 0..1000."""
    return max(0, min(FULL, amount))


def signed(thousandths: int) -> str:
    """Return thousandths as people read a change of them: ``+0.12``, ``−0.3``."""
    return f"{'−' if thousandths < 0 else '+'}{shown(abs(thousandths))}"


def amount_of(figure: str) -> int:
    """Return the thousandths that ``signed`` gave as ``figure``; 0 for an empty one."""
    return round(float(figure.replace("−", "-") or 0) * FULL)


def shown(thousandths: int) -> str:
    """Return a confidence for display: ``0.3``, ``0.75``, ``1.0``."""
    text = f"{thousandths / FULL:.3f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
