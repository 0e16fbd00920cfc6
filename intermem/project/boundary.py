"""What is outside of a project: whatever its links lead to, and every git directory, also one inside its root.

A git directory holds tokens, hooks and the messages of commits. None of it is a document, a memory or a configuration.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path, PurePath

from intermem.entities import LEDGER
from intermem.errors import DocumentRefused
from intermem.patterns import regex

OWN_FOLDER = PurePath(LEDGER).parts[0]
_MARK = ".git"  # a folder, or in a linked worktree and a submodule the file that names it
_HINT = "move it into the project's own files, or name another file"


# Markdown and text, the rules of agents that have no ending (.cursorrules), and names in capitals (CONVENTIONS).
_DOCUMENT = regex(r".+\.(?:md|markdown|mdown|mdx|mdc|txt)|\.[\w-]*(?:rules|hints|instructions)|[A-Z_-]+", re.DOTALL)


def is_document_name(path: PurePath) -> bool:
    """Return whether a file of this name may be a document, into which a region is written."""
    name = path.stem + path.suffix.lower()
    return _DOCUMENT.fullmatch(name) is not None and OWN_FOLDER not in path.parts[:-1]


def require_document_name(path: PurePath, name: str) -> None:
    """Raise DocumentRefused if ``path`` may not be a document; ``name`` is what the error calls it."""
    if not is_document_name(path):
        raise DocumentRefused(
            f"{name}: {path.name} is not the name of a document; it was left alone",
            hint="a document is a Markdown file",
        )


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
