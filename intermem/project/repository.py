"""What there is of a project in git and of one without: its files, and what is remembered of texts."""

from __future__ import annotations

from pathlib import Path

from intermem.facts import Tree
from intermem.project.git.cache import Cache
from intermem.project.git.readings import Readings
from intermem.project.git.worktree import Worktree


def repository_tree(root: Path, worktree: Worktree | None) -> Tree:
    """Return the files of the repository, or of the project if it is not in git."""
    if worktree is not None:
        return worktree.tree
    from intermem.project.plain_folder import tree_without_git

    return tree_without_git(root)


def readings_of(worktree: Worktree | None) -> Readings:
    """Return what is remembered of texts; without a repository nothing is."""
    return worktree.readings if worktree is not None else Readings(Cache())
