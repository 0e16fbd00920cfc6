"""``promote``: put entries that have proved stable and true into a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from intermem.core.entries.identity import normalised
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.lifecycle.gates import Limits, Refusal
from intermem.core.lifecycle.promotion import Candidate, twin_refusal
from intermem.core.lifecycle.stability import next_counted
from intermem.core.region.place import place_region
from intermem.core.times import format_date
from intermem.entities import REWORDED_INTO, HistoryRow, Record
from intermem.errors import UsageError
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, Answer, FileDiff, exit_code_for
from intermem.results.curate import PromoteResult
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import add_history, save_records
from intermem.workflow.assessment import Assessments, save_assessments
from intermem.workflow.branch_state import BranchState
from intermem.workflow.candidacy import Candidacy, read_candidates
from intermem.workflow.changed_since import shown_with_changes
from intermem.workflow.edits import Edit, ledger_edits
from intermem.workflow.misses import misses
from intermem.workflow.observing import observation_of, save_observer
from intermem.workflow.operation import operation
from intermem.workflow.reconciled import reconciled_rows, save_reconciliation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.tiers import fill_tiers
from intermem.workflow.workspace import Workspace

Ask = Callable[[Sequence[Candidate], Sequence[str]], Sequence[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteOptions:
    """The options of the command line; ``text`` is the wording to write of the one entry in ``ids``.

    ``lists_all``: the text output lists every refusal. ``tier`` 2 writes into topic files, 1 into the target alone;
    None: into topic files what finds no room in the target, if ``tiers`` is set.
    """

    ids: tuple[str, ...] = ()
    min_snapshots: int | None = None
    limit: int | None = None
    target: str | None = None
    text: str | None = None
    lists_all: bool = False
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """What goes in; ``places`` are the documents of what does not go into the target, by id of the record."""

    survey: Candidacy
    edits: tuple[Edit, ...]
    promoted: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    never: tuple[Record, ...]
    places: Mapping[str, str] = field(default_factory=dict)

    def place_of(self, one: Candidate) -> str:
        """Return the name of the document that a candidate goes into."""
        return self.places.get(one.record.id, self.survey.document.name)


def promote(
    workspace: Workspace, options: PromoteOptions, mode: RunMode, *, yes: bool = False, ask: Ask | None = None
) -> PromoteResult:
    """Promote what passes every gate; list the rest with reasons.

    With ``ask`` a person decides on each; without it nothing is written unless ``yes``. Exit code
    1 if ids were given and one of them was refused. Raises NoDocument, and MemoryNotFound if there
    are no candidates either.
    """
    if options.tier == 2 and options.target is not None:
        message = "--tier 2 writes into the topic file of each section: it cannot be combined with --target"
        raise UsageError(message, hint="leave out --target")
    _check_wording(workspace, options)
    waits = not mode.dry and not yes and ask is None
    mode = mode.dry_if(waits)

    def make(metadata: Metadata) -> Candidacy:
        return read_candidates(
            workspace,
            metadata,
            options.ids,
            min_snapshots=options.min_snapshots,
            target=options.target,
            wording=options.text,
        )

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, plan.survey.state)
        _save_judged(workspace, metadata, plan)
        _save_rejections(workspace, metadata, plan.never)
        save_observer(metadata, plan.edits)

    with operation(workspace, "promote", mode, make) as op:
        plan = _planned(workspace, op.plan, options, asking=ask is not None)
        if ask is not None and not plan.promoted:
            waits, mode = True, mode.dry_if(True)  # there is nothing to ask about
        elif not mode.dry:
            answers: Mapping[str, Answer] | None = None
            reasons = {record.id: refusal for record, refusal in plan.refused}
            if ask is not None:
                shown_now = shown_with_changes(workspace.worktree, plan.promoted, plan.survey.confirmed)
                given = ask(shown_now, [plan.place_of(one) for one in plan.promoted])
                answers = {
                    one.record.id: replace(answer, text=answer.text or one.text)  # what was shown is what is written
                    for one, answer in zip(plan.promoted, given, strict=False)
                }
            survey = op.begin()
            if answers is not None or survey is not plan.survey:
                plan = _planned(workspace, survey, options, answers, reasons, asking=ask is not None)
            op.commit(save, effects=_effects(plan), edits=plan.edits)
    return _result(workspace, plan, op.notices, options, mode, waits=waits, asked=ask is not None and not waits)


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


def _is_unasked(one: Candidate) -> bool:
    return any(gate.gate != "snapshots" for gate in one.held)


def _planned(
    workspace: Workspace,
    survey: Candidacy,
    options: PromoteOptions,
    answers: Mapping[str, Answer] | None = None,
    reasons: Mapping[str, Refusal] | None = None,
    *,
    asking: bool,
) -> _Plan:
    """Plan what goes in: every candidate that passed, or those that a person accepted (``answers``)."""
    passed, refused, never = list(survey.passed), list(survey.refused), list[Record]()
    limits = workspace.config.limits()
    if asking and not options.ids:  # a person is asked about what passes, and about what only has to be seen again
        refused += [(one.record, one.held[0]) for one in passed if _is_unasked(one)]
        passed = [one for one in passed if not _is_unasked(one)]
    if answers is not None:
        passed, refused, never = _answered(passed, refused, answers, reasons or {}, survey.state, limits)
    elif asking:  # about each
        passed = [replace(one, decided=one.text) for one in passed]
    if options.limit is not None:
        limits = replace(limits, entries=options.limit)
    document = survey.document
    text = document.text if document.region is not None else place_region(document.text, document.name)
    filling = fill_tiers(workspace, survey.state, document, text, passed, limits, options.tier)
    plan = _Plan(survey, (), filling.promoted, (*filling.refused, *refused), tuple(never), places=filling.places)
    return replace(plan, edits=tuple(_edits(workspace, plan, filling.edits)))


def _edits(workspace: Workspace, plan: _Plan, edits: Sequence[Edit]) -> list[Edit]:
    """The edits of a plan: those of documents, and of the ledger."""
    after = {one.record.id: one.record for one in plan.survey.assessments.assessed}
    sections = {one.standing_id: one.section for one in plan.promoted}
    effects = _effects(plan)
    for effect in effects:
        after[effect.standing_id] = after_effect(after.pop(effect.entry_id), effect, workspace.now)
    after |= {one.id: replace(one, rejected_at=workspace.now) for one in plan.never}
    return list(edits) + ledger_edits(
        workspace,
        plan.survey.state,
        after.values(),
        sections=sections,
        newly_rejected=[one.id for one in plan.never],
        create=True,
        effects=effects,
        observation=observation_of(workspace, plan.survey.assessments.observer, after.values(), complete=False),
    )


def _answered(
    passed: Iterable[Candidate],
    refused: list[tuple[Record, Refusal]],
    answers: Mapping[str, Answer],
    reasons: Mapping[str, Refusal],
    state: BranchState,
    limits: Limits,
) -> tuple[list[Candidate], list[tuple[Record, Refusal]], list[Record]]:
    """Sort candidates by the answers; those not asked about are refused, for their own reason if they have one."""
    taken: list[Candidate] = []
    never: list[Record] = []
    for candidate in passed:
        record = candidate.record
        answer = answers.get(record.id, Answer(asked=False))
        text = answer.text or candidate.text
        chosen = replace(candidate, text=text, decided=text)
        if not answer.asked:
            why = reasons.get(record.id, Refusal(gate="declined", reason="not asked"))
        elif answer.never:
            never.append(record)
            lifts = f"intermem restore {record.entry_id[:8]} lifts that"
            why = Refusal(gate="rejected", reason=f"never, at the prompt; {lifts}")
        elif not answer.take:
            why = Refusal(gate="declined", reason="not now")
        elif (twin := twin_refusal(record, chosen.standing_id, state.owners, state.records)) is not None:
            why = twin
        elif len(text) > limits.characters and not _stood(candidate, text):
            reason = f"{len(text)} characters long, {limits.characters} are allowed (promote.max_chars)"
            why = Refusal(gate="length", reason=reason)
        else:
            taken.append(chosen)
            continue
        refused.append((record, why))
    return taken, refused, never


def _stood(candidate: Candidate, text: str) -> bool:
    """Whether it stood in a document with that ``text``: then it is bound to no length."""
    return text == candidate.text and candidate.record.promoted_at is not None


def _effects(plan: _Plan) -> list[Effect]:
    effects: list[Effect] = []
    for one in plan.promoted:
        edited = one.standing_id != one.record.id
        effects.append(
            Effect(
                kind="promote",
                entry_id=one.record.id,
                document=plan.place_of(one),
                reason=_reason(one),
                original_confidence=one.assessment.base,
                new_id=one.standing_id if edited else None,
                new_text=one.text if edited else None,
            )
        )
        if one.replaces is not None:
            effects.append(_replacement(one.replaces, effects[-1]))
    return effects


def _replacement(old: Record, new: Effect) -> Effect:
    """The effect on the former wording that a promoted revision replaces."""
    reason = f"{REWORDED_INTO} {new.standing_id[:8]}"
    return Effect(
        kind="supersede",
        entry_id=old.id,
        document=old.document or new.document,
        reason=reason,
        heir=new.standing_id,
        cause="superseded",
        confidence=old.confidence,
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


def _save_judged(workspace: Workspace, metadata: Metadata, plan: _Plan) -> None:
    """Save the verdicts by which entries are promoted: every list then has the confidence that was promoted."""
    taken = {one.record.id for one in plan.promoted}
    judged = (one for one in plan.survey.assessments.assessed if one.record.id in taken)
    save_assessments(workspace, metadata, Assessments(tuple(judged)))


def _save_rejections(workspace: Workspace, metadata: Metadata, records: Sequence[Record]) -> None:
    stored = metadata.records() if records else {}
    save_records(metadata, ((stored[one.id], replace(stored[one.id], rejected_at=workspace.now)) for one in records))
    rows = (HistoryRow(at=workspace.now, event="rejected", entry_id=one.id, detail="never, by hand") for one in records)
    add_history(metadata, rows)


def _result(
    workspace: Workspace,
    plan: _Plan,
    recovered: Sequence[str],
    options: PromoteOptions,
    mode: RunMode,
    *,
    waits: bool,
    asked: bool,
) -> PromoteResult:
    survey = plan.survey
    by_id = {one.record.id: one.record for one in plan.promoted}
    effects = [effect for effect in _effects(plan) if effect.kind == "promote"]
    sections = {one.record.id: one.section for one in plan.promoted}
    shown = [
        replace(after_effect(by_id[effect.entry_id], effect, workspace.now), section=sections[effect.entry_id])
        for effect in effects
    ]
    notices = [*recovered, *survey.notices]
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
        asked=asked,
        lists_all=options.lists_all,
        reconciled=reconciled_rows(workspace, survey.state),
        dry_run=mode.dry,
        exit_code=exit_code_for(survey.problems, FINDINGS if findings else 0),
        problems=survey.problems,
        notices=tuple(notices),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in plan.edits),
        show_diff=mode.show_diff,
    )
