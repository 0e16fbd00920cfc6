"""Collect entry changes into one change set; run it as one operation."""

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
from intermem.workflow.edits import Edit, document_edit, ledger_edits
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


@dataclass(slots=True)
class ChangeSet:
    """The changes that a run has collected so far.

    ``changed`` are records to be saved as they are here (``made`` those that only the ledger knew), ``deleted`` the
    ids of records to be deleted, ``effects`` what holds once the documents are written. Entries ``lifted`` lose
    their line in the ledger.
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
    """A change set, the edits that it comes to, and the records it is about as they are afterwards, in order."""

    changeset: ChangeSet
    edits: tuple[Edit, ...]
    after: tuple[Record, ...]

    @property
    def refused(self) -> list[dict[str, object]]:
        """Who was refused, by which gate and why, as every verb tells it."""
        return [
            {"entry": without_secret(record), "gate": refusal.gate, "reason": refusal.reason}
            for record, refusal in self.changeset.refused
        ]

    @property
    def changes(self) -> tuple[FileDiff, ...]:
        """The edits, for people."""
        return tuple(FileDiff(edit.name, edit.before, edit.after) for edit in self.edits)


Collect = Callable[[ChangeSet], None]


def run_changeset(workspace: Workspace, verb: str, collect: Collect, mode: RunMode) -> tuple[Plan, tuple[str, ...]]:
    """Plan what ``collect`` puts into a change set and run it as one operation; return the plan and the notices."""

    def make(metadata: Metadata) -> Plan:
        changeset = ChangeSet(load_branch_state(workspace, metadata))
        collect(changeset)
        return planned(workspace, changeset, create=verb in ("restore", "reject"))

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, plan.changeset.here)
        save_changeset(metadata, plan.changeset)

    with operation(workspace, verb, mode, make) as op:
        plan = op.plan
        if plan.changeset.does_something or plan.edits:
            plan = op.begin()
            op.commit(save, effects=plan.changeset.effects, edits=plan.edits)
    return plan, (*op.notices, *(missing_notices(plan.changeset.here) if mode.dry else ()))


def planned(workspace: Workspace, changeset: ChangeSet, *, create: bool) -> Plan:
    """Return the plan that a change set comes to; with ``create`` a ledger is made where there is none yet."""
    here = changeset.here
    after = {**here.records, **changeset.made, **changeset.changed}
    for effect in changeset.effects:
        after[effect.entry_id] = after_effect(after[effect.entry_id], effect, workspace.now)
    back = [effect.entry_id for effect in changeset.effects if effect.stands]
    edits = [document_edit(changeset.documents[name], text) for name, text in sorted(changeset.texts.items())]
    edits += ledger_edits(
        workspace,
        here,
        after.values(),
        sections={key: section_of(here, after[key]) for key in back},
        newly_rejected=[effect.entry_id for effect in changeset.effects if effect.kind == "reject"],
        lifted=changeset.lifted,
        effects=changeset.effects,
        create=create,
    )
    touched = dict.fromkeys(
        [*(effect.entry_id for effect in changeset.effects), *changeset.changed, *sorted(changeset.deleted)]
    )
    return Plan(changeset, tuple(edits), tuple(after[key] for key in touched))


def save_changeset(metadata: Metadata, changeset: ChangeSet) -> None:
    """Write what a change set changes at once, inside the caller's transaction."""
    known = changeset.here.records
    save_records(metadata, ((None, record) for record in changeset.made.values()))
    save_records(metadata, ((known[key], record) for key, record in changeset.changed.items() if key in known))
    add_feedback(metadata, changeset.given)
    add_history(metadata, changeset.rows)
    delete_records(metadata, changeset.deleted)


def take_out(changeset: ChangeSet, effects: Iterable[Effect]) -> None:
    """Take entries out of every document that holds them, or of none of them; an edit that is not safe is a refusal.

    Raises NoDocument where a document was refused.
    """
    leaving: dict[str, list[str]] = {}
    wanted = {effect.entry_id: effect for effect in effects}
    for key in wanted:
        for document in documents_holding(changeset, changeset.record(key)):
            changeset.text_of(document)
            leaving.setdefault(document.name, []).append(key)
    stuck: dict[str, str] = {}
    for name, keys in sorted(leaving.items()):
        _, unsafe = plan_demotions(changeset.text_of(changeset.documents[name]), name, keys)
        stuck |= {key: error.message for key, error in unsafe.items()}
    for name, keys in sorted(leaving.items()):
        safe = [key for key in keys if key not in stuck]
        if safe:
            changeset.texts[name], _ = plan_demotions(changeset.text_of(changeset.documents[name]), name, safe)
    for key, effect in wanted.items():
        if key in stuck:
            changeset.refuse(changeset.record(key), "unsafe", stuck[key])
        else:
            changeset.effects.append(effect)


def documents_holding(changeset: ChangeSet, record: Record) -> list[Document]:
    """Return the documents in whose region an entry stands. Raises NoDocument where its own was refused."""
    if record.document is None:
        return []
    if changeset.here.documents.named(record.document) is None:
        raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")
    return [one for one in changeset.here.documents.found if one.region is not None and record.id in one.region.ids]


def archive(workspace: Workspace, changeset: ChangeSet, record: Record, reason: str, cause: str) -> None:
    """Demote an entry that stands in no document: on record in full, and out of the way until it is seen again."""
    demoted = replace(record, status=Status.DEMOTED, demoted_at=workspace.now, missing_from=None, reason=reason)
    changeset.changed[record.id] = demoted
    changeset.rows.append(HistoryRow(at=workspace.now, event="demoted", entry_id=record.id, detail=reason, cause=cause))


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
