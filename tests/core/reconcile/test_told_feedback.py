"""Which of a clone's own feedback the ledger tells of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.told_feedback import untold
from intermem.entities import Feedback

KEY = "ab" * 8
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def given(amount: int, minute: int = 0, kind: str = "confirm") -> Feedback:
    return Feedback(at=NOON + timedelta(minutes=minute), kind=kind, amount=amount)


def told(amount: int, second: int = 0, **more: str) -> LedgerEvent:
    return LedgerEvent(id=KEY, at=NOON + timedelta(seconds=second), what=What.FEEDBACK, amount=amount, **more)


def test_what_an_event_of_its_moment_and_amount_tells_is_told() -> None:
    assert untold([given(100), given(-300, 5)], KEY, [told(100, 1)], None) == [given(-300, 5)]
    assert untold([given(100)], KEY, [told(-100)], None) == [given(100)]


def test_each_event_tells_of_one() -> None:
    assert untold([given(100), given(100)], KEY, [told(100)], None) == [given(100)]
    assert untold([given(100), given(100)], KEY, [told(100), told(100, 1)], None) == []


def test_what_came_long_before_or_after_is_of_others() -> None:
    assert untold([given(100, 1)], KEY, [told(100)], None) == [given(100, 1)]
    assert untold([given(100)], KEY, [told(100, 600)], None) == [given(100)]


def test_a_sum_tells_of_all_that_was_left() -> None:
    assert untold([given(100), given(-300, 5)], KEY, [told(-200, 600, kind="sum")], None) == []
    assert untold([given(100), given(-300, 5)], KEY, [told(-200, 600)], None) != []


def test_what_another_clone_gave_is_not_ours() -> None:
    assert untold([given(100)], KEY, [told(100, observer="0000aaaa")], "0000bbbb") == [given(100)]
    assert untold([given(100)], KEY, [told(100, observer="0000bbbb")], "0000bbbb") == []
    assert untold([given(100)], KEY, [told(100)], "0000bbbb") == []


def test_a_flag_is_worth_nothing_and_no_feedback_that_adds_up() -> None:
    assert untold([given(0, kind="outdated")], KEY, [], None) == []
