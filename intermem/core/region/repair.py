"""Merge duplicate regions, and restore a deleted one; nothing else is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from itertools import chain

from intermem.core.markdown.blocks import outline
from intermem.core.markdown.lines import is_blank, joined, line_starts
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Region, find_region, kept_lines, markers_of, parse_document, sources_of
from intermem.core.region.place import TITLE, place_region, remove_region
from intermem.errors import DocumentRefused

_BLANK = " \t\r\n"


def united(text: str, name: str, unwanted: Container[str], leads: Callable[[str], bool] | None = None) -> str:
    """Return ``text`` with the entries of all other regions moved into the first, and those regions removed.

    Entries that are ``unwanted`` (ids) and only in another region are left out. A text with one region is
    returned unchanged, and so is one whose markers are not consecutive pairs, which a person has to fix.
    Raises DocumentRefused if another region contains lines that are not entries, or if a marker is inside
    other HTML.
    """
    pairs = _pairs(text, name)
    if len(pairs) < 2:
        return text
    moved: list[Addition] = []
    while len(pairs) > 1:
        alone = _without_markers(text, pairs[:-1])
        region = _sound(alone, name)
        if kept_lines(alone, region):
            raise DocumentRefused(
                f"{name}:{region.first_line}: this second region holds lines that are not entries; nothing was written",
                hint="move them out of it by hand",
            )
        moved[:0] = [Addition(item.text, item.section) for item in region.items if item.id not in unwanted]
        text = _with_markers_of(text, _cut(alone, region, name), pairs[:-1])
        pairs = pairs[:-1]
    _sound(text, name)
    return edited(text, name, add=moved, leads=leads)


def returned(
    text: str,
    earlier: str | None,
    name: str,
    entries: Sequence[Addition],
    unwanted: Container[str] = (),
    leads: Callable[[str], bool] | None = None,
) -> str:
    """Return ``text``, which has lost its region, with a region that contains ``entries``.

    If only the region is missing from the ``earlier`` text, that is restored without the entries that are
    ``unwanted`` by now; else the region is placed at the end. Raises as ``place_region`` and ``edited`` do.
    """
    if earlier is not None and _lost_only_its_region(text, earlier, name):
        region = _sound(earlier, name)
        return edited(earlier, name, add=entries, remove=[key for key in region.ids if key in unwanted], leads=leads)
    return edited(place_region(text, name), name, add=entries, leads=leads)


def _lost_only_its_region(text: str, earlier: str, name: str) -> bool:
    """Return whether only the region, perhaps its title, and blank lines around it are gone."""
    try:
        region = find_region(earlier, name)
    except DocumentRefused:
        return False
    if region is None:
        return False
    head, tail = earlier[: region.begin].rstrip(_BLANK), earlier[region.end :].lstrip(_BLANK)
    for start in (head, head.removesuffix(f"## {TITLE}").rstrip(_BLANK)):
        middle = text[len(start) : len(text) - len(tail)]
        if text.startswith(start) and text.endswith(tail) and len(text) >= len(start) + len(tail) and is_blank(middle):
            return True
    return False


def _pairs(text: str, name: str) -> list[tuple[int, int]]:
    """Return the marker lines (from 0) of each region, in order; none if they are not consecutive pairs."""
    found = markers_of(text, outline(text), name)
    kinds = [kind for kind, _ in found]
    if kinds != ["begin", "end"] * (len(kinds) // 2):
        return []
    numbers = [number for _, number in found]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _without_markers(text: str, pairs: Sequence[tuple[int, int]]) -> str:
    """Return the text with the markers of these regions blanked out, all offsets kept."""
    starts = line_starts(text)
    for number in chain.from_iterable(pairs):
        blank = re.sub(r"[^\r\n\ufeff]", " ", text[starts[number] : starts[number + 1]])
        text = text[: starts[number]] + blank + text[starts[number + 1] :]
    return text


def _with_markers_of(text: str, blanked: str, pairs: Sequence[tuple[int, int]]) -> str:
    """Return ``blanked``, with the markers before the cut restored from ``text``."""
    starts = line_starts(text)
    stop = starts[pairs[-1][1] + 1] if pairs else 0
    return text[:stop] + blanked[stop:]


def _cut(text: str, region: Region, name: str) -> str:
    """Return the text without its region, and without title and blank line if that joins no neighbours."""
    lines = range(region.first_line - 1, region.last_line)
    rest = [one.source for one in sources_of(text) if one.first not in lines]
    shorter = remove_region(text, name)
    left = [one.source for one in sources_of(shorter)]
    titles = [("heading", f"## {TITLE}")]
    if left == rest or any(left == rest[:at] + rest[at + 1 :] for at, one in enumerate(rest) if one in titles):
        return shorter
    return joined(text[: region.begin], text[region.end :])


def _sound(text: str, name: str) -> Region:
    region = parse_document(text, name).region
    if region is None:
        raise DocumentRefused(f"{name} has no region", hint=f"leave one {BEGIN} and one {END} after it")
    return region
