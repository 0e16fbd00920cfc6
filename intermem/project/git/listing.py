"""List the files of a working tree or a revision, and resolve symbolic links among them."""

from __future__ import annotations

import os
import posixpath
import stat
from dataclasses import field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from intermem.core.code.file_types import LARGEST_SEARCHED, is_code
from intermem.errors import RepositoryError
from intermem.facts import Tree, names_git_dir
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.boundary import is_in_git_dir
from intermem.project.files import kind_at, read_regular
from intermem.project.git.answers import fields_of, folders_above, tree_of
from intermem.project.git.objects import Objects
from intermem.project.git.process import Git

_TRACKED = ["ls-files", "-z", "-v", "--stage", "--cached", "--deleted"]
_ALL_UNTRACKED = ["ls-files", "-z", "--others"]
_UNTRACKED = [*_ALL_UNTRACKED, "--exclude-standard"]
_TOUCHED = ["diff-files", "--name-only", "-z", "--ignore-submodules=all", "--no-ext-diff"]
_STARS = regex(r"\*+")
_PLAIN = "H 100"  # a file that is in the index, and no link
_MAX_STARS = 4  # in a pattern; git takes the length of a path to this power
_MAX_LINKS = 40  # followed for one path, as in Linux
_MAX_TARGET_BYTES = 4096  # of a link: PATH_MAX of Linux


@dataclass(slots=True)
class _Index:
    """Indexed and untracked files; the blob ids of the former; those deleted since, nested repositories, and paths
    that may be links; whether git leaves some out of the working tree."""

    files: set[str] = field(default_factory=set)
    ids: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    is_sparse: bool = False


@dataclass(frozen=True)
class Listing:
    """The files of the working tree, or of the revision that ``git`` reads. Paths are relative to its top."""

    git: Git
    objects: Objects

    def prefetch(self) -> None:
        """Prefetch what ``tree`` needs."""
        if self.git.is_on_disk:
            _ = self._index_at_first  # before git reads it
            self.git.prefetch(_TRACKED)
            self.git.prefetch(_UNTRACKED)
            touched = self.git.unfiltered(_TOUCHED)
            if touched is not None:
                self.git.prefetch(touched)

    def tree(self, prefix: str) -> Tree:
        """Return the files; ``prefix`` is the project root among them."""
        return self._tree_on_disk(prefix) if self.git.is_on_disk else self._tree_of_revision(prefix)

    @property
    def deleted(self) -> set[str]:
        """The indexed files that are missing from the working tree."""
        return self._index.deleted

    def target_on_disk(self, path: str) -> str | None:
        """Return the path that ``path`` resolves to in the working tree, None outside, and in a git directory."""
        top, target = Path(os.path.realpath(self.git.cwd)), Path(os.path.realpath(self.git.cwd / path))
        if not target.is_relative_to(top) or target == top or is_in_git_dir(target):
            return None
        return target.relative_to(top).as_posix()

    def is_behind_link(self, path: str) -> bool:
        """True where a folder above ``path`` is a symbolic link in the working tree."""
        return _is_linked(str(self.git.cwd), path.rstrip("/").rpartition("/")[0], self._linked)

    def target_at_revision(self, path: str) -> str | None:
        """Return the path that ``path`` resolves to at the revision; None outside, empty for a symlink cycle."""
        for _ in range(_MAX_LINKS):
            link = next((place for place in (*folders_above(path), path) if place in self._links), None)
            if link is None:
                return path
            target = self._links[link]
            if target is None:
                return None
            path = target + path[len(link) :]
        return ""

    @cached_property
    def file_links(self) -> dict[str, str]:
        """The symbolic links of the revision that lead to files, with their targets."""
        paths = {path for _, path in self._ls_tree}
        return {path: target for path, target in self._links.items() if target in paths}

    @cached_property
    def blob_ids(self) -> dict[str, str]:
        """The blob id of each regular file of the revision."""
        return {path: meta.rpartition(" ")[2] for meta, path in self._ls_tree if meta.startswith("100")}

    @cached_property
    def versions(self) -> dict[str, str]:
        """The blob id of each file, links included; empty where only reading the file would tell."""
        if not self.git.is_on_disk:
            return {path: meta.rpartition(" ")[2] for meta, path in self._ls_tree}
        index = self._index
        found = dict.fromkeys(index.files, "") | index.ids
        for path in index.deleted:
            found.pop(path, None)
        asked = self.git.unfiltered(_TOUCHED)
        touched = found.keys() if asked is None else found.keys() & fields_of(self.git.run(asked))
        return found | dict.fromkeys(touched, "")

    def code_digest(self) -> str | None:
        """Return a digest of all that tells what is in the code files; None where only reading them would.

        The index has the size and the time of each file that git found as it was; what changed since is none of them.
        """
        if not self.git.is_on_disk or self._index.is_sparse or self._index_at_first is None:
            return None
        unknown = (path for path, version in self.versions.items() if not version and path not in self._index.nested)
        if any(map(is_code, unknown)):
            return None
        if self._digest_of_index() != self._index_at_first:  # it was written meanwhile
            return None
        digest = blake2b(self._index_at_first, digest_size=16)
        digest.update("\0".join(sorted(self._index.deleted)).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    @cached_property
    def _index_at_first(self) -> bytes | None:
        return self._digest_of_index()

    def _digest_of_index(self) -> bytes | None:
        try:
            return blake2b((self.git.git_dir / "index").read_bytes(), digest_size=16).digest()
        except OSError:
            return None

    def _tree_on_disk(self, prefix: str) -> Tree:
        """Return tracked and untracked files, without ignored and deleted ones."""
        index = self._index
        present = set(index.files)
        outside = set(index.nested)
        links: dict[str, str] = {}
        for path in index.links:
            if (self.git.cwd / path).is_symlink():
                target = self.target_on_disk(path)
                if target is None:  # leads outside: never opened, never judged
                    outside.add(path)
                    present.discard(path)
                elif kind_at(self.git.cwd / target) == "folder":
                    links[path] = target
        return tree_of(present - index.deleted, prefix, outside, links)

    def _tree_of_revision(self, prefix: str) -> Tree:
        if self.git.head is None and self.git.rev is not None:
            raise RepositoryError(
                f"unknown revision {self.git.rev!r} in {self.git.cwd}", hint="name a branch, a tag or a commit"
            )
        paths = {path for _, path in self._ls_tree}
        outside = [path for meta, path in self._ls_tree if meta.startswith("160000 ")]
        lost = [path for path, target in self._links.items() if target is None]
        files = paths.difference(self._links)
        inside = {path: target for path, target in self._links.items() if target is not None and target not in files}
        return tree_of(paths.difference(lost), prefix, [*outside, *lost], inside)

    @cached_property
    def _index(self) -> _Index:
        found = _Index()
        _ = self._index_at_first
        for line in fields_of(self.git.run(_TRACKED)):
            meta, _, path = line[2:].partition("\t")
            if line.startswith(_PLAIN):  # as nearly all are, of 100,000 perhaps
                found.ids[path] = meta.split(" ")[1]
            elif line[0] in "Rr":
                found.deleted.add(path)
            elif meta.startswith("160000"):
                found.nested.add(path)
                found.files.add(path)
            else:
                found.files.add(path)
                found.is_sparse |= line[0] in "Ss"
                if line[0].isupper():  # else it is assumed to be unchanged, and may be another
                    found.ids[path] = meta.split(" ")[1]
                if meta.startswith("120000"):
                    found.links.append(path)
        found.files.update(found.ids)
        for path in fields_of(self.git.run(_ALL_UNTRACKED if self._has_costly_patterns(found) else _UNTRACKED)):
            if path.endswith("/"):
                found.nested.add(path.rstrip("/"))
            else:
                found.links.append(path)
            found.files.add(path.rstrip("/"))
        return found

    def _has_costly_patterns(self, found: _Index) -> bool:
        """Return whether a ``.gitignore`` that is tracked, or at the top, could hang git; none is then applied.

        That is one with a certain pattern, or a FIFO or device, which git would wait for.
        """
        for path in (".gitignore", *found.files):
            if path.endswith(".gitignore") and path.rpartition("/")[2] == ".gitignore":
                if _is_special(self.git.cwd / path):
                    return True
                content = read_regular(self.git.cwd / path, LARGEST_SEARCHED) or b""
                lines = content.decode("utf-8", "replace").split("\n")
                if any(len(_STARS.findall(line)) > _MAX_STARS for line in lines if line.count("*") > _MAX_STARS):
                    return True
        return False

    @cached_property
    def _ls_tree(self) -> list[tuple[str, str]]:
        """Each path of the revision, after its mode, type and id as one string."""
        if self.git.head is None:
            return []
        fields = fields_of(self.git.run(["ls-tree", "-r", "-z", "--full-tree", self.git.head]))
        return [(meta, path) for meta, _, path in (field.partition("\t") for field in fields)]

    @cached_property
    def _links(self) -> dict[str, str | None]:
        """The symbolic links of the revision with their targets; None for a target outside."""
        links = {path: meta.rpartition(" ")[2] for meta, path in self._ls_tree if meta.startswith("120000 ")}
        contents = dict(self.objects.blobs(dict.fromkeys(links.values()), max_bytes=_MAX_TARGET_BYTES))
        found: dict[str, str | None] = {}
        for path, blob in links.items():
            text = contents.get(blob, b"/").decode("utf-8", "surrogateescape")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
            found[path] = None if target.startswith(("..", "/")) or names_git_dir(target) else target
        return found

    @cached_property
    def _linked(self) -> dict[str, bool]:
        return {"": False}


def _is_special(path: Path) -> bool:
    """True for what is neither file nor folder, also behind a link: an older git follows it."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _is_linked(top: str, folder: str, known: dict[str, bool]) -> bool:
    """True where ``folder`` or one above it, below ``top``, is a link; ``known`` caches the answer per folder."""
    waiting: list[str] = []
    at = folder
    while at not in known:
        waiting.append(at)
        at = at.rpartition("/")[0]
    linked = known[at]
    for one in reversed(waiting):
        linked = known[one] = linked or os.path.islink(f"{top}/{one}")  # noqa: PTH114 - strings: faster than paths
    return known[folder]
