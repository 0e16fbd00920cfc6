"""Destroy what was purged, in an order that a run can repeat from wherever another one was killed.

1. The command notes the purge, by ids, in the transaction that journals the edits of documents and ledger.
2. These files are written. If they cannot be, the purge is called off, and nothing is destroyed.
3. While the rows still exist, the texts to look for are read from them: copies of the database are removed, and
   the files are found that only a person can clean.
4. One transaction deletes the rows and notes what step 3 found. From here on no text is needed.
5. The database is rewritten and its log emptied; only then is the note removed.

What another clone has purged goes the same way, but only what is no stranger's word: see ``purged_elsewhere``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from intermem.core.lifecycle.purge_traces import forms_of, needles_of
from intermem.core.times import format_time
from intermem.entities import Record
from intermem.errors import StateError
from intermem.lazy_dataclass import dataclass
from intermem.project.atomic_write import TEMPORARY, sync_folder
from intermem.project.byte_search import files_holding
from intermem.project.documents import Documents
from intermem.project.locations import LEGACY_STATE
from intermem.storage import FILE_NAME
from intermem.storage.metadata import Metadata
from intermem.storage.secure_delete import (
    PendingPurge,
    begin_purge,
    call_off,
    clean_file,
    delete_purged,
    give_up_wordings,
    holders_of,
    is_called_off,
    pending_purge,
    relearnt,
)
from intermem.storage.undo_log import deleted_records
from intermem.workflow.branch_state import read_lineage
from intermem.workflow.ledger import ledger_tombstones, tombstones_on_default_branch
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Destroyed:
    """What a purge found outside of its rows.

    ``removed`` are the copies of the database that went with them; ``remains``, and the ``documents``, still hold a
    line.
    """

    removed: tuple[str, ...] = ()
    remains: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def destroy(workspace: Workspace, metadata: Metadata, purge: PendingPurge) -> Destroyed:
    """Destroy what ``purge`` is about, or what an interrupted run has left of it; the caller holds the lock.

    Raises StateError, with the purge still pending, if a file cannot be searched or the log cannot be emptied.
    """
    if purge.rows_deleted:
        clean_file(metadata)
        return Destroyed(remains=purge.left)
    known = {**deleted_records(metadata), **metadata.records()}
    texts = needles(known, purge.ids)
    held = holders_of(metadata, texts, apart_from=purge.ids)
    forms = [form for text in texts if text not in held for form in forms_of(text)]
    entries = [f"entry {key[:8]}" for key in sorted({key for keys in held.values() for key in keys})]
    with _searching():
        removed = _copies_removed(workspace, [*forms, *(key.encode("ascii") for key in purge.ids)])
        beside = [place for place in _places_holding(workspace, forms) if not _is_database(workspace, place)]
        documents = documents_holding(workspace.documents(), purge.ids, texts)
    delete_purged(metadata, purge, texts, [*beside, *entries, *documents])
    clean_file(metadata)
    with _searching():
        remains = (*_places_holding(workspace, forms), *entries)
    return Destroyed(tuple(removed), remains, tuple(documents))


def finish_purge(workspace: Workspace, metadata: Metadata, what: str = "an interrupted purge") -> list[str]:
    """Finish or call off the purge that a killed run left behind, if any; return a notice about it, called ``what``."""
    purge = pending_purge(metadata)
    if purge is None:
        return []
    if is_called_off(metadata, purge):
        call_off(metadata, purge)
        return [f"{what} was called off, as a file that it edits has changed: nothing was destroyed"]
    try:
        found = destroy(workspace, metadata, purge)
    except StateError as error:
        return [f"{what} could not be completed, and is still pending: {error.message}"]
    left = ", ".join((*found.remains, *found.documents))
    if left:
        return [f"{what} destroyed its records, but a line of them is still in {left}"]
    return [f"{what} was completed: what it deleted is now overwritten"]


def needles(known: Mapping[str, Record], ids: Collection[str]) -> list[str]:
    """Return the strings by which remaining copies of those of the ``known`` records that have ``ids`` are found."""
    others = [f"{one.shown_text}\n{one.noted_text}" for key, one in known.items() if key not in ids]
    return sorted({needle for key, one in known.items() if key in ids for needle in needles_of(one, others)})


def documents_holding(documents: Documents, ids: Collection[str], texts: Iterable[str]) -> list[str]:
    """Return the documents that contain one of ``ids`` in their region, or one of ``texts`` anywhere."""
    wanted = [" ".join(text.split()) for text in texts]  # a document may be wrapped differently
    found: list[str] = []
    for document in documents.found:
        standing = document.region.ids if document.region is not None else ()
        text = " ".join(document.text.split())
        if set(ids) & set(standing) or any(needle in text for needle in wanted):
            found.append(document.name)
    return found


def purged_elsewhere(workspace: Workspace, metadata: Metadata) -> dict[str, str]:
    """Return the ids of our records that another clone has purged, and the identity of each that it named.

    That is the note's, also where a person reworded the line since: the words that stand are another entry.

    A tombstone destroys what it names, and a branch brings the ledger that its author likes. So it counts only if the
    ledger of the default branch has it too, and for entries that were in a document once, here or according to git, as
    what never was is known to nobody else. A person who has learnt one again keeps it.
    """
    there = ledger_tombstones(workspace)
    if not there or workspace.worktree is None:
        return {}
    there -= relearnt(metadata)
    records = metadata.records()
    named = {key: key if key in there else one.entry_id for key, one in records.items()}
    met = {key: name for key, name in named.items() if name in there and (name == key or name not in records)}
    if not met:
        return {}
    accepted = tombstones_on_default_branch(workspace)
    met = {key: name for key, name in met.items() if name in accepted}
    stood = {key for key in met if records[key].promoted_at is not None}
    if met.keys() - stood:
        before = read_lineage(workspace, workspace.documents(), None).stood
        stood |= {key for key, name in met.items() if name in before}
    once = {met[key]: key for key in sorted(met.keys() & stood, reverse=True)}  # another of the name goes next time
    return {key: name for name, key in sorted(once.items())}


def begin_forgetting(workspace: Workspace, metadata: Metadata, names: Mapping[str, str]) -> str:
    """Note that what ``purged_elsewhere`` found is to be destroyed, in one transaction; return a notice about it."""
    ids = frozenset(names.values())
    entries, said = _told(names)
    with metadata.transaction():
        give_up_wordings(metadata, {key: name for key, name in names.items() if key != name})
        former = {alias for alias, key in metadata.aliases().items() if key in ids}
        purge = PendingPurge(
            ids=tuple(sorted(former.union(ids))),
            at=format_time(workspace.now),
            detail=f"{entries}: purged in another clone",
            event="forgotten",  # they left when they were purged there, which the ledger tells
        )
        begin_purge(metadata, purge, edits_files=False)
    return f"{said}: forgotten here too; nothing before this can be undone"


def forgetting_notice(names: Mapping[str, str]) -> str:
    """Return a notice that what ``purged_elsewhere`` found is to be destroyed, for a run that writes nothing."""
    _, said = _told(names)
    return f"{said}: the next command that writes forgets it here too, and nothing before that can be undone"


def _told(names: Mapping[str, str]) -> tuple[str, str]:
    """How many entries another clone has purged, and which."""
    ids = sorted(set(names.values()))
    entries = "1 entry" if len(ids) == 1 else f"{len(ids)} entries"
    return entries, f"{entries} purged in another clone ({', '.join(key[:8] for key in ids)})"


@contextlib.contextmanager
def _searching() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StateError(
            f"{error.filename} could not be searched for what was purged, or not removed: {error.strerror}",
            hint="make it accessible, or delete it; the next command that writes tries again",
            unsettled=True,
        ) from None


def _copies_removed(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Remove backups of migrations that contain what was purged; metadata.db has everything else in them."""
    removed: list[str] = []
    for path in files_holding([workspace.state_dir], forms, prefix=f"{FILE_NAME}."):
        if path.name.removeprefix(f"{FILE_NAME}.").startswith(("v", "new")):
            path.unlink()
            removed.append(path.name)
    if removed:
        sync_folder(workspace.state_dir)  # before their texts are forgotten: a power cut could bring them back
    return removed


def _places_holding(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Return our own files that contain a line of what was purged: state, ledger folder, temporary files."""
    held = files_holding(dict.fromkeys([workspace.state_dir, workspace.root / LEGACY_STATE]), forms)
    beside = {document.path.parent for document in workspace.documents().found}
    held += [path for path in files_holding(sorted(beside), forms, prefix=".") if TEMPORARY in path.name]
    return [str(path) for path in held]


def _is_database(workspace: Workspace, place: str) -> bool:
    return place in {f"{workspace.database}{suffix}" for suffix in ("", "-wal", "-shm")}
