"""The code of a working tree or a revision: its contents, where names occur, what differs from another."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from intermem.core.code.file_types import LARGEST_SEARCHED, is_code
from intermem.core.code.known_places import KnownPlaces
from intermem.core.code.known_searches import KnownSearches, key_of
from intermem.core.code.name_search import Search, united_places
from intermem.facts import Change, Occurrence, Tree
from intermem.lazy_dataclass import dataclass
from intermem.project.files import read_regular
from intermem.project.git.cache import Cache
from intermem.project.git.listing import Listing
from intermem.project.git.objects import Objects, blob_id
from intermem.project.git.process import Git
from intermem.project.progress import Progress, counted

_PLACES = "places"
_SEARCHES = "searches"
_MAX_FILES = 2000  # whose contents before and after are kept
_MAX_BYTES = 32 * 1024 * 1024  # of either side


@dataclass(frozen=True, slots=True)
class Near:
    """Another version of some code, and all that differs."""

    after: Code
    change: Change


@dataclass(frozen=True)
class Code:
    """The code files of ``tree``. What it has in common with that of ``near`` is not read, but looked up there.

    What was found in a version of a file is kept in ``cache``.
    """

    git: Git
    objects: Objects
    listing: Listing
    tree: Tree
    cache: Cache
    progress: Progress
    near: Near | None = None

    def change_since(self, base: Code) -> Change | None:
        """Return what differs between the files of ``base`` and these; None if it is too much to keep."""
        old, new = base.listing.versions, self.listing.versions
        same = {path for path, key in new.items() if key and old.get(path) == key}
        both = [path for path in sorted(old.keys() & new.keys()) if path not in same]
        gone, added = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
        read = [path for path in (*both, *gone, *added) if is_code(path)]
        if len(read) > _MAX_FILES:
            return None
        before = base.contents(path for path in read if path in old)
        after = self.contents(path for path in read if path in new) if before is not None else None
        if before is None or after is None:
            return None
        files = {path: (before.get(path), after.get(path)) for path in read if before.get(path) != after.get(path)}
        return Change(
            added=frozenset(added),
            deleted=frozenset(gone),
            modified=frozenset(path for path in both if path not in read or path in files),
            dirs=self.tree.dirs ^ base.tree.dirs,
            files=files,
        )

    def contents(self, paths: Iterable[str]) -> dict[str, bytes] | None:
        """Return the contents of files in the tree; without those that cannot be read, or are not files.

        None if they are too large together.
        """
        found: dict[str, bytes] = {}
        left = _MAX_BYTES
        for path, content in self._read(paths):
            found[path] = content
            left -= len(content)
            if left < 0:
                return None
        return found

    def _read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        if self.git.is_on_disk:
            for path in paths:
                content = self._read_code(path)
                if content is not None:
                    yield path, content
            return
        wanted = [path for path in paths if path in self.listing.blob_ids]
        waiting = iter(wanted)
        for blob, content in self.objects.blobs(self.listing.blob_ids[path] for path in wanted):
            yield next(path for path in waiting if self.listing.blob_ids[path] == blob), content

    def _read_code(self, path: str) -> bytes | None:
        if path in self.tree.outside or self.listing.is_behind_link(path):
            return None
        return read_regular(f"{self.git.cwd}/{path}", LARGEST_SEARCHED)

    def places(self, names: frozenset[str]) -> Mapping[str, tuple[Occurrence, ...]]:
        """Return where ``names`` occur. Asked again for some of them, nothing is read again."""
        known = next((found for asked, found in self._searched.items() if names <= asked), None)
        if known is None:
            known = self._searched[names] = self._search(names)
        wanted = {name.removesuffix("()") for name in names}
        return {name: found for name, found in known.items() if name in wanted}

    @cached_property
    def _searched(self) -> dict[frozenset[str], dict[str, tuple[Occurrence, ...]]]:
        return {}

    def _search(self, names: frozenset[str]) -> dict[str, tuple[Occurrence, ...]]:
        if not names:
            return {}
        if self.near is None:
            return self._searched_before(names)
        after, change = self.near.after, self.near.change
        unchanged = {
            name: [one for one in found if one.path not in change.files] for name, found in after.places(names).items()
        }
        old = ((path, before) for path, (before, _) in change.files.items() if before is not None)
        return united_places(unchanged, Search(names).all_places(old))

    def _searched_before(self, names: frozenset[str]) -> dict[str, tuple[Occurrence, ...]]:
        digest = self.listing.code_digest()
        shortly = key_of(names, [("", digest, None)]) if digest is not None else None
        known = self._known_searches.get(shortly, names) if shortly is not None else None
        if known is not None:
            return known
        ids, sizes = self.listing.versions, self._sizes()
        like = next(filter(None, ids.values()), "")
        versions = {path: ids.get(path) or self._id_on_disk(path, like) for path in sizes}
        asked = key_of(names, zip(versions, versions.values(), sizes.values(), strict=True))
        found = self._known_searches.get(asked, names)
        if found is None:
            found = self._found_in(names, versions, sizes, like)
            if not self._known.is_told:
                return found
            self._known_searches.put(asked, found)
        elif shortly is None:
            return found
        if shortly is not None:
            self._known_searches.name(asked, shortly)
        self.cache.save(_SEARCHES, self._known_searches.to_json())
        return found

    def _found_in(
        self, names: frozenset[str], versions: Mapping[str, str], sizes: Mapping[str, int | None], like: str
    ) -> dict[str, tuple[Occurrence, ...]]:
        def read(paths: Sequence[str]) -> Iterable[tuple[str, bytes]]:
            return counted(self._read(paths), "searching the code", len(paths), self.progress)

        found = self._known.all_places(names, versions, read, lambda content: blob_id(content, like), sizes.get)
        if self._known.has_learnt:
            self._known.keep(versions)
            self._known.has_learnt = False
            self.cache.save(_PLACES, self._known.to_json())
        return found

    def _id_on_disk(self, path: str, like: str) -> str:
        """Return the id that the content of a file would have as a blob; empty if it cannot be read."""
        content = self._read_code(path)
        return "" if content is None else blob_id(content, like)

    def _sizes(self) -> dict[str, int | None]:
        """Return the size on disk of each file that may hold code, by path, None where that is not what is read.

        Links, and what is too large to be read, hold none.
        """
        code = sorted(path for path in self.tree.paths if is_code(path))
        if not self.git.is_on_disk:
            return dict.fromkeys(code)
        sizes: dict[str, int | None] = {}
        top, status_of, is_file = f"{self.git.cwd}/", os.lstat, stat.S_ISREG  # of 100,000 files, each name counts
        for path in code:
            try:
                status = status_of(top + path)
            except OSError:
                sizes[path] = -1
                continue
            if is_file(status.st_mode) and status.st_size <= LARGEST_SEARCHED:
                sizes[path] = status.st_size
        return sizes

    @cached_property
    def _known(self) -> KnownPlaces:
        return self.cache.load(_PLACES, KnownPlaces.from_json) or KnownPlaces()

    @cached_property
    def _known_searches(self) -> KnownSearches:
        return self.cache.load(_SEARCHES, KnownSearches.from_json) or KnownSearches()
