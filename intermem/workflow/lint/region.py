"""What ``check`` says of entries: by the committed ledger, and by a metadata.db where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from intermem.core.check.findings import Finding
from intermem.core.lifecycle.staleness import assess, has_grace, stale_reason
from intermem.core.reconcile.ledger import Standing, line_numbers
from intermem.entities import LEDGER
from intermem.workflow.branch_state import BranchState, load_branch_state
from intermem.workflow.lint.run import Linted, on_line
from intermem.workflow.workspace import Workspace


def entry_findings(workspace: Workspace, found: Linted) -> list[Finding]:
    """What ledger and regions say of the entries: missing, not in agreement, stale; and regions beyond their budget."""
    made: list[Finding] = []
    budget = workspace.config.count("promote.budget_lines")
    for name, region in found.regions.items():
        if budget and region.lines > budget:
            message = f"the region has {region.lines} lines, promote.budget_lines is {budget}"
            made.append(on_line("IM030", name, found.texts[name], region.first_line, message))
    with workspace.viewing() as metadata:
        here = load_branch_state(workspace, metadata)
    return [
        *made,
        *_unloaded(workspace, here, found),
        *_ledger_findings(workspace, here),
        *_stale(workspace, here, found),
    ]


def _unloaded(workspace: Workspace, here: BranchState, found: Linted) -> Iterable[Finding]:
    for document in here.documents.found:
        name = _top_name(workspace, document.name)
        if document.region is not None and document.region.ids and name in found.texts:
            for warning in here.documents.warnings:
                yield on_line("IM040", name, found.texts[name], 1, warning)


def _ledger_findings(workspace: Workspace, here: BranchState) -> Iterable[Finding]:
    name = _top_name(workspace, LEDGER)
    for problem in here.problems:
        if problem.where == LEDGER:
            yield on_line("IM013", name, "", 1, problem.message)
    if here.ledger is None:
        return
    lines = here.ledger.text
    numbers = line_numbers(lines)
    for key, document in here.reconciliation.missing:
        message = f"the ledger promises {key[:8]} in {document}, which lacks it"
        yield on_line("IM011", name, lines, numbers.get(key, 1), message, key)
    for key, line in here.ledger.lines.items():
        if line.status is not Standing.PROMOTED and key in here.branch.items:
            document = here.branch.items[key][0]
            message = f"the ledger says that {key[:8]} is {line.status} since {line.since}, but it stands in {document}"
            yield on_line("IM012", name, lines, numbers.get(key, 1), message, key)


def _stale(workspace: Workspace, here: BranchState, found: Linted) -> Iterable[Finding]:
    """Entries of the regions that are stale now, by the ages of ledger and records, and by today's verdicts."""
    rules = workspace.config.rules()
    verdicts = {unit.entry: (unit, judged) for unit, judged in zip(found.units, found.verdicts, strict=True)}
    for key, record in here.records.items():
        if record.document is None or key not in verdicts:
            continue
        unit, judged = verdicts[key]
        assessment = assess(record, judged, workspace.now, rules)
        if assessment.stale and not has_grace(record, workspace.now):
            reason = stale_reason(record, assessment, judged, workspace.now, rules.decay)
            one = on_line("IM020", unit.file, found.texts[unit.file], unit.first_line, f"stale: {reason}", key)
            yield replace(one, block=unit.id)


def _top_name(workspace: Workspace, name: str) -> str:
    prefix = workspace.worktree.prefix if workspace.worktree is not None else ""
    return prefix + name
