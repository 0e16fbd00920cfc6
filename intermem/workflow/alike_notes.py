"""The other notes that say the same as an entry: of them one alone is written, and any of them holds its line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from intermem.core.entries.secrets import without_secret
from intermem.core.entries.similarity import says_only
from intermem.core.entries.wordings import also_said_by
from intermem.entities import Record
from intermem.results.inspect import Alike
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, formerly
from intermem.workflow.notes import written_of
from intermem.workflow.workspace import Workspace


def alike_notes(workspace: Workspace, metadata: Metadata, state: BranchState, record: Record) -> tuple[Alike, ...]:
    """Return the notes of the last snapshot that say the same as ``record``, with their sources."""
    floor = workspace.config.limits().similarity
    found = also_said_by(record, state.records.values(), floor)
    known = {one.id for one, _ in found}
    found += [(one, False) for one in _in_the_same_words(workspace, record, state) if one.id not in known]
    return tuple(
        Alike(one.entry_id, without_secret(one).noted_text, metadata.sources(formerly(state, one.id)), differs)
        for one, differs in found
    )


def _in_the_same_words(workspace: Workspace, record: Record, state: BranchState) -> Iterator[Record]:
    """Yield the records of other notes of which the words of ``record`` would be written, whatever else they say."""
    words = record.text if record.document is not None else written_of(workspace, record)
    for one in state.records.values():
        is_other = one.id != record.id and one.in_memory
        if is_other and says_only(words or "", one.noted_text, partial(written_of, workspace, one)):
            yield one
