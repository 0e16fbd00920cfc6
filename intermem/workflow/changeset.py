"""Collect entry changes into one change set; run it as one operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import partial

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect, after_effect, stays_out, with_confidence
from intermem.core.lifecycle.feedback import FeedbackKind
from intermem.core.lifecycle.gates import Refusal, withdrawal_of
from intermem.core.lifecycle.promotion import plan_demotions, shortened
from intermem.core.lifecycle.selection import Selectors, selected
from intermem.core.lifecycle.staleness import assess, restated
from intermem.entities import Feedback, HistoryRow, Origins, Record, Status
from intermem.errors import NoDocument, NoSuchEntry
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import Document
from intermem.results import FileDiff, RefusedEntry
from intermem.storage.left_documents import documents_left
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_feedback, add_history, delete_records, save_citations, save_records
from intermem.workflow.assessment import judged_now
from intermem.workflow.branch_state import (
    BranchState,
    find_judged,
    find_line,
    load_branch_state,
    missing_notices,
    refuse_deleted,
)
from intermem.workflow.edits import Edit, document_edit, ledger_edits
from intermem.workflow.ledger_story import is_candidate_elsewhere, with_told
from intermem.workflow.operation import operation
from intermem.workflow.reconciled import save_reconciliation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.tiers import with_topic_lines
from intermem.workflow.unjudged import with_verdicts
from intermem.workflow.unscanned import seen_in_memory, selected_now
from intermem.workflow.workspace import Workspace


@dataclass(slots=True)
class ChangeSet:
    """The changes that a run has collected so far.

    ``origins`` returns where each entry was seen, ``judged`` returns records with the verdicts as of now,
    ``seen`` with what the memory holds now, whether a scan has read it or not, ``was_deleted`` the ids of those whose
    record was deleted here, ``restated`` a state whose records are all judged, ``left`` the documents that an
    entry left together, as far as this clone knows.
    ``changed`` are records to save (``created`` those that only history knew), ``deleted`` the ids of those to delete,
    ``effects`` what holds once the documents are written. Entries ``lifted`` lose their line in the ledger. ``leaving``
    are the rows of what goes and is in no document, still without its final confidence, ``pin_reasons`` why entries are
    pinned or unpinned, by id, ``beside`` the documents that they leave, or go back into, beside their own.
    ``state`` also has what only the ledger knows.
    """

    state: BranchState
    origins: Callable[[], Origins] = Origins
    judged: Callable[[Sequence[Record]], Sequence[Record]] = tuple
    seen: Callable[[Sequence[Record]], Sequence[Record]] = tuple
    was_deleted: Callable[[], frozenset[str]] = frozenset
    restated: Callable[[BranchState], BranchState] = lambda state: state
    left: Callable[[str], Sequence[str]] = lambda _: ()
    changed: dict[str, Record] = field(default_factory=dict)
    created: dict[str, Record] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    lifted: set[str] = field(default_factory=set)
    effects: list[Effect] = field(default_factory=list)
    rows: list[HistoryRow] = field(default_factory=list)
    leaving: list[HistoryRow] = field(default_factory=list)
    pin_reasons: dict[str, str] = field(default_factory=dict)
    beside: dict[str, list[str]] = field(default_factory=dict)
    feedback: list[tuple[str, Feedback]] = field(default_factory=list)
    refused: list[tuple[Record, Refusal]] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def has_changes(self) -> bool:
        """True if running it would write anything."""
        return bool(self.changed or self.deleted or self.effects or self.feedback)

    def find(self, prefix: str) -> str:
        """Return the id of an entry, as ``find_judged``; NoSuchEntry says so if its record was deleted here."""
        try:
            return find_judged(self.state, prefix)
        except NoSuchEntry:
            refuse_deleted(self.was_deleted(), prefix)
            raise

    def record(self, key: str) -> Record:
        """Return a record with the changes collected so far."""
        known = self.changed.get(key) or self.created.get(key)
        return known if known is not None else self.state.records[key]

    def selected(self, wanted: Selectors, now: datetime) -> list[Record]:
        """Return the records that match every selector, by id; none of those that were purged on this branch."""
        found = selected(self.known(wanted), wanted, self.origins(), now)
        return [self.state.records[one.id] for one in found]

    def selected_now(
        self, wanted: Selectors, now: datetime, *, is_meant: Callable[[Record], bool]
    ) -> tuple[list[Record], list[str]]:
        """Return those that match every selector, an age as the memory is now, and ``is_meant``; and notices."""
        meant = filter(is_meant, self.known(wanted))
        found, told = selected_now(meant, wanted, self.origins(), now, seen=self.seen, unread=self.state.unread)
        return [self.state.records[one.id] for one in found], told

    def known(self, wanted: Selectors) -> list[Record]:
        """Return the records that may be ``wanted``, by id; those that no run here has judged are, if a status is."""
        state = self.restated(self.state) if wanted.status is not None else self.state
        known = (one for key, one in sorted(state.records.items()) if key not in state.purged)
        return [one for one in known if not is_candidate_elsewhere(state, one)]

    def text_of(self, document: Document) -> str:
        """Return the text of a document with the changes collected so far."""
        self.documents[document.name] = document
        return self.texts.get(document.name, document.text)

    def refuse(self, record: Record, gate: str, reason: str) -> None:
        """Leave ``record`` unchanged and note why."""
        self.created.pop(record.id, None)
        self.refused.append((record, Refusal(gate=gate, reason=reason)))

    def refuse_withdrawn(self, record: Record) -> bool:
        """Refuse a ``record`` that is out until a person restores it, and return whether it is."""
        word = withdrawal_of(record) if record.document is None else None
        if word is None or word.gate == "review":
            return False
        self.refuse(record, word.gate, f"{word.said} already; {word.lifted_by} lifts that")
        return True

    def refuse_missing(self, record: Record) -> bool:
        """Refuse to demote a ``record`` that is missing from its document, and return whether it is: people decide."""
        if record.missing_from is not None:
            key = record.entry_id[:8]
            ways = f"intermem restore {key} puts it back, intermem reject {key} gives it up"
            self.refuse(record, "missing", f"missing from {record.missing_from}: {ways}")
        return record.missing_from is not None

    def refuse_pinned(self, record: Record, now: datetime) -> bool:
        """Refuse a pinned ``record``, and return whether it is: only purge beats a pin."""
        if record.is_pinned(now):
            self.refuse(record, "pinned", f"it is pinned: intermem pin {record.entry_id[:8]} --remove unpins it")
        return record.is_pinned(now)


@dataclass(frozen=True, slots=True)
class Plan:
    """A change set, the edits that carry it out, and the affected records as they will be, in order."""

    changeset: ChangeSet
    edits: tuple[Edit, ...]
    after: tuple[Record, ...]

    @property
    def refused(self) -> list[RefusedEntry]:
        """The refused entries with gate and reason, as every command reports them."""
        return refused_entries(self.changeset.refused)

    @property
    def entries(self) -> list[Record]:
        """The records afterwards, as they may be shown."""
        return [without_secret(record) for record in self.after]

    @property
    def destinations(self) -> dict[str, str]:
        """The document that each moving entry goes into or out of, by id."""
        records = self.changeset.state.records
        stood = {key for key, record in records.items() if record.document is not None}
        return {one.standing_id: one.document for one in self.changeset.effects if one.stands or one.entry_id in stood}

    @property
    def changes(self) -> tuple[FileDiff, ...]:
        """The edits as diffs."""
        return tuple(FileDiff(edit.name, edit.before, edit.after) for edit in self.edits)


def refused_entries(refused: Iterable[tuple[Record, Refusal]]) -> list[RefusedEntry]:
    """Return refusals as results report them."""
    return [RefusedEntry(without_secret(record), one.gate, one.reason) for record, one in refused]


_FLAGS = (FeedbackKind.OUTDATED, FeedbackKind.FORGET)

Collect = Callable[[ChangeSet], None]


def run_changeset(workspace: Workspace, verb: str, collect: Collect, mode: RunMode) -> tuple[Plan, tuple[str, ...]]:
    """Plan the changes that ``collect`` adds, run them as one operation, and return the plan and its notices."""

    def make(metadata: Metadata) -> Plan:
        # What a person took out of a document and only the history tells, as after an undo, is there to be lifted.
        state = with_told(workspace, metadata, load_branch_state(workspace, metadata, thorough=verb == "restore"))
        judged, seen = (partial(ask, workspace, metadata, state) for ask in (judged_now, seen_in_memory))
        restated = partial(with_verdicts, workspace, metadata)
        left = partial(documents_left, metadata, workspace.root, workspace.checkout.name)
        changeset = ChangeSet(state, metadata.origins, judged, seen, metadata.deleted, restated, left)
        collect(changeset)
        is_flagged = any(one.kind in _FLAGS for _, one in changeset.feedback)
        return planned(workspace, changeset, create=is_flagged or verb in ("restore", "reject", "demote"))

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, plan.changeset.state)
        save_changeset(metadata, plan.changeset, workspace.now)

    with operation(workspace, verb, mode, make) as op:
        plan = op.plan
        if plan.changeset.has_changes or plan.edits:
            plan = op.begin()
            op.commit(save, effects=plan.changeset.effects, edits=plan.edits)
    missing = missing_notices(plan.changeset.state, workspace.now) if mode.dry else ()
    return plan, (*op.notices, *(_beside(plan.changeset, verb)), *missing)


def _beside(changeset: ChangeSet, verb: str) -> list[str]:
    """Notices of the documents that entries leave, or go back into, beside the one that is named; and of what stays."""
    how = "goes back into" if verb == "restore" else "leaves"
    found = [f"{key[:8]} {how} {' and '.join(names)} as well" for key, names in sorted(changeset.beside.items())]
    state = changeset.state
    gone = {one.entry_id for one in changeset.effects if one.document and not one.stands}
    for key, newer in state.reconciliation.twins:
        if newer in gone:
            where, item = state.branch.items[key]
            said = f"{where} still has {state.shown(newer)} in other words, and the next run takes it for put back"
            found.append(f"{said}: remove that line as well: {shortened(item.text)}")
    return found


def planned(workspace: Workspace, changeset: ChangeSet, *, create: bool) -> Plan:
    """Return the plan for a change set; ``create`` a ledger if there is none yet."""
    state = changeset.state
    tell_final_confidence(workspace, changeset)
    after = {**state.records, **changeset.created, **changeset.changed}
    sections = {}
    for effect in changeset.effects:
        before = after.pop(effect.entry_id)
        after[effect.standing_id] = after_effect(before, effect, workspace.now)
        if effect.stands:
            sections[effect.standing_id] = section_of(state, before)
    texts = {name: (changeset.documents[name], text) for name, text in changeset.texts.items()}
    edits = [document_edit(*pair) for _, pair in sorted(with_topic_lines(workspace, state, texts).items())]
    edits += ledger_edits(
        workspace,
        state,
        after.values(),
        sections=sections,
        newly_rejected=[effect.entry_id for effect in changeset.effects if effect.kind == "reject"],
        lifted=changeset.lifted,
        effects=changeset.effects,
        feedback=changeset.feedback,
        pin_reasons=changeset.pin_reasons,
        create=create,
    )
    named = {effect.entry_id: effect.standing_id for effect in changeset.effects}
    touched = dict.fromkeys([*named, *changeset.changed, *sorted(changeset.deleted)])
    return Plan(changeset, tuple(edits), tuple(after[named.get(key, key)] for key in touched))


def tell_final_confidence(workspace: Workspace, changeset: ChangeSet) -> None:
    """Say of all that leaves which confidence it had by then, by the verdicts as of now."""
    gone = [one.entry_id for one in changeset.effects if not one.stands]
    gone += [row.entry_id for row in changeset.leaving if row.entry_id is not None]
    leaving = [changeset.record(key) for key in dict.fromkeys(gone)]
    judged = changeset.seen(changeset.judged(leaving)) if leaving else ()
    final = {one.id: confidence_of(workspace, one) for one in judged}
    changeset.effects = [
        one if one.stands else replace(one, confidence=final[one.entry_id]) for one in changeset.effects
    ]
    changeset.rows += [
        replace(row, detail=with_confidence(row.detail, final[row.entry_id or ""])) for row in changeset.leaving
    ]
    changeset.leaving.clear()


def save_changeset(metadata: Metadata, changeset: ChangeSet, now: datetime) -> None:
    """Save the records, verdicts, feedback and history of a change set, inside the caller's transaction."""
    known, told = changeset.state.records, changeset.state.told
    save_records(metadata, ((None, record) for record in changeset.created.values()))
    first = told.intersection([*changeset.changed, *(effect.entry_id for effect in changeset.effects)])
    save_records(metadata, ((None, changeset.record(key)) for key in sorted(first)))
    changed = ((key, record) for key, record in changeset.changed.items() if key in known and key not in told)
    save_records(metadata, ((known[key], record) for key, record in changed))
    verdicts = (
        (key, known[key].citations if key in known else (), record.citations)
        for key, record in changeset.changed.items()
    )
    save_citations(metadata, verdicts, now)
    add_feedback(metadata, changeset.feedback)
    add_history(metadata, changeset.rows)
    delete_records(metadata, changeset.deleted)


def remove_from_documents(changeset: ChangeSet, effects: Iterable[Effect]) -> None:
    """Remove entries from every document that contains them; refuse an entry that cannot be removed safely from all.

    Raises NoDocument if a document was refused.
    """
    removals: dict[str, list[str]] = {}
    wanted = {effect.entry_id: effect for effect in effects}
    for key in wanted:
        for document in documents_containing(changeset, changeset.record(key)):
            changeset.text_of(document)
            removals.setdefault(document.name, []).append(key)
    unsafe: dict[str, str] = {}
    for name, keys in sorted(removals.items()):
        _, errors = plan_demotions(changeset.text_of(changeset.documents[name]), name, keys)
        unsafe |= {key: error.message for key, error in errors.items()}
    for name, keys in sorted(removals.items()):
        safe = [key for key in keys if key not in unsafe]
        if safe:
            changeset.texts[name], _ = plan_demotions(changeset.text_of(changeset.documents[name]), name, safe)
    for key, effect in wanted.items():
        if key in unsafe:
            changeset.refuse(changeset.record(key), "unsafe", unsafe[key])
        else:
            changeset.effects.append(effect)
            others = [name for name, keys in sorted(removals.items()) if key in keys and name != effect.document]
            if others:
                changeset.beside[key] = others


def documents_containing(changeset: ChangeSet, record: Record) -> list[Document]:
    """Return the documents whose region contains an entry. Raises NoDocument if its own was refused."""
    if record.document is None:
        return []
    if changeset.state.documents.named(record.document) is None:
        raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")
    return [one for one in changeset.state.documents.found if one.region is not None and record.id in one.region.ids]


def archive(
    workspace: Workspace, changeset: ChangeSet, record: Record, reason: str, cause: str, *, tells: bool = False
) -> None:
    """Demote an entry that is in no document: its record stays, set aside until it is seen again.

    ``tells``: a person named it, so the ledger says so to other clones as well.
    """
    if record.status is not Status.DEMOTED:
        record = replace(record, original_confidence=record.base_confidence)
    if tells:
        changeset.changed[record.id] = record
        changeset.effects.append(Effect(kind="demote", entry_id=record.id, document="", reason=reason, cause=cause))
        return
    demoted = replace(
        record,
        status=Status.DEMOTED,
        demoted_at=workspace.now,
        missing_from=None,
        reason=reason,
        kept_out=stays_out(record, cause),
    )
    changeset.changed[record.id] = demoted
    row = HistoryRow(at=workspace.now, event="demoted", entry_id=record.id, detail=reason, cause=cause)
    changeset.leaving.append(row)


def confidence_of(workspace: Workspace, record: Record) -> int:
    """Return the confidence of ``record`` as of now, in thousandths, by the verdicts that it has."""
    return assess(record, record.citations, workspace.now, workspace.config.rules()).confidence


def refreshed(workspace: Workspace, record: Record) -> Record:
    """Return ``record`` with confidence and status as of now, using the verdicts that it has."""
    rules = workspace.config.rules()
    found = assess(record, record.citations, workspace.now, rules)
    after = restated(record, found, record.citations, workspace.now, rules)
    return after if found.stale else replace(after, stale_streak=0)


def require_ledger(state: BranchState, record: Record) -> None:
    """Raise NoDocument if a change to an entry could not be saved in the ledger, and would be lost."""
    if state.files is None:
        problem = state.problems[0]
        raise NoDocument(problem.message, hint=problem.hint)
    if record.document in state.branch.unread:
        raise NoDocument(f"{record.document} was refused; nothing was written", hint="intermem status says why")


def section_of(state: BranchState, record: Record) -> str:
    """Return the heading that an entry belongs under: from the ledger, else from the memory."""
    line = find_line(state, record.id)
    return line.section if line is not None and (line.document or line.section) else record.section
