"""The plan that every form of ``init`` makes, and how it is run."""

from __future__ import annotations

from collections.abc import Callable

from intermem.core.lifecycle.effects import Effect
from intermem.entities import Problem, Record
from intermem.lazy_dataclass import dataclass
from intermem.results import FileDiff, exit_code_for
from intermem.results.curate import InitResult
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import save_records
from intermem.workflow.branch_state import BranchState
from intermem.workflow.edits import Edit
from intermem.workflow.lost_regions import LOST
from intermem.workflow.merge_attributes import FILE as ATTRIBUTES_FILE
from intermem.workflow.merge_attributes import attribute_line
from intermem.workflow.observing import save_observer
from intermem.workflow.operation import operation
from intermem.workflow.reconciled import save_reconciliation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.snippets import PRE_COMMIT_SNIPPET, hook_settings, merge_snippet
from intermem.workflow.targets import old_marker_notices
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class InitPlan:
    """What a form of ``init`` will do: edits, effects, new records, and its notices.

    ``offers_snippets`` is true if intermem is new to the project, so that hooks are worth suggesting.
    """

    document: str
    edits: tuple[Edit, ...]
    effects: tuple[Effect, ...]
    notices: tuple[str, ...]
    state: BranchState
    offers_snippets: bool
    created: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()


def run_init(workspace: Workspace, make: Callable[[Metadata], InitPlan], mode: RunMode) -> InitResult:
    """Run the plan made by ``make`` as one operation; return the result of the command."""

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, plan.state)
        save_records(metadata, ((None, record) for record in plan.created))
        save_observer(metadata, plan.edits)

    with operation(workspace, "init", mode, make) as op:
        plan = op.plan
        if plan.edits:
            plan = op.begin()
            op.commit(save, effects=plan.effects, edits=plan.edits)
    old = [] if plan.effects else old_marker_notices(plan.state.documents)
    place = workspace.memory_place
    ambiguous = [place.problem.message] if place.problem is not None else []
    settled = {("no-document", problem.where) for problem in plan.state.problems} | {(LOST, plan.document)}
    found = (*plan.state.problems, *plan.problems)
    problems = tuple(problem for problem in found if (problem.code, problem.where) not in settled)
    snippets = {"pre-commit": PRE_COMMIT_SNIPPET, "agent-hook": hook_settings(workspace)}
    if workspace.worktree is not None and not any(edit.name == ATTRIBUTES_FILE for edit in plan.edits):
        snippets["merge-driver"] = merge_snippet(attribute_line(plan.document))
    return InitResult(
        document=plan.document,
        memory=str(place.path) if place.path is not None else None,
        memory_found_by=place.how or None,
        state=str(workspace.state_dir),
        written=[edit.name for edit in plan.edits] if not mode.dry else [],
        adopted=sorted({effect.standing_id for effect in plan.effects if effect.stands}),
        snippets=snippets if plan.offers_snippets and plan.edits else {},
        dry_run=mode.dry,
        exit_code=exit_code_for(problems),
        problems=problems,
        notices=(*op.notices, *plan.notices, *ambiguous, *plan.state.documents.warnings, *old),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in plan.edits),
        show_diff=mode.show_diff,
    )
