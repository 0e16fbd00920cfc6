"""Findings of ``check`` on entries: from the committed ledger, and from metadata.db if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from intermem.core.check.findings import Finding
from intermem.core.lifecycle.staleness import assess, has_grace, stale_reason
from intermem.core.reconcile.events import event_text, path_of
from intermem.core.reconcile.ledger import Ledger, Standing
from intermem.core.reconcile.old_ledger import line_numbers
from intermem.core.region.topic_files import is_named
from intermem.core.times import format_date
from intermem.entities import LEDGER, OLD_LEDGER
from intermem.workflow.lint.run import Linted, on_line
from intermem.workflow.workspace import Workspace

if TYPE_CHECKING:
    from intermem.project.documents import Documents
    from intermem.workflow.branch_state import BranchState

_WITH_TIERS = "run intermem migrate, which moves facts into topic files, or intermem prune --keep-highest"


def entry_findings(workspace: Workspace, found: Linted) -> list[Finding]:
    """Return findings on entries that are missing, contradict the ledger or are stale, and on regions over budget."""
    findings: list[Finding] = []
    budget = workspace.config.budget()
    prefix = _top_name(workspace, "")
    for name, region in found.regions.items():
        excess = budget.of(name.removeprefix(prefix)).excess(region, found.texts[name])
        if excess:
            over = on_line("IM030", name, found.texts[name], region.first_line, f"the region has {excess}")
            findings.append(replace(over, hint=_WITH_TIERS) if workspace.config.flag("tiers") else over)
    from intermem.workflow.branch_state import load_branch_state  # --diff needs no records
    from intermem.workflow.unscanned import with_memory

    with workspace.viewing() as metadata:
        state = with_memory(workspace, metadata, load_branch_state(workspace, metadata))
    return [
        *findings,
        *_lost(workspace, state, found),
        *tier_findings(workspace, state.documents, found),
        *_unloaded(workspace, state, found),
        *_ledger_findings(workspace, state),
        *_stale(workspace, state, found),
    ]


def tier_findings(workspace: Workspace, documents: Documents, found: Linted) -> list[Finding]:
    """Return findings on entries that stand twice, and on topic files that nothing names."""
    return [*_twice(workspace, documents, found), *_unlinked(workspace, documents, found)]


def _lost(workspace: Workspace, state: BranchState, found: Linted) -> Iterable[Finding]:
    """Documents that are gone, or lost their region, while the ledger has entries in them."""
    for problem in state.problems:
        if problem.code == "region-lost":
            name = _top_name(workspace, problem.where)
            yield on_line("IM010", name, found.texts.get(name, ""), 1, problem.message)


def _twice(workspace: Workspace, documents: Documents, found: Linted) -> Iterable[Finding]:
    """Entries that stand more than once in a document, or in a topic file besides."""
    for document, item, (where, line) in documents.twice:
        name = _top_name(workspace, document.name)
        if name in found.texts:
            message = f"{item.id[:8]} stands in {where}:{line} too"
            yield on_line("IM015", name, found.texts[name], item.line, message, item.id)


def _unloaded(workspace: Workspace, state: BranchState, found: Linted) -> Iterable[Finding]:
    for document in state.documents.found:
        name = _top_name(workspace, document.name)
        if document.region is not None and document.region.ids and name in found.texts:
            for warning in state.documents.warnings:
                yield on_line("IM040", name, found.texts[name], 1, warning)


def _unlinked(workspace: Workspace, documents: Documents, found: Linted) -> Iterable[Finding]:
    """Topic files with entries whose path no other document has."""
    for one in documents.unnamed_topics:
        name, document = _top_name(workspace, one), documents.named(one)
        checked = (text for other, text in found.texts.items() if other != name)
        is_known = any(is_named(text, path) for text in checked for path in {one, name})
        if name in found.texts and document is not None and not is_known:
            line = document.region.first_line if document.region is not None else 1
            message = f"no document names {one}, so no agent opens it"
            yield on_line("IM014", name, found.texts[name], line, message)


def _ledger_findings(workspace: Workspace, state: BranchState) -> Iterable[Finding]:
    for problem in state.problems:
        if problem.where == LEDGER:
            yield on_line("IM013", _top_name(workspace, LEDGER), "", 1, problem.message)
    if state.ledger is None:
        return
    numbers = line_numbers(state.ledger.old_text or "")
    for key, document in state.reconciliation.missing:
        message = f"the ledger lists {state.shown(key)} in {document}, which lacks it"
        yield _in_ledger(workspace, "IM011", state.ledger, numbers, message, key)
    contested = {one.id: one for one in state.reconciliation.contested}
    for key, back in contested.items():
        message = f"{state.shown(key)}, {back.words}: intermem reject takes it out, intermem restore keeps it"
        yield _in_ledger(workspace, "IM012", state.ledger, numbers, message, key)
    for key, line in state.ledger.lines.items():
        if key in contested:
            continue
        if line.status is not Standing.PROMOTED and key in state.branch.items:
            document = state.branch.items[key][0]
            message = (
                f"the ledger says {key[:8]} was {line.status} on {format_date(line.since)}, but it is in {document}"
            )
            one = _in_ledger(workspace, "IM012", state.ledger, numbers, message, key)
            way = f"intermem purge --id {key[:8]} --from-documents --confirm takes it out; commit documents and ledger"
            yield replace(one, hint=way) if line.status is Standing.PURGED else one


def _in_ledger(
    workspace: Workspace, code: str, ledger: Ledger, numbers: Mapping[str, int], message: str, key: str
) -> Finding:
    """Return a finding at the event that says where the entry stands, or at its line in the ledger of 0.1."""
    said = ledger.standing_events.get(ledger.lines[key].entry_id) if key in ledger.lines else None
    if said is not None:
        return on_line(code, _top_name(workspace, path_of(said)), event_text(said), 1, message, key)
    return on_line(code, _top_name(workspace, OLD_LEDGER), ledger.old_text or "", numbers.get(key, 1), message, key)


def _stale(workspace: Workspace, state: BranchState, found: Linted) -> Iterable[Finding]:
    """Entries in regions that are stale now, by the ages in ledger and records and by current verdicts."""
    rules = workspace.config.rules()
    verdicts = {unit.entry: (unit, judged) for unit, judged in zip(found.units, found.verdicts, strict=True)}
    for key, record in state.records.items():
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
