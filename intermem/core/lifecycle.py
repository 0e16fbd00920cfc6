"""Stale or not, demoted or not, promotable or not, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from intermem.core.confidence import Weights, compute_confidence, shown
from intermem.core.decay import DecayPolicy, NoDecay, apply_decay_penalty
from intermem.core.times import format_age, format_date
from intermem.entities import Judged, Record, Status, VerdictStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The numbers of the lifecycle (DESIGN.md §7). ``stale_below`` is in thousandths."""

    weights: Weights
    decay: DecayPolicy
    stale_below: int = 300
    demote_streak: int = 2
    sweep_interval: timedelta = timedelta(0)
    grace: timedelta = timedelta(days=14)
    min_snapshots: int = 3
    max_lines: int = 12
    types: frozenset[str] = frozenset({"project", "reference", "feedback", "untyped"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """A record's figures at one moment: thousandths, and whether it is stale."""

    base: int
    confidence: int
    stale: bool

    @property
    def decayed(self) -> bool:
        """True where age has taken something."""
        return self.confidence < self.base


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an entry is not promoted: the gate's name, and the reason in words and numbers."""

    gate: str
    reason: str


def assess(record: Record, judged: Iterable[Judged], now: datetime, rules: Rules) -> Assessment:
    """Return the figures of ``record`` at ``now``.

    Pinned entries neither decay nor go stale.
    """
    base = compute_confidence(judged, record.snapshot_count, rules.weights, record.feedback)
    if record.pinned:
        return Assessment(base=base, confidence=base, stale=False)
    confidence = apply_decay_penalty(base, record.last_seen, now, rules.decay)
    return Assessment(base=base, confidence=confidence, stale=is_stale(base, confidence, rules.stale_below))


def is_stale(base: int, confidence: int, stale_below: int) -> bool:
    """True below the threshold, or where decay has brought the confidence exactly to it.

    An undecayed 0.3 is not stale: DESIGN.md §15.2 (seeds/S4 wants both "< 0.3" and an uncited
    entry stale after 28 days, which stands at exactly 0.3).
    """
    return confidence < stale_below or (confidence == stale_below and confidence < base)


def next_streak(streak: int, stale: bool) -> int:
    """Return the stale streak after a sweep: one more where stale, else 0 (seeds/S4, F2)."""
    return streak + 1 if stale else 0


def has_grace(record: Record, now: datetime) -> bool:
    """True where no sweep counts against the entry yet: a person brought it back not long ago."""
    return record.grace_until is not None and now <= record.grace_until


def counts_as_sweep(last_sweep: datetime | None, now: datetime, rules: Rules) -> bool:
    """True where a sweep at ``now`` moves streaks: ``sweep.min_interval`` has passed since the last.

    A last sweep in the future (a clock set back) holds nothing up.
    """
    return last_sweep is None or now < last_sweep or now - last_sweep >= rules.sweep_interval


def is_demotable(record: Record, stale: bool, streak: int, rules: Rules) -> bool:
    """True where a promoted entry has been stale for enough sweeps in a row and is not pinned."""
    return record.document is not None and stale and not record.pinned and streak >= rules.demote_streak


def status_after(record: Record, stale: bool) -> Status:
    """Return the status of a record that is not demoted now: demotion ends only by promotion."""
    if record.status is Status.DEMOTED:
        return Status.DEMOTED
    return Status.STALE if stale else Status.ACTIVE


def stale_reason(record: Record, assessment: Assessment, judged: Iterable[Judged], now: datetime) -> str:
    """Return why an entry stands where it stands, in numbers, with the commits that caused it."""
    parts = [f"confidence {shown(assessment.confidence)}"]
    if assessment.decayed:
        age = format_age(now - record.last_seen)
        parts.append(f"not seen for {age} (since {format_date(record.last_seen)}), down from {shown(assessment.base)}")
    parts += [f"cites {item.citation.text}: {explained(item)}" for item in judged if _counts_against(item)]
    return "; ".join(parts)


def _counts_against(item: Judged) -> bool:
    return item.verdict.status is VerdictStatus.BROKEN


def explained(item: Judged) -> str:
    """Return a verdict in words: status, target, reason, commit and date."""
    verdict = item.verdict
    words: list[str] = [str(verdict.status)]
    if verdict.status is VerdictStatus.MOVED and verdict.target:
        words.append(f"to {verdict.target}")
    if verdict.reason:
        words.append(f"({verdict.reason})")
    if verdict.commit:
        words.append(f"in {verdict.commit[:10]}")
    if verdict.date:
        words.append(f"on {verdict.date}")
    return " ".join(words)


def goes_stale_at(record: Record, base: int, now: datetime, rules: Rules) -> datetime | None:
    """Return when the entry is stale if nobody sees it again and nothing it cites changes.

    ``now`` where it already is, None where it never will be.
    """
    if record.pinned:
        return None
    if is_stale(base, apply_decay_penalty(base, record.last_seen, now, rules.decay), rules.stale_below):
        return now
    policy = rules.decay
    if isinstance(policy, NoDecay) or policy.step <= 0:
        return None
    periods = max(1, -(-(base - rules.stale_below) // policy.step))
    try:
        age = periods * policy.period
        if age <= policy.grace:
            age = policy.grace + timedelta(seconds=1)
        return max(record.last_seen + age, now)
    except OverflowError:  # beyond the year 9999: never, for all who read this
        return None


def gate(
    record: Record, assessment: Assessment, judged: Iterable[Judged], now: datetime, rules: Rules
) -> Refusal | None:
    """Return why a record may not be promoted, judged by itself; None where nothing is against it.

    Duplicates, secrets and the budget depend on more than the record: see ``core.promoter``.
    """
    if record.text is None:
        return Refusal(gate="text", reason="only its first 80 characters are known until the note is seen again")
    if record.rejected_at is not None:
        lifts = f"; intermem restore {record.id[:8]} lifts that"
        return Refusal(gate="rejected", reason=f"rejected on {format_date(record.rejected_at)}{lifts}")
    if record.missing_from is not None:
        puts = f"intermem restore {record.id[:8]} puts it back"
        return Refusal(gate="missing", reason=f"missing from {record.missing_from}: {puts}")
    if record.type not in rules.types:
        return Refusal(gate="type", reason=_type_reason(record.type))
    if not record.in_memory:
        return Refusal(gate="gone", reason=f"no longer in the memory (last seen {format_date(record.last_seen)})")
    if record.demoted_at is not None and record.last_seen <= record.demoted_at:
        return Refusal(gate="demoted", reason=f"demoted on {format_date(record.demoted_at)} and not seen since")
    if record.snapshot_count < rules.min_snapshots:
        reason = f"seen in {record.snapshot_count} of {rules.min_snapshots} snapshots"
        return Refusal(gate="snapshots", reason=reason)
    if assessment.stale:
        return Refusal(gate="stale", reason=f"stale: {stale_reason(record, assessment, judged, now)}")
    lines = record.text.count("\n") + 1
    if lines > rules.max_lines:
        reason = f"{lines} lines long, {rules.max_lines} are allowed: shorten the note, or promote it with edit"
        return Refusal(gate="length", reason=reason)
    return None


def _type_reason(kind: str) -> str:
    if kind == "user":
        return "private: notes of type user are never promoted"
    return f"type {kind} is not in promote.types"
