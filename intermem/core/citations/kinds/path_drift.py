"""What happened to a path that does not resolve: moved, deleted, generated, or never there."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from intermem.core.citations.drawn import PROJECT
from intermem.core.citations.kinds.name_evidence import at, is_unmistakable
from intermem.core.citations.kinds.resolution import Resolution, Setting, by_stem_suffix, by_suffix, deeper
from intermem.core.code.file_types import MADE, is_manifest, is_source, is_written
from intermem.core.code.manifests import NAMING
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Event, Facts, History, Shape, Tree

_DATA = frozenset("csv db jsonl log pid sqlite sqlite3 tmp tsv json".split())  # noqa: SIM905


_MODELS = ("example", "sample", "template", "dist", "default", "tmpl")


_FEW = 4  # files that left a folder: of fewer nothing can be said


_RUNNING = frozenset("db log pid sqlite sqlite3 tmp".split())  # noqa: SIM905 - of a running program


# Program output: a deleted file of this kind is not drift while code still mentions its name.
_OUTPUT = frozenset(
    "json csv tsv html txt log xml pdf png jpg jpeg gif svg mp4 wav npz pkl parquet db sqlite".split()  # noqa: SIM905
)


NEVER_HERE = "not in the repository or its history"


MAY_BE_MADE = "committed once, but"


_COMPILED = {"js": ("ts", "tsx"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",), "ts": ("d.ts",)}


def is_output(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _OUTPUT and not is_manifest(path)


def _made_by(name: str, facts: Facts) -> str | None:
    """Return the line of code that mentions the name of a file, and so may create it."""
    named = (place for place in facts.places.get(name, ()) if place.shape is not Shape.COMMENT)
    return next((at(place) for place in named), None)


def run_elsewhere(citation: Citation, moved: Verdict) -> Verdict:
    """Return ``moved``, except for ``./x`` in a command, which may be run in the new folder."""
    tail = citation.text.removeprefix(".")
    if citation.weak and citation.text.startswith("./") and (moved.target or "").endswith(tail):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"the command may run in the folder of {moved.target}")
    return moved


def moved_verdict(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    for place in places:
        moved = None if place in facts.ignored else follow(place, facts.tree, facts.history)
        if moved is not None:
            return moved
    return None


def follow(place: str, tree: Tree, history: History) -> Verdict | None:
    """Return *moved* if the renames that start at ``place`` end at a path of ``tree``, else None."""
    seen: set[str] = set()
    event: Event | None = history.events.get(place)
    first = event
    at = place
    while event is not None and event.renamed_to is not None and at not in seen:
        seen.add(at)
        at = event.renamed_to
        if at in tree.paths:
            assert first is not None
            return Verdict(
                status=VerdictStatus.MOVED,
                target=at,
                commit=first.commit,
                date=first.date,
                origin=place,
                evidence=Evidence.RENAMED,
            )
        event = history.events.get(at)
    return None


def fate_of(place: str, tree: Tree, history: History) -> Verdict:
    """Return the verdict on a path that no longer exists at ``place``: *moved*, else *broken*."""
    moved = follow(place, tree, history)
    event = history.events.get(place)
    if moved is not None or event is None:
        return moved or Verdict(status=VerdictStatus.BROKEN, reason="gone", evidence=Evidence.DELETED)
    return _deleted(event, Evidence.DELETED)


def _deleted(event: Event, evidence: Evidence) -> Verdict:
    return Verdict(
        status=VerdictStatus.BROKEN,
        reason=deletion(event),
        commit=event.commit,
        date=event.date,
        evidence=evidence,
    )


def _is_in_memory(citation: Citation, setting: Setting) -> bool:
    """Return whether a link points into the memory, relative to the file that contains it."""
    beside = posixpath.normpath(posixpath.join(setting.memory_folder, citation.name))
    return not beside.startswith("..")


def absent(citation: Citation, found: Resolution, setting: Setting, facts: Facts) -> Verdict:
    tree, history = facts.tree, facts.history
    if not tree.is_git:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="not a git repository")
    compiled = _source_of_import(found.places, tree)
    if compiled is not None:
        return Verdict(status=VerdictStatus.VALID, target=compiled, reason="imported under its compiled name")
    gone = _gone(citation, found.places, facts)
    if gone is not None:
        doubt = _doubt(citation, found.places, facts) if gone.status is VerdictStatus.BROKEN else None
        if doubt is not None:
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"{MAY_BE_MADE} {doubt}")
        return run_elsewhere(citation, gone)
    holder = _holder(found.places, tree)
    if holder is not None:
        return Verdict(status=VerdictStatus.VALID, target=holder, reason="a name defined in that file")
    folder = _once_a_folder(found.places, facts)
    if folder is not None:
        return folder
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
    return never_existed(citation, found.places, facts)


def drawn_verdict(citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return the verdict on a name in a drawn tree, by the one path that the picture gives it.

    None outside of a picture, and where no file or folder was ever at that path: then it is a name like any other.
    """
    place, tree = setting.drawn, facts.tree
    if not place:
        return None
    if place == PROJECT:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the name of the project, in a drawn tree")
    if place in tree.paths or place in tree.dirs:
        return Verdict(status=VerdictStatus.VALID, target=place)
    if not tree.is_git or place in facts.ignored or f"{place}/" in facts.ignored:
        return None
    found = moved_verdict((place,), facts)
    if found is None and place in facts.history.events:
        found = absent(replace(citation, name=place), Resolution((), (place,)), setting, facts)
    found = found or once_a_folder(place, facts)
    if found is None or found.status is not VerdictStatus.BROKEN or "/" not in place:
        return found
    return replace(found, reason=f"{place} {found.reason}")


def _doubt(citation: Citation, places: tuple[str, ...], facts: Facts) -> str | None:
    """Return why a file that was committed once may still exist, untracked; None if nothing suggests it."""
    model = next((one for place in places for one in _models_of(place) if one in facts.tree.paths), None)
    if model is not None:
        return f"{model} is what it is made from"
    own = posixpath.basename(citation.name)
    if own == citation.name and own.rpartition(".")[2].lower() in _RUNNING:
        return "a program may write it"
    if "." not in own:  # only a former file at that very place; else it may be a key in data
        was_file = any(place in facts.history.events for place in places)
        holder = None if was_file else _made_by(posixpath.normpath(citation.name), facts)
        return f"{holder} mentions it" if holder is not None else None
    # If another file of that name exists, code refers to that one.
    maker = _made_by(own, facts) if is_output(own) and own not in facts.tree.by_name else None
    return f"{maker} may create it" if maker is not None else None


def _models_of(path: str) -> Iterator[str]:
    """Yield the names of files that people copy to ``path``: ``config.ini.example``, ``config.example.ini``."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    for word in _MODELS:
        yield f"{path}.{word}"
        yield f"{folder}{slash}{word}.{name.lstrip('.')}"
        if dot and stem:
            yield f"{folder}{slash}{stem}.{word}.{ending}"


def _before_folders(name: str, target: str) -> str:
    """Return the path that ``name`` had before folders were inserted into it to give ``target``."""
    first, *_ = normal = posixpath.normpath(name).split("/")
    parts = target.split("/")
    return "/".join([*parts[: parts.index(first)], *normal])


def never_existed(citation: Citation, places: tuple[str, ...], facts: Facts) -> Verdict:
    """Return *broken* for a path in a tracked folder that never existed on any branch, else *unverifiable*.

    Vendored or built files, lists of alternatives (``a.ts/b.ts``) and mere mentions in prose or a fence are
    not reported.
    """
    if any(place in facts.history.elsewhere for place in places):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="only on another branch")
    folders = posixpath.normpath(citation.name).split("/")[:-1]
    strange = any(name.lower() in MADE or is_source(name) for name in folders if name)
    if citation.name.rpartition(".")[2].lower() in _DATA:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="never in the repository; a program may write it")
    maker = _made_by(posixpath.normpath(citation.name), facts)
    if maker is not None:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"never in the repository, but {maker} mentions it")
    if not citation.weak and not strange and is_rooted(citation.name, facts.tree):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file, now or in history", evidence=Evidence.NEVER)
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=NEVER_HERE)


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


def _gone(citation: Citation, places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """Return *moved* or *broken* from the history of the one path that this can have been, else None.

    A path that git ignores now is not drift, and a bare name in prose ("three.js") proves nothing.
    """
    path, tree, history = citation.name, facts.tree, facts.history
    known = [place for place in places if place in history.events]
    bare = "/" not in path and not is_unmistakable(path.partition(".")[0])
    if not known and not (citation.weak and bare):
        tail = posixpath.normpath(path)
        known = list(by_suffix(tail, history.by_name) or by_stem_suffix(tail, history.by_stem))
    known = [one for one in known if one not in facts.ignored]
    if not known:
        return None
    if known[0] not in places:
        endings = {(follow(one, tree, history) or Verdict(status=VerdictStatus.BROKEN)).target for one in known}
        if len(endings) > 1:
            return None
        moved = follow(known[0], tree, history)
        if moved is not None:
            return moved
    last = known[0]
    event = history.events[last]
    while event.renamed_to is not None and event.renamed_to in history.events and event.renamed_to != last:
        event = history.events[event.renamed_to]
    package = _package(last, tree)
    if package is not None:
        return Verdict(
            status=VerdictStatus.MOVED,
            target=package,
            reason="it became a package",
            evidence=Evidence.PACKAGE,
            commit=event.commit,
            date=event.date,
            origin=last,
        )
    if is_written(last) and not is_source(last):
        return Verdict(
            status=VerdictStatus.UNVERIFIABLE, reason=f"{last} was committed once, but looks like program output"
        )
    return _deleted(event, Evidence.DELETED if last in places else Evidence.NAMESAKE)


def _package(place: str, tree: Tree) -> str | None:
    """Return the folder that replaced a module, ``a/b`` for ``a/b.py``, or its ``__init__.py`` or the like."""
    folder, _, name = place.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    package = posixpath.join(folder, stem)
    if not dot or not is_source(name) or package not in tree.dirs:
        return None
    fronts = (f"{package}/{front}.{ending}" for front in ("__init__", "index", "mod", stem))
    return next((front for front in fronts if front in tree.paths), package)


def _once_a_folder(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """Return *moved* or *broken* if the path was a folder, which git knows only by its files, else None."""
    tried = (once_a_folder(place, facts) for place in places)
    return next((once for once in tried if once is not None), None)


def once_a_folder(place: str, facts: Facts) -> Verdict | None:
    """Return *moved* if most files of ``place`` went to one folder, *broken* if they are gone, else None."""
    events: list[Event] = []
    destinations: Counter[str] = Counter()
    renames: dict[str, Event] = {}
    tree, history = facts.tree, facts.history
    prefix = place + "/"
    for path in below(prefix, history.ordered):
        if path in facts.ignored:
            continue
        event = history.events[path]
        events.append(event)
        moved = follow(path, tree, history)
        tail = path[len(place) :]
        if moved is not None and moved.target is not None and moved.target.endswith(tail):
            new = moved.target[: -len(tail)]
            destinations[new] += 1
            renames.setdefault(new, event)
    if not events:
        return None
    new, most = max(destinations.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    if _comes_and_goes(events):
        reason = "its files came and went one by one: it may be empty for now"
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
    if 2 * most > len(events):
        others = len(destinations) - 1
        return Verdict(
            status=VerdictStatus.MOVED,
            target=new,
            reason=f"most of its files; others went to {others} more folder{'' if others == 1 else 's'}"
            if others
            else "",
            evidence=Evidence.FOLDER,
            commit=renames[new].commit,
            date=renames[new].date,
            origin=place,
        )
    newest = max(events, key=lambda event: (event.commit is None, event.date or "", event.commit or ""))
    gone = _deleted(newest, Evidence.FILES)
    return replace(gone, reason="its files went to several folders") if destinations else gone


def _comes_and_goes(events: Sequence[Event]) -> bool:
    """Return whether the files of a folder left it in many commits, as work does that is done; not all at once."""
    commits = Counter(event.commit for event in events)
    return len(events) >= _FEW and 2 * max(commits.values()) < len(events)


def below(prefix: str, ordered: Sequence[str]) -> Iterator[str]:
    """Yield the paths in ``ordered`` that start with ``prefix``."""
    for path in islice(ordered, bisect_left(ordered, prefix), None):
        if not path.startswith(prefix):
            return
        yield path


def deletion(event: Event) -> str:
    """Return the words for a path that ``event`` removed."""
    return "deleted" if event.commit else "deleted in the working tree, not committed yet"


def is_rooted(path: str, tree: Tree) -> bool:
    """Return whether the first folder of ``path`` is tracked, at the project root or at the top."""
    first, slash, _ = posixpath.normpath(path).partition("/")
    return bool(slash) and (tree.prefix + first in tree.dirs or first in tree.dirs)


def _package_of(folder: str | None, tree: Tree) -> str:
    """Return the innermost package around ``folder``, with a slash; empty where there is none but the repository."""
    while folder:
        if any(f"{folder}/{name}" in tree.paths for name in NAMING):
            return f"{folder}/"
        folder = posixpath.dirname(folder)
    return ""
