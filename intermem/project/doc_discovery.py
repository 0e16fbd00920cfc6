"""Find and read every agent doc of a repository, for ``check``."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path, PurePath

from intermem.core.markdown.imports import imports_of
from intermem.core.markdown.markers import may_have_marker
from intermem.entities import Problem
from intermem.errors import IntermemError, UnreadableFile, UnreadableText, UsageError
from intermem.facts import Tree
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import is_document_name
from intermem.project.doc_links import TEXT_AS_TARGET, behind_links, is_agent_doc, is_text, may_be_topic_file
from intermem.project.files import read_text_file, too_large
from intermem.project.git.answers import folders_above
from intermem.project.git.worktree import Worktree

_READ_BY_TESTS = frozenset({"fixtures", "__fixtures__", "testdata", "test-fixtures", "test_fixtures"})
_OUT = "it links out of the repository, or into a git directory; it was not read"


@dataclass(slots=True)
class AgentDocs:
    """The texts of documents by name (from the top of the repository), and what could not be read.

    ``dangling`` maps links that lead to no regular file of the repository to what is wrong, ``unreadable`` files
    that are not UTF-8 text, or too large, to the error.
    """

    texts: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    dangling: dict[str, str] = field(default_factory=dict)
    unreadable: dict[str, UnreadableText] = field(default_factory=dict)


def find_agent_docs(
    worktree: Worktree | None,
    root: Path,
    tree: Tree,
    max_bytes: int,
    given: Sequence[str],
    is_excluded: Callable[[str], bool],
) -> AgentDocs:
    """Return the documents ``given`` by name, excluded ones too, else every AGENTS.md, CLAUDE.md and rule.

    What they import (``@docs/style.md``) is included, and what is behind a link to a folder. Links are resolved, so
    that a file is read once.
    Raises UsageError where a given one does not exist, is outside the repository, or has not the name of a document.
    """
    names = list(given) if given else _loaded_by_agents(tree)
    docs = AgentDocs()
    if not given:
        behind, lost = behind_links(tree, partial(_resolved, worktree, root), is_excluded)
        names += sorted(behind.difference(names))
        for name in lost:
            if not is_excluded(name):
                docs.dangling[name] = _missed(worktree, root, tree, name, _resolved(worktree, root, name)) or _OUT
    waiting = [name for name in names if given or not is_excluded(name)]
    read = _reader(worktree, root, max_bytes, waiting)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        real = _resolved(worktree, root, name)
        if (real is None or name in tree.outside) and name in given:
            raise UsageError(f"{name} is outside the repository", hint="name a Markdown file of the repository")
        if not given and real != name and may_be_topic_file(name):
            continue  # a link, which no topic file is
        if real in seen or (not given and real is not None and is_excluded(real)):
            continue
        missed = _missed(worktree, root, tree, name, real)
        if real is None or missed is not None:
            docs.dangling[name] = missed or _OUT
            continue
        if name in given and not is_document_name(PurePath(real)):
            raise UsageError(f"{name} is not a document", hint="name a Markdown file of the repository")
        seen.add(real)
        try:
            text = read(real)
        except UnreadableText as error:
            docs.unreadable[real] = error
            continue
        except IntermemError as error:
            if name in given and real not in tree.paths:
                raise UsageError(error.message, hint="name a Markdown file of the repository") from None
            message = f"{name}: links to {error.message}" if real != name else error.message
            docs.problems.append(Problem(code=error.code, where=name, message=message, hint=error.hint))
            continue
        if may_be_topic_file(real) and not given and not may_have_marker(text):
            continue  # somebody's own page
        docs.texts[real] = text
        imported = (posixpath.normpath(posixpath.join(posixpath.dirname(real), path)) for path in imports_of(text))
        waiting += [path for path in imported if path in tree.paths and not is_excluded(path)]
    return docs


def _loaded_by_agents(tree: Tree) -> list[str]:
    """Return the documents below the project root that agents load on their own, and what may be topic files.

    Not those in a folder of what tests read.
    """
    pages = (path for path in tree.paths if path.endswith(".md") and path.startswith(tree.prefix))
    found = (path for path in pages if is_agent_doc(path) or may_be_topic_file(path))
    return sorted(path for path in found if _READ_BY_TESTS.isdisjoint(path.removeprefix(tree.prefix).split("/")[:-1]))


def _missed(worktree: Worktree | None, root: Path, tree: Tree, name: str, real: str | None) -> str | None:
    """Return why the link ``name``, which leads to ``real``, leads to no file; None where it may, and for no link."""
    if not real:
        return _OUT if real is None else "it is a symlink cycle"
    if real == name or not (name in tree.paths or name in tree.outside):
        return None
    if real == ".":
        return "it links to the top of the repository, which is a folder"
    if name in tree.outside:
        return _OUT
    if is_text(real):
        return f"it {TEXT_AS_TARGET}"
    what = f"it links to {real}, which"
    if worktree is not None and (worktree.rev is not None or worktree.bare):
        if real in tree.dirs or real in tree.outside:
            return f"{what} is a folder"
    else:
        try:
            mode = ((worktree.top if worktree is not None else root) / real).stat().st_mode
        except (OSError, ValueError):
            mode = stat.S_IFREG
        if not stat.S_ISREG(mode):
            return f"{what} is {'a folder' if stat.S_ISDIR(mode) else 'not a regular file'}"
    return None if _exists(worktree, root, real) else f"{what} does not exist"


def _reader(worktree: Worktree | None, root: Path, max_bytes: int, ahead: Sequence[str]) -> Callable[[str], str]:
    """Return what reads a document; at a revision those in ``ahead`` were read at once, as each process costs."""
    top = worktree.top if worktree is not None else root
    is_at_revision = worktree is not None and (worktree.rev is not None or worktree.bare)
    texts = worktree.texts_of(ahead) if worktree is not None and is_at_revision else {}

    def read(name: str) -> str:
        if worktree is None or not is_at_revision:
            return read_text_file(top / name, name, max_bytes)
        text = texts[name] if name in texts else worktree.texts_of([name]).get(name)
        if text is None:
            raise UnreadableFile(f"{name}: no such file at {worktree.rev or 'HEAD'}", hint="")
        try:
            size = len(text.encode("utf-8"))
        except UnicodeEncodeError:
            raise UnreadableText(f"{name}: not UTF-8; it was left alone", hint="convert it to UTF-8") from None
        if size > max_bytes:
            raise too_large(name, size, max_bytes)
        return text

    return read


def _exists(worktree: Worktree | None, root: Path, path: str) -> bool:
    """True where a file exists, is left out by a sparse checkout, or may exist in a submodule or behind a link."""
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
    """Return the path that ``name`` resolves to; None outside the repository, empty for a symlink cycle."""
    if worktree is not None and (worktree.rev is not None or worktree.bare):
        return worktree.target_of(name)
    top = Path(os.path.realpath(worktree.top if worktree is not None else root))
    real = Path(os.path.realpath(top / name))
    if not real.is_relative_to(top):
        return None
    return real.relative_to(top).as_posix() if not _is_link(real) else ""
