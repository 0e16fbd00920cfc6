"""What is decided about single entries: one draft, one plan, one operation, for every verb that picks some."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.promotion import plan_demotions
from intermem.core.lifecycle.staleness import assess, restated
from intermem.entities import Feedback, HistoryRow, Record, Status
from intermem.errors import NoDocument
from intermem.project.documents import Document
from intermem.results import FileDiff
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_feedback, add_history, delete_records, save_records
from intermem.workflow.branch_state import (
    BranchState,
    find_line,
    load_branch_state,
    missing_notices,
    save_reconciliation,
)
from intermem.workflow.edits import Edit, document_edit, intents_for, ledger_edits
from intermem.workflow.workspace import Workspace
from intermem.workflow.writeback import finish


@dataclass(slots=True)
class ChangeSet:
    """What a run has decided so far.

    ``changed`` are records as they shall be at once (``made`` those that only the ledger knew so
    far), ``deleted`` the ids of rows that go, ``effects`` what holds once the documents are
    written. Lines of entries ``lifted`` leave the ledger.
    """

    here: BranchState
    changed: dict[str, Record] = field(default_factory=dict)
    made: dict[str, Record] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    lifted: set[str] = field(default_factory=set)
    effects: list[Effect] = field(default_factory=list)
    rows: list[HistoryRow] = field(default_factory=list)
    given: list[tuple[str, Feedback]] = field(default_factory=list)
    refused: list[tuple[Record, Refusal]] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def does_something(self) -> bool:
        """True where a run of it would write."""
        return bool(self.changed or self.deleted or self.effects or self.given)

    def record(self, key: str) -> Record:
        """Return a record as this run has left it so far."""
        known = self.changed.get(key) or self.made.get(key)
        return known if known is not None else self.here.records[key]

    def text_of(self, document: Document) -> str:
        """Return the text of a document as this run has left it so far."""
        self.documents[document.name] = document
        return self.texts.get(document.name, document.text)

    def refuse(self, record: Record, gate: str, reason: str) -> None:
        """Leave ``record`` as it is, and say why."""
        self.made.pop(record.id, None)
        self.refused.append((record, Refusal(gate=gate, reason=reason)))


@dataclass(frozen=True, slots=True)
class Plan:
    """A draft with the edits that it comes to, and the records afterwards, those it is about in order."""

    draft: ChangeSet
    edits: tuple[Edit, ...]
    after: tuple[Record, ...]

    @property
    def refused(self) -> list[dict[str, object]]:
        """Who was refused, by which gate and why, as every verb tells it."""
        return [
            {"entry": without_secret(record), "gate": refusal.gate, "reason": refusal.reason}
            for record, refusal in self.draft.refused
        ]

    @property
    def changes(self) -> tuple[FileDiff, ...]:
        """The edits, for people."""
        return tuple(FileDiff(edit.name, edit.before, edit.after) for edit in self.edits)


Draw = Callable[[ChangeSet], None]


def decide(workspace: Workspace, verb: str, draw: Draw, *, dry: bool, force: bool) -> tuple[Plan, tuple[str, ...]]:
    """Plan what ``draw`` puts into a draft, and carry it out as one operation unless ``dry``.

    Returns the plan and what there is to say. What is wrong with the arguments is found before
    anything is opened for writing, so that a wrong id leaves no trace.
    """
    if not dry:
        workspace.require_clean_git_state(force=force)
    said = workspace.recovered(dry=dry)
    with workspace.viewing() as metadata:
        plan = _planned(workspace, metadata, verb, draw)
    if not dry and (plan.draft.does_something or plan.edits):
        with workspace.writing(force=force) as (metadata, more):
            said += more
            with workspace.recorded(metadata, verb) as recording:
                plan = _planned(workspace, metadata, verb, draw)
                save_reconciliation(workspace, metadata, plan.draft.here)
                save_draft(metadata, plan.draft)
                recording.intends(plan.draft.effects, intents_for(workspace, plan.edits))
            finish(metadata, recording.pending)
    return plan, (*said, *(missing_notices(plan.draft.here) if dry else ()))


def _planned(workspace: Workspace, metadata: Metadata, verb: str, draw: Draw) -> Plan:
    draft = ChangeSet(load_branch_state(workspace, metadata))
    draw(draft)
    return planned(workspace, draft, create=verb in ("restore", "reject"))


def planned(workspace: Workspace, draft: ChangeSet, *, create: bool) -> Plan:
    """Return the plan that a draft comes to; with ``create`` a ledger is made where there is none yet."""
    here = draft.here
    after = {**here.records, **draft.made, **draft.changed}
    for effect in draft.effects:
        after[effect.entry_id] = after_effect(after[effect.entry_id], effect, workspace.now)
    back = [effect.entry_id for effect in draft.effects if effect.stands]
    edits = [document_edit(draft.documents[name], text) for name, text in sorted(draft.texts.items())]
    edits += ledger_edits(
        workspace,
        here,
        after.values(),
        sections={key: section_of(here, after[key]) for key in back},
        newly_rejected=[effect.entry_id for effect in draft.effects if effect.kind == "reject"],
        lifted=draft.lifted,
        effects=draft.effects,
        create=create,
    )
    touched = dict.fromkeys([*(effect.entry_id for effect in draft.effects), *draft.changed, *sorted(draft.deleted)])
    return Plan(draft, tuple(edits), tuple(after[key] for key in touched))


def save_draft(metadata: Metadata, draft: ChangeSet) -> None:
    """Write what a draft changes at once, inside the caller's transaction."""
    known = draft.here.records
    save_records(metadata, ((None, record) for record in draft.made.values()))
    save_records(metadata, ((known[key], record) for key, record in draft.changed.items() if key in known))
    add_feedback(metadata, draft.given)
    add_history(metadata, draft.rows)
    delete_records(metadata, draft.deleted)


def take_out(draft: ChangeSet, effects: Iterable[Effect]) -> None:
    """Take entries out of every document that holds them, or of none of them; an edit that is not safe is a refusal.

    Raises NoDocument where a document was refused.
    """
    leaving: dict[str, list[str]] = {}
    wanted = {effect.entry_id: effect for effect in effects}
    for key in wanted:
        for document in documents_holding(draft, draft.record(key)):
            draft.text_of(document)
            leaving.setdefault(document.name, []).append(key)
    stuck: dict[str, str] = {}
    for name, keys in sorted(leaving.items()):
        _, unsafe = plan_demotions(draft.text_of(draft.documents[name]), name, keys)
        stuck |= {key: error.message for key, error in unsafe.items()}
    for name, keys in sorted(leaving.items()):
        safe = [key for key in keys if key not in stuck]
        if safe:
            draft.texts[name], _ = plan_demotions(draft.text_of(draft.documents[name]), name, safe)
    for key, effect in wanted.items():
        if key in stuck:
            draft.refuse(draft.record(key), "unsafe", stuck[key])
        else:
            draft.effects.append(effect)


def documents_holding(draft: ChangeSet, record: Record) -> list[Document]:
    """Return the documents in whose region an entry stands. Raises NoDocument where its own was refused."""
    if record.document is None:
        return []
    if draft.here.documents.named(record.document) is None:
        raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")
    return [one for one in draft.here.documents.found if one.region is not None and record.id in one.region.ids]


def archive(workspace: Workspace, draft: ChangeSet, record: Record, reason: str, cause: str) -> None:
    """Demote an entry that stands in no document: on record in full, and out of the way until it is seen again."""
    demoted = replace(record, status=Status.DEMOTED, demoted_at=workspace.now, missing_from=None, reason=reason)
    draft.changed[record.id] = demoted
    draft.rows.append(HistoryRow(at=workspace.now, event="demoted", entry_id=record.id, detail=reason, cause=cause))


def refreshed(workspace: Workspace, record: Record) -> Record:
    """Return ``record`` with its figures and status as of now, by the verdicts that are on record."""
    rules = workspace.config.rules()
    found = assess(record, record.citations, workspace.now, rules)
    after = restated(record, found, record.citations, workspace.now, rules)
    return after if found.stale else replace(after, stale_streak=0)


def require_ledger(here: BranchState, record: Record) -> None:
    """Raise NoDocument where what is said of an entry could not be written into the ledger, and would be lost."""
    if here.file is None:
        problem = here.problems[0]
        raise NoDocument(problem.message, hint=problem.hint)
    if record.document in here.branch.unread:
        raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")


def section_of(here: BranchState, record: Record) -> str:
    """Return the heading that an entry belongs under: the ledger's, else the memory's."""
    line = find_line(here, record.id)
    return line.section if line is not None else record.section
