"""The project that a command works on: its locations and its clock, found once.

Modules that only some commands need (state, documents, memory) are imported where they are used: ``check`` in a
hook needs none of them and pays for every import.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.errors import IntermemError, RepositoryError, StateError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.project.config import Config, load_config
from intermem.project.git.worktree import Worktree, open_worktree
from intermem.project.locations import LEGACY_STATE, MemoryPlace, find_memory, find_root, find_state_dir
from intermem.project.progress import Progress, no_progress
from intermem.project.provenance import may_be_committed, why_foreign
from intermem.storage import FILE_NAME, KEY_NAME

if TYPE_CHECKING:
    from intermem.project.documents import Documents
    from intermem.storage.metadata import Metadata
    from intermem.workflow.write_scope import WriteScope
    from intermem.workflow.writeback import Checkout

_STATE_FILES = (FILE_NAME, KEY_NAME, "lock")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The global options of a run."""

    now: datetime
    working_directory: Path
    environment: Mapping[str, str]
    project_root: Path | None = None
    memory_dir: Path | None = None
    config: Path | None = None
    state_dir: Path | None = None
    cache: bool = True
    progress: Progress = no_progress


@dataclass(frozen=True)
class Workspace:
    """Where everything is, and the time of the run."""

    root: Path
    worktree: Worktree | None
    config: Config
    state_dir: Path
    options: Options

    @property
    def now(self) -> datetime:
        """The time of this run."""
        return self.options.now

    @property
    def top(self) -> Path:
        """The top of the repository, or the root outside git."""
        return self.worktree.top if self.worktree is not None else self.root

    @cached_property
    def memory_place(self) -> MemoryPlace:
        """Where the memory is, or the places that were tried."""
        return find_memory(
            self.root,
            self.worktree,
            option=self.options.memory_dir,
            configured=self.config.text("memory_dir"),
            committed=self._is_committed("memory_dir"),
            environment=self.options.environment,
        )

    def _is_committed(self, key: str) -> bool:
        """Return whether a key is set by a file that git may have brought."""
        file = self.config.file
        return file is not None and self.config.origins[key] == str(file) and may_be_committed(file, self.worktree)

    def documents(self) -> Documents:
        """Read the documents as they are now."""
        from intermem.project.documents import find_documents

        return find_documents(self.root, self.top, self.config.texts("targets"), self.config.count("scan.max_bytes"))

    @property
    def database(self) -> Path:
        """Where metadata.db is, or will be."""
        return self.state_dir / FILE_NAME

    @cached_property
    def older_state(self) -> Path | None:
        """A database of phase 1, or one that 0.1 kept in the tree, to be imported while there is none of ours."""
        return self._older_state[0]

    @cached_property
    def _older_state(self) -> tuple[Path | None, tuple[str, ...]]:
        """The database to import, and a notice about each that is not."""
        if self.database.exists():
            return None, ()
        refused: list[str] = []
        for folder in dict.fromkeys((LEGACY_STATE, str(self.config.disregarded.get("state_dir", LEGACY_STATE)))):
            found = self.root / folder / FILE_NAME
            if found == self.database or not os.path.lexists(found):
                continue
            reason = self._why_not_imported(found)
            if reason is None:
                return found, tuple(refused)
            refused.append(f"{found} is not imported: {reason}")
        return None, tuple(refused)

    def _why_not_imported(self, found: Path) -> str | None:
        reason = why_foreign(found, self.root, self.worktree)
        if reason is None and not Path(os.path.realpath(found)).is_relative_to(self.root):
            return "it is outside the project"
        return reason

    def count_unknown(self, older: Path) -> int | None:
        """Return how many entries of the database ``older`` are not known to ours; None if it cannot be imported."""
        from intermem.storage.connection import open_older
        from intermem.storage.secure_delete import purged_days

        if self._why_not_imported(older) is not None:
            return None
        try:
            with open_older(older) as old, self.viewing() as metadata:
                known = {*metadata.records(), *metadata.aliases(), *metadata.deleted(), *purged_days(metadata)}
                return len(old.records().keys() - known)
        except IntermemError:
            return None

    @property
    def notices(self) -> tuple[str, ...]:
        """What the tree says about the state and is ignored."""
        return (*self.config.notices, *self._older_state[1])

    @cached_property
    def new_observer(self) -> str:
        """An id for this clone as an observer, if it has none yet: random, or what ``INTERMEM_OBSERVER`` says.

        Raises UsageError where that is not eight hexadecimal digits.
        """
        import secrets

        from intermem.core.reconcile.events import observer_of

        given = self.options.environment.get("INTERMEM_OBSERVER")
        try:
            return observer_of(given) if given is not None else secrets.token_hex(4)
        except ValueError as error:
            raise UsageError(f"INTERMEM_OBSERVER: {error}", hint="eight hexadecimal digits, as in 0b5e0b5e") from None

    @property
    def checkout(self) -> Checkout:
        """The project root, and which checkout of its repository it is in."""
        from intermem.workflow.writeback import Checkout

        if self.worktree is None:
            return Checkout(self.root, ".")
        name = os.path.relpath(os.path.realpath(self.worktree.git_dir), self.worktree.common_dir)
        return Checkout(self.root, name)

    @cached_property
    def write_scope(self) -> WriteScope:
        """What an operation of the journal may write."""
        from intermem.workflow.write_scope import WriteScope

        return WriteScope(is_ours=self._is_ours, top=self.top)

    @property
    def unfinished(self) -> str | None:
        """The operation that git has not finished (a merge, a rebase …); None if there is none, or outside git."""
        return self.worktree.in_progress() if self.worktree is not None else None

    @contextlib.contextmanager
    def viewing(self) -> Iterator[Metadata]:
        """Open the state for reading, or an empty one if there is none. Creates and changes nothing."""
        from intermem.storage.connection import open_for_reading

        self.require_own_state()
        with open_for_reading(self.database, self.older_state) as metadata:
            yield metadata

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock without recovering. Only for ``operation`` and ``doctor``; other commands use ``operation``."""
        from intermem.project.lock import locked

        self.require_own_state()
        self._make_state_dir()
        with locked(self.state_dir):
            yield

    def opened(self) -> Metadata:
        """Open the state for writing; the caller holds the lock."""
        from intermem.storage.connection import open_for_writing

        return open_for_writing(self.database, self.older_state)

    def require_own_state(self) -> None:
        """Raise StateError if metadata.db may be a stranger's."""
        reason = why_foreign(self.database, self.root, self.worktree)
        if reason is not None:
            raise StateError(
                f"{self.database} is not opened: {reason}; nothing was changed",
                hint="move it away, or choose another place with --state-dir",
            )

    def require_clean_git_state(self, *, force: bool) -> None:
        """Raise RepositoryError if documents cannot be written now or, unless ``force``, should not be."""
        if self.worktree is None:
            return
        if self.worktree.bare:
            raise RepositoryError(
                f"{self.root} is a bare repository: it has no documents to write", hint="run it in a working tree"
            )
        unfinished = self.unfinished
        if unfinished is not None and not force:
            raise RepositoryError(
                f"an unfinished {unfinished}: documents may still change; nothing was written",
                hint=f"finish the {unfinished} first (intermem doctor --repair helps in a region), or use --force",
            )

    def _is_ours(self, root: Path) -> bool:
        """Return whether ``root`` is this project, in this worktree or another one."""
        if root == self.root or self.worktree is None:
            return root == self.root
        other = open_worktree(root) if root.is_dir() else None
        return other is not None and other.common_dir == self.worktree.common_dir

    def _make_state_dir(self) -> None:
        from intermem.project.atomic_write import sync_folder

        if self.database.exists():
            return
        folders = (self.state_dir, *self.state_dir.parents)
        # Folders of the project are synced even if they exist: a killed run may have created them.
        made = [folder for folder in folders if not folder.exists() or folder.is_relative_to(self.root)]
        try:
            for folder in reversed(made):
                folder.mkdir(mode=0o700, exist_ok=True)
                sync_folder(folder.parent)
        except OSError as error:
            raise StateError(
                f"{self.state_dir} cannot be created: {error.strerror}; nothing was changed",
                hint="check the folder's permissions, or set state_dir",
            ) from None


def open_workspace(options: Options) -> Workspace:
    """Return the project selected by ``options``. Raises UsageError, ConfigurationError, RepositoryError."""
    start = options.project_root or options.working_directory
    worktree = open_worktree(start) if os.path.isdir(start) else None  # noqa: PTH112 - any text will do
    root = find_root(options.project_root, options.working_directory, worktree)
    if worktree is not None and root == worktree.top and worktree.prefix:
        worktree = replace(worktree, prefix="")
    top = worktree.top if worktree is not None and not worktree.bare else root
    git_config = worktree.settings() if worktree is not None else ()
    config = load_config(root, top, options.config, options.environment, git_config)
    if worktree is not None:
        keeps = options.cache and config.flag("cache")
        worktree = replace(worktree, keeps=keeps, progress=options.progress)
    state_dir = _absolute(options.state_dir) or find_state_dir(root, worktree, config.text("state_dir"))
    return Workspace(root=root, worktree=worktree, config=config, state_dir=state_dir, options=options)


def _absolute(path: Path | None) -> Path | None:
    return Path(os.path.abspath(path)) if path is not None else None  # noqa: PTH100 - resolve() would follow links


def pending_notice(metadata: Metadata) -> list[str]:
    """Return notices about what killed runs left pending, for a run that does not recover it.

    Raises StateError if the journal is damaged.
    """
    what = "is pending; the next command that writes completes it"
    verbs = pending_verbs(metadata)
    return [f"an interrupted {verb} {what}, and until then nothing is concluded from its documents" for verb in verbs]


def pending_verbs(metadata: Metadata) -> list[str]:
    """Return the commands that were killed and are not completed yet. Raises StateError if the journal is damaged."""
    from intermem.storage.journal import pending_operations
    from intermem.storage.secure_delete import PURGE, pending_purge

    verbs = [operation.verb for operation in pending_operations(metadata)]
    return verbs if pending_purge(metadata) is None or PURGE in verbs else [*verbs, PURGE]


def exposed_state_notices(workspace: Workspace) -> list[str]:
    """Return sentences if git has, or would commit, files of a state: a database, in which every note is, its key."""
    worktree, folder = workspace.worktree, workspace.root / LEGACY_STATE
    if worktree is None or worktree.bare:
        return []
    there = [f"{LEGACY_STATE}/{name}" for name in _STATE_FILES if os.path.lexists(folder / name)]
    tracked = [name for name in there if worktree.is_tracked(worktree.prefix + name)]
    exposed = [name for name in there if name not in tracked and not worktree.is_ignored(worktree.prefix + name)]
    ignore = f"add {LEGACY_STATE}/{FILE_NAME}*, {LEGACY_STATE}/{KEY_NAME} and {LEGACY_STATE}/lock to .gitignore"
    found = []
    if tracked:
        are = "is" if len(tracked) == 1 else "are"
        names = " ".join(tracked)
        found.append(f"{', '.join(tracked)} {are} in git, {_whose(tracked)}: git rm --cached {names}, and {ignore}")
    if exposed:
        is_ours = workspace.state_dir.resolve() == folder.resolve()
        is_older = workspace.database.is_file() and not is_ours and exposed[0].endswith(FILE_NAME)
        done = _disposal(workspace, folder / FILE_NAME, len(exposed), ignore) if is_older else ignore
        found.append(f"git add {LEGACY_STATE} would commit {', '.join(exposed)}, {_whose(exposed)}: {done}")
    return found


def _disposal(workspace: Workspace, older: Path, files: int, ignore: str) -> str:
    """What to do with an older database beside ours: it may be written still, or have come after our first run."""
    unknown = workspace.count_unknown(older)
    if unknown == 0:
        return f"it has been imported: delete {'it' if files == 1 else 'them'}"
    which = "it" if unknown is None else "1 entry of it" if unknown == 1 else f"{unknown} entries of it"
    return f"{ignore} ({which} {'were' if unknown and unknown > 1 else 'was'} not imported)"


def _whose(names: Sequence[str]) -> str:
    if not names[0].endswith(FILE_NAME):
        return f"which {'belongs' if len(names) == 1 else 'belong'} to this machine alone"
    return f"and every note is in {'it' if len(names) == 1 else 'the database'}"
