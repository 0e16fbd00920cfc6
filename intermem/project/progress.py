"""Progress of long work, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[str, int, int], None]  # what is done, how many of it, of how many (0: unknown)

_EVERY = 100  # items between two reports
_Item = TypeVar("_Item")


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Report nothing."""


def counted(items: Iterable[_Item], what: str, total: int, progress: Progress) -> Iterator[_Item]:
    """Yield ``items``, and report now and then how many of ``total`` have been asked for."""
    for number, item in enumerate(items):
        if number % _EVERY == 0:
            progress(what, number, total)
        yield item
