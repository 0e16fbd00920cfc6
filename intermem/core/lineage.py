"""What the history of this branch says about an entry: who took it out, and whether that was ever committed.

The history is a value: the commits in which a document or the ledger changed, with their parents
and texts, as git tells them for the ancestors of HEAD. Nothing here asks git.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache

from intermem.core.ledger import Ledger, Line, Standing, parse_ledger
from intermem.core.regions import Item, find_region
from intermem.errors import DocumentRefused, LedgerRefused

_BODY = re.compile(
    r"^ {0,3}<!--[ \t]*intermem:begin[ \t]*-->[ \t]*\r?$.*?^ {0,3}<!--[ \t]*intermem:end[ \t]*-->[ \t]*\r?$",
    re.MULTILINE | re.DOTALL,
)
_KEY = re.compile(r'"([0-9a-f]{16})"')


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changed a document or the ledger. Texts are None where the file did not exist."""

    id: str
    date: str
    parents: tuple[str, ...]
    documents: Mapping[str, str | None]
    ledger: str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """How an entry left: in which commit, on which day; None for both where it is not committed yet."""

    commit: str | None = None
    date: str | None = None

    @property
    def words(self) -> str:
        """The removal in words, to follow "taken out"."""
        return f"in {self.commit[:10]} on {self.date}" if self.commit else "by hand, not committed yet"


@dataclass(frozen=True)
class Lineage:
    """The commits behind HEAD that concern the documents and the ledger, the newest first.

    Empty outside git, before the first commit, and where nothing was committed yet.
    """

    commits: tuple[Commit, ...] = ()
    by_id: Mapping[str, Commit] = field(default_factory=dict)

    def holds_now(self, key: str) -> bool:
        """True where the committed version of a document, at HEAD, holds the entry ``key``."""
        return bool(self.commits) and _holds(self.commits[0], key) is True

    def removal_of(self, key: str) -> Removal | None:
        """Return how a person took out the entry ``key``, which does not stand; None where nobody did.

        The commit that did it had it in every parent. A merge in which one side never had it was a
        conflict resolved, or a branch that is older: nobody's decision. Nor is one that the
        ledger of that commit calls a demotion.
        """
        if not self.commits or self._was_reworded(key):
            return None
        head = self.commits[0]
        if _holds(head, key):
            return Removal()
        waiting, met = [head], {head.id}
        while waiting:
            commit = waiting.pop()
            parents = [self.by_id[parent] for parent in commit.parents if parent in self.by_id]
            held = [_holds(parent, key) for parent in parents]
            if parents and all(held):
                line = _line(commit, key)
                if line is None or line.status is not Standing.DEMOTED:
                    return Removal(commit.id, commit.date)
                continue
            for parent, holds in zip(parents, held, strict=True):
                if holds is False and parent.id not in met:
                    met.add(parent.id)
                    waiting.append(parent)
        return None

    def left_by(self, key: str, since: date) -> bool:
        """True where an ancestor of HEAD lacks ``key`` and its ledger says so, from ``since`` on.

        Only then was it ever gone from this branch, and is back because somebody brought it back.
        """
        for commit in self.commits:
            line = _line(commit, key)
            gone = line is not None and line.status is not Standing.PROMOTED and line.since >= since
            if gone and _holds(commit, key) is False:
                return True
        return False

    def was_promoted(self, key: str) -> bool:
        """True where the ledger of an ancestor of HEAD called ``key`` promoted."""
        if key not in self._mentioned:
            return False
        lines = (_line(commit, key) for commit in self.commits)
        return any(line is not None and line.status is Standing.PROMOTED for line in lines)

    def line(self, key: str) -> Line | None:
        """Return what the committed ledger, at HEAD, says of ``key``."""
        return _line(self.commits[0], key) if self.commits else None

    def _was_reworded(self, key: str) -> bool:
        """True where a committed ledger calls ``key`` a former identity: it went on under another."""
        if key not in self._mentioned:
            return False
        texts = {commit.ledger for commit in self.commits if commit.ledger is not None and key in commit.ledger}
        return any(key in ledger.former for text in texts if (ledger := _parsed(text)) is not None)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        texts = {commit.ledger for commit in self.commits if commit.ledger is not None}
        return frozenset(key for text in texts for key in _KEY.findall(text))

    def item(self, key: str) -> Item | None:
        """Return the entry ``key`` as the newest committed document had it, None where none had."""
        for commit in self.commits:
            for text in commit.documents.values():
                for item in _items(text) or ():
                    if item.id == key:
                        return item
        return None

    def ids_like(self, prefix: str) -> set[str]:
        """Return the identities that start with ``prefix`` among all that ever stood in a document."""
        texts = {text for commit in self.commits for text in commit.documents.values()}
        return {item.id for text in texts for item in _items(text) or () if item.id.startswith(prefix)}


def lineage_of(commits: tuple[Commit, ...]) -> Lineage:
    """Return the lineage of ``commits``, the newest first."""
    return Lineage(commits, {commit.id: commit for commit in commits})


def _holds(commit: Commit, key: str) -> bool | None:
    """Whether a document holds the entry in ``commit``; None where its region cannot be read."""
    unclear = False
    for text in commit.documents.values():
        items = _items(text)
        if items is None:
            unclear = True
        elif any(item.id == key for item in items):
            return True
    return None if unclear else False


def _line(commit: Commit, key: str) -> Line | None:
    if commit.ledger is None or key not in commit.ledger:
        return None
    ledger = _parsed(commit.ledger)
    return ledger.lines.get(key) if ledger is not None else None


@lru_cache(maxsize=1024)
def _items(text: str | None) -> tuple[Item, ...] | None:
    """The items of a committed document's region: () where it has none, None where it is damaged.

    Only the region is parsed; identities do not depend on what stands around it.
    """
    body = _BODY.search(text) if text is not None else None
    if body is None:
        return ()
    try:
        region = find_region(body[0] + "\n", "")
    except DocumentRefused:
        return None
    return region.items if region is not None else ()


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Ledger | None:
    try:
        return parse_ledger(text, tolerant=True)
    except LedgerRefused:
        return None
