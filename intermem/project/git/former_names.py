"""The names that files had before they were moved, kept for the next run at the same commit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from intermem.project.git.answers import fields_of
from intermem.project.git.cache import Cache
from intermem.project.git.process import Git

_NAME = "former-names"  # of the cache
_MOVES = ["log", "--follow", "-M", "--diff-filter=R", "--name-status", "-z", "--format="]


class FormerNames:
    """The former names of files at HEAD; git follows each from commit to commit, which takes a while."""

    def __init__(self, git: Git, cache: Cache) -> None:
        self._git = git
        self._cache = cache
        self._known: dict[str, tuple[str, ...]] | None = None

    def of(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the paths that each file had, the newest first; none where contents are missing."""
        head = self._git.head
        if head is None:
            return dict.fromkeys(paths, ())
        keeps = not self._git.is_shallow  # who deepens a clone has the same commit, and more of its history
        if self._known is None:
            self._known = self._cache.load(_NAME, lambda kept: _names_at(head, kept) if keeps else {}) or {}
        found: dict[str, tuple[str, ...]] = {}
        read: dict[str, tuple[str, ...]] = {}
        for path in paths:
            if path in self._known:
                found[path] = self._known[path]
                continue
            code, out = self._git.try_([*_MOVES, head, "--", f":(top,literal){path}"])
            found[path] = () if code else tuple(fields_of(out))[1::3]  # of each: R100, old, new
            if not code:
                read[path] = found[path]
        if read and keeps:
            self._known |= read
            self._cache.save(_NAME, {"head": head, "names": self._known})
        return found


def _names_at(head: str, kept: Any) -> dict[str, tuple[str, ...]]:
    """Return what was kept at ``head``; nothing of another commit, whose merges git may follow otherwise."""
    if kept["head"] != head:
        return {}
    return {str(path): tuple(map(str, names)) for path, names in kept["names"].items()}
