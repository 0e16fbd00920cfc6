"""Notes that stand in the memory though no scan has read them lately: unscanned is not unseen."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.entities import Record
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import held_by_memory
from intermem.workflow.branch_state import BranchState
from intermem.workflow.memory import read_project_memory
from intermem.workflow.unread import held_now
from intermem.workflow.workspace import Workspace


def seen_in_memory(
    workspace: Workspace, metadata: Metadata, state: BranchState, records: Sequence[Record]
) -> Sequence[Record]:
    """Return ``records``, with those whose notes stand in the memory now as old as a scan would make them: held now."""
    memory = read_project_memory(workspace)
    if memory is None:
        return records
    return held_now(records, held_by_memory(workspace, metadata, memory, state), workspace.now)


def kept_notices(kept: int) -> list[str]:
    """Return a notice if entries were ``kept`` because their notes stand in the memory."""
    if not kept:
        return []
    entries = "1 entry that stands" if kept == 1 else f"{kept} entries that stand"
    return [f"kept {entries} in the memory: intermem scan reads it"]
