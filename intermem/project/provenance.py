"""Where a file came from: what git may have brought is a stranger's, a database of another user as well."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from intermem.project.git.worktree import Worktree


def may_be_committed(path: Path, worktree: Worktree | None) -> bool:
    """Return whether git may have brought the file at ``path``, a link that leads there, or a submodule it is in."""
    if worktree is None or worktree.bare or not path.is_file():
        return False
    places = {path, Path(os.path.realpath(path))}
    return any(worktree.may_be_tracked(place) for place in places if place.is_relative_to(worktree.top))


def why_foreign(database: Path, root: Path, worktree: Worktree | None) -> str | None:
    """Return why the database at ``database`` may be a stranger's; None if it is this user's own, or there is none.

    A clone brings tracked files and nothing else into its work tree, and never a file in the git directory.
    """
    try:
        found = database.lstat()
    except OSError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return "it is a symbolic link"
    if not stat.S_ISREG(found.st_mode):
        return "it is not a regular file"
    if found.st_uid not in _own_ids():
        return f"it belongs to another user (uid {found.st_uid})"
    top = worktree.top if worktree is not None and not worktree.bare else root
    if not _is_below(database, top) or (worktree is not None and _is_below(database, worktree.common_dir)):
        return None
    if os.path.realpath(database) != str(database):
        return "it is behind a symbolic link"
    if may_be_committed(database, worktree):
        return "it is tracked by git, so it came with the repository"
    return None


def _own_ids() -> set[int]:
    """The user's own id; under sudo also that of the user who called it, as git has it."""
    own = os.geteuid()
    caller = os.environ.get("SUDO_UID", "")
    return {own, int(caller)} if own == 0 and caller.isdecimal() and len(caller) < 11 else {own}


def _is_below(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
