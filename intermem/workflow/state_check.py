"""The state under examination: metadata.db itself, its journal, and what killed runs left lying about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.entities import LEDGER
from intermem.errors import IntermemError, StateError
from intermem.results import Diagnosis
from intermem.storage.integrity import check_integrity, is_unlearnt, mend_indexes
from intermem.storage.journal import close_damaged, past_operations, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.salvage import salvage
from intermem.workflow.workspace import Workspace

_TEMPORARY = re.compile(r"\.(.+)\.intermem-\d{8}T\d{6}")
_HINTS = {
    "damaged": "every record that can be read is saved, the rest learnt anew; the old file is kept",
    "index": "it is made anew from the entries",
    "schema": "it is made anew",
}


@dataclass(frozen=True, slots=True)
class Checkup:
    """What is wrong with the state. ``usable`` says whether it can be read as it is."""

    findings: tuple[Diagnosis, ...] = ()
    usable: bool = True


def checked_state(workspace: Workspace) -> Checkup:
    """Return what is wrong with metadata.db; nothing is written."""
    name = workspace.database.name
    try:
        troubles = check_integrity(workspace.database)
    except OSError as error:
        finding = Diagnosis(
            code="state", where=name, message=f"{workspace.database}: {error.strerror}", hint="check it"
        )
        return Checkup((finding,), usable=False)
    findings = [
        Diagnosis(
            code=f"database-{one.kind}",
            where=name,
            message=f"{name}: {one.said}",
            hint=_HINTS.get(one.kind, "intermem status says more"),
            repaired=one.kind in _HINTS,
        )
        for one in troubles
    ]
    unusable = any(one.kind in ("damaged", "other") for one in troubles)
    if not troubles and is_gone(workspace):
        message = f"{name} is gone: it was here before, and this branch has promoted entries"
        hint = f"records are learnt anew from documents, {LEDGER} and memory"
        findings.append(Diagnosis(code="database-gone", where=name, message=message, hint=hint, repaired=True))
    return Checkup(tuple(findings), usable=not unusable)


def is_gone(workspace: Workspace) -> bool:
    """Return whether there was a metadata.db once, to which a ledger bears witness, and is none any more."""
    return (
        (workspace.state_dir / "lock").exists()
        and not workspace.database.exists()
        and workspace.phase_one is None
        and (workspace.root / LEDGER).exists()
    )


def mend_state(workspace: Workspace, checkup: Checkup) -> tuple[Diagnosis, ...]:
    """Mend what ``checked_state`` found; return its findings with what came of it."""
    codes = {finding.code for finding in checkup.findings if finding.repaired} - {"database-gone"}
    if not codes:
        return checkup.findings
    with workspace.locked():
        if "database-damaged" not in codes and mend_indexes(workspace.database):
            return checkup.findings
        kept, saved = salvage(workspace.database, workspace.now)
    count = "1 record was" if saved == 1 else f"{saved} records were"
    hint = f"{count} saved, the rest is learnt anew; the old file is {kept}"
    return tuple(replace(one, hint=hint) if one.repaired else one for one in checkup.findings)


def unlearnt_findings(workspace: Workspace, metadata: Metadata) -> list[Diagnosis]:
    """Return a finding where a repair was killed before records were learnt anew."""
    if not workspace.database.exists() or not (workspace.root / LEDGER).exists() or not is_unlearnt(metadata):
        return []
    name = workspace.database.name
    message = f"{name} was made anew, and its records are not learnt yet"
    hint = f"they are learnt from documents, {LEDGER} and memory"
    return [Diagnosis(code="database-unlearnt", where=name, message=message, hint=hint, repaired=True)]


def journal_findings(workspace: Workspace, metadata: Metadata) -> list[Diagnosis]:
    """Return what the journal says: operations that were not finished, or that are not what was written."""
    name = workspace.database.name
    try:
        pending = pending_operations(metadata)
    except StateError as error:
        hint = "it is closed; records follow what the documents say"
        return [Diagnosis(code="journal-damaged", where=name, message=error.message, hint=hint, repaired=True)]
    damaged = [str(one.operation.id) for one in past_operations(metadata) if one.damaged and one.kept]
    if damaged:
        message = f"{name}: what is kept of operation {', '.join(damaged)} is not what was written"
        hint = "it cannot be undone any more"
        return [Diagnosis(code="journal-damaged", where=name, message=message, hint=hint, repaired=True)]
    hint = "it is finished, or settled by what the documents say"
    return [
        Diagnosis(code="pending", where=name, message=f"an interrupted {one.verb} is pending", hint=hint, repaired=True)
        for one in pending
    ]


def mend_journal(workspace: Workspace) -> None:
    """Close what is damaged in the journal, so that the next command that writes can recover the rest."""
    with workspace.locked(), workspace.opened() as metadata, metadata.transaction():
        close_damaged(metadata, workspace.now)


def leftovers(workspace: Workspace, names: Iterable[str]) -> list[Path]:
    """Return temporary files beside the documents ``names`` and in the state that no operation knows any more."""
    folders = {Path(os.path.realpath(workspace.root / name)).parent for name in (*names, LEDGER)}
    found = [
        path
        for folder in sorted(folders)
        if folder.is_dir() and folder.is_relative_to(workspace.root)
        for path in sorted(folder.iterdir())
        if _TEMPORARY.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    ]
    return [*found, *sorted(workspace.state_dir.glob("metadata.db.new*"))]


def leftover_findings(workspace: Workspace, metadata: Metadata, names: Iterable[str]) -> list[Diagnosis]:
    """Return a finding about each leftover; none while an operation is pending, whose recovery tidies up."""
    try:
        if pending_operations(metadata):
            return []
    except IntermemError:
        return []
    return [
        Diagnosis(
            code="leftover",
            where=path.name,
            message=f"{path}: a temporary file of a run that was killed",
            hint="it is removed",
            repaired=True,
        )
        for path in leftovers(workspace, names)
    ]
