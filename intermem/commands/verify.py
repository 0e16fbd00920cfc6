"""``verify``: the verdicts on citations of given texts; the plumbing under everything that judges."""

from __future__ import annotations

import json
import os
import posixpath
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from intermem.commands.project import Project
from intermem.core.citations import citations_of
from intermem.core.context import Context, Contexts
from intermem.core.validator import Cited, judge, last_name, questions_for, setting_of, traces_for
from intermem.entities import Citation, Facts, Judged, Place, Questions, Tree
from intermem.errors import IntermemError, RepositoryError, UsageError
from intermem.project.agentdocs import is_agent_doc
from intermem.project.files import read_text_file
from intermem.project.trees import facts_without_git, tree_without_git
from intermem.project.worktree import Worktree, open_worktree
from intermem.results import Result, Verified

_LARGEST = 256 * 1024 * 1024  # bytes of entries in one run
INDEX = "MEMORY.md"
_MEMORIES = ("memory", "memories", "agent-memory")


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry to verify: its text, and where it stands in the repository, if it does.

    ``only`` are the texts of the citations that are judged, where not all of them are.
    """

    id: str
    text: str
    file: str | None = None
    first_line: int | None = None
    only: frozenset[str] | None = None


def verify(project: Project, entries: str, *, repository: str | None, rev: str | None) -> Result:
    """Return the verdicts on the citations of ``entries``: a file of JSON lines, ``-`` for standard input.

    They are judged against ``repository`` (None: the project; a bare one too), at ``rev`` where one
    is named. Raises UsageError for a line that is no entry, RepositoryError for no repository.
    """
    asked = list(_entries(_lines_of(project, entries), "standard input" if entries == "-" else entries))
    worktree = _repository(project, repository, rev)
    verified, notices = verified_entries(project.root, worktree, asked)
    return Result(verb="verify", data={"entries": verified}, notices=tuple(notices))


def verified_entries(
    root: Path, worktree: Worktree | None, asked: Sequence[Asked], known: Mapping[str, str] | None = None
) -> tuple[list[Verified], list[str]]:
    """Return the verdicts on every entry in ``asked``, and what must be said of them all.

    ``known`` holds the texts of files that were read already.
    """
    tree = worktree.tree if worktree is not None else tree_without_git(root)
    files = sorted({one.file for one in asked if one.file is not None})
    texts = {**_texts_of(worktree, [file for file in files if file not in (known or {})]), **(known or {})}
    contexts = {file: Contexts(texts[file]) for file in files if file in texts}
    cited = [_cited(one, contexts.get(one.file or ""), tree) for one in asked]
    has_wiki_links = any(one.citation.kind == "wiki" for found in cited for one in found)
    names = _names_in_memories(worktree, files, tree, texts) if has_wiki_links else {}
    facts = _facts(root, worktree, [one for found in cited for one in found], tree, names, files)
    verdicts: dict[Cited, Judged] = {}
    verified: list[Verified] = []
    for one, found in zip(asked, cited, strict=True):
        for citing in found:
            if citing not in verdicts:
                verdicts[citing] = judge(citing, facts)
        verified.append(Verified(one.id, tuple(verdicts[citing] for citing in found)))
    return verified, list(history_notices(worktree, facts))


def history_notices(worktree: Worktree | None, facts: Facts) -> Iterable[str]:
    """Yield what must be said, once, where history cannot be asked, or hides a part of itself."""
    if worktree is None:
        yield "not a git repository: verdicts that need history are unverifiable"
    elif not facts.history.complete or not all(traced.whole for traced in facts.traced.values()):
        yield "the history is not whole here (a shallow or partial clone): some verdicts are unverifiable"


def _texts_of(worktree: Worktree | None, files: Sequence[str]) -> Mapping[str, str]:
    return worktree.texts_of(files) if worktree is not None and files else {}


def _names_in_memories(
    worktree: Worktree | None, files: Sequence[str], tree: Tree, known: Mapping[str, str]
) -> Mapping[str, str]:
    """What wiki links may lead to: the files of the memories that ``files`` are part of, by their names."""
    folders = {folder for folder in (_memory_of(file, tree) for file in files) if folder is not None}
    if not folders:
        return {}
    from intermem.core.scanner import memory_names

    notes = sorted(path for path in tree.paths if path.endswith(".md") and _memory_of(path, tree) in folders)
    texts = {**_texts_of(worktree, [path for path in notes if path not in known]), **known}
    return memory_names({path: texts.get(path, "") for path in notes})


def _facts(
    root: Path,
    worktree: Worktree | None,
    cited: Sequence[Cited],
    tree: Tree,
    names: Mapping[str, str],
    files: Sequence[str],
) -> Facts:
    questions = questions_for(cited, tree) if cited else Questions()
    if worktree is None:
        return replace(facts_without_git(root, tree, questions, frozenset()), memory_names=names)
    facts = replace(worktree.answer(questions), memory_names=names)
    facts = replace(facts, places=_beyond(files, facts.places))
    return replace(facts, traced=worktree.trace(traces_for(cited, facts)))


def _beyond(files: Sequence[str], places: Mapping[str, tuple[Place, ...]]) -> dict[str, tuple[Place, ...]]:
    """The places of names outside ``files``: what a text speaks of does not exist because the text does."""
    outside = {name: tuple(place for place in found if place.path not in files) for name, found in places.items()}
    return {name: found for name, found in outside.items() if found}


def _cited(one: Asked, contexts: Contexts | None, tree: Tree) -> tuple[Cited, ...]:
    citations = citations_of(one.text)
    if not citations:
        return ()
    context = contexts.at(one.first_line) if contexts is not None and one.first_line is not None else Context()
    memory = _memory_of(one.file, tree) if one.file is not None else None
    folder = posixpath.dirname(one.file) if one.file is not None else None
    names = {last_name(citation) for citation in citations} - {""}
    setting = setting_of(
        context.trail,
        citations,
        folder,
        posixpath.relpath(folder, memory) if memory and folder else "",
        earlier=[one for line in context.earlier.split("\n") for one in _paths(line)],
        in_memory=memory is not None,
        sampled=frozenset(name for name in names if contexts is not None and contexts.defines(name)),
        text=one.text if memory is None and one.file is not None and is_agent_doc(one.file) else None,
    )
    return tuple(Cited(citation, setting) for citation in citations if one.only is None or citation.text in one.only)


@lru_cache(maxsize=8192)
def _paths(line: str) -> tuple[Citation, ...]:
    return tuple(citation for citation in citations_of(line) if citation.kind in ("path", "dir"))


def _memory_of(file: str, tree: Tree) -> str | None:
    """The memory that ``file`` is part of: the outermost folder above it that has an index, or is called so."""
    folder = posixpath.dirname(file)
    found = None
    while folder.strip("/"):
        if posixpath.basename(folder).lstrip(".") in _MEMORIES or posixpath.join(folder, INDEX) in tree.paths:
            found = folder
        folder = posixpath.dirname(folder)
    return found


def _repository(project: Project, repository: str | None, rev: str | None) -> Worktree | None:
    if rev is not None and (not rev or rev.startswith("^") or ".." in rev):
        raise UsageError(f"--rev {rev!r} names no single commit", hint="name a branch, a tag or a commit id")
    if repository is None:
        worktree = project.worktree if rev is None or project.worktree is None else replace(project.worktree, rev=rev)
    else:
        place = project.options.working_directory / repository
        place = place.parent if place.name == ".git" else place
        if not repository or not os.path.isdir(place):  # noqa: PTH112 - any text will do
            raise UsageError(f"--repo {repository}: no such folder", hint="name a working tree or a git directory")
        worktree = open_worktree(place, rev=rev)
        if worktree is None:
            raise RepositoryError(f"{repository} is no git repository", hint="name a working tree or a git directory")
    if worktree is None and rev is not None:
        raise RepositoryError("--rev needs a git repository, and there is none here", hint="name one with --repo")
    return worktree


def _lines_of(project: Project, entries: str) -> list[str]:
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
            text = read_text_file(project.options.working_directory / entries, entries, _LARGEST)
        except IntermemError as error:
            raise UsageError(f"--entries {error.message}", hint=error.hint) from None
    return text.split("\n")


def _entries(lines: Iterable[str], whose: str) -> Iterator[Asked]:
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
        yield Asked(given["id"], text, given.get("file"), lines_given[0])


def _problem_of(given: object) -> str | None:
    if not isinstance(given, dict):
        return "not an object"
    for name in ("id", "entry_text"):
        if not isinstance(given.get(name), str):
            return f"{name} is not a text" if name in given else f"{name} is missing"
    file = given.get("file")
    if file is not None and not (isinstance(file, str) and file.isprintable()):
        return "file is not a path in the repository"
    lines = given.get("lines")
    if lines is not None and not (
        isinstance(lines, list) and lines and all(type(one) is int and one > 0 for one in lines)
    ):
        return "lines is not a list of line numbers"
    return None
