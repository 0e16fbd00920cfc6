"""Merge three versions of a document: its region by identity, everything else as git merges lines."""

from __future__ import annotations

from collections.abc import Container

from intermem.core.markdown.markers import may_have_marker
from intermem.core.region.merge import Conflict, RegionMerge, Signs, merged_region, with_body
from intermem.core.region.parse import find_region
from intermem.core.worth.standing import is_rule
from intermem.errors import DocumentRefused
from intermem.lazy_dataclass import dataclass
from intermem.project.git.merge_file import merge_file


@dataclass(frozen=True, slots=True)
class Versions:
    """Three versions of a document: the common ancestor (empty if there is none) and both sides."""

    base: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class MergedDocument:
    """A merged document. ``is_clean``: nothing is left to resolve.

    ``conflicts`` are those in its region, ``left_out`` the entries that one side removed, ``trouble`` why the whole
    was merged line by line, or why it needs a look.
    """

    text: str
    is_clean: bool
    conflicts: tuple[Conflict, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    trouble: str = ""


def region_merge(
    versions: Versions, name: str, unwanted: Container[str] = (), decided: Container[str] = ()
) -> RegionMerge:
    """Return the merge of the region, rules above facts. Raises DocumentRefused as ``merged_region`` does."""
    base, ours, theirs = versions.base or None, versions.ours, versions.theirs
    return merged_region(base, ours, theirs, name, unwanted=unwanted, decided=decided, leads=is_rule)


def merged_document(
    versions: Versions,
    name: str,
    *,
    signs: Signs,
    style: str | None = None,
    unwanted: Container[str] = (),
) -> MergedDocument:
    """Return the merge of a document; one whose region cannot be merged by itself is merged line by line.

    Raises RepositoryError if git cannot merge it.
    """
    if not all(may_have_marker(one) for one in (versions.ours, versions.theirs)):
        return MergedDocument(*merged_lines(versions, signs, style))
    try:
        merge = region_merge(versions, name, unwanted)
        expected = find_region(with_body(versions.ours, name, merge.body()), name)
        body = merge.body(signs)
        base = _prepared(versions.base, name, body)
    except DocumentRefused as error:
        text, is_clean = merged_lines(versions, signs, style)
        return MergedDocument(text, is_clean, trouble=error.message.partition("; ")[0])
    sides = (with_body(one, name, body) for one in (versions.ours, versions.theirs))
    text, is_clean = merged_lines(Versions(base, *sides), signs, style)
    trouble = ""
    if is_clean and not merge.conflicts:
        trouble = _trouble(text, name, expected.ids if expected is not None else ())
    is_clean = is_clean and not merge.conflicts and not trouble
    return MergedDocument(text, is_clean, merge.conflicts, merge.left_out, trouble)


def merged_lines(versions: Versions, signs: Signs, style: str | None = None) -> tuple[str, bool]:
    """Return what git makes of three texts, and whether there are no conflicts. Raises RepositoryError."""
    texts = [one.encode("utf-8", "surrogateescape") for one in (versions.base, versions.ours, versions.theirs)]
    labels = (signs.ours, signs.base or "base", signs.theirs)
    merged, is_clean = merge_file(*texts, labels=labels, size=signs.size, style=style)
    return merged.decode("utf-8", "surrogateescape"), is_clean


def _prepared(base: str, name: str, body: str) -> str:
    """Return the base with the merged region, so that only what is outside differs from the sides."""
    return with_body(base, name, body) if base else base


def _trouble(text: str, name: str, ids: tuple[str, ...]) -> str:
    """Return why a document without conflicts needs a look (both sides moved the region, say), else nothing."""
    try:
        region = find_region(text, name)
    except DocumentRefused as error:
        return error.message.partition("; ")[0]
    if region is None or region.ids != ids:
        return f"{name}: what surrounds the region now changes how its lines are read"
    return ""
