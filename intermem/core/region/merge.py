"""Merge a region by the identity of its entries: three texts in, one body out.

Each entry is merged by itself, so neither order nor neighbours conflict. What one side removed and the other left
alone is out, also if it moved it; what one side reworded takes the new words at the place of the side that moved it.
Two wordings of one entry, a wording of what the other side removed, and two names for a heading are conflicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence

from intermem.core.markdown.lines import line_end_of
from intermem.core.region.merge_fates import Fate, Version, fates_of, heading_fate, versions_of
from intermem.core.region.merge_order import merged_order
from intermem.core.region.merge_sides import (
    END,
    HEADING,
    ITEM,
    START,
    Piece,
    Side,
    has_signs,
    line_end_for,
    section_keys,
    side_of,
)
from intermem.core.region.parse import find_region, kept_lines, key_of
from intermem.errors import DocumentRefused
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Signs:
    """How a conflict is written: the names of the sides, that of the base if it is shown too, and the signs' length."""

    ours: str = "ours"
    theirs: str = "theirs"
    base: str | None = None
    size: int = 7


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two wordings of an entry or a heading; None where that side removed it."""

    ours: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True)
class _Block:
    """Something that stands in the merged region, and what is above it: the lines before the piece ``above``."""

    kind: str
    section: str
    fate: Fate
    above: Piece
    is_loose: bool
    base: Piece | None = None


@dataclass(frozen=True, slots=True)
class RegionMerge:
    """A merged region: its conflicts, and the entries that were left out (id and text).

    ``whole`` is the body if it is simply that of one side.
    """

    conflicts: tuple[Conflict, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    blocks: tuple[_Block, ...] = ()
    line_end: str = "\n"
    whole: str | None = None

    def body(self, signs: Signs | None = None) -> str:
        """Return the body, conflicts between ``signs``; without, both wordings stand, and the name that we have."""
        return self.whole if self.whole is not None else _written(self.blocks, signs, self.line_end)


def merged_region(
    base: str | None,
    ours: str,
    theirs: str,
    name: str,
    *,
    unwanted: Container[str] = (),
    decided: Container[str] = (),
    leads: Callable[[str], bool] | None = None,
) -> RegionMerge:
    """Return the merge of the regions of ``ours`` and ``theirs``; ``base`` is their common ancestor, if known.

    A base without a region counts as an empty one. Identities that are ``unwanted`` are left out, and those that are
    ``decided`` clash with nothing; additions of both sides in one place are sorted, those that ``leads`` first. Raises
    DocumentRefused if a region is missing, damaged or in conflict, or if both sides changed lines that are not entries.
    """
    end = line_end_for(base, ours, theirs)
    mine, other = (_side(text, name, end) for text in (ours, theirs))
    if mine is None or other is None:
        raise DocumentRefused(f"{name} has no region on one side; nothing was written", hint="resolve it by hand")
    was = (_side(base, name, end) if base is not None else None) or Side()
    if any(has_signs(side.body) for side in (was, mine, other)):
        raise DocumentRefused(f"{name}: merge conflict inside the region; nothing was written")
    chosen = _unchanged(was, mine, other, unwanted)
    if chosen is not None:
        return chosen
    versions = versions_of(was, mine, other)
    fates = fates_of(was, *versions, unwanted, decided)
    blocks = _Merge(name, was, *versions, fates, leads).blocks()
    left_out = sorted(
        {
            (piece.key, " ".join(piece.text.split()))
            for version in versions
            for key, piece in version.items.items()
            if not fates[key].pieces
        }
    )
    conflicts = [Conflict(*(_words(piece) for piece in (one.fate.ours, one.fate.theirs))) for one in _clashes(blocks)]
    merge = RegionMerge(tuple(conflicts), tuple(left_out), tuple(blocks), end)
    _prove(merge, ours, name, _own_lines(was.own, mine.own, other.own))
    return merge


def with_body(text: str, name: str, body: str) -> str:
    """Return the document ``text`` with ``body`` in its region; one without a region comes back as it is."""
    region = find_region(text, name)
    return text if region is None else text[: region.start] + body + text[region.stop :]


def _side(text: str, name: str, end: str) -> Side | None:
    side = side_of(text, name)
    return side if side is None or line_end_of(text) == end else side.with_line_end(end)


def _unchanged(base: Side, ours: Side, theirs: Side, unwanted: Container[str]) -> RegionMerge | None:
    """Return the merge if one side left the region alone, or both have it alike."""
    if any(key in unwanted for side in (ours, theirs) for key in side.items):
        return None
    if ours.body == theirs.body or theirs.body == base.body:
        kept, left = ours, theirs
    elif ours.body == base.body:
        kept, left = theirs, ours
    else:
        return None
    gone = [(key, " ".join(piece.text.split())) for key, piece in left.items.items() if key not in kept.items]
    return RegionMerge(left_out=tuple(sorted(gone)), whole=kept.body)


def _words(piece: Piece | None) -> str | None:
    return " ".join(piece.text.split()) if piece is not None else None


def _clashes(blocks: Sequence[_Block]) -> list[_Block]:
    return [block for block in blocks if block.fate.clash]


@dataclass(frozen=True, slots=True)
class _Merge:
    """The three sides, and what becomes of each item."""

    name: str
    base: Side
    ours: Version
    theirs: Version
    fates: dict[str, Fate]
    leads: Callable[[str], bool] | None

    def blocks(self) -> list[_Block]:
        """Return what stands, in order, the end last."""
        homes = {key: self._home(key) for key, fate in self.fates.items() if fate.pieces}
        found: list[_Block] = []
        seen: set[str] = set()
        for section in self._sections(set(homes.values())):
            if section:
                found.append(self._heading(section))
            for key in self._items(section, homes):
                fate = self.fates[key]
                if fate.clash or fate.pieces[0].key not in seen:
                    seen |= {piece.key for piece in fate.pieces}
                    found.append(self._block(ITEM, section, fate, *self._three(key)))
        ends = self.base.end, self.ours.side.end, self.theirs.side.end
        return [*found, self._block(END, "", Fate(ours=self.ours.side.end), *ends)]

    def _three(self, key: str) -> tuple[Piece | None, Piece | None, Piece | None]:
        return self.base.items.get(key), self.ours.items.get(key), self.theirs.items.get(key)

    def _home(self, key: str) -> str:
        """Return the section of an item: where the side that moved it has it."""
        base, ours, theirs = self._three(key)
        mine = self.ours.section_of(ours) if ours is not None else None
        other = self.theirs.section_of(theirs) if theirs is not None else None
        if mine is None or (base is not None and mine == base.section and other is not None):
            mine = other
        assert mine is not None
        return mine

    def _sections(self, filled: Container[str]) -> list[str]:
        """Return the sections that stand, in order."""
        wanted = self.base.sections, self.ours.sections(), self.theirs.sections()
        left = {key for keys in wanted for key in keys if key in filled or self._is_kept_empty(key)}
        base, ours, theirs = ([key for key in keys if key in left and key] for keys in wanted)
        return ["", *merged_order(base, ours, theirs, self._section_rank)]

    def _is_kept_empty(self, section: str) -> bool:
        """Return whether a heading without entries stays: nobody removed it, and it had none, or a person's lines."""
        base = self.base.headings.get(section)
        mine, other = self.ours.heading(section), self.theirs.heading(section)
        if (mine is None or other is None) if base is not None else (mine is None and other is None):
            return False
        sides = (self.ours, self.theirs)
        had = any(version.section_of(piece) == section for version in sides for piece in version.items.values())
        owned = {version.renamed.get(key, key) for version in sides for key in version.side.own_sections()}
        return not had or section in owned

    def _section_rank(self, section: str) -> tuple[str, str]:
        return key_of(self._heading(section).fate.pieces[0].text)

    def _heading(self, section: str) -> _Block:
        three = self.base.headings.get(section), self.ours.heading(section), self.theirs.heading(section)
        return self._block(HEADING, section, heading_fate(*three), *three)

    def _items(self, section: str, homes: dict[str, str]) -> list[str]:
        """Return the items of a section in order."""

        def mine(version: Version) -> list[str]:
            order = {key: number for number, key in enumerate(version.side.items)}
            here = [
                key
                for key, piece in version.items.items()
                if homes.get(key) == section and version.section_of(piece) == section
            ]
            return sorted(here, key=lambda key: order[version.items[key].key])

        base = [key for key, piece in self.base.items.items() if piece.section == section == homes.get(key)]
        return merged_order(base, mine(self.ours), mine(self.theirs), self._rank)

    def _rank(self, key: str) -> tuple[bool, str, str]:
        text = self.fates[key].pieces[0].text
        return (self.leads is not None and not self.leads(text), *key_of(text))

    def _block(
        self, kind: str, section: str, fate: Fate, base: Piece | None, ours: Piece | None, theirs: Piece | None
    ) -> _Block:
        above = _above(base, ours, theirs)
        if above is None:
            raise DocumentRefused(
                f"{self.name}: the two sides differ in lines that are not entries; nothing was written",
                hint="resolve the conflict by hand",
            )
        is_loose = (self.ours if ours is not None else self.theirs).side.is_loose
        return _Block(kind, section, fate, above, is_loose, base)


def _above(base: Piece | None, ours: Piece | None, theirs: Piece | None) -> Piece | None:
    """Return the piece whose lines above are to be kept: of the side that changed them. None if both did."""
    if ours is None or theirs is None:
        return ours if ours is not None else theirs if theirs is not None else base
    if base is not None and ours.before == base.before:
        return theirs
    if ours.own == theirs.own or theirs.own == (base.own if base is not None else ()):
        return ours
    return theirs if ours.own == (base.own if base is not None else ()) else None


def _written(blocks: Sequence[_Block], signs: Signs | None, end: str) -> str:
    parts: list[str] = []
    below, marker = START, ""
    for block in blocks:
        parts.append(_gap(block, below, marker, end))
        if block.fate.clash and signs is not None:
            parts.append(_marked(block, signs, end))
        elif block.kind == HEADING:
            parts.append(block.fate.pieces[0].source)
        else:
            parts += [piece.source for piece in block.fate.pieces]
        below, marker = block.kind, block.fate.pieces[-1].marker
    return "".join(parts)


def _gap(block: _Block, below: str, marker: str, end: str) -> str:
    """Return the lines above a block: as they were below a piece of the same kind, else as intermem writes them."""
    above = block.above
    same_list = block.kind != ITEM or below != ITEM or marker == block.fate.pieces[0].marker
    if above.below == below and (same_list or above.before):
        return above.before
    if block.kind == END or below == START:
        gap = ""
    elif below == block.kind == ITEM:
        gap = "" if same_list and not block.is_loose else end
    else:
        gap = end
    if above.own:
        gap = (gap or end if below != START else "") + above.own_source
    return gap


def _marked(block: _Block, signs: Signs, end: str) -> str:
    """Return a conflict as git writes one."""
    fate = block.fate
    parts = [f"{'<' * signs.size} {signs.ours}{end}", fate.ours.source if fate.ours is not None else ""]
    if signs.base is not None:
        parts += [f"{'|' * signs.size} {signs.base}{end}", block.base.source if block.base is not None else ""]
    parts += [f"{'=' * signs.size}{end}", fate.theirs.source if fate.theirs is not None else ""]
    return "".join([*parts, f"{'>' * signs.size} {signs.theirs}{end}"])


def _own_lines(base: Counter[str], ours: Counter[str], theirs: Counter[str]) -> Counter[str]:
    """Return how often each line that is no entry must stand: as often as the side that changed it has it."""
    found: Counter[str] = Counter()
    for line in (*ours, *theirs):
        was, mine, other = base[line], ours[line], theirs[line]
        found[line] = other if mine == was else mine if other in (was, mine) else max(0, mine + other - was)
    return +found


def _prove(merge: RegionMerge, text: str, name: str, own: Counter[str]) -> None:
    """Raise DocumentRefused unless the merged region, parsed again, is exactly what it should be."""
    expected: list[tuple[str, str]] = []
    for block in merge.blocks:
        if block.kind == HEADING:
            title = block.fate.pieces[0].key
        elif block.kind == ITEM:
            expected += [(title if block.section else "", piece.key) for piece in block.fate.pieces]
    after = with_body(text, name, merge.body())
    region = find_region(after, name)
    found: list[tuple[str, str]] = []
    if region is not None:
        for key, section in zip(section_keys(region), region.sections, strict=True):
            found += [(key, item.id) for item in section.lines]
    kept = Counter(kept_lines(after, region)) if region is not None else Counter[str]()
    before = find_region(text, name)
    ends = {len(one) - found.stop for one, found in ((text, before), (after, region)) if found is not None}
    if found != expected or len(ends) != 1 or region is None:
        raise DocumentRefused(
            f"{name}: the entries of both sides would not stay apart; nothing was written",
            hint="resolve the conflict by hand",
        )
    if kept != own:
        raise DocumentRefused(
            f"{name}: the two sides differ in lines that are not entries; nothing was written",
            hint="resolve the conflict by hand",
        )
