"""Documents that are gone, or lost their region, while the ledger lists entries in them."""

from __future__ import annotations

import os
from dataclasses import replace

from intermem.core.markdown.markers import BEGIN
from intermem.core.reconcile.ledger import Ledger, Standing
from intermem.core.region.topic_files import is_topic_file
from intermem.entities import LEDGER, Problem
from intermem.project.documents import Documents
from intermem.project.git.worktree import Worktree
from intermem.workflow.workspace import Workspace

LOST = "region-lost"


def is_deleted_topic(workspace: Workspace, name: str) -> bool:
    """Return whether ``name`` is a topic file that is gone, and that git does not track either.

    Whoever deletes such a file takes out its entries; one that is only not checked out is another matter, and so is one
    that git ignored before it left.
    """
    worktree = workspace.worktree
    if worktree is None or not is_topic_file(name) or os.path.lexists(workspace.root / name):
        return False
    path = worktree.prefix + name
    if worktree.is_tracked(path):
        return False
    return not worktree.is_ignored(path) or _left_before_it_was_ignored(worktree, path)


def _left_before_it_was_ignored(worktree: Worktree, path: str) -> bool:
    commit = worktree.file_history.last_change(path)
    return commit is not None and not replace(worktree, rev=commit).is_ignored(path)


def is_ignored_topic(workspace: Workspace, name: str) -> bool:
    """Return whether ``name`` is a topic file that git ignores: no other clone has it."""
    worktree = workspace.worktree
    if worktree is None or not is_topic_file(name) or worktree.is_tracked(worktree.prefix + name):
        return False
    return worktree.is_ignored(worktree.prefix + name)


def without_lost_regions(workspace: Workspace, documents: Documents, ledger: Ledger | None) -> Documents:
    """Refuse documents that are gone or lost their region while the ledger lists entries in them."""
    standing = {key for one in documents.found if one.region is not None for key in one.region.ids}
    missing: dict[str, int] = {}
    for line in ledger.lines.values() if ledger is not None else ():
        if line.status is Standing.PROMOTED and line.id not in standing:
            missing[line.document] = missing.get(line.document, 0) + 1
    problems: list[Problem] = []
    lost: set[str] = set()
    refused = {problem.where for problem in documents.problems}
    for name in sorted(missing):
        document = documents.named(name)
        if name in refused or (document is not None and document.region is not None):
            continue
        if document is None and is_deleted_topic(workspace, name):
            continue
        lost.add(document.name if document is not None else name)
        entries = "1 entry" if missing[name] == 1 else f"{missing[name]} entries"
        is_there = document is not None or (is_topic_file(name) and (workspace.root / name).is_file())
        what = "has lost its region" if is_there else "is missing or no longer a target"
        problems.append(
            Problem(
                code=LOST,
                where=name,
                message=f"{name} {what}, but {LEDGER} lists {entries} in it; nothing is treated as removed",
                hint=_way_back(workspace, name),
            )
        )
    found = tuple(one for one in documents.found if one.name not in lost)
    first_refused = documents.is_first_refused or (bool(lost) and (not found or documents.found[0].name in lost))
    return replace(documents, found=found, problems=(*documents.problems, *problems), is_first_refused=first_refused)


def lost_region(documents: Documents, target: str | None) -> str | None:
    """Return the name of the document that has lost its region: ``target``, or the only one."""
    names = [problem.where for problem in documents.problems if problem.code == LOST]
    named = [name for name in names if target in (None, name)]
    return named[0] if len(named) == 1 and (target is not None or not documents.found) else None


def _way_back(workspace: Workspace, name: str) -> str:
    if is_ignored_topic(workspace, name):
        return "git ignores it, so only the clone that wrote it has it: let git track it there"
    gives_up = f"git rm {name}" if is_topic_file(name) else "intermem init --remove"
    worktree = workspace.worktree
    committed = worktree.text_at(f"HEAD:{worktree.prefix}{name}") if worktree is not None else None
    if committed is None or BEGIN not in committed:
        return f"intermem doctor --repair restores it with its entries (or give it up: {gives_up})"
    return f"git checkout HEAD -- {name} restores the whole file (or give it up: {gives_up})"
