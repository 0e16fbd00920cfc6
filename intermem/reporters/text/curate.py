"""What people read of ``init``, ``scan``, ``promote`` and ``sweep``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from intermem.entities import HistoryRow
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import (
    ID_WIDTH,
    counted,
    id_cell,
    mappings_in,
    print_table,
    records_in,
    table_of,
    text_of,
    texts_in,
)
from intermem.results import Result

_REFUSALS_SHOWN = 10


def print_scanned(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    would = "Would record" if data["dry_run"] else "Recorded"
    seen = f"{data['new']} new, {data['counted']} counted"
    gone = f", {data['gone']} gone since the last one" if data["gone"] else ""
    again = f", {data['seen_again']} seen again" if data["seen_again"] else ""
    write_line(console, f"{would} a snapshot: {counted(data['entries'], 'entry')} in {counted(data['files'], 'file')}")
    write_line(console, f"  {seen}{again}{gone}")
    if verbose:
        write_line(console, f"  read from {data['memory']}")


def _people(data: Mapping[str, object], console: Console) -> None:
    """What people did to the documents since the last run, before what this run does."""
    rows: Sequence[HistoryRow] = data["reconciled"]  # type: ignore[assignment]
    if not rows:
        return
    write_line(console, "Found on this branch:")
    table = table_of("", "ID", "EVENT", "WHY")
    for row in rows:
        table.add_row("", Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail))
    print_table(console, table)


def print_promoted(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    _people(data, console)
    promoted, refused = records_in(data["promoted"]), mappings_in(data["refused"])
    would = "Would promote" if data["dry_run"] else "Promoted"
    if promoted:
        write_line(console, f"{would} {counted(len(promoted), 'entry')} into {data['document']}:")
        table = table_of("", "ID", "SECTION", "TEXT", "WHY")
        for record in promoted:
            table.add_row("", id_cell(record), one_line(record.section, 30), text_of(record), visible(record.reason))
        print_table(console, table)
    else:
        write_line(console, "Nothing to promote.")
    if refused:
        write_line(console, f"Not promoted ({len(refused)}):")
        table = table_of("", "ID", "TEXT", "WHY")
        for row in refused if verbose else refused[:_REFUSALS_SHOWN]:
            record = row["entry"]
            table.add_row("", id_cell(record), text_of(record), one_line(str(row["reason"])))
        print_table(console, table)
        if not verbose and len(refused) > _REFUSALS_SHOWN:
            write_line(console, f"  … and {len(refused) - _REFUSALS_SHOWN} more (--verbose shows all)")


def print_swept(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    _people(data, console)
    demoted = records_in(data["demoted"])
    would = "Would sweep" if data["dry_run"] else "Swept"
    write_line(console, f"{would} {counted(data['swept'], 'entry')}: {data['decayed']} decayed, {data['stale']} stale")
    for key, word in (("expired", "put away"), ("deleted", "deleted for good")):
        if gone := records_in(data[key]):
            would_be = "would be " if data["dry_run"] else ""
            write_line(console, f"  {counted(len(gone), 'entry')} {would_be}{word} by retention")
    if not data["streaks_moved"]:
        write_line(console, "  too soon after the last sweep to move a streak (sweep.min_interval)")
    if not demoted:
        write_line(console, "  nothing to demote")
        return
    would = "Would demote" if data["dry_run"] else "Demoted"
    documents = ", ".join(str(name) for name in texts_in(data["demoted_from"]))
    write_line(console, f"{would} {counted(len(demoted), 'entry')}, out of {documents}:")
    table = table_of("", "ID", "TEXT", "WHY")
    for record in demoted:
        table.add_row("", id_cell(record), text_of(record), one_line(record.reason))
    print_table(console, table)
    if verbose and not data["dry_run"]:
        write_line(console, "They stay in metadata.db in full: intermem query --demoted")


def print_initialised(result: Result, console: Console, verbose: bool) -> None:
    data: Mapping[str, Any] = result.data
    would = "would be edited" if data["dry_run"] else "edited"
    for change in result.changes:
        what = "would be created" if data["dry_run"] else "created"
        write_line(console, f"{change.document} {would if change.before is not None else what}")
    found = (
        f"{data['memory']} ({data['memory_found_by']})" if data["memory"] else "none found; name it with --memory-dir"
    )
    write_line(console, ("memory   ", "bold"), visible(found))
    write_line(console, ("state    ", "bold"), visible(str(data["state"])))
    if verbose or not data["dry_run"]:
        for snippet in data["snippets"].values():
            console.print()
            console.print(Text(snippet.rstrip("\n")))
