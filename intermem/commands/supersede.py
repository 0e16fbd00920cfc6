"""``demote OLD --by NEW``: record that one entry replaces another."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.entries.identity import identity
from intermem.core.lifecycle.effects import Effect
from intermem.entities import SUPERSEDED_BY, Record, Status
from intermem.errors import UsageError
from intermem.results.decide import DecisionResult
from intermem.workflow.branch_state import BranchState
from intermem.workflow.changeset import ChangeSet, archive, remove_from_documents, require_ledger, run_changeset
from intermem.workflow.decision import decision_on
from intermem.workflow.notes import written_of
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


def supersede(
    workspace: Workspace,
    old: str,
    new: str,
    *,
    reason: str = "",
    mode: RunMode,
) -> DecisionResult:
    """Demote the entry named by ``old`` in favour of the one named by ``new``.

    Exit code 1 if it was refused. Raises NoSuchEntry, UsageError (for an entry and itself, or a
    cycle), NoDocument, with nothing written.
    """

    unplaced: list[str] = []

    def collect(changeset: ChangeSet) -> None:
        unplaced.clear()
        state = changeset.state
        record, heir = (state.records[changeset.find(prefix)] for prefix in (old, new))
        require_ledger(state, record)
        _refuse_cycles(state, record, heir)
        if record.superseded_by == heir.id and record.document is None and _is_final(record):
            return changeset.refuse(record, "superseded", f"already superseded by {heir.entry_id[:8]}")
        if heir.document is None and (heir.rejected_at is not None or heir.demoted_at is not None):
            return changeset.refuse(record, "heir", f"{heir.entry_id[:8]} was itself demoted or rejected")
        if record.rejected_at is not None and changeset.refuse_withdrawn(record):
            return None
        if changeset.refuse_pinned(record, workspace.now) or changeset.refuse_missing(record):
            return None
        if record.document is not None and identity(written_of(workspace, heir) or "") == record.id:
            same = f"of {heir.entry_id[:8]} the very same words would be written: there is nothing to replace"
            return changeset.refuse(record, "same", same)
        detail = f"{SUPERSEDED_BY} {heir.entry_id[:8]}{': ' if reason else ''}{reason}"
        after = replace(record, superseded_by=heir.id)
        if record.document is None:
            archive(workspace, changeset, after, detail, "superseded", tells=True)
            return None
        changeset.changed[record.id] = after
        effect = Effect(kind="demote", entry_id=record.id, document=record.document, reason=detail, cause="superseded")
        remove_from_documents(changeset, [effect])
        if changeset.refused:
            del changeset.changed[record.id]
        elif heir.document is None:
            unplaced.append(_unplaced(record, heir))
        return None

    plan, recovered = run_changeset(workspace, "demote", collect, mode)
    told = (*recovered, *unplaced, *_prunable(workspace, plan.after))
    return decision_on(plan, mode, "demote", "superseded", documents=plan.destinations, notices=told)


def _unplaced(record: Record, heir: Record) -> str:
    key = heir.entry_id[:8]
    return f"nothing replaces it in {record.document} until {key} is in a document: intermem promote {key}"


def _is_final(record: Record) -> bool:
    """Whether a person put the heir in its place; where a scan did, the entry may be kept out for another reason."""
    return record.status is Status.DEMOTED and not record.kept_out and record.review_at is None


def _refuse_cycles(state: BranchState, record: Record, heir: Record) -> None:
    current = heir
    seen: set[str] = set()
    while current.id != record.id:
        seen.add(current.id)
        following = state.records.get(current.superseded_by or "")
        if following is None or following.id in seen:
            return
        current = following
    what = "itself" if heir is record else f"{heir.entry_id[:8]}, which it superseded"
    back = f"intermem demote {record.entry_id[:8]}, and then intermem restore {heir.entry_id[:8]}"
    reword = "name another entry; to reword this one, edit its line in the document"
    hint = reword if heir is record else back
    raise UsageError(f"{record.entry_id[:8]} cannot be superseded by {what}", hint=hint)


def _prunable(workspace: Workspace, superseded: tuple[Record, ...]) -> list[str]:
    days = workspace.config.count("retention.superseded_days")
    if not superseded or not days:
        return []
    held = ", once the note is gone from the memory" if superseded[0].in_memory else ""
    return [f"intermem prune --expired --delete deletes its record after {days} days{held} (retention.superseded_days)"]
