"""Notes in files of the memory that cannot be read now: unread is not unseen, so they count as seen."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from intermem.core.reconcile.model import Reconciliation
from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.workflow.workspace import Workspace


def unread_entries(
    workspace: Workspace, metadata: Metadata, records: Mapping[str, Record], reconciliation: Reconciliation
) -> frozenset[str]:
    """Return which of the ``records`` of this branch stood, at the last scan, in files that cannot be read now."""
    if not any(one.in_memory for one in records.values()):
        return frozenset()
    from intermem.workflow.memory import unreadable_files  # a clone without a memory pays for no reading

    stored = metadata.sources_by_file(unreadable_files(workspace))
    changes = reconciliation.changes
    now = {old: key for key, change in changes.items() for old in change.formerly}
    return frozenset(key for key in (now.get(name, name) for name in stored) if key in records)


def held_now(records: Iterable[Record], ids: Container[str], now: datetime) -> list[Record]:
    """Return ``records``, with those of ``ids`` as held by the memory ``now``: their age begins here."""

    def held(record: Record) -> Record:
        until = max(now, record.held_until or now)
        return replace(record, held_at=now, held_until=until, last_word=None) if record.id in ids else record

    return [held(record) for record in records]


def unread_notices(records: Iterable[Record], unread: Container[str]) -> list[str]:
    """Return a notice if some of ``records`` are ``unread``."""
    count = sum(record.id in unread for record in records)
    if not count:
        return []
    what = "1 entry stands in a file" if count == 1 else f"{count} entries stand in files"
    them = "it counts" if count == 1 else "they count"
    return [f"{what} of the memory that cannot be read: {them} as seen; intermem scan says why"]
