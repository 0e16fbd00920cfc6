"""``scan``: read the memory and record a snapshot of it."""

from __future__ import annotations

from intermem.commands.assessing import Situation, assess_project, save_situation
from intermem.commands.project import Project, pending_notice
from intermem.commands.reading import MemoryReading, require_memory
from intermem.results import Result, exit_code_for


def scan(project: Project, *, dry_run: bool = False) -> Result:
    """Observe every entry of the memory; with ``dry_run`` only say what would be.

    Raises MemoryNotFound or MemoryAmbiguous. Exit code 0 also where nothing is new, 2 where a
    file of the memory was refused.
    """
    memory = require_memory(project)
    rules = project.config.rules()
    if dry_run:
        with project.viewing() as metadata:
            situation = assess_project(project, metadata, memory, rules, None, snapshot=True)
            return _result(memory, situation, pending_notice(metadata), dry_run=True)
    with project.writing(documents=False) as (metadata, said):
        with project.recorded(metadata, "scan"):
            situation = assess_project(project, metadata, memory, rules, None, snapshot=True)
            save_situation(project, metadata, situation)
        return _result(memory, situation, said, dry_run=False)


def _result(memory: MemoryReading, situation: Situation, said: list[str], *, dry_run: bool) -> Result:
    observed = situation.observed
    before = {one.record.id: one.before for one in situation.assessed}
    counted = 0
    for one in observed:
        known = before.get(one.record.id)
        counted += known is None or known.snapshot_count < one.record.snapshot_count
    data = {
        "memory": str(memory.path),
        "files": len(memory.files),
        "entries": len(observed),
        "new": sum(1 for one in observed if one.event == "first seen"),
        "seen_again": sum(1 for one in observed if one.event == "seen again"),
        "counted": counted,
        "gone": sum(1 for one in situation.assessed if one.event == "gone from the memory"),
        "dry_run": dry_run,
    }
    return Result(
        verb="scan",
        data=data,
        exit_code=exit_code_for(memory.problems),
        problems=memory.problems,
        notices=(*said, *situation.notices),
    )
