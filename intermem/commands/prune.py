"""``prune``: remove entries by age, score or number, or by the retention table. It never runs on its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.retention import Criteria, Leaving, Pruning, expired, held_elsewhere, pruned
from intermem.core.lifecycle.selection import ANY, Selectors
from intermem.entities import Record, Status
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, RefusedEntry, exit_code_for
from intermem.results.decide import PruneResult
from intermem.workflow.branch_state import find_line
from intermem.workflow.changeset import ChangeSet, Plan, archive, remove_from_documents, run_changeset
from intermem.workflow.retention import (
    collect_deletion,
    collect_expiry,
    heirs_in_ledger,
    retention_of,
    told_in_ledger,
    unused_types,
)
from intermem.workflow.run_mode import RunMode
from intermem.workflow.unread import unread_notices
from intermem.workflow.unscanned import gone_stale_notices, kept_notices
from intermem.workflow.workspace import Workspace


@dataclass(slots=True)
class _Count:
    """What a run has found; the change set holds what is done about it."""

    evaluated: int = 0
    demoted: tuple[Leaving, ...] = ()
    deleted: tuple[Leaving, ...] = ()
    spared: tuple[Leaving, ...] = ()
    notices: tuple[str, ...] = ()
    kept: int = 0


def prune(
    workspace: Workspace,
    criteria: Criteria | None,
    *,
    wanted: Selectors = ANY,
    delete: bool = False,
    confirm: bool = False,
    mode: RunMode,
) -> PruneResult:
    """Demote (or ``delete``) those of the ``wanted`` entries that meet ``criteria``; None: what retention expires.

    Records that were demoted long ago expire too, and are only counted unless they are to be deleted.
    Deleting is a preview unless ``confirm``. Exit code 1 if no entry goes: none meets the criteria, or all that do are
    spared (not where all that expires was asked for); or if one could not be removed from a document.
    """
    waits = delete and not confirm and not mode.dry
    mode = mode.dry_if(waits)
    count = _Count()

    def collect(changeset: ChangeSet) -> None:
        state = changeset.state
        chosen = changeset.selected(wanted, workspace.now) if wanted else state.records.values()
        records = [one for one in chosen if one.id not in state.told]  # there is nothing of it to remove
        if criteria is None:
            _collect_expiry(workspace, changeset, {one.id for one in records}, count, delete=delete)
        else:
            if criteria.judges:
                records = list(changeset.judged(records))
            rules = workspace.config.rules()
            seen = changeset.seen(records)
            found, unscanned = (
                pruned(some, criteria, workspace.now, rules, deletes=delete, selected_by=wanted.criteria)
                for some in (seen, records)
            )
            count.kept = len(unscanned.ids - found.ids)
            _collect_pruning(workspace, changeset, found, count, delete)
            count.notices = (
                *_held_notices(
                    held_elsewhere((one for one in records if one.id not in state.unread), criteria, workspace.now)
                ),
                *_unlooked(records, found),
            )
        count.notices += tuple(unread_notices(records, state.unread))
        count.notices += tuple(gone_stale_notices(workspace, wanted, changeset.known(wanted), changeset.seen))

    plan, notices = run_changeset(workspace, "prune", collect, mode)
    result = _result(plan, count, notices, mode, waits=waits)
    found_none = (criteria is not None or bool(wanted)) and not (count.demoted or count.deleted)
    return replace(result, exit_code=exit_code_for(result.problems, FINDINGS)) if found_none else result


def _collect_expiry(
    workspace: Workspace, changeset: ChangeSet, chosen: set[str], count: _Count, *, delete: bool
) -> None:
    """Collect what expires of the ``chosen`` records; what protects one may be any other."""
    state = changeset.state
    records = [one for key, one in state.records.items() if key not in state.told]
    seen = changeset.seen(records)
    known = told_in_ledger(state), heirs_in_ledger(state)
    expiry, unscanned = (
        expired(some, retention_of(workspace), workspace.now, *known).among(chosen) for some in (seen, records)
    )
    count.kept = len(unscanned.demoted) - len(expiry.demoted)
    waiting = () if delete else expiry.deleted
    expiry = replace(expiry, deleted=expiry.deleted if delete else ())
    collect_expiry(workspace, changeset, expiry, delete=delete)
    count.evaluated = expiry.evaluated
    count.spared = tuple(one for one in expiry.spared if delete or one.record.status is not Status.DEMOTED)
    count.demoted = () if delete else expiry.demoted
    count.deleted = (*expiry.demoted, *expiry.deleted) if delete else expiry.deleted
    count.notices = tuple(_retention_notices(workspace, records, len(waiting)))


def _collect_pruning(workspace: Workspace, changeset: ChangeSet, found: Pruning, count: _Count, delete: bool) -> None:
    count.evaluated, count.spared = found.evaluated, found.spared
    count.demoted, count.deleted = ((), found.leaving) if delete else (found.leaving, ())
    unread = changeset.state.branch.unread
    for one in found.leaving:
        if one.record.document in unread:
            changeset.refuse(one.record, "refused", f"{one.record.document} was refused: intermem doctor says why")
    standing = [one for one in found.leaving if one.record.document is not None and one.record.document not in unread]
    remove_from_documents(changeset, [_effect(one, delete=delete) for one in standing])
    for one in found.leaving:
        if one.record.document is None and delete and find_line(changeset.state, one.record.id) is not None:
            changeset.effects.append(_effect(one, delete=True))  # so that the ledger keeps it out
        elif one.record.document is None and delete:
            collect_deletion(workspace, changeset, one, "prune")
        elif one.record.document is None:
            archive(workspace, changeset, one.record, f"pruned: {one.reason}", "prune")


def _effect(one: Leaving, *, delete: bool) -> Effect:
    return Effect(
        kind="delete" if delete else "demote",
        entry_id=one.record.id,
        document=one.record.document or "",
        reason=f"pruned: {one.reason}",
        cause="prune",
    )


def _retention_notices(workspace: Workspace, records: Iterable[Record], waiting: int) -> Iterable[str]:
    yield from unused_types(workspace, "retention.days", records)
    if not workspace.config.flag("retention.enabled"):
        yield "retention.enabled is false: no entry is demoted by its type"
    if waiting:
        were = "1 record was" if waiting == 1 else f"{waiting} records were"
        yield f"{were} demoted long ago: intermem prune --expired --delete --confirm deletes what has expired"


def _unlooked(records: list[Record], found: Pruning) -> Iterable[str]:
    """Say why nothing was evaluated of what was selected."""
    if records and not found.evaluated:
        yield "what is missing or rejected is not considered, nor, without --delete, what is demoted already"


def _held_notices(held: int) -> Iterable[str]:
    if held:
        entries = "1 entry that this clone has" if held == 1 else f"{held} entries that this clone has"
        yield f"kept {entries} not seen for so long: another memory held {'it' if held == 1 else 'them'} since"


def _result(plan: Plan, count: _Count, recovered: tuple[str, ...], mode: RunMode, *, waits: bool) -> PruneResult:
    changeset = plan.changeset
    refused = {record.id for record, _ in changeset.refused}
    demoted = [one for one in count.demoted if one.record.id not in refused]
    deleted = [one for one in count.deleted if one.record.id not in refused]
    after = {record.id: record for record in plan.after}
    notices = [*recovered, *count.notices, *kept_notices(count.kept)]
    again = sum(1 for one in deleted if one.record.in_memory)
    if again:
        notices.append(f"the last scan found {again} of them in the memory: while they are, the next adds them as new")
        if any(one.record.in_memory and one.record.promoted_at is not None for one in deleted):
            notices.append("what was in a document stays out of it: intermem restore brings it back if a commit has it")
    if waits and deleted:
        notices.append("nothing was written: add --confirm to delete them")
    return PruneResult(
        evaluated=count.evaluated,
        pruned=len(demoted) + len(deleted),
        by_type=Counter(one.record.type for one in (*demoted, *deleted)),
        demoted=[without_secret(after[one.record.id]) for one in demoted],
        deleted=[without_secret(replace(after[one.record.id], reason=one.reason)) for one in deleted],
        documents=plan.destinations,
        citations_cascaded=sum(len(one.record.citations) for one in deleted),
        spared=[RefusedEntry(without_secret(one.record), "protected", one.reason) for one in count.spared],
        refused=plan.refused,
        dry_run=mode.dry,
        exit_code=exit_code_for(changeset.state.problems, FINDINGS if changeset.refused else 0),
        problems=changeset.state.problems,
        notices=tuple(notices),
        changes=plan.changes,
        show_diff=mode.show_diff,
    )
