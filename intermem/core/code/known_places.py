"""Where names occur in versions of files, remembered: a version that was searched is not read again.

Names are remembered by a digest: a private note may cite one that is in no repository.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Any

from intermem.core.code.file_types import is_manifest, is_test
from intermem.core.code.name_search import MAX_PLACES, Search, searched_as
from intermem.facts import Occurrence, Shape
from intermem.lazy_dataclass import dataclass

_MAX_NAMES = 20_000  # that are remembered; with more, all but those of the run are forgotten
_SHAPES = tuple(Shape)  # by rank

Read = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]  # contents of paths, in their order, without unreadable
IdOf = Callable[[bytes], str]  # the version that a content is
SizeOf = Callable[[str], int | None]  # the size of a file on disk; None where the version is what is read

_Row = tuple[str, int, int]  # of a file without any name that was searched for: its version, size, and set of names
_Hits = dict[int, tuple[int, int, bool]]  # line, shape, and whether it is a mention, by the number of the name
_Place = tuple[int, bool, bool, str, int]  # shape, whether a mention, whether in a test, path, line: the best first


@dataclass(slots=True)
class _File:
    """What is known of one version: the names that it was searched for, as bits, and where they are.

    ``hits`` are as found when it was asked whether they are mentions, then when it was not (see ``Search.places``).
    """

    version: str
    size: int = 0
    searched: int = 0
    hits: tuple[_Hits, _Hits] = field(default_factory=lambda: ({}, {}))


class KnownPlaces:
    """The places of names in files, of which each version is searched once for each name.

    Nearly all files have none of the names, so these are kept as rows, and passed over.
    """

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._files: dict[str, _File] = {}
        self._without: dict[str, _Row] = {}
        self._sets: list[int] = []  # of names, as bits: what files were searched for
        self._numbers_of_sets: dict[int, int] = {}
        self.has_learnt = False
        self.is_told = True  # whether the last search met only versions that are known now

    def all_places(
        self,
        names: Iterable[str],
        versions: Mapping[str, str],
        read: Read,
        id_of: IdOf,
        size_of: SizeOf = lambda _path: None,
    ) -> dict[str, tuple[Occurrence, ...]]:
        """Return the occurrences of ``names``, as ``Search.all_places`` does for the files in their order by path.

        ``versions`` are the ids of the contents of all files, empty where only reading a file would tell. What ``read``
        gives for a path is remembered as the version ``id_of`` it, and holds unread for a file of that version and
        size: filters may make another one of it.
        """
        numbers = self._numbers(names)
        asked = _Asked(numbers)
        paths = list(self._with_any(asked.bits, versions, size_of))
        unknown = [path for path in paths if asked.bits & ~self._of(path, versions[path], size_of).searched]
        contents = _InTurn(read(unknown) if unknown else ())
        found: dict[int, list[_Place]] = {}
        self.is_told = True
        for path in paths:
            file, content = self._of(path, versions[path], size_of), contents.of(path)
            if asked.wanted(file):
                content = content if content is not None else next((one for _, one in read([path])), None)
                if content is None:
                    self.is_told = False
                    continue  # it cannot be read
                version = id_of(content)
                if version != file.version:
                    self.is_told = False
                    file = self._of(path, version, lambda _path: None)
                if wanted := asked.wanted(file):
                    file.size = len(content)
                    asked.learn(file, path, content, wanted)
                    self._remember(path, file)
            asked.collect(file, path, found)
        return {
            name.removesuffix("()"): tuple(_kept(found[number])) for number, name in numbers.items() if number in found
        }

    def _with_any(self, bits: int, versions: Mapping[str, str], size_of: SizeOf) -> Iterator[str]:
        """Yield the paths in order, without those of files that were searched for all of ``bits`` and have none."""
        covers = [not bits & ~searched for searched in self._sets]
        rows, others = self._without, self._files
        for path in sorted(versions):
            row = rows.get(path)
            if (
                row is None
                or path in others
                or row[0] != versions[path]
                or not covers[row[2]]
                or size_of(path) not in (None, row[1])
            ):
                yield path

    def _of(self, path: str, version: str, size_of: SizeOf) -> _File:
        file = self._files.get(path)
        if file is None and path in self._without:
            found, size, number = self._without[path]
            file = _File(found, size, self._sets[number])
        if file is None or not version or file.version != version or size_of(path) not in (None, file.size):
            return _File(version)
        return file

    def _remember(self, path: str, file: _File) -> None:
        self.has_learnt = True
        if any(file.hits):
            self._files[path] = file
            self._without.pop(path, None)
        else:
            number = self._numbers_of_sets.setdefault(file.searched, len(self._sets))
            if number == len(self._sets):
                self._sets.append(file.searched)
            self._without[path] = (file.version, file.size, number)
            self._files.pop(path, None)

    def _numbers(self, names: Iterable[str]) -> dict[int, str]:
        """Return ``names`` as they are searched for, by their numbers."""
        wanted = searched_as(names)
        if len(self._names) + len(wanted) > _MAX_NAMES:
            self._names, self._files, self._without = {}, {}, {}
        return {self._names.setdefault(digest_of(name), len(self._names)): name for name in wanted}

    def keep(self, paths: Container[str]) -> None:
        """Forget all files but ``paths``."""
        self._files = {path: file for path, file in self._files.items() if path in paths}
        self._without = {path: row for path, row in self._without.items() if path in paths}

    def to_json(self) -> dict[str, Any]:
        """Return what is known as a value for JSON: the rows by columns, as there may be 100,000."""
        used = sorted({number for _, _, number in self._without.values()})
        renumbered = {number: at for at, number in enumerate(used)}
        columns = zip(*self._without.values(), strict=True)
        versions, sizes, numbers = columns if self._without else ((), (), ())
        sets = {self._sets[number]: at for number, at in renumbered.items()}
        files = {
            path: [
                file.version,
                file.size,
                sets.setdefault(file.searched, len(sets)),
                *([each for number, hit in hits.items() for each in (number, *hit)] for hits in file.hits),
            ]
            for path, file in self._files.items()
        }
        return {
            "names": list(self._names),
            "sets": [f"{searched:x}" for searched in sets],
            "files": files,
            "without": ["\0".join(self._without), versions, sizes, [renumbered[number] for number in numbers]],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> KnownPlaces:
        """Return what ``to_json`` gave. Raises LookupError, TypeError or ValueError for anything else."""
        known = cls()
        known._names = {name: number for number, name in enumerate(value["names"])}
        known._sets = [int(one, 16) for one in value["sets"]]
        known._numbers_of_sets = {searched: number for number, searched in enumerate(known._sets)}
        for path, (version, size, number, *hits) in value["files"].items():
            first, second = (
                {flat[at]: (flat[at + 1], flat[at + 2], bool(flat[at + 3])) for at in range(0, len(flat), 4)}
                for flat in hits
            )
            known._files[path] = _File(version, size, known._sets[number], (first, second))
        paths, versions, sizes, numbers = value["without"]
        if versions:
            rows = zip(versions, sizes, numbers, strict=True)
            known._without = dict(zip(str.split(paths, "\0"), rows, strict=True))
            if not 0 <= min(numbers) <= max(numbers) < len(known._sets):
                raise ValueError("a set of names that is not there")
        return known


def digest_of(name: str) -> str:
    """Return what stands for a name that may be of a private note."""
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


class _Asked:
    """The names of one search, by their numbers; and which of them were met outside comments and strings."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names
        self._by_name = {name.removesuffix("()"): number for number, name in names.items()}
        self.bits = _bits(names)
        self._searches: dict[int, Search] = {}
        self._proved: set[int] = set()
        self._proved_names: set[str] = set()

    def learn(self, file: _File, path: str, content: bytes, bits: int) -> None:
        """Search ``content`` for the names ``bits``."""
        if bits not in self._searches:
            self._searches[bits] = Search(name for number, name in self._names.items() if bits >> number & 1)
        for name, place in self._searches[bits].places(path, content, self._proved_names).items():
            number = self._by_name[name]
            file.hits[number in self._proved][number] = (place.line, _SHAPES.index(place.shape), place.mention)
        file.searched |= bits

    def wanted(self, file: _File) -> int:
        """Return the names for which ``file`` is to be searched."""
        return self.bits & ~file.searched | self._found_otherwise(file)

    def _found_otherwise(self, file: _File) -> int:
        """Return the names in ``file`` of which another search did, or did not, ask whether they are mentions."""
        asked, unasked = file.hits
        return _bits(number for number in unasked if self._lacks(number, asked, proved=False)) | _bits(
            number for number in asked if self._lacks(number, unasked, proved=True)
        )

    def _lacks(self, number: int, hits: _Hits, *, proved: bool) -> bool:
        return number not in hits and number in self._names and (number in self._proved) == proved

    def collect(self, file: _File, path: str, found: dict[int, list[_Place]]) -> None:
        """Add the places in ``file`` to ``found``."""
        in_test = is_test(path) if any(file.hits) else False
        proved: list[int] = []
        for mode, hits in enumerate(file.hits):
            for number, (line, shape, mention) in hits.items():
                if number in self._names and (number in self._proved) == mode:
                    found.setdefault(number, []).append((shape, mention, in_test, path, line))
                    if not mention and _SHAPES[shape] is not Shape.COMMENT:
                        proved.append(number)
        self._proved.update(proved)
        self._proved_names.update(self._names[number].removesuffix("()") for number in proved)


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


class _InTurn:
    """Contents in the order of their paths; those that cannot be read are left out."""

    def __init__(self, contents: Iterable[tuple[str, bytes]]) -> None:
        self._contents = iter(contents)
        self._next = next(self._contents, None)

    def of(self, path: str) -> bytes | None:
        if self._next is None or self._next[0] != path:
            return None
        content = self._next[1]
        self._next = next(self._contents, None)
        return content


def _kept(places: list[_Place]) -> Iterator[Occurrence]:
    """Yield the best places, and all in manifests, in the order of ``Search.all_places``."""
    for number, (shape, mention, _, path, line) in enumerate(sorted(places)):
        if number < MAX_PLACES or is_manifest(path):
            yield Occurrence(path=path, line=line, shape=_SHAPES[shape], mention=mention)
