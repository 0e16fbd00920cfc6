"""What a memory proves about the time before its first snapshot: its commits, or how long its files are unchanged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from intermem.core.entries.observation import ascending, counted_before, unchanged
from intermem.core.entries.scanner import scan_memory
from intermem.entities import Entry
from intermem.project.memory_files import last_changes
from intermem.project.memory_origin import Origin, origin_of
from intermem.workflow.memory import MemoryReading
from intermem.workflow.workspace import Workspace


def proven_times(
    workspace: Workspace, memory: MemoryReading, entries: Mapping[str, Sequence[Entry]]
) -> dict[str, Sequence[datetime]]:
    """Return the times before now at which ``memory`` proves that it held each of ``entries``, oldest first.

    Of a file that git brought, the commits of the default branch prove it, and nothing else: when it was written here
    says only when it was checked out. Of any other, the time of its last change. Source: DESIGN.md §5, day one.
    """
    names = sorted({one.source.file for group in entries.values() for one in group})
    origin = origin_of(memory.path, names)
    interval = workspace.config.span("scan.min_interval")
    by_commits = _committed_times(workspace, memory, origin, entries.keys())
    by_file = {
        name: counted_before(unchanged(since, workspace.now), workspace.now, interval)
        for name, since in last_changes(memory.path, set(names) - origin.brought).items()
    }
    return {
        key: max((by_commits.get(key, ()), *(by_file.get(one.source.file, ()) for one in group)), key=len)
        for key, group in entries.items()
    }


def last_held_by_commits(workspace: Workspace, memory: MemoryReading, wanted: Collection[str]) -> dict[str, datetime]:
    """Return when a commit of the default branch held each of the notes ``wanted`` last.

    Only files that are still there are looked at.
    """
    found = _holding_dates(workspace, memory, origin_of(memory.path, sorted(memory.files)), wanted)
    return {key: max(dates) for key, dates in found.items() if dates}


def _committed_times(
    workspace: Workspace, memory: MemoryReading, origin: Origin, wanted: Collection[str]
) -> dict[str, Sequence[datetime]]:
    """The commits that held each entry, as far as they count as observations."""
    interval = workspace.config.span("scan.min_interval")
    counted: dict[tuple[datetime, ...], Sequence[datetime]] = {}
    found = _holding_dates(workspace, memory, origin, wanted)
    for dates in set(found.values()):
        counted[dates] = counted_before(dates, workspace.now, interval)
    return {key: counted[dates] for key, dates in found.items()}


def _holding_dates(
    workspace: Workspace, memory: MemoryReading, origin: Origin, wanted: Collection[str]
) -> dict[str, tuple[datetime, ...]]:
    """The dates of commits that held each entry; a submodule or a repository inside this one proves nothing for it."""
    ours, theirs = workspace.worktree, origin.worktree
    if not origin.brought or ours is None or theirs is None or theirs.common_dir != ours.common_dir:
        return {}
    history = theirs.folder_on_default_branch(origin.folder, sorted(origin.brought))
    dates = ascending(history.dates, workspace.now)
    read: dict[tuple[str, str], frozenset[str]] = {}
    holding: dict[str, tuple[int, ...]] = {}
    for number, state in enumerate(history.states):
        for file in state.texts.items():
            if file not in read:
                read[file] = frozenset(one.id for one in scan_memory(dict([file]), memory.files).entries)
        for key in frozenset().union(*(read[file] for file in state.texts.items())).intersection(wanted):
            holding[key] = (*holding.get(key, ()), number)
    spans: dict[tuple[int, ...], tuple[datetime, ...]] = {}
    for numbers in set(holding.values()):
        spans[numbers] = tuple(
            date
            for number in numbers
            for date in dates[history.states[number].first : history.states[number].stop]
            if date is not None
        )
    return {key: spans[numbers] for key, numbers in holding.items()}
