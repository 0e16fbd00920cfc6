"""What feedback is worth, and how it is told (seeds/S2, strategies 2 and 3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.lifecycle.confidence import Weights, compute_confidence
from intermem.core.lifecycle.feedback import Amounts, FailureSeverity, FeedbackKind, amount_of, described, failures_in
from intermem.entities import Feedback

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "severity", "amount"),
    [
        (FeedbackKind.CONFIRM, "", 100),
        (FeedbackKind.INCORRECT, "", -300),
        (FeedbackKind.OUTDATED, "", 0),
        (FeedbackKind.FORGET, "", 0),
        (FeedbackKind.FAILURE, "high", -150),
        (FeedbackKind.FAILURE, "HIGH", -150),
        (FeedbackKind.FAILURE, "medium", -100),
        (FeedbackKind.FAILURE, "low", -50),
        (FeedbackKind.FAILURE, "", -50),
        (FeedbackKind.FAILURE, "catastrophic", -50),
    ],
)
def test_feedback_is_worth_what_the_seed_says(kind: FeedbackKind, severity: str, amount: int) -> None:
    assert amount_of(kind, severity, Amounts()) == amount


@given(st.text())
def test_a_failure_of_any_severity_takes_something(severity: str) -> None:
    assert amount_of(FeedbackKind.FAILURE, severity, Amounts()) in (-150, -100, -50)


def test_a_severity_moves_nothing_but_failures() -> None:
    assert amount_of(FeedbackKind.CONFIRM, "high", Amounts()) == 100
    assert amount_of(FeedbackKind.INCORRECT, "low", Amounts()) == -300


def test_what_feedback_is_worth_is_a_setting() -> None:
    amounts = Amounts(
        confirm=1, incorrect=2, failure={FailureSeverity.HIGH: 5, FailureSeverity.MEDIUM: 4, FailureSeverity.LOW: 3}
    )
    kinds = [
        (FeedbackKind.CONFIRM, ""),
        (FeedbackKind.INCORRECT, ""),
        *((FeedbackKind.FAILURE, one) for one in ("high", "medium", "low", "x")),
    ]
    assert [amount_of(kind, severity, amounts) for kind, severity in kinds] == [1, -2, -5, -4, -3, -3]


def said(kind: FeedbackKind, **more: str) -> Feedback:
    return Feedback(at=NOW, kind=kind, amount=0, **more)


def test_only_failures_are_counted_as_failures() -> None:
    assert (
        failures_in(
            [
                said(FeedbackKind.FAILURE),
                said(FeedbackKind.INCORRECT),
                said(FeedbackKind.FAILURE),
                said(FeedbackKind.CONFIRM),
            ]
        )
        == 2
    )
    assert failures_in([]) == 0


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (said(FeedbackKind.CONFIRM), "confirm"),
        (said(FeedbackKind.FAILURE, severity="high"), "failure (high)"),
        (said(FeedbackKind.FAILURE, severity="low", context="release"), "failure (low): release"),
        (said(FeedbackKind.OUTDATED, note="it moved"), "outdated: it moved"),
        (said(FeedbackKind.FORGET, context="review", note="no use"), "flagged for review: review; no use"),
    ],
)
def test_feedback_is_told_with_all_that_was_said(one: Feedback, words: str) -> None:
    assert described(one) == words


@given(st.lists(st.sampled_from([100, -300, -150, -100, -50]), max_size=30))
def test_a_confidence_stays_a_confidence_whatever_is_said(amounts: list[int]) -> None:
    """The sum is clamped once, at the end: what was said early is not lost to the bounds."""
    total = sum(amounts)
    assert compute_confidence((), 1, Weights(), total) == max(0, min(1000, 500 + total))
