"""Who has seen an entry: how old it is according to the observers, the clones with a memory of their own.

A run without a memory is no observer, and ages nobody's notes by its own ignorance. Source: DESIGN.md §7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from intermem.core.reconcile.events import OF_OBSERVERS, LedgerEvent, What
from intermem.core.reconcile.ledger import Ledger, Line, Standing
from intermem.core.times import LONG_AGO, is_ahead
from intermem.entities import Record
from intermem.lazy_dataclass import dataclass

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A silent observer counts as holding for ``patience``; it says that it is alive once a ``heartbeat``."""

    patience: timedelta = timedelta(days=180)
    heartbeat: timedelta = timedelta(days=84)


class Voice(NamedTuple):
    """Until when an observer held an entry, and the recorded time of the ``word`` that says so."""

    until: datetime
    word: datetime


def was_held_here(record: Record, line: Line) -> bool:
    """Return whether the memory of this clone held the note: a record that only the ledger made knows no later time."""
    return record.counted_at is not None or (record.last_seen > line.last_seen and not record.echoed)


def last_held(ledger: Ledger, line: Line, now: datetime, silence: Silence, without: str | None = None) -> datetime:
    """Return when an observer held the entry last, as the youngest voice has it."""
    return youngest_voice(ledger, line, now, silence, without).until


def youngest_voice(ledger: Ledger, line: Line, now: datetime, silence: Silence, without: str | None = None) -> Voice:
    """Return the voice of the observer that held the entry last: until ``now`` if one holds it that is alive.

    One that is silent held it until its last sign of life and ``silence.patience``; so does nobody, if no event names
    an observer. The youngest of all voices counts. The observer ``without`` is not asked; if it is the only one, the
    entry is as old as its line.
    """
    voices = []
    for observer, holding in line.holders.items():
        if observer == without:
            continue
        sign = ledger.signs.get(observer, holding.at)
        voices.append(_believed(sign, now, silence) if holding.holds else Voice(holding.at, holding.at))
    if not line.holders:
        sign = max(line.since, line.last_seen)
        voices.append(_believed(sign, now, silence) if line.is_dated else Voice(LONG_AGO, LONG_AGO))
    return max(voices, default=Voice(line.first_seen, line.first_seen))


def _believed(sign: datetime, now: datetime, silence: Silence) -> Voice:
    return Voice(max(sign, now) if now - sign <= silence.patience else sign + silence.patience, sign)


def heartbeat_of(
    ledger: Ledger, observer: str, new: Sequence[LedgerEvent], now: datetime, silence: Silence
) -> LedgerEvent | None:
    """Return the sign of life that ``observer`` owes at ``now``: one a period in which it gave no other.

    None if it holds nothing that is promoted. Two branches write the same event.
    """
    lines = {line.entry_id: line for line in ledger.lines.values() if line.status is Standing.PROMOTED}
    held = {key for key, line in lines.items() if observer in line.holders and line.holders[observer].holds}
    seen = [event for event in new if event.observer == observer and event.what != What.FEEDBACK]
    for event in seen:
        (held.discard if event.what == What.LOST else held.add)(event.id)
    start = period_start(now, silence.heartbeat)
    signs = [event.at for event in seen]
    if observer in ledger.signs:
        signs.append(ledger.signs[observer])
    if not held or any(sign >= start for sign in signs):
        return None
    return LedgerEvent(id=observer, at=start, what=What.ALIVE)


def period_start(now: datetime, length: timedelta) -> datetime:
    """Return when the period that ``now`` is in began; periods of ``length`` are counted from 1970."""
    seconds = max(int(length.total_seconds()), 1)
    past = int((now - _EPOCH).total_seconds()) // seconds
    return _EPOCH + timedelta(seconds=past * seconds)


def counted_events(events: Sequence[LedgerEvent], now: datetime) -> list[LedgerEvent]:
    """Return ``events`` without what they say of observers in the future: it proves nothing yet."""
    found = []
    for one in events:
        if not is_ahead(one.at, now):
            found.append(one)
        elif one.what not in OF_OBSERVERS:
            found.append(replace(one, observer=None))
    return found
