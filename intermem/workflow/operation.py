"""One operation of a command: plan, lock, recover, journal, write, close.

Every command that writes goes through ``operation``; none takes the lock, opens the state for writing or closes a
journaled operation on its own, so none can skip a step.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from intermem.core.lifecycle.effects import Effect
from intermem.entities import LEDGER, OLD_LEDGER
from intermem.errors import IntermemError, RepositoryError, StateError
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import AUTO_TARGETS
from intermem.storage.journal import Recording, recorded
from intermem.storage.metadata import Metadata
from intermem.storage.operations import FileWrite, JournaledOperation
from intermem.storage.secure_delete import call_off, is_called_off, pending_purge
from intermem.workflow.edits import Edit, file_writes_for
from intermem.workflow.purging import (
    Destroyed,
    begin_forgetting,
    destroy,
    finish_purge,
    forgetting_notice,
    purged_elsewhere,
)
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace, exposed_state_notices, pending_notice
from intermem.workflow.writeback import apply, recover, written_documents

Plan = TypeVar("Plan")
NOTHING_CHANGED = "nothing was changed"


class Operation(Generic[Plan]):
    """A run of ``verb`` as a context manager; created by ``operation``.

    Entering recovers what a killed run left behind and plans from a read-only view: ``plan`` is what ``make``
    returned, and an invalid argument leaves no trace. ``begin`` takes the lock and opens a transaction; a plan that
    no longer holds is made again. ``commit`` writes records and journal in that transaction, then the documents.
    In a dry run both return at once. ``notices`` are the messages of recovery. An error that leaves the block says
    what the run has left behind.
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
        expires_undo: bool,
    ) -> None:
        self.workspace = workspace
        self.notices: list[str] = []
        self._verb = verb
        self._mode = mode
        self._make = make
        self._documents = documents
        self._expires_undo = expires_undo
        self._held = contextlib.ExitStack()  # the lock and the open state
        self._viewing = contextlib.ExitStack()  # the view that the plan was made from
        self._transaction = contextlib.ExitStack()
        self._recording: Recording | None = None
        self._metadata: Metadata | None = None
        self._outcome: Callable[[], str] = lambda: NOTHING_CHANGED

    def __enter__(self) -> Operation[Plan]:
        try:
            if not self._mode.dry and self._documents:
                self.workspace.require_clean_git_state(force=self._mode.force)
            self._open_recovered_view()
            self.plan = self._make(self._view)
        except BaseException as error:
            self._viewing.close()
            self._settle(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._held, self._viewing:
            self._transaction.__exit__(kind, error, trace)
        if error is not None:
            self._settle(error)

    @property
    def metadata(self) -> Metadata:
        """The state, open for writing; available from ``begin`` on."""
        assert self._metadata is not None, "call begin() first"
        return self._metadata

    def begin(self) -> Plan:
        """Take the lock, open a transaction and return the plan, made again if it no longer holds.

        After a ``commit`` it opens the next transaction under the same lock and keeps the plan. Raises
        RepositoryError if HEAD has moved since the plan was made.
        """
        if self._mode.dry:
            return self.plan
        if self._metadata is None:
            self._held.enter_context(self.workspace.locked())
            seen = _fingerprint(self.workspace)
            self._metadata = self._held.enter_context(self.workspace.opened())
            self._recover(self._metadata)
            self._record()
            if not self._still_holds(seen):
                self.plan = self._make(self._metadata)
            self._viewing.close()
        else:
            self._outcome = lambda: "what was written before stays"
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
        """Call ``save`` and journal the rest in one transaction, then write the files and close the operation.

        ``effects`` hold once the files are written: ``edits``, or ``writes`` given in full. Raises
        DocumentChanged, DocumentNotWritten.
        """
        if self._mode.dry:
            return
        assert self._recording is not None, "call begin() first"
        recording, self._recording = self._recording, None
        edits = list(edits)
        if save is not None:
            save(self.metadata)
        recording.intends(effects, [*file_writes_for(self.workspace, edits), *writes], undoes)
        self._outcome = lambda: "no document was changed"
        self._transaction.close()
        self._outcome = lambda: _left_by(self._verb, recording.pending)
        try:
            apply(self.metadata, recording.pending)
        except IntermemError:
            self._call_off_purge()
            raise
        self._outcome = lambda: f"the {self._verb} itself was completed"
        if any(edit.name.startswith(f"{LEDGER}/") for edit in edits):  # they are to be committed, and nothing else
            self.notices += exposed_state_notices(self.workspace)
        with contextlib.suppress(StateError):  # a later run does it
            self.metadata.shrink()

    def finish_purge(self) -> Destroyed:
        """Destroy what the purge that this operation has committed is about. Raises StateError, the purge pending."""
        purge = pending_purge(self.metadata)
        assert purge is not None, "commit a purge first"
        self._outcome = lambda: "the purge is pending; the next command that writes completes it"
        found = destroy(self.workspace, self.metadata, purge)
        self._outcome = lambda: "the purge itself was completed"
        return found

    def _call_off_purge(self) -> None:
        """Call off a purge whose files could not be written; if that fails too, the next run does it."""
        with contextlib.suppress(StateError):
            purge = pending_purge(self.metadata)
            if purge is not None and is_called_off(self.metadata, purge):
                call_off(self.metadata, purge)

    def _settle(self, error: BaseException) -> None:
        """Complete an error or an interruption with what this run has left behind."""
        if isinstance(error, IntermemError):
            if error.unsettled:
                error.settle(self._outcome())
            error.notices = (*self.notices, *error.notices)
        elif isinstance(error, KeyboardInterrupt) and not error.args and not self._mode.dry:
            error.args = (self._outcome(),)

    def _record(self) -> None:
        keep = self.workspace.config.count("undo.operations") if self._expires_undo else None
        self._recording = self._transaction.enter_context(recorded(self.metadata, self._verb, self.workspace.now, keep))

    def _open_recovered_view(self) -> None:
        """Open the view to plan from; unless this is a dry run, recover first what a killed run left behind."""
        self._open_view()
        pending, names = pending_notice(self._view), purged_elsewhere(self.workspace, self._view)
        if self._mode.dry or not (pending or names):
            self.notices += [*pending, *([forgetting_notice(names)] if names else [])]
            return
        self._viewing.close()
        with self.workspace.locked(), self.workspace.opened() as metadata:
            self._recover(metadata)
            names = purged_elsewhere(self.workspace, metadata)
            if names:
                self.notices.append(begin_forgetting(self.workspace, metadata, names))
                self.notices += finish_purge(self.workspace, metadata, "this purge")
        self._open_view()

    def _recover(self, metadata: Metadata) -> None:
        """Finish, or settle, what a killed run left behind."""
        self._outcome = lambda: "what an interrupted run left is pending; the next command that writes completes it"
        workspace = self.workspace
        self.notices += recover(metadata, workspace.checkout, workspace.write_scope)
        self.notices += finish_purge(workspace, metadata)
        self._outcome = lambda: NOTHING_CHANGED

    def _open_view(self) -> None:
        self._seen = _fingerprint(self.workspace)
        self._view = self._viewing.enter_context(self.workspace.viewing())
        self._view_version = self._view.version()

    def _still_holds(self, seen: Fingerprint) -> bool:
        """True if nothing that the plan was based on has changed."""
        worktree = self.workspace.worktree
        if worktree is not None and worktree.head_moved:
            raise RepositoryError("HEAD moved in the meantime; nothing was written", hint="run the command again")
        if seen != self._seen:
            return False
        if self._view_version is None:  # there was no database, or an older one that was read into memory
            return seen.database is None
        return self._view.version() == self._view_version


def operation(
    workspace: Workspace,
    verb: str,
    mode: RunMode,
    make: Callable[[Metadata], Plan],
    *,
    documents: bool = True,
    expires_undo: bool = True,
) -> Operation[Plan]:
    """Return the operation of ``verb``, planned by ``make``.

    With ``documents`` to write, a bare repository is refused, and so is an unfinished merge or rebase unless
    forced. ``expires_undo`` drops the undo data of the oldest operations.
    """
    return Operation(workspace, verb, mode, make, documents=documents, expires_undo=expires_undo)


def _left_by(verb: str, operation: JournaledOperation | None) -> str:
    """What is left by a run that ended between the commit of its records and the end of its operation."""
    if operation is None:
        return f"the {verb} itself was completed"
    written = written_documents(operation)
    if not written:
        return f"no document was changed; the {verb} is pending, and the next command that writes completes it"
    are = "is" if len(written) == 1 else "are"
    return f"{', '.join(written)} {are} written; the record of it is pending, and the next command that writes adds it"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Detects changed files: which file metadata.db is, and the status of the others."""

    database: tuple[int, int] | None
    files: tuple[tuple[str, tuple[int, ...]], ...]


def _fingerprint(workspace: Workspace) -> Fingerprint:
    source = next((path for path in (workspace.database, workspace.older_state) if path and path.is_file()), None)
    found = source.stat() if source is not None else None
    targets = workspace.config.texts("targets")
    names = [*(AUTO_TARGETS if targets == ["auto"] else targets), LEDGER, OLD_LEDGER]
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
