"""Find names in code: as whole words, at their definition if there is one.

Texts are split into words and compared with the wanted names; only lines that contain one are classified.
Python files are parsed with ``ast`` if a definition may be inside a string.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from intermem.core.code.file_types import is_manifest, is_test, is_text
from intermem.core.code.line_shapes import MAX_LINE, is_comment, is_import, rank, shape_of
from intermem.core.code.remarks import Remarks
from intermem.facts import Occurrence, Shape

_MAX_PLACES = 24  # occurrences of one name that are kept, in the whole tree
MAX_IN_FILE = 40  # occurrences of one name that are classified, in one file

# Every byte that cannot be part of a name becomes a space; all bytes of UTF-8 sequences can be.
_TABLE = bytes(byte if chr(byte).isalnum() or byte == 0x5F or byte >= 0x80 else 0x20 for byte in range(256))


def words_among(wanted: frozenset[bytes], content: bytes) -> frozenset[bytes]:
    """Return those of ``wanted`` that are words of ``content``: letters, digits, ``_`` and all non-ASCII."""
    return wanted.intersection(content.translate(_TABLE).split())


def words_of(name: str) -> list[bytes]:
    """Return the words that every text with ``name`` contains."""
    return name.encode("utf-8", "surrogateescape").translate(_TABLE).split()


def by_longest_word(names: Iterable[str]) -> dict[bytes, list[str]]:
    """Return ``names`` by their longest word, which a text must contain to contain the name."""
    found: dict[bytes, list[str]] = {}
    for name in sorted(set(names)):
        words = words_of(name)
        if words:
            found.setdefault(max(words, key=len), []).append(name)
    return found


class Search:
    """Find many names in many texts, with one pass over each.

    A lowercase word, which may be English, is only looked for where a keyword defines or imports it; with
    ``()`` after it, and for any other name, everywhere.
    """

    def __init__(self, names: Iterable[str]) -> None:
        asked = set(names)
        self._by_word = by_longest_word(name.removesuffix("()") for name in asked)
        self._thorough = {name.removesuffix("()") for name in asked if not (name.isalpha() and name.islower())}
        self._wanted = frozenset(self._by_word)

    def places(self, path: str, content: bytes, proved: Collection[str] = ()) -> dict[str, Occurrence]:
        """Return the occurrence of each name in ``content``: its definition, else its best line.

        Whether it is a mention is not asked of names that are ``proved``, which other code has, but in a manifest.
        """
        found = words_among(self._wanted, content)
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
        return _as_python_has_it(places, content) if path.endswith((".py", ".pyi")) else places

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


def _kept(places: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Return the best places, and all in manifests, which list what can be run and what is depended on."""
    ordered = sorted(places, key=_by_worth)
    return (*ordered[:_MAX_PLACES], *(place for place in ordered[_MAX_PLACES:] if is_manifest(place.path)))


def _by_worth(place: Occurrence) -> tuple[int, bool, bool, str]:
    return rank(place.shape), place.mention, is_test(place.path), place.path


def _as_python_has_it(places: dict[str, Occurrence], content: bytes) -> dict[str, Occurrence]:
    """Return ``places``, with definitions that may be inside a string checked by Python's parser."""
    quotes = _lines_of_quotes(content)
    doubtful = [name for name, place in places.items() if place.shape is Shape.DEFINITION and _odd(place.line, quotes)]
    defined = _defined_in_python(content) if doubtful else None
    if defined is None:
        return places
    checked = dict(places)
    for name in doubtful:
        if name in defined:
            line, shape = defined[name]
            checked[name] = Occurrence(path=places[name].path, line=line, shape=shape)
        else:
            checked[name] = replace(places[name], shape=Shape.USE)
    return checked


def _lines_of_quotes(content: bytes) -> tuple[list[int], ...]:
    """Return the lines of triple quotes, for each of the two kinds, once per occurrence."""
    if b'"""' not in content and b"'''" not in content:
        return ([], [])
    found: tuple[list[int], list[int]] = ([], [])
    for number, line in enumerate(content.split(b"\n"), 1):
        found[0].extend([number] * line.count(b'"""'))
        found[1].extend([number] * line.count(b"'''"))
    return found


def _odd(line: int, quotes: tuple[list[int], ...]) -> bool:
    """Return whether an odd number of triple quotes precedes ``line``: it may be inside a string."""
    return any(bisect_right(lines, line) % 2 == 1 for lines in quotes)


def _is_quoted(above: bytes) -> bool:
    return above.count(b'"""') % 2 == 1 or above.count(b"'''") % 2 == 1


_PLAIN_DEFINED = re.compile(
    rb"(?<!\w)(?:def|class|classdef|function|func|fn|fun|sub|struct|enum|interface|trait|const|let|var|val|type|mod|module)"
    rb"[ \t]+(?:\([^()\n]{0,80}\)[ \t]*|mut[ \t]+)?([a-z]+)(?![\w-])"
)
_PLAIN_IMPORTED = re.compile(
    rb"^[ \t]*(?:import|from|use|using|require|const|let|var|#include|extern)\b[^\n]{0,300}", re.MULTILINE
)


def _plain_places(
    names: Sequence[str], path: str, content: bytes, remarks_for: Callable[[str], Remarks]
) -> dict[str, Occurrence]:
    """Return where keywords define or import plain words; else the first occurrence of each, as a use."""
    wanted = {name.encode("ascii"): name for name in names if name.isascii()}
    if not wanted:
        return {}
    asked = frozenset(wanted)
    found = {match[1]: (match.start(1), Shape.DEFINITION) for match in _PLAIN_DEFINED.finditer(content)}
    for match in _PLAIN_IMPORTED.finditer(content):
        if is_import(match[0].decode("utf-8", "replace")):
            for word in words_among(asked, match[0]):
                found.setdefault(word, (match.start(), Shape.IMPORT))
    places: dict[str, Occurrence] = {}
    for word, name in wanted.items():
        at, shape = found.get(word) or (next(_occurrences(word, content), content.find(word)), Shape.USE)
        places[name] = _occurrence(
            name, path, content, (at, shape, _first_in_code(word, at, content, remarks_for(name)))
        )
    return places


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
    if not 0 <= at < len(content) or beside.translate(_TABLE) == b" ":
        return True
    return content[at : at + 1].translate(_TABLE) == b" "


def _is_part(content: bytes, at: int, stop: int) -> bool:
    """Return whether the match is part of a longer name with hyphens."""
    before, after = content[max(0, at - 2) : at], content[stop : stop + 2]
    return (before[1:] == b"-" and before[:1].isalnum()) or (after[:1] == b"-" and after[1:].isalnum())


def best_shape(name: str, path: str, content: bytes) -> Shape | None:
    """Return the strongest shape of ``name`` in ``content``, or None if it does not occur as a whole word.

    Text between triple quotes is a use at best.
    """
    found = _best_line(name, content)
    if found is None:
        return None
    if path.endswith((".py", ".pyi")) and rank(found[1]) <= rank(Shape.FIELD) and _is_quoted(content[: found[0]]):
        return Shape.USE
    return found[1]


def _defined_in_python(content: bytes) -> dict[str, tuple[int, Shape]] | None:
    """Return the names that a Python file defines, with line and shape; None if it cannot be parsed."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: dict[str, tuple[int, Shape]] = {}
    for node in ast.walk(tree):
        for name, line, shape in _names_defined(node):
            known = found.get(name)
            if known is None or (rank(shape), line) < (rank(known[1]), known[0]):
                found[name] = (line, shape)
    return found


def _names_defined(node: object) -> Iterable[tuple[str, int, Shape]]:
    import ast

    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, node.lineno, Shape.DEFINITION
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                yield target.id, target.lineno, Shape.FIELD
            elif isinstance(target, ast.Attribute):
                yield target.attr, target.lineno, Shape.FIELD
    elif isinstance(node, ast.arg):
        yield node.arg, node.lineno, Shape.FIELD
