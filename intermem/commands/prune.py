"""``prune``: let go of entries by age, score or number, or by the retention table. Nothing else does, unasked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.retention import Criteria, Leaving, Pruning, expired, pruned
from intermem.entities import Record
from intermem.errors import UsageError
from intermem.project.config_keys import KEYS
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.workflow.changeset import ChangeSet, Plan, archive, decide, take_out
from intermem.workflow.retention import delete_records, draw_expiry, retention_of
from intermem.workflow.workspace import Workspace

_DAYS = next(key.default for key in KEYS if key.name == "retention.days")


@dataclass(slots=True)
class _Count:
    """What a run has found; the draft says what becomes of it."""

    evaluated: int = 0
    leaving: tuple[Leaving, ...] = ()
    deleted: tuple[Leaving, ...] = ()
    spared: tuple[Leaving, ...] = ()
    notices: tuple[str, ...] = ()


def prune(
    workspace: Workspace,
    criteria: Criteria | None,
    *,
    delete: bool = False,
    confirm: bool = False,
    dry_run: bool = False,
    show_diff: bool = False,
    force: bool = False,
) -> Result:
    """Demote (or ``delete``) what ``criteria`` speak against; None: what the retention table lets go.

    Deleting by criteria is a preview unless ``confirm``. Exit code 1 where an entry could not be
    taken out of a document. Raises UsageError where everything would go and nobody confirmed that.
    """
    dry = dry_run or show_diff
    if criteria is not None and criteria.takes_everything(workspace.now) and not confirm and not dry:
        raise UsageError("that means every entry; nothing was changed", hint="add --confirm, or --dry-run to look")
    waits = delete and not confirm and not dry
    count = _Count()

    def draw(draft: ChangeSet) -> None:
        records = list(draft.here.records.values())
        if criteria is None:
            _draw_expiry(workspace, draft, records, count, delete=delete)
        else:
            rules = workspace.config.rules()
            _draw_pruning(
                workspace, draft, pruned(records, criteria, workspace.now, rules, deletes=delete), count, delete
            )

    plan, said = decide(workspace, "prune", draw, dry=dry or waits, force=force)
    return _result(workspace, plan, count, said, dry=dry or waits, waits=waits, show_diff=show_diff)


def _draw_expiry(workspace: Workspace, draft: ChangeSet, records: list[Record], count: _Count, *, delete: bool) -> None:
    expiry = expired(records, retention_of(workspace), workspace.now)
    draw_expiry(workspace, draft, expiry, delete=delete)
    count.evaluated = expiry.evaluated
    count.leaving = () if delete else expiry.demoted
    count.deleted = (*expiry.demoted, *expiry.deleted) if delete else expiry.deleted
    count.notices = tuple(_retention_notices(workspace, records))


def _draw_pruning(workspace: Workspace, draft: ChangeSet, found: Pruning, count: _Count, delete: bool) -> None:
    count.evaluated, count.spared = found.evaluated, found.spared
    count.leaving, count.deleted = ((), found.leaving) if delete else (found.leaving, ())
    unread = draft.here.branch.unread
    for one in found.leaving:
        if one.record.document in unread:
            draft.refuse(one.record, "refused", f"{one.record.document} was refused: intermem doctor says why")
    standing = [one for one in found.leaving if one.record.document is not None and one.record.document not in unread]
    kind = "delete" if delete else "demote"
    effects = [
        Effect(
            kind=kind,
            entry_id=one.record.id,
            document=one.record.document or "",
            reason=f"pruned: {one.reason}",
            cause="prune",
        )
        for one in standing
    ]
    take_out(draft, effects)
    for one in found.leaving:
        if one.record.document is None and delete:
            delete_records(workspace, draft, one, "prune")
        elif one.record.document is None:
            archive(workspace, draft, one.record, f"pruned: {one.reason}", "prune")


def _retention_notices(workspace: Workspace, records: Iterable[Record]) -> Iterable[str]:
    assert isinstance(_DAYS, dict)
    table = workspace.config.table("retention.days")
    types = {record.type for record in records}
    strange = sorted(kind for kind, days in table.items() if _DAYS.get(kind) != days and kind not in types)
    if strange:
        yield f"retention.days names {', '.join(strange)}, which no entry is of"
    if not workspace.config.flag("retention.enabled"):
        yield "retention.enabled is false: only records that were demoted long ago go"


def _result(
    workspace: Workspace,
    plan: Plan,
    count: _Count,
    said: tuple[str, ...],
    *,
    dry: bool,
    waits: bool,
    show_diff: bool,
) -> Result:
    draft = plan.draft
    stuck = {record.id for record, _ in draft.refused}
    demoted = [one for one in count.leaving if one.record.id not in stuck]
    deleted = [one for one in count.deleted if one.record.id not in stuck]
    notices = [*said, *count.notices]
    again = sum(1 for one in deleted if one.record.in_memory)
    if again:
        notices.append(f"the memory still holds {again} of them: the next scan finds them again, as new")
    if waits and deleted:
        notices.append("nothing was written: add --confirm to delete them")
    return Result(
        verb="prune",
        data={
            "evaluated": count.evaluated,
            "pruned": len(demoted) + len(deleted),
            "demoted": [{"entry": without_secret(one.record), "reason": one.reason} for one in demoted],
            "deleted": [{"entry": without_secret(one.record), "reason": one.reason} for one in deleted],
            "citations_cascaded": sum(len(one.record.citations) for one in deleted),
            "spared": [{"entry": without_secret(one.record), "reason": one.reason} for one in count.spared],
            "refused": plan.refused,
            "dry_run": dry,
        },
        exit_code=exit_code_for(draft.here.problems, FINDINGS if draft.refused else 0),
        problems=draft.here.problems,
        notices=tuple(notices),
        changes=plan.changes,
        show_diff=show_diff,
    )
