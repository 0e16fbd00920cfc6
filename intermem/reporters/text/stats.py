"""Text output of ``stats``: tables and two bar charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.statistics import Census
from intermem.core.times import format_date, format_time
from intermem.entities import DEPARTURES
from intermem.reporters.escaping import one_line
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import ID_WIDTH, JUDGED, counted, in_a_row, moment, print_table, write_row
from intermem.results.stats import ConfidenceBin, DocumentSize, Removals, StaleForecast, StatsResult

_LONGEST_BAR = 40  # blocks
_TYPE_WIDTH = 20
_HEADINGS = ("ALL", "ACTIVE", "STALE", "DEMOTED", "PROMOTED", "PINS", "REJECTED", "REVIEW")  # fits into 80 columns
_STATES = ("all", "active", "stale", "demoted", "promoted", "pinned", "rejected", "review")


def print_stats(result: StatsResult, console: Console, _verbose: bool) -> None:
    """Write the figures, except charts and tables that would be empty."""
    entries = result.entries
    staying = entries.active + entries.stale
    count = counted(entries.all, "entry") if entries.all else "No entries"
    write_line(console, (f"{count} at {format_time(result.at)}", "bold"))
    if entries.all:
        _print_census(entries, result.types, console)
        console.print()
    _print_rows(result, console)
    _print_removed(result.removed_this_month, console)
    _print_documents(result.documents, console)
    if staying:
        _print_confidences(result.confidences, staying, console)
    if entries.promoted:
        _print_forecast(result.goes_stale, console)


def _print_census(entries: Census, types: Mapping[str, Census], console: Console) -> None:
    table = _table("TYPE", *_HEADINGS, "CONF")
    for name, found in types.items():
        table.add_row(one_line(name, _TYPE_WIDTH), *_cells(found))
    if len(types) > 1:
        table.add_row("total", *_cells(entries), style="bold")
    print_table(console, table)


def _cells(found: Census) -> list[str]:
    average = found.average_confidence
    rounded = "-" if average is None else shown(round(average, -1))  # an average needs two decimals only
    return [*(_number(getattr(found, state)) for state in _STATES), rounded]


def _print_rows(result: StatsResult, console: Console) -> None:
    found = result.ages
    if result.entries.stale_percent is not None:
        write_row(console, "stale", f"{result.entries.stale_percent:g} % of those that are active or stale")
    if found is not None:
        write_row(console, "age", f"{_days(found.average_days)} on average of those that are active or stale")
        seen = f"first seen {format_date(found.first_seen)}, {_days(found.oldest_days)} ago"
        write_row(console, "oldest", f"{found.oldest[:ID_WIDTH]}, {seen}")
    write_row(console, "last scan", moment(result.last_snapshot))
    write_row(console, "last sweep", moment(result.last_sweep))
    if result.last_snapshot or result.last_sweep:
        write_row(console, "citations", JUDGED)


def _print_removed(removed: Removals, console: Console) -> None:
    _heading(console, f"Removed in {removed.month}: {removed.total or 'none'}")
    if not removed.total:
        return
    table = _table("  CAUSE", *(event.upper() for event in DEPARTURES))
    for cause, numbers in removed.by_cause.items():
        if any(numbers.values()):
            table.add_row(f"  {one_line(cause, _TYPE_WIDTH)}", *(_number(numbers[event]) for event in DEPARTURES))
    print_table(console, table)


def _print_documents(documents: Sequence[DocumentSize], console: Console) -> None:
    if not documents:
        return
    _heading(console, "Documents (tokens are an estimate: bytes / 4)")
    table = _table("  DOCUMENT", "REGION LINES", "REGION TOKENS", "ALL TOKENS")
    for one in documents:
        tokens = f"~{one.region_tokens}" + (f" of {one.budget_tokens}" if one.budget_tokens else "")
        table.add_row(f"  {one_line(one.name)}", str(one.region_lines), tokens, f"~{one.document_tokens}")
    print_table(console, table)


def _print_confidences(bins: Sequence[ConfidenceBin], number: int, console: Console) -> None:
    _heading(console, f"Confidence of the {counted(number, 'entry')} not demoted")
    _print_chart([(f"{one.from_} - {one.to}", one.entries) for one in bins], console)


def _print_forecast(coming: StaleForecast, console: Console) -> None:
    _heading(console, "Promoted entries by the week from which sweeps count them as stale")
    demote = "demotes" if coming.demote_streak == 1 else "demote"
    write_line(console, f"  (then {in_a_row(coming.demote_streak)} {demote} them)")
    weeks = [(f"from {format_date(one.from_)}", one.entries) for one in coming.weeks]
    _print_chart([*weeks, ("later", coming.later), ("never", coming.never)], console)


def _print_chart(rows: Sequence[tuple[str, int]], console: Console) -> None:
    """A bar for each row, in blocks of one entry, or of as many as make the longest bar fit."""
    most = max(number for _, number in rows)
    a_block = max(1, -(-most // _LONGEST_BAR))
    label_width, number_width = max(len(label) for label, _ in rows), len(str(most))
    for label, number in rows:
        bar = "█" * -(-number // a_block)
        write_line(console, f"  {label:<{label_width}}  {_number(number):>{number_width}}  {bar}".rstrip())
    if a_block > 1:
        write_line(console, f"  (one block: {a_block} entries)")


def _table(first: str, *others: str) -> Table:
    """A table of numbers; the first column names the rows."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _heading(console: Console, text: str) -> None:
    console.print()
    write_line(console, (text, "bold"))


def _number(number: int) -> str:
    return str(number) if number else "-"


def _days(days: float) -> str:
    return f"{days:g} day{'' if days == 1 else 's'}"
