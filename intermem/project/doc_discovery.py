"""Every agent doc of a repository, wherever it stands: what ``check`` looks at."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intermem.core.markdown.imports import imports_of
from intermem.entities import Problem
from intermem.errors import IntermemError, UnreadableFile, UnreadableText, UsageError
from intermem.facts import Tree
from intermem.project.files import read_text_file, too_large
from intermem.project.git.answers import folders_above
from intermem.project.git.worktree import Worktree

NAMES = ("AGENTS.md", "CLAUDE.md")
RULES_FOLDER = ".claude/rules/"


@dataclass(slots=True)
class AgentDocs:
    """The texts of documents by name (from the top of the repository), and what could not be read.

    ``dangling`` are the names that are links to nothing, with where they lead: empty for a ring of links;
    ``unreadable`` those that are no text, with what is wrong.
    """

    texts: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    dangling: dict[str, str] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)


def find_agent_docs(
    worktree: Worktree | None,
    root: Path,
    tree: Tree,
    largest: int,
    given: Sequence[str],
    is_excluded: Callable[[str], bool],
) -> AgentDocs:
    """Return the documents ``given`` by name, excluded ones too, else every AGENTS.md, CLAUDE.md and rule.

    What they import (``@docs/style.md``) comes along. Links are resolved: a file is looked at once.
    Raises UsageError where a given one is not there, or lies outside.
    """
    names = list(given) if given else _standing(tree)
    docs = AgentDocs()
    read = _reader(worktree, root, largest)
    waiting = [name for name in names if given or not is_excluded(name)]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        real = _resolved(worktree, root, name)
        if real is None and name in given:
            raise UsageError(f"{name} lies outside the repository", hint="name a Markdown file of the repository")
        if real is None or real in seen or (not given and is_excluded(real)):
            continue
        if not real or (real != name and name in tree.paths and not _is_there(worktree, root, real)):
            docs.dangling[name] = real
            continue
        seen.add(real)
        try:
            text = read(real)
        except UnreadableText as error:
            docs.unreadable[real] = error.message.removeprefix(f"{real}: ")
            continue
        except IntermemError as error:
            if name in given and real not in tree.paths:
                raise UsageError(error.message, hint="name a Markdown file of the repository") from None
            docs.problems.append(Problem(code=error.code, where=real, message=error.message, hint=error.hint))
            continue
        docs.texts[real] = text
        imported = (posixpath.normpath(posixpath.join(posixpath.dirname(real), path)) for path in imports_of(text))
        waiting += [path for path in imported if path in tree.paths and not is_excluded(path)]
    return docs


def is_agent_doc(path: str) -> bool:
    """True for a document that agents load by themselves: AGENTS.md, CLAUDE.md, a rule."""
    return posixpath.basename(path) in NAMES or (f"/{RULES_FOLDER}" in f"/{path}" and path.endswith(".md"))


def _standing(tree: Tree) -> list[str]:
    """The documents that agents load by themselves, below the project."""
    return sorted(path for path in tree.paths if is_agent_doc(path) and path.startswith(tree.prefix))


def _reader(worktree: Worktree | None, root: Path, largest: int) -> Callable[[str], str]:
    top = worktree.top if worktree is not None else root

    def read(name: str) -> str:
        if worktree is None or (worktree.rev is None and not worktree.bare):
            return read_text_file(top / name, name, largest)
        text = worktree.texts_of([name]).get(name)
        if text is None:
            raise UnreadableFile(f"{name}: there is no such file at {worktree.rev or 'HEAD'}", hint="")
        try:
            size = len(text.encode("utf-8"))
        except UnicodeEncodeError:
            raise UnreadableText(f"{name}: not UTF-8; it was left alone", hint="convert it to UTF-8") from None
        if size > largest:
            raise too_large(name, size, largest)
        return text

    return read


def _is_there(worktree: Worktree | None, root: Path, path: str) -> bool:
    """True where a file stands, is left out by a sparse checkout, or may stand where nobody can look at a revision."""
    if worktree is not None:
        tree = worktree.tree
        parents = folders_above(path)
        if path in tree.paths or not tree.outside.isdisjoint(parents) or not tree.paths.isdisjoint(parents):
            return True
        if worktree.rev is not None or worktree.bare:
            return False
    return os.path.lexists((worktree.top if worktree is not None else root) / path)


def _is_link(path: Path) -> bool:
    return os.path.islink(path)  # noqa: PTH114 - never raises, however long the name


def _resolved(worktree: Worktree | None, root: Path, name: str) -> str | None:
    """The file behind a name; None for one that leads out of the repository, empty for a ring of links."""
    if worktree is not None and (worktree.rev is not None or worktree.bare):
        return worktree.behind(name)
    top = Path(os.path.realpath(worktree.top if worktree is not None else root))
    real = Path(os.path.realpath(top / name))
    if not real.is_relative_to(top):
        return None
    return real.relative_to(top).as_posix() if not _is_link(real) else ""
