"""What ``check`` says of entries: by the committed ledger, and by a metadata.db where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from intermem.commands.linting import Linted, on_line
from intermem.commands.project import Project
from intermem.commands.standing import Here, standing_here
from intermem.core.findings import Finding
from intermem.core.ledger import Standing, line_numbers
from intermem.core.lifecycle import assess, has_grace, stale_reason
from intermem.entities import LEDGER


def entry_findings(project: Project, found: Linted) -> list[Finding]:
    """What ledger and regions say of the entries: missing, not in agreement, stale; and regions beyond their budget."""
    made: list[Finding] = []
    budget = project.config.count("promote.budget_lines")
    for name, region in found.regions.items():
        if budget and region.lines > budget:
            message = f"the region has {region.lines} lines, promote.budget_lines is {budget}"
            made.append(on_line("IM030", name, found.texts[name], region.first_line, message))
    with project.viewing() as metadata:
        here = standing_here(project, metadata)
    return [*made, *_unloaded(project, here, found), *_ledger_findings(project, here), *_stale(project, here, found)]


def _unloaded(project: Project, here: Here, found: Linted) -> Iterable[Finding]:
    for document in here.documents.found:
        name = _top_name(project, document.name)
        if document.region is not None and document.region.ids and name in found.texts:
            for warning in here.documents.warnings:
                yield on_line("IM040", name, found.texts[name], 1, warning)


def _ledger_findings(project: Project, here: Here) -> Iterable[Finding]:
    name = _top_name(project, LEDGER)
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


def _stale(project: Project, here: Here, found: Linted) -> Iterable[Finding]:
    """Entries of the regions that are stale now, by the ages of ledger and records, and by today's verdicts."""
    rules = project.config.rules()
    verdicts = {unit.entry: (unit, judged) for unit, judged in zip(found.units, found.verdicts, strict=True)}
    for key, record in here.records.items():
        if record.document is None or key not in verdicts:
            continue
        unit, judged = verdicts[key]
        assessment = assess(record, judged, project.now, rules)
        if assessment.stale and not has_grace(record, project.now):
            reason = stale_reason(record, assessment, judged, project.now, rules.decay)
            one = on_line("IM020", unit.file, found.texts[unit.file], unit.first_line, f"stale: {reason}", key)
            yield replace(one, block=unit.id)


def _top_name(project: Project, name: str) -> str:
    prefix = project.worktree.prefix if project.worktree is not None else ""
    return prefix + name
