"""What became of a path or a folder that is gone, by the history alone: where its renames end, or who deleted it."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from intermem.core.citations.dated import archives_of
from intermem.core.code.file_types import MADE, is_made, is_source
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Event, Facts, History, SeenBy, Tree
from intermem.patterns import regex

_UNLIKE = {SeenBy.NAME: "its contents changed as well", SeenBy.CONTENTS: "the same contents stand there"}
BECAME_PACKAGE = "it became a package"
_KIN = (frozenset({"md", "mdx", "mdc"}), frozenset({"yml", "yaml"}))  # endings that one file may have, or the other
_KINDRED = (
    *_KIN,
    *(
        frozenset(group.split())
        for group in (
            "ts tsx mts cts js jsx mjs cjs",
            "c cc cpp cxx",
            "h hh hpp hxx",
            "css scss sass less",
            "html htm",
            "json jsonc json5",
            "kt kts",
        )
    ),
)  # and what a file is rewritten as
_TOGETHER = 3  # files that one commit took elsewhere, at least
_PARTS = 3  # files that have a name in front, at least, for one to have been divided into them
_PLACEHOLDERS = frozenset({".gitkeep", ".keep", ".gitignore", ".placeholder"})  # for a folder that is to be filled
_FEW = 4  # files that left a folder: of fewer nothing can be said


def is_set_aside(places: Iterable[str], facts: Facts) -> bool:
    """Return whether git ignores one of ``places``, so that it may be there all the same, and no history tells more.

    Source code of which git saw where it went is not there again; what was deleted may be made since.
    """
    tried = tuple(places)
    if not any(place in facts.ignored or f"{place}/" in facts.ignored for place in tried):
        return False
    moves = (follow(place, facts.tree, facts.history) for place in tried if is_source(place))
    return not any(moved is not None and not moved.reason for moved in moves)


def moved_verdict(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """Return *moved* for the first of ``places`` that was renamed to a path of the tree, else None."""
    for place in places:
        moved = None if is_set_aside((place,), facts) else follow(place, facts.tree, facts.history)
        if moved is not None:
            kept = _beside_its_like(_as_kindred(moved, place, facts.tree), place, facts.tree)
            into = _into_package(kept, place, facts)
            split = _split_up(into, place, facts.tree)
            return _put_away(split, place) if is_source(place) else split
    return None


def _as_kindred(moved: Verdict, place: str, tree: Tree) -> Verdict:
    """Return ``moved``, to the file beside ``place`` where git saw the same name, with a kindred ending, elsewhere.

    Of two that are alike git names one: the page ``a.md`` is ``a.mdx`` there, and not in the copy of a version.
    """
    stem, _, ending = place.rpartition(".")
    name, _, other = (moved.target or "").rpartition("/")[2].rpartition(".")
    beside = f"{stem}.{other}"
    is_kin = any(ending in group and other in group for group in _KIN)
    if is_kin and ending != other and name == posixpath.basename(stem) and beside in tree.paths:
        return replace(moved, target=beside)
    return moved


def _beside_its_like(moved: Verdict, place: str, tree: Tree) -> Verdict:
    """Return ``moved``, to the folder of the old one's name beside that which git saw: of two copies it names one."""
    folder, name = posixpath.split(moved.target or "")
    parent = posixpath.basename(posixpath.dirname(place))
    like = posixpath.join(posixpath.dirname(folder), parent, name)
    is_other = bool(parent) and name == posixpath.basename(place) and posixpath.basename(folder) != parent
    return replace(moved, target=like) if is_other and like in tree.paths and like != place else moved


def _put_away(moved: Verdict, place: str) -> Verdict:
    """Return ``moved``, as *broken* where code went into an archive: nobody is to be sent to that."""
    if moved.status is not VerdictStatus.MOVED or not archives_of(moved.target or "") - archives_of(place):
        return moved
    return replace(moved, status=VerdictStatus.BROKEN, target=None, reason=f"archived as {moved.target}")


def _into_package(moved: Verdict, place: str, facts: Facts) -> Verdict:
    """Return ``moved``, to the package where a module was split into one of its name: git names the likest part.

    Not where that part still has the module's name, nor where the folder was another than the module's own by then:
    files of several modules may go into one that is called so.
    """
    tree, event = facts.tree, facts.history.events.get(place)
    if event is None or not (event.renamed_to or "").startswith(f"{posixpath.splitext(place)[0]}/"):
        return moved
    target = moved.target or ""
    folder, part = posixpath.split(target)
    module = posixpath.basename(place)
    while folder and posixpath.basename(folder) != posixpath.splitext(module)[0]:
        folder = posixpath.dirname(folder)
    is_inside = place.startswith(f"{folder}/")  # ``kiln/kiln.py`` was part of a package of its name already
    package = package_at(place, tree, folder) if folder and part != module and not is_inside else None
    if package in (None, folder, target):
        return moved  # a folder that nothing of the module's name opens may hold more than its parts
    parts = (path for path in tree.paths if path.startswith(f"{folder}/") and is_source(path))
    if len(list(islice(parts, 2))) < 2:
        return moved
    return replace(moved, target=package, reason=BECAME_PACKAGE, evidence=Evidence.PACKAGE)


def _split_up(moved: Verdict, place: str, tree: Tree) -> Verdict:
    """Return ``moved``, as *broken* where its target is one of several files that a file was divided into.

    They begin with its name, as ``kiln_rack.py`` and ``kiln_oven.py`` do with that of ``kiln.py``.
    """
    folder, part = posixpath.split(moved.target or "")
    stem, _, ending = posixpath.basename(place).rpartition(".")
    begins = next((f"{stem}{joint}" for joint in "_-." if part.startswith(f"{stem}{joint}")), None) if stem else None
    if begins is None or not is_source(place):
        return moved
    alike = [one for one in tree.paths if posixpath.dirname(one) == folder and one.endswith(f".{ending}")]
    if sum(posixpath.basename(one).startswith(begins) for one in alike) < _PARTS:
        return moved
    reason = f"divided into {posixpath.join(folder, begins)}*.{ending}"
    return replace(moved, status=VerdictStatus.BROKEN, target=None, reason=reason)


# What is added to the name of a file that is to do nothing.
_OFF = frozenset("disabled disable off bak backup old orig unused inactive deprecated obsolete archived skip".split())  # noqa: SIM905


def follow(place: str, tree: Tree, history: History) -> Verdict | None:
    """Return *moved* if the renames that start at ``place`` end at a path of ``tree``, else None.

    *Broken* if it is there under a name that switches it off: nobody is to be sent to that.
    """
    seen: set[str] = set()
    event: Event | None = history.events.get(place)
    first = event
    at = place
    reason = ""
    while event is not None and event.renamed_to is not None and at not in seen:
        seen.add(at)
        reason = _UNLIKE.get(event.seen_by, reason)
        at = event.renamed_to
        if at in tree.paths:
            assert first is not None
            if at.startswith(f"{place}.") and at.removeprefix(f"{place}.").lower() in _OFF:
                return Verdict(
                    status=VerdictStatus.BROKEN,
                    reason=f"switched off as {at}",
                    commit=first.commit,
                    date=first.date,
                    evidence=Evidence.RENAMED,
                )
            return Verdict(
                status=VerdictStatus.MOVED,
                target=at,
                reason=reason,
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
    return deleted(event, Evidence.DELETED)


def deleted(event: Event, evidence: Evidence) -> Verdict:
    """Return *broken* by ``event``."""
    return Verdict(
        status=VerdictStatus.BROKEN,
        reason=deletion(event),
        commit=event.commit,
        date=event.date,
        evidence=evidence,
    )


def kindred_beside(place: str, tree: Tree) -> str | None:
    """Return the one file beside ``place`` that has its name with a kindred ending: ``a.tsx`` for ``a.ts``."""
    stem, _, ending = place.rpartition(".")
    others = (other for group in _KINDRED if ending in group for other in sorted(group - {ending}))
    found = [f"{stem}.{other}" for other in others if f"{stem}.{other}" in tree.paths]
    return found[0] if len(found) == 1 and stem else None


def package_at(place: str, tree: Tree, elsewhere: str | None = None) -> str | None:
    """Return the folder that replaced a module, ``a/b`` for ``a/b.py``, or its ``__init__.py`` or the like.

    It may have moved ``elsewhere`` since.
    """
    folder, _, name = place.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    package = elsewhere or posixpath.join(folder, stem)
    if not dot or not is_source(name) or package not in tree.dirs:
        return None
    if is_made(f"{package}/") and not is_made(place):
        return None  # what was built of it is no place to be sent to
    fronts = (f"{package}/{front}.{ending}" for front in ("__init__", "index", "mod", stem))
    return next((front for front in fronts if front in tree.paths), package)


def spelt_otherwise(cited: str, places: Iterable[str], *known: frozenset[str]) -> Verdict | None:
    """Return *moved* to the one of the ``known`` paths that only the case tells from one of ``places``, else None.

    A bare name may be ``cited`` as one likes: ``readme.md``.
    """
    for place in places if "/" in cited else ():
        folded = place.casefold()
        found = [one for group in known if folded in _folded(group) for one in _by_case(group)[folded]]
        if len(found) == 1:
            return Verdict(
                status=VerdictStatus.MOVED, target=found[0], reason="only the case differs", evidence=Evidence.SPELT
            )
    return None


@lru_cache(maxsize=8)
def _folded(known: frozenset[str]) -> frozenset[str]:
    return frozenset("\0".join(known).casefold().split("\0"))  # at once, which is much faster for 100,000


@lru_cache(maxsize=8)
def _by_case(known: frozenset[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in known:
        found.setdefault(path.casefold(), []).append(path)
    return found


def is_outside(place: str, tree: Tree) -> bool:
    """Return whether a path is, or is below, a submodule or a link that leads out of the repository."""
    return any(place == out or place.startswith(f"{out}/") for out in tree.outside)


def once_a_folder(place: str, facts: Facts) -> Verdict | None:
    """Return *moved* if most files of ``place`` went to one folder, *broken* if they are gone, else None.

    None as well where a submodule, or a link that leads out, stands in its place.
    """
    if is_outside(place, facts.tree):
        return None
    events: list[Event] = []
    sources, files = 0, 0
    destinations: Counter[str] = Counter()
    moves: dict[str, list[Event]] = {}
    targets: list[str] = []
    tree, history = facts.tree, facts.history
    prefix = place + "/"
    for path in below(prefix, history.ordered):
        if path in facts.ignored:
            continue
        event = history.events[path]
        events.append(event)
        sources += is_source(path)
        files += posixpath.basename(path) not in _PLACEHOLDERS
        moved = follow(path, tree, history)
        if moved is not None and moved.reason == _UNLIKE[SeenBy.CONTENTS]:
            moved = None  # it may have been there before
        tail = path[len(place) :]
        targets += [moved.target] if moved is not None and moved.target is not None else []
        if moved is not None and moved.target is not None and moved.target.endswith(tail):
            new = moved.target[: -len(tail)]
            destinations[new] += 1
            moves.setdefault(new, []).append(event)
    if not events:
        is_known = place in history.events and place not in facts.ignored  # a submodule, or a link to a folder
        return fate_of(place, tree, history) if is_known else None
    if not files:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="nothing but a placeholder was in it")
    new, most = max(destinations.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    nearer = [one for one in destinations if one != new and _is_nearer(place, one, new)]
    parent = place.rpartition("/")[0]
    is_alone = bool(parent) and parent not in tree.dirs  # what it was in is gone as well: nothing will be put there
    is_worked_off = (_comes_and_goes(events) and not is_alone) or _is_used_up(place, history)
    if 2 * sources <= len(events) and is_worked_off:
        reason = "its files came and went one by one: it may be empty for now"
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
    if not nearer and (2 * most > len(events) or _left_together(moves.get(new, ()), events)):
        others = len(destinations) - 1
        found = Verdict(
            status=VerdictStatus.MOVED,
            target=new,
            reason=f"most of its files; others went to {others} more folder{'' if others == 1 else 's'}"
            if others
            else "",
            evidence=Evidence.FOLDER,
            commit=moves[new][0].commit,
            date=moves[new][0].date,
            origin=place,
        )
        return _put_away(found, place) if 2 * sources > len(events) else found
    newest = max(events, key=lambda event: (event.commit is None, event.date or "", event.commit or ""))
    gone = deleted(newest, Evidence.FILES)
    if not targets and posixpath.basename(place).lower() in MADE and 2 * sources <= len(events):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="its files were deleted, and it may be made again")
    home = _common_home(place, targets) if 2 * len(targets) > len(events) else None
    if home is not None:
        found = replace(gone, status=VerdictStatus.MOVED, target=home, reason="", evidence=Evidence.FOLDER)
        return replace(found, origin=place)
    if not destinations:
        return gone
    into = {posixpath.dirname(target) for target in targets}
    some = "its files" if 2 * len(targets) > len(events) else "some of its files"
    where = f"into {into.pop() or 'the top'}" if len(into) == 1 else "to several folders"
    return replace(gone, reason=f"{some} went {where}")


def _is_nearer(place: str, one: str, new: str) -> bool:
    """Return whether folder ``one`` is below what ``place`` was in, and ``new`` is not: part of it went to others."""
    parent = place.rpartition("/")[0]
    return bool(parent) and one.startswith(f"{parent}/") and not new.startswith(f"{parent}/")


def _common_home(place: str, targets: Sequence[str]) -> str | None:
    """Return the folder that all files of ``place`` went into, each to where it liked, or None.

    It has the name of that, or folders do that are one in the other: ``kiln/rack`` for ``kiln-rack``.
    """
    if len(targets) < 2:
        return None
    home = posixpath.commonpath([posixpath.dirname(target) for target in targets])
    name, parts = posixpath.basename(place), home.split("/")
    same = name.replace("_", "-") == "-".join(parts[-1 - name.replace("_", "-").count("-") :]) or name == parts[-1]
    return home if home != place and same else None


def _left_together(moves: Sequence[Event], events: Sequence[Event]) -> bool:
    """Return whether one commit, by its ``moves``, took most of what a folder still had by then to one other.

    ``events`` are of all files that ever left the folder.
    """
    commits = Counter(event.commit for event in moves)
    if not commits:
        return False
    commit, number = max(commits.items(), key=lambda one: (one[1], one[0] or ""))
    date = next(event.date or "" for event in moves if event.commit == commit)
    return number >= _TOGETHER and 2 * number > sum((event.date or "") >= date for event in events)


def only_former_folder(tail: str, history: History) -> str | None:
    """Return the one folder of history, of those that no file is in now, whose path ends in ``/tail``; or None."""
    wanted = f"/{tail}/"
    found = {path[: path.index(wanted)] for path in history.ordered if wanted in path}
    return f"{found.pop()}/{tail}" if len(found) == 1 else None


def _comes_and_goes(events: Sequence[Event]) -> bool:
    """Return whether the files of a folder left it in many commits, as work does that is done; not all at once.

    Not asked of folders of source code: what empties these is work on the code.
    """
    commits = Counter(event.commit for event in events)
    return len(events) >= _FEW and 2 * max(commits.values()) < len(events)


# What a piece of work leaves for a while, by its name: a lock, or a day.
_OF_WORK = regex(r"[-_]\w+\.lock$|\.(?:pid|tmp)$|(?:^|[-_])(?:19|20)\d\d-?[01]\d-?[0-3]\d(?=[-_.T])")


def _is_used_up(place: str, history: History) -> bool:
    """Return whether the last to leave a folder was one file alone, of a piece of work that was done."""
    left = [(history.events[path], path) for path in below(f"{place}/", history.ordered)]
    newest = max((event.date or "", event.commit or "") for event, _ in left)
    last = [path for event, path in left if (event.date or "", event.commit or "") == newest]
    names = [posixpath.basename(path) for path in last]
    return len(names) == 1 and _OF_WORK.search(names[0]) is not None


def below(prefix: str, ordered: Sequence[str]) -> Iterator[str]:
    """Yield the paths in ``ordered`` that start with ``prefix``."""
    for path in islice(ordered, bisect_left(ordered, prefix), None):
        if not path.startswith(prefix):
            return
        yield path


def deletion(event: Event) -> str:
    """Return the words for a path that ``event`` removed."""
    return "deleted" if event.commit else "deleted in the working tree, not committed yet"
