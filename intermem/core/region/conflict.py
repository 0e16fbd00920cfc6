"""Read the conflicts that a merge left in a region: what each side had there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intermem.core.markdown.inline import fence_spans
from intermem.core.markdown.lines import line_end_of, line_starts, split_lines, unified
from intermem.core.markdown.markers import MARKER
from intermem.errors import DocumentRefused
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_SIGN = regex(r"(<{7}|\|{7}|>{7})(?: |$)|(={7})$")


@dataclass(frozen=True, slots=True)
class _Hunk:
    """A conflict: character offsets of it and of its sides; ``base`` is None without diff3 style."""

    start: int
    stop: int
    ours: tuple[int, int]
    base: tuple[int, int] | None
    theirs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Conflicted:
    """A document with conflicts in its region, which is ``text[start:stop]`` without the markers.

    ``ours`` and ``theirs`` are the document with these conflicts resolved for one side, and ``base`` with what the
    sides began with, None if that is not shown. Conflicts outside the region are in all of them.
    """

    text: str
    start: int
    stop: int
    ours: str
    theirs: str
    base: str | None

    def with_body(self, body: str) -> str:
        """Return the document with ``body`` in its region, in its own line ends."""
        end = line_end_of(self.text)
        if line_end_of(body) != end:
            body = unified(body).replace("\n", end)
        return self.text[: self.start] + body + self.text[self.stop :]


def conflict_in_region(text: str, name: str) -> Conflicted | None:
    """Return the sides of the conflicts inside the region of ``text``, None if there are none.

    Raises DocumentRefused if a conflict is incomplete or includes a marker of the region.
    """
    starts = line_starts(text)
    lines = [text[start:stop].rstrip("\r\n") for start, stop in pairwise(starts)]
    first, last = _markers(text, starts, lines, name)
    hunks = [hunk for hunk in _hunks(lines, starts, name) if _is_inside(hunk, starts, first, last, name)]
    if not hunks:
        return None
    ours, theirs = (_side(text, hunks, which) for which in ("ours", "theirs"))
    base = _side(text, hunks, "base") if all(hunk.base is not None for hunk in hunks) else None
    return Conflicted(text, starts[first + 1], starts[last], ours, theirs, base)


def labels_in(text: str) -> tuple[str, str | None, str] | None:
    """Return how the first conflict of ``text`` names ours, base (None if it is not shown) and theirs."""
    found: dict[str, str] = {}
    for line in split_lines(text):
        match = _SIGN.match(line)
        if match is not None and match[1]:
            found.setdefault(match[1][0], line[8:])
            if match[1][0] == ">":
                break
    return (found["<"], found.get("|"), found[">"]) if {"<", ">"} <= found.keys() else None


def _markers(text: str, starts: Sequence[int], lines: Sequence[str], name: str) -> tuple[int, int]:
    """Return the lines of the two markers, ignoring markers in fences."""
    fences = fence_spans(text)
    found = [
        (match[1], number)
        for number, line in enumerate(lines)
        if (match := MARKER.match(line.removeprefix("\ufeff")))
        and not any(fence.start <= starts[number] < fence.stop for fence in fences)
    ]
    if [kind for kind, _ in found] != ["begin", "end"]:
        where = ", ".join(f"{kind} on line {number + 1}" for kind, number in found) or "none"
        raise DocumentRefused(
            f"{name}: expected one begin and one end marker, found {where}; nothing was written",
            hint="resolve the conflict by hand",
        )
    return found[0][1], found[1][1]


def _hunks(lines: Sequence[str], starts: Sequence[int], name: str) -> list[_Hunk]:
    found: list[_Hunk] = []
    signs: list[tuple[str, int]] = []
    for number, line in enumerate(lines):
        match = _SIGN.match(line)
        sign = (match[1] or match[2])[0] if match else ""
        if not sign or (not signs and sign != "<"):
            continue
        signs.append((sign, number))
        if sign == ">":
            found.append(_hunk(signs, starts, name))
            signs = []
    if signs:
        raise _broken(name, signs[0][1])
    return found


def _hunk(signs: Sequence[tuple[str, int]], starts: Sequence[int], name: str) -> _Hunk:
    kinds = "".join(sign for sign, _ in signs)
    at = [number for _, number in signs]
    if kinds not in ("<=>", "<|=>"):
        raise _broken(name, at[0])
    base = (starts[at[1] + 1], starts[at[2]]) if kinds == "<|=>" else None
    ours, theirs = (starts[at[0] + 1], starts[at[1]]), (starts[at[-2] + 1], starts[at[-1]])
    return _Hunk(starts[at[0]], starts[at[-1] + 1], ours, base, theirs)


def _broken(name: str, line: int) -> DocumentRefused:
    return DocumentRefused(
        f"{name}:{line + 1}: incomplete conflict markers; nothing was written",
        hint="resolve the conflict by hand",
    )


def _is_inside(hunk: _Hunk, starts: Sequence[int], first: int, last: int, name: str) -> bool:
    """Return whether a conflict is between the markers. Raises DocumentRefused if it contains a marker."""
    if hunk.start <= starts[first] < hunk.stop or hunk.start <= starts[last] < hunk.stop:
        raise DocumentRefused(
            f"{name}: the conflict includes a marker of the region; nothing was written",
            hint="resolve the conflict by hand",
        )
    return starts[first] < hunk.start < starts[last]


def _side(text: str, hunks: Sequence[_Hunk], which: str) -> str:
    for hunk in reversed(hunks):
        start, stop = getattr(hunk, which)
        text = text[: hunk.start] + text[start:stop] + text[hunk.stop :]
    return text
