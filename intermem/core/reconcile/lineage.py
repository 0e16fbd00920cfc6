"""The history of entries on this branch: which commit removed one, and whether it was ever committed.

The history is a value: the commits behind HEAD that changed a document or the ledger, with their parents and
texts. Nothing here runs git.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache

from intermem.core.markdown.lines import split_lines
from intermem.core.reconcile.ledger import Ledger, Line, Standing, parse_ledger
from intermem.core.region.parse import Item, find_region
from intermem.errors import DocumentRefused, LedgerRefused

_BODY = re.compile(
    r"^ {0,3}<!--[ \t]*intermem:begin[ \t]*-->[ \t]*\r?$.*?^ {0,3}<!--[ \t]*intermem:end[ \t]*-->[ \t]*\r?$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changed a document or the ledger. Texts are None if the file did not exist."""

    id: str
    date: str
    parents: tuple[str, ...]
    documents: Mapping[str, str | None]
    ledger: str | None = None


@dataclass(frozen=True, slots=True)
class EntryRemoval:
    """The commit and date that removed an entry; both None if that is not committed yet."""

    commit: str | None = None
    date: str | None = None

    @property
    def words(self) -> str:
        """The removal in words, to follow "removed"."""
        return f"in {self.commit[:10]} on {self.date}" if self.commit else "by hand, not committed yet"


@dataclass(frozen=True)
class Lineage:
    """The commits behind HEAD that changed the documents or the ledger, newest first.

    Empty outside git, and as long as nothing was committed. ``elsewhere`` are the committed ledgers of all
    branches.
    """

    commits: tuple[Commit, ...] = ()
    by_id: Mapping[str, Commit] = field(default_factory=dict)
    elsewhere: tuple[str, ...] = ()

    def holds_now(self, key: str) -> bool:
        """Return whether a document contains the entry ``key`` at HEAD."""
        return bool(self.commits) and _holds(self.commits[0], key) is True

    def removal_of(self, key: str) -> EntryRemoval | None:
        """Return how a person removed the entry ``key``, which is in no document; None if nobody did.

        Every parent of the removing commit has it. A merge in which one side never had it is a resolved
        conflict or an older branch, and nobody's decision. Neither is a commit that the ledger, then or
        later, records as a demotion or a new wording.
        """
        if not self.commits:
            return None
        head = self.commits[0]
        if _holds(head, key):
            return EntryRemoval()
        waiting, met = [head], {head.id}
        while waiting:
            commit = waiting.pop()
            parents = self._parents(commit)
            held = [_holds(parent, key) for parent in parents]
            if parents and all(held):
                if not self._went_on_or_was_demoted(key, commit):
                    return EntryRemoval(commit.id, commit.date)
                continue
            for parent, holds in zip(parents, held, strict=True):
                if holds is False and parent.id not in met:
                    met.add(parent.id)
                    waiting.append(parent)
        return None

    def removal_of_promoted(self, key: str) -> EntryRemoval | None:
        """Return how a person removed what was promoted as ``key``, or as a later wording of it."""
        for name in (key, *sorted(self._later_wordings(key))):
            if self._was_promoted(name):
                removal = self.removal_of(name)
                if removal is not None:
                    return removal
        return None

    def came_back(self, key: str, since: date) -> bool:
        """Return whether the entry ``key``, which is in a document, had been removed on this branch and was restored.

        A commit restored it if none of its parents has it, and the ledger of one of them lists it as gone
        from ``since`` on. Merging a branch on which it was demoted, while the other side kept it, restored
        nothing.
        """
        if not self.commits:
            return False
        head = self.commits[0]
        if not _holds(head, key):
            return _is_called_gone(head, key, since)
        return any(_is_called_gone(parent, key, since) for one in self._origins(key) for parent in self._parents(one))

    def was_put_in_again(self, key: str) -> bool:
        """Return whether a commit behind HEAD has ``key`` while its parents lack it, and older ones had it.

        Not if a parent's ledger lists it as gone: that may have been another promotion.
        """
        for origin in self._origins(key):
            waiting, met = self._parents(origin), {origin.id}
            if any(_is_called_gone(parent, key, date.min) for parent in waiting):
                continue
            while waiting:
                commit = waiting.pop()
                if _holds(commit, key):
                    return True
                if commit.id not in met:
                    met.add(commit.id)
                    waiting += self._parents(commit)
        return False

    def is_rejected_on_a_branch(self, key: str) -> bool:
        """Return whether the committed ledger of some branch lists ``key`` as rejected."""
        for text in self.elsewhere:
            ledger = _parsed(text) if key in text else None
            line = ledger.lines.get(key) if ledger is not None else None
            if line is not None and line.status is Standing.REJECTED:
                return True
        return False

    def _origins(self, key: str) -> list[Commit]:
        """Return the commits that added the entry that is at HEAD: they have it, and none of their parents does."""
        found: list[Commit] = []
        waiting, met = [one for one in self.commits[:1] if _holds(one, key)], set[str]()
        while waiting:
            commit = waiting.pop()
            if commit.id in met:
                continue
            met.add(commit.id)
            holding = [parent for parent in self._parents(commit) if _holds(parent, key)]
            waiting += holding
            if not holding:
                found.append(commit)
        return found

    def _parents(self, commit: Commit) -> list[Commit]:
        return [self.by_id[parent] for parent in commit.parents if parent in self.by_id]

    def _went_on_or_was_demoted(self, key: str, removal: Commit) -> bool:
        """Return whether the ledger of ``removal``, or of a newer commit, records why ``key`` left."""
        for commit in self.commits[: self.commits.index(removal) + 1]:
            ledger = _parsed(commit.ledger) if commit.ledger is not None and key in commit.ledger else None
            if ledger is None:
                continue
            line = ledger.lines.get(key)
            if key in ledger.former or (line is not None and line.status in (Standing.DEMOTED, Standing.PURGED)):
                return True
        return False

    def _was_promoted(self, key: str) -> bool:
        return key in self._promoted

    def _later_wordings(self, key: str) -> set[str]:
        return self._wordings.get(key, set())

    def line(self, key: str) -> Line | None:
        """Return the line for ``key`` in the ledger at HEAD, or None."""
        return _line(self.commits[0], key) if self.commits else None

    def item(self, key: str) -> Item | None:
        """Return the entry ``key`` from the newest commit whose documents have it, or None."""
        for commit in self.commits:
            for text in commit.documents.values():
                for item in _items(text) or ():
                    if item.id == key:
                        return item
        return None

    def ids_like(self, prefix: str) -> set[str]:
        """Return the identities that start with ``prefix``, of all entries that were ever in a document."""
        texts = {text for commit in self.commits for text in commit.documents.values()}
        return {item.id for text in texts for item in _items(text) or () if item.id.startswith(prefix)}

    @cached_property
    def documents(self) -> frozenset[str]:
        """The documents named in the committed ledgers."""
        return frozenset(line.document for line in self._lines if line.document)

    @cached_property
    def _promoted(self) -> frozenset[str]:
        return frozenset(line.id for line in self._lines if line.status is Standing.PROMOTED)

    @cached_property
    def _wordings(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for line in self._lines:
            for name in line.was:
                found.setdefault(name, set()).add(line.id)
        return found

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        """The distinct lines of all committed ledgers."""
        texts = {commit.ledger for commit in self.commits if commit.ledger is not None}
        written = {line for text in texts for line in split_lines(text)}
        ledgers = (_parsed(line) for line in sorted(written))
        return tuple(line for ledger in ledgers if ledger is not None for line in ledger.lines.values())


def lineage_of(commits: tuple[Commit, ...], elsewhere: tuple[str, ...] = ()) -> Lineage:
    """Return the lineage of ``commits``, newest first; ``elsewhere`` are the ledgers of all branches."""
    return Lineage(commits, {commit.id: commit for commit in commits}, elsewhere)


def _is_called_gone(commit: Commit, key: str, since: date) -> bool:
    line = _line(commit, key)
    return line is not None and line.status is not Standing.PROMOTED and line.since >= since


def _holds(commit: Commit, key: str) -> bool | None:
    """Return whether a document contains the entry in ``commit``; None if its region cannot be read."""
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
    """Return the items of a committed document's region: () if it has none, None if it is damaged.

    Only the region is parsed; identities do not depend on the text around it.
    """
    body = _BODY.search(text) if text is not None else None
    if body is None:
        return ()
    try:
        region = find_region(body[0] + "\n", "")
    except DocumentRefused:
        return None
    return region.items if region is not None else ()


@lru_cache(maxsize=8192)
def _parsed(text: str) -> Ledger | None:
    try:
        return parse_ledger(text, tolerant=True)
    except LedgerRefused:
        return None
