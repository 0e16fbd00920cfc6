"""Compact old events of the ledger: what later ones have superseded goes, and the state stays the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from intermem.core.reconcile.events import CONFIRM, FAILURE, OF_OBSERVERS, STANDING, SUM, LedgerEvent, What
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import Line
from intermem.lazy_dataclass import dataclass

_PINS = frozenset({What.PINNED, What.UNPINNED})
_PLACED = frozenset({What.PROMOTED, What.RESTORED})
_KEPT = frozenset({What.PURGED})
_FULL = 1000  # what one event may add, in thousandths


@dataclass(frozen=True, slots=True)
class Compaction:
    """The events that go, those that take their place, and the number of entries that they are about."""

    gone: tuple[LedgerEvent, ...] = ()
    new: tuple[LedgerEvent, ...] = ()
    entries: int = 0


def compacted(events: Iterable[LedgerEvent], before: datetime, old: Mapping[str, Line]) -> Compaction:
    """Return how the events earlier than ``before`` are compacted: one about where each entry stands, one of its pin,
    one of its feedback, one of each observer.

    ``old`` are the lines of a ledger of 0.1, whose entries are left as they are. Every entry is folded again, and left
    alone if it would not be the same.
    """
    by_entry: dict[str, list[LedgerEvent]] = {}
    for event in events:
        by_entry.setdefault(event.id, []).append(event)
    known = {name for line in old.values() for name in line.names}
    gone: list[LedgerEvent] = []
    new: list[LedgerEvent] = []
    entries = 0
    for key in sorted(by_entry.keys() - known):
        own = sorted(by_entry[key], key=lambda one: one.order)
        early = [one for one in own if one.at < before and one.what in set(What) - _KEPT]
        kept = _summary(early)
        rest = [one for one in own if one not in early]
        if len(kept) < len(early) and _is_same([*rest, *kept], own):
            gone += [one for one in early if one not in kept]
            new += [one for one in kept if one not in early]
            entries += 1
    return Compaction(tuple(gone), tuple(new), entries)


def _summary(early: list[LedgerEvent]) -> list[LedgerEvent]:
    """Return the fewest events that say what ``early`` says of one entry, or of one observer."""
    line = next(iter(folded(early).lines.values()), None)
    kept: list[LedgerEvent] = []
    standing = [one for one in early if one.what in STANDING]
    if standing and line is not None:
        is_out = standing[-1].what not in _PLACED
        if is_out and line.confidence is not None:
            kept += [one for one in standing if one.what in _PLACED][-1:]  # it has the base confidence
        kept.append(
            replace(
                standing[-1],
                document=line.document,
                section=line.section,
                type=line.type,
                written=line.id,
                was=tuple(name for name in line.was if name != standing[-1].id),
                same=line.same,
                first_seen=line.first_seen,
                snapshots=line.snapshots,
                confidence=line.final_confidence if is_out else line.confidence,
            )
        )
    elif standing:
        kept += standing
    kept += [one for one in early if one.what in _PINS][-1:]
    kept += _feedback_of(early)
    said = {(one.observer, one.at) for one in kept if one.what in _PLACED}
    holders = sorted(line.holders.items()) if line is not None else []
    losses = {one.observer: one for one in early if one.what == What.LOST}
    for observer, holding in holders:
        if not holding.holds:
            kept.append(replace(losses[observer], snapshots=None))
        elif (observer, holding.at) not in said:
            kept.append(LedgerEvent(id=early[0].id, at=holding.at, what=What.HELD, observer=observer))
    if line is None:
        kept += [one for one in early if one.what in OF_OBSERVERS and one.what != What.ALIVE]
    return kept + [one for one in early if one.what == What.ALIVE][-1:]


def _feedback_of(early: list[LedgerEvent]) -> list[LedgerEvent]:
    """Return the feedback of ``early``: each failure, as they are counted, the last review, and the sum of the rest."""
    felt = [one for one in early if one.what == What.FEEDBACK]
    failures = [one for one in felt if one.kind == FAILURE]
    rest = [one for one in felt if one.kind != FAILURE]
    total = sum(one.amount for one in rest)
    if len(rest) < 2 or abs(total) > _FULL:
        return felt
    review = [one for one in rest if one.flags is not None][-1:]
    # Also of 0: it says to those who gave it that it is told.
    summed = replace(rest[-1], amount=total, kind=SUM, cause="", observer=None)
    return [*failures, *(replace(one, amount=0, kind=one.kind or CONFIRM) for one in review), summed]


def _is_same(events: list[LedgerEvent], before: list[LedgerEvent]) -> bool:
    now, then = folded(events), folded(before)
    return now.lines == then.lines and now.signs == then.signs and now.reviews == then.reviews
