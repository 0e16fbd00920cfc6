"""The memory, read and split into entries (step 2 of a sweep)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from intermem.core.entries.scanner import Scanned, memory_names, merged, scan_memory
from intermem.core.markdown.blocks import is_parsed
from intermem.entities import Entry, Problem
from intermem.errors import MemoryNotFound
from intermem.lazy_dataclass import dataclass
from intermem.project.memory_files import read_memory
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """One reading of the memory: entries by identity, the files read and refused, and problems.

    ``folder`` is the memory's path inside the repository, None if it is outside; ``names`` maps
    the names used in links to its files.
    """

    path: Path
    entries: Mapping[str, Sequence[Entry]]
    files: frozenset[str]
    refused: frozenset[str]
    problems: tuple[Problem, ...]
    folder: str | None
    names: Mapping[str, str]


def read_project_memory(workspace: Workspace) -> MemoryReading | None:
    """Return the memory of ``workspace``; None if none was found or the choice is ambiguous."""
    place = workspace.memory_place
    if place.path is None:
        return None
    files = read_memory(place.path, workspace.config.count("scan.max_bytes"))
    scanned = _scanned(tuple(files.texts.items()), files.refused)
    real = Path(os.path.realpath(place.path))
    folder = real.relative_to(workspace.top).as_posix() if real.is_relative_to(workspace.top) else None
    return MemoryReading(
        path=place.path,
        entries=merged(scanned.entries),
        files=frozenset(files.texts),
        refused=files.refused | {problem.where for problem in scanned.problems if problem.fatal},
        problems=files.problems + scanned.problems,
        folder=folder,
        names=memory_names(files.texts),
    )


def unreadable_files(workspace: Workspace) -> frozenset[str]:
    """Return the files of the memory that cannot be read, as ``read_project_memory`` finds them: no facts are made."""
    place = workspace.memory_place
    if place.path is None:
        return frozenset()
    files = read_memory(place.path, workspace.config.count("scan.max_bytes"))
    return files.refused | {name for name, text in files.texts.items() if not is_parsed(text)}


def is_committed(workspace: Workspace, memory: MemoryReading) -> bool:
    """Return whether git tracks the memory."""
    worktree = workspace.worktree
    return worktree is not None and memory.folder is not None and worktree.is_tracked(memory.folder)


@lru_cache(maxsize=1)
def _scanned(texts: tuple[tuple[str, str], ...], refused: frozenset[str]) -> Scanned:
    """The entries in ``texts``; a run that reads the memory again, and finds the same, does not parse it again."""
    return scan_memory(dict(texts), refused)


def require_memory(workspace: Workspace) -> MemoryReading:
    """Return the memory. Raises MemoryAmbiguous, or MemoryNotFound with the places that were tried."""
    reading = read_project_memory(workspace)
    if reading is not None:
        return reading
    place = workspace.memory_place
    if place.problem is not None:
        raise place.problem
    tried = ", ".join(place.tried) or "no home directory to look in"
    raise MemoryNotFound(f"no memory found; tried {tried}", hint="specify it with --memory-dir")


def memory_notices(workspace: Workspace) -> list[str]:
    """Return a notice if the run has no memory and continues without one."""
    place = workspace.memory_place
    if place.path is not None:
        return []
    if place.problem is not None:
        return [place.problem.message]
    return ["no memory found; continuing without a snapshot"]
