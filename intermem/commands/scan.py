"""``scan``: read the memory and record a snapshot of it."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.core.entries.similarity import gist
from intermem.core.lifecycle.gates import withdrawal_of
from intermem.core.lifecycle.stability import is_stable, is_waiting, next_counted
from intermem.core.lifecycle.taken_out import TakenOut
from intermem.results import exit_code_for
from intermem.results.curate import ScanResult
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import Assessed, Assessments, assess_project, save_assessments
from intermem.workflow.branch_state import load_branch_state
from intermem.workflow.memory import MemoryReading, require_memory
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


def scan(workspace: Workspace, mode: RunMode, *, relearn: bool = False) -> ScanResult:
    """Record a snapshot of the memory; ``relearn`` also what was purged.

    Raises MemoryNotFound or MemoryAmbiguous. Exit code 0 even if nothing is new, 2 if a memory
    file was refused.
    """

    def make(metadata: Metadata) -> tuple[MemoryReading, Assessments, Sequence[Assessed]]:
        memory = require_memory(workspace)
        rules = workspace.config.rules()
        assessments = assess_project(workspace, metadata, memory, rules, None, snapshot=True, relearn=relearn)
        return memory, assessments, _ready(workspace, metadata, assessments)

    with operation(workspace, "scan", mode, make, documents=False) as op:
        memory, assessments, ready = op.begin()
        op.commit(lambda metadata: save_assessments(workspace, metadata, assessments))
    return _result(workspace, memory, assessments, ready, op.notices, dry_run=mode.dry)


def _ready(workspace: Workspace, metadata: Metadata, assessments: Assessments) -> list[Assessed]:
    """The entries that ``promote`` may take: stable ones, but for those that this branch has or a person took out."""
    rules = workspace.config.rules()
    ready = [one for one in assessments.assessed if is_waiting(one.record, one.assessment, rules)]
    if not any(one.before is None or not is_stable(one.before, rules) for one in ready):
        return ready
    state = load_branch_state(workspace, metadata, thorough=True)
    known, said = state.records, {gist(item.text) for _, item in state.branch.items.values()}
    taken_out = TakenOut(
        {**known, **{one.record.id: one.record for one in assessments.assessed}}.values(),
        workspace.config.limits().similarity,
        rules.grace,
    )
    return [
        one
        for one in ready
        if (now := known.get(one.record.id, one.record)).document is None
        and gist(one.record.noted_text) not in said
        and withdrawal_of(now) is None
        and taken_out.in_former_words(one.record) is None
    ]


def _result(
    workspace: Workspace,
    memory: MemoryReading,
    assessments: Assessments,
    ready: Sequence[Assessed],
    recovered: list[str],
    *,
    dry_run: bool,
) -> ScanResult:
    rules, now = workspace.config.rules(), workspace.now
    observed = assessments.observed
    before = {one.record.id: one.before for one in assessments.assessed}
    counted = 0
    for one in observed:
        known = before.get(one.record.id)
        counted += known is None or known.snapshot_count < one.record.snapshot_count
    assessed = assessments.assessed
    return ScanResult(
        memory=str(memory.path),
        files=len(memory.files),
        entries=len(observed),
        new=sum(1 for one in observed if one.event == "first seen"),
        seen_again=sum(1 for one in observed if one.event == "seen again"),
        counted=counted,
        purged=len(assessments.skipped),
        gone=sum(1 for one in assessments.assessed if one.event == "gone from the memory"),
        stable=len(ready),
        newly_stable=sum(1 for one in ready if one.before is None or not is_stable(one.before, rules)),
        next_counted=next_counted(
            (one.record for one in assessed), now, workspace.config.span("scan.min_interval"), rules
        ),
        dry_run=dry_run,
        exit_code=exit_code_for(memory.problems),
        problems=memory.problems,
        notices=(*recovered, *assessments.notices),
    )
