"""``feedback``: what a person says of an entry counts at once, and stays on record with its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.feedback import FailureSeverity, FeedbackKind, Worth, amount_of, described
from intermem.core.times import format_date
from intermem.entities import Feedback, HistoryRow, Record, Status
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.workflow.branch_state import find_entry
from intermem.workflow.changeset import ChangeSet, archive, refreshed, require_ledger, run_changeset, take_out
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackInput:
    """What the command line says: a ``kind``, of a failure its ``severity``, and words to remember it by."""

    kind: FeedbackKind
    severity: str = ""
    context: str = ""
    note: str = ""


def feedback(
    workspace: Workspace,
    prefix: str,
    said: FeedbackInput,
    *,
    mode: RunMode,
) -> Result:
    """Record feedback on the entry that ``prefix`` names, and what follows from it: figures, a flag, a demotion.

    Exit code 1 where it was refused. Raises NoSuchEntry, NoDocument.
    """
    amount = amount_of(said.kind, said.severity, _worth(workspace))

    def collect(changeset: ChangeSet) -> None:
        record = changeset.here.records[find_entry(changeset.here, prefix)]
        require_ledger(changeset.here, record)
        if said.kind is FeedbackKind.FORGET and record.status is Status.DEMOTED and record.document is None:
            since = f" since {format_date(record.demoted_at)}" if record.demoted_at else ""
            return changeset.refuse(record, "demoted", f"it is forgotten already: demoted{since}")
        _say(workspace, changeset, record, said, amount)
        return None

    plan, notices = run_changeset(workspace, "feedback", collect, mode)
    here, refused = plan.changeset.here, plan.changeset.refused
    (entry,) = [record for record, _ in refused] or plan.after
    return Result(
        verb="feedback",
        data={
            "entry": without_secret(entry),
            "kind": str(said.kind),
            "amount": amount / 1000,
            "refused": plan.refused,
            "documents": {effect.entry_id: effect.document for effect in plan.changeset.effects},
            "dry_run": mode.dry,
        },
        exit_code=exit_code_for(here.problems, FINDINGS if refused else 0),
        problems=here.problems,
        notices=notices,
        changes=plan.changes,
        show_diff=mode.show_diff,
    )


def _say(workspace: Workspace, changeset: ChangeSet, record: Record, said: FeedbackInput, amount: int) -> None:
    severity = (said.severity or FailureSeverity.LOW) if said.kind is FeedbackKind.FAILURE else ""
    one = Feedback(
        at=workspace.now, kind=said.kind, amount=amount, severity=severity, context=said.context, note=said.note
    )
    figure = f"{shown_signed(amount)}: " if amount else ""
    changeset.given.append((record.id, one))
    changeset.rows.append(
        HistoryRow(at=workspace.now, event="feedback", entry_id=record.id, detail=f"{figure}{described(one)}")
    )
    flagged = {FeedbackKind.CONFIRM: None, FeedbackKind.OUTDATED: workspace.now, FeedbackKind.FORGET: workspace.now}
    review = flagged.get(said.kind, record.review_at)
    after = refreshed(workspace, replace(record, feedback=record.feedback + amount, review_at=review))
    changeset.changed[record.id] = after
    if said.kind is not FeedbackKind.FORGET:
        return
    after = replace(after, pinned=False, pinned_until=None)  # the later word of a person is the one that counts
    changeset.changed[record.id] = after
    reason = "; ".join(filter(None, ("a person said to forget it", said.context, said.note)))
    if record.document is None:
        archive(workspace, changeset, after, reason, "feedback")
    else:
        effect = Effect(kind="demote", entry_id=record.id, document=record.document, reason=reason, cause="feedback")
        take_out(changeset, [effect])
        if changeset.refused:  # told as not done, so nothing of it is
            changeset.changed.clear()
            changeset.given.clear()
            changeset.rows.clear()


def shown_signed(thousandths: int) -> str:
    """Return an amount as people read it, with its sign: ``+0.1``, ``−0.3``."""
    return f"{'−' if thousandths < 0 else '+'}{shown(abs(thousandths))}"


def _worth(workspace: Workspace) -> Worth:
    config = workspace.config
    return Worth(
        confirm=config.thousandths("feedback.confirm"),
        incorrect=config.thousandths("feedback.incorrect"),
        failure={severity: config.thousandths(f"feedback.failure_{severity}") for severity in FailureSeverity},
    )
