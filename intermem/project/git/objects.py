"""Read git objects: file contents at a revision, commit ids."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import IO

from intermem.core.code.file_types import LARGEST_SEARCHED
from intermem.lazy_dataclass import dataclass
from intermem.project.git.process import Git

_SHA256_DIGITS = 64  # of an object id in a repository of that format; elsewhere it is a SHA-1


@dataclass(frozen=True)
class Objects:
    """The objects of a repository, read in batches: one or two processes a call, however many names.

    ``absent`` are those that were asked for and are not there, as happens in a partial clone.
    """

    git: Git
    absent: set[str] = field(default_factory=set, compare=False)

    def texts(self, names: Sequence[str]) -> list[str | None]:
        """Return the texts of ``names`` (``revision:path``) in their order; None for what is no file."""
        return self.trees_and_texts((), names)[1]

    def trees_and_texts(self, trees: Sequence[str], texts: Sequence[str]) -> tuple[list[str], list[str | None]]:
        """Return the ids of ``trees``, empty for what is none, and the ``texts``, with one look at what there is."""
        found = self._found([*trees, *texts])
        keys = _of_kind(found[len(trees) :], "blob")
        blobs = self.contents(key for key in dict.fromkeys(keys) if key)
        read = {key: blob.decode("utf-8", "surrogateescape") for key, blob in blobs.items()}
        return _of_kind(found[: len(trees)], "tree"), [read.get(key) for key in keys]

    def ids(self, names: Sequence[str], kind: str) -> list[str]:
        """Return the ids of ``names`` (``revision:path``) in their order; empty for what is no ``kind`` of object."""
        return _of_kind(self._found(names), kind)

    def _found(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return the kind and the id of each of ``names``; the kind of what is not there is none of git's."""
        if not names:
            return []
        asked = "".join((name if "\n" not in name else "") + "\n" for name in names).encode("utf-8", "surrogateescape")
        _, out = self.git.try_(["cat-file", "--batch-check=%(objecttype) %(objectname)"], asked)
        lines = [line.decode("utf-8", "surrogateescape").partition(" ") for line in out.split(b"\n")]
        found = [(kind, key) for kind, _, key in lines]
        found += [("", "")] * (len(names) - len(found))  # in a partial clone git stops at the first missing object
        return found[: len(names)]

    def contents(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of ``names`` (ids, ``revision:path``), whatever their size; without what is no file."""
        return dict(self.blobs(names, max_bytes=None))

    def folders(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the files in the trees ``ids``: the id of each by its name, without what is below them."""
        found: dict[str, dict[str, str]] = {}
        for key, content in self._read(list(ids), "tree", None):
            size = len(key) // 2
            found[key] = {
                name.decode("utf-8", "surrogateescape"): blob.hex() for name, blob in _tree_entries(content, size)
            }
        return found

    def blobs(self, names: Iterable[str], max_bytes: int | None = LARGEST_SEARCHED) -> Iterator[tuple[str, bytes]]:
        """Yield ``names`` (ids, ``revision:path``) with their contents; without what is missing, too large or no file.

        One process, killed when the caller stops.
        """
        yield from self._read([name for name in names if "\n" not in name], "blob", max_bytes)

    def _read(self, wanted: Sequence[str], kind: str, max_bytes: int | None) -> Iterator[tuple[str, bytes]]:
        if not wanted:
            return
        asked = "".join(f"{name}\n" for name in wanted).encode("utf-8", "surrogateescape")
        with self.git.stream(["cat-file", "--batch", "--buffer"], asked) as out:
            for name in wanted:
                header = out.readline().split(b" ")
                if len(header) < 3 or header[-1].strip() in (b"missing", b"ambiguous"):
                    self.absent.add(name)
                    continue
                size = int(header[-1])
                if header[-2] == kind.encode("ascii") and (max_bytes is None or size <= max_bytes):
                    content = out.read(size)
                    out.read(1)
                    yield name, content
                else:
                    _skip(out, size + 1)

    def commits(self, prefixes: frozenset[str]) -> dict[str, str]:
        """Return the full commit id of each prefix; without those that match no commit, or several."""
        asked = sorted(prefixes)
        if not asked:
            return {}
        stdin = "".join(f"{prefix}^{{commit}}\n" for prefix in asked).encode("ascii", "replace")
        out = self.git.run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], stdin=stdin).split(b"\n")
        pairs = zip(asked, (line.decode("ascii", "replace").split(" ") for line in out), strict=False)
        return {prefix: words[0] for prefix, words in pairs if words[-1] == "commit" and words[0].startswith(prefix)}


def _of_kind(found: Iterable[tuple[str, str]], kind: str) -> list[str]:
    return [key if of == kind else "" for of, key in found]


def blob_id(content: bytes, like: str = "") -> str:
    """Return the id of a blob with this content, in the object format of the id ``like``."""
    digest = hashlib.sha256() if len(like) == _SHA256_DIGITS else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.hexdigest()


def _tree_entries(content: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and id of the files in a tree object, whose ids have ``size`` bytes."""
    at = 0
    while (end := content.find(b"\0", at)) >= 0:
        mode, _, name = content[at:end].partition(b" ")
        at = end + 1 + size
        if mode.startswith(b"100"):
            yield name, content[end + 1 : at]


def _skip(out: IO[bytes], size: int) -> None:
    while size > 0:
        size -= len(out.read(min(size, 1 << 20))) or size
