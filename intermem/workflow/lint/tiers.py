"""The documents under curation at a revision, for the rules that need no records (IM014, IM015)."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.region.parse import find_region
from intermem.core.region.topic_files import is_topic_file
from intermem.errors import DocumentRefused
from intermem.project.documents import AUTO_TARGETS, Document, Documents
from intermem.project.git.worktree import Worktree
from intermem.workflow.lint.region import tier_findings
from intermem.workflow.lint.run import Linted
from intermem.workflow.workspace import Workspace


def with_tier_findings(workspace: Workspace, worktree: Worktree | None, found: Linted) -> Linted:
    """Return ``found`` with the findings on its topic files, and on entries that stand twice."""
    is_on_disk = worktree is None or (worktree.rev is None and not worktree.bare)
    documents = workspace.documents() if worktree is None or is_on_disk else _documents_at(workspace, worktree)
    return replace(found, findings=(*found.findings, *tier_findings(workspace, documents, found)))


def _documents_at(workspace: Workspace, worktree: Worktree) -> Documents:
    """The targets and topic files at a revision, those that can be read."""
    prefix = worktree.prefix
    targets = workspace.config.texts("targets")
    named = AUTO_TARGETS if list(targets) == ["auto"] else targets
    reals = [real for name in named if (real := worktree.target_of(prefix + name)) is not None]
    paths = sorted(path for path in worktree.tree.paths if path.startswith(prefix))
    topics = [path for path in paths if is_topic_file(path.removeprefix(prefix))]
    found: list[Document] = []
    for path, text in worktree.texts_of([*reals, *topics]).items():
        name = path.removeprefix(prefix)
        try:
            region = find_region(text, name)
        except DocumentRefused:
            continue
        found.append(Document(name, workspace.top / path, text, region))
    return Documents(tuple(found))
