"""Update the ledger: the lines that it should have, given the records on this branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from intermem.core.entries.secrets import secret_rule
from intermem.core.reconcile.ledger import Ledger, Line, Standing
from intermem.entities import Record, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Update ``last_seen`` only after so many days; drop demoted lines after so many."""

    granularity_days: int = 7
    demoted_days: int = 180


def updated_lines(
    ledger: Ledger | None,
    records: Iterable[Record],
    aliases: Mapping[str, Sequence[str]],
    sections: Mapping[str, str],
    newly: Iterable[str],
    today: date,
    policy: Policy,
) -> dict[str, Line]:
    """Return the lines that the ledger should have, given the ``records`` on this branch.

    ``aliases`` holds the former identities of each record, ``sections`` the heading above an entry, ``newly``
    the ids of entries that were just rejected. Entries of other branches are not added; lines without a
    record are kept.
    """
    lines = dict(ledger.lines) if ledger is not None else {}
    rejected = frozenset(newly)
    for record in sorted(records, key=lambda one: one.id):
        names = aliases.get(record.id, ())
        former = [alias for alias in names if alias in lines and not lines[alias].is_tombstone]
        known = lines.get(record.id) or (lines[former[0]] if former else None)
        after = _line_after(record, known, aliases.get(record.id, ()), sections, record.id in rejected, today, policy)
        if after is not None:
            for alias in former:
                del lines[alias]
            lines[record.id] = after
    kept = (
        line
        for line in lines.values()
        if line.status is not Standing.DEMOTED or (today - line.since).days < policy.demoted_days
    )
    return {line.id: line for line in sorted(kept, key=lambda one: one.id)}


def _line_after(
    record: Record,
    known: Line | None,
    aliases: Sequence[str],
    sections: Mapping[str, str],
    is_newly_rejected: bool,
    today: date,
    policy: Policy,
) -> Line | None:
    """Return the line of a record, or None if the ledger needs none."""
    if known is not None and known.is_tombstone:
        return known
    document = known.document if known is not None else ""
    if record.document is not None:
        status, since = Standing.PROMOTED, _day(record.promoted_at) or today
        document = record.document
    elif is_newly_rejected:
        status, since = Standing.REJECTED, _day(record.rejected_at) or today
    elif known is not None and known.status is Standing.DEMOTED and record.status is Status.DEMOTED:
        until = _day(record.pinned_until)  # a person's pin and feedback are still recorded
        return replace(known, pinned=record.pinned, pinned_until=until, feedback=record.feedback)
    elif known is None or known.status is not Standing.PROMOTED or record.missing_from is not None:
        return known
    elif record.status is Status.DEMOTED:
        status, since = Standing.DEMOTED, _day(record.demoted_at) or today
    elif record.rejected_at is not None:
        status, since = Standing.REJECTED, _day(record.rejected_at) or today
    else:
        return known
    section = sections.get(record.id, known.section if known else record.section)
    made = Line(
        id=record.id,
        status=status,
        document=document,
        section="" if secret_rule(section) else section,  # a ledger is committed
        since=since,
        first_seen=_day(record.first_seen) or today,
        last_seen=_day(record.last_seen) or today,
        snapshots=record.snapshot_count,
        pinned=record.pinned,
        pinned_until=_day(record.pinned_until),
        feedback=record.feedback,
        was=tuple(sorted({*aliases, *(known.was if known else ()), record.entry_id} - {record.id})),
        note_id=record.note_id or (known.note_id if known is not None else None),
        more=known.more if known else {},
    )
    return known if known is not None and _says_enough(known, made, policy) else made


def _says_enough(known: Line, made: Line, policy: Policy) -> bool:
    """Return whether the existing line is close enough, to keep diffs small."""
    if known.id != made.id or known.status is not made.status:
        return False
    if known.status is not Standing.PROMOTED:
        return True
    moved = (made.last_seen - known.last_seen).days >= max(1, policy.granularity_days)
    same = _said(known) == _said(made)
    return same and not moved and set(made.was) <= set(known.was)


def _said(line: Line) -> tuple[object, ...]:
    return line.pinned, line.pinned_until, line.feedback, line.document, line.note_id


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.astimezone(UTC).date()
