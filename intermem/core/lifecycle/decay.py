"""What age takes from a confidence: the policies, and from when age is counted. Never written into a base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from intermem.entities import Record

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearDecay:
    """``step`` thousandths lost per full ``period`` of the whole age, once it is past ``grace`` (S4)."""

    grace: timedelta = timedelta(days=14)
    period: timedelta = timedelta(days=14)
    step: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceExponentialDecay:
    """``rate`` of the rest lost with every whole day past ``start``; not below ``floor`` (thousandths) by that (S2)."""

    start: timedelta = timedelta(days=30)
    rate: float = 0.005
    floor: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfLifeDecay:
    """Half of it lost with every ``half_life``, from the first second on (S3)."""

    half_life: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class NoDecay:
    """Nothing is lost to age (S0's position A, S4's rollback)."""


DecayPolicy = LinearDecay | GraceExponentialDecay | HalfLifeDecay | NoDecay


class Basis(StrEnum):
    """From when age is counted: last seen, first seen, last returned by ``query``, or the latest of these."""

    SEEN = "seen"
    CREATED = "created"
    ACCESSED = "accessed"
    LATEST = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """How a project's entries fade: a policy, others for some types of entry, and from when age is counted."""

    policy: DecayPolicy = LinearDecay()
    by_type: Mapping[str, DecayPolicy] = field(default_factory=dict)
    basis: Basis = Basis.SEEN

    def policy_for(self, kind: str) -> DecayPolicy:
        """Return the policy for entries of the type ``kind``."""
        return self.by_type.get(kind, self.policy)

    def since(self, record: Record) -> datetime:
        """Return from when the age of ``record`` is counted."""
        return counted_from(record, self.basis)

    def left(self, record: Record, base: int, now: datetime) -> int:
        """Return what is left at ``now`` of a base confidence (both in thousandths)."""
        return apply_decay_penalty(base, self.since(record), now, self.policy_for(record.type))


def counted_from(record: Record, basis: Basis) -> datetime:
    """Return the time that ``basis`` names; where there is none, when the entry was first seen (seeds/S3)."""
    if basis is Basis.CREATED:
        return record.first_seen
    if basis is Basis.ACCESSED:
        return record.last_accessed or record.first_seen
    if basis is Basis.LATEST:
        return max(record.first_seen, record.last_seen, record.last_accessed or record.first_seen)
    return record.last_seen


def linear_penalty(age: timedelta, policy: LinearDecay) -> int:
    """Return the confidence lost to ``age``, in thousandths.

    Nothing up to and including the grace, then one step per full period of the whole age. An age
    below zero (a clock set back) counts as zero.

    Source: seeds/S4, F1, first criterion; DESIGN.md §15.1.
    """
    if age <= policy.grace:
        return 0
    return policy.step * (age // policy.period)


def grace_exponential_factor(age: timedelta, policy: GraceExponentialDecay) -> float:
    """Return what is left of 1.0: all of it up to ``start``, then 1 − ``rate`` to the power of the whole days since.

    Source: seeds/S2, strategy 1.
    """
    if age <= policy.start:
        return 1.0
    return float((1.0 - policy.rate) ** ((age - policy.start) // _DAY))


def half_life_factor(age: timedelta, half_life: timedelta) -> float:
    """Return what is left of 1.0 at ``age``: 1.0, 0.5 at ``half_life``, towards 0. Below zero age counts as zero.

    Raises ValueError where ``half_life`` is not longer than zero. Source: seeds/S3, milestone 3.
    """
    if half_life <= timedelta(0):
        raise ValueError("a half-life is longer than zero")
    return float(0.5 ** (max(age, timedelta(0)) / half_life))


def apply_decay_penalty(confidence: int, last_seen: datetime, now: datetime, policy: DecayPolicy) -> int:
    """Return ``confidence`` (thousandths) after decay since ``last_seen``: never below 0, never more than before.

    Pure: the same at the same ``now``, however often it is asked, since nobody writes it back.
    """
    age = now - last_seen
    match policy:
        case NoDecay():
            return confidence
        case LinearDecay():
            return max(0, confidence - linear_penalty(age, policy))
        case GraceExponentialDecay():
            faded = round(confidence * grace_exponential_factor(age, policy))
            return max(faded, min(policy.floor, confidence))
        case HalfLifeDecay():
            return round(confidence * half_life_factor(age, policy.half_life))
