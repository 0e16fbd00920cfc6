"""Find and read the documents under curation; links and import-only files are resolved."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from intermem.core.markdown.imports import COMMENT, IMPORT, imports_of
from intermem.core.region.parse import Item, Region, find_region
from intermem.core.region.topic_files import is_named, is_topic_file
from intermem.entities import TIER_FOLDER, Problem
from intermem.errors import DocumentRefused, IntermemError
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import is_in_git_dir, place_in, require_document_name
from intermem.project.doc_links import TEXT_AS_TARGET, is_text
from intermem.project.files import kind_at, read_text_file

AUTO_TARGETS = ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md")
NEW_DOCUMENT = "AGENTS.md"
_CLAUDE_FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")


@dataclass(frozen=True, slots=True)
class Document:
    """An agent doc as it was read: ``name`` relative to the root, ``path`` with links resolved.

    ``aliases`` are other names that lead to it; ``is_new``: there is no such file yet.
    """

    name: str
    path: Path
    text: str
    region: Region | None
    aliases: frozenset[str] = frozenset()
    is_new: bool = False

    @property
    def tier(self) -> int:
        """2 for a topic file, which an agent opens when it needs it, 1 for what every session loads."""
        return 2 if is_topic_file(self.name) else 1

    def imports(self, other: Document) -> bool:
        """Return whether an agent that reads this document reads ``other`` as well, by an import of it."""
        folder = posixpath.dirname(self.name)
        named = {posixpath.normpath(posixpath.join(folder, path)) for path in imports_of(self.text)}
        return not named.isdisjoint({other.name, *other.aliases})


@dataclass(frozen=True, slots=True)
class Documents:
    """The readable documents, and problems and warnings about the others.

    ``is_first_refused`` is true where the first document, which would be promoted into, could not
    be read: no other takes its place.
    """

    found: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    is_first_refused: bool = False

    def named(self, name: str) -> Document | None:
        """Return the document that ``name`` leads to, None where it was not found or could not be read."""
        return next((one for one in self.found if name == one.name or name in one.aliases), None)

    @property
    def target(self) -> Document | None:
        """The document to promote into: the first with a region, else the first; None if that could not be read."""
        if self.is_first_refused:
            return None
        first = [document for document in self.found if document.tier == 1]
        with_region = (document for document in first if document.region is not None)
        return next(with_region, first[0] if first else None)

    @property
    def unnamed_topics(self) -> tuple[str, ...]:
        """The topic files that have entries, and that no other document names; none while one cannot be read."""
        if any(one.code != "no-document" and not is_topic_file(one.where) for one in self.problems):
            return ()
        filled = [one for one in self.found if one.tier > 1 and one.region is not None and one.region.items]
        return tuple(
            one.name
            for one in filled
            if not any(is_named(other.text, one.name) for other in self.found if other is not one)
        )

    @property
    def twice(self) -> Iterator[tuple[Document, Item, tuple[str, int]]]:
        """The entries that one session loads twice, and the line where each is first.

        They stand twice in a document, in a topic file besides, or in two documents of which one imports the other.
        Where neither does, each is for another agent, and says what it needs.
        """
        first: dict[str, tuple[Document, int]] = {}
        for document in self.found:
            for item in document.region.items if document.region is not None else ():
                other, line = first.setdefault(item.id, (document, item.line))
                if other is document:
                    is_twice = line != item.line
                else:
                    is_twice = document.tier > other.tier or document.imports(other) or other.imports(document)
                if is_twice:
                    yield document, item, (other.name, line)


def find_documents(root: Path, top: Path, targets: Sequence[str], max_bytes: int) -> Documents:
    """Return the documents of ``targets`` (``["auto"]`` looks at AGENTS.md, CLAUDE.md, .claude/CLAUDE.md).

    Links are resolved first; a file that links to another, or only imports it, does not count as a
    second document. A file that cannot be read or has damaged markers is reported as a problem. Topic files of the
    second tier that have a region follow.
    """
    auto = list(targets) == ["auto"]
    found: list[Document] = []
    problems: list[Problem] = []
    seen: set[Path] = set()
    first_refused = False
    for name in (*(AUTO_TARGETS if auto else targets), *_topic_files(root)):
        given = root / name
        is_topic = is_topic_file(name)
        try:
            path = place_in(root, given, name)
        except DocumentRefused as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
            first_refused = first_refused or not (found or is_topic)
            continue
        if not os.path.lexists(given):
            if not auto:
                message = f"{name}: no such file (targets)"
                problems.append(Problem(code="no-document", where=name, message=message, hint="intermem init"))
            continue
        if given.is_symlink() and not kind_at(path):
            what, hint = f"links to {path.name}, which does not exist", "fix the link"
            if is_text(str(path)):
                what, hint = TEXT_AS_TARGET, "make it a file with that text"
            problems.append(Problem(code="unreadable-file", where=name, message=f"{name}: {what}", hint=hint))
            first_refused = first_refused or not (found or is_topic)
            continue
        if path in seen:
            found = [_with_alias(one, name) if one.path == path else one for one in found]
            continue
        if auto and _only_imports_seen(path, given.parent, seen, max_bytes):
            continue
        try:
            document = read_document(root, path, name, max_bytes)
        except IntermemError as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
            first_refused = first_refused or not (found or is_topic)
        else:
            if is_topic and document.region is None:
                continue  # somebody's own page
            found.append(document)
        seen.add(path)
    return Documents(tuple(found), tuple(problems), tuple(_load_warnings(root, top, found, max_bytes)), first_refused)


def new_topic_file(root: Path, name: str) -> Document:
    """Return the topic file ``name``, which does not exist yet. Raises DocumentRefused if it may not be there."""
    path = place_in(root, root / name, name)
    folder = root / TIER_FOLDER
    leads_away = Path(os.path.realpath(folder)) != Path(os.path.realpath(root)) / TIER_FOLDER
    if leads_away or (os.path.lexists(folder) and not folder.is_dir()):
        message = f"{TIER_FOLDER} {'is a link' if leads_away else 'is not a folder'}"
        raise DocumentRefused(message, hint="topic files need a folder of that name")
    is_link = (root / name).is_symlink()
    if is_link or kind_at(path) == "folder":
        what = "is a link" if is_link else "is a folder"
        raise DocumentRefused(f"{name} {what}", hint="a topic file needs that name")
    if os.path.lexists(path):
        raise DocumentRefused(f"{name} exists and has no region", hint=f"intermem init --target {name} adds one")
    return Document(name, path, "", None, is_new=True)


def _topic_files(root: Path) -> list[str]:
    """The Markdown files of the second tier, by name; a link or a folder is none of ours."""
    folder = Path(os.path.realpath(root)) / TIER_FOLDER
    try:
        with os.scandir(folder) as found:
            names = sorted(one.name for one in found if one.is_file(follow_symlinks=False))
    except OSError:
        return []
    if os.path.realpath(folder) != str(folder):
        return []  # the folder is a link
    return [f"{TIER_FOLDER}/{name}" for name in names if name.endswith(".md")]


def read_document(root: Path, path: Path, name: str, max_bytes: int) -> Document:
    """Return the document at ``path``. Raises UnreadableFile or DocumentRefused."""
    own = path.relative_to(root).as_posix()
    require_document_name(PurePath(own), name)
    text = read_text_file(path, name, max_bytes)
    return Document(own, path, text, find_region(text, own), frozenset({name} - {own}))


def _with_alias(document: Document, name: str) -> Document:
    return replace(document, aliases=document.aliases | {name})


def _only_imports_seen(path: Path, folder: Path, seen: set[Path], max_bytes: int) -> bool:
    """True where a file contains nothing but ``@path`` (from ``folder``) of documents that were found before."""
    try:
        text = read_text_file(path, path.name, max_bytes)
    except IntermemError:
        return False
    rest = IMPORT.sub("", COMMENT.sub("", text)).strip("\ufeff \t\r\n")
    imported = {Path(os.path.realpath(folder / match[1])) for match in IMPORT.finditer(text)}
    return not rest and bool(imported) and imported <= seen


def _load_warnings(root: Path, top: Path, found: Sequence[Document], max_bytes: int) -> list[str]:
    """Warn where a CLAUDE.md keeps Claude Code (from 2.1.277 on) from loading AGENTS.md."""
    if not any(document.name == "AGENTS.md" for document in found):
        return []
    own = os.path.realpath(root / "AGENTS.md")
    hiding: list[str] = []
    folders = [root, *(parent for parent in root.parents if parent.is_relative_to(top))]
    for folder in folders:
        for name in _CLAUDE_FILES:
            path = folder / name
            if kind_at(path) != "file":
                continue
            real = Path(os.path.realpath(path))
            if not real.is_relative_to(top) or is_in_git_dir(real):
                return []  # never read, so what it imports is unknown
            if str(real) == own or _imports(path, own, max_bytes):
                return []
            hiding.append(os.path.relpath(path, root))
    if not hiding:
        return []
    return [f"Claude Code will not load AGENTS.md: it reads {hiding[0]}, which does not import it (@AGENTS.md)"]


def _imports(path: Path, wanted: str, max_bytes: int) -> bool:
    try:
        text = read_text_file(path, path.name, max_bytes)
    except IntermemError:
        return True  # a file that cannot be read raises no warning
    return any(os.path.realpath(path.parent / name) == wanted for name in imports_of(text))
