"""Which document a command means."""

from __future__ import annotations

import os

from intermem.core.entries.secrets import secret_rule
from intermem.core.entries.similarity import duplicate_of
from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.promotion import known_texts
from intermem.entities import FULL, Problem, Record
from intermem.errors import IntermemError, NoDocument, UsageError
from intermem.project.documents import Document, Documents
from intermem.workflow.workspace import Workspace


def find_target(workspace: Workspace, documents: Documents, wanted: str | None) -> Document:
    """Return the document called ``wanted``, or the one to promote into.

    Any spelling will do, links included. Raises NoDocument where there is none or it was refused,
    UsageError where ``wanted`` is no document of the project.
    """
    if wanted is not None:
        return _named(workspace, documents, wanted)
    if documents.target is not None:
        return documents.target
    if documents.problems:
        raise refused(documents.problems[0])
    raise NoDocument("there is no document to promote into; nothing was written", hint="intermem init makes AGENTS.md")


def text_refusal(workspace: Workspace, record: Record, name: str, said: str) -> Refusal | None:
    """Return why the text of ``record`` does not go into the document ``name``, which says ``said``; None if it may."""
    rule = secret_rule(record.text or "")
    if rule is not None:
        return Refusal(gate="secret", reason=f"it seems to hold a secret ({rule})")
    similarity = workspace.config.thousandths("promote.similarity") / FULL
    twin = duplicate_of(record.text or "", known_texts(said), similarity)
    if twin is None:
        return None
    return Refusal(gate="duplicate", reason=f"{name} says so already: {' '.join(twin.split())[:60]}")


def refused(problem: Problem) -> IntermemError:
    """Return the error that a problem was, to be raised where nothing can go on without it."""
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
            raise refused(problem)
    known = ", ".join(one.name for one in documents.found)
    hint = f"name one of: {known}" if known else "intermem init makes AGENTS.md"
    raise UsageError(f"--target {wanted}: it is no document of this project", hint=hint)
