"""Editing a region: single items go in and come out, and every edit is proved.

An edit is a splice inside the region. The result is parsed again and refused unless all the rest
of the document is where it was and the region holds exactly what it should. There is no way to
edit without that proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intermem.core.identity import identity, normalised
from intermem.core.lines import line_end_of, split_lines
from intermem.core.regions import BOLD_LEVEL, Item, ParsedDocument, Region, key_of, outside, parse_document
from intermem.errors import DocumentRefused, EditRefused

_LINE_END = re.compile(r"[ \t]*(?:\r\n|\n|\r)")


@dataclass(frozen=True, slots=True)
class Addition:
    """A text to be put into a region, under a section (``""`` for none)."""

    text: str
    section: str

    @property
    def id(self) -> str:
        """The identity that the item must have when it is read back."""
        return identity(self.text)


def edited(text: str, name: str, *, add: Sequence[Addition] = (), remove: Iterable[str] = ()) -> str:
    """Return ``text`` with the items ``remove`` (identities) taken out and ``add`` put in.

    Only the lines of these items and of section headings that appear or empty are touched; a
    text that needs no edit comes back as it is. Additions that already stand are left alone.
    Raises EditRefused where the result would not be exactly that, DocumentRefused where the
    document has no sound region.
    """
    parsed = parse_document(text, name)
    if parsed.region is None:
        raise DocumentRefused(f"{name} has no region", hint="intermem init places one")
    gone = set(remove)
    if gone & set(parsed.region.ids):
        parsed = _proved(parsed, _without(parsed, gone), [i for i in parsed.region.ids if i not in gone], name)
    for addition in add:
        assert parsed.region is not None
        if not normalised(addition.text):
            raise EditRefused(f"{name}: an entry without words cannot be written", hint="give it a text")
        if addition.id not in parsed.region.ids:
            expected = [*parsed.region.ids, addition.id]
            parsed = _proved(parsed, _with(parsed, addition), expected, name)
    return parsed.text


def rendered_item(text: str, marker: str = "-", end: str = "\n") -> str:
    """Return ``text`` as one list item: later lines are indented below the first."""
    lines = split_lines(text)
    indent = " " * (len(marker) + 1)
    rest = [indent + line if line.strip() else "" for line in lines[1:]]
    return end.join([f"{marker} {lines[0]}", *rest]) + end


def _without(parsed: ParsedDocument, gone: set[str]) -> str:
    region = parsed.region
    assert region is not None
    cuts: list[tuple[int, int]] = []
    for section in region.sections:
        leaving = [item for item in section.items if item.id in gone]
        if leaving and len(leaving) == len(section.items) and not section.others and section.title:
            cuts.append((section.start, section.items[-1].stop))
        else:
            cuts += [(item.start, item.stop) for item in leaving]
    text = parsed.text
    body_stop = region.stop
    for start, stop in reversed(_joined_cuts(cuts, text)):
        start, stop = _with_blank_lines(text, start, stop, region.start, body_stop)
        text = text[:start] + text[stop:]
        body_stop -= stop - start
    if not text[region.start : body_stop].strip():
        text = text[: region.start] + text[body_stop:]
    return text


def _joined_cuts(cuts: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Cuts with only blank lines between them become one."""
    joined: list[tuple[int, int]] = []
    for start, stop in cuts:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return joined


def _with_blank_lines(text: str, start: int, stop: int, floor: int, ceiling: int) -> tuple[int, int]:
    """Widen a cut so that it leaves no blank lines behind that only it needed."""
    after = stop + _blank_length(text[stop:ceiling])
    before = len(text[floor:start].rstrip(" \t\r\n")) + floor
    before = min(start, before + _line_end_after(text, before)) if before > floor else floor
    if after == ceiling:
        return before, stop
    if before < start or start == floor:
        return start, after
    return start, stop


def _blank_length(text: str) -> int:
    """How many leading characters of ``text`` are whole blank lines."""
    stripped = text.lstrip(" \t\r\n")
    blank = text[: len(text) - len(stripped)]
    ends = max(blank.rfind("\n"), blank.rfind("\r"))
    return ends + 1


def _line_end_after(text: str, at: int) -> int:
    match = _LINE_END.match(text, at)
    return match.end() - at if match else 0


def _with(parsed: ParsedDocument, addition: Addition) -> str:
    region, text = parsed.region, parsed.text
    assert region is not None
    end = line_end_of(text)
    wanted = key_of(addition.section)
    home = next((section for section in region.sections if key_of(section.title) == wanted), None)
    if home is None:
        return _with_section(region, text, addition, end)
    if home.items:
        return _beside(home.items, text, addition, end)
    item = rendered_item(addition.text, end=end)
    if home.title:
        at = home.heading_stop
        return text[:at] + end + item + text[at:]
    at = region.start
    gap = end if text[at : region.stop].strip() and not _blank_length(text[at : region.stop]) else ""
    return text[:at] + item + gap + text[at:]


def _beside(items: Sequence[Item], text: str, addition: Addition, end: str) -> str:
    """Put an item before the first that sorts behind it, in the manner of its neighbours."""
    pairs = pairwise(items)
    loose = any(not text[one.stop : two.start].strip() and one.stop < two.start for one, two in pairs)
    gap = end if loose else ""
    following = next((item for item in items if key_of(item.text) > key_of(addition.text)), None)
    neighbour = following or items[-1]
    marker = neighbour.marker if neighbour.marker in ("-", "*", "+") else "-"
    item = rendered_item(addition.text, marker, end)
    if following is not None:
        return text[: following.start] + item + gap + text[following.start :]
    return text[: neighbour.stop] + gap + item + text[neighbour.stop :]


def _with_section(region: Region, text: str, addition: Addition, end: str) -> str:
    title = f"**{addition.section}**" if region.level == BOLD_LEVEL else f"{'#' * region.level} {addition.section}"
    block = title + end + end + rendered_item(addition.text, end=end)
    titled = [section for section in region.sections if section.title]
    following = next((section for section in titled if key_of(section.title) > key_of(addition.section)), None)
    if following is not None:
        return text[: following.start] + block + end + text[following.start :]
    filled = len(text[region.start : region.stop].rstrip(" \t\r\n"))
    if not filled:
        return text[: region.start] + block + text[region.start :]
    at = region.start + filled
    at += _line_end_after(text, at)
    return text[:at] + end + block + text[at:]


def _proved(parsed: ParsedDocument, text: str, expected: Sequence[str], name: str) -> ParsedDocument:
    """Parse the edited ``text`` and return it, or raise EditRefused."""
    region = parsed.region
    assert region is not None
    head, tail = parsed.text[: region.start], parsed.text[region.stop :]
    if not (text.startswith(head) and text.endswith(tail)):
        raise EditRefused(f"{name}: the edit would reach outside the region; it was not made")
    try:
        after = parse_document(text, name)
    except DocumentRefused as error:
        raise _refused(name) from error
    if after.region is None or (after.region.start, len(text) - after.region.stop) != (
        region.start,
        len(tail),
    ):
        raise _refused(name)
    shift = after.region.last_line - region.last_line
    hidden = range(region.first_line, region.last_line - 1)
    same = outside(parsed, hidden) == outside(after, range(hidden.start, hidden.stop + shift), shift)
    if not same or sorted(after.region.ids) != sorted(expected):
        raise _refused(name)
    return after


def _refused(name: str) -> EditRefused:
    return EditRefused(
        f"{name}: the text would not stay one item of the region; it was not written",
        hint="look for an open fence, a marker or a heading in the note",
    )
