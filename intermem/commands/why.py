"""``why``: explain one entry: its record, verdicts, confidence and history."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.entries.identity import identity
from intermem.core.entries.secrets import without_secret
from intermem.core.entries.wordings import by_heir, newest_wording, same_before
from intermem.core.lifecycle.confidence import signals
from intermem.core.lifecycle.feedback import failures_in
from intermem.core.lifecycle.gates import gate, held_back
from intermem.core.lifecycle.promotion import purged_refusal, superseded_in_documents, twin_refusal, worth_of_record
from intermem.core.lifecycle.staleness import Rules, goes_stale_at, has_grace
from intermem.core.lifecycle.taken_out import TakenOut
from intermem.core.worth.topics import topic_of
from intermem.entities import Record, Status
from intermem.errors import NoSuchEntry
from intermem.results.inspect import Accesses, DepartedResult, WhyResult
from intermem.storage.metadata import Metadata
from intermem.workflow.access import count_access
from intermem.workflow.alike_notes import alike_notes
from intermem.workflow.assessment import Assessed, assess_project
from intermem.workflow.branch_state import BranchState, find_line, formerly, load_branch_state
from intermem.workflow.changed_since import of_notes
from intermem.workflow.ledger_story import failures_of_others, find_told, with_events, with_told
from intermem.workflow.memory import MemoryReading, read_project_memory
from intermem.workflow.reconciled import reconciled_rows
from intermem.workflow.targets import text_refusal
from intermem.workflow.unscanned import with_memory
from intermem.workflow.workspace import Workspace, pending_notice


def why(workspace: Workspace, prefix: str) -> WhyResult | DepartedResult:
    """Return what is known about the entry whose id starts with ``prefix``, judged now; its history if it was deleted.

    Raises NoSuchEntry. Writes nothing, but the access where ``query.why_counts`` is set.
    """
    rules = workspace.config.rules()
    with workspace.viewing() as metadata:
        state = load_branch_state(workspace, metadata, thorough=True)
        try:
            state, wanted = find_told(workspace, metadata, state, prefix)
        except NoSuchEntry:
            deleted = metadata.entry_of_history(prefix)
            return DepartedResult(id=deleted, history=metadata.history(deleted))
        memory = read_project_memory(workspace)
        scanned = _assessed(workspace, metadata, memory, rules, state, wanted)
        state = with_memory(workspace, metadata, state)
        seen_as = state.records[wanted].entry_id
        found = _assessed(workspace, metadata, memory, rules, state, wanted)
        stored = formerly(state, wanted)
        before = [formerly(state, one.id) for one in same_before(state.records[wanted], by_heir(state.records))]
        history = [
            *(row for row in reversed(reconciled_rows(workspace, state)) if row.entry_id == seen_as),
            *metadata.history(stored),
            *(row for one in before for row in metadata.history(one) if row.event == "feedback"),
        ]
        failures = failures_of_others(state, history, seen_as)
        history = with_events(state, history, seen_as)
        sources = metadata.sources(stored)
        also = alike_notes(workspace, metadata, state, state.records[wanted])
        given = (said for one in (stored, *before) for said in metadata.feedback(one))
        given_feedback = sorted(given, key=lambda one: one.at)
        pending = pending_notice(metadata)
        known = with_told(workspace, metadata, state).records
    if workspace.config.flag("query.why_counts"):
        count_access(workspace, [found.record], state)
    asked = prefix.strip().lower()
    record, assessment = found.record, found.assessment
    confirmed = [one.at for one in given_feedback if one.kind == "confirm"]
    said = {record.id: max(confirmed)} if confirmed else {}
    (judged,) = of_notes(workspace.worktree, [(record, record.citations)], said)
    heir = newest_wording(record, state.records)
    promoted = record.document is not None
    is_out = not promoted and (record.status is Status.DEMOTED or record.rejected_at is not None)
    limits = workspace.config.limits()
    worth = worth_of_record(record, limits.characters)
    held = held_back(record, worth, rules, limits)
    taken_out = TakenOut((one for one in known.values() if one.text is not None), limits.similarity, rules.grace)
    refusal = (
        purged_refusal(record, record.id, state.purged)
        or gate(scanned.record, scanned.assessment, record.citations, workspace.now, rules)  # as promote has it
        or next(iter(held), None)
        or taken_out.in_former_words(record)
        or taken_out.in_other_words(record, worth.text or record.shown_text)
    )
    if refusal is None and not promoted:
        target = state.documents.target
        name, text = (target.name, target.text) if target else ("", "")
        written = replace(record, text=worth.text)
        twin = twin_refusal(record, identity(worth.text or ""), state.owners, state.records)
        former = superseded_in_documents(state.records.values()).get(record.id)
        section = topic_of(record.trail)
        refusal = twin or text_refusal(workspace, written, section, name, text, decided=False, replaces=former)
    return WhyResult(
        entry=replace(
            without_secret(replace(record, citations=judged)),
            confidence=assessment.confidence,
            base_confidence=assessment.base,
        ),
        sources=sources,
        also=also,
        signals=signals(record.citations, record.snapshot_count, rules.weights, record.feedback),
        worth=worth.score,
        reasons=worth.points,
        stale=assessment.stale,
        stale_on=None if is_out else goes_stale_at(record, assessment.base, workspace.now, rules),
        decay_basis=str(rules.decay.basis),
        held_by=heir.entry_id if promoted and heir is not record and heir.in_memory else None,
        ledger=find_line(state, record.id),
        feedback=given_feedback,
        accessed=Accesses(record.access_count, record.last_accessed),
        failures=failures_in(given_feedback) + failures,
        is_pinned=record.is_pinned(workspace.now),
        grace_is_over=not has_grace(record, workspace.now),
        not_promoted_because=None if promoted or refusal is None else refusal.reason,
        history=history,
        notices=(*pending, *_other_name(record, prefix, asked)),
    )


def _assessed(
    workspace: Workspace, metadata: Metadata, memory: MemoryReading | None, rules: Rules, state: BranchState, key: str
) -> Assessed:
    """Return what one entry comes to by ``state`` and the memory as it is now."""
    alone = replace(state, records={key: state.records[key]})
    (found,) = assess_project(workspace, metadata, memory, rules, alone, snapshot=False).assessed
    return found


def _other_name(record: Record, prefix: str, given: str) -> list[str]:
    """A notice if the entry was asked for by another identity than its note's."""
    if record.entry_id.startswith(given):
        return []
    return [f"{prefix} is {'what is written' if record.id.startswith(given) else 'another wording'} of it"]
