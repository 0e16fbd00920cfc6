"""Which citations of unchanged lines a change can have touched: the others say what they said before it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from urllib.parse import unquote

from intermem.core.citations.front_matter import front_matter
from intermem.core.citations.tool_files import speaks_of_tools
from intermem.core.code.file_types import is_manifest
from intermem.core.code.name_search import is_in_code
from intermem.core.code.remarks import Remarks
from intermem.core.code.words import TABLE, words_of
from intermem.core.markdown.inline import code_spans, fence_spans
from intermem.entities import Citation
from intermem.facts import Change, Questions
from intermem.patterns import regex

_NEVER = ("url", "commit", "issue")
_LISTED = ("command", "package", "config")  # what manifests list
_BETWEEN = regex(r"[\s=:,;|&()\"']+")
_JOINTS = regex(r"::|->|[.:#/]")
_AT_LINE = regex(r"[:#]L?\d")
_SEPARATOR = regex(r"[\s`/]")
_MAX_NAME = 300  # characters
_WORD = regex(r"\w+")  # an arrow, or a dash, is no letter
_EDGES = ".,:;!?*\"'"
# What is no word of a language: it has a digit or a sign of code inside, or capitals as names have them.
_NAME = regex(r"[_/.:#()\[\]@=<>\\\d]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_SPACED = regex(r"\[\[|\]\(\s*<|\]:\s*<|%[0-9A-Fa-f]{2}|\b(?:href|src)\s*=")  # links to names of several words
_PARAGRAPH = regex(r"\n\s*\n")


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
            return bool(self._change.deleted) or self._ignores_change
        if citation.kind == "tooling":
            return self._tools_change
        if not asked.line_counts.isdisjoint(self._change.modified) or (asked.ignored and self._ignores_change):
            return True
        return any(name in self._names for name in _last_names(citation))

    def may_be_in(self, text: str) -> bool:
        """Return False if no citation in ``text`` can be touched: where it may cite something, it has no word that
        left the code, and not all words of a name that came, went or changed."""
        if self._ignores_change or self._lists_change or self._tools_change:
            return True
        if self._change.deleted and "*" in text and any(map(_may_be_glob, text.replace("`", " ").split())):
            return True
        words = citable_words(text)
        if any(named <= words for named in self._words_of_names):
            return True
        if self._modified and not self._modified.isdisjoint(_files_with_lines(text)):
            return True
        return any(map(self._has_left, self._removed & words))

    @cached_property
    def _words_of_names(self) -> frozenset[frozenset[bytes]]:
        return frozenset(frozenset(words_of(name)) for name in self._names)

    @cached_property
    def _modified(self) -> frozenset[str]:
        """What files are called of which a line may be cited."""
        return frozenset(_stem(path.rpartition("/")[2]) for path in self._change.modified)

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
        """The words on lines that a file had before and has no more."""
        return frozenset().union(*(words for words, _ in self._lost))

    @cached_property
    def _lost(self) -> list[tuple[frozenset[bytes], _File]]:
        """The words on lines that each changed file had before and has no more, and the file as it was."""
        found: list[tuple[frozenset[bytes], _File]] = []
        for path, (before, after) in self._change.files.items():
            if before is not None:
                kept = frozenset((after or b"").split(b"\n"))
                lost = b"\n".join(line for line in before.split(b"\n") if line not in kept)
                found.append((frozenset(lost.translate(TABLE).split()), _File(path, before)))
        return found

    @cached_property
    def _after(self) -> list[_File]:
        """The changed files as they are now."""
        return [_File(path, text) for path, (_, text) in self._change.files.items() if text is not None]

    def _has_left(self, word: bytes) -> bool:
        """Whether a file lost a line with ``word`` and had it in code, and no changed file has it there now: others
        may have it."""
        if word not in self._left:
            self._left[word] = not any(file.has(word) for file in self._after) and any(
                word in lost and file.has(word) for lost, file in self._lost
            )
        return self._left[word]


class _File:
    """A file of code, whose words, comments and strings are read once."""

    def __init__(self, path: str, content: bytes) -> None:
        self._content = content
        self._remarks = Remarks(path, content)

    def has(self, word: bytes) -> bool:
        """Return whether ``word`` is in its code."""
        return word in self._words and is_in_code(word, self._content, self._remarks)

    @cached_property
    def _words(self) -> frozenset[bytes]:
        return frozenset(self._content.translate(TABLE).split())


def _may_be_glob(word: str) -> bool:
    return "*" in word and ("/" in word or "." in word)


def _files_with_lines(text: str) -> Iterable[str]:
    """Yield the stems of what may be files of which a line is cited: links are encoded, a backslash escapes, or divides
    folders."""
    spellings = {text, text.replace("\\", ""), text.replace("\\", "/")}
    for one in {*spellings, *(unquote(spelling) for spelling in spellings if "%" in spelling)}:
        for match in _AT_LINE.finditer(one):
            yield _stem(_SEPARATOR.split(one[max(0, match.start() - _MAX_NAME) : match.start()])[-1])


def _stem(name: str) -> str:
    """The last word of a file's name, without extensions."""
    return name.rpartition(" ")[2].partition(".")[0]


def citable_words(text: str) -> frozenset[bytes]:
    """Return the words of ``text`` that a citation of code or files may have: those in code spans, in fences and in
    front matter, and of what is no word of a language; all of them where it may link to names with spaces."""
    if _SPACED.search(text) is not None:
        return _words_in(f"{text}\n{unquote(text)}")  # links are encoded
    front = front_matter(text)
    parts, at = [front], len(front)
    for fence in fence_spans(text[at:]):
        parts.append(fence.text)
    for paragraph in _PARAGRAPH.split(text[at:]):
        parts += _citable(paragraph)
    return _words_in("\n".join(parts))


def _citable(paragraph: str) -> Iterable[str]:
    parts: list[str] = []
    for line in paragraph.split("\n"):
        plain, at = [], 0
        for span in code_spans(line):
            plain.append(line[at : span.start])
            parts.append(span.text)
            at = span.stop
        rest = " ".join((*plain, line[at:]))
        if "`" in rest:  # a span goes on in the next line
            return [paragraph]
        parts += (word for word in rest.split() if _NAME.search(word.strip(_EDGES)) is not None)
    return parts


def _words_in(text: str) -> frozenset[bytes]:
    if "\\" in text:
        text = f"{text}\n{text.replace(chr(92), '')}"  # Markdown escapes punctuation
    words = text.encode("utf-8", "surrogateescape").translate(TABLE).split()
    if text.isascii():
        return frozenset(words)
    return frozenset((*words, *(word.encode("utf-8", "surrogateescape") for word in _WORD.findall(text))))


def _last_names(citation: Citation) -> Iterable[str]:
    """Yield the last names of the paths and of the dotted names in a citation, with and without extension."""
    whole = (citation.text, citation.name)  # a name may have spaces or brackets
    for text in {*whole, *(part for one in whole for part in _BETWEEN.split(one))}:
        for path in (text, text.strip("`[]<>!")):
            last = path.rstrip("/").rpartition("/")[2]
            yield last
            yield last.partition(".")[0]
        yield from _JOINTS.split(text)
