"""Find the markers of phase 1, one after each entry, and move the entries into a region.

``<!-- intermem -->`` or ``<!-- intermem:1a2b3c4d -->`` is at the end of an entry's line, or alone on the line
after it. In code it is not a marker.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from intermem.core.entries.identity import normalised
from intermem.core.markdown.blocks import BOM, Block, blocks_of, tokens_of
from intermem.core.markdown.inline import code_spans
from intermem.core.markdown.items import item_text
from intermem.core.markdown.lines import ends_in_line_end, fitting_line_end, is_blank, line_starts, split_lines
from intermem.core.markdown.markers import OLD_MARKER
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Region, find_region, last_line_of, sources_of
from intermem.core.region.place import place_region
from intermem.errors import EditRefused
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_ANYWHERE = OLD_MARKER
_MARKER = regex(rf"(?:{_ANYWHERE.pattern})+[ \t]*$")
_IN_CELL = regex(rf"{_ANYWHERE.pattern}[ \t]*\|")
_FENCE_END = regex(r"[ \t>]*(`{3,}|~{3,})$")
_JOINED = ("fence", "table", "quote", "html")  # these belong to the block directly above,
_JOINING = ("paragraph", "item")  # if it is one of these


@dataclass(frozen=True, slots=True)
class Marked:
    """An entry with an old marker: its text, the heading above it, the hash in the marker, its line (from 1)."""

    text: str
    section: str
    mark: str | None
    line: int

    @property
    def id(self) -> str:
        """The identity of the text."""
        return Addition(self.text, self.section).id


@dataclass(frozen=True, slots=True)
class Adoption:
    """A document with its marked entries in the region.

    ``orphans`` are the lines (from 1) of markers without entry; the entries ``left`` stay as they are, marker and all.
    """

    text: str
    entries: tuple[Marked, ...] = ()
    orphans: tuple[int, ...] = ()
    left: tuple[Marked, ...] = ()


def unmarked(text: str) -> str:
    """Return the text of a block without old markers, wherever they are in it."""
    return _ANYWHERE.sub("", text)


@dataclass(frozen=True, slots=True)
class _Group:
    """The blocks of one entry; lines from 0, half-open, including those of its markers."""

    blocks: tuple[Block, ...]
    stop: int
    mark: str | None

    @property
    def first(self) -> int:
        return self.blocks[0].first


def adopted(
    text: str,
    name: str,
    *,
    after: str | None = None,
    is_left: Callable[[Marked], bool] = lambda _entry: False,
    leads: Callable[[str], bool] | None = None,
) -> Adoption:
    """Return the document ``text`` with every marked entry moved into its region, which is created if needed.

    Entries for which ``is_left`` is true stay where they are. All other lines keep their bytes and their order,
    including markers without entry. Raises DocumentRefused and EditRefused as ``place_region`` and ``edited`` do,
    EditRefused also if another block would change.
    """
    # A marker on a last line without a line end would remove the line with it; a byte order mark is not text.
    bom = BOM if text.startswith(BOM) else ""
    ended = ends_in_line_end(text)
    whole = text.removeprefix(BOM) + ("" if ended else fitting_line_end(text, len(text)))
    bare, marks, region, groups, strays = _marked(whole, name)
    if not marks:
        return Adoption(text, orphans=tuple(line + 1 for line in strays))
    ours = range(region.first_line - 1, region.last_line) if region is not None else range(0)
    blocks, lines = blocks_of(bare), split_lines(bare)
    orphans = tuple(line + 1 for line in strays)
    left = {group: entry for group in groups if is_left(entry := _entry(group, blocks, lines))}
    strays += [line for line in marks for group in left if group.first <= line < group.stop]
    groups = [group for group in groups if group not in left]
    if not groups:
        return Adoption(text, (), orphans, tuple(left.values()))
    # Markers without entry, and those in the region, are kept.
    kept = _with_lines_of(whole, bare, [*strays, *(line for line in marks if line in ours)])
    rest = _without(kept, groups, name)
    taken = {block.first for group in groups for block in group.blocks}
    if [one.source for one in sources_of(rest)] != [one.source for one in sources_of(kept) if one.first not in taken]:
        raise EditRefused(
            f"{name}: removing the marked entries would change the text beside them; nothing was written",
            hint="put blank lines around them",
        )
    entries = tuple(_entry(group, blocks, lines) for group in groups)
    if not ended:
        rest = rest.removesuffix("\n").removesuffix("\r")
    placed = place_region(bom + rest, name, after=after)
    grown = edited(placed, name, add=[Addition(one.text, one.section) for one in entries], leads=leads)
    return Adoption(grown, entries, orphans, tuple(left.values()))


def marked_entries(text: str, name: str) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return how many entries of the document ``text`` ``adopted`` would move, and the lines of other markers.

    These are those of markers that follow no entry, and of those in the region, which say nothing there. Raises
    DocumentRefused as ``adopted`` does.
    """
    if "intermem" not in text:
        return 0, (), ()
    _, marks, region, groups, strays = _marked(text.removeprefix(BOM), name)
    ours = range(region.first_line - 1, region.last_line) if region is not None else range(0)
    return len(groups), tuple(line + 1 for line in strays), tuple(line + 1 for line in sorted(marks) if line in ours)


def _marked(text: str, name: str) -> tuple[str, dict[int, str | None], Region | None, list[_Group], list[int]]:
    """Return the text without old markers, these by line, its region, and outside it the entries and stray markers."""
    bare, marks = _without_markers(text)
    region = find_region(bare, name) if marks or _IN_CELL.search(bare) else None
    ours = range(region.first_line - 1, region.last_line) if region is not None else range(0)
    outside = {line: mark for line, mark in marks.items() if line not in ours}
    groups, strays = _grouped(blocks_of(bare), split_lines(bare), outside)
    cells = (line for line in _in_cells(bare) if line not in ours)
    return bare, marks, region, groups, sorted({*strays, *cells})


def _in_cells(bare: str) -> Iterator[int]:
    """Yield the lines (from 0) with a marker at the end of a cell of a table."""
    found = {number: match for number, line in enumerate(split_lines(bare)) if (match := _IN_CELL.search(line))}
    if found:
        fences, spans = _code(bare, line_starts(bare), found)
        yield from (number for number in found if number not in fences and number not in spans)


def _without_markers(text: str) -> tuple[str, dict[int, str | None]]:
    """Return the text without the markers outside code, and their hashes by line (from 0).

    A marker after the closing line of a fence keeps the fence open. What follows is parsed correctly only once
    that marker is removed, so the search starts again after each of those.
    """
    marks: dict[int, str | None] = {}
    while True:
        starts, lines = line_starts(text), split_lines(text)
        found = {number: match for number, line in enumerate(lines) if (match := _MARKER.search(line))}
        fences, spans = _code(text, starts, found)
        closing = next((number for number in sorted(found) if _closes(found[number], fences.get(number, ""))), None)
        if closing is not None:
            found = {closing: found[closing]}
        else:
            found = {number: match for number, match in found.items() if number not in fences and number not in spans}
        for number, match in sorted(found.items(), reverse=True):
            marks[number] = match[1].lower() if match[1] else None
            at = starts[number]
            text = text[: at + match.start()] + text[at + match.end() :]
        if closing is None:
            return text, marks


def _code(text: str, starts: Sequence[int], found: Mapping[int, re.Match[str]]) -> tuple[dict[int, str], set[int]]:
    """Return the lines of code blocks with their fence, and the lines of markers in a code span or other HTML."""
    fences: dict[int, str] = {}
    spans: set[int] = set()
    for token in tokens_of(text):
        if token.map is None:
            continue
        first, stop = token.map[0], min(token.map[1], len(starts) - 1)
        if token.type in ("fence", "code_block"):
            fences |= dict.fromkeys(range(first + 1 if token.markup else first, stop), token.markup)
        elif token.type == "html_block" and not _MARKER.fullmatch(token.content.rstrip("\r\n")):
            spans |= {number for number in range(first, stop) if number in found}
        elif token.type == "inline":
            here = [number for number in range(first, stop) if number in found]
            for span in code_spans(text[starts[first] : starts[stop]]) if here else ():
                inside = range(starts[first] + span.start, starts[first] + span.stop)
                spans |= {number for number in here if starts[number] + found[number].start() in inside}
    return fences, spans


def _closes(match: re.Match[str], fence: str) -> bool:
    """Return whether this is the closing line of ``fence`` with a marker after it."""
    sign = _FENCE_END.fullmatch(match.string[: match.start()])
    return bool(fence) and sign is not None and sign[1][0] == fence[0] and len(sign[1]) >= len(fence)


def _grouped(
    blocks: Sequence[Block], lines: Sequence[str], marks: Mapping[int, str | None]
) -> tuple[list[_Group], list[int]]:
    """Return the marked entries, and the lines of markers without entry."""
    ends = [last_line_of(lines, block) for block in blocks]
    marked: dict[int, tuple[int, str | None]] = {}
    strays: list[int] = []
    for line, mark in sorted(marks.items()):
        index = bisect_right(blocks, line, key=lambda block: block.first) - 1
        # The marker's line is blank without it, or part of the entry, but not a link definition.
        behind = index >= 0 and all(is_blank(row) for row in lines[ends[index] : line + 1])
        # Formatters put a blank line below a list, but none into a paragraph, unless it has a marker already; what
        # leads the next line is not below.
        kind = blocks[index].type if behind else ""
        leads = line + 1 < len(lines) and not is_blank(lines[line + 1])
        parted = behind and any(number not in marks for number in range(ends[index], line))
        is_apart = parted and (leads or (kind == "paragraph" and index not in marked))
        if is_apart or kind not in ("item", "paragraph", *_JOINED):
            strays.append(line)
            continue
        stop, earlier = marked.get(index, (0, None))
        marked[index] = (max(stop, line + 1, ends[index]), earlier or mark)
    groups: list[_Group] = []
    for index, (stop, mark) in sorted(marked.items()):
        whole = [blocks[index]]
        above = index - 1
        if whole[0].type in _JOINED and above >= 0 and above not in marked and blocks[above].type in _JOINING:
            between = lines[ends[above] : whole[0].first]
            lead_in = lines[ends[above] - 1].rstrip().endswith(":") and all(is_blank(row) for row in between)
            if ends[above] == whole[0].first or lead_in:
                whole.insert(0, blocks[above])
        group = _Group(tuple(whole), stop, mark)
        if _is_entry(group, lines):
            groups.append(group)
        else:
            strays += [line for line in marks if group.first <= line < stop]
    return groups, sorted(strays)


def _is_entry(group: _Group, lines: Sequence[str]) -> bool:
    """Return False for what cannot become a list item: HTML, indented code, an item without words."""
    if group.blocks[0].type == "html" or any(one.type == "fence" and not one.markup for one in group.blocks):
        return False
    return bool(normalised(_text_of(group, lines)))


def _entry(group: _Group, blocks: Sequence[Block], lines: Sequence[str]) -> Marked:
    above = [block for block in blocks if block.type == "heading" and block.first < group.first]
    section = " ".join(above[-1].content.split()) if above and above[-1].level > 1 else ""
    return Marked(_text_of(group, lines), section, group.mark, group.first + 1)


def _text_of(group: _Group, lines: Sequence[str]) -> str:
    parts: list[str] = []
    last = group.first
    for block in group.blocks:
        source = list(lines[block.first : last_line_of(lines, block)])
        parts += [""] * (block.first - last)
        parts.append(item_text(source) if block.type == "item" else "\n".join(source).lstrip(" "))
        last = last_line_of(lines, block)
    return "\n".join(parts).strip("\n")


def _with_lines_of(text: str, bare: str, numbers: Sequence[int]) -> str:
    """Return ``bare`` with the lines ``numbers`` taken from ``text``, which has as many lines."""
    starts, old = line_starts(bare), line_starts(text)
    for number in sorted(numbers, reverse=True):
        whole = text[old[number] : old[number + 1]]
        bare = bare[: starts[number]] + whole + bare[starts[number + 1] :]
    return bare


def _without(text: str, groups: Sequence[_Group], name: str) -> str:
    """Return the text without the lines of ``groups``, and without the blank lines that only they needed."""
    starts, lines = line_starts(text), split_lines(text)
    owned = {
        number for group in groups for one in group.blocks for number in range(one.first, last_line_of(lines, one))
    }
    gone = {number for group in groups for number in range(group.first, group.stop)}
    blank = [is_blank(line) for line in lines]
    if any(not blank[number] for number in gone - owned):
        raise EditRefused(
            f"{name}: a marked entry contains a line that belongs to no block; nothing was written",
            hint="look for a link definition, and move it",
        )
    for first, stop in _runs(gone, blank):
        inner = {number for number in range(first, stop) if number not in gone}
        before, behind = first, stop
        while before > 0 and blank[before - 1]:
            before -= 1
        while behind < len(lines) and blank[behind]:
            behind += 1
        if behind == len(lines):
            gone |= set(range(before, behind))
        elif before == 0 or before < first:
            gone |= inner | set(range(stop, behind))
        elif behind > stop or not inner:
            gone |= inner
        else:
            gone |= inner - {min(inner)}  # one blank line still separates the two neighbours
    kept = [text[starts[number] : starts[number + 1]] for number in range(len(lines)) if number not in gone]
    return "".join(kept)


def _runs(gone: set[int], blank: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the lines to remove as runs, half-open, including the blank lines between them."""
    runs: list[tuple[int, int]] = []
    for number in sorted(gone):
        if runs and all(blank[runs[-1][1] : number]):
            runs[-1] = (runs[-1][0], number + 1)
        else:
            runs.append((number, number + 1))
    return runs
