"""``supersede``: a person says that one entry has taken the place of another."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.entities import Record, Status
from intermem.errors import UsageError
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.workflow.branch_state import BranchState, find_entry
from intermem.workflow.changeset import ChangeSet, archive, require_ledger, run_changeset, take_out
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


def supersede(
    workspace: Workspace,
    old: str,
    new: str,
    *,
    reason: str = "",
    mode: RunMode,
) -> Result:
    """Demote the entry that ``old`` names, since the one that ``new`` names says it better.

    Exit code 1 where it was refused. Raises NoSuchEntry, UsageError (an entry and itself, or in a
    ring), NoDocument, with nothing written.
    """

    def collect(changeset: ChangeSet) -> None:
        here = changeset.here
        record, heir = (here.records[find_entry(here, prefix)] for prefix in (old, new))
        require_ledger(here, record)
        _refuse_rings(here, record, heir)
        if record.superseded_by == heir.id and record.document is None and record.status is Status.DEMOTED:
            return changeset.refuse(record, "superseded", f"{heir.id[:8]} superseded it already")
        if heir.document is None and (heir.rejected_at is not None or heir.demoted_at is not None):
            return changeset.refuse(record, "heir", f"{heir.id[:8]} was itself demoted or rejected")
        if record.is_pinned(workspace.now):
            return changeset.refuse(record, "pinned", f"it is pinned: intermem unpin {record.id[:8]} first")
        because = f"superseded by {heir.id[:8]}{': ' if reason else ''}{reason}"
        after = replace(record, superseded_by=heir.id)
        if record.document is None:
            archive(workspace, changeset, after, because, "superseded")
            return None
        changeset.changed[record.id] = after
        effect = Effect(kind="demote", entry_id=record.id, document=record.document, reason=because, cause="superseded")
        take_out(changeset, [effect])
        if changeset.refused:
            del changeset.changed[record.id]
        return None

    plan, said = run_changeset(workspace, "supersede", collect, mode)
    here, refused = plan.changeset.here, plan.changeset.refused
    return Result(
        verb="supersede",
        data={
            "superseded": [without_secret(record) for record in plan.after],
            "refused": plan.refused,
            "documents": {effect.entry_id: effect.document for effect in plan.changeset.effects},
            "dry_run": mode.dry,
        },
        exit_code=exit_code_for(here.problems, FINDINGS if refused else 0),
        problems=here.problems,
        notices=(*said, *_prunable(workspace, plan.after)),
        changes=plan.changes,
        show_diff=mode.show_diff,
    )


def _refuse_rings(here: BranchState, record: Record, heir: Record) -> None:
    met = heir
    seen: set[str] = set()
    while met.id != record.id:
        seen.add(met.id)
        following = here.records.get(met.superseded_by or "")
        if following is None or following.id in seen:
            return
        met = following
    what = "itself" if heir is record else f"{heir.id[:8]}, which it superseded"
    raise UsageError(f"{record.id[:8]} cannot be superseded by {what}", hint="intermem supersede OLD NEW")


def _prunable(workspace: Workspace, superseded: tuple[Record, ...]) -> list[str]:
    days = workspace.config.count("retention.superseded_days")
    if not superseded or not days:
        return []
    held = ", once the memory lets go of the note" if superseded[0].in_memory else ""
    return [f"intermem prune --expired deletes its record after {days} days{held} (retention.superseded_days)"]
