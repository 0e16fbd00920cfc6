"""``restore``, ``reject``, ``demote``: a person's word on single entries, through the same journal as all else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from intermem.commands.edits import Edit, document_edit, intents_for, ledger_edits
from intermem.commands.project import Project
from intermem.commands.recovery import finish
from intermem.commands.standing import (
    Here,
    find_entry,
    find_line,
    lineage_here,
    missing_notices,
    save_reconciliation,
    standing_here,
)
from intermem.commands.targets import find_target, text_refusal
from intermem.core.ledger import Line, Standing
from intermem.core.lifecycle import Refusal
from intermem.core.lineage import Lineage
from intermem.core.observation import preview_of
from intermem.core.people import record_of_line
from intermem.core.placing import place_region
from intermem.core.secrets import without_secret
from intermem.core.splicing import Addition, edited
from intermem.core.times import format_date, format_time
from intermem.entities import HistoryRow, Record, Status
from intermem.errors import EditRefused, NoDocument, NoSuchEntry
from intermem.project.documents import Document
from intermem.results import FINDINGS, Change, Result, exit_code_for
from intermem.storage.metadata import Metadata, checked_prefix, only_one
from intermem.storage.operations import Effect, after_effect
from intermem.storage.writing import add_history, save_records

_DONE = {"restore": "restored", "reject": "rejected", "demote": "demoted"}


@dataclass(slots=True)
class _Draft:
    """What a run has decided so far: texts by document, effects, and who is refused."""

    here: Here
    documents: dict[str, Document] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    made: dict[str, Record] = field(default_factory=dict)
    lifted: list[Record] = field(default_factory=list)
    refused: list[tuple[Record, Refusal]] = field(default_factory=list)

    def text_of(self, document: Document) -> str:
        self.documents[document.name] = document
        return self.texts.get(document.name, document.text)


@dataclass(frozen=True, slots=True)
class _Plan:
    here: Here
    edits: tuple[Edit, ...]
    effects: tuple[Effect, ...]
    made: tuple[Record, ...]
    lifted: tuple[Record, ...]
    after: tuple[Record, ...]
    refused: tuple[tuple[Record, Refusal], ...]


def judge_entries(
    project: Project,
    verb: str,
    prefixes: Sequence[str],
    *,
    reason: str = "",
    dry_run: bool = False,
    show_diff: bool = False,
    force: bool = False,
) -> Result:
    """Carry out ``verb`` (restore, reject or demote) on the entries that ``prefixes`` name.

    Exit code 1 where one of them was refused; the others are done. Raises NoSuchEntry with nothing
    written where a prefix names no entry.
    """
    dry = dry_run or show_diff
    if not dry:
        project.refuse_strange_moments(force=force)
    said = project.recovered(dry=dry)
    with project.viewing() as metadata:  # a wrong id leaves no trace
        plan = _planned(project, metadata, verb, prefixes, reason)
    if not dry and (plan.effects or plan.lifted or plan.edits):
        with project.writing(force=force) as (metadata, more):
            said += more
            with project.recorded(metadata, verb) as recording:
                plan = _planned(project, metadata, verb, prefixes, reason)
                save_reconciliation(project, metadata, plan.here)
                _save(project, metadata, plan)
                recording.intends(plan.effects, intents_for(project, plan.edits))
            finish(metadata, recording.pending)
    return Result(
        verb=verb,
        data={
            _DONE[verb]: [without_secret(record) for record in plan.after],
            "refused": [
                {"entry": without_secret(record), "gate": refusal.gate, "reason": refusal.reason}
                for record, refusal in plan.refused
            ],
            "documents": {effect.entry_id: effect.document for effect in plan.effects},
            "dry_run": dry,
        },
        exit_code=exit_code_for(plan.here.problems, FINDINGS if plan.refused else 0),
        problems=plan.here.problems,
        notices=(*said, *missing_notices(plan.here)) if dry else tuple(said),
        changes=tuple(Change(edit.name, edit.before, edit.after) for edit in plan.edits),
        show_diff=show_diff,
    )


def _planned(project: Project, metadata: Metadata, verb: str, prefixes: Sequence[str], reason: str) -> _Plan:
    here = standing_here(project, metadata)
    draft = _Draft(here)
    for key in dict.fromkeys(_meant(project, here, prefix, verb) for prefix in prefixes):
        if verb == "restore":
            _restore(project, draft, key, reason)
        else:
            _take_out(draft, key, verb, reason)
    after = {**here.records, **draft.made}
    for effect in draft.effects:
        after[effect.entry_id] = after_effect(after[effect.entry_id], effect, project.now)
    after |= {record.id: record for record in draft.lifted}
    back = [effect.entry_id for effect in draft.effects if effect.stands]
    sections = {key: _section(here, after[key]) for key in back}
    edits = [document_edit(draft.documents[name], text) for name, text in sorted(draft.texts.items())]
    edits += ledger_edits(
        project,
        here,
        after.values(),
        sections=sections,
        newly_rejected=[effect.entry_id for effect in draft.effects if effect.kind == "reject"],
        lifted=[record.id for record in draft.lifted],
        effects=draft.effects,
        create=verb != "demote",
    )
    touched = dict.fromkeys([*(effect.entry_id for effect in draft.effects), *(one.id for one in draft.lifted)])
    shown = tuple(after[key] for key in touched)
    return _Plan(
        here,
        tuple(edits),
        tuple(draft.effects),
        tuple(draft.made.values()),
        tuple(draft.lifted),
        shown,
        tuple(draft.refused),
    )


def _save(project: Project, metadata: Metadata, plan: _Plan) -> None:
    save_records(metadata, ((None, record) for record in plan.made))
    known = plan.here.records
    save_records(metadata, ((known[record.id], record) for record in plan.lifted if record.id in known))
    rows = [
        HistoryRow(at=project.now, event="restored", entry_id=record.id, detail=record.reason) for record in plan.lifted
    ]
    add_history(metadata, rows)


def _meant(project: Project, here: Here, prefix: str, verb: str) -> str:
    """The id that a prefix names: a record, else (to restore) a line of the ledger or of the documents' history."""
    try:
        return find_entry(here, prefix)
    except NoSuchEntry:
        wanted = checked_prefix(prefix)
        lines = here.ledger.lines if here.ledger is not None else {}
        found = {key for key in lines if key.startswith(wanted)}
        if found or verb != "restore":
            return only_one(prefix, found)
        return only_one(prefix, lineage_here(project, here).ids_like(wanted))


def _restore(project: Project, draft: _Draft, key: str, reason: str) -> None:
    here = draft.here
    record = here.records.get(key)
    line = find_line(here, key)
    lineage = Lineage()
    if record is None or record.text is None:
        lineage = lineage_here(project, here)
        record = _from_history(project, key, line, lineage, record)
        if key not in here.records:
            draft.made[key] = record
    if record.document is not None:
        return _refuse(draft, record, "stands", f"it stands in {record.document}")
    never_stood = record.promoted_at is None and record.demoted_at is None
    if never_stood or (record.text is None and line is not None and line.status is Standing.REJECTED):
        return _lift(draft, record)
    heir = here.records.get(record.superseded_by or "")
    if heir is not None and heir.document is not None:
        return _refuse(draft, record, "superseded", f"its newer wording {heir.id[:8]} stands in {heir.document}")
    if record.text is None:
        return _refuse(draft, record, "text", "its text is neither in metadata.db nor in the history of a document")
    if line is not None and line.document in here.branch.unread:
        return _refuse(draft, record, "refused", f"{line.document} was refused: intermem doctor says why")
    document = here.documents.named(line.document) if line is not None else None
    document = document or find_target(project, here.documents, None)
    text = place_region(draft.text_of(document), document.name)
    refusal = text_refusal(project, record, document.name, text)
    if refusal is not None:
        return _refuse(draft, record, refusal.gate, refusal.reason)
    try:
        draft.texts[document.name] = edited(text, document.name, add=[Addition(record.text, _section(here, record))])
    except EditRefused as error:
        return _refuse(draft, record, "unsafe", error.message)
    was = "missing" if record.missing_from else "rejected" if record.rejected_at else "demoted"
    until = project.now + project.config.span("sweep.grace")
    draft.effects.append(
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


def _lift(draft: _Draft, record: Record) -> None:
    """What never stood in a document goes back to where it was: a note that promote may take."""
    line = find_line(draft.here, record.id)
    if record.rejected_at is None and (line is None or line.status is not Standing.REJECTED):
        reason = f"it never stood in a document; intermem why {record.id[:8]} says what is against it"
        return _refuse(draft, record, "never-promoted", reason)
    after = replace(record, rejected_at=None, reason="its rejection is lifted; promote may take it")
    draft.made.pop(record.id, None)
    draft.lifted.append(after)
    return None


def _take_out(draft: _Draft, key: str, verb: str, reason: str) -> None:
    here = draft.here
    record = here.records.get(key)
    line = find_line(here, key)
    if record is None:
        assert line is not None
        record = record_of_line(line, None)
        draft.made[key] = record
    if verb == "reject" and record.rejected_at is not None and record.document is None:
        return _refuse(draft, record, "rejected", f"rejected already, on {format_date(record.rejected_at)}")
    if verb == "demote" and record.document is None:
        return _refuse(draft, record, "absent", "it stands in no document")
    name = record.document or record.missing_from or (line.document if line is not None else "")
    if record.document is not None:
        document = here.documents.named(record.document)
        if document is None:
            raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")
        holding = [one for one in here.documents.found if one.region is not None and key in one.region.ids]
        try:
            texts = {one.name: edited(draft.text_of(one), one.name, remove=[key]) for one in holding}
        except EditRefused as error:
            return _refuse(draft, record, "unsafe", error.message)
        draft.texts |= texts  # out of all of them, or of none
    draft.effects.append(Effect(kind=verb, entry_id=key, document=name, reason=reason or "by hand"))
    return None


def _refuse(draft: _Draft, record: Record, gate: str, reason: str) -> None:
    draft.made.pop(record.id, None)
    draft.refused.append((record, Refusal(gate=gate, reason=reason)))


def _section(here: Here, record: Record) -> str:
    line = find_line(here, record.id)
    return line.section if line is not None else record.section


def _from_history(project: Project, key: str, line: Line | None, lineage: Lineage, record: Record | None) -> Record:
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
            first_seen=project.now,
            last_seen=project.now,
            status=Status.DEMOTED,
            promoted_at=project.now,
        )
    return record if text is None else replace(record, text=text, preview=preview_of(text), read_by=0)
