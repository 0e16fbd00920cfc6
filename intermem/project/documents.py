"""The documents under curation: found, told apart, read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.core.markdown.imports import COMMENT, IMPORT, imports_of
from intermem.core.region.parse import Region, find_region
from intermem.entities import Problem
from intermem.errors import DocumentRefused, IntermemError
from intermem.project.files import read_text_file

AUTO_TARGETS = ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md")
NEW_DOCUMENT = "AGENTS.md"
_CLAUDE_FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")


@dataclass(frozen=True, slots=True)
class Document:
    """An agent doc as it was read: ``name`` relative to the root, ``path`` with links resolved.

    ``aliases`` are other names that lead to it.
    """

    name: str
    path: Path
    text: str
    region: Region | None
    aliases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Documents:
    """What was found: readable documents (the first is promoted into), refusals, warnings.

    ``is_first_refused`` is true where the document to promote into by rule could not be read: no
    other takes its place.
    """

    found: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    is_first_refused: bool = False

    def named(self, name: str) -> Document | None:
        """Return the document that ``name`` leads to, None where it was not found or was refused."""
        return next((one for one in self.found if name == one.name or name in one.aliases), None)

    @property
    def target(self) -> Document | None:
        """The document to promote into: the first with a region, else the first; None if that was refused."""
        if self.is_first_refused:
            return None
        with_region = (document for document in self.found if document.region is not None)
        return next(with_region, self.found[0] if self.found else None)


def find_documents(root: Path, top: Path, targets: Sequence[str], largest: int) -> Documents:
    """Return the documents of ``targets`` (``["auto"]`` looks at AGENTS.md, CLAUDE.md, .claude/CLAUDE.md).

    Links are resolved first; a file that is a link to another, or only imports it, is no document
    of its own. A file that cannot be read or whose markers are damaged is a problem by name.
    """
    auto = list(targets) == ["auto"]
    found: list[Document] = []
    problems: list[Problem] = []
    seen: set[Path] = set()
    first_refused = False
    for name in AUTO_TARGETS if auto else targets:
        given = root / name
        if not os.path.lexists(given):
            if not auto:
                message = f"{name}: there is no such document (targets)"
                problems.append(Problem(code="no-document", where=name, message=message, hint="intermem init"))
            continue
        path = Path(os.path.realpath(given))
        if given.is_symlink() and not path.exists():
            message = f"{name}: it links to {path.name}, which does not exist"
            problems.append(Problem(code="unreadable-file", where=name, message=message, hint="mend the link"))
            first_refused = first_refused or not found
            continue
        if path in seen:
            found = [_with_alias(one, name) if one.path == path else one for one in found]
            continue
        if auto and _only_imports_seen(given, seen, largest):
            continue
        try:
            document = read_document(root, path, name, largest)
        except IntermemError as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
            first_refused = first_refused or not found
        else:
            found.append(document)
        seen.add(path)
    return Documents(tuple(found), tuple(problems), tuple(_load_warnings(root, top, found, largest)), first_refused)


def read_document(root: Path, path: Path, name: str, largest: int) -> Document:
    """Return the document at ``path``. Raises UnreadableFile or DocumentRefused."""
    if not path.is_relative_to(root):
        raise DocumentRefused(
            f"{name}: it links to {path}, outside the project; it was left alone",
            hint="make it a file of the project, or name another document in targets",
        )
    own = path.relative_to(root).as_posix()
    text = read_text_file(path, name, largest)
    return Document(own, path, text, find_region(text, own), frozenset({name} - {own}))


def _with_alias(document: Document, name: str) -> Document:
    return replace(document, aliases=document.aliases | {name})


def _only_imports_seen(given: Path, seen: set[Path], largest: int) -> bool:
    """True where a file says nothing but ``@path`` of a document that was found before."""
    try:
        text = read_text_file(given, given.name, largest)
    except IntermemError:
        return False
    rest = IMPORT.sub("", COMMENT.sub("", text)).strip("\ufeff \t\r\n")
    imported = {Path(os.path.realpath(given.parent / match[1])) for match in IMPORT.finditer(text)}
    return not rest and bool(imported) and imported <= seen


def _load_warnings(root: Path, top: Path, found: Sequence[Document], largest: int) -> list[str]:
    """Claude Code (from 2.1.277 on) reads AGENTS.md only where no CLAUDE.md hides it."""
    if not any(document.name == "AGENTS.md" for document in found):
        return []
    own = os.path.realpath(root / "AGENTS.md")
    hiding: list[str] = []
    folders = [root, *(parent for parent in root.parents if parent.is_relative_to(top))]
    for folder in folders:
        for name in _CLAUDE_FILES:
            path = folder / name
            if not path.is_file():
                continue
            if os.path.realpath(path) == own or _imports(path, own, largest):
                return []
            hiding.append(os.path.relpath(path, root))
    if not hiding:
        return []
    return [f"Claude Code will not load AGENTS.md: it reads {hiding[0]}, which does not import it (@AGENTS.md)"]


def _imports(path: Path, wanted: str, largest: int) -> bool:
    try:
        text = read_text_file(path, path.name, largest)
    except IntermemError:
        return True  # what cannot be read is not accused
    return any(os.path.realpath(path.parent / name) == wanted for name in imports_of(text))
