"""The marker-delimited part of a document that intermem owns: finding it, reading it, editing it.

Every edit is a splice inside the region, is parsed again, and is refused unless all the rest of
the document is where it was and the region holds exactly what it should. There is no way to edit
without that proof.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intermem.core.blocks import Block, blocks_of, outline
from intermem.core.identity import identity, normalised
from intermem.core.lines import ends_in_line_end, line_end_of, line_starts, split_lines
from intermem.core.scanner import item_text
from intermem.errors import DocumentRefused, EditRefused

BEGIN = "<!-- intermem:begin -->"
END = "<!-- intermem:end -->"
TITLE = "Project memory"
BOLD_LEVEL = 7  # below a sixth-level heading a section is a line of bold text

_MARKER = re.compile(r"^ {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_Shape = tuple[str, str, int, tuple[int, int] | None, str]
_CONFLICT = re.compile(r"^(?:<{7} |>{7} |={7}$)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One top-level list item of a region: ``start`` to ``stop`` are its lines' offsets."""

    id: str
    text: str
    section: str
    marker: str
    start: int
    stop: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading of a region and what stands below it; ``others`` counts blocks that are no items."""

    title: str
    start: int
    heading_stop: int
    stop: int
    items: tuple[Item, ...] = ()
    others: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The part of a document that intermem owns.

    ``start`` and ``stop`` are character offsets into the document, half-open and inside the
    markers, so ``text[start:stop]`` is the body. ``begin`` and ``end`` take the markers in.
    ``level`` is the level of a section heading, 7 for bold text. Lines count from 1.
    """

    begin: int
    start: int
    stop: int
    end: int
    first_line: int
    last_line: int
    level: int
    sections: tuple[Section, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """The items in order of appearance."""
        return tuple(item for section in self.sections for item in section.items)

    @property
    def ids(self) -> tuple[str, ...]:
        """The identities of the items, in order of appearance."""
        return tuple(item.id for item in self.items)

    @property
    def lines(self) -> int:
        """How many lines stand between the markers."""
        return self.last_line - self.first_line - 1


@dataclass(frozen=True, slots=True)
class Addition:
    """A text to be put into a region, under a section (``""`` for none)."""

    text: str
    section: str

    @property
    def id(self) -> str:
        """The identity that the item must have when it is read back."""
        return identity(self.text)


@dataclass(frozen=True, slots=True)
class _Parsed:
    text: str
    starts: list[int]
    shape: list[_Shape]
    region: Region | None
    blocks: list[Block]


def find_region(text: str, name: str) -> Region | None:
    """Return the region of the document ``text``, None where it has none.

    ``name`` is what errors call the document. Raises DocumentRefused, with line and way out,
    where markers are orphaned, duplicate, nested, reversed, swallowed by an HTML block, or where
    a merge conflict stands inside.
    """
    return _parsed(text, name).region


def place_region(text: str, name: str, *, after: str | None = None) -> str:
    """Return ``text`` with an empty region: at the end under its own heading, or in section ``after``.

    A text that has a region already comes back as it is. Raises DocumentRefused where no place
    is safe, or where no heading is called ``after``.
    """
    parsed = _parsed(text, name)
    if parsed.region is not None:
        return text
    end = line_end_of(text)
    if after is None:
        heading = f"## {TITLE}{end}{end}"
        at, lead = len(text), ("" if text.strip("\ufeff") == "" else end)
    else:
        heading = ""
        at, empty = _end_of_section(parsed, after, name)
        lead = "" if empty else end
    insertion = f"{lead}{heading}{BEGIN}{end}{END}"
    ended = ends_in_line_end(text[:at].strip("\ufeff"))
    insertion = insertion + end if ended else end + insertion
    placed = text[:at] + insertion + text[at:]
    return _proved_placement(parsed, placed, at, name)


def remove_region(text: str, name: str) -> str:
    """Return ``text`` as it was before ``place_region``, whatever the region holds now.

    A document without a region comes back as it is.
    """
    parsed = _parsed(text, name)
    region = parsed.region
    if region is None:
        return text
    lines = split_lines(text)
    first = region.first_line - 1
    if first >= 2 and not lines[first - 1].strip() and lines[first - 2].lstrip("\ufeff") == f"## {TITLE}":
        first -= 2
    if first >= 1 and not lines[first - 1].strip():
        first -= 1
    start, stop = parsed.starts[first], region.end
    if text[:start] == "" and text.startswith("\ufeff"):
        start = 1
    if not ends_in_line_end(text) and stop == len(text):
        start -= _line_end_before(text, start)
    return text[:start] + text[stop:]


def edited(text: str, name: str, *, add: Sequence[Addition] = (), remove: Iterable[str] = ()) -> str:
    """Return ``text`` with the items ``remove`` (identities) taken out and ``add`` put in.

    Only the lines of these items and of section headings that appear or empty are touched; a
    text that needs no edit comes back as it is. Additions that already stand are left alone.
    Raises EditRefused where the result would not be exactly that, DocumentRefused where the
    document has no sound region.
    """
    parsed = _parsed(text, name)
    if parsed.region is None:
        raise DocumentRefused(f"{name} has no region", hint="intermem init places one")
    gone = set(remove)
    if gone & set(parsed.region.ids):
        parsed = _proved(parsed, _without(parsed, gone), [i for i in parsed.region.ids if i not in gone], name)
    for addition in add:
        assert parsed.region is not None
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


def _parsed(text: str, name: str) -> _Parsed:
    shape = outline(text)
    starts = line_starts(text)
    if "intermem:" not in text:
        return _Parsed(text, starts, shape, None, blocks_of(text))
    blocks = blocks_of(text)
    markers = _markers(text, shape, name)
    if not markers:
        return _Parsed(text, starts, shape, None, blocks)
    first, last = _one_pair(markers, name)
    body = [block for block in blocks if first < block.first and block.stop <= last]
    level = next((block.level for block in reversed(blocks) if block.type == "heading" and block.first < first), 1)
    level = min(level + 1, BOLD_LEVEL)
    start, stop = starts[first + 1], starts[last]
    if {"<", ">"} <= {match[0][0] for match in _CONFLICT.finditer(text, start, stop)}:
        raise DocumentRefused(
            f"{name}:{first + 1}: a merge conflict stands inside the region; nothing was written",
            hint="resolve the conflict, then run the command again",
        )
    region = Region(
        begin=starts[first],
        start=start,
        stop=stop,
        end=starts[last + 1],
        first_line=first + 1,
        last_line=last + 1,
        level=level,
        sections=_sections(text, starts, body, level, start, stop),
    )
    return _Parsed(text, starts, shape, region, blocks)


def _markers(text: str, shape: Sequence[_Shape], name: str) -> list[tuple[str, int]]:
    """The markers as (begin or end, line from 0). One that an HTML block swallowed is refused."""
    lines = split_lines(text.removeprefix("\ufeff"))
    written = {number: match[1] for number, line in enumerate(lines) if (match := _MARKER.match(line))}
    if not written:
        return []
    found: list[tuple[str, int]] = []
    for kind, _, level, span, _ in shape:
        if level != 0 or span is None or kind != "html_block":
            continue
        inside = [number for number in range(span[0], min(span[1], len(lines))) if number in written]
        if inside and inside[0] == span[0]:
            found.append((written[span[0]], span[0]))
            inside.pop(0)
        if inside:
            raise DocumentRefused(
                f"{name}:{inside[0] + 1}: the marker is part of the HTML above it; nothing was written",
                hint=f"a blank line is missing above line {inside[0] + 1}",
            )
    return found


def _one_pair(markers: Sequence[tuple[str, int]], name: str) -> tuple[int, int]:
    kinds = [kind for kind, _ in markers]
    if kinds == ["begin", "end"]:
        return markers[0][1], markers[1][1]
    lines = ", ".join(f"{kind} on line {line + 1}" for kind, line in markers)
    if kinds == ["end", "begin"]:
        what = "the end marker stands before the begin marker"
    elif len(kinds) == 1:
        what = "the begin marker has no end marker" if kinds == ["begin"] else "the end marker has no begin marker"
    else:
        what = "there is more than one region"
    raise DocumentRefused(
        f"{name}:{markers[0][1] + 1}: {what} ({lines}); nothing was written",
        hint=f"leave one {BEGIN} and one {END} after it, each alone on its line",
    )


def _sections(
    text: str, starts: Sequence[int], body: Sequence[Block], level: int, start: int, stop: int
) -> tuple[Section, ...]:
    lines = split_lines(text)
    sections: list[Section] = []
    title, opened, heading_stop = "", start, start
    items: list[Item] = []
    others = 0

    def close(at: int) -> None:
        sections.append(
            Section(
                title=title,
                start=opened,
                heading_stop=heading_stop,
                stop=at,
                items=tuple(items),
                others=others,
            )
        )

    for block in body:
        last = _last_line(lines, block)
        heading = _title_of(block, lines, last, level)
        if heading is not None:
            close(starts[block.first])
            title, opened, heading_stop = heading, starts[block.first], starts[last]
            items, others = [], 0
        elif block.type == "item":
            written = item_text(lines[block.first : last])
            items.append(
                Item(
                    id=identity(written),
                    text=written,
                    section=title,
                    marker=block.markup,
                    start=starts[block.first],
                    stop=starts[last],
                    line=block.first + 1,
                )
            )
        else:
            others += 1
    close(stop)
    return tuple(sections)


def _title_of(block: Block, lines: Sequence[str], last: int, level: int) -> str | None:
    if block.type == "heading":
        return " ".join(block.content.split())
    if block.type == "paragraph" and level == BOLD_LEVEL and last == block.first + 1:
        match = _BOLD.fullmatch(lines[block.first].strip())
        return (match[1] or match[2]).strip() if match else None
    return None


def _last_line(lines: Sequence[str], block: Block) -> int:
    """The line behind the block's last one that is not blank."""
    stop = min(block.stop, len(lines))
    while stop > block.first + 1 and not lines[stop - 1].strip():
        stop -= 1
    return stop


def _without(parsed: _Parsed, gone: set[str]) -> str:
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
    match = re.compile(r"[ \t]*(?:\r\n|\n|\r)").match(text, at)
    return match.end() - at if match else 0


def _line_end_before(text: str, at: int) -> int:
    if text[:at].endswith("\r\n"):
        return 2
    return 1 if text[:at].endswith(("\n", "\r")) else 0


def _with(parsed: _Parsed, addition: Addition) -> str:
    region, text = parsed.region, parsed.text
    assert region is not None
    end = line_end_of(text)
    wanted = _key(addition.section)
    home = next((section for section in region.sections if _key(section.title) == wanted), None)
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
    following = next((item for item in items if _key(item.text) > _key(addition.text)), None)
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
    following = next((section for section in titled if _key(section.title) > _key(addition.section)), None)
    if following is not None:
        return text[: following.start] + block + end + text[following.start :]
    filled = len(text[region.start : region.stop].rstrip(" \t\r\n"))
    if not filled:
        return text[: region.start] + block + text[region.start :]
    at = region.start + filled
    at += _line_end_after(text, at)
    return text[:at] + end + block + text[at:]


def _key(text: str) -> tuple[str, str]:
    folded = normalised(text)
    return folded.casefold(), folded


def _end_of_section(parsed: _Parsed, title: str, name: str) -> tuple[int, bool]:
    """Where the section's own text ends, and whether it has none."""
    wanted = _key(title.lstrip("#").strip())
    lines = split_lines(parsed.text)
    for index, block in enumerate(parsed.blocks):
        if block.type == "heading" and _key(block.content) == wanted:
            own = [block]
            for following in parsed.blocks[index + 1 :]:
                if following.type == "heading":
                    break
                own.append(following)
            stop = _last_line(lines, own[-1])
            return parsed.starts[stop], len(own) == 1
    raise DocumentRefused(f"{name} has no heading {title!r}; nothing was written", hint="name a heading of the file")


def _proved(parsed: _Parsed, text: str, expected: Sequence[str], name: str) -> _Parsed:
    """Parse the edited ``text`` and return it, or raise EditRefused."""
    region = parsed.region
    assert region is not None
    head, tail = parsed.text[: region.start], parsed.text[region.stop :]
    if not (text.startswith(head) and text.endswith(tail)):
        raise EditRefused(f"{name}: the edit would reach outside the region; it was not made")
    try:
        after = _parsed(text, name)
    except DocumentRefused as error:
        raise _refused(name) from error
    if after.region is None or (after.region.start, len(text) - after.region.stop) != (
        region.start,
        len(tail),
    ):
        raise _refused(name)
    shift = after.region.last_line - region.last_line
    hidden = range(region.first_line, region.last_line - 1)
    same = _outside(parsed, hidden) == _outside(after, range(hidden.start, hidden.stop + shift), shift)
    if not same or sorted(after.region.ids) != sorted(expected):
        raise _refused(name)
    return after


def _refused(name: str) -> EditRefused:
    return EditRefused(
        f"{name}: the text would not stay one item of the region; it was not written",
        hint="look for an open fence, a marker or a heading in the note",
    )


def _proved_placement(parsed: _Parsed, text: str, at: int, name: str) -> str:
    """Return ``text``, which has an empty region placed at ``at``, if nothing else has changed."""
    try:
        after = _parsed(text, name)
    except DocumentRefused:
        after = None
    if after is not None and after.region is not None and not after.region.sections[0].others:
        cut = bisect_left(parsed.starts, at) if parsed.text.strip("\ufeff") else 0
        added = len(after.starts) - len(parsed.starts)
        if _outside(parsed, range(cut, cut)) == _outside(after, range(cut, after.region.last_line), added):
            return text
    raise DocumentRefused(
        f"{name}: no region can be placed there safely (an open fence or HTML block above?); nothing was written",
        hint="close what is open, or name another place with --after HEADING",
    )


def _outside(parsed: _Parsed, hidden: range, shift: int = 0) -> list[_Shape]:
    """The tokens that do not start on a ``hidden`` line, those behind it moved up by ``shift``.

    Ends of blocks are given without trailing blank lines, which belong to no block.
    """
    lines = split_lines(parsed.text)
    found: list[_Shape] = []
    for kind, tag, level, span, content in parsed.shape:
        if span is None or span[0] in hidden:
            continue
        stop = min(span[1], len(lines))
        while stop > span[0] + 1 and not lines[stop - 1].strip():
            stop -= 1
        moved = shift if span[0] >= hidden.stop else 0
        found.append((kind, tag, level, (span[0] - moved, stop - moved), content))
    return found
