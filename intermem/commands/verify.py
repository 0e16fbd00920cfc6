"""``verify``: verify the citations in given texts (plumbing)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from intermem.errors import RepositoryError, UsageError
from intermem.project.git.worktree import Worktree, open_worktree
from intermem.results.inspect import VerifyResult
from intermem.workflow.json_lines import hint_on, read_entries
from intermem.workflow.verification import VerifyRequest, verified_entries
from intermem.workflow.workspace import Workspace

_OPTIONAL = ("file", "lines")


def verify(workspace: Workspace, entries: str, *, repository: str | None, rev: str | None) -> VerifyResult:
    """Return the verdicts on the citations in ``entries``: a file of JSON lines, ``-`` for standard input.

    They are judged against ``repository`` (None: the project; it may be bare), at ``rev`` if given.
    Raises UsageError for an invalid line, RepositoryError if there is no repository.
    """
    requests = list(_requests(workspace, entries))
    worktree = _repository(workspace, repository, rev)
    verified, notices = verified_entries(workspace.root, worktree, requests)
    return VerifyResult(entries=verified, notices=tuple(notices))


def _repository(workspace: Workspace, repository: str | None, rev: str | None) -> Worktree | None:
    if rev is not None and (not rev or rev.startswith("^") or ".." in rev):
        raise UsageError(f"--rev {rev!r} does not name a single commit", hint="name a branch, a tag or a commit id")
    if repository is None:
        worktree = (
            workspace.worktree if rev is None or workspace.worktree is None else replace(workspace.worktree, rev=rev)
        )
    else:
        place = workspace.options.working_directory / repository
        place = place.parent if place.name == ".git" else place
        if not repository or not os.path.isdir(place):  # noqa: PTH112 - any text will do
            raise UsageError(f"--repo {repository}: no such folder", hint="name a working tree or a git directory")
        worktree = open_worktree(place, rev=rev)
        if worktree is None:
            raise RepositoryError(
                f"{repository} is not a git repository", hint="name a working tree or a git directory"
            )
        worktree = replace(worktree, keeps=workspace.options.cache, progress=workspace.options.progress)
    if worktree is None and rev is not None:
        raise RepositoryError("--rev needs a git repository, and this is not one", hint="name one with --repo")
    return worktree


def _requests(workspace: Workspace, entries: str) -> Iterator[VerifyRequest]:
    for where, given in read_entries(workspace, entries, _OPTIONAL):
        problem = _problem_of(given)
        if problem is not None:
            raise UsageError(f"{where}: {problem}", hint=hint_on(_OPTIONAL))
        lines_given = given.get("lines") or [None]
        yield VerifyRequest(given["id"], given["entry_text"], given.get("file"), lines_given[0])


def _problem_of(given: Mapping[str, Any]) -> str | None:
    file = given.get("file")
    if file is not None and not (isinstance(file, str) and file.isprintable()):
        return "file is not a path in the repository"
    lines = given.get("lines")
    if lines is not None and not (
        isinstance(lines, list) and lines and all(type(one) is int and one > 0 for one in lines)
    ):
        return "lines is not a list of line numbers"
    return None
