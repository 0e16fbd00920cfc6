"""Whatever two people do to a region: nothing is lost that neither removed, and nothing stands twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from intermem.core.entries.identity import identity
from intermem.core.region.merge import RegionMerge, Signs, merged_region, with_body
from intermem.core.region.parse import find_region

SECTIONS = ("", "Build", "Deploy", "Style")
ACTIONS = ("add", "remove", "move", "reword", "shift", "rename", "format", "sort")


def words(number: int) -> str:
    """Return a text that no other resembles."""
    return " ".join(hashlib.sha256(f"{number}/{part}".encode()).hexdigest()[:9] for part in range(5))


@dataclass(frozen=True)
class Written:
    """A region as somebody wrote it: sections of entries, each a number and a version of its words."""

    sections: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    marker: str = "-"

    @property
    def entries(self) -> dict[int, str]:
        return {number: version for _, entries in self.sections for number, version in entries}

    def text(self) -> str:
        parts: list[str] = []
        for title, entries in self.sections:
            if entries:
                parts.append(f"### {title}\n\n" if title else "")
                parts += [f"{self.marker} {words(number)}{version}\n" for number, version in entries]
                parts.append("\n")
        return f"# P\n\n<!-- intermem:begin -->\n{''.join(parts).rstrip()}\n<!-- intermem:end -->\n\nMore.\n"


def edited(draw: Callable[[st.SearchStrategy[int]], int], region: Written, who: int) -> Written:
    """Return what somebody makes of ``region``."""
    for step in range(draw(st.integers(0, 6))):
        action = ACTIONS[draw(st.integers(0, len(ACTIONS) - 1))]
        sections = [(title, list(entries)) for title, entries in region.sections]
        place = sections[draw(st.integers(0, len(sections) - 1))]
        entries = place[1]
        at = draw(st.integers(0, len(entries) - 1)) if entries else 0
        if action == "add":
            # both sides may have the same idea
            both = draw(st.integers(0, 3))
            number = 500 if both == 0 and 500 not in region.entries else 100 * who + step + 1000
            entries.insert(at, (number, ""))
        elif action == "rename":
            n = sections.index(place)
            if place[0]:
                sections[n] = (f"{place[0]} {who}", entries)
        elif action == "format":
            region = replace(region, marker="*")
        elif entries and action == "remove":
            del entries[at]
        elif entries and action == "reword":
            entries[at] = (entries[at][0], f" {'same' if draw(st.integers(0, 2)) == 0 else f'by{who}'}")
        elif entries and action in ("move", "shift"):
            one = entries.pop(at)
            home = sections[draw(st.integers(0, len(sections) - 1))][1] if action == "move" else entries
            home.insert(draw(st.integers(0, len(home))), one)
        elif action == "sort":
            entries.sort()
        region = replace(region, sections=tuple((title, tuple(entries)) for title, entries in sections))
    return region


@st.composite
def histories(draw: Callable[[st.SearchStrategy[int]], int]) -> tuple[Written, Written, Written]:
    """Return a region, and what each of two people made of it."""
    number, sections = 0, []
    for title in SECTIONS:
        size = draw(st.integers(0, 4))
        sections.append((title, tuple((number + one, "") for one in range(size))))
        number += size
    base = Written(tuple(sections))
    return base, edited(draw, base, 1), edited(draw, base, 2)


def merge_of(base: Written | None, ours: Written, theirs: Written) -> RegionMerge:
    was = base.text() if base is not None else None
    return merged_region(was, ours.text(), theirs.text(), "X")


def ids(text: str) -> list[str]:
    region = find_region(text, "X")
    assert region is not None
    return list(region.ids)


def expected(base: Written, ours: Written, theirs: Written) -> tuple[list[str], int]:
    """Return the texts that must stand, and the number of conflicts."""
    stand, clashes = [], 0
    was, mine, other = base.entries, ours.entries, theirs.entries
    for number in {**was, **mine, **other}:
        found = {side[number] for side in (mine, other) if number in side}
        if number in was and len([side for side in (mine, other) if number in side]) < 2:
            if found in (set(), {was[number]}):
                continue
            clashes += 1
        elif number in was and len(found) == 2 and was[number] in found:
            found.remove(was[number])
        elif number in was and len(found) == 2:
            clashes += 1
        stand += [words(number) + version for version in sorted(found)]
    return stand, clashes


@given(histories())
def test_each_entry_stands_as_the_sides_left_it(history: tuple[Written, Written, Written]) -> None:
    base, ours, theirs = history
    stand, clashes = expected(base, ours, theirs)
    merge = merge_of(base, ours, theirs)
    assert sorted(ids(with_body(ours.text(), "X", merge.body()))) == sorted(identity(text) for text in stand)
    names = {title for title, _ in base.sections}
    assert sum(1 for one in merge.conflicts if (one.ours or one.theirs or "").split(" ")[0] not in names) == clashes
    assert ("<<<<<<<" in merge.body(Signs())) == bool(merge.conflicts)


@given(histories())
def test_the_other_way_round_the_same_entries_stand(history: tuple[Written, Written, Written]) -> None:
    base, ours, theirs = history
    one, other = merge_of(base, ours, theirs), merge_of(base, theirs, ours)
    found = (sorted(ids(with_body(ours.text(), "X", merge.body()))) for merge in (one, other))
    assert next(found) == next(found)
    assert len(one.conflicts) == len(other.conflicts) and one.left_out == other.left_out


@given(histories())
def test_what_one_side_left_alone_is_the_other_side_byte_for_byte(history: tuple[Written, Written, Written]) -> None:
    base, ours, theirs = history
    for side in (ours, theirs):
        assert with_body(base.text(), "X", merge_of(base, base, side).body()) == side.text()
        assert with_body(side.text(), "X", merge_of(base, side, base).body()) == side.text()
        assert with_body(side.text(), "X", merge_of(base, side, side).body()) == side.text()


@given(histories())
def test_without_a_base_everything_of_both_sides_stands(history: tuple[Written, Written, Written]) -> None:
    _, ours, theirs = history
    merge = merge_of(None, ours, theirs)
    both = set(ids(ours.text())) | set(ids(theirs.text()))
    assert sorted(ids(with_body(ours.text(), "X", merge.body()))) == sorted(both) and not merge.conflicts
