"""What is outside of a project: whatever its links lead to, and every git directory, also one inside its root.

A git directory holds tokens, hooks and the messages of commits. None of it is a document, a memory or a configuration.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from intermem.errors import DocumentRefused

_MARK = ".git"  # a folder, or in a linked worktree and a submodule the file that names it
_HINT = "move it into the project's own files, or name another file"


def is_in_git_dir(real: Path | str) -> bool:
    """True for a path (links resolved) that is ``.git``, or is in a git directory whatever its name, also a bare one.

    The nearest folder above decides: a working tree inside a bare repository is not in a git directory.
    """
    folder, name = os.path.split(os.fspath(real))
    return name.casefold() == _MARK or _is_git_folder(folder)


def place_in(root: Path, given: Path, name: str) -> Path:
    """Return ``given`` with links resolved.

    Raises DocumentRefused where that is not below ``root``, or in a git directory; ``name`` is what the error calls
    it. The file need not exist.
    """
    real = Path(os.path.realpath(given))
    verb = "leads to" if real == Path(os.path.normpath(given)) else "links to"
    if not real.is_relative_to(root):
        raise DocumentRefused(f"{name}: {verb} {real}, outside the project; it was left alone", hint=_HINT)
    if is_in_git_dir(real) and not _is_git_folder(os.fspath(root)):  # nothing of a bare repository is checked out
        own = real.relative_to(root).as_posix()
        raise DocumentRefused(f"{name}: {verb} {own}, in a git directory; it was left alone", hint=_HINT)
    return real


def _is_git_folder(folder: str) -> bool:
    while (found := _kind_of(folder)) is None:
        folder = os.path.dirname(folder)  # noqa: PTH120 - strings: asked for every code file
    return found


@lru_cache(maxsize=4096)
def _kind_of(folder: str) -> bool | None:
    """True for a git directory, False for the top of a working tree and of the file system, None for what is below."""
    parent, name = os.path.split(folder)
    if name.casefold() == _MARK:
        return True
    if parent == folder or not parent or os.path.lexists(f"{folder}/{_MARK}"):
        return False
    # As git itself tells a git directory from another folder.
    if all(os.path.lexists(f"{folder}/{part}") for part in ("HEAD", "objects", "refs")):
        return True
    return None
