"""The files that an operation writes, as edits: documents and the ledger."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path

from intermem.core.entries.wordings import by_heir, same_before
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.feedback import described, without_words
from intermem.core.reconcile.events import (
    CONFIRM,
    OF_OBSERVERS,
    OUTDATED,
    LedgerEvent,
    What,
    event_text,
    file_name,
    parse_event,
    path_of,
)
from intermem.core.reconcile.ledger import Ledger
from intermem.core.reconcile.ledger_update import Decision, Observation, Update, new_events
from intermem.core.reconcile.model import RecordChange
from intermem.core.reconcile.old_ledger import without_lines
from intermem.entities import LEDGER, OLD_LEDGER, Feedback, Record
from intermem.lazy_dataclass import dataclass
from intermem.project.committed_files import ATTRIBUTES, ATTRIBUTES_TEXT, LedgerFiles
from intermem.project.documents import Document
from intermem.storage.operations import FileWrite
from intermem.workflow.branch_state import BranchState, formerly
from intermem.workflow.ledger import tombstones_on_default_branch
from intermem.workflow.reconciled import final_confidence
from intermem.workflow.workspace import Workspace
from intermem.workflow.writeback import file_write_for


@dataclass(frozen=True, slots=True)
class Edit:
    """A file to write: its resolved path, its name, its text before and after (None: no file).

    ``event`` is what a new file of the ledger says.
    """

    path: Path
    name: str
    before: str | None
    after: str | None
    event: LedgerEvent | None = None

    @property
    def matters(self) -> bool:
        """Whether it changes a document or where an entry stands; what observers say changes neither."""
        if self.name == ATTRIBUTES:
            return False
        return self.event is None or self.event.what not in OF_OBSERVERS


def document_edit(document: Document, text: str) -> Edit:
    """Return the edit that replaces the text of ``document``."""
    return Edit(document.path, document.name, None if document.is_new else document.text, text)


def ledger_edits(
    workspace: Workspace,
    state: BranchState,
    after: Iterable[Record],
    *,
    sections: Mapping[str, str] | None = None,
    newly_rejected: Iterable[str] = (),
    lifted: Iterable[str] = (),
    effects: Sequence[Effect] = (),
    feedback: Iterable[tuple[str, Feedback]] = (),
    pin_reasons: Mapping[str, str] | None = None,
    by: str = "person",
    observation: Observation | None = None,
    create: bool = False,
) -> list[Edit]:
    """Return the edits that add to the ledger what it lacks, given the records ``after``.

    A branch without a ledger gets one only with ``create`` and something to write. ``effects`` are those already
    applied in ``after``, decided ``by`` a person or a sweep; ``lifted`` are entries whose rejection is; ``feedback`` is
    that of this run, by id, ``pin_reasons`` are why it pins or unpins an entry.
    """
    if state.files is None or (state.ledger is None and not create):
        return []
    after = list(after)
    update = Update(
        now=workspace.now,
        aliases=_by_owner(_aliases(state, effects)),
        sections={**state.sections, **(sections or {})},
        rejected=state.reconciliation.rejected.union(newly_rejected),
        demoted=frozenset(one.entry_id for one in effects if one.kind in ("demote", "delete") and by == "person"),
        lifted=frozenset(lifted),
        placed={effect.standing_id: effect.kind for effect in effects if effect.stands},
        same=_same_before(state, after, effects),
        undecided=state.reconciliation.undecided.union(one.id for one in state.reconciliation.contested),
        decisions={**_found_decisions(workspace, state, set(lifted)), **_decisions(effects, by)},
        pin_reasons=pin_reasons or {},
        reviews={key: (one.kind, described(one)) for key, one in feedback if _is_of_a_review(state, key, one)},
        kinds={key: (one.kind, described(without_words(one)), one.amount) for key, one in feedback},
        untold=_untold(state, after),
        observation=observation,
        observer=state.branch.observer,
    )
    records = [record for record in after if record.document not in state.branch.unread]
    found = edits_for(state.files, new_events(state.ledger, records, update), had_one=state.ledger is not None)
    return [*found, *_without_purged(workspace, state.files, state.ledger)]


def _without_purged(workspace: Workspace, files: LedgerFiles, ledger: Ledger | None) -> list[Edit]:
    """Return the edits that take out what a merge has brought back of entries that were purged.

    As with records, a tombstone counts if the default branch has it too: a branch brings the ledger that its author
    likes. What only this clone has purged is nobody else's to forget.
    """
    events = ledger.events if ledger is not None else ()
    purged = {one.id for one in events if one.what == What.PURGED}
    back = {one.id for one in events if one.id in purged and one.what != What.PURGED}
    back &= tombstones_on_default_branch(workspace) if back else set()
    names = [name for name, text in sorted(files.texts.items()) if back and _is_of(text, name, back)]
    return [_deletion(files, name) for name in names]


def _is_of(text: str, name: str, ids: Collection[str]) -> bool:
    event = parse_event(text, name)
    return event.id in ids and event.what != What.PURGED


def _deletion(files: LedgerFiles, name: str) -> Edit:
    return Edit(files.folder / name, f"{LEDGER}/{name}", files.texts[name], None)


def _is_of_a_review(state: BranchState, key: str, given: Feedback) -> bool:
    """Whether it flags an entry for review, or lifts that where the ledger says that it is flagged."""
    reviews = state.ledger.reviews if state.ledger is not None else {}
    _, is_flagged = reviews.get(state.records[key].entry_id, (None, False))
    return given.kind == OUTDATED or (given.kind == CONFIRM and is_flagged)


def edits_for(files: LedgerFiles, events: Iterable[LedgerEvent], *, had_one: bool) -> list[Edit]:
    """Return the edits that add ``events`` to a ledger, and its ``.gitattributes`` where it is missing."""
    new = {file_name(event): event for event in events}
    edits = [
        Edit(files.folder / name, path_of(event), None, event_text(event), event)
        for name, event in sorted(new.items())
        if name not in files.texts
    ]
    if files.attributes is not None and (edits or had_one):
        edits.insert(0, Edit(files.attributes, ATTRIBUTES, None, ATTRIBUTES_TEXT))
    return edits


def purge_edits(workspace: Workspace, state: BranchState, ids: frozenset[str]) -> list[Edit]:
    """Return the edits that take the entries ``ids`` out of the ledger, and leave one tombstone for each it knew."""
    if state.files is None or state.ledger is None:
        return []
    gone = [name for name, text in sorted(state.files.texts.items()) if _is_about(text, name, ids)]
    edits = [_deletion(state.files, name) for name in gone]
    lines = [line for line in state.ledger.lines.values() if ids.intersection(line.names)]
    known = {name for line in lines for name in line.names if name in ids or name == line.entry_id}
    known |= {name for event in state.ledger.events for name in (event.id, event.written) if name in ids}  # feedback
    known -= {event.id for event in state.ledger.events if event.what == What.PURGED}
    tombstones = [LedgerEvent(id=key, at=workspace.now, what=What.PURGED) for key in sorted(known)]
    edits += edits_for(state.files, tombstones, had_one=True)
    old = state.files.old
    if old is not None and (after := without_lines(old, ids)) != old:
        edits.append(Edit(state.files.old_path, OLD_LEDGER, old, after or None))
    return edits


def file_writes_for(workspace: Workspace, edits: Iterable[Edit]) -> list[FileWrite]:
    """Return the file writes that carry out ``edits``, in order."""
    return [
        file_write_for(workspace.checkout, one.path, one.name, one.before, one.after, workspace.now) for one in edits
    ]


def _is_about(text: str, name: str, ids: frozenset[str]) -> bool:
    event = parse_event(text, name)
    is_tombstone = event.what == What.PURGED
    return not is_tombstone and not ids.isdisjoint((event.id, event.written or event.id))


def _aliases(state: BranchState, effects: Sequence[Effect]) -> dict[str, str]:
    """Return former identities and their owners after ``effects``."""
    aliases = dict(state.reconciliation.former)
    for effect in effects:
        if effect.heir is not None:
            aliases[effect.entry_id] = effect.heir
        elif effect.new_id is not None:
            aliases[effect.entry_id] = effect.new_id
            aliases.pop(effect.new_id, None)
        elif effect.stands:
            aliases.pop(effect.entry_id, None)
    return aliases


def _same_before(state: BranchState, after: Sequence[Record], effects: Sequence[Effect]) -> dict[str, list[str]]:
    """Return the entries of the former wordings that say the same as what ``effects`` put into a document."""
    placed = [effect.standing_id for effect in effects if effect.stands]
    if not placed:
        return {}
    records = {**state.records, **{one.id: one for one in after}}
    formers = by_heir(records)
    return {key: [one.entry_id for one in same_before(records[key], formers)] for key in placed if key in records}


def _untold(state: BranchState, after: Iterable[Record]) -> dict[str, list[tuple[Feedback, str]]]:
    """Return what earlier runs fed back on each record, and on former words that say the same, and no event tells."""
    if not state.branch.given:
        return {}
    records = {**state.records, **{one.id: one for one in after}}
    formers = by_heir(records)
    found: dict[str, list[tuple[Feedback, str]]] = {}
    for record in records.values():
        said = (record, *same_before(record, formers))
        given = [more for one in said for more in state.branch.untold_on(formerly(state, one.id), one.entry_id)]
        if given:
            found[record.id] = [(one, described(without_words(one))) for one in sorted(given, key=lambda one: one.at)]
    return found


def _by_owner(aliases: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for alias, key in sorted(aliases.items()):
        found.setdefault(key, []).append(alias)
    return found


def _decisions(effects: Sequence[Effect], by: str) -> dict[str, Decision]:
    return {effect.standing_id: Decision(by, effect.reason, confidence=effect.confidence) for effect in effects}


def _found_decisions(workspace: Workspace, state: BranchState, lifted: Container[str]) -> dict[str, Decision]:
    """Return what people did to the documents since the last run; of what is ``lifted`` now it says nothing."""
    changes = state.reconciliation.changes.items()
    return {
        key: Decision("person", _cause(change), change.at, final_confidence(workspace, change))
        for key, change in changes
        if change.event and key not in lifted
    }


def _cause(change: RecordChange) -> str:
    if change.event == "edited":  # its detail holds texts, which the ledger does not
        return f"reworded by hand in {change.record.document}"
    return change.detail
