"""``prune``: let go of entries by age, score or number, or by the retention table. Nothing else does, unasked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from intermem.commands.deciding import Draft, Plan, archive, decide, take_out
from intermem.commands.project import Project
from intermem.core.retention import Criteria, Expiry, Leaving, Pruning, Retention, expired, pruned
from intermem.core.secrets import without_secret
from intermem.entities import HistoryRow, Record
from intermem.errors import UsageError
from intermem.project.config import KEYS
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.storage.operations import Effect

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
    project: Project,
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
    if criteria is not None and criteria.takes_everything(project.now) and not confirm and not dry:
        raise UsageError("that means every entry; nothing was changed", hint="add --confirm, or --dry-run to look")
    waits = delete and not confirm and not dry
    count = _Count()

    def draw(draft: Draft) -> None:
        records = list(draft.here.records.values())
        if criteria is None:
            _draw_expiry(project, draft, records, count, delete=delete)
        else:
            rules = project.config.rules()
            _draw_pruning(project, draft, pruned(records, criteria, project.now, rules, deletes=delete), count, delete)

    plan, said = decide(project, "prune", draw, dry=dry or waits, force=force)
    return _result(project, plan, count, said, dry=dry or waits, waits=waits, show_diff=show_diff)


def retention_of(project: Project) -> Retention:
    """Return the retention table of the configuration."""
    config = project.config
    return Retention(
        enabled=config.flag("retention.enabled"),
        days={kind: int(days) for kind, days in config.table("retention.days").items()},
        archive_days=config.count("retention.archive_days"),
        superseded_days=config.count("retention.superseded_days"),
    )


def draw_expiry(project: Project, draft: Draft, expiry: Expiry, *, delete: bool = False) -> None:
    """Put into the draft what the retention table lets go; none of it stands in a document."""
    for one in expiry.demoted:
        if delete:
            _delete(project, draft, one, "retention")
        else:
            archive(project, draft, one.record, one.reason, "retention")
    for one in expiry.deleted:
        _delete(project, draft, one, "superseded" if one.record.superseded_by is not None else "retention")


def _draw_expiry(project: Project, draft: Draft, records: list[Record], count: _Count, *, delete: bool) -> None:
    expiry = expired(records, retention_of(project), project.now)
    draw_expiry(project, draft, expiry, delete=delete)
    count.evaluated = expiry.evaluated
    count.leaving = () if delete else expiry.demoted
    count.deleted = (*expiry.demoted, *expiry.deleted) if delete else expiry.deleted
    count.notices = tuple(_retention_notices(project, records))


def _draw_pruning(project: Project, draft: Draft, found: Pruning, count: _Count, delete: bool) -> None:
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
            _delete(project, draft, one, "prune")
        elif one.record.document is None:
            archive(project, draft, one.record, f"pruned: {one.reason}", "prune")


def _delete(project: Project, draft: Draft, one: Leaving, cause: str) -> None:
    draft.deleted.add(one.record.id)
    row = HistoryRow(at=project.now, event="deleted", entry_id=one.record.id, detail=one.reason, cause=cause)
    draft.rows.append(row)


def _retention_notices(project: Project, records: Iterable[Record]) -> Iterable[str]:
    assert isinstance(_DAYS, dict)
    table = project.config.table("retention.days")
    types = {record.type for record in records}
    strange = sorted(kind for kind, days in table.items() if _DAYS.get(kind) != days and kind not in types)
    if strange:
        yield f"retention.days names {', '.join(strange)}, which no entry is of"
    if not project.config.flag("retention.enabled"):
        yield "retention.enabled is false: only records that were demoted long ago go"


def _result(
    project: Project,
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
