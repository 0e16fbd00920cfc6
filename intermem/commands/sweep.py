"""``sweep``: re-validate and decay every entry, demote what has gone stale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from intermem.commands.assessing import Assessed, Situation, assess_project, save_situation
from intermem.commands.project import Project, pending_notice
from intermem.commands.reading import memory_notices, read_project_memory
from intermem.commands.recovery import finish, intent_for
from intermem.commands.results import FINDINGS, Change, Result, exit_code_for
from intermem.core.lifecycle import Rules, counts_as_sweep, is_demotable, next_streak, stale_reason
from intermem.core.promoter import plan_demotions
from intermem.entities import Problem, Record, Status
from intermem.errors import EditRefused
from intermem.project.documents import Document, Documents
from intermem.storage.journal import Effect, open_operation
from intermem.storage.metadata import Metadata
from intermem.storage.writing import set_last_sweep


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a sweep decides: the situation with its streaks, who is demoted, which documents change."""

    situation: Situation
    effects: tuple[Effect, ...]
    edits: tuple[tuple[Document, str], ...]
    problems: tuple[Problem, ...]
    counts: bool


def sweep(
    project: Project,
    *,
    take_snapshot: bool = True,
    demote: bool = True,
    dry_run: bool = False,
    check: bool = False,
    show_diff: bool = False,
) -> Result:
    """Sweep, in the nine steps of DESIGN.md §3.

    ``dry_run``, ``check`` and ``show_diff`` end before anything is written; ``check`` has exit
    code 1 exactly where a document would change.
    """
    memory = read_project_memory(project) if take_snapshot else None
    notices = memory_notices(project) if take_snapshot else []
    problems = memory.problems if memory is not None else ()
    documents = project.documents()
    rules = project.config.rules()

    def planned(metadata: Metadata) -> SweepPlan:
        situation = assess_project(project, metadata, memory, rules, snapshot=memory is not None)
        return plan_sweep(project, situation, documents, rules, metadata, demote=demote)

    dry = dry_run or check or show_diff
    if dry:
        with project.viewing() as metadata:
            plan = planned(metadata)
            said = pending_notice(metadata)
    else:
        with project.writing() as (metadata, said):
            if said:  # recovery may have edited what was read before
                documents = project.documents()
            with metadata.transaction():
                plan = planned(metadata)
                save_situation(project, metadata, plan.situation)
                if plan.counts:
                    set_last_sweep(metadata, project.now)
                operation = None
                if plan.effects:
                    intents = [
                        intent_for(project.root, one.path, one.name, one.text, text, project.now)
                        for one, text in plan.edits
                    ]
                    operation = open_operation(metadata, "sweep", project.now, plan.effects, intents)
            if operation is not None:
                finish(metadata, operation)
    all_problems = (*problems, *documents.problems, *plan.problems)
    changes = tuple(Change(document.name, document.text, text) for document, text in plan.edits)
    return Result(
        verb="sweep",
        data=_data(plan, dry=dry),
        exit_code=exit_code_for(all_problems, FINDINGS if check and changes else 0),
        problems=all_problems,
        notices=(*said, *notices, *plan.situation.notices),
        changes=changes,
        show_diff=show_diff,
    )


def plan_sweep(
    project: Project, situation: Situation, documents: Documents, rules: Rules, metadata: Metadata, *, demote: bool
) -> SweepPlan:
    """Return what a sweep at the run's ``now`` does; nothing is written."""
    counts = counts_as_sweep(metadata.last_sweep(), project.now, rules)
    swept: list[Assessed] = []
    leaving: dict[str, list[Assessed]] = {}
    for one in situation.assessed:
        streak = next_streak(one.record.stale_streak, one.assessment.stale) if counts else one.record.stale_streak
        one = replace(one, record=replace(one.record, stale_streak=streak))
        swept.append(one)
        if demote and one.record.document and is_demotable(one.record, one.assessment.stale, streak, rules):
            leaving.setdefault(one.record.document, []).append(one)
    effects: list[Effect] = []
    edits: list[tuple[Document, str]] = []
    problems: list[Problem] = []
    for name in sorted(leaving):
        document = documents.named(name)
        if document is None or document.region is None:
            problems.append(_postponed(name, len(leaving[name]), documents))
            continue
        try:
            text = plan_demotions(document.text, name, [one.record.id for one in leaving[name]])
        except EditRefused as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
            continue
        if text != document.text:
            edits.append((document, text))
        effects += [_demotion(project, one, name) for one in leaving[name]]
    return SweepPlan(replace(situation, assessed=tuple(swept)), tuple(effects), tuple(edits), tuple(problems), counts)


def _demotion(project: Project, one: Assessed, document: str) -> Effect:
    because = stale_reason(one.record, one.assessment, one.record.citations, project.now)
    reason = f"stale in {one.record.stale_streak} sweeps in a row: {because}"
    return Effect(kind="demote", entry_id=one.record.id, document=document, reason=reason)


def _postponed(name: str, waiting: int, documents: Documents) -> Problem:
    what = f"{waiting} entr{'y waits' if waiting == 1 else 'ies wait'} to be demoted"
    known = any(problem.where == name for problem in documents.problems)
    why = "it was refused" if known else "its region is gone" if documents.named(name) else "it is gone"
    hint = "mend the document, or bring it back with git" if known else "bring it back with git, then sweep again"
    return Problem(code="postponed", where=name, message=f"{name}: {what}, but {why}", hint=hint)


def _data(plan: SweepPlan, *, dry: bool) -> dict[str, object]:
    by_id = {one.record.id: one.record for one in plan.situation.assessed}
    demoted: list[Record] = [
        replace(by_id[effect.entry_id], status=Status.DEMOTED, reason=effect.reason) for effect in plan.effects
    ]
    assessed: Sequence[Assessed] = plan.situation.assessed
    return {
        "swept": len(assessed),
        "decayed": sum(1 for one in assessed if one.assessment.decayed),
        "stale": sum(1 for one in assessed if one.assessment.stale),
        "demoted": demoted,
        "streaks_moved": plan.counts,
        "dry_run": dry,
    }
