"""Read the versions of files that changes found and wrote, each of them once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

NO_BLOB = regex(r"0+\Z")  # the id of no blob: of the side that a file is not on
_MAX_HELD = 16  # versions that are in memory at a time

Blobs = Callable[[Iterable[str]], Iterable[tuple[str, bytes]]]  # in the order asked, without what is not there


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change of the file ``path``: the ids of the blobs before and after it."""

    path: str
    old: str
    new: str

    @property
    def adds(self) -> bool:
        """Whether the file is new."""
        return NO_BLOB.match(self.old) is not None


def contents_of(blobs: Blobs, changes: Sequence[FileChange]) -> Iterator[tuple[FileChange, bytes, bytes]]:
    """Yield ``changes`` with what they found and what they wrote, nothing for what is not there.

    Where the changes of a file follow each other, each of its versions is read once.
    """
    read = blobs([blob for _, missing, _ in _held(changes) for blob in missing])
    arriving = iter(read)
    following = next(arriving, None)
    contents: dict[str, bytes] = {}
    for change, missing, dropped in _held(changes):
        for blob in missing:
            if following is not None and following[0] == blob:
                contents[blob] = following[1]
                following = next(arriving, None)
        yield change, contents.get(change.old, b""), contents.get(change.new, b"")
        for blob in dropped:
            contents.pop(blob, None)


def _held(changes: Iterable[FileChange]) -> Iterator[tuple[FileChange, list[str], list[str]]]:
    """Yield each change with the blobs that must be read for it, and those that are dropped after it."""
    held: dict[str, None] = {}
    for change in changes:
        sides = [blob for blob in (change.new, change.old) if not NO_BLOB.match(blob)]
        missing = [blob for blob in sides if blob not in held]
        for blob in sides:  # the latest is last
            held.pop(blob, None)
            held[blob] = None
        dropped = list(held)[: max(0, len(held) - _MAX_HELD)]
        for blob in dropped:
            del held[blob]
        yield change, missing, dropped
