"""How old an entry is according to those who have seen it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.observers import Silence, Voice, counted_events, last_held, period_start, youngest_voice
from tests.core.reconcile.test_fold import ME, YOU, A, day, event, old

SILENCE = Silence()


def held_at(now: datetime, *events: LedgerEvent, without: str | None = None) -> datetime:
    ledger = folded([event(What.PROMOTED), *events])
    return last_held(ledger, ledger.lines[A], now, SILENCE, without)


def test_what_an_observer_holds_that_is_alive_is_as_young_as_can_be() -> None:
    assert held_at(day(50), event(What.HELD, 1, observer=ME)) == day(50)


def test_what_an_observer_lost_is_as_old_as_the_last_snapshot_that_held_it() -> None:
    lost = (event(What.HELD, 1, observer=ME), event(What.LOST, 3.25, observer=ME))
    assert held_at(day(50), *lost) == day(3.25)
    assert held_at(day(50), *lost, event(What.HELD, 2, observer=YOU)) == day(50), "the youngest voice counts"
    assert held_at(day(50), *lost, event(What.LOST, 7, observer=YOU)) == day(7)


@pytest.mark.parametrize(("days", "age"), [(180, 0), (181, 1), (200, 20)])
def test_on_day_181_of_a_silence_what_was_held_is_one_day_old(days: int, age: int) -> None:
    now = day(days)
    assert now - held_at(now, event(What.HELD, 0, observer=ME)) == timedelta(days=age)


def test_the_youngest_voice_says_which_word_it_goes_by() -> None:
    ledger = folded([event(What.PROMOTED), event(What.HELD, 1, observer=ME), event(What.LOST, 2, observer=YOU)])
    line = ledger.lines[A]
    assert youngest_voice(ledger, line, day(50), SILENCE) == Voice(day(50), day(1))
    assert youngest_voice(ledger, line, day(190), SILENCE) == Voice(day(181), day(1))
    assert youngest_voice(ledger, line, day(190), SILENCE, without=ME) == Voice(day(2), day(2))


def test_any_event_of_an_observer_is_a_sign_of_life() -> None:
    alive = LedgerEvent(id=ME, at=day(84), what=What.ALIVE)
    assert held_at(day(250), event(What.HELD, 0, observer=ME), alive) == day(250)
    assert held_at(day(265), event(What.HELD, 0, observer=ME), alive) == day(264)


def test_what_nobody_claims_to_hold_was_held_by_somebody_silent_since_its_promotion() -> None:
    assert held_at(day(180)) == day(180)
    assert held_at(day(190)) == day(180)
    ledger = folded([], {A: old(A, since=day(-9), last_seen=day(-2))})
    assert last_held(ledger, ledger.lines[A], day(190), SILENCE) == day(178), "0.1 says when it was seen"


def test_the_observer_that_a_run_is_itself_is_not_asked() -> None:
    own = event(What.HELD, 1, observer=ME)
    assert held_at(day(50), own, without=ME) == day(0)
    assert held_at(day(50), own, event(What.LOST, 9, observer=YOU), without=ME) == day(9)


def test_periods_are_the_same_for_everybody() -> None:
    starts = {period_start(day(number), timedelta(days=84)) for number in range(85)}
    assert len(starts) == 2 and max(starts) - min(starts) == timedelta(days=84)


def test_what_is_said_of_the_future_proves_nothing() -> None:
    now = day(0)
    planted = [
        event(What.HELD, 900, observer=ME),
        LedgerEvent(id=YOU, at=day(900), what=What.ALIVE),
        event(What.PROMOTED, 900, observer=YOU),
    ]
    (found,) = counted_events(planted, now)
    assert found.what is What.PROMOTED and found.observer is None
    near = [event(What.HELD, 0.9, observer=ME)]
    assert counted_events(near, now) == near, "clocks may differ by a day"
