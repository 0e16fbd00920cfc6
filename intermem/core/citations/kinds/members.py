"""The members of a class or module: whether it has one, lost it, or never had it."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.citations.kinds.name_evidence import (
    COMMON,
    drift,
    in_manifest,
    is_unmistakable,
    is_upper,
    stems,
    trace_of,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.file_types import is_data, is_test
from intermem.core.code.name_search import MAX_PLACES
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Shape


def folders_and_stem(path: str) -> set[str]:
    """Return the parts of a path, also as code writes them: ``tide_log`` for ``tide-log/``."""
    plain = path.rpartition(".")[0]
    return {*plain.split("/"), *plain.replace("-", "_").split("/")}


def is_beside_its_owner(parts: list[str], facts: Facts) -> bool:
    """Return whether a file has the last of several plain words and the one in front, or that is its module.

    ``kiln.rack.heat`` is not told by any ``heat``. None of a word that too many files have is asked for.
    """
    owner, last = parts[-2:]
    owners, places = (
        [one for one in facts.places.get(part, ()) if one.shape is not Shape.COMMENT] for part in (owner, last)
    )
    if owner in COMMON or max(len(owners), len(places)) >= MAX_PLACES:
        return True
    files = {one.path for one in owners}
    return any(one.path in files or owner in folders_and_stem(one.path) for one in places)


def homes_lacking(parts: list[str], facts: Facts) -> frozenset[str]:
    """Return the files that define the class that a name is cited as a member of, where no such file has it now.

    None where more files than are known may have it, and where one that speaks of the class defines it.
    """
    if len(parts) < 2 or not parts[-2][0].isupper() or is_upper(parts[-2]):
        return frozenset()
    owners, members = (facts.places.get(part, ()) for part in parts[-2:])
    defining = {one.path for one in members if one.shape in (Shape.DEFINITION, Shape.FIELD)}
    if len(members) >= MAX_PLACES or (defining and len(owners) >= MAX_PLACES):
        return frozenset()
    homes = {one.path for one in owners if one.shape is Shape.DEFINITION and not is_test(one.path)}
    named = {path for path in homes if path.rpartition("/")[2].partition(".")[0].lower() == parts[-2].lower()}
    homes = named or homes
    speaking = {one.path for one in owners if one.shape is not Shape.COMMENT}
    having = {one.path for one in members if one.shape is not Shape.COMMENT}
    return frozenset() if having & homes or defining & speaking else frozenset(homes)


def left_its_class(parts: list[str], citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return *broken* if a class that still is there lost the cited member, *moved* if that has another name now.

    That something else has a member of this name tells nothing: all four that were read for where it went were wrong.
    """
    traced = facts.traced.get(trace_of(parts[-1], citation))
    homes = homes_lacking(parts, facts)
    if traced is None or not homes:
        return None
    lost = tuple(one for one in traced.removals if one.path in homes and one.shape in (Shape.DEFINITION, Shape.FIELD))
    return drift(parts[-1], replace(traced, removals=lost), setting, weak=citation.weak)


def never_a_member(parts: list[str], setting: Setting, facts: Facts) -> Verdict | None:
    """Return *broken* if a module of the repository (a file or folder) never had the cited member, else None.

    Not for a class, which may inherit it, nor for a module named like a library.
    """
    if len(parts) != 2 or not is_unmistakable(parts[-1]) or is_upper(parts[-1]):
        return None
    module = stems(parts[0], facts.tree, setting)
    owners = facts.places.get(parts[0], ())
    if module is None or is_data(module) or all(place.shape is Shape.COMMENT for place in owners):
        return None
    inside = (place.path == module or place.path.startswith(f"{module}/") for place in owners)
    imports_itself = any(here and one.shape is Shape.IMPORT for here, one in zip(inside, owners, strict=True))
    told = is_unmistakable(parts[0]) or parts[0] in facts.tree.dirs_by_name
    if imports_itself or in_manifest(owners) is not None or not told:
        return None
    reason = f"{parts[0]} has no {parts[-1]}, and never had"
    return Verdict(status=VerdictStatus.BROKEN, target=module, reason=reason, evidence=Evidence.MEMBER)
