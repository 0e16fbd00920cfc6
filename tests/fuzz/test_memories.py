"""Whatever a memory holds: no line is lost, nothing is made up, and an entry is the same wherever it is read again."""

from __future__ import annotations

from hypothesis import strategies as st

from intermem.core.entries.identity import identity
from intermem.core.entries.scanner import scan_memory
from intermem.core.markdown.lines import unified
from tests.fuzz import strategies
from tests.fuzz.invariants import reread, scanned
from tests.fuzz.running import fuzzed


@fuzzed(150, files=strategies.memories())
def test_every_line_of_a_memory_is_read_once_and_as_it_is(files: dict[str, str]) -> str:
    return scanned(files)


@fuzzed(100, text=strategies.notes(), marker=st.sampled_from("-*+"), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_an_entry_is_the_same_as_an_item_of_a_region(text: str, marker: str, end: str) -> str:
    entries = scan_memory({"MEMORY.md": text}).entries
    return reread(entries[0], marker, end) if entries else "no entries"


@fuzzed(75, text=strategies.notes())
def test_line_ends_are_no_part_of_an_identity(text: str) -> str:
    one = scan_memory({"MEMORY.md": unified(text)})
    other = scan_memory({"MEMORY.md": unified(text).replace("\n", "\r\n")})
    assert [(entry.id, entry.text) for entry in one.entries] == [(entry.id, entry.text) for entry in other.entries]
    assert identity(text) == identity(unified(text))
    return f"{min(len(one.entries), 9)} entries"


@fuzzed(30, notes=st.lists(strategies.calm_notes(), min_size=1, max_size=5, unique_by=identity))
def test_calm_notes_are_entries_one_each(notes: list[str]) -> str:
    listed = "\n\n".join("- " + note.replace("\n", "\n  ") for note in notes)
    assert [entry.text for entry in scan_memory({"MEMORY.md": listed}).entries] == notes
    return f"{len(notes)} notes"
