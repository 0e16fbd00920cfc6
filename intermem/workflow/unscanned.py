"""Notes that stand in the memory though no scan has read them lately: unscanned is not unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from intermem.core.lifecycle.selection import Selectors, selected
from intermem.entities import Origins, Record, Status
from intermem.errors import UsageError
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState
from intermem.workflow.unread import held_now, unread_notices
from intermem.workflow.workspace import Workspace


def seen_in_memory(
    workspace: Workspace, metadata: Metadata, state: BranchState, records: Sequence[Record]
) -> Sequence[Record]:
    """Return ``records``, with those whose notes stand in the memory now as old as a scan would make them: held now."""
    from intermem.workflow.assessment import held_by_memory  # heavy: the kinds of citations
    from intermem.workflow.memory import read_project_memory

    memory = read_project_memory(workspace)
    if memory is None:
        return records
    return held_now(records, held_by_memory(workspace, metadata, memory, state), workspace.now)


def with_memory(workspace: Workspace, metadata: Metadata, state: BranchState) -> BranchState:
    """Return ``state`` with the ages that a scan now would find; it writes nothing, and no snapshot is counted."""
    try:
        if workspace.memory_place.path is None:
            return state
    except UsageError:
        return state  # what reads the memory for its own sake says so
    records = seen_in_memory(workspace, metadata, state, list(state.records.values()))
    return replace(state, records={one.id: one for one in records})


def selected_now(
    records: Iterable[Record],
    wanted: Selectors,
    origins: Origins,
    now: datetime,
    *,
    seen: Callable[[Sequence[Record]], Sequence[Record]],
    unread: frozenset[str],
    stood: Mapping[str, str] | None = None,
) -> tuple[list[Record], list[str]]:
    """Return the ``records`` that match every selector, an age as the memory is now, in their order, and notices.

    The notices tell of those that are not old as they stand in the memory, or in what is ``unread`` of it.
    """
    found = selected(records, replace(wanted, older_than=None), origins, now, stood)
    if wanted.older_than is None:
        return found, []
    by_scan = {one.id for one in selected(found, _age_of(wanted), Origins(), now)}
    by_now = {one.id for one in selected(seen(found), _age_of(wanted), Origins(), now)}
    notices = [*unread_notices(found, unread), *kept_notices(len(by_scan - by_now), "left out")]
    return [one for one in found if one.id in by_now], notices


def gone_stale_notices(
    workspace: Workspace,
    wanted: Selectors,
    records: Iterable[Record],
    seen: Callable[[Sequence[Record]], Sequence[Record]],
) -> list[str]:
    """Return a notice if stale entries are ``wanted``, and ``records`` have gone stale since they were judged last."""
    if wanted.status != Status.STALE:
        return []
    from intermem.core.lifecycle.staleness import assess

    rules, now = workspace.config.rules(), workspace.now
    active = [one for one in records if one.status is Status.ACTIVE and one.rejected_at is None]
    count = sum(assess(one, one.citations, now, rules).stale for one in seen(active))
    if not count:
        return []
    have = "1 entry has" if count == 1 else f"{count} entries have"
    return [f"{have} gone stale since the last scan or sweep: intermem sweep counts {'it' if count == 1 else 'them'}"]


def _age_of(wanted: Selectors) -> Selectors:
    return Selectors(older_than=wanted.older_than)


def kept_notices(kept: int, done: str = "kept") -> list[str]:
    """Return a notice if entries were ``kept`` because their notes stand in the memory."""
    if not kept:
        return []
    entries = "1 entry that stands" if kept == 1 else f"{kept} entries that stand"
    return [f"{done} {entries} in the memory: intermem scan reads it"]
