"""Decay of confidence with age: the policies, and the time from which age counts. Never stored in a base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from intermem.entities import Record
from intermem.lazy_dataclass import dataclass

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearDecay:
    """Lose ``step`` thousandths per full ``period`` of the whole age, once it exceeds ``grace`` (S4)."""

    grace: timedelta = timedelta(days=14)
    period: timedelta = timedelta(days=14)
    step: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceExponentialDecay:
    """Lose ``rate`` of the rest with every full day after ``start``, but not below ``floor`` (thousandths) (S2)."""

    start: timedelta = timedelta(days=30)
    rate: float = 0.005
    floor: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfLifeDecay:
    """Lose half with every ``half_life``, from the first second (S3)."""

    half_life: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class NoDecay:
    """Lose nothing (S0's position A, S4's rollback)."""


DecayPolicy = LinearDecay | GraceExponentialDecay | HalfLifeDecay | NoDecay


class Basis(StrEnum):
    """When age starts to count: last seen, first seen, last returned by ``query``, or the latest of these.

    ``USED``, for ``prune`` alone, is accessed, or created if never; there ``ACCESSED`` has no time if never (seeds/S1).
    """

    SEEN = "seen"
    CREATED = "created"
    ACCESSED = "accessed"
    USED = "used"
    LATEST = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """The decay settings of a project: the policy, policies by type of entry, and the basis of age."""

    policy: DecayPolicy = LinearDecay()
    by_type: Mapping[str, DecayPolicy] = field(default_factory=dict)
    basis: Basis = Basis.SEEN

    def policy_for(self, kind: str) -> DecayPolicy:
        """Return the policy for entries of the type ``kind``."""
        return self.by_type.get(kind, self.policy)

    def since(self, record: Record) -> datetime:
        """Return the time from which the age of ``record`` counts."""
        return counted_from(record, self.basis)

    def left(self, record: Record, base: int, now: datetime) -> int:
        """Return the base confidence after decay at ``now`` (both in thousandths)."""
        return apply_decay_penalty(base, self.since(record), now, self.policy_for(record.type))


def counted_from(record: Record, basis: Basis) -> datetime:
    """Return the time for ``basis``, or when the entry was first seen if there is none (seeds/S3).

    What a team has seen counts as seen.
    """
    seen = record.held_at or record.last_seen
    if basis is Basis.CREATED:
        return record.first_seen
    if basis in (Basis.ACCESSED, Basis.USED):
        return record.last_accessed or record.first_seen
    if basis is Basis.LATEST:
        return max(record.first_seen, seen, record.last_accessed or record.first_seen)
    return seen


def last_seen_by_anybody(record: Record) -> datetime:
    """Return when a note was last seen: by this clone, or by whoever still holds it according to the ledger.

    It is what commands that select entries by age go by: what somebody sees is not old.
    """
    return max(record.last_seen, counted_from(record, Basis.SEEN))


def word_behind(record: Record, since: datetime) -> datetime | None:
    """Return the last word on a note if its age counts from ``since`` by it, and not from what anybody saw."""
    return record.last_word if since == record.held_at else None


def linear_penalty(age: timedelta, policy: LinearDecay) -> int:
    """Return the confidence lost to ``age``, in thousandths.

    Nothing up to and including the grace period, then one step per full period of the whole age. A
    negative age (clock set back) counts as zero.

    Source: seeds/S4, F1, first criterion; DESIGN.md §15.1.
    """
    if age <= policy.grace:
        return 0
    return policy.step * (age // policy.period)


def grace_exponential_factor(age: timedelta, policy: GraceExponentialDecay) -> float:
    """Return the factor that remains: 1.0 up to ``start``, then 1 − ``rate`` to the power of the full days since.

    Source: seeds/S2, strategy 1.
    """
    if age <= policy.start:
        return 1.0
    return float((1.0 - policy.rate) ** ((age - policy.start) // _DAY))


def half_life_factor(age: timedelta, half_life: timedelta) -> float:
    """Return the factor that remains at ``age``: 0.5 at ``half_life``. A negative age counts as zero.

    Raises ValueError if ``half_life`` is not longer than zero. Source: seeds/S3, milestone 3.
    """
    if half_life <= timedelta(0):
        raise ValueError("the half-life must be longer than zero")
    return float(0.5 ** (max(age, timedelta(0)) / half_life))


def apply_decay_penalty(confidence: int, last_seen: datetime, now: datetime, policy: DecayPolicy) -> int:
    """Return ``confidence`` (thousandths) after decay since ``last_seen``: never below 0, never more than before.

    Pure: the result for the same ``now`` is always the same, because it is never written back.
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
