"""Where names stand in code: as whole words, at their definition if there is one.

Texts are cut into words and compared with the names that are asked for; only lines that have one
are looked at. Python's own grammar is asked where a definition may stand in a string.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from intermem.core.code.file_types import is_manifest, is_test, is_text
from intermem.core.code.line_shapes import MAX_LINE, is_import, rank, shape_of
from intermem.facts import Occurrence, Shape

_MAX_PLACES = 24  # of one name in the whole tree that are kept
MAX_IN_FILE = 40  # occurrences of one name in one file that are looked at

# Every byte that cannot be part of a name becomes a space; all bytes of UTF-8 sequences can.
_TABLE = bytes(byte if chr(byte).isalnum() or byte == 0x5F or byte >= 0x80 else 0x20 for byte in range(256))


def words_among(wanted: frozenset[bytes], content: bytes) -> frozenset[bytes]:
    """Return those of ``wanted`` that are words of ``content``: letters, digits, ``_`` and whatever is not ASCII."""
    return wanted.intersection(content.translate(_TABLE).split())


def words_of(name: str) -> list[bytes]:
    """Return the words that a text must have if ``name`` stands in it."""
    return name.encode("utf-8", "surrogateescape").translate(_TABLE).split()


def by_longest_word(names: Iterable[str]) -> dict[bytes, list[str]]:
    """Return ``names`` by the word that a text must have before it is worth looking for them."""
    found: dict[bytes, list[str]] = {}
    for name in sorted(set(names)):
        words = words_of(name)
        if words:
            found.setdefault(max(words, key=len), []).append(name)
    return found


class Search:
    """Finds many names in many texts, one pass over each.

    A word of small letters alone, which may be English as well, is looked for where it is defined
    or imported by a keyword; with ``()`` behind it, and any other name, wherever it stands.
    """

    def __init__(self, names: Iterable[str]) -> None:
        asked = set(names)
        self._by_word = by_longest_word(name.removesuffix("()") for name in asked)
        self._thorough = {name.removesuffix("()") for name in asked if not (name.isalpha() and name.islower())}
        self._wanted = frozenset(self._by_word)

    def places(self, path: str, content: bytes) -> dict[str, Occurrence]:
        """Return, for each name that stands in ``content``, where: at a definition, else its best line."""
        found = words_among(self._wanted, content)
        if not found or not is_text(content):
            return {}
        strict = is_manifest(path)
        places: dict[str, Occurrence] = {}
        plain: list[str] = []
        for name in (name for word in sorted(found) for name in self._by_word[word]):
            if not strict and name not in self._thorough:
                plain.append(name)
                continue
            place = _best_place(name, path, content, strict=strict)
            if place is not None:
                places[name] = place
        places |= _plain_places(plain, path, content)
        return _as_python_has_it(places, content) if path.endswith((".py", ".pyi")) else places

    def all_places(self, files: Iterable[tuple[str, bytes]]) -> dict[str, tuple[Occurrence, ...]]:
        """Return the places of each name in ``files``, definitions first, then by path."""
        found: dict[str, list[Occurrence]] = {}
        for path, content in files:
            for name, place in self.places(path, content).items():
                found.setdefault(name, []).append(place)
        return {name: _kept(places) for name, places in found.items()}


def _kept(places: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """The most telling places, and those in manifests, which say what can be run and what is depended on."""
    ordered = sorted(places, key=_by_worth)
    return (*ordered[:_MAX_PLACES], *(place for place in ordered[_MAX_PLACES:] if is_manifest(place.path)))


def _by_worth(place: Occurrence) -> tuple[int, bool, str]:
    return rank(place.shape), is_test(place.path), place.path


def _as_python_has_it(places: dict[str, Occurrence], content: bytes) -> dict[str, Occurrence]:
    """``places`` with definitions that may stand in a string checked by Python's own grammar."""
    quotes = _lines_of_quotes(content)
    doubtful = [name for name, place in places.items() if place.shape is Shape.DEFINITION and _odd(place.line, quotes)]
    defined = _defined_in_python(content) if doubtful else None
    if defined is None:
        return places
    checked = dict(places)
    for name in doubtful:
        line, shape = defined.get(name, (places[name].line, Shape.USE))
        checked[name] = Occurrence(path=places[name].path, line=line, shape=shape)
    return checked


def _lines_of_quotes(content: bytes) -> tuple[list[int], ...]:
    """The lines on which triple quotes of either kind stand, each as often as it does."""
    if b'"""' not in content and b"'''" not in content:
        return ([], [])
    found: tuple[list[int], list[int]] = ([], [])
    for number, line in enumerate(content.split(b"\n"), 1):
        found[0].extend([number] * line.count(b'"""'))
        found[1].extend([number] * line.count(b"'''"))
    return found


def _odd(line: int, quotes: tuple[list[int], ...]) -> bool:
    """True for a line behind an odd number of triple quotes: it may stand in a string."""
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


def _plain_places(names: Sequence[str], path: str, content: bytes) -> dict[str, Occurrence]:
    """Where plain words are defined or imported by a keyword; else the first place of each, as a use."""
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
        places[name] = Occurrence(path=path, line=content.count(b"\n", 0, at) + 1, shape=shape)
    return places


def _best_place(name: str, path: str, content: bytes, *, strict: bool) -> Occurrence | None:
    """The first definition of ``name``, else its first line of the best shape; None where no whole word is it."""
    found = _best_line(name, content, strict=strict)
    if found is not None and found[1] is Shape.USE and path.endswith(".json"):
        key = content.find(b'"' + name.encode("utf-8", "surrogateescape") + b'":')  # keys need not begin a line
        found = (key + 1, Shape.FIELD) if key >= 0 else found
    return None if found is None else Occurrence(path=path, line=content.count(b"\n", 0, found[0]) + 1, shape=found[1])


def _best_line(name: str, content: bytes, *, strict: bool = False) -> tuple[int, Shape] | None:
    best: tuple[int, int, Shape] | None = None
    looked_at = 0
    for at in _occurrences(name.encode("utf-8", "surrogateescape"), content, strict=strict):
        if best is not None and best[0] <= rank(Shape.USE) and _is_plainly_used(content, at):
            continue
        shape = shape_of(_line_at(content, at), name)
        if best is None or rank(shape) < best[0]:
            best = (rank(shape), at, shape)
        looked_at += 1
        if shape is Shape.DEFINITION or looked_at == MAX_IN_FILE:
            break
    return None if best is None else (best[1], best[2])


def _occurrences(wanted: bytes, content: bytes, *, strict: bool = False) -> Iterator[int]:
    """Yield the offsets at which ``wanted`` stands as a whole word, the first of each line."""
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
    """True where the sign before a name shows that it is used and not defined: ``x.name``, ``[name``, ``!name``."""
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
    """True where no name goes on at ``at``; beside a sign (``@x``, ``--x``) anything may stand."""
    if not 0 <= at < len(content) or beside.translate(_TABLE) == b" ":
        return True
    return content[at : at + 1].translate(_TABLE) == b" "


def _is_part(content: bytes, at: int, stop: int) -> bool:
    """True where what stands there is only a part of a longer name with hyphens."""
    before, after = content[max(0, at - 2) : at], content[stop : stop + 2]
    return (before[1:] == b"-" and before[:1].isalnum()) or (after[:1] == b"-" and after[1:].isalnum())


def best_shape(name: str, path: str, content: bytes) -> Shape | None:
    """Return the most telling shape of ``name`` in ``content``, None where it is no whole word there.

    What stands between triple quotes is a use at best.
    """
    found = _best_line(name, content)
    if found is None:
        return None
    if path.endswith((".py", ".pyi")) and rank(found[1]) <= rank(Shape.FIELD) and _is_quoted(content[: found[0]]):
        return Shape.USE
    return found[1]


def _defined_in_python(content: bytes) -> dict[str, tuple[int, Shape]] | None:
    """The names that a Python file defines, with line and shape; None where it is no Python of ours."""
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
