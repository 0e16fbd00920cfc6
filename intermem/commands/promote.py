"""``promote``: put entries that have proved stable and true into a document."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from intermem.core.entries.identity import identity
from intermem.core.entries.secrets import secret_rule, without_secret
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.promotion import Candidate, candidates_of, plan_promotions, superseded_in_documents
from intermem.core.lifecycle.staleness import Rules
from intermem.core.region.place import place_region
from intermem.core.times import format_date
from intermem.entities import HistoryRow, Problem, Record
from intermem.project.documents import Document
from intermem.results import FINDINGS, Answer, FileDiff, Result, exit_code_for
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_history, save_records
from intermem.workflow.assessment import Assessments, assess_project
from intermem.workflow.branch_state import (
    BranchState,
    find_entry,
    load_branch_state,
    missing_notices,
    reconciled_rows,
    save_reconciliation,
)
from intermem.workflow.edits import Edit, document_edit, intents_for, ledger_edits
from intermem.workflow.memory import memory_notices, read_project_memory, require_memory
from intermem.workflow.targets import find_target
from intermem.workflow.workspace import Workspace
from intermem.workflow.writeback import finish

Ask = Callable[[Sequence[Candidate], str], Sequence[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteOptions:
    """What the command line asks for."""

    ids: tuple[str, ...] = ()
    min_snapshots: int | None = None
    limit: int | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    here: BranchState
    document: Document
    edits: tuple[Edit, ...]
    promoted: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    never: tuple[Record, ...]
    situation: Assessments
    problems: tuple[Problem, ...]
    notices: tuple[str, ...]


def promote(
    workspace: Workspace,
    wishes: PromoteOptions,
    *,
    yes: bool = False,
    dry_run: bool = False,
    show_diff: bool = False,
    force: bool = False,
    ask: Ask | None = None,
) -> Result:
    """Promote what passes every gate, list the rest with reasons.

    With ``ask`` a person decides on each; without it nothing is written unless ``yes``. Exit code
    1 where ids were named and one of them was refused. Raises NoDocument, MemoryNotFound where no
    candidate is known either.
    """
    dry = dry_run or show_diff or (not yes and ask is None)
    if not dry:
        workspace.require_clean_git_state(force=force)
    said = workspace.recovered(dry=dry)
    with workspace.viewing() as metadata:
        plan = _planned(workspace, metadata, wishes, asking=ask is not None)
    answers: dict[str, Answer] | None = None
    reasons = {record.id: refusal for record, refusal in plan.refused}
    if ask is not None and not plan.promoted:
        dry = True  # there is nobody to ask about
    elif not dry and ask is not None:
        given = ask(plan.promoted, plan.document.name)
        answers = {one.record.id: answer for one, answer in zip(plan.promoted, given, strict=False)}
    if not dry:
        with workspace.writing(force=force) as (metadata, more):
            said += more
            with workspace.recorded(metadata, "promote") as recording:
                plan = _planned(workspace, metadata, wishes, answers, reasons=reasons)
                save_reconciliation(workspace, metadata, plan.here)
                _save_never(workspace, metadata, plan.never)
                recording.intends(_effects(plan), intents_for(workspace, plan.edits))
            finish(metadata, recording.pending)
    return _result(
        workspace, plan, said, wishes, dry=dry, show_diff=show_diff, waiting=dry and not (dry_run or show_diff)
    )


def _planned(
    workspace: Workspace,
    metadata: Metadata,
    wishes: PromoteOptions,
    answers: dict[str, Answer] | None = None,
    *,
    asking: bool = False,
    reasons: Mapping[str, Refusal] | None = None,
) -> _Plan:
    """The plan; where a person is asked, entries that are too long come along: they can be edited."""
    rules = workspace.config.rules()
    most_lines = rules.max_lines
    if asking or answers is not None:
        rules = replace(rules, max_lines=sys.maxsize)
    limits = workspace.config.limits()
    if wishes.min_snapshots is not None:
        rules = replace(rules, min_snapshots=wishes.min_snapshots)
    if wishes.limit is not None:
        limits = replace(limits, entries=wishes.limit)
    memory = read_project_memory(workspace)
    here = load_branch_state(workspace, metadata, thorough=True)
    situation = assess_project(workspace, metadata, memory, rules, here, snapshot=False)
    if memory is None and not situation.assessed:
        require_memory(workspace)
    document = find_target(workspace, here.documents, wishes.target)
    wanted = {find_entry(here, prefix) for prefix in wishes.ids}
    passed, refused = _sorted_out(situation, workspace, rules, wanted)
    never: list[Record] = []
    if answers is not None:
        known = {one.record.id for one in situation.assessed}
        passed, refused, never = _answered(passed, refused, answers, reasons or {}, known, most_lines)
    text = document.text if document.region is not None else place_region(document.text, document.name)
    promotions = plan_promotions(passed, text, document.name, limits, secret_rule)
    plan = _Plan(
        here,
        document,
        (),
        promotions.promoted,
        (*promotions.refused, *refused),
        tuple(never),
        situation,
        (*(memory.problems if memory is not None else ()), *here.problems),
        (*memory_notices(workspace), *missing_notices(here)),
    )
    return replace(plan, edits=tuple(_edits(workspace, plan, promotions.text)))


def _edits(workspace: Workspace, plan: _Plan, text: str) -> list[Edit]:
    """What is to be written: the document, where anything goes in, and the ledger that says so."""
    after = {one.record.id: one.record for one in plan.situation.assessed}
    sections = {identity(one.text): one.record.section for one in plan.promoted}
    for effect in _effects(plan):
        after[effect.standing_id] = after_effect(after.pop(effect.entry_id), effect, workspace.now)
    after |= {one.id: replace(one, rejected_at=workspace.now) for one in plan.never}
    never = [one.id for one in plan.never]
    edits = [document_edit(plan.document, text)] if plan.promoted else []
    return edits + ledger_edits(
        workspace,
        plan.here,
        after.values(),
        sections=sections,
        newly_rejected=never,
        create=True,
        effects=_effects(plan),
    )


def _sorted_out(
    situation: Assessments, workspace: Workspace, rules: Rules, wanted: set[str]
) -> tuple[list[Candidate], list[tuple[Record, Refusal]]]:
    chosen = [one for one in situation.assessed if not wanted or one.record.id in wanted]
    triples = [(one.record, one.assessment, one.record.citations) for one in chosen]
    replaced = superseded_in_documents(one.record for one in situation.assessed)
    passed, refused = candidates_of(triples, workspace.now, rules, replaced)
    for one in chosen:
        if wanted and one.record.document is not None:
            since = f" since {format_date(one.record.promoted_at)}" if one.record.promoted_at else ""
            reason = f"it stands in {one.record.document}{since}"
            refused.append((one.record, Refusal(gate="promoted", reason=reason)))
    return passed, refused


def _answered(
    passed: Iterable[Candidate],
    refused: list[tuple[Record, Refusal]],
    answers: dict[str, Answer],
    reasons: Mapping[str, Refusal],
    known: set[str],
    most_lines: int,
) -> tuple[list[Candidate], list[tuple[Record, Refusal]], list[Record]]:
    """Sort candidates by what a person said; whom nobody was asked about waits, for its own reason if it has one."""
    taken: list[Candidate] = []
    never: list[Record] = []
    for candidate in passed:
        answer = answers.get(candidate.record.id, Answer(asked=False))
        if not answer.asked:
            earlier = reasons.get(candidate.record.id, Refusal(gate="declined", reason="not asked"))
            refused.append((candidate.record, earlier))
        elif answer.never:
            never.append(candidate.record)
            refused.append((candidate.record, Refusal(gate="rejected", reason="never, at the prompt")))
        elif not answer.take:
            refused.append((candidate.record, Refusal(gate="declined", reason="not now")))
        elif answer.text is not None and identity(answer.text) in known - {candidate.record.id}:
            refused.append((candidate.record, Refusal(gate="duplicate", reason="another entry has that text")))
        elif (lines := (answer.text or candidate.text).count("\n") + 1) > most_lines:
            reason = f"{lines} lines long, {most_lines} are allowed: promote it with edit"
            refused.append((candidate.record, Refusal(gate="length", reason=reason)))
        else:
            taken.append(replace(candidate, text=answer.text or candidate.text))
    return taken, refused, never


def _effects(plan: _Plan) -> list[Effect]:
    effects: list[Effect] = []
    for one in plan.promoted:
        new = identity(one.text) if one.text != one.record.text else None
        edited = new is not None and new != one.record.id
        effects.append(
            Effect(
                kind="promote",
                entry_id=one.record.id,
                document=plan.document.name,
                reason=_reason(one),
                original_confidence=one.assessment.base,
                new_id=new if edited else None,
                new_text=one.text if edited else None,
            )
        )
        if one.replaces is not None:
            effects.append(_replacement(one.replaces, effects[-1]))
    return effects


def _replacement(old: Record, new: Effect) -> Effect:
    """What becomes of the former wording that a promoted revision takes the place of."""
    reason = f"its note was reworded: {new.standing_id[:8]} stands in its place"
    return Effect(
        kind="supersede",
        entry_id=old.id,
        document=old.document or new.document,
        reason=reason,
        heir=new.standing_id,
        cause="superseded",
    )


def _reason(one: Candidate) -> str:
    reason = f"seen in {one.record.snapshot_count} snapshots, confidence {shown(one.assessment.confidence)}"
    if one.record.demoted_at is not None:
        reason += f"; again: it was demoted on {format_date(one.record.demoted_at)} and has been seen since"
    if one.replaces is not None:
        reason += f"; in place of {one.replaces.id[:8]}, which it rewords"
    return reason


def _save_never(workspace: Workspace, metadata: Metadata, records: Sequence[Record]) -> None:
    stored = metadata.records() if records else {}
    save_records(metadata, ((stored[one.id], replace(stored[one.id], rejected_at=workspace.now)) for one in records))
    rows = (HistoryRow(at=workspace.now, event="rejected", entry_id=one.id, detail="never, by hand") for one in records)
    add_history(metadata, rows)


def _result(
    workspace: Workspace,
    plan: _Plan,
    said: Sequence[str],
    wishes: PromoteOptions,
    *,
    dry: bool,
    show_diff: bool,
    waiting: bool,
) -> Result:
    by_id = {one.record.id: one.record for one in plan.promoted}
    effects = [effect for effect in _effects(plan) if effect.kind == "promote"]
    shown = [after_effect(by_id[effect.entry_id], effect, workspace.now) for effect in effects]
    notices = [*said, *plan.notices, *plan.situation.notices]
    if waiting and shown:
        notices.append("nothing was written: add --yes to promote them")
    findings = bool(wishes.ids) and bool(plan.refused)
    return Result(
        verb="promote",
        data={
            "document": plan.document.name,
            "promoted": shown,
            "refused": [
                {"entry": without_secret(record), "gate": r.gate, "reason": r.reason} for record, r in plan.refused
            ],
            "reconciled": reconciled_rows(workspace, plan.here),
            "dry_run": dry,
        },
        exit_code=exit_code_for(plan.problems, FINDINGS if findings else 0),
        problems=plan.problems,
        notices=tuple(notices),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in plan.edits),
        show_diff=show_diff,
    )
