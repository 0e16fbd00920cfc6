"""Which feedback that was given in this clone the ledger tells of, and which it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from intermem.core.reconcile.events import SUM, LedgerEvent, What
from intermem.entities import Feedback

SAME = timedelta(seconds=2)  # an event may be a second later than what it is about
_OUT = frozenset({What.DEMOTED, What.REJECTED})


class Given(NamedTuple):
    """Feedback that was given in this clone: on which entry, when, and so many thousandths."""

    entry_id: str
    at: datetime
    amount: int


def told_of(
    given: Iterable[Given], events: Sequence[LedgerEvent], owners: Mapping[str, str]
) -> tuple[set[LedgerEvent], Counter[Given]]:
    """Return the events that tell of what was ``given``, and how often each is left that none tells of.

    ``owners`` are the entries that ids in ``events`` belong to, if not to themselves. What was given in one moment the
    ledger has a second apart, and later if it knew of a word from a clock that is ahead: what says that it is of this
    clone is believed at any time. A sum tells of all that was left when it was written, as does, of an older version,
    what came with the event that put its entry into a document or took it out.
    """
    left = Counter(given)
    moments: Counter[tuple[str, datetime]] = Counter()
    for one, number in left.items():
        moments[one.entry_id, one.at] += number
    ours: set[LedgerEvent] = set()
    for event in sorted((one for one in events if one.what == What.FEEDBACK), key=lambda one: one.order):
        owner = owners.get(event.id, event.id)
        near = [
            one
            for one in left
            if (one.entry_id, one.amount) == (owner, event.amount) and one.at <= event.at and left[one] > 0
        ]
        last = max(near, key=lambda one: one.at, default=None)
        late = SAME + timedelta(seconds=moments[owner, last.at]) if last is not None else SAME
        if last is not None and (event.observer is not None or event.at - last.at <= late):
            left[last] -= 1
            ours.add(event)
            continue
        waiting = {one: left[one] for one in left if one.entry_id == owner and one.at <= event.at and left[one] > 0}
        is_sum = bool(event.amount) and sum(one.amount * number for one, number in waiting.items()) == event.amount
        if waiting and event.kind == SUM:
            left.subtract(waiting)  # of ``doctor --compact``, it may be that of several clones
            ours |= {event} if is_sum else set()
        elif waiting and is_sum and any(_is_placing(one, event) for one in events):
            left.subtract(waiting)
            ours.add(event)
    return ours, +left


def is_of(event: LedgerEvent, observer: str | None) -> bool:
    """Return whether ``event`` may tell of what was given in this clone, the ``observer``; some do not say where."""
    return event.what != What.FEEDBACK or event.observer in (None, observer)


def _is_placing(one: LedgerEvent, event: LedgerEvent) -> bool:
    """Return whether ``one`` put the entry of ``event`` into a document, or took it out, in the same moment."""
    is_put = one.what in _OUT or (one.what in (What.PROMOTED, What.RESTORED) and bool(one.document))
    return is_put and one.id == event.id and abs(one.at - event.at) <= SAME


def untold(
    given: Sequence[Feedback], entry_id: str, events: Iterable[LedgerEvent], observer: str | None
) -> list[Feedback]:
    """Return the feedback ``given`` in this clone, the ``observer``, of which none of an entry's ``events`` tells."""
    felt = [one for one in given if one.amount]
    events = tuple(one for one in events if is_of(one, observer))
    owners = {event.id: entry_id for event in events}
    _, left = told_of((Given(entry_id, one.at, one.amount) for one in felt), events, owners)
    found = []
    for one in felt:
        key = Given(entry_id, one.at, one.amount)
        if left[key] > 0:
            left[key] -= 1
            found.append(one)
    return found
