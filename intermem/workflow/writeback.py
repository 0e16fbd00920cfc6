"""Apply journaled writes; recover after a crash.

The only place where documents are written: ``apply`` carries out an operation that was just
journaled, ``recover`` those that a killed run left behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from intermem.core.region.parse import find_region
from intermem.errors import DocumentChanged, DocumentNotWritten, IntermemError
from intermem.lazy_dataclass import dataclass
from intermem.project.atomic_write import (
    TEMPORARY,
    make_folder,
    prepare_file,
    put_in_place,
    remove_empty_folders,
    remove_file,
    sync_folder,
    tidy_up,
)
from intermem.project.files import current_digest, digest_of, read_text_file
from intermem.storage.journal import close_operation, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.operations import FileWrite, JournaledOperation
from intermem.storage.secure_delete import PURGE
from intermem.workflow.write_scope import WriteScope


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project root, and which checkout of its repository it is in: ``.`` or ``worktrees/<name>``."""

    root: Path
    name: str


def file_write_for(
    checkout: Checkout, path: Path, name: str, before: str | None, after: str | None, now: datetime
) -> FileWrite:
    """Return the write that replaces ``before`` (None: the file does not exist yet) with ``after``.

    ``path`` is the file with links resolved, inside the project root.
    """
    old = None if before is None else before.encode("utf-8")
    new = None if after is None else after.encode("utf-8")
    return file_write_of(checkout, path, name, old, new, now)


def file_write_of(
    checkout: Checkout, path: Path, name: str, before: bytes | None, after: bytes | None, now: datetime
) -> FileWrite:
    """Return the write that replaces ``before`` with ``after``; None means no file."""
    return FileWrite(
        root=checkout.root,
        checkout=checkout.name,
        path=path,
        document=name,
        digest_before=None if before is None else digest_of(before),
        digest_after=None if after is None else digest_of(after),
        temp_name=f".{path.name}{TEMPORARY}{now:%Y%m%dT%H%M%S}",
        before=before,
        after=after,
    )


def apply(metadata: Metadata, operation: JournaledOperation | None) -> None:
    """Replace the documents of a journaled operation, then close it in one transaction; None: nothing to do.

    All new texts are on disk before the first document changes, so that a full disk changes none.
    If a document changed in the meantime or cannot be written, those already written are rolled
    back; records then follow the documents, and the error says so.
    """
    if operation is None:
        return
    written: list[FileWrite] = []
    try:
        waiting = [write for write in operation.intents if not _is_done(write)]
        for write in waiting:
            _prepare(write)
        for write in waiting:
            written.append(write)
            _carry_out(write)
    except IntermemError as error:  # it changed, or can no longer be read
        rest = _rolled_back(written)
        _settle(metadata, operation, "the document was edited in the meantime")
        raise DocumentChanged(f"{error.message}{rest}", hint=error.hint) from None
    except OSError as error:
        rest = _rolled_back(written) or "; no document was changed"
        _settle(metadata, operation, f"the document could not be written ({error.strerror})")
        names = ", ".join(write.document for write in operation.intents)
        raise DocumentNotWritten(
            f"{names} could not be written: {error.strerror}{rest}",
            hint="check free space and permissions, then run the command again",
        ) from None
    with metadata.transaction():
        close_operation(metadata, operation)


def written_documents(operation: JournaledOperation) -> list[str]:
    """Return the files of an operation that are as they are to be after it."""
    return [write.document for write in operation.intents if file_state(write) == "after"]


def _rolled_back(written: Sequence[FileWrite]) -> str:
    """Roll back the documents that were already written; return a note on those that could not be."""
    left: list[str] = []
    for write in reversed(written):
        if file_state(write) == "before":
            continue
        try:
            back = reversed_write(write)
            _prepare(back)
            _carry_out(back)
        except (OSError, IntermemError):
            left.append(write.document)
    return f"; records now follow {', '.join(sorted(left))}" if left else ""


def reversed_write(write: FileWrite) -> FileWrite:
    """Return the write that reverts ``write``."""
    return replace(
        write,
        digest_before=write.digest_after,
        digest_after=write.digest_before,
        before=write.after,
        after=write.before,
    )


def recover(metadata: Metadata, checkout: Checkout, scope: WriteScope) -> list[str]:
    """Complete or close every pending operation; return a notice about each.

    An operation is completed if every document is as before or as after it. If one is neither, a
    person edited it since: the operation is closed and nothing is written (DESIGN.md §9). So is one
    that names a file outside ``scope``: none of its files is touched. In a copied or moved repository
    the documents of ``checkout`` are written if it is the same checkout.
    """
    notices: list[str] = []
    for operation in pending_operations(metadata):
        operation = replace(operation, intents=tuple(located(one, checkout, scope) for one in operation.intents))
        refused = [(one.path, why) for one in operation.intents if (why := scope.why_outside(one)) is not None]
        if refused:
            with metadata.transaction():
                close_operation(
                    metadata, operation, [False] * len(operation.effects), "a file of it may not be written"
                )
            notices += [
                f"an interrupted {operation.verb} was not completed: {path} is not written, {why}; records now follow"
                " the documents"
                for path, why in refused
            ]
            continue
        for write in operation.intents:
            _tidy(write)
        edited = [write.document for write in operation.intents if file_state(write) is None]
        if edited and operation.verb == PURGE:
            _settle(metadata, operation, "the document was edited after a run was killed")
        elif edited:
            _settle(metadata, operation, "the document was edited after a run was killed")
            were = "was" if len(edited) == 1 else "were"
            notices.append(
                f"an interrupted {operation.verb} was not completed: {', '.join(edited)} {were} edited since;"
                " records now follow the documents"
            )
        else:
            apply(metadata, operation)
            if operation.verb != PURGE:  # which goes on from there
                notices.append(f"an interrupted {operation.verb} was completed{_moved(metadata, operation)}")
    return notices


def _moved(metadata: Metadata, operation: JournaledOperation) -> str:
    """Return which entries an operation put into documents, and which it took out; empty if none."""
    ids = metadata.entry_ids()
    found: dict[str, list[str]] = {}
    for effect in operation.effects:
        key = ids.get(effect.standing_id, effect.entry_id)[:8]
        if effect.document:
            found.setdefault(f"{'into' if effect.stands else 'out of'} {effect.document}", []).append(key)
    return "".join(f"{'; ' if n else ': '}{', '.join(keys)} {where}" for n, (where, keys) in enumerate(found.items()))


def located(write: FileWrite, checkout: Checkout, scope: WriteScope) -> FileWrite:
    """Return ``write`` with its paths in this checkout: a copied or moved repository writes its own files."""
    if scope.is_ours(write.root) or write.checkout != checkout.name:
        return write
    return replace(write, path=checkout.root / os.path.relpath(write.path, write.root), root=checkout.root)


def _tidy(write: FileWrite) -> None:
    """Remove the temporary file of a killed run, unless it contains text that somebody else saved."""
    if write.after is not None and os.path.realpath(write.path) == str(write.path):  # not behind a link
        tidy_up(write.path, write.temp_name, ours=write.after, expected=write.digest_before)


def _is_done(write: FileWrite) -> bool:
    """Return whether the document is already written. Raises DocumentChanged if it is neither before nor after."""
    found = file_state(write)
    if found is None:  # edited, replaced by a link, or unreadable
        raise DocumentChanged(
            f"{write.document} changed since intermem read it; it was not written", hint="run the command again"
        )
    if found == "after":
        _sync(write)  # the killed run that wrote it may not have synced
    return found == "after"


def _sync(write: FileWrite) -> None:
    for folder in write.path.parents:
        if folder.is_dir():
            sync_folder(folder)
        if folder == write.root:
            break


def _prepare(write: FileWrite) -> None:
    if write.after is None:
        return
    if write.digest_before is None:
        make_folder(write.path.parent, write.root)
    prepare_file(write.path, write.after, temp_name=write.temp_name)


def _carry_out(write: FileWrite) -> None:
    if write.after is not None:
        put_in_place(write.path, write.after, expected=write.digest_before, temp_name=write.temp_name)
        return
    assert write.digest_before is not None
    remove_file(write.path, expected=write.digest_before)
    remove_empty_folders(write.path.parent, write.root)


def file_state(write: FileWrite) -> str | None:
    """Return ``before`` or ``after``, by the file's digest; None if it is neither."""
    if os.path.realpath(write.path) != str(write.path):
        return None  # it has become a link, or is behind one
    if not write.path.parent.is_dir():
        absent = "before" if write.digest_before is None else "after" if write.digest_after is None else None
        there = next(folder for folder in write.path.parents if os.path.lexists(folder))
        return absent if there.is_dir() and there.is_relative_to(write.root) else None
    try:
        digest = current_digest(write.path)
    except (OSError, IntermemError):
        return None
    if digest == write.digest_after:
        return "after"
    return "before" if digest == write.digest_before else None


def _settle(metadata: Metadata, operation: JournaledOperation, why: str) -> None:
    """Close an operation according to the documents as they are now, without writing them.

    No effect holds on a document that cannot be read.
    """
    for write in operation.intents:
        _tidy(write)
        if write.digest_before is None:
            remove_empty_folders(write.path.parent, write.root)  # created for a file that was never written
    found = {write.document: _ids_in(write.path, write.document) for write in operation.intents}
    holds: list[bool] = []
    for effect in operation.effects:
        ids = found.get(effect.document)
        holds.append(ids is not None and (effect.standing_id in ids) == effect.stands)
    with metadata.transaction():
        close_operation(metadata, operation, holds, why)


def _ids_in(path: Path, name: str) -> Sequence[str] | None:
    """The entries in a document's region; None if it cannot be read."""
    try:
        region = find_region(read_text_file(path, name, sys.maxsize), name)
    except IntermemError:
        return None
    return region.ids if region is not None else ()
