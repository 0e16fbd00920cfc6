"""Which citations of unchanged lines a change can have touched: the others say what they said before it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from intermem.core.citations.kinds.tooling import NAME as TOOLING
from intermem.core.citations.kinds.tooling import speaks_of_tools
from intermem.core.code.file_types import is_manifest
from intermem.core.code.name_search import is_in_code
from intermem.core.code.remarks import Remarks
from intermem.core.code.words import TABLE, words_of
from intermem.entities import Citation
from intermem.facts import Change, Questions
from intermem.patterns import regex

_NEVER = ("url", "commit", "issue")
_LISTED = ("command", "package", "config")  # what manifests list
_BETWEEN = regex(r"[\s=:,;|&()\"']+")
_JOINTS = regex(r"::|->|[.:#/]")


class Touched:
    """Tells whether ``change`` can have touched a citation; better once too often than missed."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._left: dict[bytes, bool] = {}

    def __call__(self, citation: Citation, asked: Questions) -> bool:
        """Return False if the citation, whose judgement asks for ``asked``, means now what it meant before."""
        if citation.kind in _NEVER:
            return False
        if any(self._has_left(word) for name in asked.names for word in words_of(name.removesuffix("()"))):
            return True
        if citation.kind in _LISTED and self._lists_change:
            return True
        if citation.kind == "glob":
            return self._paths_change or self._ignores_change
        if citation.kind == TOOLING:
            return self._tools_change
        if not asked.line_counts.isdisjoint(self._change.modified) or (asked.ignored and self._ignores_change):
            return True
        return any(name in self._names for name in _last_names(citation))

    def may_be_in(self, text: str) -> bool:
        """Return False if no citation in ``text`` can be touched: none of its words is in what changed."""
        if self._ignores_change or self._lists_change or self._tools_change or (self._paths_change and "*" in text):
            return True
        words = text.encode("utf-8", "surrogateescape").translate(TABLE).split()
        return not (self._words_of_names.isdisjoint(words) and self._removed.isdisjoint(words))

    @cached_property
    def _words_of_names(self) -> frozenset[bytes]:
        names = (*self._names, *self._change.modified)
        return frozenset(word for name in names for word in words_of(name))

    @property
    def _paths_change(self) -> bool:
        return bool(self._change.added or self._change.deleted)

    @cached_property
    def _changed(self) -> frozenset[str]:
        return self._change.added | self._change.deleted | self._change.modified

    @cached_property
    def _ignores_change(self) -> bool:
        return any(path.rpartition("/")[2] == ".gitignore" for path in self._changed)

    @cached_property
    def _lists_change(self) -> bool:
        return any(is_manifest(path) for path in self._changed)

    @cached_property
    def _tools_change(self) -> bool:
        return any(speaks_of_tools(path) for path in self._changed)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of files and folders that came or went, with and without extension."""
        paths = (*self._change.added, *self._change.deleted, *self._change.dirs)
        names = {path.rstrip("/").rpartition("/")[2] for path in paths}
        return frozenset(names | {name.partition(".")[0] for name in names} - {""})

    @cached_property
    def _removed(self) -> frozenset[bytes]:
        """The words on lines that code had before and has no more in the same file."""
        found: set[bytes] = set()
        for before, after in self._change.files.values():
            if before is not None:
                kept = frozenset((after or b"").split(b"\n"))
                lost = b"\n".join(line for line in before.split(b"\n") if line not in kept)
                found.update(lost.translate(TABLE).split())
        return frozenset(found)

    @cached_property
    def _after(self) -> list[tuple[bytes, Remarks]]:
        """The changed files as they are now, each with its comments and strings, which are read once."""
        after = ((path, text) for path, (_, text) in self._change.files.items() if text is not None)
        return [(text, Remarks(path, text)) for path, text in after]

    def _has_left(self, word: bytes) -> bool:
        """Whether a file lost a line with ``word``, and no changed file has it in its code: others may have it."""
        if word not in self._left:
            name = word.decode("utf-8", "surrogateescape")
            self._left[word] = word in self._removed and not any(
                word in text and is_in_code(name, text, remarks) for text, remarks in self._after
            )
        return self._left[word]


def _last_names(citation: Citation) -> Iterable[str]:
    """Yield the last names of the paths and of the dotted names in a citation, with and without extension."""
    whole = (citation.text, citation.name)  # a name may have spaces or brackets
    for text in {*whole, *(part for one in whole for part in _BETWEEN.split(one))}:
        for path in (text, text.strip("`[]<>!")):
            last = path.rstrip("/").rpartition("/")[2]
            yield last
            yield last.partition(".")[0]
        yield from _JOINTS.split(text)
