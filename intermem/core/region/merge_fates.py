"""What becomes of each entry and heading in a merge: which wording stands, in which section, or that it is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import replace

from intermem.core.entries.pairing import pairs_alike
from intermem.core.region.merge_sides import Piece, Side
from intermem.lazy_dataclass import dataclass

REWORDED = 0.75  # at least this similar (DESIGN.md §5, Revision)


@dataclass(frozen=True, slots=True)
class Version:
    """A side compared with the base: its items by what they are versions of, and its sections by their first name."""

    side: Side
    items: Mapping[str, Piece]
    renamed: Mapping[str, str]

    def section_of(self, piece: Piece) -> str:
        """Return the section of a piece of this side, under its first name."""
        return self.renamed.get(piece.section, piece.section)

    def sections(self) -> list[str]:
        """Return its sections in order, under their first names, each once."""
        return list(dict.fromkeys(self.renamed.get(key, key) for key in self.side.sections))

    def heading(self, section: str) -> Piece | None:
        """Return the heading of a section, given its first name; None if this side has none."""
        mine = (piece for key, piece in self.side.headings.items() if self.renamed.get(key, key) == section)
        return next(mine, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What stands of an item or a heading: ``ours``, or both where the sides cannot be reconciled.

    A ``clash`` has a wording of each side, or None on the side that removed it; else ``theirs`` is None.
    """

    ours: Piece | None
    theirs: Piece | None = None
    clash: bool = False

    @property
    def pieces(self) -> list[Piece]:
        """The wordings."""
        return [piece for piece in (self.ours, self.theirs) if piece is not None]


OUT = Fate(ours=None)


def versions_of(base: Side, ours: Side, theirs: Side) -> tuple[Version, Version]:
    """Return both sides compared with ``base``."""
    mine, other = _version(base, ours), _version(base, theirs)
    # A heading that one side added may be what the other renamed one to.
    return (
        replace(mine, renamed={**_unless(other.renamed, base), **mine.renamed}),
        replace(other, renamed={**_unless(mine.renamed, base), **other.renamed}),
    )


def _unless(renamed: Mapping[str, str], base: Side) -> dict[str, str]:
    return {key: first for key, first in renamed.items() if key not in base.headings}


def _version(base: Side, side: Side) -> Version:
    missing = {key: piece.text for key, piece in base.items.items() if key not in side.items}
    new = {key: piece.text for key, piece in side.items.items() if key not in base.items}
    former = {key: old for old, key in pairs_alike(missing, new, REWORDED)}
    items = {former.get(key, key): piece for key, piece in side.items.items()}
    return Version(side, items, _renamed(base, side, items))


def _renamed(base: Side, side: Side, items: Mapping[str, Piece]) -> dict[str, str]:
    """Return the first names of headings: most of what was below an old one is below a new one."""
    found: dict[str, str] = {}
    for section in base.headings:
        if section in side.headings:
            continue
        left = [items[key].section for key, piece in base.items.items() if piece.section == section and key in items]
        new = Counter(key for key in left if key and key not in base.headings and key not in found)
        for key, count in new.most_common(1):
            if 2 * count >= len(left):
                found[key] = section
    return found


def fates_of(
    base: Side, mine: Version, other: Version, unwanted: Container[str], decided: Container[str] = ()
) -> dict[str, Fate]:
    """Return the fate of each item that either side has.

    ``unwanted`` identities are out. Of wordings that clash, those that are ``decided`` stand.
    """
    found: dict[str, Fate] = {}
    for key in dict.fromkeys([*base.items, *mine.items, *other.items]):
        fate = _decided(_fate(base.items.get(key), mine.items.get(key), other.items.get(key)), decided)
        found[key] = _wanted(fate, unwanted)
    standing = {piece.key for fate in found.values() if not fate.clash for piece in fate.pieces}
    return {key: _settled(fate, standing) if fate.clash else fate for key, fate in found.items()}


def _fate(base: Piece | None, ours: Piece | None, theirs: Piece | None) -> Fate:
    if base is None:
        return Fate(ours=ours if ours is not None else theirs)
    if ours is None or theirs is None:
        kept = ours if ours is not None else theirs
        if kept is None or kept.key == base.key:
            return OUT
        return Fate(ours=ours, theirs=theirs, clash=True)
    if ours.key == theirs.key:
        return Fate(ours=theirs if ours.source == base.source else ours)
    if base.key in (ours.key, theirs.key):
        return Fate(ours=theirs if ours.key == base.key else ours)
    return Fate(ours=ours, theirs=theirs, clash=True)


def _decided(fate: Fate, decided: Container[str]) -> Fate:
    left = [piece for piece in fate.pieces if piece.key in decided] if fate.clash else []
    return Fate(ours=left[0], theirs=left[1] if len(left) > 1 else None) if left else fate


def _wanted(fate: Fate, unwanted: Container[str]) -> Fate:
    left = [piece for piece in fate.pieces if piece.key not in unwanted]
    if len(left) == len(fate.pieces):
        return fate
    return Fate(ours=left[0]) if left else OUT


def _settled(fate: Fate, standing: Container[str]) -> Fate:
    """Return the fate of a clash of which a wording stands elsewhere anyway."""
    left = [piece for piece in fate.pieces if piece.key not in standing]
    if len(left) == len(fate.pieces):
        return fate
    return Fate(ours=left[0]) if left else OUT


def heading_fate(base: Piece | None, ours: Piece | None, theirs: Piece | None) -> Fate:
    """Return the fate of a heading that is needed: the new name or bytes of the side that changed it."""
    if ours is None or theirs is None:
        return Fate(ours=ours if ours is not None else theirs if theirs is not None else base)
    if base is None or ours.source == theirs.source or theirs.source == base.source:
        return Fate(ours=ours)
    if ours.source == base.source:
        return Fate(ours=theirs)
    return Fate(ours=ours, theirs=theirs, clash=True) if ours.key != theirs.key else Fate(ours=ours)
