"""Resolve what a merge left in conflict inside a region, and only there.

The versions that git keeps in its index say more than the signs in the file: a line that one side moved is out of
both sides of every conflict around its old place. So the region is merged again from these, and what a person already
changed in it by hand is kept.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from intermem.core.markdown.lines import line_end_of, unified
from intermem.core.region.conflict import Conflicted, conflict_in_region, labels_in
from intermem.core.region.edit import Addition, edited
from intermem.core.region.merge import RegionMerge, Signs
from intermem.core.region.parse import Item, find_region
from intermem.core.worth.standing import is_rule
from intermem.errors import DocumentRefused, IntermemError, RepositoryError
from intermem.project.git.worktree import Worktree
from intermem.workflow.document_merge import Versions, merged_document, merged_lines, region_merge

_STYLES = ("merge", "diff3", "zdiff3")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A document without conflicts in its region, and the entries that were left out: id and text.

    ``pairs`` counts the entries of which both wordings stay.
    """

    text: str
    left_out: tuple[tuple[str, str], ...] = ()
    pairs: int = 0


def stages_of(worktree: Worktree | None, name: str) -> Versions | None:
    """Return the versions of a document that git keeps while it is in conflict; None if it is not."""
    if worktree is None:
        return None
    base, ours, theirs = (worktree.text_at(f":{stage}:{worktree.prefix}{name}") for stage in (1, 2, 3))
    return Versions(base or "", ours, theirs) if ours is not None and theirs is not None else None


def resolved(text: str, name: str, stages: Versions | None, unwanted: Container[str] = ()) -> Resolved:
    """Return ``text`` with the conflicts inside its region resolved; everything outside stays as it is.

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
    found = _from_stages(conflicted, name, stages, unwanted) if stages is not None else None
    return found or _from_signs(conflicted, name, unwanted)


def _from_signs(conflicted: Conflicted, name: str, unwanted: Container[str]) -> Resolved:
    sides = Versions(conflicted.base or "", conflicted.ours, conflicted.theirs)
    return _made(conflicted, name, region_merge(sides, name, unwanted))


def _from_stages(conflicted: Conflicted, name: str, stages: Versions, unwanted: Container[str]) -> Resolved | None:
    """Return the document with the region merged from ``stages``; None if that cannot be told."""
    try:
        left = _sides(conflicted, name)
        removed = _as_git_left_it(stages, name).keys() - left.keys()
        merge = region_merge(stages, name, _Either(unwanted, removed))
    except DocumentRefused:
        return None
    known = {key for one in (stages.base, stages.ours, stages.theirs) for key in _items(one, name)}
    by_hand = [Addition(item.text, item.section) for key, item in left.items() if key not in known]
    made = _made(conflicted, name, merge)
    return Resolved(edited(made.text, name, add=by_hand, leads=is_rule), made.left_out, made.pairs)


def _made(conflicted: Conflicted, name: str, merge: RegionMerge) -> Resolved:
    text = conflicted.with_body(merge.body())
    if find_region(text, name) is None:
        raise DocumentRefused(f"{name} has no region; nothing was written", hint="resolve the conflict by hand")
    return Resolved(text, merge.left_out, len(merge.conflicts))


@dataclass(frozen=True, slots=True)
class _Either:
    """What is in one of two containers."""

    one: Container[str]
    other: Container[str]

    def __contains__(self, key: object) -> bool:
        return key in self.one or key in self.other


def _sides(conflicted: Conflicted, name: str) -> dict[str, Item]:
    """Return the entries that a document in conflict has on either side."""
    return _items(conflicted.theirs, name) | _items(conflicted.ours, name)


def _as_git_left_it(stages: Versions, name: str) -> dict[str, Item]:
    """Return the entries that the file has where nobody touched it; none if that cannot be told."""
    try:
        text, is_clean = merged_lines(stages, Signs(), "merge")
        conflicted = None if is_clean else conflict_in_region(text, name)
    except IntermemError:
        return {}
    return _sides(conflicted, name) if conflicted is not None else {}


def _items(text: str, name: str) -> dict[str, Item]:
    region = find_region(text, name) if text else None
    return {item.id: item for item in region.items} if region is not None else {}


def _whole(text: str, name: str, stages: Versions, unwanted: Container[str]) -> Resolved | None:
    """Return the merge of the ``stages`` if ``text`` is still what git, or the merge driver, made of them."""
    labels = labels_in(text)
    if labels is None:
        return None
    ours, base, theirs = labels
    plain = Signs(ours, theirs)
    end = line_end_of(text)
    for style in _STYLES if base is not None else _STYLES[:1]:
        signs = Signs(ours, theirs, base)
        try:
            if unified(merged_lines(stages, signs, style)[0]) != unified(text):
                continue
            merged = merged_document(stages, name, signs=plain, style=style, keeps_both=True, unwanted=unwanted)
            if merged.trouble or find_region(merged.text, name) is None:
                return None
        except (DocumentRefused, RepositoryError):
            return None
        after = merged.text if line_end_of(merged.text) == end else unified(merged.text).replace("\n", end)
        return Resolved(after, merged.left_out)
    return None
