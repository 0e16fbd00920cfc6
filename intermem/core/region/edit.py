"""Edit a region: add and remove single items, and verify every edit.

An edit is a splice inside the region. The result is parsed again, and refused unless the rest of the document
is unchanged and the region contains exactly the expected items. There is no way to edit without that check.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from intermem.core.entries.identity import identity, normalised
from intermem.core.markdown.ignore_comments import is_ignore
from intermem.core.markdown.items import rendered_item
from intermem.core.markdown.lines import fitting_line_end, is_blank, joined
from intermem.core.region.parse import (
    BOLD_LEVEL,
    Item,
    ParsedDocument,
    Region,
    kept_lines,
    key_of,
    outside,
    parse_document,
    pointed_to,
)
from intermem.errors import DocumentRefused, EditRefused
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_CLOSING = regex(r"(?:(?<=\s)|^)#+$")
_LINE_END = regex(r"[ \t]*(?:\r\n|\n|\r)")


@dataclass(frozen=True, slots=True)
class Addition:
    """A text to add to a region, in a section (``""`` for none)."""

    text: str
    section: str

    @property
    def id(self) -> str:
        """The identity that the item must have when it is parsed again."""
        return identity(self.text)


def edited(
    text: str,
    name: str,
    *,
    add: Sequence[Addition] = (),
    remove: Iterable[str] = (),
    leads: Callable[[str], bool] | None = None,
) -> str:
    """Return ``text`` without the items ``remove`` (identities) and with the items ``add``.

    An addition that ``leads`` (by its text) goes above the first item of its section that does not, any other below
    the last one that does; there, it goes by text. Nothing that stands is moved. Without ``leads``, all go by text.
    Only the lines of these items, and of section headings that become needed or empty, are changed. Additions
    that are already there are ignored. Raises EditRefused if the result would not be exactly that,
    DocumentRefused if the region of the document is missing or damaged.
    """
    parsed = parse_document(text, name)
    if parsed.region is None:
        raise DocumentRefused(f"{name} has no region", hint="intermem init places one")
    gone = set(remove)
    if gone & set(parsed.region.ids):
        left = [key for key in parsed.region.ids if key not in gone]
        # A blank line may be all that separates a person's own lines from the next item.
        parsed = _first_proved(parsed, (_without(parsed, gone, gaps=gaps) for gaps in (True, False)), left, name)
    for addition in add:
        assert parsed.region is not None
        if not normalised(addition.text):
            raise EditRefused(f"{name}: an entry without words cannot be written", hint="give it some text")
        if topics := pointed_to(addition.text):
            reason = f"{name}: it would be read as the line that names {min(topics)}, not as an entry"
            raise EditRefused(reason, hint="leave out the path of the topic file")
        if addition.id not in parsed.region.ids:
            expected = [*parsed.region.ids, addition.id]
            parsed = _first_proved(
                parsed, (_with(parsed, addition, leads, last=last) for last in (False, True)), expected, name
            )
            placed = next(item for item in parsed.region.items if item.id == addition.id) if parsed.region else None
            if placed is None or key_of(placed.section) != key_of(addition.section):
                raise _refused(name)
    return parsed.text


def _without(parsed: ParsedDocument, gone: set[str], *, gaps: bool) -> str:
    """Return the text without the items ``gone``, and with ``gaps`` without the blank lines that only they needed."""
    region = parsed.region
    assert region is not None
    cuts: list[_Cut] = []
    for section in region.sections:
        leaving = [item for item in section.items if item.id in gone]
        is_empty = len(leaving) == len(section.items) and not section.others and not section.pointers
        if leaving and is_empty and section.title:
            cuts.append(_Cut(section.start, section.items[-1].stop, before_own=section.stop < region.stop))
        else:
            last = section.items[-1].stop if section.items else 0
            cuts += [_Cut(item.start, item.stop, before_own=item.stop < last) for item in leaving]
    text, stop = parsed.text, region.stop
    for cut in reversed(_joined_cuts(cuts, text)):
        first, last = _with_blank_lines(text, cut, region.start, stop) if gaps else (cut.start, cut.stop)
        shorter = joined(text[:first], text[last:])
        stop -= len(text) - len(shorter)
        text = shorter
    return text


@dataclass(frozen=True, slots=True)
class _Cut:
    """Lines to remove; ``before_own`` is true if what follows is of the same kind: an item, a section."""

    start: int
    stop: int
    before_own: bool


def _joined_cuts(cuts: Sequence[_Cut], text: str) -> list[_Cut]:
    """Return the cuts, with those joined that only blank lines separate."""
    runs: list[_Cut] = []
    for cut in cuts:
        if runs and is_blank(text[runs[-1].stop : cut.start]):
            runs[-1] = _Cut(runs[-1].start, cut.stop, cut.before_own)
        else:
            runs.append(cut)
    return runs


def _with_blank_lines(text: str, cut: _Cut, floor: int, ceiling: int) -> tuple[int, int]:
    """Return a cut extended by the blank lines that only it needed, the inverse of adding it.

    That is the gap after it if one of its kind follows, else the gap before it.
    """
    after = cut.stop + _blank_length(text[cut.stop : ceiling])
    before = floor + len(text[floor : cut.start].rstrip(" \t\r\n"))
    at_the_start = before == floor
    before = cut.start if at_the_start else min(cut.start, before + _line_end_after(text, before))
    if at_the_start and after == ceiling and cut.start == floor:
        return cut.start, cut.stop
    if at_the_start or cut.before_own:
        return cut.start, after
    return before, cut.stop


def _blank_length(text: str) -> int:
    """Return the length of the blank lines at the start of ``text``."""
    stripped = text.lstrip(" \t\r\n")
    blank = text[: len(text) - len(stripped)]
    ends = max(blank.rfind("\n"), blank.rfind("\r"))
    return ends + 1


def _line_end_after(text: str, at: int) -> int:
    match = _LINE_END.match(text, at)
    return match.end() - at if match else 0


def _with(parsed: ParsedDocument, addition: Addition, leads: Callable[[str], bool] | None, *, last: bool) -> str:
    """Return the text with a new item in its sorted place, or as the ``last`` one of its section."""
    region, text = parsed.region, parsed.text
    assert region is not None
    wanted = key_of(addition.section)
    home = next((section for section in region.sections if key_of(section.title) == wanted), None)
    if home is None:
        return _with_section(parsed, region, addition)
    if home.items:
        at = len(home.items) if last else _place_among(home.items, addition, leads)
        return _beside(parsed, home.items, addition, at)
    if home.title:
        end = fitting_line_end(text, home.heading_stop)
        # Else a person's line right below would become part of the item.
        gap = "" if is_blank(_line_at(text, home.heading_stop)) or home.stop == home.heading_stop else end
        return _inserted(text, home.heading_stop, end + rendered_item(addition.text, end=end) + gap)
    blank = _blank_length(text[region.start : region.stop])
    filled = not is_blank(text[region.start : region.stop])
    at = region.start + (blank if filled else 0)
    end = fitting_line_end(text, at)
    return _inserted(text, at, rendered_item(addition.text, end=end) + (end if filled else ""))


def _line_at(text: str, at: int) -> str:
    match = _LINE_END.search(text, at)
    return text[at : match.start()] if match else text[at:]


def _inserted(text: str, at: int, insertion: str) -> str:
    return text[:at] + insertion + text[at:]


def _above_ignores(parsed: ParsedDocument, at: int) -> int:
    """Return the start of the ignore comments right above ``at`` that apply to the line there, else ``at``."""
    above = bisect_left(parsed.blocks, at, key=lambda block: parsed.starts[block.first]) - 1
    # The begin marker ends the search at the latest.
    while is_ignore(parsed.blocks[above]) and is_blank(parsed.text[parsed.starts[parsed.blocks[above].stop] : at]):
        at = parsed.starts[parsed.blocks[above].first]
        above -= 1
    return at


def _place_among(items: Sequence[Item], addition: Addition, leads: Callable[[str], bool] | None) -> int:
    """Return how many of the ``items`` of a section stand above a new one."""
    leading = [leads is not None and leads(item.text) for item in items]
    first, stop = 0, len(items)
    if leads is not None and leads(addition.text):
        stop = leading.index(False) if False in leading else stop
    elif True in leading:
        first = stop - leading[::-1].index(True)
    later = (n for n in range(first, stop) if key_of(items[n].text) > key_of(addition.text))
    return next(later, stop)


def _beside(parsed: ParsedDocument, items: Sequence[Item], addition: Addition, at: int) -> str:
    """Return the text with a new item below ``at`` of the ``items`` of its section, in the style of its neighbours."""
    text = parsed.text
    pair = items[max(0, at - 1) : max(0, at - 1) + 2] if at < len(items) else items[-2:]
    is_loose = len(pair) == 2 and pair[0].stop < pair[1].start and is_blank(text[pair[0].stop : pair[1].start])
    neighbour = items[min(at, len(items) - 1)]
    marker = neighbour.marker if neighbour.marker in ("-", "*", "+") else "-"
    place = _above_ignores(parsed, neighbour.start) if at < len(items) else neighbour.stop
    end = fitting_line_end(text, place)
    item = rendered_item(addition.text, marker, end)
    gap = end if is_loose else ""
    return _inserted(text, place, item + gap if at < len(items) else gap + item)


def _with_section(parsed: ParsedDocument, region: Region, addition: Addition) -> str:
    text = parsed.text
    titled = [section for section in region.sections if section.title]
    following = next((section for section in titled if key_of(section.title) > key_of(addition.section)), None)
    if following is not None:
        at = _above_ignores(parsed, following.start)
        end = fitting_line_end(text, at)
        return _inserted(text, at, _section(region, addition, end) + end)
    filled = len(text[region.start : region.stop].rstrip(" \t\r\n"))
    at = region.start + filled
    at += _line_end_after(text, at) if filled else 0
    end = fitting_line_end(text, at)
    return _inserted(text, at, (end if filled else "") + _section(region, addition, end))


def _section(region: Region, addition: Addition, end: str) -> str:
    words = " ".join(addition.section.split())
    # A final run of # would be the closing sequence of the heading.
    words = _CLOSING.sub(r"\\\g<0>", words)
    title = f"**{words}**" if region.level == BOLD_LEVEL else f"{'#' * region.level} {words}"
    return title + end + end + rendered_item(addition.text, end=end)


def _first_proved(parsed: ParsedDocument, texts: Iterable[str], expected: Sequence[str], name: str) -> ParsedDocument:
    """Return the first of the edited ``texts`` that passes the check. Raises EditRefused if none does."""
    refusal: EditRefused | None = None
    for text in texts:
        try:
            return _proved(parsed, text, expected, name)
        except EditRefused as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


def _proved(parsed: ParsedDocument, text: str, expected: Sequence[str], name: str) -> ParsedDocument:
    """Return the edited ``text``, parsed. Raises EditRefused if it is not exactly what it should be."""
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
    kept = (kept_lines(parsed.text, region), region.topic_files) == (
        kept_lines(text, after.region),
        after.region.topic_files,
    )
    if not same or not kept or sorted(after.region.ids) != sorted(expected):
        raise _refused(name)
    return after


def _refused(name: str) -> EditRefused:
    return EditRefused(
        f"{name}: the text would not stay one item of the region; it was not written",
        hint="look for an open fence, a marker or a heading in the note",
    )
