"""A path that never was in the repository: missed all the same, called by another name, or none of ours."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from intermem.core.citations.drawn import PROJECT
from intermem.core.citations.kinds.fates import deleted, is_set_aside, package_at
from intermem.core.citations.kinds.may_be_made import made_by
from intermem.core.citations.kinds.name_evidence import is_unmistakable
from intermem.core.citations.kinds.resolution import Setting, by_suffix
from intermem.core.code.file_types import (
    MADE,
    folders_with_code,
    is_made,
    is_source,
    is_telling,
    is_telling_page,
    is_written,
    may_be_written,
)
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Tree
from intermem.patterns import regex

NEVER_HERE = "not in the repository or its history"
NEVER_MADE = "never in the repository; it may be created when needed"  # of a folder

# The number of a document, as of a decision: ADR-012-trays.md, 0012-trays.md, RFC_7_trays.md; no date, no version.
_NUMBERED = regex(r"(?:[A-Za-z]{2,6}[-_]?\d{1,4}|\d{3,4})[-_](?=\D)(?=.+\.(?:md|adoc|rst)$)")
_OF_AGENTS = frozenset({"agents", "commands", "prompts", "rules", "skills"})  # what the folders of agents have
_DRAWN_NAME = regex(r"[\w.][\w.\-/]*")


def never_existed(citation: Citation, places: tuple[str, ...], setting: Setting, facts: Facts) -> Verdict:
    """Return *broken* for a path in a tracked folder that never existed on any branch, else *unverifiable*.

    Vendored or built files, lists of alternatives (``a.ts/b.ts``) and mere mentions in prose or a fence are
    not reported.
    """
    if any(place in facts.history.elsewhere for place in places):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="only on another branch")
    folders = posixpath.normpath(citation.name).split("/")[:-1]
    strange = any(name.lower() in MADE or is_source(name) for name in folders if name)
    if may_be_written(citation.name):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="never in the repository; a program may write it")
    first, _, rest = posixpath.normpath(citation.name).partition("/")
    if rest in facts.tree.paths and rest.startswith(f"{first}/"):  # the folder of the checkout in front
        return Verdict(status=VerdictStatus.VALID, target=rest)
    maker = made_by(posixpath.normpath(citation.name), facts)
    if maker is not None:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"never in the repository, but {maker} mentions it")
    known = is_rooted(citation.name, setting, facts.tree) or _leads_beside(citation, setting, facts.tree)
    known = known or _is_below_known_folders(citation.name, facts.tree)
    if not citation.weak and not strange and known:
        reason = "no such file, now or in history"
        successor = _only_namesake(citation.name, facts.tree) or _with_its_number(citation.name, facts.tree)
        if successor is None:
            found = (package_at(place, facts.tree) for place in places)
            successor = next((package for package in found if package is not None), None)
        if successor is not None:
            return Verdict(status=VerdictStatus.MOVED, target=successor, reason=reason, evidence=Evidence.ELSEWHERE)
        if _is_to_come(citation.name, places, facts.tree):
            return Verdict(
                status=VerdictStatus.UNVERIFIABLE, reason="never in the repository; its folder has no code yet"
            )
        return Verdict(status=VerdictStatus.BROKEN, reason=reason, evidence=Evidence.NEVER)
    twin = _of_another_agent(citation, facts.tree)
    if twin is not None:
        reason = f"no such file, now or in history; {twin} is"
        return Verdict(status=VerdictStatus.MOVED, target=twin, reason=reason, evidence=Evidence.ELSEWHERE)
    wrong = drawn_and_never_there(citation, setting, facts) or _left_elsewhere(citation.name, facts)
    return wrong or Verdict(status=VerdictStatus.UNVERIFIABLE, reason=NEVER_HERE)


def _is_to_come(path: str, places: tuple[str, ...], tree: Tree) -> bool:
    """Return whether ``path``, without ``./`` or ``../``, is that of code in a folder where there is none yet."""
    folders = {posixpath.dirname(place) for place in places} & tree.dirs
    is_near = path.startswith(("./", "../"))
    return is_source(path) and not is_near and bool(folders) and folders.isdisjoint(folders_with_code(tree.paths))


def _of_another_agent(citation: Citation, tree: Tree) -> str | None:
    """Return the file that another agent's folder has at the same path: ``.kiln/commands/fire.md`` for ``.oven/…``."""
    first, _, rest = posixpath.normpath(citation.name).partition("/")
    is_of_an_agent = first.startswith(".") and rest.partition("/")[0] in _OF_AGENTS
    if citation.weak or not is_of_an_agent or f"{tree.prefix}{first}" in tree.dirs or is_made(f"{first}/"):
        return None
    there = [one for one in by_suffix(rest, tree.by_name) if one.startswith(f"{tree.prefix}.")]
    near = [one for one in there if one.removeprefix(tree.prefix).partition("/")[2] == rest]
    return near[0] if len(near) == 1 else None


def _left_elsewhere(path: str, facts: Facts) -> Verdict | None:
    """Return *broken* for a path that never was, where all files of its telling name were deleted elsewhere."""
    folder, _, name = path.rpartition("/")
    places = [one for one in facts.history.by_name.get(name, ()) if not is_set_aside((one,), facts)]
    if not folder or not places or name in facts.tree.by_name or not (is_telling(name) or is_telling_page(name)):
        return None
    newest = max(places, key=lambda one: (facts.history.events[one].date or "", one))
    gone = deleted(facts.history.events[newest], Evidence.NAMESAKE)
    return replace(gone, reason=f"never there; {newest} was {gone.reason}")


def drawn_and_never_there(citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return *broken* for what a drawn tree shows in a folder of the repository, and no commit ever had, else None.

    Not for what is made or downloaded, what git ignores, nor for a name that stands for others.
    """
    name, place, tree = citation.name.strip("/"), setting.drawn, facts.tree
    if is_set_aside((place,), facts) or f"{place}/" in facts.ignored:
        return None
    is_plain = _DRAWN_NAME.fullmatch(name) is not None and not is_made(f"{place}/") and not is_written(f"{place}/")
    if not setting.is_picture or place == PROJECT or not is_plain or posixpath.dirname(place) not in tree.dirs | {""}:
        return None
    reason = "drawn here, and never in the repository"
    return Verdict(status=VerdictStatus.BROKEN, reason=reason, evidence=Evidence.DRAWN)


def _only_namesake(path: str, tree: Tree) -> str | None:
    """Return the one file that has the name of ``path``, if that is no name that many files have; else None."""
    name = posixpath.basename(path)
    stem = name.partition(".")[0]
    known = tree.by_name.get(name, ()) if is_unmistakable(stem) or "-" in stem else ()
    return known[0] if len(known) == 1 else None


def _with_its_number(path: str, tree: Tree) -> str | None:
    """Return the one document that has the number of ``path`` in its folder, as under another title; else None.

    A name without a folder may be in any.
    """
    folder, _, name = path.rpartition("/")
    numbered = _NUMBERED.match(name)
    if numbered is None:
        return None
    begins, ending = numbered[0], name.rpartition(".")[2]
    found = [
        one
        for known, paths in tree.by_name.items()
        if known.startswith(begins) and known.endswith(f".{ending}")
        for one in paths
        if not folder or f"/{one}".rpartition("/")[0].endswith(f"/{folder}")
    ]
    return found[0] if len(found) == 1 else None


def is_rooted(path: str, setting: Setting, tree: Tree) -> bool:
    """Return whether the first folder of ``path`` is tracked: at the project root, at the top, or beside a document.

    What a note cites is not beside it.
    """
    first, slash, _ = posixpath.normpath(path).partition("/")
    beside = "" if setting.in_memory or not setting.folder else f"{setting.folder}/"
    return bool(slash) and any(f"{base}{first}" in tree.dirs for base in (tree.prefix, "", beside))


def _is_below_known_folders(path: str, tree: Tree) -> bool:
    """Return whether the first two folders of ``path`` are tracked somewhere, one in the other: ``kilns/racks/…``."""
    folders = posixpath.normpath(path).split("/")[:-1][:2]
    known = tree.dirs_by_name.get(folders[-1], ()) if len(folders) > 1 else ()
    return any(f"/{one}".endswith(f"/{'/'.join(folders)}") for one in known)


def _leads_beside(citation: Citation, setting: Setting, tree: Tree) -> bool:
    """Return whether a link says where it leads from its document: ``./a.ts``, ``../b.md``.

    Its folder is tracked, but for a page, which nothing builds.
    """
    if not citation.link or setting.in_memory or setting.folder is None or not citation.name.startswith(("./", "../")):
        return False
    place = posixpath.normpath(posixpath.join(setting.folder, citation.name))
    folder = posixpath.dirname(place)
    return not place.startswith("..") and (not folder or folder in tree.dirs or place.endswith(".md"))
