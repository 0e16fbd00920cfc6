"""Read the Markdown files of a memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from intermem.entities import Problem
from intermem.errors import IntermemError, UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.project.files import read_text_file


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The memory's Markdown files by name (relative, ``/``), and those that could not be read."""

    texts: dict[str, str]
    problems: tuple[Problem, ...] = ()

    @property
    def refused(self) -> frozenset[str]:
        """The names of files that exist but could not be read."""
        return frozenset(problem.where for problem in self.problems)


def read_memory(folder: Path, max_bytes: int) -> MemoryFiles:
    """Return every ``*.md`` below ``folder``, without hidden files and ``*.bak`` folders.

    A file that cannot be read is reported as a problem; the others are still read.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for path in _memory_paths(folder, problems):
        name = path.relative_to(folder).as_posix()
        try:
            check_memory_file(path, name, folder)
            texts[name] = read_text_file(path, name, max_bytes)
        except IntermemError as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
    return MemoryFiles(texts, tuple(problems))


def check_memory_file(path: Path, name: str, folder: Path) -> None:
    """Raise UnreadableFile where a file of a memory has a name that is not UTF-8, or links out of the memory."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableFile(f"{name!r}: the file name is not UTF-8; it was left alone", hint="rename it") from None
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise UnreadableFile(
            f"{name}: links to a file outside the memory; it was left alone", hint="copy the file into the memory"
        )


def last_changes(folder: Path, names: Iterable[str]) -> dict[str, datetime]:
    """Return when each of the files ``names`` was last changed, in whole seconds; without those that tell nothing."""
    found: dict[str, datetime] = {}
    for name in names:
        with contextlib.suppress(OSError, ValueError, OverflowError):
            found[name] = datetime.fromtimestamp(int((folder / name).stat().st_mtime), UTC)
    return found


def _memory_paths(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        where = os.path.relpath(str(error.filename or folder), folder)
        hint = "check the folder's permissions"
        message = f"{where}/: {error.strerror}; it was left alone"
        problems.append(Problem(code="unreadable-file", where=where, message=message, hint=hint))

    for parent, names, files in os.walk(folder, onerror=refuse):
        names[:] = sorted(name for name in names if not name.startswith(".") and not name.endswith(".bak"))
        for name in sorted(files):
            if name.endswith(".md") and not name.startswith("."):
                yield Path(parent) / name
