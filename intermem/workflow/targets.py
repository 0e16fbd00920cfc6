"""Find the document that a command names."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

from intermem.core.entries.hazards import entry_hazards
from intermem.core.entries.identity import identity
from intermem.core.entries.secrets import entry_secret_rule
from intermem.core.entries.similarity import duplicate_of, swaps_a_word
from intermem.core.lifecycle.gates import Refusal, hazard_gate
from intermem.core.lifecycle.promotion import known_texts, said_already
from intermem.core.region.legacy_markers import marked_entries
from intermem.core.region.parse import find_region
from intermem.entities import FULL, LEDGER, OLD_LEDGER, Problem, Record
from intermem.errors import IntermemError, NoDocument, UsageError
from intermem.project.documents import Document, Documents
from intermem.workflow.workspace import Workspace

if TYPE_CHECKING:
    from intermem.workflow.branch_state import BranchState


def find_target(workspace: Workspace, documents: Documents, wanted: str | None) -> Document:
    """Return the document named ``wanted``, or the default one to promote into.

    Any spelling of the path will do, links included. Raises NoDocument if there is none or it was
    refused, UsageError if ``wanted`` is not a document of the project.
    """
    if wanted is not None:
        return _named(workspace, documents, wanted)
    if documents.target is not None:
        return documents.target
    if documents.problems:
        raise error_of(documents.problems[0])
    raise NoDocument("no document to promote into; nothing was written", hint="intermem init creates AGENTS.md")


def old_marker_notices(documents: Documents) -> list[str]:
    """Return sentences on what an older intermem marked: entries outside the regions, and markers that say nothing."""
    way = "with the markers of an older intermem: intermem init --adopt moves them into the region"
    told = []
    for document in documents.found:
        count, strays, inside = marked_entries(document.text, document.name)
        told += [f"{document.name} has {count} entr{'y' if count == 1 else 'ies'} {way}"] if count else []
        told += [
            f"{document.name}:{line}: an old marker that follows no entry: put it below its entry, or delete it"
            for line in strays
        ]
        told += [f"{document.name}:{line}: an old marker in the region says nothing: delete it" for line in inside]
    return told


def untracked_notices(workspace: Workspace, documents: Documents) -> list[str]:
    """Return a sentence for each document with entries that git does not track: no other clone has it."""
    worktree = workspace.worktree
    if worktree is None or worktree.bare:
        return []
    filled = [one.name for one in documents.found if one.region is not None and one.region.items]
    paths = {name: worktree.prefix + name for name in filled}
    has_ledger = any((workspace.root / name).exists() for name in (LEDGER, OLD_LEDGER))
    way = "commit it together with .intermem" if has_ledger else "commit it, so that other clones have it"
    return [
        f"{name} is ignored by git: no other clone has it"
        if worktree.is_ignored(path)
        else f"{name} is not in git yet: {way}"
        for name, path in paths.items()
        if not worktree.is_tracked(path)
    ]


def untracked_ledger_notices(workspace: Workspace, state: BranchState) -> list[str]:
    """Return a sentence if the ledger of this branch is not in git."""
    worktree = workspace.worktree
    if state.ledger is None or worktree is None or worktree.bare:
        return []
    name = LEDGER if state.files is not None and state.files.texts else OLD_LEDGER
    path = worktree.prefix + name
    if worktree.is_tracked(path):
        return []
    if worktree.is_ignored(path):
        return [f"{name} is ignored by git: it cannot be committed with the documents"]
    return [f"{name} is not in git yet: commit it together with the documents"]


def text_refusal(
    workspace: Workspace,
    record: Record,
    section: str,
    name: str,
    text: str,
    *,
    decided: bool,
    replaces: Record | None = None,
    wordings: Collection[str] = (),
) -> Refusal | None:
    """Return why ``record`` may not go under ``section`` of the document ``name`` with this ``text``; None if it may.

    ``decided`` is true if a person named the entry and so decided about its hazards, but for what nobody can see.
    ``replaces`` is its former wording, whose place it takes; beside one of its other ``wordings`` it is not written.
    """
    if replaces is not None and replaces.pinned:
        return Refusal(gate="pinned", reason=f"it would replace {replaces.entry_id[:8]}, which is pinned")
    rule = entry_secret_rule(record.text or "", section)
    if rule is not None:
        return Refusal(gate="secret", reason=f"it seems to hold a secret ({rule})")
    hazards = entry_hazards(record.text or "", section, workspace.config.allowed_hazards())
    hazard = hazard_gate(record.id, hazards, decided=decided)
    if hazard is not None:
        return hazard
    similarity = workspace.config.thousandths("promote.similarity") / FULL
    others = [one for one in known_texts(text) if replaces is None or identity(one) != replaces.id]
    said = record.text or ""
    if decided:
        others = [one for one in others if one in wordings or not swaps_a_word(said, one)]
    twin = duplicate_of(said, others, similarity)
    if twin is None:
        return None
    region = find_region(text, name)
    return said_already(name, twin, region.ids if region is not None else ())


def error_of(problem: Problem) -> IntermemError:
    """Return a problem as an error, for a run that cannot continue."""
    error = NoDocument(problem.message, hint=problem.hint)
    error.code = problem.code
    return error


def _named(workspace: Workspace, documents: Documents, wanted: str) -> Document:
    places = {os.path.realpath(base / wanted) for base in (workspace.root, workspace.options.working_directory)}
    for document in documents.found:
        if str(document.path) in places or document.name == wanted:
            return document
    for problem in documents.problems:
        if problem.where == wanted:
            raise error_of(problem)
    known = ", ".join(one.name for one in documents.found if one.tier == 1 or workspace.config.flag("tiers"))
    hint = f"use one of: {known}" if known else "intermem init creates AGENTS.md"
    raise UsageError(f"--target {wanted}: not a document of this project", hint=hint)
