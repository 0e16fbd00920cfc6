"""Apply feedback to an entry: its confidence, its review flag, and its demotion where it is to be forgotten."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.feedback import FailureSeverity, FeedbackKind, described
from intermem.core.times import format_date
from intermem.entities import FOR_REVIEW, Feedback, HistoryRow, Record, Status
from intermem.lazy_dataclass import dataclass
from intermem.workflow.changeset import ChangeSet, archive, refreshed, remove_from_documents
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackInput:
    """Feedback as given: a ``kind``, the ``severity`` of a failure, context and note."""

    kind: FeedbackKind
    severity: str = ""
    context: str = ""
    note: str = ""


def apply_feedback(
    workspace: Workspace, changeset: ChangeSet, record: Record, given: FeedbackInput, amount: int
) -> Record:
    """Add the feedback to the change set, and return the record with it."""
    severity = (given.severity or FailureSeverity.LOW) if given.kind is FeedbackKind.FAILURE else ""
    one = Feedback(
        at=workspace.now, kind=given.kind, amount=amount, severity=severity, context=given.context, note=given.note
    )
    figure = f"{_signed(amount)}: " if amount else ""
    changeset.feedback.append((record.id, one))
    changeset.rows.append(
        HistoryRow(at=workspace.now, event="feedback", entry_id=record.id, detail=f"{figure}{described(one)}")
    )
    flagged = {FeedbackKind.CONFIRM: None, FeedbackKind.OUTDATED: workspace.now, FeedbackKind.FORGET: workspace.now}
    review = flagged.get(given.kind, record.review_at)
    after = refreshed(workspace, replace(record, feedback=record.feedback + amount, review_at=review))
    changeset.changed[record.id] = after
    return after


def forget(workspace: Workspace, changeset: ChangeSet, record: Record, given: FeedbackInput) -> None:
    """Demote ``record`` and flag it for review, unless it is pinned, missing, rejected, or was so demoted already."""
    if changeset.refuse_pinned(record, workspace.now) or changeset.refuse_missing(record):
        return
    if record.rejected_at is not None and changeset.refuse_withdrawn(record):
        return
    if record.status is Status.DEMOTED and record.document is None and record.review_at is not None:
        since = f" since {format_date(record.demoted_at)}" if record.demoted_at else ""
        day = format_date(record.review_at)
        changeset.refuse(record, "demoted", f"already demoted{since}, and flagged for review on {day}")
        return
    reason = "; ".join(filter(None, (FOR_REVIEW, given.context, given.note)))
    if record.document is None:
        flagged = apply_feedback(workspace, changeset, record, given, 0)
        archive(workspace, changeset, flagged, reason, "feedback", tells=True)
        return
    before = len(changeset.refused)
    effect = Effect(kind="demote", entry_id=record.id, document=record.document, reason=reason, cause="feedback")
    remove_from_documents(changeset, [effect])
    if len(changeset.refused) == before:
        apply_feedback(workspace, changeset, record, given, 0)


def _signed(thousandths: int) -> str:
    """Return an amount for display, with its sign: ``+0.1``, ``−0.3``."""
    return f"{'−' if thousandths < 0 else '+'}{shown(abs(thousandths))}"
