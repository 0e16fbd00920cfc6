"""Find the names that a change of a file touches: those that do something else in it, or nothing any more.

Hundreds of versions of a file have the same names, and hardly any change touches one of them: of many names only
those are classified that stand on lines which the change took away or wrote, or, in Python, put between quotes; but all
of them where quotes, or a bundler, made another thing of many lines that are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from intermem.core.code.file_types import is_bundle, is_text
from intermem.core.code.name_search import best_shape
from intermem.core.code.words import WordSearch, by_longest_word
from intermem.facts import Shape
from intermem.lazy_dataclass import dataclass

_FEW = 4  # words that are classified faster than two files are compared
_QUOTES = (b'"""', b"'''")


@dataclass(frozen=True, slots=True)
class ShapeChanges:
    """The shapes of the touched names in the file before a change and after it; a comment is none."""

    before: Mapping[str, Shape]
    after: Mapping[str, Shape]


class TouchedNames:
    """Finds which of ``names`` a change of a file touches."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word = by_longest_word(names)
        self._search = WordSearch(self._by_word)
        # What one change writes is what the next one finds.
        self._among = lru_cache(maxsize=4)(self._search.among)
        self._known = lru_cache(maxsize=4)(_known_of)

    def between(self, path: str, old: bytes, new: bytes) -> ShapeChanges:
        """Return the names whose shapes differ in two contents of ``path``; what is no text has none."""
        old, new = (content if is_text(content) else b"" for content in (old, new))
        words = self._among(old) | self._among(new)
        if len(words) > _FEW and old and new and is_bundle(old) == is_bundle(new):
            changed = _changed_lines(old, new, is_python=path.endswith((".py", ".pyi")))
            words &= self._search.among(b"\n".join(changed)) if changed is not None else words
        before: dict[str, Shape] = {}
        after: dict[str, Shape] = {}
        for name in (name for word in sorted(words) for name in self._by_word[word]):
            was, now = (self._shape(name, path, content) for content in (old, new))
            if was is not now:
                before |= {name: was} if was is not None else {}
                after |= {name: now} if now is not None else {}
        return ShapeChanges(before, after)

    def _shape(self, name: str, path: str, content: bytes) -> Shape | None:
        known = self._known(path, content)
        if name not in known:
            shape = best_shape(name, path, content)
            known[name] = None if shape is Shape.COMMENT else shape
        return known[name]


def _known_of(_path: str, _content: bytes) -> dict[str, Shape | None]:
    return {}


def _changed_lines(old: bytes, new: bytes, *, is_python: bool) -> frozenset[bytes] | None:
    """Return the lines that only one of two contents has; only between those that differ are they looked at.

    In Python a line that is inside a string between triple quotes is another than the same line outside; None where
    that holds of all lines below.
    """
    most = min(len(old), len(new))
    first = _same(most, lambda start, stop: old[start:stop] == new[start:stop])
    last = _same(most - first, lambda start, stop: _from_end(old, start, stop) == _from_end(new, start, stop))
    sides = [_whole_lines(content, first, last) for content in (old, new)]
    is_quoting = is_python and any(quotes in side for side in sides for quotes in _QUOTES)
    if is_quoting and any((sides[0].count(quotes) - sides[1].count(quotes)) % 2 for quotes in _QUOTES):
        return None
    before, after = (frozenset(_with_quotes(side) if is_quoting else side.split(b"\n")) for side in sides)
    return before ^ after


def _with_quotes(text: bytes) -> Iterator[bytes]:
    """Yield the lines of ``text``, each behind a sign of which quotes are open above it."""
    are_open = [False, False]
    for line in text.split(b"\n"):
        yield bytes(are_open) + line
        are_open = [is_open ^ (line.count(quotes) % 2 == 1) for is_open, quotes in zip(are_open, _QUOTES, strict=True)]


def _same(most: int, is_same: Callable[[int, int], bool]) -> int:
    """Return how many bytes, ``most`` of them, are the same in two contents; ``is_same`` compares those of a range."""
    same = 0
    while same < most:
        half = (same + most + 1) // 2
        if is_same(same, half):
            same = half
        else:
            most = half - 1
    return same


def _from_end(content: bytes, start: int, stop: int) -> bytes:
    return content[len(content) - stop : len(content) - start]


def _whole_lines(content: bytes, first: int, last: int) -> bytes:
    """Return ``content`` but for the ``first`` and the ``last`` bytes; lines that these cut are whole."""
    stop = content.find(b"\n", len(content) - last)
    return content[content.rfind(b"\n", 0, first) + 1 : stop if stop >= 0 else len(content)]
