"""The words of a text, and which of many wanted ones it contains."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from intermem.patterns import regex

if TYPE_CHECKING:
    from hyperscan import Database

# Parts of words that may be met in one text, at least and for so many bytes: beyond that, splitting it is faster.
_MAX_MATCHES = 64
_BYTES_PER_MATCH = 64

_HUMP = regex(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

# Every byte that cannot be part of a name becomes a space; all bytes of UTF-8 sequences can be.
_SPACE = 0x20
TABLE = bytes(byte if chr(byte).isalnum() or byte == 0x5F or byte >= 0x80 else _SPACE for byte in range(256))


def words_among(wanted: frozenset[bytes], content: bytes) -> frozenset[bytes]:
    """Return those of ``wanted`` that are words of ``content``: letters, digits, ``_`` and all non-ASCII."""
    return wanted.intersection(content.translate(TABLE).split())


class WordSearch:
    """Finds which of ``wanted`` are words of a text: what ``words_among`` says, at the speed of one pass for all."""

    def __init__(self, wanted: Iterable[bytes]) -> None:
        self._words = sorted(wanted)
        self._wanted = frozenset(self._words)

    def among(self, content: bytes) -> frozenset[bytes]:
        """Return those that are words of ``content``."""
        if not self._words or not content:
            return frozenset()
        found: set[int] = set()
        left = _MAX_MATCHES + len(content) // _BYTES_PER_MATCH

        def matched(number: int, _start: int, stop: int, _flags: int, _context: object) -> bool:
            nonlocal left
            left -= 1
            if number not in found:
                start = stop - len(self._words[number])
                if (start == 0 or TABLE[content[start - 1]] == _SPACE) and (
                    stop == len(content) or TABLE[content[stop]] == _SPACE
                ):
                    found.add(number)
            return left < 0  # then the scan ends

        try:
            self._database.scan(content, match_event_handler=matched)
        except self._ended:
            return words_among(self._wanted, content)
        return frozenset(self._words[number] for number in found)

    @cached_property
    def _database(self) -> Database:
        import hyperscan

        database = hyperscan.Database()
        database.compile(
            expressions=self._words, ids=range(len(self._words)), elements=len(self._words), flags=0, literal=True
        )
        return database

    @cached_property
    def _ended(self) -> type[Exception]:
        import hyperscan

        return hyperscan.ScanTerminated


def humps_of(name: str) -> list[str]:
    """Return the words that a name is made of, as they are: ``KilnRack`` and ``kiln_rack`` have two."""
    return _HUMP.findall(name)


def words_of(name: str) -> list[bytes]:
    """Return the words that every text with ``name`` contains."""
    return name.encode("utf-8", "surrogateescape").translate(TABLE).split()


def by_longest_word(names: Iterable[str]) -> dict[bytes, list[str]]:
    """Return ``names`` by their longest word, which a text must contain to contain the name."""
    found: dict[bytes, list[str]] = {}
    for name in sorted(set(names)):
        words = words_of(name)
        if words:
            found.setdefault(max(words, key=len), []).append(name)
    return found
