"""Repair documents: merge conflicts, duplicate regions, deleted regions, duplicate entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from intermem.core.reconcile.ledger import Ledger, Standing
from intermem.core.region.edit import Addition, edited
from intermem.core.region.merge import Conflict
from intermem.core.region.parse import Item, find_region
from intermem.core.region.repair import returned, united
from intermem.core.region.topic_files import is_named
from intermem.core.worth.standing import is_rule
from intermem.entities import Problem
from intermem.errors import DocumentRefused, EditRefused, IntermemError
from intermem.project.boundary import place_in
from intermem.project.documents import Document, Documents
from intermem.project.files import read_text_file
from intermem.results import Diagnosis
from intermem.workflow.branch_state import BranchState
from intermem.workflow.conflicts import resolved, stages_of
from intermem.workflow.edits import Edit, document_edit
from intermem.workflow.tiers import emptied_by_hand, with_unnamed_topics
from intermem.workflow.workspace import Workspace

Repair = tuple[Diagnosis, Edit | None]


def repaired_document(workspace: Workspace, state: BranchState, ledger: Ledger | None, problem: Problem) -> Repair:
    """Return the finding for a refused document, and the edit that repairs it if there is one."""
    found: Repair | None = None
    if problem.code == "document-refused":
        found = _without_conflict(workspace, problem.where, ledger) or _with_merged_regions(
            workspace, problem.where, ledger
        )
    elif problem.code == "region-lost":
        found = _with_restored_region(workspace, state, ledger, problem)
    return found or (_unrepaired(problem), None)


def without_duplicates(document: Document) -> tuple[list[Diagnosis], Edit | None]:
    """Return findings for duplicate entries, as when two branches added the same fact; one copy is kept."""
    region = document.region
    findings: list[Diagnosis] = []
    text = document.text
    counts: Mapping[str, int] = Counter(region.ids if region is not None else ())
    for item in _first_of_each(region.items if region is not None else ()):
        if counts[item.id] < 2:
            continue
        message = f"{document.name}:{item.line}: {item.id[:8]} appears {counts[item.id]} times"
        try:
            text = edited(text, document.name, remove=[item.id])
            text = edited(text, document.name, add=[Addition(item.text, item.section)], leads=is_rule)
        except EditRefused as error:
            findings.append(Diagnosis(code="doubled", where=document.name, message=message, hint=error.hint))
            continue
        hint = "one copy is kept"
        findings.append(Diagnosis(code="doubled", where=document.name, message=message, hint=hint, repaired=True))
    return findings, document_edit(document, text) if text != document.text else None


def standing_in_both(documents: Documents) -> list[Diagnosis]:
    """Return findings for entries that stand in a second document which the same session loads."""
    return [
        Diagnosis(
            code="doubled",
            where=document.name,
            message=f"{document.name}:{item.line}: {item.id[:8]} stands in {where}:{line} too",
            hint="remove one of them by hand",
        )
        for document, item, (where, line) in documents.twice
        if where != document.name
    ]


def named_topics(workspace: Workspace, state: BranchState) -> tuple[list[Diagnosis], Edit | None]:
    """Return findings for topic files without a line and for lines without entries, and the edit of the first document.

    It writes the one kind of line, and removes the other.
    """
    target, names = state.documents.target, state.documents.unnamed_topics
    if target is None or target.region is None:
        return _unlinked(names, "intermem init places a region for its line", repaired=False), None
    over = emptied_by_hand(workspace, state, target.region)
    try:
        after = with_unnamed_topics(state.documents, target, target.text, over)
    except EditRefused as error:
        return _unlinked(names, error.message, repaired=False), None
    empty = [
        Diagnosis(
            code="empty",
            where=name,
            message=f"{target.name} names {name}, which has no entries any more",
            hint="its line is removed",
            repaired=True,
        )
        for name in sorted(over)
        if not is_named(after, name)  # what a person said in other words stays
    ]
    edit = document_edit(target, after) if after != target.text else None
    return [*_unlinked(names, f"its line goes into {target.name}", repaired=True), *empty], edit


def _unlinked(names: Iterable[str], hint: str, *, repaired: bool) -> list[Diagnosis]:
    return [
        Diagnosis(
            code="unlinked",
            where=name,
            message=f"no document names {name}, so no agent opens it",
            hint=hint,
            repaired=repaired,
        )
        for name in names
    ]


def _without_conflict(workspace: Workspace, name: str, ledger: Ledger | None) -> Repair | None:
    """Resolve a merge conflict inside the region; None if there is no conflict."""
    try:
        path, text = _read(workspace, name)
    except IntermemError:
        return None
    try:
        stages = stages_of(workspace.worktree, name)
        ancestor = stages.base if stages is not None else None
        after = resolved(text, name, stages, _unwanted(ledger) - _reworded(ledger, ancestor, name))
    except DocumentRefused as error:
        return (_refused(name, error), None) if "<<<<<<<" in text else None
    except EditRefused as error:
        return Diagnosis(code="document-refused", where=name, message=error.message, hint="resolve it by hand"), None
    if after.text == text and not after.undecided:
        return None
    hint = "the entries of both sides are kept"
    if after.left_out:
        left_out = "; ".join(f"{key[:8]} {text[:48]}" for key, text in after.left_out)
        hint += f", except what one side or the ledger removed: {left_out}"
    message = f"{name}: a merge conflict inside the region"
    if after.undecided:
        message += f", {_left_to_you(after.undecided)}"
        hint = f"decide between the conflict markers{'; elsewhere ' + hint if after.text != text else ''}"
    finding = Diagnosis(code="conflict", where=name, message=message, hint=hint, repaired=not after.undecided)
    return finding, Edit(path, name, text, after.text) if after.text != text else None


def _left_to_you(conflicts: Sequence[Conflict]) -> str:
    """Return in words what a person has to decide."""
    removed = sum(None in (one.ours, one.theirs) for one in conflicts)
    reworded = len(conflicts) - removed
    what = [
        f"{number} {'line' if number == 1 else 'lines'} {how}"
        for number, how in (
            (reworded, "reworded on both sides"),
            (removed, "reworded on one side and removed on the other"),
        )
        if number
    ]
    return " and ".join(what)


def _with_merged_regions(workspace: Workspace, name: str, ledger: Ledger | None) -> Repair | None:
    """Merge duplicate regions into the first; None if there are none."""
    try:
        path, text = _read(workspace, name)
        after = united(text, name, _unwanted(ledger), is_rule)
    except (DocumentRefused, EditRefused) as error:
        return Diagnosis(code="document-refused", where=name, message=error.message, hint=error.hint), None
    except IntermemError:
        return None
    if after == text:
        return None
    message = f"{name}: more than one region"
    hint = "their entries are merged into the first"
    return Diagnosis(code="regions", where=name, message=message, hint=hint, repaired=True), Edit(
        path, name, text, after
    )


def _with_restored_region(
    workspace: Workspace, state: BranchState, ledger: Ledger | None, problem: Problem
) -> Repair | None:
    """Restore a region deleted by hand, with the ledger's entries; None if the document itself is gone."""
    name = problem.where
    try:
        path, text = _read(workspace, name)
        if find_region(text, name) is not None:
            return None  # the document is no longer a target
        earlier = _at_head(workspace, name)
        entries, unknown = _missing_entries(state, ledger, name, earlier)
        after = returned(text, earlier, name, entries, _unwanted(ledger), is_rule)
    except (DocumentRefused, EditRefused) as error:
        return Diagnosis(code="region-lost", where=name, message=problem.message, hint=error.message), None
    except IntermemError:
        return None
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    hint = f"it is restored with {count} (or give it up: intermem init --remove)"
    if unknown:
        hint += f"; the text of {', '.join(key[:8] for key in unknown)} is unknown"
    finding = Diagnosis(code="region-lost", where=name, message=problem.message, hint=hint, repaired=True)
    return finding, Edit(path, name, text, after)


def _missing_entries(
    state: BranchState, ledger: Ledger | None, name: str, earlier: str | None
) -> tuple[list[Addition], Sequence[str]]:
    """Entries that the ledger lists in a document but no document has: those with a known text, the ids of others."""
    old: dict[str, Item] = {}
    if earlier is not None:
        try:
            region = find_region(earlier, name)
        except DocumentRefused:
            region = None
        old = {item.id: item for item in region.items} if region is not None else {}
    known: list[Addition] = []
    unknown: list[str] = []
    for line in ledger.lines.values() if ledger is not None else ():
        if line.status is not Standing.PROMOTED or line.document != name or line.id in state.branch.items:
            continue
        record = state.records.get(line.id)
        text = old[line.id].text if line.id in old else record.text if record is not None else None
        section = old[line.id].section if line.id in old else line.section
        if text is None:
            unknown.append(line.id)
        else:
            known.append(Addition(text, section))
    return known, unknown


def _read(workspace: Workspace, name: str) -> tuple[Path, str]:
    path = place_in(workspace.root, workspace.root / name, name)  # nothing outside is ever written
    return path, read_text_file(path, name, workspace.config.count("scan.max_bytes"))


def _at_head(workspace: Workspace, name: str) -> str | None:
    if workspace.worktree is None:
        return None
    return workspace.worktree.text_at(f"HEAD:{workspace.worktree.prefix}{name}")


def _unwanted(ledger: Ledger | None) -> frozenset[str]:
    """Ids that must not come back: entries that the ledger lists as removed, and former wordings."""
    if ledger is None:
        return frozenset()
    gone = {key for key, line in ledger.lines.items() if line.status is not Standing.PROMOTED}
    return frozenset(gone | (ledger.former.keys() - ledger.rivals))


def _reworded(ledger: Ledger | None, ancestor: str | None, name: str) -> frozenset[str]:
    """New wordings of entries of the merge base, and former ones of them: one side edited the line, or went back."""
    try:
        region = find_region(ancestor, name) if ancestor is not None else None
    except DocumentRefused:
        region = None
    if region is None or ledger is None:
        return frozenset()
    was = set(region.ids)
    new = {line.id for line in ledger.lines.values() if line.id not in was and was & set(line.was)}
    return frozenset(new | {name for name, heir in ledger.former.items() if heir in was and name not in was})


def _first_of_each(items: Sequence[Item]) -> Sequence[Item]:
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.id, item)
    return list(found.values())


def _refused(name: str, error: IntermemError) -> Diagnosis:
    return Diagnosis(code="document-refused", where=name, message=error.message, hint=error.hint)


def _unrepaired(problem: Problem) -> Diagnosis:
    return Diagnosis(code=problem.code, where=problem.where, message=problem.message, hint=problem.hint)
