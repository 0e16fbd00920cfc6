"""Check and repair the state: metadata.db, its journal, and files left behind by killed runs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from intermem.core.lifecycle.future_times import set_back, times_ahead
from intermem.core.times import format_date
from intermem.entities import LEDGER, OLD_LEDGER
from intermem.errors import IntermemError, StateError
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.files import kind_at
from intermem.results import Diagnosis
from intermem.storage.integrity import check_integrity, needs_rebuild, repair_indexes
from intermem.storage.journal import close_damaged, closed_operations, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import save_accesses, save_records
from intermem.storage.salvage import salvage
from intermem.workflow.branch_state import BranchState
from intermem.workflow.workspace import Workspace, pending_verbs

_TEMPORARY = regex(r"\.(.+)\.intermem-\d{8}T\d{6}")
_HINTS = {
    "damaged": "every readable record is salvaged, the rest rebuilt; the old file is kept",
    "index": "it is rebuilt from the entries",
    "schema": "it is rebuilt",
}


@dataclass(frozen=True, slots=True)
class StateCheck:
    """The problems found in the state. ``usable`` is true if it can be read as it is."""

    findings: tuple[Diagnosis, ...] = ()
    usable: bool = True


def check_state(workspace: Workspace) -> StateCheck:
    """Check metadata.db and return the problems; write nothing. Raises StateError if it may be a stranger's."""
    workspace.require_own_state()
    name = workspace.database.name
    try:
        troubles = check_integrity(workspace.database)
    except OSError as error:
        finding = Diagnosis(
            code="state",
            where=name,
            message=f"{workspace.database}: {error.strerror}",
            hint="check the file and its permissions",
        )
        return StateCheck((finding,), usable=False)
    findings = [
        Diagnosis(
            code=f"database-{one.kind}",
            where=name,
            message=f"{name}: {one.message}",
            hint=_HINTS.get(one.kind, "intermem status says more"),
            repaired=one.kind in _HINTS,
        )
        for one in troubles
    ]
    unusable = any(one.kind in ("damaged", "other", "schema") for one in troubles)
    if not troubles and is_missing(workspace):
        message = f"{name} is missing: it existed before, and this branch has promoted entries"
        hint = f"records are rebuilt from documents, {LEDGER} and memory"
        findings.append(Diagnosis(code="database-gone", where=name, message=message, hint=hint, repaired=True))
    return StateCheck(tuple(findings), usable=not unusable)


def is_missing(workspace: Workspace) -> bool:
    """Return whether metadata.db existed once, as lock and ledger show, and is missing now."""
    return (
        (workspace.state_dir / "lock").exists()
        and not workspace.database.exists()
        and workspace.older_state is None
        and _has_ledger(workspace)
    )


def _has_ledger(workspace: Workspace) -> bool:
    return any((workspace.root / name).exists() for name in (LEDGER, OLD_LEDGER))


def repair_state(workspace: Workspace, checked: StateCheck) -> tuple[Diagnosis, ...]:
    """Repair what ``check_state`` found; return its findings with the outcome."""
    codes = {finding.code for finding in checked.findings if finding.repaired} - {"database-gone"}
    if not codes:
        return checked.findings
    with workspace.locked():
        if "database-damaged" not in codes and repair_indexes(workspace.database):
            return checked.findings
        kept, saved, supposed = salvage(workspace.database, workspace.now)
    count = "1 record is" if saved == 1 else f"{saved} records are"
    hint = f"{count} salvaged, the rest is rebuilt; the old file is kept as {kept}"
    if supposed:
        said = (f"{key[:8]} {name.replace('_', ' ')}" for key, name in supposed)
        hint += f"; for what could not be read another time stands, of the record or the ledger: {', '.join(said)}"
    return tuple(replace(one, hint=hint) if one.repaired else one for one in checked.findings)


def rebuild_findings(workspace: Workspace, metadata: Metadata) -> list[Diagnosis]:
    """Return a finding if a repair was interrupted before records were rebuilt."""
    if not workspace.database.exists() or not _has_ledger(workspace) or not needs_rebuild(metadata):
        return []
    name = workspace.database.name
    message = f"{name} was recreated, but its records have not been rebuilt yet"
    hint = f"they are rebuilt from documents, {LEDGER} and memory"
    return [Diagnosis(code="database-unlearnt", where=name, message=message, hint=hint, repaired=True)]


def journal_findings(workspace: Workspace, metadata: Metadata) -> list[Diagnosis]:
    """Return findings on the journal: operations that are pending or damaged."""
    name = workspace.database.name
    try:
        pending = pending_verbs(metadata)
    except StateError as error:
        hint = "it is closed; records then follow the documents"
        return [Diagnosis(code="journal-damaged", where=name, message=error.message, hint=hint, repaired=True)]
    damaged = [str(one.operation.id) for one in closed_operations(metadata) if one.damaged and one.kept]
    if damaged:
        message = f"{name}: the undo data of operation {', '.join(damaged)} is damaged"
        hint = "it can no longer be undone"
        return [Diagnosis(code="journal-damaged", where=name, message=message, hint=hint, repaired=True)]
    hint = "it is completed, or closed if a document was edited since"
    return [
        Diagnosis(code="pending", where=name, message=f"an interrupted {verb} is pending", hint=hint, repaired=True)
        for verb in pending
    ]


def repair_journal(workspace: Workspace) -> None:
    """Close damaged operations, so that the next command that writes can recover the rest."""
    with workspace.locked(), workspace.opened() as metadata, metadata.transaction():
        close_damaged(metadata, workspace.now)


def future_findings(workspace: Workspace, state: BranchState) -> list[Diagnosis]:
    """Return a finding for each entry that has a time in the future, in metadata.db or in the ledger."""
    found: list[Diagnosis] = []
    for key in state.future_records:
        ahead = state.records[key]
        name = next(iter(times_ahead(ahead, workspace.now, workspace.config.span("sweep.grace"))))
        moment = f"{name.replace('_', ' ')} {format_date(getattr(ahead, name))}"
        message = f"{key[:8]} has a time in the future ({moment}), which may keep it from aging"
        hint = "what is in the future is set to the time of the repair"
        where = workspace.database.name
        found.append(Diagnosis(code="future-time", where=where, message=message, hint=hint, repaired=True))
    for key in state.future_lines:
        message = f"{LEDGER} has a date in the future for {key[:8]}, which does not count"
        hint = "remove its event by hand, if it was written by mistake"
        found.append(Diagnosis(code="future-time", where=LEDGER, message=message, hint=hint))
    return found


def repair_times(workspace: Workspace, metadata: Metadata) -> None:
    """Set what is in the future to now, in every record."""
    grace = workspace.config.span("sweep.grace")
    changed = [(one, set_back(one, workspace.now, grace)) for one in metadata.records().values()]
    save_records(metadata, changed)
    save_accesses(metadata, (after for before, after in changed if after.last_accessed != before.last_accessed))


def leftovers(workspace: Workspace, names: Iterable[str]) -> list[Path]:
    """Return stale temporary files beside the documents ``names`` and in the state directory."""
    folders = {Path(os.path.realpath(workspace.root / name)).parent for name in (*names, LEDGER, f"{LEDGER}/event")}
    found = [
        path
        for folder in sorted(folders)
        if kind_at(folder) == "folder" and folder.is_relative_to(workspace.root)
        for path in sorted(folder.iterdir())
        if _TEMPORARY.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    ]
    return [*found, *sorted(workspace.state_dir.glob("metadata.db.new*"))]


def leftover_findings(workspace: Workspace, metadata: Metadata, names: Iterable[str]) -> list[Diagnosis]:
    """Return a finding for each leftover; none while an operation is pending, whose recovery removes them."""
    try:
        if pending_operations(metadata):
            return []
    except IntermemError:
        return []
    return [
        Diagnosis(
            code="leftover",
            where=path.name,
            message=f"{path}: a temporary file of a killed run",
            hint="it is removed",
            repaired=True,
        )
        for path in leftovers(workspace, names)
    ]
