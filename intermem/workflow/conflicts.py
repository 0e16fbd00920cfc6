"""Resolve what a merge left in conflict inside a region, and only there.

The versions that git keeps in its index say more than the signs in the file: a line that one side moved is out of
both sides of every conflict around its old place. So the region is merged again from these, and what a person already
changed in it by hand is kept. Two wordings of an entry, and a wording of what the other side removed, stay in conflict.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import field, replace

from intermem.core.markdown.lines import line_end_of, unified
from intermem.core.region.conflict import Conflicted, conflict_in_region, labels_in
from intermem.core.region.edit import Addition, edited
from intermem.core.region.merge import Conflict, RegionMerge, Signs
from intermem.core.region.parse import Item, find_region
from intermem.core.worth.standing import is_rule
from intermem.errors import DocumentRefused, IntermemError, RepositoryError
from intermem.lazy_dataclass import dataclass
from intermem.project.git.worktree import Worktree
from intermem.workflow.document_merge import Versions, merged_document, merged_lines, region_merge

_STYLES = ("merge", "diff3", "zdiff3")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A document whose region is merged, and the entries that were left out: id and text.

    ``undecided`` are the conflicts that stay, with git's signs around them.
    """

    text: str
    left_out: tuple[tuple[str, str], ...] = ()
    undecided: tuple[Conflict, ...] = ()


def stages_of(worktree: Worktree | None, name: str) -> Versions | None:
    """Return the versions of a document that git keeps while it is in conflict; None if it is not."""
    if worktree is None:
        return None
    base, ours, theirs = (worktree.text_at(f":{stage}:{worktree.prefix}{name}") for stage in (1, 2, 3))
    return Versions(base or "", ours, theirs) if ours is not None and theirs is not None else None


def resolved(text: str, name: str, stages: Versions | None, unwanted: Container[str] = ()) -> Resolved:
    """Return ``text`` with its region merged; everything outside stays as it is.

    Identities that are ``unwanted`` are left out. A conflict that includes a marker of the region is resolved where
    the file is still what git made of the ``stages``. Raises DocumentRefused for any other, and where the sides
    differ in lines that are not entries.
    """
    try:
        conflicted = conflict_in_region(text, name)
    except DocumentRefused:
        whole = _whole(text, name, stages, unwanted) if stages is not None else None
        if whole is None:
            raise
        return whole
    if conflicted is None:
        return Resolved(text)
    merge = _from_stages(conflicted, name, stages, unwanted) if stages is not None else None
    if merge is None:
        sides = Versions(conflicted.base or "", conflicted.ours, conflicted.theirs)
        merge = region_merge(sides, name, _Unless(unwanted, _on_both(sides, name)))
    if find_region(conflicted.with_body(merge.body()), name) is None:
        raise DocumentRefused(f"{name} has no region; nothing was written", hint="resolve the conflict by hand")
    return Resolved(conflicted.with_body(merge.body(_signs_of(text))), merge.left_out, merge.conflicts)


def _signs_of(text: str) -> Signs:
    """Return signs with the names that the conflicts of ``text`` have."""
    labels = labels_in(text)
    if labels is None:
        return Signs()
    ours, base, theirs = labels
    return Signs(ours, theirs, base)


def _from_stages(conflicted: Conflicted, name: str, stages: Versions, unwanted: Container[str]) -> RegionMerge | None:
    """Return the merge of the ``stages`` and of what a person did to the file since; None if that cannot be told."""
    try:
        here = _Entries.of(conflicted, name)
        left_by_git = _as_git_left_it(stages, name)
        known = {key for one in (stages.base, stages.ours, stages.theirs) for key in _items(one, name)}
        by_hand = [Addition(item.text, item.section) for key, item in here.either.items() if key not in known]
        ours = edited(stages.ours, name, add=by_hand, leads=is_rule)
        removed = left_by_git.either.keys() - here.either.keys()
        decided = here.settled - left_by_git.settled
        gone = _Unless(unwanted, _on_both(stages, name), removed)
        return region_merge(Versions(stages.base, ours, stages.theirs), name, gone, decided)
    except DocumentRefused:
        return None


@dataclass(frozen=True, slots=True)
class _Unless:
    """What is ``unwanted``, unless it ``stands`` on both sides, as the ledger may not know yet; and the ``removed``."""

    unwanted: Container[str]
    stands: Container[str]
    removed: Container[str] = ()

    def __contains__(self, key: object) -> bool:
        return key in self.removed or (key in self.unwanted and key not in self.stands)


def _on_both(sides: Versions, name: str) -> frozenset[str]:
    """Return the entries that both sides have. Raises DocumentRefused if one has a damaged region."""
    return frozenset(_items(sides.ours, name).keys() & _items(sides.theirs, name).keys())


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries that a document in conflict has on ``either`` side, and the ids of those outside of conflicts."""

    either: Mapping[str, Item] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()

    @staticmethod
    def of(conflicted: Conflicted, name: str) -> _Entries:
        """Return those of ``conflicted``. Raises DocumentRefused if a side has a damaged region."""
        ours, theirs = _items(conflicted.ours, name), _items(conflicted.theirs, name)
        return _Entries(theirs | ours, frozenset(ours.keys() & theirs.keys()))


def _as_git_left_it(stages: Versions, name: str) -> _Entries:
    """Return the entries that the file has where nobody touched it; none if that cannot be told."""
    try:
        text, is_clean = merged_lines(stages, Signs(), "merge")
        conflicted = None if is_clean else conflict_in_region(text, name)
        return _Entries.of(conflicted, name) if conflicted is not None else _Entries()
    except IntermemError:
        return _Entries()


def _items(text: str, name: str) -> dict[str, Item]:
    region = find_region(text, name) if text else None
    return {item.id: item for item in region.items} if region is not None else {}


def _whole(text: str, name: str, stages: Versions, unwanted: Container[str]) -> Resolved | None:
    """Return the merge of the ``stages`` if ``text`` is still what git, or the merge driver, made of them."""
    signs = _signs_of(text)
    plain = replace(signs, base=None)
    end = line_end_of(text)
    for style in _STYLES if signs.base is not None else _STYLES[:1]:
        try:
            if unified(merged_lines(stages, signs, style)[0]) != unified(text):
                continue
            gone = _Unless(unwanted, _on_both(stages, name))
            merged = merged_document(stages, name, signs=plain, style=style, unwanted=gone)
            if merged.trouble or (not merged.conflicts and find_region(merged.text, name) is None):
                return None
        except (DocumentRefused, RepositoryError):
            return None
        after = merged.text if line_end_of(merged.text) == end else unified(merged.text).replace("\n", end)
        return Resolved(after, merged.left_out, merged.conflicts)
    return None
