"""Text output of the commands by which a person decides: what was done, and what was refused and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.gates import is_back_once_confirmed
from intermem.core.times import format_date
from intermem.entities import Record
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import (
    ID_WIDTH,
    counted,
    id_cell,
    print_table,
    state_of,
    table_of,
    text_of,
    types_of,
)
from intermem.results import RefusedEntry
from intermem.results.decide import DecisionResult, FeedbackResult, PruneResult, PurgeResult

_ROWS_SHOWN = 10


_TO = {
    "restored": "restore",
    "rejected": "reject",
    "demoted": "demote",
    "superseded": "demote",
    "pinned": "pin",
    "unpinned": "unpin",
    "moved": "move",
}


def print_decision(result: DecisionResult, console: Console, verbose: bool) -> None:
    """Write which entries were restored, rejected, demoted, superseded or pinned, and which were refused."""
    if not (result.entries or result.refused):
        nothing = "Nothing to move: no unpinned fact on record stands below a heading of the region."
        write_line(console, nothing if result.done == "moved" else "No entries match.")
    done = f"Would {_TO[result.done]}" if result.dry_run else result.done.capitalize()
    places = result.documents or {}
    for record in result.entries:
        is_lifted = result.done == "restored" and record.document is None
        where = " as a candidate" if is_lifted else _where(record, places)
        write_line(console, f"{done} ", (record.entry_id[:ID_WIDTH], "cyan"), f"{where}: {text_of(record)}")
        if verbose and record.reason:
            write_line(console, f"  {one_line(record.reason)}")
    if result.done in ("rejected", "demoted", "superseded") and not result.dry_run:
        _print_way_back(result.entries, console)
    print_refused(result.refused, console)


def _print_way_back(records: Sequence[Record], console: Console) -> None:
    """Write what brings ``records`` back, once for all of them."""
    if not records:
        return
    key, what = (records[0].entry_id[:ID_WIDTH], "it") if len(records) == 1 else ("ID", "one")
    flagged = all(is_back_once_confirmed(record) for record in records)
    confirm = f", or intermem feedback {key} confirm and seeing it again" if flagged else ""
    write_line(console, f"  intermem restore {key} brings {what} back{confirm}")


def print_feedback(result: FeedbackResult, console: Console, _verbose: bool) -> None:
    """Write the feedback on an entry, and its effect."""
    if result.refused:
        print_refused(result.refused, console)
        return
    record = result.entry
    amount = result.amount
    figure = f" ({'−' if amount < 0 else '+'}{abs(amount)})" if amount else ""
    heard = "Would note" if result.dry_run else "Noted"
    write_line(
        console, f"{heard} {result.kind}{figure} of ", (record.entry_id[:ID_WIDTH], "cyan"), f": {text_of(record)}"
    )
    where = result.documents.get(record.id)
    out = f", out of {where}" if where else ""
    flagged = ", flagged for review" if record.review_at is not None else ""
    write_line(console, f"  confidence {shown(record.confidence)}, {state_of(record)}{out}{flagged}")


def print_refused(refused: Sequence[RefusedEntry], console: Console) -> None:
    """Write which entries were refused, and why."""
    for row in refused:
        write_line(console, "Refused ", (row.entry.entry_id[:ID_WIDTH], "cyan"), f": {one_line(row.reason)}")


def _where(record: Record, places: Mapping[str, str]) -> str:
    if record.pinned_until is not None and record.pinned:
        return f" until {format_date(record.pinned_until)}"
    if record.id not in places:
        return ""
    if record.document:
        return f" into {record.document}"
    return f" out of {places[record.id]}" if places[record.id] else ""


def print_pruned(result: PruneResult, console: Console, verbose: bool) -> None:
    """Write which entries were pruned, and why."""
    would = "Would " if result.dry_run else ""
    evaluated = f"{counted(result.evaluated, 'entry')} evaluated"
    if not result.pruned:
        write_line(console, f"{evaluated}: nothing to prune")
    for rows, done in ((result.demoted, "Demoted"), (result.deleted, "Deleted")):
        if not rows:
            continue
        what = f"Would {done.lower().removesuffix('d')}" if would else done
        cited = f", with {counted(result.citations_cascaded, 'citation')}" if done == "Deleted" else ""
        write_line(console, f"{what} {counted(len(rows), 'entry')}{cited} ({evaluated}; {types_of(rows)}):")
        table = table_of("", "ID", "TEXT", "WHY")
        for row in rows if verbose else rows[:_ROWS_SHOWN]:
            table.add_row("", id_cell(row), text_of(row), one_line(row.reason.removeprefix("pruned: ")))
        print_table(console, table)
        if len(rows) > _ROWS_SHOWN and not verbose:
            write_line(console, f"  … and {len(rows) - _ROWS_SHOWN} more (--verbose shows all)")
    if not result.dry_run:
        _print_way_back(result.demoted, console)
        if result.deleted:
            write_line(console, "  intermem undo brings back what was deleted")
    for kept in result.spared:
        write_line(console, "Spared ", (kept.entry.entry_id[:ID_WIDTH], "cyan"), f": {one_line(kept.reason)}")
    print_refused(result.refused, console)


def print_purged(result: PurgeResult, console: Console, verbose: bool) -> None:
    """Write which entries were or would be purged, and where traces of them are left."""
    records = result.entries
    if result.traces:
        would = "Would destroy" if result.dry_run else "Destroyed"
        whose = "an entry" if result.traces == 1 else f"{result.traces} entries"
        write_line(console, f"{would} what the history says of {whose} whose record was deleted before")
    if not records:
        if result.traces:
            return
        if result.edited:
            would = "Would remove" if result.dry_run else "Removed"
            edited = ", ".join(map(visible, result.edited))
            write_line(console, f"{would} what had been purged before from {edited}")
        elif result.documents:
            write_line(console, "Nothing to purge: no record is left.")
        else:
            write_line(console, "No entries match.")
        return
    if not result.dry_run:
        write_line(console, f"Purged {counted(result.count, 'entry')}: gone from metadata.db, its index and its log")
        for name in result.removed:
            write_line(console, f"  {visible(name)}, a copy from before an upgrade, was removed with them")
        if not result.remains and not result.unsearched:
            write_line(
                console,
                f"  no file of intermem contains {'a line of it' if result.count == 1 else 'any of their lines'}",
            )
        return
    write_line(console, f"Would purge {counted(result.count, 'entry')}:")
    table = table_of("", "ID", "STATUS", "SECTION", "TEXT")
    for record in records if verbose else records[:_ROWS_SHOWN]:
        table.add_row(
            "", id_cell(record), state_of(record), one_line(record.section, 30), text_of(record, whole=verbose)
        )
    print_table(console, table)
    if len(records) > _ROWS_SHOWN and not verbose:
        write_line(console, f"  … and {len(records) - _ROWS_SHOWN} more (--verbose shows all)")
