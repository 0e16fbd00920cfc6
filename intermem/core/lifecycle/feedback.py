"""Feedback from people, and its effect on the confidence (seeds/S2, strategies 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from enum import StrEnum

from intermem.entities import Feedback
from intermem.lazy_dataclass import dataclass


class FeedbackKind(StrEnum):
    """The kinds of feedback on an entry."""

    CONFIRM = "confirm"
    INCORRECT = "incorrect"
    OUTDATED = "outdated"
    FORGET = "forget"
    FAILURE = "failure"


class FailureSeverity(StrEnum):
    """How severe a failure was that an entry led to."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """Thousandths to add for a confirmation, else to subtract. Source of the defaults: seeds/S2; DESIGN.md §7."""

    confirm: int = 100
    incorrect: int = 300
    failure: dict[FailureSeverity, int] = field(
        default_factory=lambda: {FailureSeverity.HIGH: 150, FailureSeverity.MEDIUM: 100, FailureSeverity.LOW: 50}
    )


def amount_of(kind: FeedbackKind, severity: str, amounts: Amounts) -> int:
    """Return the thousandths to add to the confidence; a failure of unknown severity counts as low.

    ``outdated`` and ``forget`` do not change the confidence.
    """
    if kind is FeedbackKind.CONFIRM:
        return amounts.confirm
    if kind is FeedbackKind.INCORRECT:
        return -amounts.incorrect
    if kind is FeedbackKind.FAILURE:
        known = FailureSeverity(severity.lower()) if severity.lower() in tuple(FailureSeverity) else FailureSeverity.LOW
        return -amounts.failure[known]
    return 0


def failures_in(given: Iterable[Feedback]) -> int:
    """Return the number of failures in ``given``."""
    return sum(1 for one in given if one.kind == FeedbackKind.FAILURE)


def described(one: Feedback) -> str:
    """Return feedback in words: its kind, context and note."""
    name = "flagged for review" if one.kind == FeedbackKind.FORGET else one.kind
    kind = f"{name} ({one.severity})" if one.severity else name
    return ": ".join(part for part in (kind, "; ".join(filter(None, (one.context, one.note)))) if part)


def without_words(one: Feedback) -> Feedback:
    """Return feedback without its context and note, and a severity that is none, which stay in this clone."""
    is_known = one.severity.lower() in tuple(FailureSeverity)
    return replace(one, context="", note="", severity=one.severity if is_known else "")
