"""Select entries to prune, by criteria or by the retention table, each with its reason."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta

from intermem.core.entries.wordings import newest_wording
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.decay import Basis, apply_decay_penalty, counted_from, last_seen_by_anybody
from intermem.core.lifecycle.staleness import Rules, aged, assess, has_grace
from intermem.core.times import format_age, format_date, format_time
from intermem.entities import FULL, Record, Status
from intermem.lazy_dataclass import dataclass

_DAY = timedelta(days=1)
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)

# seeds/S0, the guard of its sweep: nothing is removed automatically before there are so many entries of that age.
GUARD_ENTRIES, GUARD_AGE = 100, _DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoff:
    """A limit of age: older than the time ``before``, or at least ``age`` old."""

    before: datetime | None = None
    age: timedelta | None = None

    @property
    def words(self) -> str:
        """The limit in words: a time, or an age in days."""
        if self.before is not None:
            return format_time(self.before)
        return format_age(self.age) if self.age else "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """The criteria of ``prune``; an entry is removed if it meets all that are given, or if none is.

    ``min_score`` is a confidence and ``min_left`` what decay leaves of a full one, whatever the own one is (seeds/S3),
    in thousandths. Ages count from ``basis`` (None: last seen, and for ``min_left`` what decay counts from); a
    confidence is what it is everywhere else.
    """

    older_than: Cutoff | None = None
    min_score: int | None = None
    min_left: int | None = None
    keep_newest: int | None = None
    keep_highest: int | None = None
    basis: Basis | None = None

    @property
    def judges(self) -> bool:
        """Whether a criterion is a confidence, for which citations have to be judged."""
        return self.min_score is not None or self.keep_highest is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """The retention table: days by type, and for archived entries. 0, and a type without days: keep forever."""

    enabled: bool = False
    days: Mapping[str, int] = field(default_factory=dict)
    archive_days: int = 180
    superseded_days: int = 30


@dataclass(frozen=True, slots=True)
class Leaving:
    """An entry to remove, and why."""

    record: Record
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """How many entries were evaluated, which are removed, and which are protected, with what protects them."""

    evaluated: int
    leaving: tuple[Leaving, ...] = ()
    spared: tuple[Leaving, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the entries that are removed."""
        return frozenset(one.record.id for one in self.leaving)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry:
    """The effect of the retention table: entries to demote, and records of long demoted ones to delete.

    ``spared`` are those whose time is up as well and that are protected, each with what protects it.
    """

    evaluated: int
    demoted: tuple[Leaving, ...] = ()
    deleted: tuple[Leaving, ...] = ()
    spared: tuple[Leaving, ...] = ()

    def among(self, ids: Collection[str]) -> Expiry:
        """Return the part of it that is about the records ``ids``."""
        demoted, deleted, spared = (
            tuple(one for one in found if one.record.id in ids) for found in (self.demoted, self.deleted, self.spared)
        )
        return Expiry(evaluated=len(ids), demoted=demoted, deleted=deleted, spared=spared)


def is_older(time: datetime | None, cutoff: Cutoff, now: datetime) -> bool:
    """Return whether ``time`` is before the cutoff, or at least its age old; False if there is no time.

    A time in the future has the age 0. Source: seeds/S1, first slice; seeds/S0, note 3: 0 matches everything.
    """
    if time is None:
        return False
    if cutoff.before is not None and time >= cutoff.before:
        return False
    return cutoff.age is None or max(timedelta(0), now - time) >= cutoff.age


def newest_first(time: datetime | None, key: str) -> tuple[bool, float, str]:
    """Return the sort key: newer first, without a time last, then by id (seeds/S1; DESIGN.md §15.8)."""
    return time is None, -(time - _LONG_AGO).total_seconds() if time is not None else 0.0, key


def pruned(
    records: Iterable[Record],
    criteria: Criteria,
    now: datetime,
    rules: Rules,
    *,
    deletes: bool,
    selected_by: Sequence[str] = ("selected",),
) -> Pruning:
    """Return the entries that meet ``criteria``; with ``deletes`` also those that are already demoted.

    Without criteria all of them go, and the reason is what they are ``selected_by``.

    Pinned entries are protected, and so are those that a person restored recently. Rejected entries (the
    record is what keeps them out) and missing ones (the ledger lists them) are not evaluated. Ranks are
    among all evaluated entries.
    """
    looked_at = [one for one in records if _is_looked_at(one, deletes=deletes)]
    reasons: dict[str, list[str]] = {one.id: [] for one in looked_at}
    asked = 0
    for found in _verdicts(looked_at, criteria, now, rules):
        asked += 1
        for key, reason in found.items():
            reasons[key].append(reason)
    leaving: list[Leaving] = []
    spared: list[Leaving] = []
    for one in sorted(looked_at, key=lambda record: record.id):
        if len(reasons[one.id]) < asked:
            continue
        protection = _protection(one, now)
        if protection:
            spared.append(Leaving(one, protection))
        else:
            leaving.append(Leaving(one, "; ".join(reasons[one.id] or selected_by)))
    return Pruning(evaluated=len(looked_at), leaving=tuple(leaving), spared=tuple(spared))


def expired(
    records: Sequence[Record],
    retention: Retention,
    now: datetime,
    told: Container[str] | None = None,
    chosen: Collection[str] = (),
) -> Expiry:
    """Return what the retention table removes at ``now`` (seeds/S0, S2; DESIGN.md §15.9).

    Types that are not in it are kept. Protected are entries that are in a document or missing from one, that
    are pinned, that a person restored recently, that superseded another entry, and demoted ones that are
    still in the memory, or that a person took out and whose note is there in other words, or of which neither the
    ledger nor a document ever told: ``told`` are those that the ledger tells of, None for all, ``chosen`` those that a
    person put in the place of others, as it tells.
    """
    heirs = {one.superseded_by for one in records}.union(chosen)
    by_id = {one.id: one for one in records}
    demoted: list[Leaving] = []
    deleted: list[Leaving] = []
    spared: list[Leaving] = []
    for one in sorted(records, key=lambda record: record.id):
        stands = one.document is not None or one.missing_from is not None
        if stands or one.rejected_at is not None:
            continue
        is_demoted = one.status is Status.DEMOTED
        reason = _archived_too_long(one, retention, now) if is_demoted else _unseen_too_long(one, retention, now)
        if not reason:
            continue
        protection = _protection(one, now) or _use_of_record(one, heirs, by_id)
        if not protection and one.kept_out and one.promoted_at is None and told is not None and one.id not in told:
            protection = "a person took it out, and nothing but its record says so"
        if protection:
            spared.append(Leaving(one, protection))
        else:
            (deleted if is_demoted else demoted).append(Leaving(one, reason))
    return Expiry(evaluated=len(records), demoted=tuple(demoted), deleted=tuple(deleted), spared=tuple(spared))


def is_worth_a_sweep(records: Iterable[Record], now: datetime) -> bool:
    """Return whether there are enough records for retention to run automatically (seeds/S0)."""
    return sum(1 for one in records if now - one.first_seen > GUARD_AGE) >= GUARD_ENTRIES


def held_elsewhere(records: Iterable[Record], criteria: Criteria, now: datetime) -> int:
    """Return how many entries in documents would be old enough for ``criteria`` if only this clone had seen them."""
    cutoff, basis = criteria.older_than, criteria.basis or Basis.SEEN
    if cutoff is None or basis is not Basis.SEEN:
        return 0
    stand = [one for one in records if one.document is not None and is_older(one.last_seen, cutoff, now)]
    return sum(not is_older(last_seen_by_anybody(one), cutoff, now) for one in stand)


def _is_looked_at(record: Record, *, deletes: bool) -> bool:
    if record.document is not None:
        return True
    if record.rejected_at is not None or record.missing_from is not None:
        return False
    return deletes or record.status is not Status.DEMOTED


def _protection(record: Record, now: datetime) -> str:
    """Return what protects an entry from being pruned, or ``""``."""
    if record.is_pinned(now):
        return f"it is pinned: intermem pin {record.entry_id[:8]} --remove unpins it"
    if has_grace(record, now):
        assert record.grace_until is not None
        return f"put back lately, protected until {format_date(record.grace_until)}"
    return ""


def _verdicts(records: Sequence[Record], criteria: Criteria, now: datetime, rules: Rules) -> Iterable[dict[str, str]]:
    """Yield, for each criterion that is given, the ids that meet it and why."""
    basis = criteria.basis or Basis.SEEN
    times = {one.id: _time_of(one, basis) for one in records}
    scores = {one.id: assess(one, one.citations, now, rules).confidence for one in records}
    if criteria.older_than is not None:
        cutoff = criteria.older_than
        ages = [(one, times[one.id]) for one in records]
        yield {
            one.id: aged(one, time, now, basis)
            for one, time in ages
            if time is not None and is_older(time, cutoff, now)
        }
    if criteria.min_score is not None:
        min_score = criteria.min_score
        yield {key: f"confidence {shown(score)}" for key, score in scores.items() if score < min_score}
    if criteria.min_left is not None:
        kept = {one.id: _left(one, criteria.basis, now, rules) for one in records}
        yield {key: f"decay has left {shown(left)} of 1.0" for key, left in kept.items() if left < criteria.min_left}
    if criteria.keep_newest is not None:
        ranked = sorted(records, key=lambda one: newest_first(times[one.id], one.id))
        yield {one.id: f"not among the newest {criteria.keep_newest}" for one in ranked[criteria.keep_newest :]}
    if criteria.keep_highest is not None:
        ranked = sorted(records, key=lambda one: (-scores[one.id], *newest_first(times[one.id], one.id)))
        yield {
            one.id: f"confidence {shown(scores[one.id])}, not among the highest {criteria.keep_highest}"
            for one in ranked[criteria.keep_highest :]
        }


def _time_of(record: Record, basis: Basis) -> datetime | None:
    """Return the time itself, without a fallback: an entry never queried has no access time (seeds/S1)."""
    if basis is Basis.SEEN:
        return last_seen_by_anybody(record)
    return record.last_accessed if basis is Basis.ACCESSED else counted_from(record, basis)


def _left(record: Record, basis: Basis | None, now: datetime, rules: Rules) -> int:
    """Return what decay leaves of a full confidence, in thousandths; all of it where there is no time to count from."""
    since = rules.decay.since(record) if basis is None else _time_of(record, basis)
    if since is None or record.is_pinned(now):
        return FULL
    return apply_decay_penalty(FULL, since, now, rules.decay.policy_for(record.type))


def _use_of_record(record: Record, heirs: Collection[str | None], by_id: Mapping[str, Record]) -> str:
    """Return what a record is still needed for, or ``""``."""
    if record.id in heirs:
        return "it superseded another entry"
    if record.kept_out and newest_wording(record, by_id).in_memory:  # the record is what keeps that wording out
        return "a person took it out, and the last scan found it in the memory"
    if record.status is Status.DEMOTED and record.in_memory:
        return "the last scan found its note in the memory: intermem scan looks again"
    return ""


def _unseen_too_long(record: Record, retention: Retention, now: datetime) -> str:
    """Return why a note expires by its type, or ``""`` if it is kept."""
    days = retention.days.get(record.type, 0) if retention.enabled else 0
    age = now - last_seen_by_anybody(record)
    if not days or not _is_past(age, days):
        return ""
    kept = "1 day" if days == 1 else f"{days} days"
    return f"not seen for {format_age(age)}; notes of type {record.type} are kept for {kept}"


def _archived_too_long(record: Record, retention: Retention, now: datetime) -> str:
    """Return why the record of a demoted entry is deleted, or ``""`` if it is kept."""
    if record.demoted_at is None:
        return ""
    age = now - record.demoted_at
    words = f"demoted {format_age(age)} ago"
    days = retention.archive_days
    if record.superseded_by is not None:
        words = f"superseded by {record.superseded_by[:8]}, {words}"
        days = retention.superseded_days
    return words if days and _is_past(age, days) else ""


def _is_past(age: timedelta, days: int) -> bool:
    """Return whether ``age`` has reached ``days``, which may be more than a timedelta can hold."""
    return age.total_seconds() >= days * _DAY.total_seconds()
