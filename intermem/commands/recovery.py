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

from intermem.core.regions import find_region
from intermem.errors import DocumentChanged, DocumentNotWritten, IntermemError
from intermem.project.files import current_digest, digest_of, make_folder, read_text_file, remove_temp, replace_file
from intermem.storage.journal import Intent, Operation, close_operation, pending_operations
from intermem.storage.metadata import Metadata


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project root, and which checkout of its repository that is: ``.`` or ``worktrees/<name>``."""

    root: Path
    name: str


def intent_for(here: Checkout, path: Path, name: str, before: str | None, after: str, now: datetime) -> Intent:
    """Return the intent to put ``after`` in place of ``before`` (None: the file does not exist yet).

    ``path`` is the file with links resolved, below the project's root.
    """
    old = None if before is None else before.encode("utf-8")
    new = after.encode("utf-8")
    return Intent(
        root=here.root,
        checkout=here.name,
        path=path,
        document=name,
        digest_before=None if old is None else digest_of(old),
        digest_after=digest_of(new),
        temp_name=f".{path.name}.intermem-{now:%Y%m%dT%H%M%S}",
        before=old,
        after=new,
    )


def finish(metadata: Metadata, operation: Operation) -> None:
    """Replace the documents of a journaled operation, then close it in one transaction.

    A document that changed meanwhile, or that cannot be written, is left alone: records are then
    settled from what stands, and the error says so.
    """
    try:
        for intent in operation.intents:
            _replace(intent)
    except DocumentChanged:
        _settle(metadata, operation, "the document was edited meanwhile")
        raise
    except OSError as error:
        _settle(metadata, operation, f"the document could not be written ({error.strerror})")
        written = [intent.document for intent in operation.intents if _stands(intent) == "after"]
        names = ", ".join(intent.document for intent in operation.intents)
        rest = f"records follow what {', '.join(written)} says" if written else "it is as it was"
        raise DocumentNotWritten(
            f"{names} could not be written: {error.strerror}; {rest}",
            hint="check free space and permissions, then run the command again",
        ) from None
    with metadata.transaction():
        close_operation(metadata, operation)


def recover(metadata: Metadata, here: Checkout, is_ours: Callable[[Path], bool]) -> list[str]:
    """Finish or settle every pending operation; return a sentence about each.

    Finished where every document is as before or as after; settled, with nothing written, where
    one is neither: a person edited it since (DESIGN.md §9). ``is_ours`` says whether a project
    root belongs to this state; in a repository that was copied or moved it does not, and the
    documents of ``here`` are meant, if it is the same checkout of it.
    """
    said: list[str] = []
    for operation in pending_operations(metadata):
        operation = replace(operation, intents=tuple(_here(one, here, is_ours) for one in operation.intents))
        for intent in operation.intents:
            if _stands(intent) is not None:
                remove_temp(intent.path, intent.temp_name)
        strange = [intent.document for intent in operation.intents if _stands(intent) is None]
        if strange:
            _settle(metadata, operation, "the document was edited after a run was killed")
            said.append(
                f"an interrupted {operation.verb} was not finished: {', '.join(strange)} was edited since;"
                " records now follow what it says"
            )
        else:
            finish(metadata, operation)
            said.append(f"an interrupted {operation.verb} was finished")
    return said


def _here(intent: Intent, here: Checkout, is_ours: Callable[[Path], bool]) -> Intent:
    if is_ours(intent.root) or intent.checkout != here.name:
        return intent
    return replace(intent, path=here.root / os.path.relpath(intent.path, intent.root), root=here.root)


def _replace(intent: Intent) -> None:
    standing = _stands(intent)
    if standing == "after":
        return
    if standing is None:  # edited, a link by now, or nothing that can be read
        raise DocumentChanged(
            f"{intent.document} changed since intermem read it; it was not written", hint="run the command again"
        )
    if intent.digest_before is None:
        make_folder(intent.path.parent)
    replace_file(intent.path, intent.after, expected=intent.digest_before, temp_name=intent.temp_name)


def _stands(intent: Intent) -> str | None:
    """``before`` or ``after``, by the file's digest; None where it is neither."""
    if os.path.realpath(intent.path) != str(intent.path):
        return None  # it has become a link, or lies behind one
    if not intent.path.parent.is_dir():
        never_was = intent.digest_before is None and intent.path.parent.parent.is_dir()
        return "before" if never_was and not os.path.lexists(intent.path.parent) else None
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
        remove_temp(intent.path, intent.temp_name)
    standing = {intent.document: _ids_in(intent.path, intent.document) for intent in operation.intents}
    holds: list[bool] = []
    for effect in operation.effects:
        ids = standing.get(effect.document)
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
