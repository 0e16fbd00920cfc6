"""From intents to documents, and back to a settled state after a kill.

The one place where documents are written: ``finish`` carries out an operation that was just
journaled, ``recover`` those that a killed run left behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from intermem.core.region.parse import find_region
from intermem.errors import DocumentChanged, DocumentNotWritten, IntermemError
from intermem.project.atomic_write import (
    TEMPORARY,
    make_folder,
    prepare_file,
    put_in_place,
    remove_empty_folder,
    remove_file,
    sync_folder,
    tidy_up,
)
from intermem.project.files import current_digest, digest_of, read_text_file
from intermem.storage.journal import close_operation, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.operations import FileWrite, Operation


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project root, and which checkout of its repository that is: ``.`` or ``worktrees/<name>``."""

    root: Path
    name: str


def file_write_for(here: Checkout, path: Path, name: str, before: str | None, after: str, now: datetime) -> FileWrite:
    """Return the intent to put ``after`` in place of ``before`` (None: the file does not exist yet).

    ``path`` is the file with links resolved, below the project's root.
    """
    old = None if before is None else before.encode("utf-8")
    return file_write_of(here, path, name, old, after.encode("utf-8"), now)


def file_write_of(
    here: Checkout, path: Path, name: str, before: bytes | None, after: bytes | None, now: datetime
) -> FileWrite:
    """Return the intent that turns ``before`` into ``after``; None for no file."""
    return FileWrite(
        root=here.root,
        checkout=here.name,
        path=path,
        document=name,
        digest_before=None if before is None else digest_of(before),
        digest_after=None if after is None else digest_of(after),
        temp_name=f".{path.name}{TEMPORARY}{now:%Y%m%dT%H%M%S}",
        before=before,
        after=after,
    )


def apply(metadata: Metadata, operation: Operation | None) -> None:
    """Replace the documents of a journaled operation, then close it in one transaction; None: nothing is left to do.

    All new texts are on disk before the first document changes, so that a full disk changes none.
    Where a document changed meanwhile, or cannot be written, those that were written go back to
    what they were; records are then settled from what stands, and the error says so.
    """
    if operation is None:
        return
    written: list[FileWrite] = []
    try:
        waiting = [intent for intent in operation.intents if not _is_done(intent)]
        for intent in waiting:
            _prepare(intent)
        for intent in waiting:
            written.append(intent)
            _carry_out(intent)
    except IntermemError as error:  # it changed, or cannot be read any more
        rest = _taken_back(written)
        _settle(metadata, operation, "the document was edited meanwhile")
        raise DocumentChanged(f"{error.message}{rest}", hint=error.hint) from None
    except OSError as error:
        rest = _taken_back(written) or "; nothing was changed"
        _settle(metadata, operation, f"the document could not be written ({error.strerror})")
        names = ", ".join(intent.document for intent in operation.intents)
        raise DocumentNotWritten(
            f"{names} could not be written: {error.strerror}{rest}",
            hint="check free space and permissions, then run the command again",
        ) from None
    with metadata.transaction():
        close_operation(metadata, operation)


def _taken_back(written: Sequence[FileWrite]) -> str:
    """Put documents back that were written before another one could not be; say which could not."""
    left: list[str] = []
    for intent in reversed(written):
        if file_state(intent) == "before":
            continue
        try:
            back = reversed_write(intent)
            _prepare(back)
            _carry_out(back)
        except (OSError, IntermemError):
            left.append(intent.document)
    return f"; records follow what {', '.join(sorted(left))} says" if left else ""


def reversed_write(intent: FileWrite) -> FileWrite:
    """Return the intent that takes ``intent`` back."""
    return replace(
        intent,
        digest_before=intent.digest_after,
        digest_after=intent.digest_before,
        before=intent.after,
        after=intent.before,
    )


def recover(metadata: Metadata, here: Checkout, is_ours: Callable[[Path], bool]) -> list[str]:
    """Finish or settle every pending operation; return a sentence about each.

    Finished where every document is as before or as after; settled, with nothing written, where
    one is neither: a person edited it since (DESIGN.md §9). ``is_ours`` says whether a project
    root belongs to this state; in a repository that was copied or moved it does not, and the
    documents of ``here`` are meant, if it is the same checkout of it.
    """
    said: list[str] = []
    for operation in pending_operations(metadata):
        operation = replace(operation, intents=tuple(located(one, here, is_ours) for one in operation.intents))
        for intent in operation.intents:
            _tidy(intent)
        strange = [intent.document for intent in operation.intents if file_state(intent) is None]
        if strange:
            _settle(metadata, operation, "the document was edited after a run was killed")
            said.append(
                f"an interrupted {operation.verb} was not finished: {', '.join(strange)} was edited since;"
                " records now follow what it says"
            )
        else:
            apply(metadata, operation)
            said.append(f"an interrupted {operation.verb} was finished")
    return said


def located(intent: FileWrite, here: Checkout, is_ours: Callable[[Path], bool]) -> FileWrite:
    """Return ``intent`` with its paths as they are here: a repository that was copied or moved means its own files."""
    if is_ours(intent.root) or intent.checkout != here.name:
        return intent
    return replace(intent, path=here.root / os.path.relpath(intent.path, intent.root), root=here.root)


def _tidy(intent: FileWrite) -> None:
    """Remove the temporary file that a killed run left, unless it is a text that somebody else saved."""
    if intent.after is not None and os.path.realpath(intent.path) == str(intent.path):  # nothing behind a link
        tidy_up(intent.path, intent.temp_name, ours=intent.after, expected=intent.digest_before)


def _is_done(intent: FileWrite) -> bool:
    """Return whether the document is as it shall be. Raises DocumentChanged where it is not as it was, either."""
    found = file_state(intent)
    if found is None:  # edited, a link by now, or nothing that can be read
        raise DocumentChanged(
            f"{intent.document} changed since intermem read it; it was not written", hint="run the command again"
        )
    if found == "after":
        _sync(intent.path.parent)  # nobody knows whether the run that wrote it, and was killed, came to that
    return found == "after"


def _sync(folder: Path) -> None:
    for one in (folder, folder.parent):
        if one.is_dir():
            sync_folder(one)


def _prepare(intent: FileWrite) -> None:
    if intent.after is None:
        return
    if intent.digest_before is None:
        make_folder(intent.path.parent)
    prepare_file(intent.path, intent.after, temp_name=intent.temp_name)


def _carry_out(intent: FileWrite) -> None:
    if intent.after is not None:
        put_in_place(intent.path, intent.after, expected=intent.digest_before, temp_name=intent.temp_name)
        return
    assert intent.digest_before is not None
    remove_file(intent.path, expected=intent.digest_before)
    if intent.path.parent != intent.root:
        remove_empty_folder(intent.path.parent)


def file_state(intent: FileWrite) -> str | None:
    """Return ``before`` or ``after``, by the file's digest; None where it is neither."""
    if os.path.realpath(intent.path) != str(intent.path):
        return None  # it has become a link, or lies behind one
    if not intent.path.parent.is_dir():
        absent = "before" if intent.digest_before is None else "after" if intent.digest_after is None else None
        stays = intent.path.parent.parent.is_dir() and not os.path.lexists(intent.path.parent)
        return absent if stays else None
    try:
        digest = current_digest(intent.path)
    except (OSError, IntermemError):
        return None
    if digest == intent.digest_after:
        return "after"
    return "before" if digest == intent.digest_before else None


def _settle(metadata: Metadata, operation: Operation, why: str) -> None:
    """Close an operation by what the documents say now; nothing is written to them.

    Where a document cannot be read it says nothing, and no effect on it holds.
    """
    for intent in operation.intents:
        _tidy(intent)
        if intent.digest_before is None and intent.path.parent != intent.root:
            remove_empty_folder(intent.path.parent)  # made for a file that did not come
    found = {intent.document: _ids_in(intent.path, intent.document) for intent in operation.intents}
    holds: list[bool] = []
    for effect in operation.effects:
        ids = found.get(effect.document)
        holds.append(ids is not None and (effect.standing_id in ids) == effect.stands)
    with metadata.transaction():
        close_operation(metadata, operation, holds, why)


def _ids_in(path: Path, name: str) -> Sequence[str] | None:
    """The entries in a document's region; None where that cannot be told."""
    try:
        region = find_region(read_text_file(path, name, sys.maxsize), name)
    except IntermemError:
        return None
    return region.ids if region is not None else ()
