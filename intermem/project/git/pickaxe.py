"""Search history for the commits in which names left the code, newest first.

Blobs are read whole and compared here, so that a missing blob does no harm (a diff would
fail), in four processes however many names there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache

from intermem.core.code.file_types import is_code, is_data, is_made, is_test
from intermem.core.code.line_shapes import hands_on, rank, reads_environment
from intermem.core.code.name_search import best_shape
from intermem.core.code.rename_detection import is_doubtful, is_parameter, renamed, renamed_with_file
from intermem.core.code.touched_names import ShapeChanges, TouchedNames
from intermem.facts import Change, Occurrence, Shape, SymbolRemoval, Trace, Traced
from intermem.lazy_dataclass import dataclass
from intermem.project.git.ancestry import Ancestry
from intermem.project.git.answers import COMMIT_MARK
from intermem.project.git.cache import Cache
from intermem.project.git.file_versions import NO_BLOB, Blobs, FileChange, contents_of
from intermem.project.git.known_removals import KnownRemovals, Searched
from intermem.project.git.objects import Objects
from intermem.project.git.process import Git
from intermem.project.progress import Progress, counted

_REMOVALS = "removals"
_MAX_STARTS = 64  # of a search, with which it is remembered
_MAX_REMOVALS = 60  # of one name that are examined
_MAX_RENAMES = 3  # of one name in a row
_MAX_ADDED = 16  # files added by one commit that are searched for a new name


Locate = Callable[[frozenset[str]], Mapping[str, tuple[Occurrence, ...]]]


@dataclass(frozen=True, slots=True)
class Repository:
    """What a search needs: ``locate`` finds names in the code as it is now, ``cache`` has what was found before, and
    ``ancestry`` returns the commits."""

    head: str
    git: Git
    ancestry: Callable[[], Ancestry]
    objects: Objects
    locate: Locate
    cache: Cache
    progress: Progress

    def blobs(self, names: Iterable[str]) -> Iterable[tuple[str, bytes]]:
        """Return the contents of blobs that are there, and report how many of them were read."""
        wanted = list(names)
        return counted(self.objects.blobs(wanted), "searching the history", len(wanted), self.progress)


@dataclass(slots=True)
class _Commit:
    key: str
    date: str
    changes: list[FileChange] = field(default_factory=list)


def trace(repository: Repository, traces: frozenset[Trace]) -> dict[Trace, Traced]:
    """Return the removals of each trace: the commits after its start in which its name left a file."""
    search = _HistorySearch(repository)
    found = search.traced(traces)
    for _ in range(_MAX_RENAMES):
        lost = {one.renamed_to for traced in found.values() for one in traced.removals if one.target is None}
        again = frozenset(Trace(name=name) for name in lost if name is not None)
        if not again:
            break
        later = {one.name: traced for one, traced in search.traced(again).items()}
        found = {one: _followed(traced, later) for one, traced in found.items()}
    search.keep()
    return found


def trace_change(change: Change, names: frozenset[str], locate: Locate) -> dict[str, Traced]:
    """Return how names left the code in ``change``, as if that were one commit; it has neither id nor date."""
    contents: dict[str, bytes] = {}
    commit = _Commit("", "")
    for path, sides in sorted(change.files.items()):
        if is_made(path):
            continue
        keys = [f"{which}:{path}" if side is not None else "0" for which, side in zip("ab", sides, strict=True)]
        contents |= {key: side for key, side in zip(keys, sides, strict=True) if side is not None}
        commit.changes.append(FileChange(path, *keys))

    def blobs(wanted: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return ((key, contents[key]) for key in wanted if key in contents)

    search = _searched(blobs, frozenset(), [commit], names, by_file=True)
    drafts = _removals(blobs, _departures([commit], search.touched, frozenset()))
    removals = _settled(drafts, locate)
    return {name: Traced(removals=removals.get(name, ())) for name in names}


class _HistorySearch:
    """The search of the history of one commit: of each commit only for the names that it was not searched for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known = repository.cache.load(_REMOVALS, KnownRemovals.from_json) or KnownRemovals()
        self._unkept: dict[str, Sequence[SymbolRemoval]] = {}

    def keep(self) -> None:
        """Save what was found for the next run; not of a shallow clone, which may have more of its history by then."""
        if self._known.has_learnt and not self._repository.git.is_shallow:
            self._repository.cache.save(_REMOVALS, self._known.to_json())

    @cached_property
    def _line(self) -> Ancestry:
        return self._repository.ancestry()

    def traced(self, traces: frozenset[Trace]) -> dict[Trace, Traced]:
        """Return the removals of each trace, newest first."""
        if not traces:
            return {}
        starts = {one.since for one in traces}
        after = {since: self._line.after(since) for since in starts}
        window = self._line.searchable
        wanted = [key for key in window if any(key in found for found in after.values())]
        unread = self._search(sorted({one.name for one in traces}), wanted, self._searched_as(starts))
        removals = {name: self._removals_of(name) for name in sorted({one.name for one in traces})}
        settled = _settled(removals, self._repository.locate)
        found: dict[Trace, Traced] = {}
        for one in sorted(traces, key=lambda one: (one.name, one.since or "")):
            mine = after[one.since]
            seen = tuple(removal for removal in settled.get(one.name, ()) if removal.commit in mine)
            is_searched = mine.isdisjoint(unread[one.name]) and len(mine) <= len(window)
            found[one] = Traced(
                removals=seen, whole=not self._repository.git.is_shallow and (bool(seen) or is_searched)
            )
        return found

    def _searched_as(self, starts: Collection[str | None]) -> Searched:
        """Return the search from all ``starts`` to HEAD, of no name yet."""
        known = {since for since in starts if since is not None and self._line.has(since)}
        return Searched(self._repository.head, tuple(sorted(known)) if len(known) == len(starts) else (), frozenset())

    def _search(self, names: Sequence[str], wanted: Sequence[str], search: Searched) -> dict[str, frozenset[str]]:
        """Search the commits ``wanted`` for ``names``; return those that could not be read, for each name."""
        groups: dict[tuple[Searched, ...], list[str]] = {}
        for name in names:
            groups.setdefault(self._searches_of(name), []).append(name)
        unread: dict[str, frozenset[str]] = {}
        for searches, group in groups.items():
            before = self._line.searched(searches)
            commits = _changes(self._repository, [key for key in wanted if key not in before])
            read, absent = self._repository.blobs, self._repository.objects.absent
            by_file = not self._repository.git.is_partial  # where git ends at the first blob that is absent
            history = _searched(read, absent, commits, frozenset(group), by_file=by_file)
            incomplete = history.incomplete
            removals = _removals(read, _departures(commits, history.touched, absent))
            unread |= dict.fromkeys(group, incomplete)
            is_kept = len(search.since) <= _MAX_STARTS
            cut = {name for name in group if len(removals.get(name, ())) >= _MAX_REMOVALS}
            whole = {name for name in group if is_kept and not (name in cut and (incomplete or search.since))}
            certain = {name: [one for one in removals.get(name, ()) if one.commit not in incomplete] for name in whole}
            self._known.learn(certain, replace(search, without=incomplete), cut & whole)
            self._unkept |= {
                name: [one for one in found if one not in certain.get(name, ())] for name, found in removals.items()
            }
        return unread

    def _searches_of(self, name: str) -> tuple[Searched, ...]:
        """Return the searches for ``name`` that need not be made again.

        Where only the newest removals are known, they are the newest ones still only if all commits since are newer.
        """
        found = self._known.searches_of(name)
        return tuple(one for one in found if not self._known.is_cut(name, one) or self._line.continues(one.head))

    def _removals_of(self, name: str) -> Sequence[SymbolRemoval]:
        found = dict.fromkeys((*self._known.removals_of(name), *self._unkept.get(name, ())))
        mine = (one for one in found if one.commit in self._line.places)
        return sorted(mine, key=lambda one: self._line.places[one.commit])[:_MAX_REMOVALS]


def _followed(traced: Traced, later: Mapping[str, Traced]) -> Traced:
    """Return ``traced`` with names that were renamed again followed one rename further."""
    removals: list[SymbolRemoval] = []
    for one in traced.removals:
        known = later.get(one.renamed_to or "", Traced()).removals if one.target is None else ()
        following = next((step for step in known if step.renamed_to is not None), None)
        if following is not None:
            one = replace(one, renamed_to=following.renamed_to, target=following.target)
        removals.append(one)
    return replace(traced, removals=tuple(removals))


def _changes(repository: Repository, keys: Sequence[str]) -> list[_Commit]:
    """Return what each commit changed in the repository's own code.

    Merges show no changes of their own, and a root commit removes nothing.
    """
    if not keys:
        return []
    shown = ["-r", "--raw", "--no-renames", "--no-abbrev", "-z", f"--format={COMMIT_MARK}%H %cs"]
    out = repository.git.run(
        ["diff-tree", "--stdin", *shown], stdin="".join(f"{key}\n" for key in keys).encode("ascii")
    )
    commits = []
    for commit in _parsed(out):
        commit.changes = [change for change in commit.changes if is_code(change.path) and not is_made(change.path)]
        if commit.changes:
            commits.append(commit)
    return commits


def _path_of(change: FileChange) -> str:
    return change.path


def _parsed(out: bytes) -> Iterator[_Commit]:
    commit: _Commit | None = None
    fields = iter(out.split(b"\0"))
    for raw in fields:
        text = raw.decode("utf-8", "surrogateescape").lstrip("\n")
        if text.startswith(COMMIT_MARK):
            if commit is not None:
                yield commit
            key, _, date = text[1:].strip().partition(" ")
            commit = _Commit(key, date)
        elif text.startswith(":") and commit is not None:
            modes = text[1:].split(" ")
            path = next(fields).decode("utf-8", "surrogateescape")
            if "160000" not in modes[:2] and "120000" not in modes[:2]:
                commit.changes.append(FileChange(path, modes[2], modes[3]))
    if commit is not None:
        yield commit


@dataclass(frozen=True, slots=True)
class _Search:
    """What the changes of some commits ``touched``, and the commits of which something relevant could not be read."""

    touched: Mapping[FileChange, ShapeChanges]
    incomplete: frozenset[str]


def _searched(
    blobs: Blobs, absent: Collection[str], commits: Sequence[_Commit], names: frozenset[str], *, by_file: bool
) -> _Search:
    """Return where ``commits`` touched ``names``; of those in which none was lost, not what they added.

    Read ``by_file``, each version of one is read once; else the newest first.
    """
    search = TouchedNames(names)
    touched: dict[FileChange, ShapeChanges] = {}

    def look(changes: Iterable[FileChange]) -> None:
        distinct = list(dict.fromkeys(changes))
        for change, old, new in contents_of(blobs, sorted(distinct, key=_path_of) if by_file else distinct):
            found = search.between(change.path, old, new)
            if found.before or found.after:
                touched[change] = found

    look(change for commit in commits for change in commit.changes if not change.adds)
    losing = [commit for commit in commits if any(touched[one].before for one in commit.changes if one in touched)]
    look(change for commit in losing for change in commit.changes if change.adds)
    incomplete = {commit.key for commit in commits if any(change.old in absent for change in commit.changes)}
    incomplete |= {commit.key for commit in losing if any(change.new in absent for change in commit.changes)}
    return _Search(touched, frozenset(incomplete))


@dataclass(frozen=True, slots=True)
class _Departure:
    """A commit in which a name left a file, and the files it added."""

    commit: _Commit
    change: FileChange
    added: tuple[FileChange, ...]


def _departures(
    commits: Sequence[_Commit], touched: Mapping[FileChange, ShapeChanges], absent: Collection[str]
) -> dict[str, list[_Departure]]:
    """Return where each name left a file, or its definition did, and entered no other file; newest first.

    What a file has become whose new blob is ``absent`` nobody knows.
    """
    gone: dict[str, list[_Departure]] = {}
    for commit in commits:
        arrived: dict[str, int] = {}
        changes = [(change, touched[change]) for change in commit.changes if change in touched]
        for _, found in changes:
            for name, shape in found.after.items():
                if name not in found.before or rank(shape) < rank(found.before[name]):
                    arrived[name] = min(rank(shape), arrived.get(name, rank(shape)))
        added = tuple(change for change in commit.changes if change.adds)
        for change, found in changes:
            if change.new in absent:
                continue
            now = found.after
            for name, shape in sorted(found.before.items()):
                left = name not in now or (shape is Shape.DEFINITION and rank(now[name]) > rank(Shape.FIELD))
                known = gone.setdefault(name, [])
                if left and arrived.get(name, len(Shape)) > rank(shape) and len(known) < _MAX_REMOVALS:
                    known.append(_Departure(commit, change, added))
    return gone


def _removals(read: Blobs, gone: Mapping[str, Sequence[_Departure]]) -> dict[str, list[SymbolRemoval]]:
    """Return each departure as a removal, whose target is the file of that commit with the new name."""
    blobs: dict[str, None] = {}
    for departures in gone.values():
        for one in departures:
            blobs |= {one.change.old: None, one.change.new: None}
            blobs |= {change.new: None for change in _beside(one)}
    contents = dict(read(blob for blob in blobs if not NO_BLOB.match(blob)))
    return {name: [_removal(name, one, contents) for one in departures] for name, departures in gone.items()}


def _settled(drafts: Mapping[str, Sequence[SymbolRemoval]], locate: Locate) -> dict[str, tuple[SymbolRemoval, ...]]:
    """Return the removals with the current place of each new name as target."""
    new = frozenset(one.renamed_to for found in drafts.values() for one in found if one.renamed_to is not None)
    places = locate(new) if new else {}
    return {name: tuple(_placed(one, places) for one in found) for name, found in drafts.items()}


def _beside(departure: _Departure) -> list[FileChange]:
    """Return the files of the same extension that the commit added, the same folder's first: the name may be there."""
    folder, _, name = departure.change.path.rpartition("/")
    alike = [one for one in departure.added if one.path.endswith(f".{name.rpartition('.')[2]}")]
    return sorted(alike, key=lambda one: one.path.rpartition("/")[0] != folder)[:_MAX_ADDED]


def _removal(name: str, departure: _Departure, contents: Mapping[str, bytes]) -> SymbolRemoval:
    old = contents.get(departure.change.old, b"")
    shape = best_shape(name, departure.change.path, old) or Shape.USE
    lines = _lines(old)
    changes = [change for change in (departure.change, *_beside(departure)) if change.new in contents]
    after = {change.path: _lines(contents[change.new]) for change in changes}
    found = ((renamed(name, lines, new), path) for path, new in after.items())
    moved_to, target = next((one for one in found if one[0] is not None), (None, ""))
    is_renamed = moved_to is not None
    if moved_to is not None and is_doubtful(name, moved_to, (departure.change.path, lines), (target, after)):
        moved_to = None
    if moved_to is None and shape is Shape.DEFINITION:
        moved_to, target = renamed_with_file(name, departure.change.path, lines, after)
    # A parameter, and a key of data, prove something where they have another name now.
    if is_renamed and shape is Shape.USE and any(is_parameter(name, line) for line in lines if name in line):
        shape = Shape.FIELD
    is_key = shape is Shape.FIELD and is_renamed
    if shape in (Shape.DEFINITION, Shape.FIELD, Shape.IMPORT) and is_data(departure.change.path) and not is_key:
        shape = Shape.USE
    if shape is Shape.DEFINITION and hands_on(set(after.get(departure.change.path, ())).difference(lines)):
        shape = Shape.COMMENT  # it is handed on, and nothing shows that it left
    if shape is Shape.USE and any(reads_environment(line, name) for line in lines if name in line):
        shape = Shape.READ
    return SymbolRemoval(
        commit=departure.commit.key,
        date=departure.commit.date,
        path=departure.change.path,
        shape=shape,
        renamed_to=moved_to,
        target=target if moved_to is not None else None,
    )


@lru_cache(maxsize=64)
def _lines(content: bytes) -> tuple[str, ...]:
    return tuple(content.decode("utf-8", "replace").split("\n"))


def _placed(removal: SymbolRemoval, places: Mapping[str, tuple[Occurrence, ...]]) -> SymbolRemoval:
    """Return the removal with the current place of its new name as target, None where there is none."""
    if removal.renamed_to is None:
        return removal
    found = [place for place in places.get(removal.renamed_to, ()) if place.shape is not Shape.COMMENT]
    if not is_test(removal.path):  # where a test has the new name, nobody is to look for what had the old one
        found = [place for place in found if not is_test(place.path)]
    defined = [place for place in found if place.shape is Shape.DEFINITION]
    found = defined or found
    near = [place for place in found if place.path == removal.target]
    place = next(iter(near or found), None)
    if place is None:
        return replace(removal, target=None)
    return replace(removal, target=f"{place.path}:{place.line}")
