"""``doctor``: report and repair inconsistencies between documents, ledger, records, journal and metadata.db."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intermem.core.reconcile.ledger import Ledger
from intermem.core.reconcile.old_ledger import has_conflict, without_lines
from intermem.entities import LEDGER, OLD_LEDGER, Problem
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, OK, Diagnosis, FileDiff
from intermem.results.inspect import DoctorResult
from intermem.storage.integrity import set_rebuilt
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import assess_project, save_assessments
from intermem.workflow.branch_state import BranchState, load_branch_state, standing_after_purge
from intermem.workflow.edits import Edit, ledger_edits
from intermem.workflow.memory import read_project_memory
from intermem.workflow.operation import Operation, operation
from intermem.workflow.reconciled import save_reconciliation
from intermem.workflow.repair import named_topics, repaired_document, standing_in_both, without_duplicates
from intermem.workflow.run_mode import RunMode
from intermem.workflow.state_check import (
    check_state,
    future_findings,
    journal_findings,
    leftover_findings,
    leftovers,
    rebuild_findings,
    repair_journal,
    repair_state,
    repair_times,
)
from intermem.workflow.targets import old_marker_notices, untracked_ledger_notices, untracked_notices
from intermem.workflow.workspace import Workspace, exposed_state_notices

VERB = "doctor"
_LOST = frozenset({"database-damaged", "database-gone", "database-unlearnt"})


@dataclass(frozen=True, slots=True)
class _Diagnosis:
    findings: tuple[Diagnosis, ...]
    edits: tuple[Edit, ...] = ()
    next_step: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(one.code for one in self.findings if one.repaired)


def doctor(workspace: Workspace, *, repair: bool = False, show_diff: bool = False) -> DoctorResult:
    """Report each problem with its remedy; ``repair`` fixes those that have only one possible fix.

    Also works in the middle of a merge, where it is needed most. Exit code 1 if problems remain.
    """
    writes = repair and not show_diff
    checked = check_state(workspace)
    state_findings = repair_state(workspace, checked) if writes else checked.findings
    notices: list[str] = []
    if not checked.usable and not (writes and all(one.repaired for one in state_findings)):
        diagnosis = _Diagnosis(state_findings)
    else:
        diagnosis = _seen(workspace, state_findings)
        if writes and (diagnosis.codes or diagnosis.edits):
            diagnosis, notices = _repaired(workspace, diagnosis, state_findings)
    if not repair:
        diagnosis = replace(diagnosis, findings=tuple(_as_found(one) for one in diagnosis.findings))
    left = [one for one in diagnosis.findings if not one.repaired or show_diff]
    return DoctorResult(
        findings=diagnosis.findings,
        dry_run=not writes,
        exit_code=FINDINGS if left else OK,
        notices=(*notices, *diagnosis.next_step),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in diagnosis.edits) if repair else (),
        show_diff=show_diff,
    )


def _as_found(finding: Diagnosis) -> Diagnosis:
    if not finding.repaired:
        return finding
    return replace(finding, repaired=False, hint=f"intermem doctor --repair: {finding.hint}")


def _seen(workspace: Workspace, state_findings: Sequence[Diagnosis]) -> _Diagnosis:
    """The diagnosis before any repair."""
    with workspace.viewing() as metadata:
        rebuild = [] if state_findings else rebuild_findings(workspace, metadata)
        journal = journal_findings(workspace, metadata)
        diagnosis = _diagnosed(workspace, metadata)
        left_behind = leftover_findings(workspace, metadata, _names(workspace))
    return replace(diagnosis, findings=(*state_findings, *rebuild, *journal, *diagnosis.findings, *left_behind))


def _repaired(
    workspace: Workspace, seen: _Diagnosis, state_findings: Sequence[Diagnosis]
) -> tuple[_Diagnosis, list[str]]:
    """Repair what was found; return the outcome and the notices of recovery."""
    if "journal-damaged" in seen.codes:
        repair_journal(workspace)
    rebuilt = _Rebuilt()
    with operation(workspace, VERB, RunMode(), lambda state: _diagnosed(workspace, state), documents=False) as op:
        diagnosis = op.begin()
        op.commit(lambda metadata: repair_times(workspace, metadata), edits=diagnosis.edits)
        for path in leftovers(workspace, _names(workspace)):
            path.unlink(missing_ok=True)
        if workspace.unfinished is None:
            rebuilt = _rebuild(workspace, op, with_memory=bool(seen.codes & _LOST))
    lasting = ("journal-damaged", "pending", "leftover", "database-unlearnt")
    kept = [one for one in seen.findings if one.code in lasting]
    unread = [Diagnosis(code=one.code, where=one.where, message=one.message, hint=one.hint) for one in rebuilt.problems]
    findings = (*state_findings, *kept, *diagnosis.findings, *unread)
    return replace(diagnosis, findings=findings, edits=(*diagnosis.edits, *rebuilt.edits)), op.notices


@dataclass(frozen=True, slots=True)
class _Rebuilt:
    edits: tuple[Edit, ...] = ()
    problems: tuple[Problem, ...] = ()


def _rebuild(workspace: Workspace, op: Operation[_Diagnosis], *, with_memory: bool) -> _Rebuilt:
    """Rebuild records from documents and ledger (after a loss also from the memory), then update the ledger.

    After a loss nothing is rebuilt while any of these cannot be read.
    """
    op.begin()
    state = load_branch_state(workspace, op.metadata)
    memory = read_project_memory(workspace) if with_memory else None
    problems = (*state.problems, *(memory.problems if memory is not None else ()))
    problems = tuple(one for one in problems if one.fatal and with_memory)
    if problems:
        return _Rebuilt((), problems)
    save_reconciliation(workspace, op.metadata, state)
    after = state.records
    if memory is not None:
        assessments = assess_project(workspace, op.metadata, memory, workspace.config.rules(), state, snapshot=True)
        save_assessments(workspace, op.metadata, assessments)
        after = {one.record.id: one.record for one in assessments.assessed}
    if with_memory:
        set_rebuilt(op.metadata)
    edits = ledger_edits(workspace, state, after.values())
    op.commit(edits=edits)
    return _Rebuilt(tuple(edits))


def _names(workspace: Workspace) -> list[str]:
    documents = workspace.documents()
    return [*(one.name for one in documents.found), *(one.where for one in documents.problems)]


def _diagnosed(workspace: Workspace, metadata: Metadata) -> _Diagnosis:
    """Findings on documents and ledger, and the edits that repair what can be repaired."""
    state = load_branch_state(workspace, metadata)
    findings: list[Diagnosis] = []
    edits: list[Edit] = []
    ledger = _ledger(workspace, state, findings, edits)
    for problem in state.problems:
        if problem.where != LEDGER:
            finding, edit = repaired_document(workspace, state, ledger, problem)
            findings.append(finding)
            edits += [edit] if edit is not None else []
    for document in state.documents.found:
        doubles, edit = without_duplicates(document)
        findings += doubles
        edits += [edit] if edit is not None else []
    findings += standing_in_both(state.documents)
    lines, edit = named_topics(workspace, state)
    findings += lines
    edits += [edit] if edit is not None and not any(one.name == edit.name for one in edits) else []
    findings += _conflicting(state)
    findings += future_findings(workspace, state)
    findings += _unrecorded(workspace, state)
    following = (
        *_next_step(workspace, edits),
        *old_marker_notices(state.documents),
        *untracked_notices(workspace, state.documents),
        *untracked_ledger_notices(workspace, state),
        *exposed_state_notices(workspace),
    )
    return _Diagnosis(tuple(findings), tuple(edits), following)


def _conflicting(state: BranchState) -> list[Diagnosis]:
    """What only a person can decide: missing entries, and lines that say one thing in two wordings."""
    found: list[Diagnosis] = []
    for key, name in state.reconciliation.missing:
        shown = state.shown(key)
        message = f"{name} lacks {shown}, which the ledger lists: {_text(state, key)}"
        hint = f"intermem restore {shown} brings it back, intermem reject {shown} gives it up"
        found.append(Diagnosis(code="missing", where=name, message=message, hint=hint))
    for key, newer in state.reconciliation.twins:
        name = state.branch.items[key][0]
        message = f"{name}: {state.shown(newer)} stands there in its former wording as well: {_text(state, key)}"
        found.append(Diagnosis(code="twin", where=name, message=message, hint="remove one of them by hand"))
    for name, keys in sorted(standing_after_purge(state).items()):
        for key in keys:
            message = f"{name} still contains {key[:8]}, which was purged"
            hint = f"remove it by hand, or with intermem purge --id {key[:8]} --from-documents --confirm"
            found.append(Diagnosis(code="purged", where=name, message=message, hint=hint))
    for back in state.reconciliation.contested:
        shown = state.shown(back.id)
        message = f"{back.document}: {shown}, {back.words}: {_text(state, back.id)}"
        hint = f"intermem reject {shown} takes it out, intermem restore {shown} keeps it"
        found.append(Diagnosis(code="contested", where=back.document, message=message, hint=hint))
    for one, other in state.reconciliation.siblings:
        name = state.branch.items[one][0]
        message = f"{name}: {one[:8]} and {other[:8]} are two wordings of the same line: {_text(state, one)}"
        hint = f"intermem demote {one[:8]} --by {other[:8]}, or the other way round, leaves one of them"
        found.append(Diagnosis(code="wordings", where=name, message=message, hint=hint))
    return found


def _unrecorded(workspace: Workspace, state: BranchState) -> list[Diagnosis]:
    """Changes by people that are not recorded yet, and a ledger that only HEAD has."""
    found: list[Diagnosis] = []
    changes = [
        change for change in state.reconciliation.changes.values() if change.event not in ("", "missing", "learnt")
    ]
    settles = workspace.unfinished is None  # in the middle of a merge documents may still change
    hint = (
        "records and ledger are updated" if settles else f"intermem sweep records it after the {workspace.unfinished}"
    )
    if changes and state.files is not None:
        what = "1 change" if len(changes) == 1 else f"{len(changes)} changes"
        names = ", ".join(sorted({document.name for document in state.documents.found}))
        message = f"{names}: {what} by people or from other branches not recorded yet"
        found.append(Diagnosis(code="unrecorded", where=names, message=message, hint=hint, repaired=settles))
    elif _ledger_lags(workspace, state):
        message = f"{LEDGER} does not match the documents"
        found.append(Diagnosis(code="unrecorded", where=LEDGER, message=message, hint=hint, repaired=settles))
    is_gone = state.files is not None and not state.files.exists and bool(state.branch.items)  # else an undo took both
    worktree = workspace.worktree if is_gone else None
    if worktree is not None and not worktree.bare and worktree.documents.ledger_at("HEAD") != ({}, None):
        message = f"{LEDGER} is missing here, but HEAD has it"
        hint = "git checkout HEAD -- .intermem restores it"
        found.append(Diagnosis(code="ledger-gone", where=LEDGER, message=message, hint=hint))
    return found


def _ledger_lags(workspace: Workspace, state: BranchState) -> bool:
    """True if a sweep would add to the ledger what happened to an entry."""
    return any(edit.matters for edit in ledger_edits(workspace, state, state.records.values()))


def _next_step(workspace: Workspace, edits: Sequence[Edit]) -> tuple[str, ...]:
    unfinished = workspace.unfinished
    if unfinished is None:
        return ()
    names = " ".join(edit.name for edit in edits)
    add = f"git add {names}, then " if names else ""
    return (f"the {unfinished} is unfinished: {add}finish it",)


def _ledger(workspace: Workspace, state: BranchState, findings: list[Diagnosis], edits: list[Edit]) -> Ledger | None:
    """The ledger; a merge conflict in that of 0.1 is resolved: the lines of both sides count."""
    if state.files is None:
        problem = next(one for one in state.problems if one.where == LEDGER)
        findings.append(Diagnosis(code=problem.code, where=LEDGER, message=problem.message, hint=problem.hint))
        return None
    old = state.files.old
    if old is not None and has_conflict(old):
        edits.append(Edit(state.files.old_path, OLD_LEDGER, old, without_lines(old, frozenset())))
        message, hint = f"{OLD_LEDGER}: a merge conflict", "the lines of both sides are kept"
        findings.append(Diagnosis(code="conflict", where=OLD_LEDGER, message=message, hint=hint, repaired=True))
    return state.ledger


def _text(state: BranchState, key: str) -> str:
    record, place = state.records.get(key), state.branch.items.get(key)
    if record is None and place is None:
        return "(its text is not on record here)"
    text = place[1].text if place is not None else record.shown_text if record is not None else ""
    return " ".join(text.split())[:72]
