"""This clone as an observer: what its memory holds, for the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from intermem.core.entries.wordings import newest_wording
from intermem.core.reconcile.events import What
from intermem.core.reconcile.ledger_update import Observation
from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import set_observer
from intermem.workflow.edits import Edit
from intermem.workflow.ledger import is_held_by_heir, silence_of
from intermem.workflow.memory import MemoryReading, is_committed
from intermem.workflow.workspace import Workspace


def observer_of(workspace: Workspace, metadata: Metadata, memory: MemoryReading | None) -> str | None:
    """Return the id of this clone as an observer; None if it is none.

    A memory that is committed needs no observer: whoever checks the commit out sees what it holds.
    """
    if memory is None or not workspace.config.flag("observe") or is_committed(workspace, memory):
        return None
    return metadata.observer() or workspace.new_observer


def held_by_commits(workspace: Workspace, memory: MemoryReading, records: Iterable[Record]) -> dict[str, datetime]:
    """Return when the commits of the default branch held notes last that a committed memory no longer has.

    By the ids that people see. Only those of entries that stand and that this clone has never seen itself.
    """
    gone = {
        one.entry_id for one in records if one.document is not None and not one.in_memory and one.counted_at is None
    }
    if not gone:
        return {}
    from intermem.workflow.day_one import last_held_by_commits

    return last_held_by_commits(workspace, memory, gone)


def observation_of(
    workspace: Workspace, observer: str | None, records: Iterable[Record], *, complete: bool = True
) -> Observation | None:
    """Return what the memory of this clone holds, for the ledger; None if it is no observer.

    If it is not ``complete``, it is only said of what the run promotes.
    """
    if observer is None:
        return None
    known = {record.id: record for record in records}
    held = [record for record in known.values() if _holds(record, known)]
    holds = frozenset(name for record in held for name in (record.id, record.entry_id))
    seen = {record.id: newest_wording(record, known).last_seen for record in known.values()}
    return Observation(
        observer=observer,
        holds=holds,
        seen=seen,
        complete=complete,
        stable=workspace.config.count("confidence.stable_snapshots"),
        silence=silence_of(workspace),
    )


def save_observer(metadata: Metadata, edits: Iterable[Edit]) -> None:
    """Record under which id this clone has written into the ledger, inside the caller's transaction."""
    for edit in edits:
        if edit.event is not None and (edit.event.observer is not None or edit.event.what == What.ALIVE):
            set_observer(metadata, edit.event.observer or edit.event.id)


def _holds(record: Record, known: dict[str, Record]) -> bool:
    """Return whether the memory holds the note: not a copy of the line, but also a newer wording of it."""
    return (record.in_memory and not record.echoed) or is_held_by_heir(record, known)
