"""One operation of a verb: look, lock, recover, journal, write, close.

Every verb that writes goes through ``operation``; none of them takes a lock, opens the state for writing or
closes a journaled operation by itself, so none can forget a step.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from intermem.core.lifecycle.effects import Effect
from intermem.entities import LEDGER
from intermem.errors import RepositoryError, StateError
from intermem.project.documents import AUTO_TARGETS
from intermem.storage.journal import Recording, recorded
from intermem.storage.metadata import Metadata
from intermem.storage.operations import FileWrite
from intermem.storage.secure_delete import clean_file, is_purge_under_way
from intermem.workflow.edits import Edit, file_writes_for
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace, pending_notice
from intermem.workflow.writeback import apply, recover

Plan = TypeVar("Plan")


class Operation(Generic[Plan]):
    """A run of ``verb`` as a context manager; made by ``operation``.

    Entering finishes what a killed run left behind and plans from a read-only view: ``plan`` is what ``make``
    returned, and a wrong argument leaves no trace. ``begin`` takes the lock and opens a transaction; where the
    plan no longer holds it is made anew. ``commit`` writes records and journal in that transaction, then the
    documents. A dry run does neither: both return at once. ``notices`` is what recovery has to say.
    """

    plan: Plan

    def __init__(
        self,
        workspace: Workspace,
        verb: str,
        mode: RunMode,
        make: Callable[[Metadata], Plan],
        *,
        documents: bool,
        forgets: bool,
    ) -> None:
        self.workspace = workspace
        self.notices: list[str] = []
        self._verb = verb
        self._mode = mode
        self._make = make
        self._documents = documents
        self._forgets = forgets
        self._held = contextlib.ExitStack()  # the lock and the open state
        self._looking = contextlib.ExitStack()  # the view that the plan was made from
        self._transaction = contextlib.ExitStack()
        self._recording: Recording | None = None
        self._metadata: Metadata | None = None

    def __enter__(self) -> Operation[Plan]:
        try:
            if not self._mode.dry and self._documents:
                self.workspace.require_clean_git_state(force=self._mode.force)
            self._look()
            self.plan = self._make(self._view)
        except BaseException:
            self._looking.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._held, self._looking:
            self._transaction.__exit__(kind, error, trace)

    @property
    def metadata(self) -> Metadata:
        """The state, open for writing, from ``begin`` on."""
        assert self._metadata is not None, "begin() comes first"
        return self._metadata

    def begin(self) -> Plan:
        """Take the lock, open a transaction and return the plan, made anew where it no longer holds.

        After a ``commit`` it opens the next transaction under the same lock; the plan stays. Raises
        RepositoryError where HEAD has moved since the plan was made.
        """
        if self._mode.dry:
            return self.plan
        if self._metadata is None:
            self._held.enter_context(self.workspace.locked())
            seen = _fingerprint(self.workspace)
            self._metadata = self._held.enter_context(self.workspace.opened())
            self.notices += _recover(self.workspace, self._metadata)
            self._record()
            if not self._still_holds(seen):
                self.plan = self._make(self._metadata)
            self._looking.close()
        else:
            self._record()
        return self.plan

    def commit(
        self,
        save: Callable[[Metadata], None] | None = None,
        *,
        effects: Iterable[Effect] = (),
        edits: Iterable[Edit] = (),
        writes: Iterable[FileWrite] = (),
        undoes: Iterable[int] = (),
    ) -> None:
        """Write what ``save`` writes and journal the rest in one transaction, then write the files and close.

        ``effects`` hold once the files are written: ``edits``, or ``writes`` where they are spelt out.
        Raises DocumentChanged, DocumentNotWritten.
        """
        if self._mode.dry:
            return
        assert self._recording is not None, "begin() comes first"
        recording, self._recording = self._recording, None
        if save is not None:
            save(self.metadata)
        recording.intends(effects, [*file_writes_for(self.workspace, edits), *writes], undoes)
        self._transaction.close()
        apply(self.metadata, recording.pending)

    def _record(self) -> None:
        keep = self.workspace.config.count("undo.operations") if self._forgets else None
        self._recording = self._transaction.enter_context(recorded(self.metadata, self._verb, self.workspace.now, keep))

    def _look(self) -> None:
        """Open the view to plan from; what a killed run left behind is finished first, but by no dry run."""
        self._open_view()
        pending = pending_notice(self._view)
        if self._mode.dry or not (pending or is_purge_under_way(self._view)):
            self.notices += pending
            return
        self._looking.close()
        with self.workspace.locked(), self.workspace.opened() as metadata:
            self.notices += _recover(self.workspace, metadata)
        self._open_view()

    def _open_view(self) -> None:
        self._seen = _fingerprint(self.workspace)
        self._view = self._looking.enter_context(self.workspace.viewing())
        self._view_version = self._view.version()

    def _still_holds(self, seen: Fingerprint) -> bool:
        """True where nothing that the plan was made from has changed since."""
        worktree = self.workspace.worktree
        if worktree is not None and worktree.head_moved:
            raise RepositoryError("HEAD moved meanwhile; nothing was written", hint="run the command again")
        if seen != self._seen:
            return False
        if self._view_version is None:  # nothing was there, or an older database that was read in memory
            return seen.database is None
        return self._view.version() == self._view_version


def operation(
    workspace: Workspace,
    verb: str,
    mode: RunMode,
    make: Callable[[Metadata], Plan],
    *,
    documents: bool = True,
    forgets: bool = True,
) -> Operation[Plan]:
    """Return the operation of ``verb``, planned by ``make``.

    Where ``documents`` may be written, a bare repository is refused, and the middle of a merge or rebase unless
    forced. With ``forgets`` the oldest operations can no longer be undone afterwards.
    """
    return Operation(workspace, verb, mode, make, documents=documents, forgets=forgets)


def _recover(workspace: Workspace, metadata: Metadata) -> list[str]:
    said = recover(metadata, workspace.checkout, workspace.is_ours)
    if is_purge_under_way(metadata):
        try:
            clean_file(metadata)
            said.append("an interrupted purge was finished: what it deleted is overwritten now")
        except StateError as error:
            said.append(f"an interrupted purge is unfinished: {error.message}")
    return said


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells that files have changed: of metadata.db which file it is, of the others their status."""

    database: tuple[int, int] | None
    files: tuple[tuple[str, tuple[int, ...]], ...]


def _fingerprint(workspace: Workspace) -> Fingerprint:
    source = next((path for path in (workspace.database, workspace.phase_one) if path and path.is_file()), None)
    found = source.stat() if source is not None else None
    targets = workspace.config.texts("targets")
    names = [*(AUTO_TARGETS if targets == ["auto"] else targets), LEDGER]
    paths = [workspace.root / name for name in names]
    memory = workspace.memory_place.path
    if memory is not None:
        paths += sorted(Path(folder) / name for folder, _, names in os.walk(memory) for name in (*names, "."))
    return Fingerprint(
        database=(found.st_dev, found.st_ino) if found is not None else None,
        files=tuple((str(path), status) for path in paths if (status := _status(path))),
    )


def _status(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
