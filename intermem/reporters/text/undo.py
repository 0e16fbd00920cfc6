"""Text output of ``undo``: what was undone, and what can be."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from intermem.core.times import format_time
from intermem.entities import LEDGER
from intermem.reporters.escaping import visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import counted, print_table, table_of
from intermem.results.decide import OperationsResult, UndoResult
from intermem.storage.operations import ClosedOperation


def print_undone(result: UndoResult | OperationsResult, console: Console, _verbose: bool) -> None:
    """Write what was undone, or a table of operations."""
    if isinstance(result, OperationsResult):
        _print_list(result.operations, console)
        return
    if not result.undone:
        write_line(console, "Nothing to undo.")
    would = "Would undo" if result.dry_run else "Undone:"
    for one in result.undone:
        operation = one.operation
        what = f"operation {operation.id}, {operation.verb} of {format_time(operation.at)} ({_extent(one)})"
        write_line(console, f"{would} {what}")
    for change in result.changes:
        gone = "would be removed" if result.dry_run else "removed"
        back = "would be restored" if result.dry_run else "restored"
        write_line(console, f"  {visible(change.document)} {gone if change.after is None else back}")


def _print_list(operations: Sequence[ClosedOperation], console: Console) -> None:
    if not operations:
        write_line(console, "No operations.")
        return
    table = table_of("OP", "TIME", "COMMAND", "CHANGED", "")
    for one in operations:
        note = f"undone by {one.undone_by}" if one.undone_by is not None else "" if one.kept else "too old to undo"
        if one.purged:
            note = "cannot be undone" if one.operation.verb == "purge" else "dropped by a purge"
        note = "damaged" if one.damaged else note
        table.add_row(str(one.operation.id), format_time(one.operation.at), one.operation.verb, _extent(one), note)
    print_table(console, table)


def _extent(one: ClosedOperation) -> str:
    operation = one.operation
    if operation.undoes:
        numbers = ", ".join(str(number) for number in operation.undoes)
        return f"operation{'s' if len(operation.undoes) > 1 else ''} {numbers}"
    names = [intent.document for intent in operation.intents]
    events = sum(1 for name in names if name.startswith(f"{LEDGER}/"))
    files = ", ".join(visible(name) for name in names if not name.startswith(".intermem/"))
    files = ", ".join(part for part in (files, counted(events, "event") if events else "") if part)
    records = counted(one.records, "record") if one.records else ""
    return ", ".join(part for part in (files, records) if part) or ("-" if one.kept and not one.damaged else "?")
