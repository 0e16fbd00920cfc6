"""Whatever a document holds: a region is found, placed, edited and removed with no other byte touched, or refused."""

from __future__ import annotations

from hypothesis import strategies as st

from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region
from intermem.core.region.place import remove_region
from tests.fuzz import strategies
from tests.fuzz.invariants import (
    NAME,
    REFUSALS,
    added_and_removed,
    judged,
    kind_of,
    placed_and_removed,
    removed_and_added,
    taken_away,
)
from tests.fuzz.running import fuzzed


@fuzzed(250, text=strategies.documents())
def test_a_marker_is_found_or_refused_wherever_it_stands(text: str) -> str:
    return judged(text)


@fuzzed(150, text=strategies.documents(), after=st.sampled_from([None, None, "Heading", "Build", "Setext"]))
def test_a_placed_region_goes_without_a_trace(text: str, after: str | None) -> str:
    try:
        placed = placed_and_removed(text, after)
    except REFUSALS as error:
        return f"refused, {kind_of(error)}"
    return "has one already" if placed is None else "placed and removed"


@fuzzed(150, text=strategies.documents(), note=strategies.notes(), section=strategies.sections())
def test_an_entry_goes_into_a_placed_region_and_out_again(text: str, note: str, section: str) -> str:
    try:
        placed = placed_and_removed(text) or text
        return added_and_removed(placed, Addition(note, section))
    except REFUSALS as error:
        return f"refused, {kind_of(error)}"


@fuzzed(150, text=strategies.documents_with_region(), note=strategies.notes(), section=strategies.sections())
def test_an_entry_goes_into_any_region_and_out_again(text: str, note: str, section: str) -> str:
    try:
        if find_region(text, NAME) is None:
            return "no region"
        return added_and_removed(text, Addition(note, section))
    except REFUSALS as error:
        return f"refused, {kind_of(error)}"


@fuzzed(150, text=strategies.documents_with_region(), number=st.integers(0, 20))
def test_an_entry_comes_out_of_any_region_and_goes_in_again(text: str, number: int) -> str:
    try:
        return removed_and_added(text, number) if find_region(text, NAME) is not None else "no region"
    except REFUSALS as error:
        return f"refused, {kind_of(error)}"


@fuzzed(150, text=strategies.documents_with_region())
def test_any_region_goes_and_takes_nothing_with_it(text: str) -> str:
    try:
        return taken_away(text) if find_region(text, NAME) is not None else "no region"
    except REFUSALS as error:
        return f"refused, {kind_of(error)}"


@fuzzed(
    50,
    text=strategies.calm_documents(),
    additions=st.lists(
        st.builds(Addition, strategies.calm_notes(), st.sampled_from(["", "Build", "C#", "Überblick & Co."])),
        min_size=1,
        max_size=4,
        unique_by=lambda addition: addition.id,
    ),
)
def test_calm_notes_in_a_calm_document_are_never_refused(text: str, additions: list[Addition]) -> str:
    placed = placed_and_removed(text)
    assert placed is not None
    grown = [placed]
    for addition in additions:
        assert added_and_removed(grown[-1], addition) == "added, and gone without a trace"
        grown.append(edited(grown[-1], NAME, add=[addition]))
    assert remove_region(grown[-1], NAME) == text
    for addition, before, after in reversed(list(zip(additions, grown[:-1], grown[1:], strict=True))):
        assert edited(after, NAME, remove=[addition.id]) == before
    return f"{len(additions)} notes"
