"""The history of entries on this branch: which commit removed one, and whether it was ever committed.

The history is a value: the commits behind HEAD that changed a document or the ledger, with their parents and
texts. Nothing here runs git.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from functools import lru_cache

from intermem.core.reconcile.events import What
from intermem.core.reconcile.ledger import Line, Standing, is_after
from intermem.core.reconcile.ledger_history import LedgerHistory, LedgerVersion
from intermem.core.region.parse import Item, Region, find_region
from intermem.entities import TIER_FOLDER
from intermem.errors import DocumentRefused
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_BODY = regex(
    r"^ {0,3}<!--[ \t]*intermem:begin[ \t]*-->[ \t]*\r?$.*?^ {0,3}<!--[ \t]*intermem:end[ \t]*-->[ \t]*\r?$",
    re.MULTILINE | re.DOTALL,
)

_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changed a document or the ledger. Texts are None if the file did not exist."""

    id: str
    date: str
    parents: tuple[str, ...]
    documents: Mapping[str, str | None]
    ledger: LedgerVersion = field(default_factory=LedgerVersion)
    at: datetime | None = None


Holds = Callable[[Commit], bool | None]  # whether a commit has an entry; None if it cannot be read


@dataclass(frozen=True, slots=True)
class EntryRemoval:
    """The commit and date that removed an entry; both None if that is not committed yet."""

    commit: str | None = None
    date: str | None = None
    at: datetime | None = None

    @property
    def words(self) -> str:
        """The removal in words, to follow "removed"."""
        return f"in {self.commit[:10]} on {self.date}" if self.commit else "by hand, not committed yet"


@dataclass(frozen=True)
class Lineage:
    """The commits behind HEAD that changed the documents or the ledger, newest first.

    Empty outside git, and as long as nothing was committed. ``ledgers`` are the events of all commits,
    ``elsewhere`` the ledgers of all branches.
    """

    commits: tuple[Commit, ...] = ()
    by_id: Mapping[str, Commit] = field(default_factory=dict)
    elsewhere: tuple[LedgerVersion, ...] = ()
    ledgers: LedgerHistory = field(default_factory=LedgerHistory)

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
        return self._removal_behind(head, (key,), _holding(key))

    def _removal_behind(self, start: Commit, names: Sequence[str], holds: Holds) -> EntryRemoval | None:
        """Return the removal by a person because of which ``start`` has none of the wordings ``names``."""
        waiting, met = [start], {start.id}
        while waiting:
            commit = waiting.pop()
            parents = self._parents(commit)
            held = [holds(parent) for parent in parents]
            if parents and all(held):
                if not any(self._went_on_or_was_demoted(name, commit, names) for name in names):
                    return EntryRemoval(commit.id, commit.date, commit.at)
                continue
            for parent, is_held in zip(parents, held, strict=True):
                if is_held is False and parent.id not in met:
                    met.add(parent.id)
                    waiting.append(parent)
        return None

    def removal_of_promoted(self, key: str, was: Sequence[str] = ()) -> EntryRemoval | None:
        """Return how a person removed what was promoted as ``key``, as a later wording of it, or as what it ``was``."""
        names = tuple(dict.fromkeys((key, *sorted(self.ledgers.wordings.get(key, ())), *was)))
        promoted = [name for name in names if name in self.ledgers.promoted]
        removals = (self.removal_of(name) for name in promoted)
        removal = next((one for one in removals if one is not None), None)
        if removal is not None or not promoted or len(names) == 1 or not self.commits:
            return removal
        holds = _holding(*names)  # one side may have removed it in other words than the other has
        return self._removal_behind(self.commits[0], names, holds) if holds(self.commits[0]) is False else None

    def brought_back(self, key: str, since: datetime, was: Sequence[str] = ()) -> tuple[EntryRemoval, Commit] | None:
        """Return how a person removed ``key`` later than ``since``, and the merge that nevertheless has it.

        ``was`` are its former wordings: a commit that has one of them has the entry. None if nobody removed it, or if
        it is not at HEAD, or was put in again by a commit that knew the removal.
        """
        if not self.holds_now(key):
            return None
        names = (key, *was)
        items = [item for name in names if (item := self.item(name)) is not None]
        longest = [max(item.text.split("\n"), key=len) for item in items]  # seldom elsewhere, found without parsing

        def seems_held(commit: Commit) -> bool:
            return any(text is not None and line in text for text in commit.documents.values() for line in longest)

        def is_held(commit: Commit) -> bool | None:
            return seems_held(commit) or _holding(*names)(commit)

        return self._brought_back(names, since, seems_held) and self._brought_back(names, since, is_held)

    def _brought_back(self, names: Sequence[str], since: datetime, holds: Holds) -> tuple[EntryRemoval, Commit] | None:
        waiting, met = [self.commits[0]], set[str]()
        while waiting:
            commit = waiting.pop()
            if commit.id in met:
                continue
            met.add(commit.id)
            parents = self._parents(commit)
            holding = [parent for parent in parents if holds(parent)]
            waiting += holding
            for parent in parents if len(parents) > 1 or not holding else ():
                removal = self._removal_behind(parent, names, holds) if holds(parent) is False else None
                later = removal is not None and removal.at is not None and removal.at > since
                if later and removal is not None and not self._knew(removal, names, holds):
                    return removal, commit
        return None

    def merge_without(self, key: str) -> Commit | None:
        """Return the newest merge that has ``key``, of which a parent's ledger says that it is gone.

        Without one, the commit that put it in although its parent's ledger says so.
        """
        merge = next(
            (
                commit
                for commit in self.commits
                if len(commit.parents) > 1
                and _holds(commit, key)
                and any(self._is_called_gone(parent, key, _EVER) for parent in self._parents(commit))
            ),
            None,
        )
        origins = (one for one in self._origins(_holding(key)) if merge is None)
        return merge or next(
            (one for one in origins if any(self._is_called_gone(parent, key, _EVER) for parent in self._parents(one))),
            None,
        )

    def _knew(self, removal: EntryRemoval, names: Sequence[str], holds: Holds) -> bool:
        """Return whether a commit that put an entry in was built on its ``removal``, and not only rebased on it."""
        for origin in self._origins(holds):
            if removal.at is not None and self._brings_older_promotion(origin, names, removal.at):
                continue
            waiting, met = [origin], set[str]()
            while waiting:
                commit = waiting.pop()
                if commit.id == removal.commit:
                    return True
                if commit.id not in met:
                    met.add(commit.id)
                    waiting += self._parents(commit)
        return False

    def _brings_older_promotion(self, commit: Commit, names: Sequence[str], than: datetime) -> bool:
        """Return whether ``commit`` adds to the ledger that one of ``names`` was promoted before ``than``."""
        known = frozenset(name for parent in self._parents(commit) for name in parent.ledger.events)
        return any(
            event.what == What.PROMOTED and event.at < than and not {event.id, event.written}.isdisjoint(names)
            for event in self.ledgers.events_in(commit.ledger.events - known)
        )

    def came_back(self, key: str, since: datetime) -> bool:
        """Return whether the entry ``key``, which is in a document, had been removed on this branch and was restored.

        A commit restored it if none of its parents has it, and the ledger of one of them lists it as gone
        from ``since`` on. Merging a branch on which it was demoted, while the other side kept it, restored
        nothing; nor did a commit that brings a promotion from before ``since``, rebased.
        """
        if not self.commits:
            return False
        head = self.commits[0]
        if not _holds(head, key):
            return self._is_called_gone(head, key, since)
        origins = (one for one in self._origins(_holding(key)) if not self._brings_older_promotion(one, (key,), since))
        return any(self._is_called_gone(parent, key, since) for one in origins for parent in self._parents(one))

    def was_put_in_again(self, key: str) -> bool:
        """Return whether a commit behind HEAD has ``key`` while its parents lack it, and older ones had it.

        Not if a parent's ledger lists it as gone: that may have been another promotion.
        """
        for origin in self._origins(_holding(key)):
            waiting, met = self._parents(origin), {origin.id}
            if any(self._is_called_gone(parent, key, _EVER) for parent in waiting):
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
        for version in self.elsewhere:
            line = self.ledgers.line(version, key)
            if line is not None and line.status is Standing.REJECTED:
                return True
        return False

    def _origins(self, holds: Holds) -> list[Commit]:
        """Return the commits that added the entry that is at HEAD: they have it, and none of their parents does."""
        found: list[Commit] = []
        waiting, met = [one for one in self.commits[:1] if holds(one)], set[str]()
        while waiting:
            commit = waiting.pop()
            if commit.id in met:
                continue
            met.add(commit.id)
            holding = [parent for parent in self._parents(commit) if holds(parent)]
            waiting += holding
            if not holding:
                found.append(commit)
        return found

    def _parents(self, commit: Commit) -> list[Commit]:
        return [self.by_id[parent] for parent in commit.parents if parent in self.by_id]

    def _went_on_or_was_demoted(self, key: str, removal: Commit, names: Sequence[str]) -> bool:
        """Return whether the ledger of ``removal``, or of a commit built on it, records why ``key`` left.

        It did not go on as one of ``names``, which left too.
        """
        for commit in self._built_on(removal):
            ledger = self.ledgers.about(commit.ledger, key)
            line = ledger.lines.get(key)
            went_on = key in ledger.former and ledger.former[key] not in names
            if went_on or (line is not None and line.status in (Standing.DEMOTED, Standing.PURGED)):
                return True
        return False

    def _built_on(self, base: Commit) -> list[Commit]:
        """Return ``base`` and the commits that have it behind them, oldest first."""
        found = [base]
        ids = {base.id}
        for commit in reversed(self.commits[: self.commits.index(base)]):  # no commit is listed before its children
            if not ids.isdisjoint(commit.parents):
                found.append(commit)
                ids.add(commit.id)
        return found

    def line(self, key: str) -> Line | None:
        """Return the line for ``key`` in the ledger at HEAD, or None."""
        return self.ledgers.line(self.commits[0].ledger, key) if self.commits else None

    def item(self, key: str) -> Item | None:
        """Return the entry ``key`` from the newest commit whose documents have it, or None."""
        for commit in self.commits:
            for text in commit.documents.values():
                for item in _items(text) or ():
                    if item.id == key:
                        return item
        return None

    def had_entries(self, path: str) -> bool:
        """Return whether the document ``path`` (from the top) had entries in any commit."""
        return any(_items(commit.documents.get(path)) for commit in self.commits)

    def places_of(self, key: str) -> list[str]:
        """Return the documents (from the top) that had the entry ``key`` in the newest commit that has it."""
        for commit in self.commits:
            found = [p for p, text in commit.documents.items() if any(item.id == key for item in _items(text) or ())]
            if found:
                return found
        return []

    def ids_like(self, prefix: str) -> set[str]:
        """Return the identities that start with ``prefix``, of all entries that were ever in a document."""
        texts = {text for commit in self.commits for text in commit.documents.values()}
        return {item.id for text in texts for item in _items(text) or () if item.id.startswith(prefix)}

    @property
    def stood(self) -> frozenset[str]:
        """The identities of all entries that were ever in a document, as a committed document or ledger says."""
        texts = {text for commit in self.commits for text in commit.documents.values()}
        return self.ledgers.placed | {item.id for text in texts for item in _items(text) or ()}

    @property
    def documents(self) -> frozenset[str]:
        """The documents named in the committed ledgers."""
        return self.ledgers.documents

    @property
    def topic_files(self) -> frozenset[str]:
        """The topic files that a committed document had a line of."""
        texts = {text for commit in self.commits for text in commit.documents.values() if text and TIER_FOLDER in text}
        return frozenset(name for text in texts if (found := _region(text)) for name in found.topic_files)

    def _is_called_gone(self, commit: Commit, key: str, since: datetime) -> bool:
        line = self.ledgers.line(commit.ledger, key)
        return line is not None and line.status is not Standing.PROMOTED and not is_after(since, line.since)


def lineage_of(
    commits: tuple[Commit, ...],
    elsewhere: tuple[LedgerVersion, ...] = (),
    event_files: Mapping[str, str] | None = None,
) -> Lineage:
    """Return the lineage of ``commits``, newest first; ``elsewhere`` are the ledgers of all branches.

    ``event_files`` are the texts of the ledgers' events, by the names of their files.
    """
    versions = (*(commit.ledger for commit in commits), *elsewhere)
    ledgers = LedgerHistory(event_files or {}, versions)
    return Lineage(commits, {commit.id: commit for commit in commits}, elsewhere, ledgers)


def _holding(*names: str) -> Holds:
    """Return what says whether a commit has an entry, in whichever of its wordings."""

    def holds(commit: Commit) -> bool | None:
        held = [_holds(commit, name) for name in names]
        return True if True in held else None if None in held else False

    return holds


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


@lru_cache(maxsize=1024)
def _items(text: str | None) -> tuple[Item, ...] | None:
    """Return the items of a committed document's region: () if it has none, None if it is damaged.

    Only the region is parsed; identities do not depend on the text around it.
    """
    try:
        region = _parsed(text)
    except DocumentRefused:
        return None
    return region.items if region is not None else ()


def _region(text: str) -> Region | None:
    try:
        return _parsed(text)
    except DocumentRefused:
        return None


def _parsed(text: str | None) -> Region | None:
    body = _BODY.search(text) if text is not None else None
    return find_region(body[0] + "\n", "") if body is not None else None
