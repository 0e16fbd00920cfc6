"""``restore``, ``reject``, ``demote``: a person's word on single entries, through the same journal as all else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intermem.core.entries.observation import preview_of
from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.core.reconcile.ledger import Line, Standing
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.model import record_of_line
from intermem.core.region.edit import Addition, edited
from intermem.core.region.place import place_region
from intermem.core.times import format_date, format_time
from intermem.entities import HistoryRow, Record, Status
from intermem.errors import EditRefused, NoSuchEntry
from intermem.results import FINDINGS, Result, exit_code_for
from intermem.workflow.branch_state import BranchState, find_entry, find_line, lineage_here
from intermem.workflow.changeset import ChangeSet, run_changeset, section_of, take_out
from intermem.workflow.run_mode import RunMode
from intermem.workflow.targets import find_target, text_refusal
from intermem.workflow.workspace import Workspace

_DONE = {"restore": "restored", "reject": "rejected", "demote": "demoted"}


def judge_entries(
    workspace: Workspace,
    verb: str,
    prefixes: Sequence[str],
    *,
    reason: str = "",
    mode: RunMode,
) -> Result:
    """Carry out ``verb`` (restore, reject or demote) on the entries that ``prefixes`` name.

    Exit code 1 where one of them was refused; the others are done. Raises NoSuchEntry with nothing
    written where a prefix names no entry.
    """

    def collect(changeset: ChangeSet) -> None:
        keys = list(dict.fromkeys(_meant(workspace, changeset.here, prefix, verb) for prefix in prefixes))
        if verb == "restore":
            for key in keys:
                _restore(workspace, changeset, key, reason)
        else:
            take_out(changeset, [one for key in keys if (one := _departure(changeset, key, verb, reason)) is not None])

    plan, said = run_changeset(workspace, verb, collect, mode)
    here, refused = plan.changeset.here, plan.changeset.refused
    return Result(
        verb=verb,
        data={
            _DONE[verb]: [without_secret(record) for record in plan.after],
            "refused": plan.refused,
            "documents": {effect.entry_id: effect.document for effect in plan.changeset.effects},
            "dry_run": mode.dry,
        },
        exit_code=exit_code_for(here.problems, FINDINGS if refused else 0),
        problems=here.problems,
        notices=said,
        changes=plan.changes,
        show_diff=mode.show_diff,
    )


def _meant(workspace: Workspace, here: BranchState, prefix: str, verb: str) -> str:
    """The id that a prefix names: a record, else (to restore) a line of the ledger or of the documents' history."""
    try:
        return find_entry(here, prefix)
    except NoSuchEntry:
        wanted = checked_prefix(prefix)
        lines = here.ledger.lines if here.ledger is not None else {}
        found = {key for key in lines if key.startswith(wanted)}
        if found or verb != "restore":
            return only_one(prefix, found)
        return only_one(prefix, lineage_here(workspace, here).ids_like(wanted))


def _restore(workspace: Workspace, changeset: ChangeSet, key: str, reason: str) -> None:
    here = changeset.here
    record = here.records.get(key)
    line = find_line(here, key)
    lineage = Lineage()
    if record is None or record.text is None:
        lineage = lineage_here(workspace, here)
        record = _from_history(workspace, key, line, lineage, record)
        if key not in here.records:
            changeset.made[key] = record
    if record.document is not None:
        return changeset.refuse(record, "stands", f"it stands in {record.document}")
    never_promised = line is None or line.status is Standing.REJECTED
    if record.promoted_at is None and record.demoted_at is not None and never_promised:
        return _bring_back(workspace, changeset, record, reason)
    never_stood = record.promoted_at is None and record.demoted_at is None
    if never_stood or (record.text is None and line is not None and line.status is Standing.REJECTED):
        return _lift(changeset, workspace, record)
    heir = here.records.get(record.superseded_by or "")
    own = line is not None and line.id == key  # a reworded line has none: its newer wording took it over
    if heir is not None and heir.document is not None and not own:
        return changeset.refuse(record, "superseded", f"its newer wording {heir.id[:8]} stands in {heir.document}")
    if record.text is None:
        return changeset.refuse(record, "text", "its text is neither in metadata.db nor in the history of a document")
    if line is not None and line.document in here.branch.unread:
        return changeset.refuse(record, "refused", f"{line.document} was refused: intermem doctor says why")
    document = here.documents.named(line.document) if line is not None else None
    document = document or find_target(workspace, here.documents, None)
    text = place_region(changeset.text_of(document), document.name)
    refusal = text_refusal(workspace, record, document.name, text)
    if refusal is not None:
        return changeset.refuse(record, refusal.gate, refusal.reason)
    try:
        addition = Addition(record.text, section_of(here, record))
        changeset.texts[document.name] = edited(text, document.name, add=[addition])
    except EditRefused as error:
        return changeset.refuse(record, "unsafe", error.message)
    was = "missing" if record.missing_from else "rejected" if record.rejected_at else "demoted"
    until = workspace.now + workspace.config.span("sweep.grace")
    changeset.effects.append(
        Effect(
            kind="restore",
            entry_id=key,
            document=document.name,
            reason=reason or f"by hand; it was {was}. No sweep counts against it until {format_date(until)}",
            original_confidence=record.base_confidence,
            grace_until=format_time(until),
        )
    )
    return None


def _bring_back(workspace: Workspace, changeset: ChangeSet, record: Record, reason: str) -> None:
    """What was put away before it ever stood in a document is a note again that promote may take."""
    until = workspace.now + workspace.config.span("sweep.grace")
    changeset.lifted.add(record.id)
    changeset.changed[record.id] = replace(
        record,
        status=Status.ACTIVE,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        review_at=None,
        stale_streak=0,
        grace_until=until,
        reason=reason or f"by hand; nothing prunes it until {format_date(until)}",
    )
    _restored(workspace, changeset, record.id)


def _lift(changeset: ChangeSet, workspace: Workspace, record: Record) -> None:
    """What never stood in a document goes back to where it was: a note that promote may take."""
    line = find_line(changeset.here, record.id)
    if record.rejected_at is None and (line is None or line.status is not Standing.REJECTED):
        reason = f"it never stood in a document; intermem why {record.id[:8]} says what is against it"
        return changeset.refuse(record, "never-promoted", reason)
    changeset.made.pop(record.id, None)
    reason = "its rejection is lifted; promote may take it"
    until = workspace.now + workspace.config.span("sweep.grace")
    changeset.changed[record.id] = replace(record, rejected_at=None, grace_until=until, reason=reason)
    changeset.lifted.add(record.id)
    return _restored(workspace, changeset, record.id)


def _restored(workspace: Workspace, changeset: ChangeSet, key: str) -> None:
    detail = changeset.changed[key].reason
    changeset.rows.append(HistoryRow(at=workspace.now, event="restored", entry_id=key, detail=detail))


def _departure(changeset: ChangeSet, key: str, verb: str, reason: str) -> Effect | None:
    """What takes an entry out; None where that was refused."""
    here = changeset.here
    record = here.records.get(key)
    line = find_line(here, key)
    if record is None:
        assert line is not None
        record = record_of_line(line, None)
        changeset.made[key] = record
    if verb == "reject" and record.rejected_at is not None and record.document is None:
        changeset.refuse(record, "rejected", f"rejected already, on {format_date(record.rejected_at)}")
        return None
    if verb == "demote" and record.document is None:
        changeset.refuse(record, "absent", "it stands in no document")
        return None
    name = record.document or record.missing_from or (line.document if line is not None else "")
    return Effect(kind=verb, entry_id=key, document=name, reason=reason or "by hand", cause="hand")


def _from_history(workspace: Workspace, key: str, line: Line | None, lineage: Lineage, record: Record | None) -> Record:
    """The record of an entry whose text only the history of a document has; without text where that lacks it too."""
    item = lineage.item(key)
    text = item.text if item is not None else None
    if record is None and line is not None:
        record = replace(record_of_line(line, None), id=key)
    if record is None:
        record = Record(
            id=key,
            text=text,
            preview="",
            section=item.section if item is not None else "",
            source_file="",
            first_seen=workspace.now,
            last_seen=workspace.now,
            status=Status.DEMOTED,
            promoted_at=workspace.now,
        )
    return record if text is None else replace(record, text=text, preview=preview_of(text), read_by=0)
