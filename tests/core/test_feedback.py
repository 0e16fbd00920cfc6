"""What feedback is worth, and how it is told (seeds/S2, strategies 2 and 3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.confidence import Weights, compute_confidence
from intermem.core.feedback import Kind, Severity, Worth, amount_of, described, failures_in
from intermem.entities import Feedback

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "severity", "amount"),
    [
        (Kind.CONFIRM, "", 100),
        (Kind.INCORRECT, "", -300),
        (Kind.OUTDATED, "", 0),
        (Kind.FORGET, "", 0),
        (Kind.FAILURE, "high", -150),
        (Kind.FAILURE, "HIGH", -150),
        (Kind.FAILURE, "medium", -100),
        (Kind.FAILURE, "low", -50),
        (Kind.FAILURE, "", -50),
        (Kind.FAILURE, "catastrophic", -50),
    ],
)
def test_feedback_is_worth_what_the_seed_says(kind: Kind, severity: str, amount: int) -> None:
    assert amount_of(kind, severity, Worth()) == amount


@given(st.text())
def test_a_failure_of_any_severity_takes_something(severity: str) -> None:
    assert amount_of(Kind.FAILURE, severity, Worth()) in (-150, -100, -50)


def test_a_severity_moves_nothing_but_failures() -> None:
    assert amount_of(Kind.CONFIRM, "high", Worth()) == 100
    assert amount_of(Kind.INCORRECT, "low", Worth()) == -300


def test_what_feedback_is_worth_is_a_setting() -> None:
    worth = Worth(confirm=1, incorrect=2, failure={Severity.HIGH: 5, Severity.MEDIUM: 4, Severity.LOW: 3})
    kinds = [(Kind.CONFIRM, ""), (Kind.INCORRECT, ""), *((Kind.FAILURE, one) for one in ("high", "medium", "low", "x"))]
    assert [amount_of(kind, severity, worth) for kind, severity in kinds] == [1, -2, -5, -4, -3, -3]


def said(kind: Kind, **more: str) -> Feedback:
    return Feedback(at=NOW, kind=kind, amount=0, **more)


def test_only_failures_are_counted_as_failures() -> None:
    assert failures_in([said(Kind.FAILURE), said(Kind.INCORRECT), said(Kind.FAILURE), said(Kind.CONFIRM)]) == 2
    assert failures_in([]) == 0


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (said(Kind.CONFIRM), "confirm"),
        (said(Kind.FAILURE, severity="high"), "failure (high)"),
        (said(Kind.FAILURE, severity="low", context="release"), "failure (low): release"),
        (said(Kind.OUTDATED, note="it moved"), "outdated: it moved"),
        (said(Kind.FORGET, context="review", note="no use"), "forget: review; no use"),
    ],
)
def test_feedback_is_told_with_all_that_was_said(one: Feedback, words: str) -> None:
    assert described(one) == words


@given(st.lists(st.sampled_from([100, -300, -150, -100, -50]), max_size=30))
def test_a_confidence_stays_a_confidence_whatever_is_said(amounts: list[int]) -> None:
    """The sum is clamped once, at the end: what was said early is not lost to the bounds."""
    total = sum(amounts)
    assert compute_confidence((), 1, Weights(), total) == max(0, min(1000, 500 + total))
