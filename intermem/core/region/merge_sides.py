"""One side of a merge: the entries and headings of a region, each with its own bytes and what stands above it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import field, replace
from itertools import pairwise

from intermem.core.markdown.lines import is_blank, line_end_of, split_lines, unified
from intermem.core.region.parse import Item, Region, Section, find_region, kept_lines, key_of
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

START, HEADING, ITEM, END = "start", "heading", "item", "end"

_BLANK_LINE = regex(r"[ \t]*(?:\r\n|\n|\r)")
_SIGN = regex(r"^(?:<{7,}|>{7,})(?: |$)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """An item, a heading, or the end of a region.

    ``key`` is the identity of an item or the key of a heading, ``section`` the key of the heading that it is below.
    ``source`` are its lines, ``before`` the lines between it and the piece above, whose kind is ``below``.
    """

    kind: str
    key: str
    section: str
    text: str = ""
    source: str = ""
    marker: str = ""
    before: str = ""
    below: str = START

    @property
    def own(self) -> tuple[str, ...]:
        """The lines above it that are not blank: a person's own."""
        return tuple(line for line in split_lines(self.before) if not is_blank(line))

    @property
    def own_source(self) -> str:
        """The lines above it from the first that is not blank."""
        at = 0
        while match := _BLANK_LINE.match(self.before, at):
            at = match.end()
        return self.before[at:]


@dataclass(frozen=True, slots=True)
class Side:
    """A region in pieces; an identity counts once, where it stands first."""

    body: str = ""
    items: dict[str, Piece] = field(default_factory=dict)
    headings: dict[str, Piece] = field(default_factory=dict)
    end: Piece = field(default_factory=lambda: Piece(kind=END, key="", section=""))
    own: Counter[str] = field(default_factory=Counter)

    @property
    def is_loose(self) -> bool:
        """Whether blank lines separate items."""
        return any(piece.below == ITEM and piece.before for piece in self.items.values())

    @property
    def sections(self) -> list[str]:
        """The keys of its sections in order; what is above the first heading has none."""
        return ["", *self.headings]

    def pieces(self) -> Iterator[Piece]:
        """Yield its pieces in order, the end last."""
        below: dict[str, list[Piece]] = {}
        for piece in self.items.values():
            below.setdefault(piece.section, []).append(piece)
        for section in self.sections:
            if section:
                yield self.headings[section]
            yield from below.get(section, ())
        yield self.end

    def own_sections(self) -> set[str]:
        """Return the sections that hold lines of a person's own: they are above what follows there."""
        return {piece.section for piece, following in pairwise(self.pieces()) if following.own}

    def with_line_end(self, end: str) -> Side:
        """Return this side with ``end`` for its line ends."""

        def ended(piece: Piece) -> Piece:
            source, before = (unified(text).replace("\n", end) for text in (piece.source, piece.before))
            return replace(piece, source=source, before=before)

        return replace(
            self,
            body=unified(self.body).replace("\n", end),
            items={key: ended(piece) for key, piece in self.items.items()},
            headings={key: ended(piece) for key, piece in self.headings.items()},
            end=ended(self.end),
        )


def side_of(text: str, name: str) -> Side | None:
    """Return the region of ``text`` in pieces, None if it has none. Raises DocumentRefused if it is damaged."""
    region = find_region(text, name)
    if region is None:
        return None
    items: dict[str, Piece] = {}
    headings: dict[str, Piece] = {}
    for piece in (pieces := _pieces(text, region)):
        if piece.kind == ITEM:
            items.setdefault(piece.key, piece)
        elif piece.kind == HEADING:
            headings[piece.key] = piece
    return Side(text[region.start : region.stop], items, headings, pieces[-1], Counter(kept_lines(text, region)))


def has_signs(body: str) -> bool:
    """Return whether a region has the signs of a conflict, however long."""
    return _SIGN.search(body) is not None


def section_keys(region: Region) -> list[str]:
    """Return the key of each section; of several with the same words, the later ones have keys of their own."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for section in region.sections:
        key = key_of(section.title)[0]
        seen[key] += 1
        found.append(key if seen[key] == 1 else f"{key}\0{seen[key]}")
    return found


def _pieces(text: str, region: Region) -> list[Piece]:
    found: list[Piece] = []
    at, below, section_key = region.start, START, ""
    for section_key, section in zip(section_keys(region), region.sections, strict=True):
        stand: list[Section | Item] = [*([section] if section_key else []), *section.lines]
        for one in stand:
            before = text[at : one.start]
            if isinstance(one, Item):
                stop, key, words, marker, kind = one.stop, one.id, one.text, one.marker, ITEM
            else:
                stop, key, words, marker, kind = one.heading_stop, section_key, one.title, "", HEADING
            source = text[one.start : stop]
            found.append(
                Piece(
                    kind=kind,
                    key=key,
                    section=section_key,
                    text=words,
                    source=source,
                    marker=marker,
                    before=before,
                    below=below,
                )
            )
            at, below = stop, kind
    found.append(Piece(kind=END, key="", section=section_key, before=text[at : region.stop], below=below))
    return found


def line_end_for(base: str | None, ours: str, theirs: str) -> str:
    """Return the line end of the merge: that of the side that changed it, else of ``ours``."""
    mine, other = line_end_of(ours), line_end_of(theirs)
    return other if base is not None and line_end_of(base) == mine else mine
