"""What people read of a word on single entries: what was done, and what was not, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from intermem.core.lifecycle.confidence import shown
from intermem.core.times import format_date
from intermem.entities import Record
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import (
    ID_WIDTH,
    counted,
    id_cell,
    mappings_in,
    print_table,
    records_in,
    standing_of,
    table_of,
    text_of,
)
from intermem.results import Result

_ROWS_SHOWN = 10

_DONE = {
    "restore": ("Restored", "restored"),
    "reject": ("Rejected", "rejected"),
    "demote": ("Demoted", "demoted"),
    "supersede": ("Superseded", "superseded"),
    "pin": ("Pinned", "pinned"),
    "unpin": ("Unpinned", "unpinned"),
}


def print_judgement(result: Result, console: Console, verbose: bool) -> None:
    """Write who was restored, rejected, demoted, superseded or pinned, and who was not."""
    data = result.data
    done, key = _DONE[result.verb]
    if data["dry_run"]:
        done = f"Would {result.verb}"
    places: Mapping[str, str] = data.get("documents", {})  # type: ignore[assignment]
    for record in records_in(data[key]):
        write_line(console, f"{done} ", (record.id[:ID_WIDTH], "cyan"), f"{_where(record, places)}: {text_of(record)}")
        if verbose and record.reason:
            write_line(console, f"  {one_line(record.reason)}")
    print_refused(data, console)


def print_feedback(result: Result, console: Console, _verbose: bool) -> None:
    """Write what was heard of an entry, and what it comes to."""
    data: Mapping[str, Any] = result.data
    if data["refused"]:
        print_refused(data, console)
        return
    record: Record = data["entry"]
    amount = data["amount"]
    figure = f" ({'−' if amount < 0 else '+'}{abs(amount)})" if amount else ""
    heard = "Would note" if data["dry_run"] else "Noted"
    write_line(console, f"{heard} {data['kind']}{figure} of ", (record.id[:ID_WIDTH], "cyan"), f": {text_of(record)}")
    where = data["documents"].get(record.id)
    out = f", out of {where}" if where else ""
    flagged = ", flagged for review" if record.review_at is not None else ""
    write_line(console, f"  confidence {shown(record.confidence)}, {standing_of(record)}{out}{flagged}")


def print_refused(data: Mapping[str, object], console: Console) -> None:
    """Write what was not done, with the reason."""
    for row in mappings_in(data["refused"]):
        record = row["entry"]
        write_line(console, "Not done ", (record.id[:ID_WIDTH], "cyan"), f": {one_line(str(row['reason']))}")


def _where(record: Record, places: Mapping[str, str]) -> str:
    if record.pinned_until is not None and record.pinned:
        return f" until {format_date(record.pinned_until)}"
    if record.id not in places:
        return ""
    if record.document:
        return f" into {record.document}"
    return f" out of {places[record.id]}" if places[record.id] else ""


def print_pruned(result: Result, console: Console, verbose: bool) -> None:
    """Write what was let go, and why."""
    data: Mapping[str, Any] = result.data
    would = "Would " if data["dry_run"] else ""
    looked = f"{counted(data['evaluated'], 'entry')} looked at"
    if not data["pruned"]:
        write_line(console, f"{looked}: nothing to prune")
    for key, done in (("demoted", "Demoted"), ("deleted", "Deleted")):
        rows = mappings_in(data[key])
        if not rows:
            continue
        what = f"Would {key.removesuffix('d')}" if would else done
        cited = f", with {counted(data['citations_cascaded'], 'citation')}" if key == "deleted" else ""
        write_line(console, f"{what} {counted(len(rows), 'entry')}{cited} ({looked}):")
        table = table_of("", "ID", "TEXT", "WHY")
        for row in rows if verbose else rows[:_ROWS_SHOWN]:
            table.add_row("", id_cell(row["entry"]), text_of(row["entry"]), one_line(row["reason"]))
        print_table(console, table)
        if len(rows) > _ROWS_SHOWN and not verbose:
            write_line(console, f"  … and {len(rows) - _ROWS_SHOWN} more (--verbose shows all)")
    for row in mappings_in(data["spared"]):
        write_line(console, "Spared ", (row["entry"].id[:ID_WIDTH], "cyan"), f": {one_line(row['reason'])}")
    print_refused(data, console)


def print_purged(result: Result, console: Console, verbose: bool) -> None:
    """Write what would be destroyed, or what was, and where something of it is left."""
    data: Mapping[str, Any] = result.data
    records = records_in(data["entries"])
    if not records:
        write_line(console, "No entry is meant.")
        return
    if not data["dry_run"]:
        write_line(console, f"Purged {counted(data['count'], 'entry')}: gone from metadata.db, its index and its log")
        for name in data["removed"]:
            write_line(console, f"  {visible(name)}, a copy from before an upgrade, held it and was removed")
        for place in data["remains"]:
            write_line(console, ("  still in ", "yellow"), visible(place))
        if not data["remains"] and not data["unsearched"]:
            write_line(console, "  no file of intermem holds a line of it any more")
        return
    write_line(console, f"Would purge {counted(data['count'], 'entry')}:")
    table = table_of("", "ID", "STATUS", "SECTION", "TEXT")
    for record in records if verbose else records[:_ROWS_SHOWN]:
        table.add_row(
            "", id_cell(record), standing_of(record), one_line(record.section, 30), text_of(record, whole=verbose)
        )
    print_table(console, table)
    if len(records) > _ROWS_SHOWN and not verbose:
        write_line(console, f"  … and {len(records) - _ROWS_SHOWN} more (--verbose shows all)")
