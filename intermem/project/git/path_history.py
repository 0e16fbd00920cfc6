"""Read from git's log what became of paths: deleted, renamed, or only on another branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from intermem.core.code.file_types import is_code, is_source, is_telling, is_telling_page
from intermem.facts import Event, History, PathHistory, SeenBy
from intermem.lazy_dataclass import dataclass
from intermem.project.git.answers import COMMIT_MARK, fields_of
from intermem.project.git.cache import Cache
from intermem.project.git.listing import Listing
from intermem.project.git.process import Git

_PATHS, _OTHERS = "paths", "branches"
_RAW = ["--raw", "--no-abbrev", "-z"]
_LOG = ["log", "--topo-order", *_RAW, "--diff-filter=DRA", f"--format={COMMIT_MARK}%H %cs"]
_CHANGES = ["diff-tree", "--stdin", "-r", *_LOG[2:]]
_MAX_GAPS = 32  # commits with missing contents that are passed over
_OTHER_BRANCHES = ["log", "--no-renames", "--diff-filter=A", "--name-only", "--format=", "-z"]
_BRANCHES = ["for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes"]
_MAX_ELSEWHERE = 20_000  # paths of other branches that are kept
# Against the index: a diff of the files themselves would run filters, and git in submodules.
_STAGED = ["diff", "--cached", "--ignore-submodules=all", *_RAW, "--diff-filter=DR"]
_MANY, _TIMES = 100, 4  # source files that a commit deletes, where it splits a repository off
_RISEN = 3  # files that it moves to the top
_BLOB = 12  # digits of the id of a blob that are kept


@dataclass(frozen=True)
class HistoryReader:
    """Reads the history of the paths that are not in the tree, after the commit ``since`` if there is one.

    What it has read of a complete clone is kept in ``cache``, and extended where HEAD has moved.
    """

    git: Git
    listing: Listing
    cache: Cache
    since: str | None = None

    def history(self) -> History:
        """Return what became of paths, in commits and in the working tree."""
        if self.git.head is None:
            return History()
        past = self._past(self.git.head, self._known)
        if past is None:
            return History(complete=False)
        events = dict(past.events)
        elsewhere: frozenset[str] = frozenset()
        if self.git.is_on_disk:
            elsewhere = self._paths_of_other_branches(self.git.head)
            staged = self._staged()
            events |= events_of(fields_of(staged))[0]
            events |= {path: Event(commit=None, date=None) for path in self.listing.deleted if path not in events}
        # What an incomplete clone lacks today it may have tomorrow: nothing to keep.
        if self._is_kept and past != self._known:
            self.cache.save(_PATHS, _to_json(past))
        found = history_of(with_copies(events, self.listing.versions), elsewhere, complete=not self.git.is_shallow)
        return replace(found, splits=_splits_in(events, len(self.listing.versions)))

    @property
    def _is_kept(self) -> bool:
        return self.git.is_complete and self.since is None

    @cached_property
    def _known(self) -> PathHistory | None:
        """What an earlier run read."""
        return self.cache.load(_PATHS, _from_json) if self._is_kept else None

    def prefetch(self) -> None:
        """Prefetch what ``history`` needs: it takes as long as reading the code."""
        if self.git.head is None:
            return
        if self._known is None:
            self.git.prefetch(_renaming(_LOG, ["--end-of-options", self._range(self.git.head), "--"]))
        if self.git.is_on_disk:
            self.git.prefetch(_BRANCHES if self._kept_branches is not None else _of_other_branches(self.git.head))
            self.git.prefetch(_renaming(_STAGED, ["HEAD", "--"]))

    def _past(self, head: str, known: PathHistory | None) -> PathHistory | None:
        """Return the history of the commits behind ``head``, continuing ``known`` where possible."""
        if known is not None and known.head == head:
            return known
        extends = known is not None and self._all_descend(head, known.head)
        range_ = f"{known.head}..{head}" if known is not None and extends else self._range(head)
        fields = self._log(range_)
        if fields is None:
            return None
        events, met = events_of(iter(fields))
        if known is not None and extends:
            events = {path: event for path, event in known.events.items() if path not in met} | events
        return PathHistory(head=head, events=events)

    def _range(self, head: str) -> str:
        return head if self.since is None else f"{self.since}..{head}"

    def _all_descend(self, head: str, known: str) -> bool:
        """True where every commit since ``known`` descends from it: then ``known`` covers all that came before."""
        counts: list[bytes] = []
        for option in ([], ["--ancestry-path"]):
            code, out = self.git.try_(["rev-list", "--count", *option, f"{known}..{head}"])
            if code != 0:
                return False
            counts.append(out.strip())
        return counts[0] == counts[1] != b"0"

    def _paths_of_other_branches(self, head: str) -> frozenset[str]:
        """Return the paths added only on other branches: a note may well be about one."""
        branches = self.git.try_(_BRANCHES)[1].decode("ascii", "replace") if self._is_kept else None
        if self._kept_branches is not None and self._kept_branches[:2] == (head, branches):
            return self._kept_branches[2]
        code, out = self.git.try_(_of_other_branches(head))
        found = frozenset(field.lstrip("\n") for field in fields_of(out)) if code == 0 else frozenset()
        if branches is not None and code == 0 and len(found) <= _MAX_ELSEWHERE:
            self.cache.save(_OTHERS, [head, branches, sorted(found)])
        return found

    @cached_property
    def _kept_branches(self) -> tuple[str, str, frozenset[str]] | None:
        """HEAD, the branches, and the paths added only on others, as an earlier run found them."""
        return self.cache.load(_OTHERS, _branches_of) if self._is_kept else None

    def _staged(self) -> bytes:
        """Return what is renamed and deleted in the index; only exact renames where contents are missing."""
        for similarity in ("-M", "-M100%"):
            code, out = self.git.try_(_renaming(_STAGED, ["HEAD", "--"], similarity))
            if code == 0:
                return out
        return b""

    def _log(self, range_: str) -> list[str] | None:
        """Return the fields of the log of a range, None where it cannot be read.

        git gives up where a content is missing (a partial clone): then renames are looked for commit by commit.
        """
        ending = ["--end-of-options", range_, "--"]
        code, out = self.git.try_(_renaming(_LOG, ending))
        if code != 0:
            code, out = self.git.try_(_renaming(_LOG, ending, "-M100%"))
            return self._with_renames(list(fields_of(out))) if code == 0 else None
        return list(fields_of(out))

    def _with_renames(self, fields: Sequence[str]) -> list[str]:
        """Return the fields of the log with the renames of each commit whose contents are there."""
        commits = _by_commit(fields)
        waiting = [key for key, changes in commits.items() if {"A", "D"} <= {_letter(change[0]) for change in changes}]
        for _ in range(_MAX_GAPS):
            if not waiting:
                break
            asked = "".join(f"{key[1:41]}\n" for key in waiting).encode("ascii")
            code, out = self.git.try_(_renaming(_CHANGES, []), asked)
            known = _by_commit(list(fields_of(out)))
            commits |= known
            # It stopped at the first commit that lacks a content.
            waiting = [key for key in waiting if key not in known][1:] if code != 0 else []
        return [part for key, changes in commits.items() for part in (key, *(one for two in changes for one in two))]


def _by_commit(fields: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    """Return the changes (a status and its paths) of each commit, by its line in the log, in order."""
    commits: dict[str, list[tuple[str, ...]]] = {}
    rest = iter(fields)
    changes: list[tuple[str, ...]] = []
    for field in rest:
        status = field.lstrip("\n")
        if status.startswith(COMMIT_MARK):
            changes = commits.setdefault(status.strip(), [])
        elif status:
            changes.append((status, *(next(rest, "") for _ in range(2 if _letter(status) == "R" else 1))))
    return commits


def events_of(fields: Iterator[str]) -> tuple[dict[str, Event], set[str]]:
    """Return the newest event of each path, and every path in the log, which runs from new to old.

    A path whose newest change added it has no event: if it is not in the tree, a merge took it
    out. Events without a commit are those of the working tree.
    """
    events: dict[str, Event] = {}
    met: set[str] = set()
    again: dict[str, Event | None] = {}  # added after it was gone, and how it had gone
    names = _Names()
    commit = date = None
    for field in fields:
        status = field.lstrip("\n")
        if status.startswith(COMMIT_MARK):
            names.settle(events)
            commit, _, date = status[1:].strip().partition(" ")
        elif _letter(status) == "R":
            old, new = next(fields), next(fields)
            gone = again.get(new)
            met.add(new)
            if old not in met:
                met.add(old)
                events[old] = gone or Event(commit=commit, date=date, renamed_to=new)
        elif status:
            path, letter = next(fields), _letter(status)
            if letter == "A":
                names.added.setdefault(path.rpartition("/")[2], []).append(path)
            if path not in met:
                met.add(path)
                if letter == "D":
                    events[path] = Event(commit=commit, date=date, blob=status.split(" ")[2][:_BLOB])
                    names.deleted.setdefault(path.rpartition("/")[2], []).append(path)
                else:
                    again[path] = None
            elif letter == "D" and path in again:
                again[path] = again[path] or Event(commit=commit, date=date, blob=status.split(" ")[2][:_BLOB])
    names.settle(events)
    return events, met


def _letter(status: str) -> str:
    """Return what a change is (``A``, ``D``, ``R``), by its first field: modes, ids and a letter with a figure."""
    return status[status.rfind(" ") + 1 :][:1]


def with_copies(events: Mapping[str, Event], versions: Mapping[str, str]) -> dict[str, Event]:
    """Return ``events``, with the one path of the tree that has the very contents of a file that was deleted.

    ``versions`` are the ids of the files of the tree. Nothing is said of names that any file may have: licences and
    settings are alike in many places.
    """
    asked = {event.blob for event in events.values() if event.blob and event.renamed_to is None}
    places: dict[str, list[str]] = {}
    for path, key in versions.items():
        if key[:_BLOB] in asked:
            places.setdefault(key[:_BLOB], []).append(path)
    found = dict(events)
    for path, event in events.items():
        same = places.get(event.blob, ()) if event.renamed_to is None else ()
        name = path.rpartition("/")[2]
        if len(same) == 1 and (is_telling(name) or is_telling_page(name)):
            found[path] = replace(event, renamed_to=same[0], seen_by=SeenBy.CONTENTS)
    return found


class _Names:
    """What one commit deleted and added, by name: where a telling name left one folder for one other.

    That is a move, even if too little of the contents went along for git to call it one, and if capitals changed.
    """

    def __init__(self) -> None:
        self.deleted: dict[str, list[str]] = {}
        self.added: dict[str, list[str]] = {}

    def settle(self, events: dict[str, Event]) -> None:
        """Complete the events of the commit, and begin with another one."""
        self._pair(events, self.deleted, self.added)
        deleted, added = (_by_small_letters(names) for names in (self.deleted, self.added))
        self._pair(events, deleted, added)
        self.deleted, self.added = {}, {}

    def _pair(self, events: dict[str, Event], deleted: Mapping[str, list[str]], added: Mapping[str, list[str]]) -> None:
        for name, paths in list(deleted.items()):
            places = added.get(name, ())
            if len(paths) == len(places) == 1 and is_telling(paths[0].rpartition("/")[2]):
                events[paths[0]] = replace(events[paths[0]], renamed_to=places[0], seen_by=SeenBy.NAME)
                self.deleted.pop(name, None)
                self.added.pop(name, None)


def _by_small_letters(names: Mapping[str, list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, paths in names.items():
        found.setdefault(name.casefold(), []).extend(paths)
    return found


def _to_json(past: PathHistory) -> dict[str, Any]:
    events = {
        path: [event.commit, event.date, event.renamed_to, event.seen_by, event.blob]
        for path, event in past.events.items()
    }
    return {"head": past.head, "events": events}


def _from_json(value: dict[str, Any]) -> PathHistory:
    events = {
        path: Event(commit=commit, date=date, renamed_to=renamed_to, seen_by=SeenBy(seen_by), blob=blob)
        for path, (commit, date, renamed_to, seen_by, blob) in value["events"].items()
    }
    return PathHistory(head=value["head"], events=events)


def history_of(events: Mapping[str, Event], elsewhere: frozenset[str], *, complete: bool) -> History:
    """Return the history made of ``events``, indexed by name."""
    ordered = tuple(sorted(events))
    by_name: dict[str, list[str]] = {}
    for path in ordered:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    names = {name: tuple(found) for name, found in by_name.items()}
    by_stem: dict[str, list[str]] = {}
    for name, found in by_name.items():
        stem = name.partition(".")[0]
        if stem and stem != name and is_code(name):
            by_stem.setdefault(stem, []).extend(found)
    stems = {stem: tuple(sorted(found)) for stem, found in by_stem.items()}
    return History(
        events=events,
        by_name=names,
        by_stem=stems,
        ordered=ordered,
        elsewhere=elsewhere,
        complete=complete,
    )


def _splits_in(events: Mapping[str, Event], files: int) -> frozenset[str]:
    """Return the commits by which one folder became the repository: what was in it moved to the top, the rest is gone.

    That is several times as many source files as there are ``files`` now.
    """
    gone = Counter(event.commit for path, event in events.items() if event.renamed_to is None and is_source(path))
    many = {commit for commit, count in gone.items() if commit and count > max(_MANY, _TIMES * files)}
    moves = [(event.commit, path, event.renamed_to or "/") for path, event in events.items() if event.commit in many]
    risen = Counter(commit for commit, path, place in moves if path.endswith(f"/{place}"))
    return frozenset(commit for commit in many if commit is not None and risen[commit] >= _RISEN)


def _renaming(arguments: Sequence[str], ending: Sequence[str], similarity: str = "-M") -> list[str]:
    return [*arguments, similarity, "--no-rename-empty", *ending]


def _branches_of(kept: Any) -> tuple[str, str, frozenset[str]]:
    head, branches, paths = kept
    return str(head), str(branches), frozenset(map(str, paths))


def _of_other_branches(head: str) -> list[str]:
    return [*_OTHER_BRANCHES, "--branches", "--remotes", "--not", head, "--"]
