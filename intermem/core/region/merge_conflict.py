"""Resolve merge conflicts inside a region, and only there, as the union of both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intermem.core.markdown.inline import fence_spans
from intermem.core.markdown.lines import line_starts
from intermem.core.markdown.markers import MARKER
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Region, find_region, kept_lines
from intermem.errors import DocumentRefused

_SIGN = re.compile(r"(<{7}|\|{7}|>{7})(?: |$)|(={7})$")


@dataclass(frozen=True, slots=True)
class _Hunk:
    """A conflict: character offsets of it and of its sides; ``base`` is None without diff3 style."""

    start: int
    stop: int
    ours: tuple[int, int]
    base: tuple[int, int] | None
    theirs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MergedText:
    """A document with the conflicts in its region resolved, and the entries that were left out: id and text."""

    text: str
    left_out: tuple[tuple[str, str], ...] = ()


def resolved(
    text: str,
    name: str,
    base: str | None,
    unwanted: Container[str],
    leads: Callable[[str], bool] | None = None,
) -> MergedText:
    """Return the document ``text`` with the conflicts inside its region resolved.

    Entries of both sides are kept, except those that one side removed (they are in ``base``, the common
    ancestor, if that is known) and the ids ``unwanted``, which are gone according to the ledger. Everything
    outside the region is unchanged, including conflicts there. Raises DocumentRefused if the conflict
    includes a marker, or if the sides differ in lines that are not entries.
    """
    starts = line_starts(text)
    lines = [text[start:stop].rstrip("\r\n") for start, stop in pairwise(starts)]
    first, last = _markers(text, starts, lines, name)
    hunks = [hunk for hunk in _hunks(lines, starts, name) if _is_inside(hunk, starts, first, last, name)]
    if not hunks:
        return MergedText(text)
    ours, theirs = (_side(text, hunks, which) for which in ("ours", "theirs"))
    if all(hunk.base is not None for hunk in hunks):
        base = _side(text, hunks, "base")
    one, other = _region(ours, name), _region(theirs, name)
    if sorted(kept_lines(ours, one)) != sorted(kept_lines(theirs, other)):
        raise DocumentRefused(
            f"{name}: the two sides differ in lines that are not entries; nothing was written",
            hint="resolve the conflict by hand",
        )
    was = set(_region(base, name).ids) if base is not None and "intermem:begin" in base else set[str]()
    gone = {key for key in was if key not in one.ids or key not in other.ids}
    gone |= {key for key in (*one.ids, *other.ids) if key in unwanted}
    new = [Addition(item.text, item.section) for item in other.items if item.id not in one.ids and item.id not in gone]
    left_out = {item.id: " ".join(item.text.split()) for item in (*one.items, *other.items) if item.id in gone}
    merged = edited(ours, name, add=new, remove=gone & set(one.ids), leads=leads)
    return MergedText(merged, tuple(sorted(left_out.items())))


def _region(text: str, name: str) -> Region:
    region = find_region(text, name)
    if region is None:
        raise DocumentRefused(f"{name} has no region on one side; nothing was written", hint="resolve it by hand")
    return region


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
