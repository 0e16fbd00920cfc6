"""What git says of the commits behind HEAD: their parents, and the issues they name.

Of a complete clone it is kept for the next run at the same commit; a log of all commits takes git as long as all else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from intermem.patterns import regex
from intermem.project.git.ancestry import Ancestry
from intermem.project.git.cache import Cache
from intermem.project.git.process import Git

_PARENTS = ["log", "--topo-order", "--format=%H %P"]
_MESSAGES = ["log", "--format=%B"]
_ISSUE = regex(r"(?<!\w)#(\d{1,6})\b")


class Commits:
    """The commits behind HEAD."""

    def __init__(self, git: Git, cache: Cache) -> None:
        self._git = git
        self._parents = _Log(git, cache, "ancestry", _PARENTS, str.strip)
        self._issues = _Log(git, cache, "issues", _MESSAGES, lambda text: " ".join(sorted(set(_ISSUE.findall(text)))))

    def prefetch(self, *, ancestry: bool, issues: bool) -> None:
        """Prefetch what is needed, and not kept."""
        for log, is_asked in ((self._parents, ancestry), (self._issues, issues)):
            if is_asked and self._git.head is not None:
                log.prefetch()

    def ancestry(self) -> Ancestry:
        """Return the commits with their parents; none without a commit."""
        return Ancestry(self._parents.text if self._git.head is not None else "")

    def issues(self) -> frozenset[int]:
        """Return the issue numbers (``#12``) in the messages of all commits."""
        return frozenset(map(int, self._issues.text.split())) if self._git.head is not None else frozenset()


class _Log:
    """The output of ``git log`` with some ``arguments``, ``shortened``, kept in ``cache`` as ``name``."""

    def __init__(
        self, git: Git, cache: Cache, name: str, arguments: Sequence[str], shortened: Callable[[str], str]
    ) -> None:
        self._git, self._cache, self._name, self._shortened = git, cache, name, shortened
        self._arguments = arguments

    def prefetch(self) -> None:
        if self._kept is None:
            self._git.prefetch(self._asked)

    @cached_property
    def text(self) -> str:
        if self._kept is not None:
            return self._kept
        text = self._shortened(self._git.run(self._asked).decode("utf-8", "replace"))
        if self._git.is_complete:
            self._cache.save(self._name, [self._git.head, text])
        return text

    @property
    def _asked(self) -> list[str]:
        return [*self._arguments, str(self._git.head)]

    @cached_property
    def _kept(self) -> str | None:
        return self._cache.load(self._name, self._at_head) if self._git.is_complete else None

    def _at_head(self, kept: list[str]) -> str | None:
        head, text = kept
        return str(text) if head == self._git.head else None
