"""``pin``: a pinned entry does not decay, go stale or get pruned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from intermem.core.lifecycle.selection import ANY, Selectors
from intermem.core.reconcile.ledger import midnight
from intermem.core.times import format_date, parse_age
from intermem.entities import HistoryRow, Record
from intermem.errors import ConfigurationError, UsageError
from intermem.results.decide import DecisionResult
from intermem.workflow.changeset import ChangeSet, refreshed, require_ledger, run_changeset
from intermem.workflow.decision import decision_on
from intermem.workflow.run_mode import RunMode
from intermem.workflow.unscanned import gone_stale_notices
from intermem.workflow.workspace import Workspace


def pin_entries(
    workspace: Workspace,
    prefixes: Sequence[str],
    *,
    pins: bool,
    wanted: Selectors = ANY,
    reason: str = "",
    until: str | None = None,
    mode: RunMode,
) -> DecisionResult:
    """Pin the entries named by ``prefixes`` or selected by ``wanted`` (or unpin them, without ``pins``).

    ``until`` is the day on which the pin ends, at 00:00 UTC, or how long it lasts at least (``90d``). Exit code 1 if
    one was refused (the others are done), or none is selected. Raises NoSuchEntry, UsageError, NoDocument with nothing
    written.
    """
    end = _end(until, workspace.now) if until is not None else None

    told: list[str] = []

    def collect(changeset: ChangeSet) -> None:
        nonlocal told
        keys = [changeset.find(prefix) for prefix in prefixes]
        if wanted:
            is_meant = partial(_is_meant, now=workspace.now, pins=pins)
            chosen, told = changeset.selected_now(wanted, workspace.now, is_meant=is_meant)
            told = [*told, *gone_stale_notices(workspace, wanted, changeset.known(wanted), changeset.seen)]
            keys += [one.id for one in chosen]
        for record in changeset.seen([changeset.state.records[key] for key in dict.fromkeys(keys)]):
            require_ledger(changeset.state, record)
            _set(workspace, changeset, record, pins=pins, end=end, reason=reason)

    plan, notices = run_changeset(workspace, "pin", collect, mode)
    done = "pinned" if pins else "unpinned"
    return decision_on(plan, mode, "pin", done, documents=None, notices=(*notices, *told))


def _is_meant(record: Record, now: datetime, *, pins: bool) -> bool:
    """Whether a selector means the entry: what was rejected, or is not pinned, has no pin to change."""
    return record.is_pinned(now) if not pins else record.document is not None or record.rejected_at is None


def _set(
    workspace: Workspace, changeset: ChangeSet, record: Record, *, pins: bool, end: datetime | None, reason: str
) -> None:
    if pins and record.is_pinned(workspace.now) and record.pinned_until == end:
        return changeset.refuse(record, "pinned", f"already pinned{_until(end)}")
    if not pins and not record.is_pinned(workspace.now):
        ended = f": its pin ended on {format_date(record.pinned_until)}" if record.pinned_until is not None else ""
        return changeset.refuse(record, "not-pinned", f"it is not pinned{ended}")
    if pins and record.rejected_at is not None and record.document is None:
        hint = f"intermem restore {record.entry_id[:8]} lifts that"
        return changeset.refuse(record, "rejected", f"it was rejected on {format_date(record.rejected_at)}; {hint}")
    changeset.changed[record.id] = refreshed(workspace, replace(record, pinned=pins, pinned_until=end))
    detail = f"{reason or 'by hand'}{_until(end)}"
    if reason:
        changeset.pin_reasons[record.id] = reason
    event = "pinned" if pins else "unpinned"
    changeset.rows.append(HistoryRow(at=workspace.now, event=event, entry_id=record.id, detail=detail))
    return None


def _until(end: datetime | None) -> str:
    return f", until {format_date(end)}" if end is not None else ""


def _end(text: str, now: datetime) -> datetime:
    try:
        age = parse_age(text, whose="--until")
        end = midnight(date.fromisoformat(text)) if age is None else _last_day(now, age)
    except (ValueError, ConfigurationError):
        raise UsageError(
            f"--until: {text!r} is not a date", hint="as in --until 2027-01-31, or for how long: --until 90d"
        ) from None
    if end <= now:
        raise UsageError(f"--until {text} is not in the future", hint="a pin ends at 00:00 UTC of that day")
    return end


def _last_day(now: datetime, age: timedelta) -> datetime:
    """The first midnight on which ``age`` is over: a pin ends with a day; ``now`` if there is no age."""
    day = midnight((now + age).date())
    return now if not age else day if day == now + age else day + timedelta(days=1)
