"""``promote``: put entries that have proved stable and true into a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from intermem.core.entries.identity import identity, normalised
from intermem.core.entries.secrets import secret_rule
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.lifecycle.gates import Limits, Refusal
from intermem.core.lifecycle.promotion import Candidate, plan_promotions, sorted_candidates, twin_refusal
from intermem.core.lifecycle.stability import next_counted
from intermem.core.lifecycle.staleness import Rules
from intermem.core.region.place import place_region
from intermem.core.times import format_date
from intermem.entities import HistoryRow, Problem, Record
from intermem.errors import UsageError
from intermem.project.documents import Document
from intermem.results import FINDINGS, Answer, FileDiff, exit_code_for
from intermem.results.curate import PromoteResult
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_history, save_records
from intermem.workflow.assessment import Assessments, assess_project
from intermem.workflow.branch_state import (
    BranchState,
    find_judged,
    load_branch_state,
    missing_notices,
    reconciled_rows,
    save_reconciliation,
)
from intermem.workflow.edits import Edit, document_edit, ledger_edits
from intermem.workflow.memory import memory_notices, read_project_memory, require_memory
from intermem.workflow.misses import misses
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.targets import find_target
from intermem.workflow.workspace import Workspace

Ask = Callable[[Sequence[Candidate], str], Sequence[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteOptions:
    """The options of the command line; ``text`` is the wording to write of the one entry in ``ids``.

    ``lists_all``: the text output lists every refusal.
    """

    ids: tuple[str, ...] = ()
    min_snapshots: int | None = None
    limit: int | None = None
    target: str | None = None
    text: str | None = None
    lists_all: bool = False


@dataclass(frozen=True, slots=True)
class _Survey:
    """What was read, and which entries pass the gates that look at a single entry."""

    state: BranchState
    document: Document
    assessments: Assessments
    passed: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    worths: Mapping[str, int]
    rules: Rules
    asking: bool
    problems: tuple[Problem, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    survey: _Survey
    edits: tuple[Edit, ...]
    promoted: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    never: tuple[Record, ...]


def promote(
    workspace: Workspace, options: PromoteOptions, mode: RunMode, *, yes: bool = False, ask: Ask | None = None
) -> PromoteResult:
    """Promote what passes every gate; list the rest with reasons.

    With ``ask`` a person decides on each; without it nothing is written unless ``yes``. Exit code
    1 if ids were given and one of them was refused. Raises NoDocument, and MemoryNotFound if there
    are no candidates either.
    """
    _check_wording(workspace, options)
    waits = not mode.dry and not yes and ask is None
    mode = mode.dry_if(waits)

    def make(metadata: Metadata) -> _Survey:
        return _survey(workspace, metadata, options, asking=ask is not None)

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, plan.survey.state)
        _save_rejections(workspace, metadata, plan.never)

    with operation(workspace, "promote", mode, make) as op:
        plan = _planned(workspace, op.plan, options)
        if ask is not None and not plan.promoted:
            waits, mode = True, mode.dry_if(True)  # there is nothing to ask about
        elif not mode.dry:
            answers: Mapping[str, Answer] | None = None
            reasons = {record.id: refusal for record, refusal in plan.refused}
            if ask is not None:
                given = ask(plan.promoted, plan.survey.document.name)
                answers = {
                    one.record.id: replace(answer, text=answer.text or one.text)  # what was shown is what is written
                    for one, answer in zip(plan.promoted, given, strict=False)
                }
            survey = op.begin()
            if answers is not None or survey is not plan.survey:
                plan = _planned(workspace, survey, options, answers, reasons)
            op.commit(save, effects=_effects(plan), edits=plan.edits)
    return _result(workspace, plan, op.notices, options, mode, waits=waits)


def _check_wording(workspace: Workspace, options: PromoteOptions) -> None:
    """Raise UsageError if the wording that was given cannot be written for one entry."""
    if options.text is None:
        return
    limit = workspace.config.limits().characters
    hint = 'intermem promote ID --text "the wording to write"'
    if len(options.ids) != 1:
        raise UsageError("--text is the wording of one entry, and needs its id", hint=hint)
    if not normalised(options.text):
        raise UsageError("--text is empty", hint=hint)
    if len(options.text) > limit:
        over = f"--text has {len(options.text)} characters, {limit} are allowed (promote.max_chars)"
        raise UsageError(over, hint="shorten it")


def _survey(workspace: Workspace, metadata: Metadata, options: PromoteOptions, *, asking: bool) -> _Survey:
    """Read everything, and sort the entries by the gates that look at a single one."""
    rules = workspace.config.rules()
    if options.min_snapshots is not None:
        rules = replace(rules, min_snapshots=options.min_snapshots)
    memory = read_project_memory(workspace)
    state = load_branch_state(workspace, metadata, thorough=True)
    assessments = assess_project(workspace, metadata, memory, rules, state, snapshot=False)
    if memory is None and not assessments.assessed:
        require_memory(workspace)
    document = find_target(workspace, state.documents, options.target)
    wanted = {find_judged(state, prefix) for prefix in options.ids}
    passed, refused = sorted_candidates(
        [(one.record, one.assessment) for one in assessments.assessed],
        wanted,
        state.owners,
        state.purged,
        workspace.now,
        rules,
        workspace.config.limits(),
        workspace.config.allowed_hazards(),
        wording=options.text,
    )
    worths = {one.record.id: one.worth.score for one in passed if one.worth.excerpt is not None}
    if asking and not wanted:  # a person is asked about what passes, and about what only has to be seen again
        refused += [(one.record, one.held[0]) for one in passed if _is_unasked(one)]
        passed = [one for one in passed if not _is_unasked(one)]
    return _Survey(
        state,
        document,
        assessments,
        tuple(passed),
        tuple(refused),
        worths,
        rules,
        asking,
        (*(memory.problems if memory is not None else ()), *state.problems),
        (*memory_notices(workspace), *missing_notices(state)),
    )


def _is_unasked(one: Candidate) -> bool:
    return any(gate.gate != "snapshots" for gate in one.held)


def _planned(
    workspace: Workspace,
    survey: _Survey,
    options: PromoteOptions,
    answers: Mapping[str, Answer] | None = None,
    reasons: Mapping[str, Refusal] | None = None,
) -> _Plan:
    """Plan what goes in: every candidate that passed, or those that a person accepted (``answers``)."""
    passed, refused, never = list(survey.passed), list(survey.refused), list[Record]()
    if answers is not None:
        owners = survey.state.owners
        passed, refused, never = _answered(passed, refused, answers, reasons or {}, owners, workspace.config.limits())
    elif survey.asking:  # a person is asked about each
        passed = [replace(one, decided=one.text) for one in passed]
    limits = workspace.config.limits()
    if options.limit is not None:
        limits = replace(limits, entries=options.limit)
    document = survey.document
    text = document.text if document.region is not None else place_region(document.text, document.name)
    promotions = plan_promotions(passed, text, document.name, limits, secret_rule)
    plan = _Plan(survey, (), promotions.promoted, (*promotions.refused, *refused), tuple(never))
    return replace(plan, edits=tuple(_edits(workspace, plan, promotions.text)))


def _edits(workspace: Workspace, plan: _Plan, text: str) -> list[Edit]:
    """The edits of a plan: the document, if anything goes in, and the ledger."""
    after = {one.record.id: one.record for one in plan.survey.assessments.assessed}
    sections = {identity(one.text): one.section for one in plan.promoted}
    effects = _effects(plan)
    for effect in effects:
        after[effect.standing_id] = after_effect(after.pop(effect.entry_id), effect, workspace.now)
    after |= {one.id: replace(one, rejected_at=workspace.now) for one in plan.never}
    edits = [document_edit(plan.survey.document, text)] if plan.promoted else []
    return edits + ledger_edits(
        workspace,
        plan.survey.state,
        after.values(),
        sections=sections,
        newly_rejected=[one.id for one in plan.never],
        create=True,
        effects=effects,
    )


def _answered(
    passed: Iterable[Candidate],
    refused: list[tuple[Record, Refusal]],
    answers: Mapping[str, Answer],
    reasons: Mapping[str, Refusal],
    owners: Mapping[str, str],
    limits: Limits,
) -> tuple[list[Candidate], list[tuple[Record, Refusal]], list[Record]]:
    """Sort candidates by the answers; those not asked about are refused, for their own reason if they have one."""
    taken: list[Candidate] = []
    never: list[Record] = []
    for candidate in passed:
        answer = answers.get(candidate.record.id, Answer(asked=False))
        if not answer.asked:
            earlier = reasons.get(candidate.record.id, Refusal(gate="declined", reason="not asked"))
            refused.append((candidate.record, earlier))
        elif answer.never:
            never.append(candidate.record)
            refused.append(
                (
                    candidate.record,
                    Refusal(
                        gate="rejected",
                        reason=f"never, at the prompt; intermem restore {candidate.record.id[:8]} lifts that",
                    ),
                )
            )
        elif not answer.take:
            refused.append((candidate.record, Refusal(gate="declined", reason="not now")))
        elif (twin := twin_refusal(candidate.record, answer.text or candidate.text, owners)) is not None:
            refused.append((candidate.record, twin))
        elif (length := len(_written(candidate, answer))) > limits.characters:
            reason = f"{length} characters long, {limits.characters} are allowed (promote.max_chars)"
            refused.append((candidate.record, Refusal(gate="length", reason=reason)))
        else:
            text = answer.text or candidate.text
            taken.append(replace(candidate, text=text, decided=text))
    return taken, refused, never


def _written(candidate: Candidate, answer: Answer) -> str:
    """What would be written that is bound to a length: what stood once is not, if it is written as it stood."""
    text = answer.text or candidate.text
    if text != candidate.text or any(one.gate == "length" for one in candidate.held):
        return text
    return ""


def _effects(plan: _Plan) -> list[Effect]:
    effects: list[Effect] = []
    for one in plan.promoted:
        new = identity(one.text) if one.text != one.record.text else None
        edited = new is not None and new != one.record.id
        effects.append(
            Effect(
                kind="promote",
                entry_id=one.record.id,
                document=plan.survey.document.name,
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
    """The effect on the former wording that a promoted revision replaces."""
    reason = f"its note was reworded: replaced by {new.standing_id[:8]}"
    return Effect(
        kind="supersede",
        entry_id=old.id,
        document=old.document or new.document,
        reason=reason,
        heir=new.standing_id,
        cause="superseded",
    )


def _reason(one: Candidate) -> str:
    count = one.record.snapshot_count
    snapshots = "1 snapshot" if count == 1 else f"{count} snapshots"
    reason = f"seen in {snapshots}, confidence {shown(one.assessment.confidence)}, worth {shown(one.worth.score)}"
    if one.record.demoted_at is not None:
        reason += f"; seen again since it was demoted on {format_date(one.record.demoted_at)}"
    if one.replaces is not None:
        reason += f"; replaces {one.replaces.entry_id[:8]}, which it rewords"
    return reason


def _save_rejections(workspace: Workspace, metadata: Metadata, records: Sequence[Record]) -> None:
    stored = metadata.records() if records else {}
    save_records(metadata, ((stored[one.id], replace(stored[one.id], rejected_at=workspace.now)) for one in records))
    rows = (HistoryRow(at=workspace.now, event="rejected", entry_id=one.id, detail="never, by hand") for one in records)
    add_history(metadata, rows)


def _result(
    workspace: Workspace, plan: _Plan, recovered: Sequence[str], options: PromoteOptions, mode: RunMode, *, waits: bool
) -> PromoteResult:
    survey = plan.survey
    by_id = {one.record.id: one.record for one in plan.promoted}
    effects = [effect for effect in _effects(plan) if effect.kind == "promote"]
    sections = {one.record.id: one.section for one in plan.promoted}
    shown = [
        replace(after_effect(by_id[effect.entry_id], effect, workspace.now), section=sections[effect.entry_id])
        for effect in effects
    ]
    notices = [*recovered, *survey.notices, *survey.assessments.notices]
    if waits and shown:
        notices.append("nothing was written: add --yes to promote them")
    unstable = [record for record, refusal in plan.refused if refusal.gate == "snapshots"]
    findings = bool(options.ids) and bool(plan.refused)
    return PromoteResult(
        document=survey.document.name,
        promoted=shown,
        refused=misses(workspace, plan.refused, survey.worths),
        next_counted=next_counted(unstable, workspace.now, workspace.config.span("scan.min_interval"), survey.rules),
        known=len(survey.assessments.assessed),
        at=workspace.now,
        asked=survey.asking and not waits,
        lists_all=options.lists_all,
        reconciled=reconciled_rows(workspace, survey.state),
        dry_run=mode.dry,
        exit_code=exit_code_for(survey.problems, FINDINGS if findings else 0),
        problems=survey.problems,
        notices=tuple(notices),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in plan.edits),
        show_diff=mode.show_diff,
    )
