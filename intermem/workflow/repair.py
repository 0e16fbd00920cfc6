"""Documents that were refused or hold an entry twice: what can be mended in one way only, as edits."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from intermem.core.reconcile.ledger import Ledger, Standing
from intermem.core.region.edit import Addition, edited
from intermem.core.region.merge_conflict import resolved
from intermem.core.region.parse import Item, find_region
from intermem.core.region.repair import returned, united
from intermem.entities import Problem
from intermem.errors import DocumentRefused, EditRefused, IntermemError
from intermem.project.documents import Document
from intermem.project.files import read_text_file
from intermem.results import Diagnosis
from intermem.workflow.branch_state import BranchState
from intermem.workflow.edits import Edit, document_edit
from intermem.workflow.workspace import Workspace

Mended = tuple[Diagnosis, Edit | None]


def mended_refusal(workspace: Workspace, here: BranchState, ledger: Ledger | None, problem: Problem) -> Mended:
    """Return a finding about a document that was refused, and the edit that settles it where one can."""
    found: Mended | None = None
    if problem.code == "document-refused":
        found = _without_conflict(workspace, problem.where, ledger) or _with_one_region(
            workspace, problem.where, ledger
        )
    elif problem.code == "region-lost":
        found = _with_region_again(workspace, here, ledger, problem)
    return found or (_as_said(problem), None)


def without_doubles(document: Document) -> tuple[list[Diagnosis], Edit | None]:
    """Return what stands twice in a document, as when two branches added one fact; one of each stays."""
    region = document.region
    findings: list[Diagnosis] = []
    text = document.text
    counts: Mapping[str, int] = Counter(region.ids if region is not None else ())
    for item in _firsts(region.items if region is not None else ()):
        if counts[item.id] < 2:
            continue
        message = f"{document.name}:{item.line}: {item.id[:8]} stands {counts[item.id]} times"
        try:
            text = edited(text, document.name, remove=[item.id])
            text = edited(text, document.name, add=[Addition(item.text, item.section)])
        except EditRefused as error:
            findings.append(Diagnosis(code="doubled", where=document.name, message=message, hint=error.hint))
            continue
        hint = "one of them stays"
        findings.append(Diagnosis(code="doubled", where=document.name, message=message, hint=hint, repaired=True))
    return findings, document_edit(document, text) if text != document.text else None


def _without_conflict(workspace: Workspace, name: str, ledger: Ledger | None) -> Mended | None:
    """A merge conflict inside the region, as the union of both sides; None where there is no conflict."""
    try:
        path, text = _read(workspace, name)
    except IntermemError:
        return None
    try:
        ancestor = _ancestor(workspace, name)
        after = resolved(text, name, ancestor, _unwanted(ledger) - _reworded(ledger, ancestor, name))
    except DocumentRefused as error:
        return (_refused(name, error), None) if "<<<<<<<" in text else None
    except EditRefused as error:
        return Diagnosis(code="document-refused", where=name, message=error.message, hint="resolve it by hand"), None
    if after.text == text:
        return None
    hint = "the entries of both sides are kept"
    if after.left_out:
        left_out = "; ".join(f"{key[:8]} {said[:48]}" for key, said in after.left_out)
        hint += f", but for what one side or the ledger took out: {left_out}"
    message = f"{name}: a merge conflict inside the region"
    finding = Diagnosis(code="conflict", where=name, message=message, hint=hint, repaired=True)
    return finding, Edit(path, name, text, after.text)


def _with_one_region(workspace: Workspace, name: str, ledger: Ledger | None) -> Mended | None:
    """Further regions, moved into the first; None where there are none."""
    try:
        path, text = _read(workspace, name)
        after = united(text, name, _unwanted(ledger))
    except (DocumentRefused, EditRefused) as error:
        return Diagnosis(code="document-refused", where=name, message=error.message, hint=error.hint), None
    except IntermemError:
        return None
    if after == text:
        return None
    message = f"{name}: there is more than one region"
    hint = "the entries of all of them stand in the first"
    return Diagnosis(code="regions", where=name, message=message, hint=hint, repaired=True), Edit(
        path, name, text, after
    )


def _with_region_again(
    workspace: Workspace, here: BranchState, ledger: Ledger | None, problem: Problem
) -> Mended | None:
    """A region that was deleted by hand, with what the ledger promises; None where the document itself is gone."""
    name = problem.where
    try:
        path, text = _read(workspace, name)
        if find_region(text, name) is not None:
            return None  # it is no longer among the targets
        earlier = _at_head(workspace, name)
        entries, lacking = _promised(here, ledger, name, earlier)
        after = returned(text, earlier, name, entries, _unwanted(ledger))
    except (DocumentRefused, EditRefused) as error:
        return Diagnosis(code="region-lost", where=name, message=problem.message, hint=error.message), None
    except IntermemError:
        return None
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    hint = f"it comes back with {count} (intermem init --remove is the way to give up)"
    if lacking:
        hint += f"; the text of {', '.join(key[:8] for key in lacking)} is not known here"
    finding = Diagnosis(code="region-lost", where=name, message=problem.message, hint=hint, repaired=True)
    return finding, Edit(path, name, text, after)


def _promised(
    here: BranchState, ledger: Ledger | None, name: str, earlier: str | None
) -> tuple[list[Addition], Sequence[str]]:
    """What the ledger promises in a document and stands nowhere: the texts that are known, the ids that are not."""
    old: dict[str, Item] = {}
    if earlier is not None:
        try:
            region = find_region(earlier, name)
        except DocumentRefused:
            region = None
        old = {item.id: item for item in region.items} if region is not None else {}
    known: list[Addition] = []
    lacking: list[str] = []
    for line in ledger.lines.values() if ledger is not None else ():
        if line.status is not Standing.PROMOTED or line.document != name or line.id in here.branch.items:
            continue
        record = here.records.get(line.id)
        text = old[line.id].text if line.id in old else record.text if record is not None else None
        section = old[line.id].section if line.id in old else line.section
        if text is None:
            lacking.append(line.id)
        else:
            known.append(Addition(text, section))
    return known, lacking


def _read(workspace: Workspace, name: str) -> tuple[Path, str]:
    path = Path(os.path.realpath(workspace.root / name))
    if not path.is_relative_to(workspace.root):
        raise DocumentRefused(f"{name} lies outside the project")  # what lies outside is never written
    return path, read_text_file(path, name, workspace.config.count("scan.max_bytes"))


def _ancestor(workspace: Workspace, name: str) -> str | None:
    """The document before the branches parted, while git is in the middle of the merge."""
    if workspace.worktree is None:
        return None
    return workspace.worktree.text_at(f":1:{workspace.worktree.prefix}{name}")


def _at_head(workspace: Workspace, name: str) -> str | None:
    if workspace.worktree is None:
        return None
    return workspace.worktree.text_at(f"HEAD:{workspace.worktree.prefix}{name}")


def _unwanted(ledger: Ledger | None) -> frozenset[str]:
    """Ids that should not come back: what the ledger calls gone, and former wordings."""
    if ledger is None:
        return frozenset()
    gone = {key for key, line in ledger.lines.items() if line.status is not Standing.PROMOTED}
    return frozenset(gone | ledger.former.keys())


def _reworded(ledger: Ledger | None, ancestor: str | None, name: str) -> frozenset[str]:
    """New wordings of what stood before the branches parted: one side edited the line, whatever the other did to it."""
    try:
        region = find_region(ancestor, name) if ancestor is not None else None
    except DocumentRefused:
        region = None
    if region is None or ledger is None:
        return frozenset()
    was = set(region.ids)
    return frozenset(line.id for line in ledger.lines.values() if line.id not in was and was & set(line.was))


def _firsts(items: Sequence[Item]) -> Sequence[Item]:
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.id, item)
    return list(found.values())


def _refused(name: str, error: IntermemError) -> Diagnosis:
    return Diagnosis(code="document-refused", where=name, message=error.message, hint=error.hint)


def _as_said(problem: Problem) -> Diagnosis:
    return Diagnosis(code=problem.code, where=problem.where, message=problem.message, hint=problem.hint)
