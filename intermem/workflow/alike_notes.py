"""The other notes that say the same as an entry: of them one alone is written, and any of them holds its line."""

from __future__ import annotations

from intermem.core.entries.secrets import without_secret
from intermem.core.entries.wordings import also_said_by
from intermem.entities import Record
from intermem.results.inspect import Alike
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, formerly
from intermem.workflow.workspace import Workspace


def alike_notes(workspace: Workspace, metadata: Metadata, state: BranchState, record: Record) -> tuple[Alike, ...]:
    """Return the notes of the last snapshot that say the same as ``record``, with their sources."""
    floor = workspace.config.limits().similarity
    found = also_said_by(record, state.records.values(), floor)
    return tuple(
        Alike(one.entry_id, without_secret(one).noted_text, metadata.sources(formerly(state, one.id)), differs)
        for one, differs in found
    )
