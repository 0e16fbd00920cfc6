"""Regions that stand twice become one, and a region that was deleted comes back; nothing else moves."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from intermem.core.blocks import tokens_of
from intermem.core.lines import is_blank, joined, line_starts, split_lines
from intermem.core.placing import TITLE, place_region, remove_region
from intermem.core.regions import BEGIN, END, Region, find_region, kept_lines, parse_document, sources_of
from intermem.core.splicing import Addition, edited
from intermem.errors import DocumentRefused

_BLANK = " \t\r\n"
_MARKER = re.compile(r"^ {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*$")


def united(text: str, name: str, unwanted: Container[str]) -> str:
    """Return ``text`` with the entries of every further region in its first one, and those regions gone.

    Entries whose id is ``unwanted`` and stood only in a further region are left out. A text with
    one region comes back as it is. Raises DocumentRefused where the markers are no pairs one after
    the other, or where a further region holds lines that are no entries.
    """
    pairs = _pairs(text)
    if len(pairs) < 2:
        return text
    moved: list[Addition] = []
    while len(pairs) > 1:
        alone = _with_only(text, pairs[-1])
        region = _sound(alone, name)
        if kept_lines(alone, region):
            raise DocumentRefused(
                f"{name}:{region.first_line}: this second region holds lines that are no entries; nothing was written",
                hint="move them out of it by hand",
            )
        moved[:0] = [Addition(item.text, item.section) for item in region.items if item.id not in unwanted]
        text = _with_markers_of(text, _cut(alone, region, name), pairs[:-1])
        pairs = pairs[:-1]
    _sound(text, name)
    return edited(text, name, add=moved)


def returned(text: str, earlier: str | None, name: str, entries: Sequence[Addition]) -> str:
    """Return ``text``, which has lost its region, with one that holds ``entries``.

    Where ``text`` is the ``earlier`` one without its region, the earlier text itself comes back;
    else the region is placed at the end. Raises as ``place_region`` and ``edited`` do.
    """
    if earlier is not None and _lost_only_its_region(text, earlier, name):
        return edited(earlier, name, add=entries)
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


def _pairs(text: str) -> list[tuple[int, int]]:
    """The marker lines (from 0) of each region, in order; none where they are not pairs one after the other."""
    lines = split_lines(text.removeprefix("\ufeff"))
    found = [
        (match[1], token.map[0])
        for token in tokens_of(text)
        if token.type == "html_block"
        and token.level == 0
        and token.map
        and (match := _MARKER.match(lines[token.map[0]]))
    ]
    kinds = [kind for kind, _ in found]
    if kinds != ["begin", "end"] * (len(kinds) // 2):
        return []
    numbers = [number for _, number in found]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _with_only(text: str, pair: tuple[int, int]) -> str:
    """The text with every other marker blanked out; every offset stays."""
    starts = line_starts(text)
    for pair_of_lines in _pairs(text):
        for number in pair_of_lines if pair_of_lines != pair else ():
            line = text[starts[number] : starts[number + 1]]
            blank = re.sub(r"[^\r\n\ufeff]", " ", line)
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
