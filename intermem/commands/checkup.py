"""The state under examination: metadata.db itself, its journal, and what killed runs left lying about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.commands.project import Project
from intermem.entities import LEDGER
from intermem.errors import IntermemError, StateError
from intermem.results import Finding
from intermem.storage.journal import close_damaged, past_operations, pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.soundness import is_unlearnt, mend_indexes, salvage, troubles_of

_TEMPORARY = re.compile(r"\.(.+)\.intermem-\d{8}T\d{6}")
_HINTS = {
    "damaged": "every record that can be read is saved, the rest learnt anew; the old file is kept",
    "index": "it is made anew from the entries",
    "schema": "it is made anew",
}


@dataclass(frozen=True, slots=True)
class Checkup:
    """What is wrong with the state. ``usable`` says whether it can be read as it is."""

    findings: tuple[Finding, ...] = ()
    usable: bool = True


def checked_state(project: Project) -> Checkup:
    """Return what is wrong with metadata.db; nothing is written."""
    name = project.database.name
    try:
        troubles = troubles_of(project.database)
    except OSError as error:
        finding = Finding(code="state", where=name, message=f"{project.database}: {error.strerror}", hint="check it")
        return Checkup((finding,), usable=False)
    findings = [
        Finding(
            code=f"database-{one.kind}",
            where=name,
            message=f"{name}: {one.said}",
            hint=_HINTS.get(one.kind, "intermem status says more"),
            repaired=one.kind in _HINTS,
        )
        for one in troubles
    ]
    unusable = any(one.kind in ("damaged", "other") for one in troubles)
    if not troubles and is_gone(project):
        message = f"{name} is gone: it was here before, and this branch has promoted entries"
        hint = f"records are learnt anew from documents, {LEDGER} and memory"
        findings.append(Finding(code="database-gone", where=name, message=message, hint=hint, repaired=True))
    return Checkup(tuple(findings), usable=not unusable)


def is_gone(project: Project) -> bool:
    """Return whether there was a metadata.db once, to which a ledger bears witness, and is none any more."""
    return (
        (project.state_dir / "lock").exists()
        and not project.database.exists()
        and project.phase_one is None
        and (project.root / LEDGER).exists()
    )


def mend_state(project: Project, checkup: Checkup) -> tuple[Finding, ...]:
    """Mend what ``checked_state`` found; return its findings with what came of it."""
    codes = {finding.code for finding in checkup.findings if finding.repaired} - {"database-gone"}
    if not codes:
        return checkup.findings
    with project.locked():
        if "database-damaged" not in codes and mend_indexes(project.database):
            return checkup.findings
        kept, saved = salvage(project.database, project.now)
    count = "1 record was" if saved == 1 else f"{saved} records were"
    hint = f"{count} saved, the rest is learnt anew; the old file is {kept}"
    return tuple(replace(one, hint=hint) if one.repaired else one for one in checkup.findings)


def unlearnt_findings(project: Project, metadata: Metadata) -> list[Finding]:
    """Return a finding where a repair was killed before records were learnt anew."""
    if not project.database.exists() or not (project.root / LEDGER).exists() or not is_unlearnt(metadata):
        return []
    name = project.database.name
    message = f"{name} was made anew, and its records are not learnt yet"
    hint = f"they are learnt from documents, {LEDGER} and memory"
    return [Finding(code="database-unlearnt", where=name, message=message, hint=hint, repaired=True)]


def journal_findings(project: Project, metadata: Metadata) -> list[Finding]:
    """Return what the journal says: operations that were not finished, or that are not what was written."""
    name = project.database.name
    try:
        pending = pending_operations(metadata)
    except StateError as error:
        hint = "it is closed; records follow what the documents say"
        return [Finding(code="journal-damaged", where=name, message=error.message, hint=hint, repaired=True)]
    damaged = [str(one.operation.id) for one in past_operations(metadata) if one.damaged and one.kept]
    if damaged:
        message = f"{name}: what is kept of operation {', '.join(damaged)} is not what was written"
        hint = "it cannot be undone any more"
        return [Finding(code="journal-damaged", where=name, message=message, hint=hint, repaired=True)]
    hint = "it is finished, or settled by what the documents say"
    return [
        Finding(code="pending", where=name, message=f"an interrupted {one.verb} is pending", hint=hint, repaired=True)
        for one in pending
    ]


def mend_journal(project: Project) -> None:
    """Close what is damaged in the journal, so that the next command that writes can recover the rest."""
    with project.locked(), project.opened() as metadata, metadata.transaction():
        close_damaged(metadata, project.now)


def leftovers(project: Project, names: Iterable[str]) -> list[Path]:
    """Return temporary files beside the documents ``names`` and in the state that no operation knows any more."""
    folders = {Path(os.path.realpath(project.root / name)).parent for name in (*names, LEDGER)}
    found = [
        path
        for folder in sorted(folders)
        if folder.is_dir() and folder.is_relative_to(project.root)
        for path in sorted(folder.iterdir())
        if _TEMPORARY.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    ]
    return [*found, *sorted(project.state_dir.glob("metadata.db.new*"))]


def leftover_findings(project: Project, metadata: Metadata, names: Iterable[str]) -> list[Finding]:
    """Return a finding about each leftover; none while an operation is pending, whose recovery tidies up."""
    try:
        if pending_operations(metadata):
            return []
    except IntermemError:
        return []
    return [
        Finding(
            code="leftover",
            where=path.name,
            message=f"{path}: a temporary file of a run that was killed",
            hint="it is removed",
            repaired=True,
        )
        for path in leftovers(project, names)
    ]
