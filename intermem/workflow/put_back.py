"""The documents that an entry left together, and how it goes back into all of them."""

from __future__ import annotations

import contextlib

from intermem.core.region.edit import Addition, edited
from intermem.core.worth.standing import is_rule
from intermem.entities import Record
from intermem.errors import EditRefused
from intermem.workflow.branch_state import BranchState, load_lineage
from intermem.workflow.changeset import ChangeSet
from intermem.workflow.targets import text_refusal
from intermem.workflow.workspace import Workspace


def places_of(workspace: Workspace, state: BranchState, key: str) -> list[str]:
    """Return the documents that had an entry in the newest commit that has it."""
    if workspace.worktree is None:
        return []
    prefix = workspace.worktree.prefix
    return [path.removeprefix(prefix) for path in load_lineage(workspace, state).places_of(key)]


def put_back_beside(workspace: Workspace, changeset: ChangeSet, record: Record, name: str, section: str) -> None:
    """Put an entry back into the documents that it left together with the document ``name``, where that can be."""
    text = record.text or ""
    for other in dict.fromkeys((*places_of(workspace, changeset.state, record.id), *changeset.left(record.id))):
        document = changeset.state.documents.named(other)
        if document is None or document.region is None or document.name == name:
            continue
        now = changeset.text_of(document)
        if text_refusal(workspace, record, section, document.name, now, decided=True) is not None:
            continue
        with contextlib.suppress(EditRefused):
            addition = Addition(text, section)
            changeset.texts[document.name] = edited(now, document.name, add=[addition], leads=is_rule)
            changeset.beside.setdefault(record.id, []).append(document.name)
