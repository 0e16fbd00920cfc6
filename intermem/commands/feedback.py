"""``feedback``: record what a person says about an entry; it takes effect at once."""

from __future__ import annotations

from intermem.core.entries.observation import is_replaced
from intermem.core.entries.secrets import without_secret
from intermem.core.entries.wordings import now_said_by
from intermem.core.lifecycle.feedback import Amounts, FailureSeverity, FeedbackKind, amount_of
from intermem.core.lifecycle.taken_out import TakenOut
from intermem.core.reconcile.ledger import Standing
from intermem.core.times import format_date
from intermem.entities import Record
from intermem.results import FINDINGS, exit_code_for
from intermem.results.decide import FeedbackResult
from intermem.workflow.branch_state import BranchState
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
    reworded: list[str] = []

    def collect(changeset: ChangeSet) -> None:
        named = changeset.state.records[changeset.find(prefix)]
        heir = _now_said_by(named, changeset.state)
        is_flagged_itself = named.review_at is not None and heir.review_at is None  # a flag is lifted where it is
        flagged = _flagged_as(named, changeset.state, workspace) if given.kind is FeedbackKind.CONFIRM else None
        record = flagged or (named if given.kind is FeedbackKind.FORGET or is_flagged_itself else heir)
        did = "gave way" if is_replaced(named) else "was reworded"
        said = f"{named.entry_id[:8]} {did} to {record.entry_id[:8]}: noted there"
        if flagged is not None:
            said = f"{named.entry_id[:8]} was flagged in its former wording {record.entry_id[:8]}: confirmed there"
        reworded[:] = [said] if record is not named else []
        require_ledger(changeset.state, record)
        (record,) = changeset.seen(changeset.judged([record]))
        if given.kind is FeedbackKind.FORGET:
            forget(workspace, changeset, record, given)
        elif given.kind is FeedbackKind.OUTDATED and record.review_at is not None and not (given.context or given.note):
            since = f"flagged for review already since {format_date(record.review_at)}"
            changeset.refuse(record, "review", f"{since}; intermem feedback {record.entry_id[:8]} confirm lifts that")
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
        notices=(*notices, *reworded, *_unknown_severity(given)),
        changes=plan.changes,
        show_diff=mode.show_diff,
    )


def _unknown_severity(given: FeedbackInput) -> list[str]:
    """What is counted for a severity that is none."""
    if not given.severity or given.severity.lower() in tuple(FailureSeverity):
        return []
    return [f"{given.severity} is not a severity (high, medium or low): it counts as low"]


def _flagged_as(record: Record, state: BranchState, workspace: Workspace) -> Record | None:
    """The former wording in which ``record``, which has no flag itself, is flagged for review; else None."""
    if record.review_at is not None:
        return None
    limits, rules = workspace.config.limits(), workspace.config.rules()
    old = TakenOut(state.records.values(), limits.similarity, rules.grace).in_former_wording(record)
    return old if old is not None and old.review_at is not None else None


def _now_said_by(record: Record, state: BranchState) -> Record:
    """The record that says now what ``record`` said, also where another clone reworded it."""
    lines = state.ledger.lines.values() if state.ledger is not None and record.document is None else ()
    stands = (line for line in lines if line.status is Standing.PROMOTED and record.entry_id in line.same)
    heir = next((state.records[line.id] for line in stands if line.id in state.records), None)
    return heir or now_said_by(record, state.records)


def _amounts(workspace: Workspace) -> Amounts:
    config = workspace.config
    return Amounts(
        confirm=config.thousandths("feedback.confirm"),
        incorrect=config.thousandths("feedback.incorrect"),
        failure={severity: config.thousandths(f"feedback.failure_{severity}") for severity in FailureSeverity},
    )
