"""``feedback``: record what a person says about an entry; it takes effect at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.feedback import Amounts, FailureSeverity, FeedbackKind, amount_of, described
from intermem.core.times import format_date
from intermem.entities import Feedback, HistoryRow, Record, Status
from intermem.results import FINDINGS, exit_code_for
from intermem.results.decide import FeedbackResult
from intermem.workflow.branch_state import find_judged
from intermem.workflow.changeset import (
    ChangeSet,
    archive,
    refreshed,
    remove_from_documents,
    require_ledger,
    run_changeset,
)
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackInput:
    """The feedback given on the command line: a ``kind``, the ``severity`` of a failure, context and note."""

    kind: FeedbackKind
    severity: str = ""
    context: str = ""
    note: str = ""


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
        record = changeset.state.records[find_judged(changeset.state, prefix)]
        require_ledger(changeset.state, record)
        forgets = given.kind is FeedbackKind.FORGET
        if forgets and changeset.refuse_pinned(record, workspace.now):
            return None
        is_out = record.status is Status.DEMOTED and record.document is None
        if forgets and is_out and record.review_at is not None:
            since = f" since {format_date(record.demoted_at)}" if record.demoted_at else ""
            return changeset.refuse(record, "demoted", f"already forgotten: demoted{since}")
        _apply(workspace, changeset, record, given, amount)
        return None

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


def _apply(workspace: Workspace, changeset: ChangeSet, record: Record, given: FeedbackInput, amount: int) -> None:
    severity = (given.severity or FailureSeverity.LOW) if given.kind is FeedbackKind.FAILURE else ""
    one = Feedback(
        at=workspace.now, kind=given.kind, amount=amount, severity=severity, context=given.context, note=given.note
    )
    figure = f"{shown_signed(amount)}: " if amount else ""
    changeset.feedback.append((record.id, one))
    changeset.rows.append(
        HistoryRow(at=workspace.now, event="feedback", entry_id=record.id, detail=f"{figure}{described(one)}")
    )
    flagged = {FeedbackKind.CONFIRM: None, FeedbackKind.OUTDATED: workspace.now, FeedbackKind.FORGET: workspace.now}
    review = flagged.get(given.kind, record.review_at)
    after = refreshed(workspace, replace(record, feedback=record.feedback + amount, review_at=review))
    changeset.changed[record.id] = after
    if given.kind is not FeedbackKind.FORGET:
        return
    reason = "; ".join(filter(None, ("a person said to forget it", given.context, given.note)))
    if record.document is None:
        archive(workspace, changeset, after, reason, "feedback")
    else:
        effect = Effect(kind="demote", entry_id=record.id, document=record.document, reason=reason, cause="feedback")
        remove_from_documents(changeset, [effect])
        if changeset.refused:  # reported as refused, so none of it is applied
            changeset.changed.clear()
            changeset.feedback.clear()
            changeset.rows.clear()


def shown_signed(thousandths: int) -> str:
    """Return an amount for display, with its sign: ``+0.1``, ``−0.3``."""
    return f"{'−' if thousandths < 0 else '+'}{shown(abs(thousandths))}"


def _amounts(workspace: Workspace) -> Amounts:
    config = workspace.config
    return Amounts(
        confirm=config.thousandths("feedback.confirm"),
        incorrect=config.thousandths("feedback.incorrect"),
        failure={severity: config.thousandths(f"feedback.failure_{severity}") for severity in FailureSeverity},
    )
