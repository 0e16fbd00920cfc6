"""``init --adopt``: move entries with the trailing markers of phase 1 into a region."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from intermem.core.entries.hazards import entry_hazards, in_words
from intermem.core.entries.observation import phase_one_names, preview_of
from intermem.core.entries.secrets import entry_secret_rule
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.reconcile.ledger_update import Observation
from intermem.core.region.legacy_markers import Marked, adopted
from intermem.core.times import format_time
from intermem.core.worth.standing import is_rule
from intermem.entities import Problem, Record
from intermem.errors import DocumentRefused, EditRefused
from intermem.results.curate import InitResult
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, load_branch_state
from intermem.workflow.edits import document_edit, ledger_edits
from intermem.workflow.init_plan import InitPlan, run_init
from intermem.workflow.memory import read_project_memory
from intermem.workflow.observing import observation_of, observer_of
from intermem.workflow.run_mode import RunMode
from intermem.workflow.targets import find_target
from intermem.workflow.workspace import Workspace


def init_adopt(
    workspace: Workspace,
    *,
    after: str | None = None,
    target: str | None = None,
    mode: RunMode,
) -> InitResult:
    """Move every entry with an old marker into its document's region; all other lines stay unchanged.

    A phase 1 record continues under the entry's new identity; no sweep counts against an adopted
    entry for ``sweep.grace``. A document that cannot be edited safely is refused; the others are done.
    """

    def planned(metadata: Metadata) -> InitPlan:
        state, held = load_branch_state(workspace, metadata), partial(_observed, workspace, metadata)
        return _planned(workspace, state, held, after=after, target=target)

    return run_init(workspace, planned, mode)


def _observed(workspace: Workspace, metadata: Metadata, records: Iterable[Record]) -> Observation | None:
    """Return which of ``records`` the memory holds: who adopts its entries is the first to say so."""
    memory = read_project_memory(workspace)
    if memory is None:
        return None
    held = (replace(one, in_memory=one.in_memory or one.id in memory.entries) for one in records)
    return observation_of(workspace, observer_of(workspace, metadata, memory), held, complete=False)


def _planned(
    workspace: Workspace,
    state: BranchState,
    observed: Callable[[Iterable[Record]], Observation | None],
    *,
    after: str | None,
    target: str | None,
) -> InitPlan:
    allowed = workspace.config.allowed_hazards()

    def objection(one: Marked) -> str:
        rule = entry_secret_rule(one.text, one.section)
        if rule is not None:
            return f"it seems to hold a secret ({rule})"
        return in_words(entry_hazards(one.text, one.section, allowed))

    chosen = find_target(workspace, state.documents, target)
    documents = [chosen] if target is not None else state.documents.found
    effects: dict[str, Effect] = {}
    created: dict[str, Record] = {}
    edits, notices, problems = [], [], []
    for document in documents:
        try:
            adoption = adopted(
                document.text, document.name, after=after, is_left=lambda one: bool(objection(one)), leads=is_rule
            )
        except (DocumentRefused, EditRefused) as error:
            problems.append(Problem(code=error.code, where=document.name, message=error.message, hint=error.hint))
            continue
        notices += [
            f"{document.name}:{line}: an old marker that follows no entry; left alone" for line in adoption.orphans
        ]
        notices += [
            f"{document.name}:{one.line}: left where it is, marker and all: {objection(one)}" for one in adoption.left
        ]
        if adoption.text != document.text:
            edits.append(document_edit(document, adoption.text))
        for entry in adoption.entries:
            record = _record_of(state, entry)
            if record is None:
                record = created.setdefault(entry.id, _new(workspace, entry, document.name))
            effects.setdefault(record.id, _effect(workspace, record, entry, document.name))
    records = {**state.records, **created}
    after_all = {**records, **{key: after_effect(records[key], one, workspace.now) for key, one in effects.items()}}
    sections = {one.standing_id: after_all[one.entry_id].section for one in effects.values()}
    edits += ledger_edits(
        workspace,
        state,
        after_all.values(),
        sections=sections,
        effects=list(effects.values()),
        observation=observed(after_all.values()) if effects else None,
        create=True,
    )
    count = "1 entry moves" if len(effects) == 1 else f"{len(effects)} entries move"
    notices.append(
        f"{count} into a region" if effects else "no entry outside of a region has an old marker; nothing to do"
    )
    return InitPlan(
        chosen.name,
        tuple(edits),
        tuple(effects.values()),
        tuple(notices),
        state,
        offers_snippets=False,
        created=tuple(created.values()),
        problems=tuple(problems),
    )


def _record_of(state: BranchState, entry: Marked) -> Record | None:
    """The record of a marked entry: by its identity, its phase 1 identity, or the hash in its marker."""
    for key in (entry.id, state.aliases.get(entry.id, ""), *phase_one_names(entry.text)):
        if key in state.records:
            return state.records[key]
    like = [one for one in state.records.values() if one.text is None and entry.mark and one.id.startswith(entry.mark)]
    return like[0] if len(like) == 1 else None


def _new(workspace: Workspace, entry: Marked, document: str) -> Record:
    return Record(
        id=entry.id,
        text=entry.text,
        preview=preview_of(entry.text),
        section=entry.section,
        source_file=document,
        first_seen=workspace.now,
        last_seen=workspace.now,
    )


def _effect(workspace: Workspace, record: Record, entry: Marked, document: str) -> Effect:
    changed = record.id != entry.id or record.text is None
    return Effect(
        kind="promote",
        entry_id=record.id,
        document=document,
        reason="already there with a phase 1 marker",
        original_confidence=record.base_confidence,
        new_id=entry.id if changed else None,
        new_text=entry.text if changed else None,
        grace_until=format_time(workspace.now + workspace.config.span("sweep.grace")),
    )
