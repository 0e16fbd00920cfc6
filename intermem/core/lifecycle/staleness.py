"""Staleness of entries: assessment, streaks, demotion, and the reasons in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from intermem.core.lifecycle.confidence import Weights, compute_confidence, shown
from intermem.core.lifecycle.decay import Basis, Decay, word_behind
from intermem.core.times import LONG_AGO, format_age, format_date
from intermem.entities import Evidence, Judged, Record, Status, Verdict, VerdictStatus
from intermem.lazy_dataclass import dataclass

_SECOND = timedelta(seconds=1)
_HORIZON = timedelta(days=36_525)  # a century
_LAST = datetime(9999, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The parameters of the lifecycle (DESIGN.md §7). ``stale_below`` is in thousandths."""

    weights: Weights
    decay: Decay
    stale_below: int = 300
    demote_streak: int = 2
    sweep_interval: timedelta = timedelta(0)
    grace: timedelta = timedelta(days=14)
    min_snapshots: int = 3
    types: frozenset[str] = frozenset({"project", "reference", "feedback", "untyped"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The confidence of a record at one moment, in thousandths, and whether it is stale."""

    base: int
    confidence: int
    stale: bool

    @property
    def decayed(self) -> bool:
        """Whether decay has reduced the confidence."""
        return self.confidence < self.base


def assess(record: Record, judged: Iterable[Judged], now: datetime, rules: Rules) -> Assessment:
    """Return the assessment of ``record`` at ``now``.

    Pinned entries neither decay nor become stale.
    """
    judged = tuple(judged)
    base = compute_confidence(judged, record.snapshot_count, rules.weights, record.feedback)
    if record.is_pinned(now):
        return _assessment(base, base, stale=False)
    confidence = rules.decay.left(record, base, now)
    stale = is_stale(base, confidence, rules.stale_below) or is_contradicted(judged)
    return _assessment(base, confidence, stale=stale)


@lru_cache(maxsize=4096)
def _assessment(base: int, confidence: int, *, stale: bool) -> Assessment:
    """Return the assessment, in memory once for the thousands of entries that have the same."""
    return Assessment(base=base, confidence=confidence, stale=stale)


def is_only_unread(record: Record, judged: Iterable[Judged], now: datetime, rules: Rules) -> bool:
    """Return whether an entry in the memory would not be stale if a scan read the memory ``now``."""
    return record.in_memory and not assess(scanned(record, now), judged, now, rules).stale


def scanned(record: Record, now: datetime) -> Record:
    """Return ``record`` with the age that it has if a scan ``now`` finds what the last one found in the memory."""
    return replace(record, last_seen=now, held_at=None) if record.in_memory else record


def is_stale(base: int, confidence: int, stale_below: int) -> bool:
    """Return whether the confidence is below the threshold, or decay has brought it exactly there.

    An undecayed 0.3 is not stale: DESIGN.md §15.2 (seeds/S4 requires both "< 0.3" and an entry without
    citations to be stale after 28 days, when it is at exactly 0.3).
    """
    return confidence < stale_below or (confidence == stale_below and confidence < base)


def is_contradicted(judged: Iterable[Judged]) -> bool:
    """Return whether a commit certainly removed what the entry cites, and nothing that it cites is there.

    Else a note seen five times whose only file was deleted would stay as long as the agent keeps it (DESIGN.md §15.12).
    """
    found = [item.verdict for item in judged]
    stands = any(verdict.status in (VerdictStatus.VALID, VerdictStatus.MOVED) for verdict in found)
    return not stands and any(verdict.status is VerdictStatus.BROKEN and _is_proved(verdict) for verdict in found)


def _is_proved(verdict: Verdict) -> bool:
    """Return whether a commit is named, on evidence that is not doubtful, of the very path and not a namesake.

    What a manifest says otherwise no commit removed.
    """
    evidence = verdict.evidence
    is_known = evidence is None or not (evidence.is_doubtful or evidence in (Evidence.NAMESAKE, Evidence.VERSION))
    return verdict.commit is not None and is_known


def next_streak(streak: int, stale: bool) -> int:
    """Return the stale streak after a sweep: one more if stale, else 0 (seeds/S4, F2)."""
    return streak + 1 if stale else 0


def has_grace(record: Record, now: datetime) -> bool:
    """Return whether sweeps do not count against the entry yet, because a person restored it recently."""
    return record.grace_until is not None and now <= record.grace_until


def counts_as_sweep(last_sweep: datetime | None, now: datetime, rules: Rules) -> bool:
    """Return whether a sweep at ``now`` changes streaks: ``sweep.min_interval`` has passed since the last.

    A last sweep in the future (clock set back) is ignored.
    """
    return last_sweep is None or now < last_sweep or now - last_sweep >= rules.sweep_interval


def is_demotable(record: Record, stale: bool, streak: int, rules: Rules) -> bool:
    """Return whether a promoted entry was stale in enough sweeps in a row. Pinned ones are never stale."""
    return record.document is not None and stale and streak >= rules.demote_streak


def status_after(record: Record, stale: bool) -> Status:
    """Return the status of a record after an assessment: demotion ends only by promotion."""
    if record.status is Status.DEMOTED:
        return Status.DEMOTED
    return Status.STALE if stale else Status.ACTIVE


def restated(record: Record, assessment: Assessment, judged: Iterable[Judged], now: datetime, rules: Rules) -> Record:
    """Return ``record`` updated from ``assessment``: confidence, status, and the reason that these have now."""
    status = status_after(record, assessment.stale)
    changed = (assessment.confidence, assessment.base) != (record.confidence, record.base_confidence)
    reason = record.reason
    if status is Status.STALE and (changed or record.status is not status):
        reason = stale_reason(record, assessment, judged, None, rules.decay)
    elif status is not record.status:
        reason = ""
    if not changed and (status, reason) == (record.status, record.reason):
        return record
    return replace(
        record,
        confidence=assessment.confidence,
        base_confidence=assessment.base,
        confidence_updated_at=now if changed else record.confidence_updated_at,
        status=status,
        reason=reason,
    )


_AGED = {
    Basis.SEEN: "not seen for",
    Basis.CREATED: "known for",
    Basis.ACCESSED: "not queried for",
    Basis.USED: "not used for",
    Basis.LATEST: "neither seen nor queried for",
}


def aged(record: Record, since: datetime, now: datetime, basis: Basis) -> str:
    """Return an age in words: ``not seen for 28 days (since 2026-01-03)``, ``not seen since 2026-01-03`` if short.

    The day that is named is on record: where silence was believed for a time, that is left out of the age.
    """
    word = word_behind(record, since)
    if word is not None and now > since:
        whole, believed = format_age(now - word), format_age(since - word)
        return f"{_AGED[basis]} {whole} (since {format_date(word)}), less the {believed} of ledger.observer_days"
    if since <= LONG_AGO:
        return f"{_AGED[basis].removesuffix(' for')} as far as is known"
    age = now - since
    if age < timedelta(minutes=1):
        return f"{_AGED[basis].removesuffix(' for')} since {format_date(word or since)}"
    return f"{_AGED[basis]} {format_age(age)} (since {format_date(since)})"


def stale_reason(
    record: Record, assessment: Assessment, judged: Iterable[Judged], now: datetime | None, decay: Decay
) -> str:
    """Return the reason for an entry's status: its confidence, age, feedback and broken citations.

    Without ``now``, as it is kept, it has the day for the age, which would not stay true.
    """
    parts = [f"confidence {shown(assessment.confidence)}"]
    if assessment.decayed:
        since = decay.since(record)
        age = aged(record, since, now or since, decay.basis)
        parts.append(f"{age}, down from {shown(assessment.base)}")
    if record.feedback < 0:
        parts.append(f"feedback −{shown(-record.feedback)}")
    parts += [f"cites {item.citation.text}: {explained(item)}" for item in judged if _counts_against(item)]
    return "; ".join(parts)


def stale_cause(record: Record, assessment: Assessment, rules: Rules) -> str:
    """Return what made an entry stale, for the statistics: decay, feedback or citations.

    Source: the metrics of seeds/S2.
    """
    if is_contradicted(record.citations):
        return "citations"
    if not is_stale(assessment.base, assessment.base, rules.stale_below):
        return "decay"
    without = compute_confidence(record.citations, record.snapshot_count, rules.weights)
    return "citations" if is_stale(without, without, rules.stale_below) else "feedback"


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
    """Return when the entry becomes stale if it is not seen again and nothing it cites changes.

    ``now`` if it already is, None if it never will be, that is, not within ``_HORIZON``.
    """
    if record.pinned and record.pinned_until is None:
        return None
    record = replace(record, held_at=record.held_until or record.held_at)  # before that its age is 0
    since = record.pinned_until if record.pinned_until is not None and record.is_pinned(now) else now

    def is_stale_at(moment: datetime) -> bool:
        return is_stale(base, rules.decay.left(record, base, moment), rules.stale_below)

    if is_contradicted(record.citations):
        return since
    if is_stale_at(since):
        return since
    # Decay never increases the confidence, so a binary search finds the first stale second.
    fresh, stale = since, min(since, _LAST - _HORIZON) + _HORIZON
    if not is_stale_at(stale):
        return None
    while stale - fresh > _SECOND:
        middle = fresh + (stale - fresh) // 2
        middle = middle.replace(microsecond=0)
        fresh, stale = (fresh, middle) if is_stale_at(middle) else (middle, stale)
    return stale
