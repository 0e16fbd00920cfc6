"""Find names in code: as whole words, at their definition if there is one.

All names are searched for in one pass over each text; only lines that contain one are classified.
Python files are parsed with ``ast`` if a definition may be inside a string.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from intermem.core.code.file_types import is_bundle, is_manifest, is_test, is_text
from intermem.core.code.line_shapes import MAX_LINE, is_comment, is_import, rank, shape_of
from intermem.core.code.python_names import as_python_has_it, is_quoted
from intermem.core.code.remarks import Remarks
from intermem.core.code.words import TABLE, WordSearch, by_longest_word, words_among
from intermem.facts import Occurrence, Shape
from intermem.patterns import regex

MAX_PLACES = 24  # occurrences of one name that are kept, in the whole tree
_MAX_KEPT = 4096  # bytes of lines whose best is kept
MAX_IN_FILE = 40  # occurrences of one name that are classified, in one file


class Search:
    """Find many names in many texts, with one pass over each.

    A lowercase word, which may be English, is only looked for where a keyword defines or imports it; with
    ``()`` after it, and for any other name, everywhere.
    """

    def __init__(self, names: Iterable[str]) -> None:
        asked = searched_as(names)
        self._by_word = by_longest_word(name.removesuffix("()") for name in asked)
        self._thorough = {name.removesuffix("()") for name in asked if name.endswith("()")}
        self._words = WordSearch(self._by_word)

    def places(self, path: str, content: bytes, proved: Collection[str] = ()) -> dict[str, Occurrence]:
        """Return the occurrence of each name in ``content``: its definition, else its best line.

        Whether it is a mention is not asked of names that are ``proved``, which other code has, but in a manifest.
        """
        found = self._words.among(content)
        if not found or not is_text(content):
            return {}
        strict = is_manifest(path)
        remarks = Remarks(path, content)
        unasked = remarks if strict else Remarks("", b"")
        places: dict[str, Occurrence] = {}
        plain: list[str] = []
        for name in (name for word in sorted(found) for name in self._by_word[word]):
            if not strict and name not in self._thorough:
                plain.append(name)
                continue
            place = _best_place(name, path, content, unasked if name in proved else remarks, strict=strict)
            if place is not None:
                places[name] = place
        places |= _plain_places(plain, path, content, lambda name: unasked if name in proved else remarks)
        return as_python_has_it(places, content, remarks) if path.endswith((".py", ".pyi")) else places

    def all_places(self, files: Iterable[tuple[str, bytes]]) -> dict[str, tuple[Occurrence, ...]]:
        """Return the occurrences of each name in ``files``, definitions first, then by path."""
        found: dict[str, list[Occurrence]] = {}
        proved: set[str] = set()
        for path, content in files:
            for name, place in self.places(path, content, proved).items():
                found.setdefault(name, []).append(place)
                if not place.mention and place.shape is not Shape.COMMENT:
                    proved.add(name)
        return {name: _kept(places) for name, places in found.items()}


def searched_as(names: Iterable[str]) -> list[str]:
    """Return ``names`` in order, each once: with ``()`` where it is looked for everywhere, without if it is plain."""
    found: dict[str, bool] = {}
    for name in names:
        bare = name.removesuffix("()")
        found[bare] = found.get(bare, False) or not (name.isalpha() and name.islower())
    return [f"{name}()" if is_thorough else name for name, is_thorough in sorted(found.items())]


def united_places(
    one: Mapping[str, Sequence[Occurrence]], other: Mapping[str, Sequence[Occurrence]]
) -> dict[str, tuple[Occurrence, ...]]:
    """Return the occurrences in two sets of files, as ``all_places`` does for both."""
    return {
        name: _kept([*one.get(name, ()), *other.get(name, ())])
        for name in dict.fromkeys((*one, *other))
        if one.get(name) or other.get(name)
    }


def _kept(places: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Return the best places, and all in manifests, which list what can be run and what is depended on."""
    ordered = sorted(places, key=_by_worth)
    return (*ordered[:MAX_PLACES], *(place for place in ordered[MAX_PLACES:] if is_manifest(place.path)))


def _by_worth(place: Occurrence) -> tuple[int, bool, bool, str]:
    return rank(place.shape), place.mention, is_test(place.path), place.path


_DEFINING = regex(
    rb"(?<!\w)(?:def|class|classdef|function|func|fn|fun|sub|struct|enum|interface|trait|const|let|var|val|type|mod|module)"
    rb"[ \t]+(?:\([^()\n]{0,80}\)[ \t]*|mut[ \t]+)?\Z"
)
_LONGEST_DEFINING = 120  # bytes before the name that are looked at
_BEFORE_DEFINED = frozenset(b" \t)")
# The line end before it is a literal to look for, which is much faster than the beginning of any line.
_PLAIN_IMPORTED = regex(rb"\n[ \t]*(?:import|from|use|using|require|const|let|var|#include|extern)\b[^\n]{0,300}")


def _plain_places(
    names: Sequence[str], path: str, content: bytes, remarks_for: Callable[[str], Remarks]
) -> dict[str, Occurrence]:
    """Return where keywords define or import plain words; else the first occurrence of each, as a use."""
    wanted = {name.encode("ascii"): name for name in names if name.isascii()}
    if not wanted:
        return {}
    asked = frozenset(wanted)
    found = {word: (at, Shape.DEFINITION) for word in wanted if (at := _plainly_defined(word, content)) is not None}
    for match in _PLAIN_IMPORTED.finditer(b"\n" + content):
        line = match[0][1:]
        if is_import(line.decode("utf-8", "replace")):
            for word in words_among(asked, line):
                found.setdefault(word, (match.start(), Shape.IMPORT))
    places: dict[str, Occurrence] = {}
    for word, name in wanted.items():
        at, shape = found.get(word) or (next(_occurrences(word, content), content.find(word)), Shape.USE)
        places[name] = _occurrence(
            name, path, content, (at, shape, _first_in_code(word, at, content, remarks_for(name)))
        )
    return places


def _plainly_defined(word: bytes, content: bytes) -> int | None:
    """Return the last offset at which a keyword defines a plain word."""
    at = content.rfind(word)
    while at >= 0:
        if content[at - 1 : at] and content[at - 1] in _BEFORE_DEFINED:
            after = content[at + len(word) : at + len(word) + 1]
            is_whole = after != b"-" and after.translate(TABLE) in (b" ", b"")
            if is_whole and _DEFINING.search(content, max(0, at - _LONGEST_DEFINING), at) is not None:
                return at
        at = content.rfind(word, 0, at + len(word) - 1)
    return None


def _first_in_code(word: bytes, at: int, content: bytes, remarks: Remarks) -> int | None:
    """Return ``at``, or the first place of ``word`` that is neither in a comment nor among the words of a string."""
    if _is_code(word, at, content, remarks):
        return at
    first = islice(_occurrences(word, content), MAX_IN_FILE)
    return next((other for other in first if _is_code(word, other, content, remarks)), None)


def _is_code(word: bytes, at: int, content: bytes, remarks: Remarks) -> bool:
    return not remarks.hold(at, word) and not is_comment(_line_at(content, at))


def _occurrence(name: str, path: str, content: bytes, found: tuple[int, Shape, int | None]) -> Occurrence:
    at, shape, in_code = found
    shown = at if in_code is None or shape is Shape.DEFINITION else in_code
    line = content.count(b"\n", 0, shown) + 1
    return Occurrence(path=path, line=line, shape=shape, mention=in_code is None)


def _best_place(name: str, path: str, content: bytes, remarks: Remarks, *, strict: bool) -> Occurrence | None:
    """Return the first definition of ``name``, else its first line of the best shape; None if it does not occur."""
    found = _best_line(name, content, remarks, strict=strict)
    if found is not None and found[1] is Shape.USE and path.endswith(".json"):
        key = content.find(b'"' + name.encode("utf-8", "surrogateescape") + b'":')  # keys need not start a line
        found = (key + 1, Shape.FIELD, key + 1) if key >= 0 else found
    return None if found is None else _occurrence(name, path, content, found)


def _best_line(
    name: str, content: bytes, remarks: Remarks | None = None, *, strict: bool = False
) -> tuple[int, Shape, int | None] | None:
    """Return the offset and shape of the best line of ``name``, and the offset of the best that ``remarks`` lack."""
    best: tuple[int, int, Shape] | None = None
    in_code: tuple[int, int] | None = None
    looked_at = 0
    word = name.encode("utf-8", "surrogateescape")
    for at in _occurrences(word, content, strict=strict):
        if best is not None and best[0] <= rank(Shape.USE) and _is_plainly_used(content, at):
            if in_code is None and remarks is not None and _is_code(word, at, content, remarks):
                in_code = (rank(Shape.USE), at)
            continue
        shape = shape_of(_line_at(content, at), name)
        worth = rank(shape)
        if best is None or worth < best[0]:
            best = (worth, at, shape)
        better = shape is not Shape.COMMENT and (in_code is None or worth < in_code[0])
        if better and remarks is not None and not remarks.hold(at, word):
            in_code = (worth, at)
        looked_at += 1
        is_told = remarks is None or in_code is not None
        if (best[2] is Shape.DEFINITION and is_told) or looked_at == MAX_IN_FILE:
            break
    return None if best is None else (best[1], best[2], None if in_code is None else in_code[1])


def _occurrences(wanted: bytes, content: bytes, *, strict: bool = False) -> Iterator[int]:
    """Yield the offsets of ``wanted`` as a whole word, the first of each line."""
    at = content.find(wanted)
    while at >= 0:
        stop = at + len(wanted)
        if (
            _is_edge(content, at - 1, wanted[:1])
            and _is_edge(content, stop, wanted[-1:])
            and not (strict and _is_part(content, at, stop))
        ):
            yield at
            stop = content.find(b"\n", stop)
            if stop < 0:
                return
        at = content.find(wanted, stop)


def _is_plainly_used(content: bytes, at: int) -> bool:
    """Return whether the character before a name shows that it is used: ``x.name``, ``[name``, ``!name``."""
    before = content[at - 1 : at]
    if before == b".":
        return not content[max(0, at - 10) : at - 1].endswith((b"this", b"self", b"exports", b"prototype"))
    return before in _USING


_USING = frozenset(bytes([sign]) for sign in b"([{=!+</>|~^%?&;")


def _line_at(content: bytes, at: int) -> str:
    first = content.rfind(b"\n", max(0, at - MAX_LINE), at) + 1 or max(0, at - MAX_LINE)
    last = content.find(b"\n", at, at + MAX_LINE)
    return content[first : last if last >= 0 else at + MAX_LINE].decode("utf-8", "replace")


def _is_edge(content: bytes, at: int, beside: bytes) -> bool:
    """Return whether a name ends at ``at``; next to punctuation (``@x``, ``--x``) it always does."""
    if not 0 <= at < len(content) or beside.translate(TABLE) == b" ":
        return True
    return content[at : at + 1].translate(TABLE) == b" "


def _is_part(content: bytes, at: int, stop: int) -> bool:
    """Return whether the match is part of a longer name with hyphens."""
    before, after = content[max(0, at - 2) : at], content[stop : stop + 2]
    return (before[1:] == b"-" and before[:1].isalnum()) or (after[:1] == b"-" and after[1:].isalnum())


def is_in_code(word: bytes, content: bytes, remarks: Remarks) -> bool:
    """Return whether ``word`` occurs in ``content``, as a whole one, outside its ``remarks``."""
    return any(_is_code(word, at, content, remarks) for at in _occurrences(word, content))


def best_shape(name: str, path: str, content: bytes) -> Shape | None:
    """Return the strongest shape of ``name`` in ``content``, or None if it does not occur as a whole word.

    Text between triple quotes is a use at best, and so is what a bundler wrote: the definition is elsewhere.
    """
    starts, lines = _lines_with(name.encode("utf-8", "surrogateescape"), content)
    text = b"\n".join(lines)
    found = (_best_of if len(text) <= _MAX_KEPT else _best_of.__wrapped__)(name, text)
    if found is None:
        return None
    number, shape = found
    if is_bundle(content):
        return Shape.USE
    if path.endswith((".py", ".pyi")) and rank(shape) <= rank(Shape.FIELD) and is_quoted(content[: starts[number]]):
        return Shape.USE
    return shape


def _lines_with(word: bytes, content: bytes) -> tuple[list[int], list[bytes]]:
    """Return the lines that contain ``word``, as a whole word or not, and the offsets of their beginnings."""
    starts: list[int] = []
    lines: list[bytes] = []
    at = content.find(word)
    while at >= 0:
        start, stop = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at)
        stop = stop if stop >= 0 else len(content)
        starts.append(start)
        lines.append(content[start:stop])
        at = content.find(word, stop)
    return starts, lines


# The versions of a file in history hardly differ in the lines that have a name.
@lru_cache(maxsize=4096)
def _best_of(name: str, lines: bytes) -> tuple[int, Shape] | None:
    """Return the number of the best line of ``name``, and its shape."""
    found = _best_line(name, lines)
    return (lines.count(b"\n", 0, found[0]), found[1]) if found is not None else None
