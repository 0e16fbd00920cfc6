"""Read what was accepted: a file on the default branch, and what a folder held along its first-parent line."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby

from intermem.lazy_dataclass import dataclass
from intermem.project.git.answers import fields_of
from intermem.project.git.objects import Objects
from intermem.project.git.process import Git

_DEFAULTS = [(where, name) for where in ("remotes/origin", "heads") for name in ("main", "master")]
_COMMITS = 1000  # of the line, the newest
_STATES = 50  # of the folder, the newest
_BYTES = 2 * 1024 * 1024  # of their files, in all, the newest first
_NEVER = datetime.max.replace(tzinfo=UTC)  # for a date that no calendar has: it proves nothing


@dataclass(frozen=True, slots=True)
class FolderState:
    """The files (texts by name) of a folder at the commits ``first`` to ``stop`` (half-open) of a line."""

    first: int
    stop: int
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FolderHistory:
    """The committer dates of a line of commits, and the states of a folder along it, both from new to old."""

    dates: tuple[datetime, ...] = ()
    states: tuple[FolderState, ...] = ()


@dataclass(frozen=True)
class DefaultBranch:
    """The branch of the remote ``origin`` that is its default; without one, a local ``main`` or ``master``."""

    git: Git
    objects: Objects

    @cached_property
    def ref(self) -> str | None:
        """The name of the branch, None if there is none."""
        wanted = ["refs/remotes/origin/HEAD", *(f"refs/{where}/{name}" for where, name in _DEFAULTS)]
        found = fields_of(self.git.run(["for-each-ref", "--format=%(refname)%00", *wanted]))
        refs = {name.strip() for name in found}
        return next((ref for ref in wanted if ref in refs), None)

    @cached_property
    def name(self) -> str | None:
        """What the remote calls its default, None where this clone does not know."""
        code, out = self.git.try_(["symbolic-ref", "-q", "refs/remotes/origin/HEAD"])
        _, _, name = out.decode("utf-8", "replace").strip().partition("refs/remotes/origin/")
        return name or None if code == 0 else None

    def folder(self, folder: str, names: Collection[str]) -> FolderHistory:
        """Return the states of ``folder`` (from the top, empty for the top itself): its files ``names``, where UTF-8.

        Five processes. Only the newest commits, states and bytes are read; what is beyond them, or missing in a
        shallow or partial clone, counts as never there.
        """
        if self.ref is None:
            return FolderHistory()
        log = ["log", "--first-parent", f"--max-count={_COMMITS}", "--format=%H %ct", self.ref, "--"]
        _, out = self.git.try_(log)
        line = [row.split(" ") for row in out.decode("ascii").split("\n") if row]
        trees = self.objects.ids([f"{commit}:{folder}" for commit, _ in line], "tree")
        spans = [[at for at, _ in group] for tree, group in groupby(enumerate(trees), lambda one: one[1]) if tree]
        spans = spans[:_STATES]
        paths = [(span[0], name) for span in spans for name in names]
        asked = [f"{line[at][0]}:{posixpath.join(folder, name)}" for at, name in paths]
        blobs = dict(zip(paths, self.objects.ids(asked, "blob"), strict=True))
        texts = self._texts(dict.fromkeys(blob for blob in blobs.values() if blob))
        states = [
            FolderState(span[0], span[-1] + 1, {n: texts[key] for n in names if (key := blobs[span[0], n]) in texts})
            for span in spans
        ]
        return FolderHistory(tuple(_date_of(seconds) for _, seconds in line), tuple(states))

    def _texts(self, blobs: Iterable[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        left = _BYTES
        for key, content in self.objects.blobs(blobs, max_bytes=_BYTES):
            left -= len(content)
            if left < 0:
                break
            try:
                found[key] = content.decode("utf-8")
            except UnicodeDecodeError:
                continue
        return found


def _date_of(seconds: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return _NEVER
