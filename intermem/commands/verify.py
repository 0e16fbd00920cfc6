"""``verify``: verify the citations in given texts (plumbing)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

from intermem.errors import IntermemError, RepositoryError, UsageError
from intermem.project.files import read_text_file
from intermem.project.git.worktree import Worktree, open_worktree
from intermem.results.inspect import VerifyResult
from intermem.workflow.verification import VerifyRequest, verified_entries
from intermem.workflow.workspace import Workspace

_LARGEST = 256 * 1024 * 1024  # bytes of entries in one run


def verify(workspace: Workspace, entries: str, *, repository: str | None, rev: str | None) -> VerifyResult:
    """Return the verdicts on the citations in ``entries``: a file of JSON lines, ``-`` for standard input.

    They are judged against ``repository`` (None: the project; it may be bare), at ``rev`` if given.
    Raises UsageError for an invalid line, RepositoryError if there is no repository.
    """
    requests = list(_entries(_lines_of(workspace, entries), "standard input" if entries == "-" else entries))
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
    if worktree is None and rev is not None:
        raise RepositoryError("--rev needs a git repository, and this is not one", hint="name one with --repo")
    return worktree


def _lines_of(workspace: Workspace, entries: str) -> list[str]:
    if entries == "-":
        content = sys.stdin.buffer.read(_LARGEST + 1)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"standard input: not UTF-8 (byte {error.start})", hint="give JSON lines") from None
        if len(content) > _LARGEST:
            raise UsageError(f"standard input: more than {_LARGEST} bytes", hint="split it")
    else:
        try:
            text = read_text_file(workspace.options.working_directory / entries, entries, _LARGEST)
        except IntermemError as error:
            raise UsageError(f"--entries {error.message}", hint=error.hint) from None
    return text.split("\n")


def _entries(lines: Iterable[str], whose: str) -> Iterator[VerifyRequest]:
    hint = 'each line is {"id", "entry_text", "file"?, "lines"?}'
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            raise UsageError(f"{whose}, line {number}: not JSON", hint=hint) from None
        problem = _problem_of(given)
        if problem is not None:
            raise UsageError(f"{whose}, line {number}: {problem}", hint=hint)
        lines_given = given.get("lines") or [None]
        text = given["entry_text"].encode("utf-8", "replace").decode("utf-8")  # JSON can write lone surrogates
        yield VerifyRequest(given["id"], text, given.get("file"), lines_given[0])


def _problem_of(given: object) -> str | None:
    if not isinstance(given, dict):
        return "not an object"
    for name in ("id", "entry_text"):
        if not isinstance(given.get(name), str):
            return f"{name} is not a string" if name in given else f"{name} is missing"
    file = given.get("file")
    if file is not None and not (isinstance(file, str) and file.isprintable()):
        return "file is not a path in the repository"
    lines = given.get("lines")
    if lines is not None and not (
        isinstance(lines, list) and lines and all(type(one) is int and one > 0 for one in lines)
    ):
        return "lines is not a list of line numbers"
    return None
