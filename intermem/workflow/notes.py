"""Read the notes of the memory as a snapshot takes them: which may be learnt, and which say what is known already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from intermem.core.entries.observation import Known, phase_one_names, without_purged, without_record
from intermem.core.entries.snapshot import Snapshot, snapshot_of
from intermem.entities import Entry, Record
from intermem.storage.metadata import Metadata
from intermem.storage.secure_delete import purged_days, relearnt
from intermem.workflow.ledger import ledger_tombstones, tombstones_on_default_branch
from intermem.workflow.memory import MemoryReading
from intermem.workflow.workspace import Workspace

if TYPE_CHECKING:
    from intermem.core.worth.passage import Note


def learnable(
    workspace: Workspace,
    metadata: Metadata,
    memory: MemoryReading | None,
    stored: Mapping[str, Record],
    *,
    relearn: bool,
) -> tuple[Mapping[str, Sequence[Entry]], frozenset[str], frozenset[str]]:
    """Return the notes that may be learnt, those of them that were purged and are learnt again, and what never is.

    That is what a ledger calls purged, of this branch or (to ``relearn``) of the default branch, unless this clone has
    the record: then it is set aside, and seen.
    """
    if memory is None:
        return {}, frozenset(), frozenset()
    final = ledger_tombstones(workspace) | (tombstones_on_default_branch(workspace) if relearn else frozenset())
    final = final - stored.keys() - relearnt(metadata)
    kept = without_purged(memory.entries, purged_days(metadata).keys() | final)
    if not relearn:
        return kept, frozenset(), final
    learnt = without_purged(memory.entries, final)
    again = learnt.keys() - kept.keys()
    old = (name for key in again for one in memory.entries[key] for name in phase_one_names(one.text))
    return learnt, frozenset(again).union(old), final


def snapshot_in(
    workspace: Workspace,
    metadata: Metadata,
    memory: MemoryReading,
    entries: Mapping[str, Sequence[Entry]],
    known: Known,
) -> Snapshot:
    """Return the snapshot in which the memory holds ``entries`` (by identity)."""
    return snapshot_of(
        entries,
        known,
        metadata.sources_by_file(memory.refused),
        now=workspace.now,
        min_interval=workspace.config.span("scan.min_interval"),
        floor=workspace.config.thousandths("revision.similarity") / 1000,
        rank=partial(_worth, workspace),
        written=partial(written_of, workspace),
    )


def written_of(workspace: Workspace, note: Entry | Record) -> str | None:
    """Return what would be written of a note into a document; None if no part of it is complete and fits."""
    from intermem.core.worth.excerpt import excerpt_of

    found = excerpt_of(_note(note), workspace.config.limits().characters)
    return found.text if found is not None else None


def _worth(workspace: Workspace, entry: Entry) -> int:
    from intermem.core.worth.worth import worth_of

    return worth_of(_note(entry), workspace.config.limits().characters).score


def _note(note: Entry | Record) -> Note:
    from intermem.core.worth.passage import Note

    if isinstance(note, Record):
        return Note(note.noted_text, note.section, note.type, note.source_file)
    return Note(note.text, note.section, note.type, note.source.file)


def with_proof(
    workspace: Workspace, memory: MemoryReading, entries: Mapping[str, Sequence[Entry]], known: Known
) -> Known:
    """Return ``known`` with the times at which the memory itself proves that it held the new ones of ``entries``."""
    new = without_record(entries, known)
    if not new:
        return known
    from intermem.workflow.day_one import proven_times

    return replace(known, proven=proven_times(workspace, memory, new))
