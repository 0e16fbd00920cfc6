"""Resolve paths: as written, through symbolic links, or as a suffix of tracked paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from intermem.core.code.file_types import is_test
from intermem.entities import Citation
from intermem.facts import Tree, names_git_dir
from intermem.lazy_dataclass import dataclass

# Folders at the root of a machine or a container: what is below them is no path from the root of a repository.
OF_MACHINES = frozenset(
    """
    bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr var Applications Library System Users
    Volumes private
    app cache certs code config data github logs models nix output secrets snap src workspace workspaces www
    """.split()  # noqa: SIM905 - a list reads worse
)
# Of these, what a repository has at its top as well.
_OF_BOTH = frozenset({"app", "bin", "code", "config", "data", "lib", "models", "src"})
_MAX_BASES = 8  # folders named by the context, in which git may ignore what is cited


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of an entry: its file's folder (in the repository or None; in the memory), and its context.

    ``hints`` are folders and files named by the headings above and by the entry itself; they choose between
    candidates, and never add one. ``in_memory`` is true if the entry's file is part of a memory. ``recorded``
    is the date of the record that a document's line belongs to, empty for a record without a date; ``is_kept`` if the
    whole document is kept as it was. ``sampled`` are names that sample code in the document defines, and paths that it
    makes. ``drawn`` is the path, from the top of the repository, that a drawn tree, or a list, gives to this citation
    alone; empty outside of one. ``is_picture`` is true in a drawn tree. ``bases`` are the folders that the nearest
    heading with any names, and those that the document says its paths are relative to: what is cited may be in them.
    """

    folder: str | None = None
    hints: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    memory_folder: str = ""
    in_memory: bool = False
    recorded: str | None = None
    is_kept: bool = False
    sampled: frozenset[str] = frozenset()
    drawn: str = ""
    is_picture: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving a path: ``candidates`` that exist, ``places`` that were tried.

    What ``escapes`` is outside of the repository, unless history had a file at the place that it has: ``/docs/a.md``.
    """

    candidates: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    exact: bool = False
    escapes: bool = False


def resolve(path: str, setting: Setting, tree: Tree) -> Resolution:
    """Return what ``path`` resolves to in ``tree``: as written, or as a suffix of tracked paths.

    As written means relative to the project root, the top of the repository, or the citing file's folder.
    """
    if path.startswith("/"):
        place = tree.prefix + path.strip("/")
        is_there = place in tree.paths or ("/" in path.strip("/") and place in tree.dirs)
        if is_there:
            return Resolution((place,), (place,), exact=True)
        may_be_file = "." in posixpath.basename(path) and _is_of_no_machine(path, tree)  # else it may be a route
        return Resolution((), (place,) if may_be_file else (), escapes=True)
    if path.startswith("~") or re.match(r"[A-Za-z]:[\\/]", path) or names_git_dir(path):
        return Resolution(escapes=True)
    places = _places(path, setting, tree)
    if not places:
        return Resolution(escapes=True)
    for place in places:
        if place in tree.paths or place in tree.dirs:
            return Resolution((place,), places, exact=True)
        real = through_links(place, tree)
        if real in tree.paths or real in tree.dirs:
            return Resolution((real,), places, exact=True)
        if any(real == out or real.startswith(out + "/") for out in tree.outside):
            return Resolution(escapes=True)
    tail = posixpath.normpath(path)
    if tail.startswith(".."):
        return Resolution((), places)
    matches = by_suffix(tail, tree.by_name) or by_stem_suffix(tail, tree.by_stem)
    if not matches and "/" in tail and "." not in posixpath.basename(tail):
        matches = by_suffix(tail, tree.dirs_by_name)
    return Resolution(_decided(matches, setting, tree), places)


def folder_at_root(path: str, tree: Tree) -> str | None:
    """Return the place of a path with a slash in front, if that may stand for the root of the project, else None."""
    return tree.prefix + path.strip("/") if path.startswith("/") and _is_of_no_machine(path, tree) else None


def _is_of_no_machine(path: str, tree: Tree) -> bool:
    """Return whether the first of several folders is no usual one at the root of a machine or a container.

    ``src`` and the like are not, where the project has such a folder at its top.
    """
    first, slash, _ = path.strip("/").partition("/")
    is_here = first in _OF_BOTH and tree.prefix + first in tree.dirs
    return bool(slash) and (is_here or first not in OF_MACHINES)


def may_be_made_at(citation: Citation, found: Resolution, setting: Setting, tree: Tree) -> tuple[str, ...]:
    """Return the places of ``found``, and those in the folders that the context names: a command there may make it.

    No command makes anything in the folder of a memory: only a link of a note means a file there.
    """
    places = found.places
    if setting.in_memory and not citation.link:
        elsewhere = _places(citation.name, replace(setting, folder=None), tree)
        places = tuple(place for place in places if place in elsewhere)
    tail = posixpath.normpath(citation.name)
    if tail.startswith(("..", "/", "~")):
        return places
    folders = (hint for hint in setting.hints if tree.prefix + hint in tree.dirs)
    return (*places, *(f"{tree.prefix}{folder}/{tail}" for folder in islice(folders, _MAX_BASES)))


def placed_at(path: str, candidates: tuple[str, ...], setting: Setting, tree: Tree) -> str | None:
    """Return the candidate for ``path`` in a folder that the context names, or None.

    The only one may be in a folder of such a name anywhere, or in one that is named in full and that the path shortens;
    one of several in that of the document or of the project.
    """
    tail = posixpath.normpath(path)
    if len(candidates) == 1:
        place = f"/{candidates[0]}"
        base = place.removesuffix(f"/{tail}")
        is_below = base != place and any(base.endswith(f"/{hint}") for hint in setting.hints)
        is_short = "/" in tail and any(
            f"/{hint}".startswith(f"{base}/") and place.startswith(f"/{hint}/") for hint in setting.hints
        )
        return candidates[0] if is_below or is_short else None
    bases = dict.fromkeys((setting.folder or "", tree.prefix))
    places = (posixpath.join(base, hint, tail) for hint in setting.hints for base in bases)
    return next((place for place in places if place in candidates), None)


def through_links(place: str, tree: Tree) -> str:
    """Return ``place`` with symbolic links to folders of the repository resolved, at most ten."""
    for _ in range(10):
        link = next((link for link in tree.links if place.startswith(link + "/")), None)
        if link is None:
            return place
        place = posixpath.normpath(tree.links[link] + place[len(link) :])
    return place


def by_suffix(tail: str, by_name: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the paths that end in ``/tail``, or equal ``tail``, in order."""
    known = by_name.get(posixpath.basename(tail), ())
    return tuple(path for path in known if path == tail or path.endswith("/" + tail))


def by_stem_suffix(tail: str, by_stem: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the code files that end in ``/tail`` without their extension."""
    stem = posixpath.basename(tail)
    if "." in stem or "/" not in tail:
        return ()
    known = by_stem.get(stem, ())
    known = tuple(path for path in known if not is_test(path)) or known
    without = ((path, path[: path.rindex("/") + 1] + stem) for path in known if "/" in path)
    return tuple(path for path, short in without if short == tail or short.endswith("/" + tail))


def deeper(path: str, tree: Tree) -> str | None:
    """Return the only file of that name whose path contains the same folders with others between, or None."""
    *folders, name = posixpath.normpath(path).split("/")
    known = tree.by_name.get(name, ())
    if not folders or len(known) != 1:
        return None
    parts = iter(known[0].split("/")[:-1])
    return known[0] if all(folder in parts for folder in folders) else None


def _places(path: str, setting: Setting, tree: Tree) -> tuple[str, ...]:
    bases = [tree.prefix, ""]
    if setting.folder is not None:
        bases += [setting.folder, _told_about(setting.folder)]
    headed = (posixpath.join(above, base) for base in setting.bases for above in (tree.prefix, setting.folder or ""))
    bases += (base for base in headed if base in tree.dirs)
    found: list[str] = []
    for base in dict.fromkeys(bases):
        place = posixpath.normpath(posixpath.join(base, path))
        if not place.startswith("..") and place != "." and place not in found:
            found.append(place)
    return tuple(found)


def _told_about(folder: str) -> str:
    """Return the folder that a document in a hidden folder is about: ``web`` for ``web/.claude/rules``."""
    parts = folder.split("/")
    hidden = next((n for n, part in enumerate(parts) if part.startswith(".") and part.strip(".")), len(parts))
    return "/".join(parts[:hidden])


def _decided(matches: tuple[str, ...], setting: Setting, tree: Tree) -> tuple[str, ...]:
    """Return the matches that remain once the hints are applied."""
    if len(matches) < 2:
        return matches
    for hint in setting.hints:
        near = tuple(match for match in matches if f"/{match}".rpartition("/")[0].endswith("/" + hint.strip("/")))
        below = tuple(match for match in matches if f"/{hint.strip('/')}/" in f"/{match}")
        for chosen in (near, below):
            if len(chosen) == 1:
                return chosen
    inside = tuple(match for match in matches if tree.prefix and match.startswith(tree.prefix))
    return inside if len(inside) == 1 else matches


def is_below_document(name: str, place: str | None, setting: Setting) -> bool:
    """Return whether ``place`` is ``name`` as seen from the folder of the document, or from one that this is in.

    In ``web/.agents/notes/AGENTS.md`` ``rules/`` may be in ``web/.agents``, and ``src/app.py`` in ``web``.
    """
    tail = posixpath.normpath(name).lstrip("/")
    if place is None or not setting.folder or not f"/{place}".endswith(f"/{tail}"):
        return False
    above = place.removesuffix(tail)
    return above != "" and f"{setting.folder}/".startswith(above)
