"""``scan``: read the memory and record a snapshot of it."""

from __future__ import annotations

from intermem.results import Result, exit_code_for
from intermem.workflow.assessment import Assessments, assess_project, save_situation
from intermem.workflow.memory import MemoryReading, require_memory
from intermem.workflow.workspace import Workspace, pending_notice


def scan(workspace: Workspace, *, dry_run: bool = False) -> Result:
    """Observe every entry of the memory; with ``dry_run`` only say what would be.

    Raises MemoryNotFound or MemoryAmbiguous. Exit code 0 also where nothing is new, 2 where a
    file of the memory was refused.
    """
    memory = require_memory(workspace)
    rules = workspace.config.rules()
    if dry_run:
        with workspace.viewing() as metadata:
            situation = assess_project(workspace, metadata, memory, rules, None, snapshot=True)
            return _result(memory, situation, pending_notice(metadata), dry_run=True)
    with workspace.writing(documents=False) as (metadata, said):
        with workspace.recorded(metadata, "scan"):
            situation = assess_project(workspace, metadata, memory, rules, None, snapshot=True)
            save_situation(workspace, metadata, situation)
        return _result(memory, situation, said, dry_run=False)


def _result(memory: MemoryReading, situation: Assessments, said: list[str], *, dry_run: bool) -> Result:
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
