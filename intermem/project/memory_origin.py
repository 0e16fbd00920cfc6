"""Which files of a memory git may have brought: when those were written here proves nothing."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from intermem.errors import RepositoryError
from intermem.lazy_dataclass import dataclass
from intermem.project.git.worktree import Worktree, open_worktree


@dataclass(frozen=True, slots=True)
class Origin:
    """Which of the files of a folder git may have brought; the ``worktree`` that the folder is in, if it can be read.

    ``folder`` is its path from the top of that, empty for the top.
    """

    brought: frozenset[str]
    worktree: Worktree | None = None
    folder: str = ""


def origin_of(folder: Path, names: Collection[str]) -> Origin:
    """Return where the files ``names`` of ``folder`` came from; what git cannot be asked about, it may have brought."""
    real = Path(os.path.realpath(folder))
    try:
        worktree = open_worktree(real)
    except RepositoryError:
        return Origin(frozenset(names))
    if worktree is None:
        return Origin(frozenset())
    if worktree.bare or not real.is_relative_to(worktree.top):
        return Origin(frozenset(names))
    tracked = worktree.tracked_below(real)
    brought = (name for name in names if not tracked.isdisjoint(_places(real / name, worktree.top)))
    path = real.relative_to(worktree.top).as_posix()
    return Origin(frozenset(brought), worktree, "" if path == "." else path)


def _places(path: Path, top: Path) -> set[str]:
    """The path of a file from the top, and that of the file it leads to, as ``tracked_below`` writes them."""
    return {os.path.relpath(place, top).casefold() for place in (path, os.path.realpath(path))}
