"""``pin`` and ``unpin``: what a person wants to keep neither decays, goes stale, nor is pruned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from intermem.core.entries.secrets import without_secret
from intermem.core.reconcile.ledger import midnight
from intermem.core.times import format_date
from intermem.entities import HistoryRow, Record
from intermem.errors import UsageError
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.workflow.branch_state import find_entry
from intermem.workflow.changeset import ChangeSet, decide, refreshed, require_ledger
from intermem.workflow.workspace import Workspace


def pin_entries(
    workspace: Workspace,
    prefixes: Sequence[str],
    *,
    pins: bool,
    reason: str = "",
    until: str | None = None,
    dry_run: bool = False,
    show_diff: bool = False,
    force: bool = False,
) -> Result:
    """Pin the entries that ``prefixes`` name (or, without ``pins``, end their pins).

    ``until`` is the day on which the pin ends, at 00:00 UTC. Exit code 1 where one was refused; the
    others are done. Raises NoSuchEntry, UsageError, NoDocument with nothing written.
    """
    dry = dry_run or show_diff
    verb = "pin" if pins else "unpin"
    end = _end(until, workspace.now) if until is not None else None

    def draw(draft: ChangeSet) -> None:
        for key in dict.fromkeys(find_entry(draft.here, prefix) for prefix in prefixes):
            record = draft.here.records[key]
            require_ledger(draft.here, record)
            _set(workspace, draft, record, pins=pins, end=end, reason=reason)

    plan, said = decide(workspace, verb, draw, dry=dry, force=force)
    here, refused = plan.draft.here, plan.draft.refused
    return Result(
        verb=verb,
        data={
            "pinned" if pins else "unpinned": [without_secret(record) for record in plan.after],
            "refused": plan.refused,
            "dry_run": dry,
        },
        exit_code=exit_code_for(here.problems, FINDINGS if refused else 0),
        problems=here.problems,
        notices=said,
        changes=plan.changes,
        show_diff=show_diff,
    )


def _set(
    workspace: Workspace, draft: ChangeSet, record: Record, *, pins: bool, end: datetime | None, reason: str
) -> None:
    if pins and record.is_pinned(workspace.now) and record.pinned_until == end:
        return draft.refuse(record, "pinned", f"it is pinned already{_until(end)}")
    if not pins and not record.pinned:
        return draft.refuse(record, "not-pinned", "it is not pinned")
    if pins and record.rejected_at is not None and record.document is None:
        hint = f"intermem restore {record.id[:8]} lifts that"
        return draft.refuse(record, "rejected", f"it was rejected on {format_date(record.rejected_at)}; {hint}")
    draft.changed[record.id] = refreshed(workspace, replace(record, pinned=pins, pinned_until=end))
    detail = f"{reason or 'by hand'}{_until(end)}"
    event = "pinned" if pins else "unpinned"
    draft.rows.append(HistoryRow(at=workspace.now, event=event, entry_id=record.id, detail=detail))
    return None


def _until(end: datetime | None) -> str:
    return f", until {format_date(end)}" if end is not None else ""


def _end(text: str, now: datetime) -> datetime:
    try:
        end = midnight(date.fromisoformat(text))
    except ValueError:
        raise UsageError(f"--until: {text!r} is no day", hint="as in --until 2027-01-31") from None
    if end <= now:
        raise UsageError(f"--until {text} is over already", hint="a pin holds before that day, 00:00 UTC")
    return end
