"""What age takes from a confidence. One policy a project; decay is never written into a base."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearDecay:
    """``step`` thousandths lost per full ``period`` of the whole age, once it is past ``grace``."""

    grace: timedelta = timedelta(days=14)
    period: timedelta = timedelta(days=14)
    step: int = 100


@dataclass(frozen=True, slots=True)
class NoDecay:
    """Nothing is lost to age (S4's rollback)."""


DecayPolicy = LinearDecay | NoDecay


def linear_penalty(age: timedelta, policy: LinearDecay) -> int:
    """Return the confidence lost to ``age``, in thousandths.

    Nothing up to and including the grace, then one step per full period of the whole age. An age
    below zero (a clock set back) counts as zero.

    Source: seeds/S4, F1, first criterion; DESIGN.md §15.1.
    """
    if age <= policy.grace:
        return 0
    return policy.step * (age // policy.period)


def apply_decay_penalty(confidence: int, last_seen: datetime, now: datetime, policy: DecayPolicy) -> int:
    """Return ``confidence`` (thousandths) after decay since ``last_seen``; never below 0."""
    if isinstance(policy, NoDecay):
        return confidence
    return max(0, confidence - linear_penalty(now - last_seen, policy))
