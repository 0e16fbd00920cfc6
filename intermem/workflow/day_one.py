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


def _committed_times(
    workspace: Workspace, memory: MemoryReading, origin: Origin, wanted: Collection[str]
) -> dict[str, Sequence[datetime]]:
    """The commits that held each entry; a submodule or a repository inside this one proves nothing for it."""
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
    interval = workspace.config.span("scan.min_interval")
    times: dict[tuple[int, ...], Sequence[datetime]] = {}
    for numbers in set(holding.values()):
        spans = (dates[history.states[number].first : history.states[number].stop] for number in numbers)
        held = (date for span in spans for date in span if date is not None)
        times[numbers] = counted_before(held, workspace.now, interval)
    return {key: times[numbers] for key, numbers in holding.items()}
