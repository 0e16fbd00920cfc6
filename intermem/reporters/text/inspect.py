"""Text output of the commands that read: query, log, doctor, verify, schedule."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from intermem.core.lifecycle.confidence import shown
from intermem.core.times import format_time
from intermem.entities import Record
from intermem.reporters.escaping import one_line
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import ID_WIDTH, id_cell, print_table, state_of, styled, table_of, text_of
from intermem.results.inspect import (
    CompletionsResult,
    DoctorResult,
    LogResult,
    QueryResult,
    ScheduleResult,
    TopicsResult,
    VerifyResult,
    WorthResult,
)


def print_query(result: QueryResult | TopicsResult, console: Console, verbose: bool) -> None:
    """Write a table of entries, or of sections."""
    rows = result.topics if isinstance(result, TopicsResult) else result.entries
    if not rows:
        write_line(console, "No entries.")
    elif isinstance(result, TopicsResult):
        table = table_of("SECTION", "ENTRIES", "CONFIDENCE")
        for topic in result.topics:
            table.add_row(one_line(topic.section) or "(none)", str(topic.entries), shown(topic.average_confidence))
        print_table(console, table)
    elif result.which == "demoted":
        _print_demoted(result.entries, console, verbose)
    else:
        _print_entries(result.entries, console, verbose)


def _print_demoted(records: Sequence[Record], console: Console, verbose: bool) -> None:
    table = table_of("ID", "DEMOTED", "WAS", "TEXT", "WHY")
    for record in records:
        was = "?" if record.original_confidence is None else shown(record.original_confidence)
        when = format_time(record.demoted_at) if record.demoted_at else "?"
        table.add_row(id_cell(record), when, was, text_of(record, verbose), one_line(record.reason))
    print_table(console, table)


def _print_entries(records: Sequence[Record], console: Console, verbose: bool) -> None:
    table = table_of("ID", "STATUS", "CONF", "SECTION", "SOURCE", "TEXT")
    for record in records:
        table.add_row(
            id_cell(record),
            styled(state_of(record)),
            shown(record.confidence),
            one_line(record.section, 30),
            one_line(record.source_file, 40),
            text_of(record, verbose),
        )
    print_table(console, table)


def print_log(result: LogResult, console: Console, _verbose: bool) -> None:
    """Write the history as a table."""
    if not result.history:
        write_line(console, "No history.")
        return
    table = table_of("TIME", "ID", "EVENT", "TEXT")
    for row in result.history:
        table.add_row(
            format_time(row.at), Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail)
        )
    print_table(console, table)


def print_diagnoses(result: DoctorResult, console: Console, _verbose: bool) -> None:
    """Write each problem with its fix."""
    if not result.findings:
        write_line(console, "No problems found, but see the notes." if result.notices else "No problems found.")
    for one in result.findings:
        mark = ("fixed   ", "green") if one.repaired else ("found   ", "yellow")
        write_line(console, mark, one_line(one.message))
        write_line(console, "        ", one_line(one.hint))


def print_worth(result: WorthResult, console: Console, _verbose: bool) -> None:
    """Write JSON lines, for people and programs alike: this command is plumbing."""
    from intermem.reporters.formats.json import render_lines

    console.file.write(render_lines(result.entries))


def print_verified(result: VerifyResult, console: Console, _verbose: bool) -> None:
    """Write JSON lines, for people and programs alike: this command is plumbing."""
    from intermem.reporters.formats.json import render_lines

    console.file.write(render_lines(result.entries))


def print_schedule(result: ScheduleResult, console: Console, _verbose: bool) -> None:
    """Write the snippet verbatim: it is meant for a file."""
    console.file.write(result.snippet)


def print_completions(result: CompletionsResult, console: Console, _verbose: bool) -> None:
    """Write the script verbatim."""
    console.file.write(result.script)
