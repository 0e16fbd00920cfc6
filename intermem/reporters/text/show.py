"""Text output of ``show``: the text of an entry, and nothing around it that would have to be cut away."""

from __future__ import annotations

from rich.console import Console

from intermem.reporters.escaping import visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import state_of, write_row, write_sources
from intermem.results.inspect import ShowResult


def print_shown(result: ShowResult, console: Console, verbose: bool) -> None:
    """Write the id, state and sources of the entry, and below them its note as it was written."""
    record = result.entry
    write_line(console, (record.entry_id, "cyan"), f"  {state_of(record)}")
    write_sources(console, record, result.sources, result.also, whole=True)
    if record.document is not None:
        write_row(console, "in", record.document)
    write_line(console)
    for line in record.noted_text.split("\n"):
        write_line(console, visible(line))
    if record.note_text is not None and record.note_text != record.text:
        write_line(console)
        write_line(console, "Written of it:")
        for line in record.shown_text.split("\n"):
            write_line(console, f"  {visible(line)}")
