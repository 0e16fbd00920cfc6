"""Read what files were: at commits, along their history, and which commit wrote each line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from intermem.lazy_dataclass import dataclass
from intermem.project.git.cache import Cache
from intermem.project.git.former_names import FormerNames
from intermem.project.git.objects import Objects
from intermem.project.git.process import Git

_MAX_VERSIONS = 200  # of one file, newest first, that are looked through for a change


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A file (None: there was none) as a ``commit`` left it, on a ``date`` (``2026-01-31``)."""

    commit: str
    date: str
    text: str | None


@dataclass(frozen=True)
class FileHistory:
    """The history of files behind the commit that is read. Paths are from the top."""

    git: Git
    objects: Objects
    names: FormerNames

    def commits_before(self, moments: Collection[datetime]) -> dict[datetime, str]:
        """Return the newest commit of the first-parent line that is not later than each of ``moments``."""
        if self.git.head is None or not moments:
            return {}
        out = self.git.run(["log", "--first-parent", "--format=%ct %H", self.git.head, "--"])
        waiting = sorted(set(moments))
        found: dict[datetime, str] = {}
        for row in out.decode("ascii").splitlines():
            seconds, _, commit = row.partition(" ")
            while waiting and int(seconds) <= waiting[-1].timestamp():
                found[waiting.pop()] = commit
            if not waiting:
                break
        return found

    def is_behind(self, commit: str, head: str) -> bool:
        """Return whether ``head`` is a descendant of ``commit``, or the same."""
        return self.git.try_(["merge-base", "--is-ancestor", commit, head])[0] == 0

    def last_change(self, path: str) -> str | None:
        """Return the newest commit that added, changed or deleted a file; None if none did."""
        if self.git.head is None:
            return None
        out = self.git.run(["log", "-1", "--format=%H", self.git.head, "--", f":(top,literal){path}"])
        return out.decode("ascii").strip() or None

    @classmethod
    def of(cls, git: Git, cache: Cache) -> FileHistory:
        """Return the history of files behind the commit that ``git`` reads."""
        return cls(git, Objects(git), FormerNames(git, cache))  # a file that a commit lacks is no absent object

    def former_names(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the paths that each file had before it was moved, newest first; none where contents are missing."""
        return self.names.of(paths)

    def writers(self, path: str) -> tuple[tuple[int, str], ...]:
        """Return for each line of the file at the commit that is read when it was written (seconds) and the commit."""
        if self.git.head is None:
            return ()
        code, out = self.git.try_(["blame", "--no-textconv", "--porcelain", self.git.head, "--", path])
        if code:
            return ()
        times: dict[str, int] = {}
        found: list[tuple[int, str]] = []
        commit = ""
        for row in out.split(b"\n"):
            if row.startswith(b"\t"):
                found.append((times.get(commit, 0), commit))
                commit = ""
            elif not commit:
                commit = row.partition(b" ")[0].decode("ascii", "replace")
            elif row.startswith(b"committer-time "):
                times[commit] = int(row.split()[1])
        return tuple(found)

    def texts(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the texts of files at commits (``commit, path``); without what is no file, or too large for code."""
        names = {f"{commit}:{path}": (commit, path) for commit, path in wanted}
        return {names[name]: content.decode("utf-8", "replace") for name, content in self.objects.blobs(names)}

    def versions(self, path: str, since: str) -> Sequence[FileVersion]:
        """Return what the commits after ``since`` left of a file, the newest first, and last what it was there."""
        revisions = f"{since}..{self.git.head}"
        log = ["log", f"-{_MAX_VERSIONS}", "--format=%H %cs", revisions, "--", f":(top,literal){path}"]
        rows = [row.split(" ") for row in self.git.run(log).decode("ascii").splitlines()]
        texts = self.texts((commit, path) for commit in (*(row[0] for row in rows), since))
        found = [FileVersion(commit, date, texts.get((commit, path))) for commit, date in rows]
        return [*found, FileVersion(since, "", texts.get((since, path)))] if len(rows) < _MAX_VERSIONS else found
