"""Notes that stand in the memory though no scan has read them lately: unscanned is not unseen."""

from __future__ import annotations

from collections.abc import Iterable

from intermem.entities import Record
from intermem.workflow.branch_state import BranchState
from intermem.workflow.memory import read_project_memory
from intermem.workflow.unread import held_now
from intermem.workflow.workspace import Workspace


def seen_in_memory(workspace: Workspace, state: BranchState, records: Iterable[Record]) -> list[Record]:
    """Return ``records``, with those whose notes stand in the memory now as old as a scan would make them: held now."""
    memory = read_project_memory(workspace)
    if memory is None:
        return list(records)
    here = {key if key in state.records else state.aliases.get(key, key) for key in memory.entries}
    return held_now(records, here, workspace.now)


def kept_notices(kept: int) -> list[str]:
    """Return a notice if entries were ``kept`` because their notes stand in the memory."""
    if not kept:
        return []
    entries = "1 entry that stands" if kept == 1 else f"{kept} entries that stand"
    return [f"kept {entries} in the memory: intermem scan reads it"]
