"""``feedback``: record what a person says about an entry; it takes effect at once."""

from __future__ import annotations

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.feedback import Amounts, FailureSeverity, FeedbackKind, amount_of
from intermem.results import FINDINGS, exit_code_for
from intermem.results.decide import FeedbackResult
from intermem.workflow.changeset import (
    ChangeSet,
    require_ledger,
    run_changeset,
)
from intermem.workflow.feedback import FeedbackInput, apply_feedback, forget
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


def feedback(
    workspace: Workspace,
    prefix: str,
    given: FeedbackInput,
    *,
    mode: RunMode,
) -> FeedbackResult:
    """Record feedback on the entry named by ``prefix``, and apply it: confidence, review flag or demotion.

    Exit code 1 if it was refused. Raises NoSuchEntry, NoDocument.
    """
    amount = amount_of(given.kind, given.severity, _amounts(workspace))

    def collect(changeset: ChangeSet) -> None:
        record = changeset.state.records[changeset.find(prefix)]
        require_ledger(changeset.state, record)
        (record,) = changeset.judged([record])
        if given.kind is FeedbackKind.FORGET:
            forget(workspace, changeset, record, given)
        else:
            apply_feedback(workspace, changeset, record, given, amount)

    plan, notices = run_changeset(workspace, "feedback", collect, mode)
    state, refused = plan.changeset.state, plan.changeset.refused
    (entry,) = [record for record, _ in refused] or plan.after
    return FeedbackResult(
        entry=without_secret(entry),
        kind=str(given.kind),
        amount=amount / 1000,
        refused=plan.refused,
        documents=plan.destinations,
        dry_run=mode.dry,
        exit_code=exit_code_for(state.problems, FINDINGS if refused else 0),
        problems=state.problems,
        notices=notices,
        changes=plan.changes,
        show_diff=mode.show_diff,
    )


def _amounts(workspace: Workspace) -> Amounts:
    config = workspace.config
    return Amounts(
        confirm=config.thousandths("feedback.confirm"),
        incorrect=config.thousandths("feedback.incorrect"),
        failure={severity: config.thousandths(f"feedback.failure_{severity}") for severity in FailureSeverity},
    )
