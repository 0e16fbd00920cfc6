"""What happened to a path that does not resolve: moved, deleted, generated, or never there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import replace

from intermem.core.citations.drawn import ELSEWHERE, PROJECT
from intermem.core.citations.kinds.fates import (
    BECAME_PACKAGE,
    deleted,
    follow,
    is_outside,
    is_set_aside,
    kindred_beside,
    moved_verdict,
    once_a_folder,
    package_at,
    spelt_otherwise,
)
from intermem.core.citations.kinds.may_be_made import MAY_BE_MADE, line_with_text, made_by, why_it_may_be_there
from intermem.core.citations.kinds.name_evidence import is_unmistakable
from intermem.core.citations.kinds.never_there import never_existed
from intermem.core.citations.kinds.resolution import (
    Resolution,
    Setting,
    by_stem_suffix,
    by_suffix,
    deeper,
    through_links,
)
from intermem.core.citations.kinds.token import may_stand_for_any
from intermem.core.code.file_types import (
    is_backed_up,
    is_code,
    is_data,
    is_sample,
    is_settings,
    is_source,
    is_telling,
    is_telling_page,
    is_temporary,
    is_usual_page,
    is_written,
)
from intermem.core.code.manifests import NAMING
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Tree

_NAMING_LIBRARIES = frozenset({"js", "py", "cpp"})  # three.js, discord.py, llama.cpp
_STYLES = (".css", ".scss", ".less")  # data, which a library is not called like

_COMPILED = {"js": ("ts", "tsx"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",), "ts": ("d.ts",)}


def once_at_root(citation: Citation, places: tuple[str, ...], setting: Setting, facts: Facts) -> Verdict | None:
    """Return what became of a file, cited with a slash in front; None if code has that as well, as a route."""
    if not any(place in facts.history.events for place in places):
        return None
    name = citation.name.lstrip("/")
    if made_by(name, facts) is not None or is_set_aside(places, facts):
        return None
    moved = moved_verdict(places, facts)
    return moved or absent(replace(citation, name=name), Resolution((), places), setting, facts)


def run_elsewhere(citation: Citation, moved: Verdict) -> Verdict:
    """Return ``moved``, except for ``./x`` in a command, which may be run in the new folder."""
    tail = citation.text.removeprefix(".")
    if citation.weak and citation.text.startswith("./") and (moved.target or "").endswith(tail):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"the command may run in the folder of {moved.target}")
    return moved


def _is_in_memory(citation: Citation, setting: Setting) -> bool:
    """Return whether a link points into the memory, relative to the file that contains it."""
    beside = posixpath.normpath(posixpath.join(setting.memory_folder, citation.name))
    return not beside.startswith("..")


def absent(citation: Citation, found: Resolution, setting: Setting, facts: Facts) -> Verdict:
    tree, history = facts.tree, facts.history
    if not tree.is_git:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="not a git repository")
    compiled = _source_of_import(found.places, tree)
    was_itself = not citation.weak and any(place in history.events for place in found.places)
    if compiled is not None and not was_itself:
        return Verdict(status=VerdictStatus.VALID, target=compiled, reason="imported under its compiled name")
    gone = _gone(citation, found.places, setting, facts)
    if gone is not None:
        doubt = why_it_may_be_there(citation, found.places, facts) if gone.status is VerdictStatus.BROKEN else None
        if doubt is not None:
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"{MAY_BE_MADE} {doubt}")
        return run_elsewhere(citation, gone)
    holder = _holder(found.places, tree)
    if holder is not None:
        return Verdict(status=VerdictStatus.VALID, target=holder, reason="a name defined in that file")
    folder = _once_a_folder([one for one in found.places if not _is_drawn_elsewhere(one, setting, facts)], facts)
    if folder is not None:
        named = made_by(posixpath.normpath(citation.name), facts) if citation.name.startswith(".") else None
        maker = named or line_with_text(citation.name, facts)
        return folder if maker is None else Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"{maker} mentions it")
    spelt = spelt_otherwise(citation.name, found.places, tree.paths, tree.dirs)
    if spelt is not None:
        return spelt
    moved_down = None if citation.weak else deeper(citation.name, tree)
    if moved_down is not None and moved_down.startswith(_package_of(setting.folder, tree)):
        return Verdict(
            status=VerdictStatus.MOVED,
            target=moved_down,
            reason="now in a deeper folder",
            evidence=Evidence.DEEPER,
            origin=_before_folders(citation.name, moved_down),
        )
    in_memory = facts.memory_files or setting.in_memory
    if citation.link and citation.name.endswith(".md") and in_memory and _is_in_memory(citation, setting):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file in the memory", evidence=Evidence.MEMORY)
    if not history.complete:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the history is incomplete (shallow clone)")
    return never_existed(citation, found.places, setting, facts)


def drawn_verdict(citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return the verdict on a name in a drawn tree, by the one path that the picture gives it.

    None outside of a picture, and where no file or folder was ever at that path: then it is a name like any other.
    """
    place, tree = setting.drawn, facts.tree
    if not place:
        return None
    if place == ELSEWHERE:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="drawn on a machine, outside the repository")
    if place == PROJECT:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the name of the project, in a drawn tree")
    beside = posixpath.join(setting.folder or "", place) if place == citation.name.strip("/") else place
    real = [through_links(one, tree) for one in (place, beside)]
    there = next((one for one in real if one in tree.paths or one in tree.dirs), None)
    if there is not None:
        return Verdict(status=VerdictStatus.VALID, target=there)
    if any(is_outside(one, tree) for one in real):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    if may_stand_for_any(place) and place not in facts.history.events:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="drawn below a name that stands for any")
    if not tree.is_git or is_set_aside((place,), facts):
        return None
    found = moved_verdict((place,), facts)
    if found is None and place in facts.history.events:
        found = absent(replace(citation, name=place), Resolution((), (place,)), setting, facts)
    found = found or once_a_folder(place, facts)
    if found is None or found.status is not VerdictStatus.BROKEN or "/" not in place:
        return found
    colon = ":" if found.reason.startswith("its ") else ""
    return replace(found, reason=f"{place}{colon} {found.reason}")


def _before_folders(name: str, target: str) -> str:
    """Return the path that ``name`` had before folders were inserted into it to give ``target``."""
    first, *_ = normal = posixpath.normpath(name).split("/")
    parts = target.split("/")
    return "/".join([*parts[: parts.index(first)], *normal])


def _source_of_import(places: tuple[str, ...], tree: Tree) -> str | None:
    """Return the TypeScript file of a ``.js`` path: imports use the compiled extension."""
    for place in places:
        stem, dot, ending = place.rpartition(".")
        for source in _COMPILED.get(ending, ()) if dot else ():
            if f"{stem}.{source}" in tree.paths:
                return f"{stem}.{source}"
    return None


def _holder(places: tuple[str, ...], tree: Tree) -> str | None:
    """Return the code file of a dotted name with a path: ``pkg/module.Class``."""
    for place in places:
        stem, dot, name = place.rpartition(".")
        if not dot or not name[:1].isupper() or name.isupper():
            continue
        for path in tree.by_stem.get(posixpath.basename(stem), ()):
            if path.rpartition(".")[0] == stem:
                return path
    return None


def _gone(citation: Citation, places: tuple[str, ...], setting: Setting, facts: Facts) -> Verdict | None:
    """Return *moved* or *broken* from the history of the one path that this can have been, else None.

    A path that git ignores now is not drift, and a bare name in prose ("three.js") proves nothing.
    """
    path, tree, history = citation.name, facts.tree, facts.history
    known = [place for place in places if place in history.events]
    stem, _, ending = path.partition(".")
    is_page = is_telling_page(path) and ("-" in stem or "_" in stem)
    is_file = is_code(path) and (not is_data(path) or path.endswith(_STYLES)) and ending not in _NAMING_LIBRARIES
    told = is_page or is_unmistakable(stem) or is_file
    bare = "/" not in path and not told
    if not known and not (citation.weak and bare):
        tail = posixpath.normpath(path)
        known = list(by_suffix(tail, history.by_name) or by_stem_suffix(tail, history.by_stem))
    known = [one for one in known if not is_set_aside((one,), facts) and not is_outside(one, tree)]
    known = [one for one in known if not _is_drawn_elsewhere(one, setting, facts)]
    known = [one for one in known if "/" in path or not is_backed_up(one)]
    if not known:
        return None
    if known[0] not in places:
        endings = {(follow(one, tree, history) or Verdict(status=VerdictStatus.BROKEN)).target for one in known}
        if len(endings) > 1:
            return None
        moved = moved_verdict((known[0],), facts)
        if moved is not None:
            return moved
    last = known[0]
    event = history.events[last]
    while event.renamed_to is not None and event.renamed_to in history.events and event.renamed_to != last:
        event = history.events[event.renamed_to]
    package, kindred = package_at(last, tree), kindred_beside(last, tree) if last in places else None
    if package is not None or kindred is not None:
        return Verdict(
            status=VerdictStatus.MOVED,
            target=package or kindred,
            reason=BECAME_PACKAGE if package is not None else "",
            evidence=Evidence.PACKAGE if package is not None else Evidence.ENDING,
            commit=event.commit,
            date=event.date,
            origin=last,
        )
    if is_written(last) and not is_source(last):
        return Verdict(
            status=VerdictStatus.UNVERIFIABLE, reason=f"{last} was committed once, but looks like program output"
        )
    if last in places:
        return deleted(event, Evidence.DELETED)
    if is_temporary(last):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"never there; {last} was there for a while")
    if "/" not in path and is_sample(last) and is_settings(last):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"never there; {last} was a sample")
    is_usual = (
        is_usual_page(path)
        or path.startswith(".")
        or (bool(setting.drawn) and is_source(path) and not is_telling(path))
    )
    gone = deleted(event, Evidence.USUAL if "/" not in path and is_usual else Evidence.NAMESAKE)
    return replace(gone, reason=f"{last} was {gone.reason}")


def _is_drawn_elsewhere(former: str, setting: Setting, facts: Facts) -> bool:
    """Return whether a tree shows a name in a folder which is here: ``former``, deleted from elsewhere, is another.

    A telling name is that of the same file, drawn where it was not.
    """
    folder, _, last = setting.drawn.rpartition("/")
    if not folder or is_telling(last) or former.startswith(f"{folder}/"):
        return False
    event = facts.history.events.get(former)
    return folder in facts.tree.dirs and event is not None and event.renamed_to is None


def _once_a_folder(places: Iterable[str], facts: Facts) -> Verdict | None:
    """Return *moved* or *broken* if the path was a folder, which git knows only by its files, else None."""
    tried = (once_a_folder(place, facts) for place in places)
    return next((once for once in tried if once is not None), None)


def _package_of(folder: str | None, tree: Tree) -> str:
    """Return the innermost package around ``folder``, with a slash; empty where there is none but the repository."""
    while folder:
        if any(f"{folder}/{name}" in tree.paths for name in NAMING):
            return f"{folder}/"
        folder = posixpath.dirname(folder)
    return ""
