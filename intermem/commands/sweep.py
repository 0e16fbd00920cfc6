"""``sweep``: re-validate and decay every entry, demote what has gone stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.lifecycle.promotion import plan_demotions
from intermem.core.lifecycle.retention import Expiry, expired, is_worth_a_sweep
from intermem.core.lifecycle.staleness import (
    Rules,
    counts_as_sweep,
    has_grace,
    is_demotable,
    next_streak,
    stale_cause,
    stale_reason,
)
from intermem.core.times import format_date
from intermem.entities import Problem, Record, Status
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import Document, Documents
from intermem.results import FINDINGS, FileDiff, exit_code_for
from intermem.results.curate import SweepResult
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import set_last_sweep
from intermem.workflow.assessment import Assessed, Assessments, assess_project, save_assessments
from intermem.workflow.branch_state import BranchState, load_branch_state, missing_notices
from intermem.workflow.changeset import ChangeSet, save_changeset, tell_final_confidence
from intermem.workflow.edits import Edit, document_edit, ledger_edits
from intermem.workflow.history_streak import STREAK, PastStaleness, past_staleness
from intermem.workflow.memory import memory_notices, read_project_memory
from intermem.workflow.observing import observation_of, save_observer
from intermem.workflow.operation import operation
from intermem.workflow.reconciled import reconciled_rows, save_reconciliation
from intermem.workflow.retention import collect_expiry, heirs_in_ledger, retention_of, told_in_ledger
from intermem.workflow.run_mode import RunMode
from intermem.workflow.tiers import with_topic_lines
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a sweep will do: assessments with updated streaks, demotions, edits, and expired entries.

    ``left`` are the documents that lose an entry.
    """

    assessments: Assessments
    effects: tuple[Effect, ...]
    edits: tuple[Edit, ...]
    problems: tuple[Problem, ...]
    counts: bool
    expiry: Expiry
    left: frozenset[str]


def sweep(
    workspace: Workspace,
    *,
    take_snapshot: bool = True,
    demote: bool = True,
    check: bool = False,
    mode: RunMode,
) -> SweepResult:
    """Sweep, in the nine steps of DESIGN.md §3.

    ``check`` writes nothing; exit code 1 if a document or the standing of an entry would change, or a recovery is
    pending.
    """
    mode = mode.dry_if(check)

    def make(metadata: Metadata) -> _Run:
        return _planned(workspace, metadata, take_snapshot=take_snapshot, demote=demote)

    with operation(workspace, "sweep", mode, make) as op:
        run = op.begin()
        op.commit(lambda metadata: _save(workspace, metadata, run), effects=run.plan.effects, edits=run.plan.edits)
    pending = mode.dry and bool(op.notices)
    plan = run.plan
    changes = tuple(FileDiff(edit.name, edit.before, edit.after) for edit in plan.edits)
    matters = any(edit.matters for edit in plan.edits) or bool(plan.expiry.demoted or plan.expiry.deleted)
    assessed = plan.assessments.assessed
    kept = [one for one in assessed if one.record.status is not Status.DEMOTED and one.record.rejected_at is None]
    stale = [one.record for one in kept if one.assessment.stale]
    standing = [one for one in stale if one.document]
    waiting = [one for one in standing if not has_grace(one, workspace.now)]
    due = 0 if demote else _due(workspace, run, waiting)
    leaving = {effect.entry_id for effect in plan.effects}
    by_id = {one.record.id: one.record for one in assessed if one.record.id in leaving}
    return SweepResult(
        swept=len(assessed),
        decayed=sum(1 for one in kept if one.assessment.decayed),
        stale=len(stale),
        waiting=max(0, len(waiting) - len(plan.effects) - due),
        due=due,
        spared=len(standing) - len(waiting),
        demoted=[after_effect(by_id[effect.entry_id], effect, workspace.now) for effect in plan.effects],
        expired=[without_secret(one.record) for one in plan.expiry.demoted],
        deleted=[without_secret(one.record) for one in plan.expiry.deleted],
        demoted_from=sorted(plan.left),
        reconciled=reconciled_rows(workspace, run.state),
        streaks_moved=plan.counts,
        dry_run=mode.dry,
        exit_code=exit_code_for(run.problems, FINDINGS if check and (matters or pending) else 0),
        problems=run.problems,
        notices=(*op.notices, *run.notices, *missing_notices(run.state, workspace.now), *plan.assessments.notices),
        changes=changes,
        show_diff=mode.show_diff,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    plan: SweepPlan
    state: BranchState
    problems: tuple[Problem, ...]
    notices: tuple[str, ...]


def _planned(workspace: Workspace, metadata: Metadata, *, take_snapshot: bool, demote: bool) -> _Run:
    """Read everything, then decide everything."""
    memory = read_project_memory(workspace)  # needed even without a snapshot, as the target of links
    notices = memory_notices(workspace) if take_snapshot else []
    flag = workspace.config.flag
    if demote and flag("retention.at_sweep") and not flag("retention.enabled"):
        notices.append("retention.at_sweep does nothing while retention.enabled is false")
    state = load_branch_state(workspace, metadata, clean=not take_snapshot or memory is None)
    rules = workspace.config.rules()
    assessments = assess_project(
        workspace, metadata, memory, rules, state, snapshot=take_snapshot and memory is not None
    )
    plan = plan_sweep(workspace, assessments, state, rules, metadata, demote=demote)
    memory_problems = memory.problems if memory is not None and take_snapshot else ()
    problems = (*memory_problems, *state.problems, *plan.problems)
    return _Run(plan, state, problems, tuple(notices))


def _save(workspace: Workspace, metadata: Metadata, run: _Run) -> None:
    """Save the records as the run decided, inside the caller's transaction."""
    save_reconciliation(workspace, metadata, run.state)
    save_assessments(workspace, metadata, run.plan.assessments)
    save_observer(metadata, run.plan.edits)
    if run.plan.counts:
        set_last_sweep(metadata, workspace.now)
    if not (run.plan.expiry.demoted or run.plan.expiry.deleted):
        return
    records = {one.record.id: one.record for one in run.plan.assessments.assessed}
    changeset = ChangeSet(replace(run.state, records=records))
    collect_expiry(workspace, changeset, run.plan.expiry)
    tell_final_confidence(workspace, changeset)
    save_changeset(metadata, changeset, workspace.now)


def plan_sweep(
    workspace: Workspace,
    assessments: Assessments,
    state: BranchState,
    rules: Rules,
    metadata: Metadata,
    *,
    demote: bool,
) -> SweepPlan:
    """Return the plan of a sweep at the run's ``now``; write nothing."""
    documents = state.documents
    counts = counts_as_sweep(metadata.last_sweep(), workspace.now, rules)
    past = _past(workspace, assessments, state, rules, demote=demote)
    swept: list[Assessed] = []
    removals: dict[str, list[Assessed]] = {}
    left_alone = _left_alone(state)
    by_history: set[str] = set()
    for one in assessments.assessed:
        stale = one.assessment.stale and not has_grace(one.record, workspace.now)
        streak = next_streak(one.record.stale_streak, stale) if counts else one.record.stale_streak
        if stale and streak < STREAK and one.record.id in past.stale:
            streak = STREAK
            by_history.add(one.record.id)
        if streak != one.record.stale_streak:
            one = replace(one, record=replace(one.record, stale_streak=streak))
        swept.append(one)
        if one.record.id in left_alone:
            continue  # a person decides
        if demote and one.record.document and is_demotable(one.record, stale, streak, rules):
            document = documents.named(one.record.document)
            first = document.name if document else one.record.document
            others = {other.name for other in documents.found if other.region and one.record.id in other.region.ids}
            for name in {first, *others}:
                removals.setdefault(name, []).append(one)
    effects: list[Effect] = []
    beside: list[tuple[str, str]] = []
    texts: dict[str, tuple[Document, str]] = {}
    problems: list[Problem] = []
    for name in sorted(removals):
        document = documents.named(name)
        if document is None or document.region is None:
            problems.append(_postponed(name, len(removals[name]), documents))
            continue
        text, gone = _without(document, removals[name], problems)
        if text != document.text:
            texts[name] = document, text
        since = dict.fromkeys(by_history, past.since)
        effects += [_demotion(workspace, one, name, rules, since) for one in gone if _is_home(documents, one, name)]
        beside += [(one.record.entry_id, name) for one in gone if not _is_home(documents, one, name)]
    edited = with_topic_lines(workspace, state, texts)
    edits: list[Edit] = [document_edit(*pair) for _, pair in sorted(edited.items())]
    moved = {effect.entry_id: effect for effect in effects}
    after = [
        after_effect(one.record, moved[one.record.id], workspace.now) if one.record.id in moved else one.record
        for one in swept
    ]
    notices = [past.notice] if past.notice and metadata.last_sweep() is None else []
    observer = assessments.observer if assessments.snapshot is not None else None
    observation = observation_of(workspace, observer, after)
    edits += ledger_edits(workspace, state, after, effects=effects, by="sweep", observation=observation)
    notices += [f"{key[:8]} leaves {name} as well" for key, name in beside]
    expiry = _expiry(workspace, swept, state)
    overdue = 0 if demote else len(expiry.demoted) + len(expiry.deleted)
    if overdue:
        what = "1 entry is past its" if overdue == 1 else f"{overdue} entries are past their"
        notices.append(f"{what} retention, and --no-demote keeps {'it' if overdue == 1 else 'them'}")
    return SweepPlan(
        replace(assessments, assessed=tuple(swept), notices=(*assessments.notices, *notices)),
        tuple(effects),
        tuple(edits),
        tuple(problems),
        counts,
        expiry if demote else Expiry(evaluated=0),
        frozenset({*(one.document for one in effects), *(name for _, name in beside)}),
    )


def _left_alone(state: BranchState) -> set[str]:
    """The entries of which people decide: those that two branches disagree on, and lines of what was purged."""
    return {one.id for one in state.reconciliation.contested} | state.purged.keys()


def _due(workspace: Workspace, run: _Run, stale: Sequence[Record]) -> int:
    """How many of the ``stale`` entries would have been demoted."""
    left_alone = _left_alone(run.state)
    rules = workspace.config.rules()
    return sum(1 for one in stale if one.id not in left_alone and is_demotable(one, True, one.stale_streak, rules))


def _past(
    workspace: Workspace, assessments: Assessments, state: BranchState, rules: Rules, *, demote: bool
) -> PastStaleness:
    """What the history says of the entries that are stale now, and are not demoted for their own streak."""
    stale = [
        one.record
        for one in assessments.assessed
        if demote
        and one.record.document is not None
        and one.assessment.stale
        and not has_grace(one.record, workspace.now)
    ]
    return past_staleness(workspace, state, stale, rules)


def _expiry(workspace: Workspace, swept: Sequence[Assessed], state: BranchState) -> Expiry:
    """What expires at the end of a sweep, if that is enabled: by type only where there are enough records."""
    records = [one.record for one in swept]
    if not (workspace.config.flag("retention.enabled") and workspace.config.flag("retention.at_sweep")):
        return Expiry(evaluated=0)
    found = expired(records, retention_of(workspace), workspace.now, told_in_ledger(state), heirs_in_ledger(state))
    return found if is_worth_a_sweep(records, workspace.now) else replace(found, demoted=(), spared=())


def _without(
    document: Document, removals: Sequence[Assessed], problems: list[Problem]
) -> tuple[str, Sequence[Assessed]]:
    """The document without the removed entries, and those removed; one that cannot be removed blocks no other."""
    text, unsafe = plan_demotions(document.text, document.name, [one.record.id for one in removals])
    for error in unsafe.values():
        problems.append(Problem(code=error.code, where=document.name, message=error.message, hint=error.hint))
    return text, [one for one in removals if one.record.id not in unsafe]


def _is_home(documents: Documents, one: Assessed, name: str) -> bool:
    """True for the document that the record names; other documents may contain the entry as well."""
    home = documents.named(one.record.document or "")
    return name == (home.name if home is not None else one.record.document)


def _demotion(
    workspace: Workspace, one: Assessed, document: str, rules: Rules, since: Mapping[str, datetime]
) -> Effect:
    why = stale_reason(one.record, one.assessment, one.record.citations, workspace.now, rules.decay)
    streak = one.record.stale_streak
    reason = f"stale in {streak} sweeps in a row: {why}" if streak > 1 else f"stale in this sweep: {why}"
    if one.record.id in since:
        reason = f"stale on {format_date(since[one.record.id])}, by the history, and now: {why}"
    cause = stale_cause(one.record, one.assessment, rules)
    return Effect(
        kind="demote",
        entry_id=one.record.id,
        document=document,
        reason=reason,
        cause=cause,
        confidence=one.record.confidence,
    )


def _postponed(name: str, waiting: int, documents: Documents) -> Problem:
    what = f"{waiting} entr{'y waits' if waiting == 1 else 'ies wait'} to be demoted"
    known = any(problem.where == name for problem in documents.problems)
    why = "it was refused" if known else "its region is gone" if documents.named(name) else "it is gone"
    hint = "fix the document, or restore it with git" if known else "restore it with git, then sweep again"
    return Problem(code="postponed", where=name, message=f"{name}: {what}, but {why}", hint=hint)
