"""What is true of every document and every memory, whatever stands in them.

Each check returns what became of its input, in a few words that can be counted, and raises
AssertionError where an invariant does not hold. An error that is no IntermemError goes through:
it is a failure too. The parser here is one of our own; nothing is asked of ``core.regions`` about itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby

from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from intermem.core.entries.identity import identity, normalised
from intermem.core.entries.scanner import Scanned, scan_memory
from intermem.core.markdown.items import rendered_item
from intermem.core.markdown.lines import line_starts, split_lines
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Region, find_region
from intermem.core.region.place import place_region, remove_region
from intermem.entities import Entry
from intermem.errors import DocumentRefused, EditRefused, IntermemError, UnreadableFile
from tests.core.entries.structure import structure_of

NAME = "AGENTS.md"
REFUSALS = (DocumentRefused, EditRefused, UnreadableFile)

_MARKER = re.compile(r" {0,3}<!--[ \t]*intermem:(begin|end)[ \t]*-->[ \t]*")
_CONFLICT = re.compile(r"(?m)^<{7} [\s\S]*^>{7} ")
_PLACE = re.compile(r"^AGENTS\.md(?::\d+)?: |'.*'")
_DEFINITION = re.compile(r"[ ]{0,3}\[")

# Of a block: its token's type, level and content.
Shape = tuple[str, int, str]


def kind_of(error: IntermemError) -> str:
    """What kind of refusal ``error`` is: its code and message without places and numbers."""
    what = _PLACE.sub("", error.message).split(" (")[0].split(";")[0]
    return f"{error.code}: {what}"


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").use(front_matter_plugin)


def markers_and_blocks(text: str) -> tuple[list[tuple[str, int]], list[Shape], bool]:
    """Return the top-level markers with their lines (from 1), the blocks outside them, and whether all is sound.

    Sound is a text in which no HTML block holds a marker's line but the markers themselves.
    """
    parser = _parser()
    parser.core.ruler.enableOnly(["normalize", "block"])
    markers: list[tuple[str, int]] = []
    outside: list[Shape] = []
    is_sound = True
    for token in parser.parse(text.removeprefix("\ufeff") + "\n"):
        lines = split_lines(token.content)
        written = [match[1] for line in lines if (match := _MARKER.fullmatch(line))]
        if token.type == "html_block" and token.level == 0 and len(written) == len(lines) == 1 and token.map:
            markers.append((written[0], token.map[0] + 1))
            continue
        is_sound = is_sound and not (token.type == "html_block" and token.level == 0 and written)
        if [kind for kind, _ in markers] != ["begin"]:
            outside.append((token.type, token.level, token.content.rstrip()))
    return markers, outside, is_sound


def outside_of(text: str, region: Region) -> tuple[str, str]:
    """The text before the body of the region and behind it."""
    return text[: region.start], text[region.stop :]


def items_of(text: str, region: Region) -> Counter[tuple[str, str]]:
    """The items with the bytes that they stand with."""
    return Counter((item.id, text[item.start : item.stop]) for item in region.items)


def region_of(text: str) -> Region:
    """The region of a text that must have one."""
    region = find_region(text, NAME)
    assert region is not None
    return region


def judged(text: str) -> str:
    """A document is ordinary text, has a region or is refused, and each only where that is right."""
    try:
        region = find_region(text, NAME)
    except REFUSALS as error:
        if isinstance(error, DocumentRefused):
            markers, _, is_sound = markers_and_blocks(text)
            is_pair = [kind for kind, _ in markers] == ["begin", "end"]
            assert not (is_pair and is_sound) or _CONFLICT.search(text), "a sound region was refused"
            assert markers or not is_sound, "a document without markers was refused"
        return f"refused, {kind_of(error)}"
    markers, _, is_sound = markers_and_blocks(text)
    assert is_sound, "a marker inside an HTML block was overlooked"
    if region is None:
        assert markers == [], "a marker was taken for ordinary text"
        return "ordinary text"
    assert markers == [("begin", region.first_line), ("end", region.last_line)]
    _is_whole(text, region)
    return "a region"


def _is_whole(text: str, region: Region) -> None:
    """Offsets, lines and sections of the region fit each other and the text."""
    starts = line_starts(text)
    assert (region.begin, region.start) == (starts[region.first_line - 1], starts[region.first_line])
    assert (region.stop, region.end) == (starts[region.last_line - 1], starts[region.last_line])
    assert _MARKER.fullmatch(text[region.begin : region.start].removeprefix("\ufeff").rstrip("\r\n"))
    assert _MARKER.fullmatch(text[region.stop : region.end].rstrip("\r\n"))
    at = region.start
    for section in region.sections:
        assert section.start == at <= section.heading_stop
        at = section.heading_stop
        for item in section.items:
            assert at <= item.start < item.stop
            at = item.stop
        assert at <= section.stop
        at = section.stop
    assert at == region.stop


def placed_and_removed(text: str, after: str | None = None) -> str | None:
    """Place a region and take it away again; return the text with it, None where it was refused or is there already."""
    placed = place_region(text, NAME, after=after)
    if find_region(text, NAME) is not None:
        assert placed == text
        return None
    region = region_of(placed)
    assert region.ids == () and region.lines == 0
    assert remove_region(placed, NAME) == text
    assert place_region(placed, NAME, after=after) == placed
    tail = placed[region.end :]
    kept = len(text) - len(tail)
    assert text[kept:] == tail and placed.startswith(text[:kept])
    assert placed[kept : region.begin].strip() == ("## Project memory" if after is None else "")
    markers, blocks, is_sound = markers_and_blocks(placed)
    assert is_sound and [kind for kind, _ in markers] == ["begin", "end"]
    heading = [("heading_open", 0, ""), ("inline", 1, "Project memory"), ("heading_close", 0, "")]
    assert blocks == markers_and_blocks(text)[1] + (heading if after is None else [])
    return placed


def taken_away(text: str) -> str:
    """Only the region, its own heading and blank lines before it leave with ``remove_region``; no line ends fuse."""
    region = region_of(text)
    rest = remove_region(text, NAME)
    tail = text[region.end :]
    assert rest.endswith(tail)
    head = rest[: len(rest) - len(tail)] if tail else rest
    assert text[: region.start].startswith(head)
    own = text[len(head) : region.begin].strip("\ufeff \t\r\n")
    assert own in ("", "## Project memory"), "a line above the region went with it"
    assert not (head.endswith("\r") and tail.startswith("\n")), "two line ends became one"
    return "taken away"


def added_and_removed(document: str, addition: Addition) -> str:
    """Add an entry to a document with a region, then take it out again."""
    before = region_of(document)
    standing = addition.id in before.ids
    grown = edited(document, NAME, add=[addition])
    if standing:
        assert grown == document
        return "stands already"
    _is_the_edit(document, grown, expected=[*before.ids, addition.id])
    after = region_of(grown)
    assert items_of(grown, after) >= items_of(document, before), "another item's bytes have changed"
    again = edited(grown, NAME, add=[addition])
    assert again == grown
    _reads_back(grown, after, addition)
    back = edited(grown, NAME, remove=[addition.id])
    _is_the_edit(grown, back, expected=before.ids)
    assert items_of(back, region_of(back)) == items_of(document, before), "another item's bytes have changed"
    return "added, and gone without a trace" if back == document else "added, and gone leaving blank lines or a heading"


def removed_and_added(document: str, number: int) -> str:
    """Take an item out of a region, then put it back."""
    before = region_of(document)
    if not before.items:
        return "nothing to remove"
    item = before.items[number % len(before.items)]
    shrunk = edited(document, NAME, remove=[item.id])
    kept = [key for key in before.ids if key != item.id]
    _is_the_edit(document, shrunk, expected=kept)
    others = Counter({key: count for key, count in items_of(document, before).items() if key[0] != item.id})
    assert items_of(shrunk, region_of(shrunk)) == others, "another item's bytes have changed"
    if not normalised(item.text):
        return "removed, an item without words"
    try:
        back = edited(shrunk, NAME, add=[Addition(item.text, item.section)])
    except EditRefused:
        return "removed, and refused when it came back"
    _is_the_edit(shrunk, back, expected=[*kept, item.id])
    assert items_of(back, region_of(back)) >= others, "another item's bytes have changed"
    return "removed, and put back"


def _is_the_edit(document: str, result: str, *, expected: Sequence[str]) -> None:
    """``result`` holds the ``expected`` entries, and all of ``document`` outside its region."""
    before, after = region_of(document), region_of(result)
    assert outside_of(result, after) == outside_of(document, before), "bytes outside the region have changed"
    assert sorted(after.ids) == sorted(expected), "the region does not hold what it should"
    old, new = markers_and_blocks(document), markers_and_blocks(result)
    assert [kind for kind, _ in new[0]] == ["begin", "end"] and new[2]
    assert new[1] == old[1], "blocks outside the region have changed"


def _reads_back(grown: str, region: Region, addition: Addition) -> None:
    """The written item is the same entry to a scanner that knows nothing of regions."""
    (item,) = (item for item in region.items if item.id == addition.id)
    assert identity(item.text) == addition.id
    ids = {entry.id for entry in scan_memory({"notes.md": grown[item.start : item.stop]}).entries}
    assert ids == {addition.id}


def scanned(files: Mapping[str, str]) -> str:
    """A memory is read: the same each time, every line is somebody's, and no entry has words of its own making."""
    found = scan_memory(files)
    assert scan_memory(dict(reversed(files.items()))) == found
    for name, text in files.items():
        if any(problem.where == name and problem.fatal for problem in found.problems):
            continue
        lines = split_lines(text.removeprefix("\ufeff"))
        _is_owned(found, name, text, lines)
        for entry in found.entries:
            if entry.source.file == name:
                _is_cut(entry, lines)
    return f"read, {'entries' if found.entries else 'no entries'}{' and problems' if found.problems else ''}"


def _is_owned(found: Scanned, name: str, text: str, lines: Sequence[str]) -> None:
    """Every line with words is part of one entry, or of structure."""
    pieces = structure_of(found, name, text)
    assert [(kind, number, lines[number - 1]) for kind, number in pieces if kind in ("lost", "doubled")] == []
    for kind, group in groupby(pieces, key=lambda piece: piece[0]):
        sources = [lines[number - 1] for _, number in group]
        if kind == "link definition":
            assert _DEFINITION.match(sources[0]) or not _squeezed("".join(sources)).strip("\ufeff"), sources


def _is_cut(entry: Entry, lines: Sequence[str]) -> None:
    """Nothing is re-rendered: an entry ends in its source lines, white space apart, without a first list marker."""
    assert entry.id == identity(entry.text)
    assert normalised(entry.text)
    source = _squeezed("\n".join(lines[entry.source.first_line - 1 : entry.source.last_line]))
    without = re.sub(r"^(?:[-*+]|\d{1,9}[.)])", "", source)
    text = _squeezed(entry.text)
    assert text.endswith((source, without)), (entry.text, source)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def reread(entry: Entry, marker: str, end: str) -> str:
    """An entry keeps its identity as an item of a region, whatever the marker and the line end."""
    document = end.join(["# P", "", BEGIN, f"{marker} neighbour", END, "", "tail", ""])
    try:
        grown = edited(document, NAME, add=[Addition(entry.text, "")])
    except EditRefused as error:
        return f"refused, {kind_of(error)}"
    region = region_of(grown)
    assert entry.id in region.ids
    again = {one.id for one in scan_memory({"again.md": grown[region.start : region.stop]}).entries}
    assert entry.id in again
    # Below another item: a table without leading pipes is none in the first item of a list.
    rendered = f"{marker} neighbour{end}{rendered_item(entry.text, marker, end)}"
    assert {one.id for one in scan_memory({"again.md": rendered}).entries} == {entry.id, identity("neighbour")}
    return "reads back"
