"""Documents that were refused or hold an entry twice: what can be mended in one way only, as edits."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from intermem.commands.edits import Edit, document_edit
from intermem.commands.project import Project
from intermem.commands.standing import Here
from intermem.core.conflicts import resolved
from intermem.core.ledger import Ledger, Standing
from intermem.core.mending import returned, united
from intermem.core.regions import Item, find_region
from intermem.core.splicing import Addition, edited
from intermem.entities import Problem
from intermem.errors import DocumentRefused, EditRefused, IntermemError
from intermem.project.documents import Document
from intermem.project.files import read_text_file
from intermem.results import Finding

Mended = tuple[Finding, Edit | None]


def mended_refusal(project: Project, here: Here, ledger: Ledger | None, problem: Problem) -> Mended:
    """Return a finding about a document that was refused, and the edit that settles it where one can."""
    found: Mended | None = None
    if problem.code == "document-refused":
        found = _without_conflict(project, problem.where, ledger) or _with_one_region(project, problem.where, ledger)
    elif problem.code == "region-lost":
        found = _with_region_again(project, here, ledger, problem)
    return found or (_as_said(problem), None)


def without_doubles(document: Document) -> tuple[list[Finding], Edit | None]:
    """Return what stands twice in a document, as when two branches added one fact; one of each stays."""
    region = document.region
    findings: list[Finding] = []
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
            findings.append(Finding(code="doubled", where=document.name, message=message, hint=error.hint))
            continue
        hint = "one of them stays"
        findings.append(Finding(code="doubled", where=document.name, message=message, hint=hint, repaired=True))
    return findings, document_edit(document, text) if text != document.text else None


def _without_conflict(project: Project, name: str, ledger: Ledger | None) -> Mended | None:
    """A merge conflict inside the region, as the union of both sides; None where there is no conflict."""
    try:
        path, text = _read(project, name)
    except IntermemError:
        return None
    try:
        ancestor = _ancestor(project, name)
        after = resolved(text, name, ancestor, _unwanted(ledger) - _reworded(ledger, ancestor, name))
    except DocumentRefused as error:
        return (_refused(name, error), None) if "<<<<<<<" in text else None
    except EditRefused as error:
        return Finding(code="document-refused", where=name, message=error.message, hint="resolve it by hand"), None
    if after.text == text:
        return None
    hint = "the entries of both sides are kept"
    if after.left_out:
        left_out = "; ".join(f"{key[:8]} {said[:48]}" for key, said in after.left_out)
        hint += f", but for what one side or the ledger took out: {left_out}"
    message = f"{name}: a merge conflict inside the region"
    finding = Finding(code="conflict", where=name, message=message, hint=hint, repaired=True)
    return finding, Edit(path, name, text, after.text)


def _with_one_region(project: Project, name: str, ledger: Ledger | None) -> Mended | None:
    """Further regions, moved into the first; None where there are none."""
    try:
        path, text = _read(project, name)
        after = united(text, name, _unwanted(ledger))
    except (DocumentRefused, EditRefused) as error:
        return Finding(code="document-refused", where=name, message=error.message, hint=error.hint), None
    except IntermemError:
        return None
    if after == text:
        return None
    message = f"{name}: there is more than one region"
    hint = "the entries of all of them stand in the first"
    return Finding(code="regions", where=name, message=message, hint=hint, repaired=True), Edit(path, name, text, after)


def _with_region_again(project: Project, here: Here, ledger: Ledger | None, problem: Problem) -> Mended | None:
    """A region that was deleted by hand, with what the ledger promises; None where the document itself is gone."""
    name = problem.where
    try:
        path, text = _read(project, name)
        if find_region(text, name) is not None:
            return None  # it is no longer among the targets
        earlier = _at_head(project, name)
        entries, lacking = _promised(here, ledger, name, earlier)
        after = returned(text, earlier, name, entries, _unwanted(ledger))
    except (DocumentRefused, EditRefused) as error:
        return Finding(code="region-lost", where=name, message=problem.message, hint=error.message), None
    except IntermemError:
        return None
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    hint = f"it comes back with {count} (intermem init --remove is the way to give up)"
    if lacking:
        hint += f"; the text of {', '.join(key[:8] for key in lacking)} is not known here"
    finding = Finding(code="region-lost", where=name, message=problem.message, hint=hint, repaired=True)
    return finding, Edit(path, name, text, after)


def _promised(
    here: Here, ledger: Ledger | None, name: str, earlier: str | None
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


def _read(project: Project, name: str) -> tuple[Path, str]:
    path = Path(os.path.realpath(project.root / name))
    if not path.is_relative_to(project.root):
        raise DocumentRefused(f"{name} lies outside the project")  # what lies outside is never written
    return path, read_text_file(path, name, project.config.count("scan.max_bytes"))


def _ancestor(project: Project, name: str) -> str | None:
    """The document before the branches parted, while git is in the middle of the merge."""
    if project.worktree is None:
        return None
    return project.worktree.text_at(f":1:{project.worktree.prefix}{name}")


def _at_head(project: Project, name: str) -> str | None:
    if project.worktree is None:
        return None
    return project.worktree.text_at(f"HEAD:{project.worktree.prefix}{name}")


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


def _refused(name: str, error: IntermemError) -> Finding:
    return Finding(code="document-refused", where=name, message=error.message, hint=error.hint)


def _as_said(problem: Problem) -> Finding:
    return Finding(code=problem.code, where=problem.where, message=problem.message, hint=problem.hint)
