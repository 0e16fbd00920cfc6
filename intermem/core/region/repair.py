"""Regions that stand twice become one, and a region that was deleted comes back; nothing else moves."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import chain

from intermem.core.markdown.blocks import outline
from intermem.core.markdown.lines import is_blank, joined, line_starts
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Region, find_region, kept_lines, markers_of, parse_document, sources_of
from intermem.core.region.place import TITLE, place_region, remove_region
from intermem.errors import DocumentRefused

_BLANK = " \t\r\n"


def united(text: str, name: str, unwanted: Container[str]) -> str:
    """Return ``text`` with the entries of every further region in its first one, and those regions gone.

    Entries whose id is ``unwanted`` and stood only in a further region are left out. A text with
    one region comes back as it is, and so does one whose markers are no pairs one after the other:
    that is left to a person. Raises DocumentRefused where a further region holds lines that are no
    entries, or where HTML swallowed a marker.
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
    return edited(text, name, add=moved)


def returned(
    text: str, earlier: str | None, name: str, entries: Sequence[Addition], unwanted: Container[str] = ()
) -> str:
    """Return ``text``, which has lost its region, with one that holds ``entries``.

    Where ``text`` is the ``earlier`` one without its region, the earlier text itself comes back,
    without the entries that are ``unwanted`` by now; else the region is placed at the end. Raises
    as ``place_region`` and ``edited`` do.
    """
    if earlier is not None and _lost_only_its_region(text, earlier, name):
        region = _sound(earlier, name)
        return edited(earlier, name, add=entries, remove=[key for key in region.ids if key in unwanted])
    return edited(place_region(text, name), name, add=entries)


def _lost_only_its_region(text: str, earlier: str, name: str) -> bool:
    """True where only the region, perhaps its title, and blank lines around it are gone."""
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
    """The marker lines (from 0) of each region, in order; none where they are not pairs one after the other."""
    found = markers_of(text, outline(text), name)
    kinds = [kind for kind, _ in found]
    if kinds != ["begin", "end"] * (len(kinds) // 2):
        return []
    numbers = [number for _, number in found]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _without_markers(text: str, pairs: Sequence[tuple[int, int]]) -> str:
    """The text with the markers of these regions blanked out; every offset stays."""
    starts = line_starts(text)
    for number in chain.from_iterable(pairs):
        blank = re.sub(r"[^\r\n\ufeff]", " ", text[starts[number] : starts[number + 1]])
        text = text[: starts[number]] + blank + text[starts[number + 1] :]
    return text


def _with_markers_of(text: str, blanked: str, pairs: Sequence[tuple[int, int]]) -> str:
    """``blanked`` with the markers that stand before what was cut from it as they are in ``text``."""
    starts = line_starts(text)
    stop = starts[pairs[-1][1] + 1] if pairs else 0
    return text[:stop] + blanked[stop:]


def _cut(text: str, region: Region, name: str) -> str:
    """The text without its region; with its title and blank line, too, where no neighbours fuse by that."""
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
