"""Find and parse the marker-delimited region of a document that intermem owns.

``edit`` changes a region, ``place`` creates and removes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.entries.identity import identity, normalised
from intermem.core.markdown.blocks import Block, Shape, blocks_of, outline
from intermem.core.markdown.items import item_text
from intermem.core.markdown.lines import is_blank, line_starts, split_lines, text_stop
from intermem.core.markdown.markers import BEGIN, END, MARKER, may_have_marker, without_old_marker
from intermem.entities import TIER_FOLDER
from intermem.errors import DocumentRefused
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

LEFT_ALONE = "; the document was left alone"  # ends what is said of a damaged region, whatever else the run wrote
BOLD_LEVEL = 7  # below a sixth-level heading a section is a line of bold text

_BOLD = regex(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_TOPIC_FILE = regex(rf"(?<![\w./-]){TIER_FOLDER}/[\w.-]+\.md(?![\w-]|\.\w)")
_NESTED = regex(r"\n(?=[ \t]*(?:[-*+>|`~#]|\d+[.)]|\n|\Z))")
_CONFLICT = regex(r"^(?:<{7} |>{7} |={7}$)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A top-level list item of a region: ``start`` and ``stop`` are the offsets of its lines."""

    id: str
    text: str
    section: str
    marker: str
    start: int
    stop: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading of a region and what is below it.

    ``pointers`` are paragraphs that name topic files of the second tier, which are no entries; ``others`` counts blocks
    that are neither.
    """

    title: str
    start: int
    heading_stop: int
    stop: int
    items: tuple[Item, ...] = ()
    pointers: tuple[Item, ...] = ()
    others: int = 0

    @property
    def lines(self) -> tuple[Item, ...]:
        """Items and pointers, in order of appearance."""
        return tuple(sorted((*self.items, *self.pointers), key=lambda one: one.start))


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The part of a document that intermem owns.

    ``start`` and ``stop`` are character offsets into the document, half-open and inside the
    markers, so ``text[start:stop]`` is the body. ``begin`` and ``end`` include the markers.
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
    def pointers(self) -> tuple[Item, ...]:
        """The lines that name topic files, in order of appearance."""
        return tuple(one for section in self.sections for one in section.pointers)

    @property
    def topic_files(self) -> frozenset[str]:
        """The topic files that are named."""
        return frozenset[str]().union(*(pointed_to(one.text) for one in self.pointers))

    @property
    def ids(self) -> tuple[str, ...]:
        """The identities of the items, in order of appearance."""
        return tuple(item.id for item in self.items)

    @property
    def lines(self) -> int:
        """The number of lines between the markers."""
        return self.last_line - self.first_line - 1


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with the offsets of its lines, its block tokens, its top-level blocks and its region."""

    text: str
    starts: Sequence[int]
    shape: Sequence[Shape]
    region: Region | None
    blocks: Sequence[Block]


def find_region(text: str, name: str) -> Region | None:
    """Return the region of the document ``text``, or None if it has none.

    ``name`` is its file name for errors. Raises DocumentRefused, with the line and a hint, if markers are
    orphaned, duplicate, nested, reversed or part of an HTML block, or if there is a merge conflict inside.
    """
    return parse_document(text, name).region if may_have_marker(text) else None


@lru_cache(maxsize=4)  # an edit reads the document that its caller has just read
def parse_document(text: str, name: str) -> ParsedDocument:
    """Return the document ``text`` with its shape and region. Raises DocumentRefused as ``find_region`` does."""
    shape = outline(text)
    starts = line_starts(text)
    if not may_have_marker(text):
        return ParsedDocument(text, starts, shape, None, blocks_of(text))
    blocks = blocks_of(text)
    markers = markers_of(text, shape, name)
    if not markers:
        return ParsedDocument(text, starts, shape, None, blocks)
    first, last = _one_pair(markers, name)
    body = [block for block in blocks if first < block.first and block.stop <= last]
    level = next((block.level for block in reversed(blocks) if block.type == "heading" and block.first < first), 1)
    level = min(level + 1, BOLD_LEVEL)
    start, stop = starts[first + 1], starts[last]
    if {"<", ">"} <= {match[0][0] for match in _CONFLICT.finditer(text, start, stop)}:
        raise DocumentRefused(
            f"{name}:{first + 1}: merge conflict inside the region{LEFT_ALONE}",
            hint="intermem doctor --repair merges its entries; what it cannot decide is left to you",
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
    return ParsedDocument(text, starts, shape, region, blocks)


def outside(parsed: ParsedDocument, hidden: range, shift: int = 0) -> list[Shape]:
    """Return the tokens that do not start on a ``hidden`` line, those after it moved up by ``shift``.

    Blocks end before trailing blank lines, which belong to no block, and contents have no final line end,
    which the last line of a file may lack.
    """
    lines = split_lines(parsed.text)
    found: list[Shape] = []
    for kind, tag, level, span, content in parsed.shape:
        if span is None or span[0] in hidden:
            continue
        stop = text_stop(lines, span[0], span[1])
        moved = shift if span[0] >= hidden.stop else 0
        found.append((kind, tag, level, (span[0] - moved, stop - moved), content.rstrip("\n")))
    return found


def pointed_to(text: str) -> frozenset[str]:
    """Return the topic files that an item names, in whatever words; none if it is an entry.

    An item of more than one paragraph is an entry.
    """
    return frozenset() if _NESTED.search(text) else frozenset(_TOPIC_FILE.findall(text))


def kept_lines(text: str, region: Region) -> list[str]:
    """Return the lines of a region that belong to no item, pointer or section heading: a person's own."""
    found: list[str] = []
    for section in region.sections:
        at = section.heading_stop
        for line in section.lines:
            found += split_lines(text[at : line.start])
            at = line.stop
        found += split_lines(text[at : section.stop])
    return [line for line in found if not is_blank(line)]


def last_line_of(lines: Sequence[str], block: Block) -> int:
    """Return where ``block`` ends, without the blank lines behind it."""
    return text_stop(lines, block.first, block.stop)


@dataclass(frozen=True, slots=True)
class Sourced:
    """A top-level block: its first line (from 0), and its type and source."""

    first: int
    source: tuple[str, str]


def sources_of(text: str) -> list[Sourced]:
    """Return the blocks of ``text`` with their sources, to check that they did not change."""
    lines = split_lines(text.removeprefix("\ufeff"))
    return [
        Sourced(block.first, (block.type, "\n".join(lines[block.first : last_line_of(lines, block)])))
        for block in blocks_of(text)
    ]


def key_of(text: str) -> tuple[str, str]:
    """Return the key to sort and compare a text by: its normal form, first case-folded."""
    folded = normalised(text)
    return folded.casefold(), folded


def markers_of(text: str, shape: Sequence[Shape], name: str) -> list[tuple[str, int]]:
    """Return the markers as (begin or end, line from 0). Raises DocumentRefused for one inside other HTML."""
    lines = split_lines(text.removeprefix("\ufeff"))
    written = {number: match[1] for number, line in enumerate(lines) if (match := MARKER.match(line))}
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
                f"{name}:{inside[0] + 1}: the marker is part of the HTML above it{LEFT_ALONE}",
                hint=f"a blank line is missing above line {inside[0] + 1}",
            )
    return found


def _one_pair(markers: Sequence[tuple[str, int]], name: str) -> tuple[int, int]:
    kinds = [kind for kind, _ in markers]
    if kinds == ["begin", "end"]:
        return markers[0][1], markers[1][1]
    lines = ", ".join(f"{kind} on line {line + 1}" for kind, line in markers)
    if kinds == ["end", "begin"]:
        what = "the end marker comes before the begin marker"
    elif len(kinds) == 1:
        what = "the begin marker has no end marker" if kinds == ["begin"] else "the end marker has no begin marker"
    else:
        what = "there is more than one region"
    raise DocumentRefused(
        f"{name}:{markers[0][1] + 1}: {what} ({lines}){LEFT_ALONE}",
        hint=f"leave one {BEGIN} and one {END} after it, each alone on its line",
    )


def _sections(
    text: str, starts: Sequence[int], body: Sequence[Block], level: int, start: int, stop: int
) -> tuple[Section, ...]:
    lines = split_lines(text)
    sections: list[Section] = []
    title, opened, heading_stop = "", start, start
    items: list[Item] = []
    pointers: list[Item] = []
    others = 0

    def close(at: int) -> None:
        sections.append(
            Section(
                title=title,
                start=opened,
                heading_stop=heading_stop,
                stop=at,
                items=tuple(items),
                pointers=tuple(pointers),
                others=others,
            )
        )

    for block in body:
        last = last_line_of(lines, block)
        heading = _title_of(block, lines, last, level)
        if heading is not None:
            close(starts[block.first])
            title, opened, heading_stop = heading, starts[block.first], starts[last]
            items, pointers, others = [], [], 0
        elif block.type == "item":
            written = without_old_marker(item_text(lines[block.first : last]))
            (pointers if pointed_to(written) else items).append(
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
    # Link definitions have no tokens, but count as well.
    for number, section in enumerate(sections):
        if not section.others:
            own = Region(begin=0, start=0, stop=0, end=0, first_line=0, last_line=0, level=level, sections=(section,))
            sections[number] = replace(section, others=len(kept_lines(text, own)))
    return tuple(sections)


def _title_of(block: Block, lines: Sequence[str], last: int, level: int) -> str | None:
    if block.type == "heading":
        return " ".join(block.content.split())
    if block.type == "paragraph" and level == BOLD_LEVEL and last == block.first + 1:
        match = _BOLD.fullmatch(lines[block.first].strip())
        return (match[1] or match[2]).strip() if match else None
    return None
