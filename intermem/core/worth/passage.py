"""Passages: the verbatim parts of a note that could stand in a document by themselves.

A passage is the beginning of a paragraph or of a list item, as many of its sentences as fit; or the whole note.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from intermem.core.markdown.inline import Span, code_spans, fence_spans
from intermem.core.worth.signs import CODE, DIVIDED, PART
from intermem.core.worth.words import Words
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_BLOCKS = 100  # of one note that are looked at; no note of 5,308 real ones has more
_ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_BREAK = regex(rf"\n(?=[ \t]*(?:[-*+]|\d{{1,3}}[.)])[ \t])|\n[ \t]*(?:\n[ \t]*)+|{PART}")
_SENTENCE = regex(r"(?<=[.!?])[\"”’)*_]{0,3}(?=\s+[\"“*_`(\[\w])|(?<=[。！？])")
_ABBREVIATED = regex(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|ca|bzw|z\.B|ex|No|Nr|p)|(?:^|\s)\d+)\.$")
_LABEL = regex(
    r"(?:\*\*|__)([^*_\n]{1,80}?)(?:(?:\*\*|__)[ \t]*[:：—–-]|[:：](?:\*\*|__)|[.。](?:\*\*|__))[ \t]*"
    r"|([A-Z][\w ]{1,24}|Why|原因|이유)[:：] "
)
_APPLIES = regex(
    r"(?:how to apply|how to use|cómo aplicar|como aplicar|anwendung|как применять|如何应用|适用|应用"
    r"|적용(?: 방법)?|対応)$"
)


@dataclass(frozen=True)
class Note:
    """A note as it stands in the memory: its text, its heading, its type, and the file that holds it."""

    text: str
    section: str = ""
    type: str = ""
    source_file: str = ""

    @cached_property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """The paragraphs, list items and fences, as half-open spans without white space around them."""
        found: list[tuple[int, int]] = []
        at = 0
        for fence in fence_spans(self.text):
            found += self._prose_blocks(at, fence.start)
            found.append((fence.start, fence.stop))
            at = fence.stop
        found += self._prose_blocks(at, len(self.text))
        return tuple(found[:_BLOCKS])

    @cached_property
    def is_divided(self) -> bool:
        """Whether it is divided into a rule, its *Why* and its *How to apply*."""
        return DIVIDED.search(self.text) is not None

    def _prose_blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        at = start
        for match in _BREAK.finditer(self.text, start, stop):
            yield from _trimmed(self.text, at, match.start())
            at = match.end()
        yield from _trimmed(self.text, at, stop)


@dataclass(frozen=True)
class Passage:
    """A part of a note that could stand by itself, as a half-open span.

    ``number`` counts the blocks before it; ``applies``: it is the part that says how to apply the note.
    """

    note: Note
    start: int
    stop: int
    number: int
    applies: bool = False

    @cached_property
    def text(self) -> str:
        return self.note.text[self.start : self.stop]

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the note is left out."""
        return not self.note.text[: self.start].strip() and not self.note.text[self.stop :].strip()

    @cached_property
    def unfenced(self) -> str:
        """The text without its fences."""
        at, parts = 0, list[str]()
        for fence in fence_spans(self.text):
            parts.append(self.text[at : fence.start])
            at = fence.stop
        return "".join((*parts, self.text[at:]))

    @cached_property
    def code(self) -> list[Span]:
        """The code spans outside fences."""
        return code_spans(self.unfenced)

    @cached_property
    def prose(self) -> str:
        """The text in lower case without code: each code span is one ``CODE``, and fences are gone."""
        at, parts = 0, list[str]()
        for span in self.code:
            parts += [self.unfenced[at : span.start], CODE]
            at = span.stop
        return "".join((*parts, self.unfenced[at:])).casefold()

    @cached_property
    def words(self) -> Words:
        """``prose`` as words."""
        return Words(self.prose)

    @cached_property
    def label(self) -> str:
        """The label in front (``**Gotcha:**``), in lower case; empty if there is none."""
        found = _LABEL.match(self.text)
        return (found[1] or found[2]).strip(" :：").casefold() if found else ""

    @property
    def label_end(self) -> int:
        """Where the label in front ends in the note; where the passage begins if it has none."""
        found = _LABEL.match(self.text)
        return self.start + (found.end() if found else 0)

    @cached_property
    def body(self) -> str:
        """``prose`` without the label and marks in front."""
        found = _LABEL.match(self.text)
        prose = self.prose
        if found and CODE not in prose[: found.end()]:
            prose = prose[found.end() :]
        return prose.lstrip(' \t\n*_"“(（「')


def passages(note: Note, max_chars: int) -> Iterator[Passage]:
    """Yield the passages of a note that are at most ``max_chars`` long: each block's beginning, and the whole."""
    blocks = note.blocks
    whole = blocks[-1][1] - blocks[0][0] <= max_chars if blocks else False
    if whole:
        yield Passage(note, blocks[0][0], blocks[-1][1], 0)
        if len(blocks) == 1:
            return
    announced = False  # by a label on a line of its own
    for number, (start, stop) in enumerate(blocks):
        item = _ITEM.match(note.text, start, stop)
        start = item.end() if item else start
        label = _LABEL.match(note.text, start, stop)
        applies, announced = announced, False
        if label and _APPLIES.search((label[1] or label[2]).strip(" :：").casefold()):
            applies = True
            start = label.end()
        if start >= stop:
            announced = applies
            continue
        if note.text[start:stop].rstrip("*_ ").endswith((":", "：")) and number + 1 < len(blocks):
            stop = _with_followers(note, blocks, number, start, max_chars)
        end = _fitting(note.text, start, stop, max_chars)
        if end > start and not (whole and number == 0 and end == blocks[-1][1]):
            yield Passage(note, start, end, number, applies)


def _with_followers(note: Note, blocks: tuple[tuple[int, int], ...], number: int, start: int, max_chars: int) -> int:
    """Return where a lead-in ends with as many of the items that it leads to as fit."""
    stop = blocks[number][1]
    for _, following in blocks[number + 1 :]:
        if following - start > max_chars:
            break
        stop = following
        if _ITEM.match(note.text, _, following) is None:
            break
    return stop


def _fitting(text: str, start: int, stop: int, max_chars: int) -> int:
    """Return where the last sentence ends that fits; ``start`` if not even the first does."""
    if stop - start <= max_chars:
        return stop
    end = start
    for at in sentence_ends(text, start, stop):
        if at - start > max_chars:
            break
        end = at
    return end


def sentence_ends(text: str, start: int, stop: int) -> Iterator[int]:
    """Yield where the sentences of ``text[start:stop]`` end, and where the last one does."""
    for match in _SENTENCE.finditer(text, start, stop):
        at = match.end()
        if at < stop and not _ABBREVIATED.search(text, max(start, at - 12), at):
            yield at
    yield stop


def _trimmed(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start < stop:
        yield start, stop
