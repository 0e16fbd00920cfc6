"""``doctor``: where documents, ledger, records and journal disagree, and the way out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.commands.edits import Edit, document_edit, intents_for
from intermem.commands.project import Project, pending_notice
from intermem.commands.recovery import finish
from intermem.commands.standing import Here, ledger_file, standing_here
from intermem.core.conflicts import resolved
from intermem.core.ledger import LEDGER, Ledger, Standing, ledger_text, parse_ledger
from intermem.core.regions import Item
from intermem.core.splicing import Addition, edited
from intermem.errors import DocumentRefused, EditRefused, IntermemError
from intermem.project.documents import Document
from intermem.project.files import read_text_file
from intermem.results import FINDINGS, OK, Change, Result
from intermem.storage.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A disagreement: its code, where it is, what it is, the way out. ``repaired`` where --repair settles it."""

    code: str
    where: str
    message: str
    hint: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class _Diagnosis:
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    next_step: tuple[str, ...] = ()


def doctor(project: Project, *, repair: bool = False, show_diff: bool = False) -> Result:
    """Name each disagreement with its way out; with ``repair`` settle those that have only one.

    Works in the middle of a merge, where it is needed most. Exit code 1 where something is left
    to be done.
    """
    with project.viewing() as metadata:
        diagnosis = _diagnosed(project, metadata)
        said = pending_notice(metadata)
    if repair and not show_diff and (diagnosis.edits or said):
        with project.writing(documents=False) as (metadata, said):
            with project.recorded(metadata, "doctor") as recording:
                diagnosis = _diagnosed(project, metadata)
                recording.intends(intents=intents_for(project, diagnosis.edits))
            finish(metadata, recording.pending)
    elif not repair:
        diagnosis = replace(diagnosis, findings=tuple(_as_found(one) for one in diagnosis.findings))
    left = [one for one in diagnosis.findings if not one.repaired or show_diff]
    return Result(
        verb="doctor",
        data={"findings": list(diagnosis.findings), "dry_run": show_diff or not repair},
        exit_code=FINDINGS if left else OK,
        notices=(*said, *diagnosis.next_step),
        changes=tuple(Change(edit.name, edit.before, edit.after) for edit in diagnosis.edits) if repair else (),
        show_diff=show_diff,
    )


def _as_found(finding: Finding) -> Finding:
    if not finding.repaired:
        return finding
    return replace(finding, repaired=False, hint="intermem doctor --repair")


def _diagnosed(project: Project, metadata: Metadata) -> _Diagnosis:
    """What is wrong, and the edits that settle what can be settled."""
    here = standing_here(project, metadata)
    findings: list[Finding] = []
    edits: list[Edit] = []
    ledger = _ledger(project, here, findings, edits)
    for problem in here.problems:
        if problem.where == LEDGER:
            continue
        edit = _union(project, problem.where, ledger) if problem.code == "document-refused" else None
        if isinstance(edit, _Union):
            edits.append(edit.edit)
            message = f"{problem.where}: a merge conflict inside the region"
            hint = "the entries of both sides are kept"
            if edit.left_out:
                hint += f", but for what one side or the ledger took out: {'; '.join(edit.left_out)}"
            findings.append(Finding(code="conflict", where=problem.where, message=message, hint=hint, repaired=True))
        else:
            message, hint = (problem.message, problem.hint) if edit is None else (edit.message, edit.hint)
            findings.append(Finding(code=problem.code, where=problem.where, message=message, hint=hint))
    for document in here.documents.found:
        _doubled(document, findings, edits)
    for key, name in here.reconciliation.missing:
        message = f"{name} lacks {key[:8]}, which the ledger promises: {_text(here, key)}"
        hint = f"intermem restore {key[:8]} brings it back, intermem reject {key[:8]} gives it up"
        findings.append(Finding(code="missing", where=name, message=message, hint=hint))
    for key, newer in here.reconciliation.twins:
        name = here.branch.items[key][0]
        message = f"{name}: {key[:8]} stands beside its newer wording {newer[:8]}: {_text(here, key)}"
        findings.append(Finding(code="twin", where=name, message=message, hint="take one of them out by hand"))
    for one, other in here.reconciliation.siblings:
        name = here.branch.items[one][0]
        message = f"{name}: {one[:8]} and {other[:8]} are two wordings of one line: {_text(here, one)}"
        hint = f"intermem reject {one[:8]} or intermem reject {other[:8]}"
        findings.append(Finding(code="wordings", where=name, message=message, hint=hint))
    findings += _unrecorded(project, here)
    return _Diagnosis(tuple(findings), tuple(edits), _next_step(project, edits))


def _unrecorded(project: Project, here: Here) -> list[Finding]:
    """What people did that no run has written down yet, and a ledger that only HEAD has."""
    found: list[Finding] = []
    changes = [
        change for change in here.reconciliation.changes.values() if change.event not in ("", "missing", "learnt")
    ]
    if changes and here.file is not None:
        what = "1 change" if len(changes) == 1 else f"{len(changes)} changes"
        names = ", ".join(sorted({document.name for document in here.documents.found}))
        message = f"{names}: {what} by people or on other branches not recorded yet"
        found.append(Finding(code="unrecorded", where=names, message=message, hint="intermem sweep records them"))
    worktree = project.worktree if here.file is not None and here.file.text is None else None
    if worktree is not None and worktree.text_at(f"HEAD:{worktree.prefix}{LEDGER}") is not None:
        message = f"{LEDGER}: HEAD has it, and it is gone here"
        hint = f"git checkout HEAD -- {LEDGER} brings it back"
        found.append(Finding(code="ledger-gone", where=LEDGER, message=message, hint=hint))
    return found


def _next_step(project: Project, edits: Sequence[Edit]) -> tuple[str, ...]:
    unfinished = project.worktree.unfinished() if project.worktree is not None else None
    if unfinished is None:
        return ()
    names = " ".join(edit.name for edit in edits)
    add = f"git add {names}, then " if names else ""
    return (f"the {unfinished} is unfinished: {add}finish it",)


def _ledger(project: Project, here: Here, findings: list[Finding], edits: list[Edit]) -> Ledger | None:
    """The ledger; one with a conflict in it is folded."""
    if here.file is not None:
        return here.ledger
    try:
        file = ledger_file(project)
        ledger = parse_ledger(file.text or "", tolerant=True)
    except IntermemError as error:
        findings.append(Finding(code=error.code, where=LEDGER, message=error.message, hint=error.hint))
        return None
    edits.append(Edit(file.path, LEDGER, file.text, ledger_text(ledger.lines)))
    message = f"{LEDGER}: a merge conflict"
    findings.append(
        Finding(
            code="conflict", where=LEDGER, message=message, hint="the lines of both sides are folded", repaired=True
        )
    )
    return ledger


@dataclass(frozen=True, slots=True)
class _Union:
    edit: Edit
    left_out: tuple[str, ...]


def _union(project: Project, name: str, ledger: Ledger | None) -> _Union | DocumentRefused | None:
    """The edit that resolves a conflict in the region of ``name``; why not, or None where there is no conflict."""
    path = Path(os.path.realpath(project.root / name))
    if not path.is_relative_to(project.root):
        return None  # what lies outside is never written
    try:
        text = read_text_file(path, name, project.config.count("scan.max_bytes"))
        after = resolved(text, name, _ancestor(project, name), _unwanted(ledger))
    except DocumentRefused as error:
        return error if "<<<<<<<" in text else None
    except EditRefused as error:
        return DocumentRefused(error.message, hint="resolve the conflict by hand")
    except IntermemError:
        return None
    if after.text == text:
        return None
    return _Union(Edit(path, name, text, after.text), tuple(f"{key[:8]} {said[:48]}" for key, said in after.left_out))


def _ancestor(project: Project, name: str) -> str | None:
    """The document before the branches parted, while git is in the middle of the merge."""
    if project.worktree is None:
        return None
    return project.worktree.text_at(f":1:{project.worktree.prefix}{name}")


def _unwanted(ledger: Ledger | None) -> frozenset[str]:
    """Ids that should not come back: what the ledger calls gone, and former wordings."""
    if ledger is None:
        return frozenset()
    gone = {key for key, line in ledger.lines.items() if line.status is not Standing.PROMOTED}
    return frozenset(gone | ledger.former.keys())


def _doubled(document: Document, findings: list[Finding], edits: list[Edit]) -> None:
    """Entries that stand twice, as when two branches added one fact in two places: one of each stays."""
    region = document.region
    if region is None:
        return
    text = document.text
    counts: Mapping[str, int] = Counter(region.ids)
    for item in _firsts(document):
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
    if text != document.text:
        edits.append(document_edit(document, text))


def _firsts(document: Document) -> Sequence[Item]:
    assert document.region is not None
    found: dict[str, Item] = {}
    for item in document.region.items:
        found.setdefault(item.id, item)
    return list(found.values())


def _text(here: Here, key: str) -> str:
    record = here.records.get(key)
    if record is None:
        return "(its text is in the history of the document)"
    return " ".join(record.shown_text.split())[:72]
