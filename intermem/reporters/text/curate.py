"""Text output of ``init``, ``scan``, ``promote``, ``sweep`` and ``curate``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from intermem.core.times import format_time
from intermem.entities import HistoryRow, Record
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.refusals import print_nothing, print_refusals, print_rows
from intermem.reporters.text.tables import (
    ID_WIDTH,
    counted,
    fits,
    id_cell,
    print_table,
    table_of,
    text_of,
    types_of,
)
from intermem.results.curate import (
    CandidatesResult,
    CurateResult,
    InitResult,
    PromoteResult,
    ScanResult,
    SweepResult,
)


def print_scanned(result: ScanResult, console: Console, verbose: bool) -> None:
    would = "Would record" if result.dry_run else "Recorded"
    seen = f"{result.new} new, {result.counted} counted"
    gone = f", {result.gone} gone since the last one" if result.gone else ""
    again = f", {result.seen_again} seen again" if result.seen_again else ""
    unread = sum(1 for problem in result.problems if problem.fatal)
    files = counted(result.files, "file") + (f", {counted(unread, 'file')} not read" if unread else "")
    write_line(console, f"{would} a snapshot: {counted(result.entries, 'entry')} in {files}")
    write_line(console, f"  {seen}{again}{gone}")
    if result.newly_stable:
        are = "is" if result.stable == 1 else "are"
        write_line(console, f"  {counted(result.stable, 'entry')} {are} stable: intermem promote")
    elif result.next_counted is not None:
        ahead = result.next_counted
        when = f"snapshot {ahead.number} of {ahead.of} counts after {format_time(ahead.after)}"
        write_line(console, f"  nothing is stable yet: {when}")
    if verbose:
        write_line(console, f"  read from {result.memory}")


def _print_reconciled(rows: Sequence[HistoryRow], console: Console) -> None:
    """Changes that people made to the documents since the last run."""
    if not rows:
        return
    write_line(console, "Found on this branch:")
    table = table_of("", "ID", "EVENT", "WHY")
    for row in rows:
        table.add_row("", Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail))
    print_table(console, table)


def print_promotion(result: PromoteResult | CandidatesResult, console: Console, verbose: bool) -> None:
    """Write what ``promote`` did, or with ``--candidates`` what it could do."""
    if isinstance(result, CandidatesResult):
        from intermem.reporters.text.candidates import print_candidates

        return print_candidates(result, console, verbose)
    return print_promoted(result, console, verbose)


def print_promoted(result: PromoteResult, console: Console, verbose: bool) -> None:
    _print_reconciled(result.reconciled, console)
    promoted = result.promoted
    would = "Would promote" if result.dry_run else "Promoted"
    by_place: dict[str, list[Record]] = {}
    for record in promoted:
        by_place.setdefault(record.document or result.document, []).append(record)
    for place, records in by_place.items():
        write_line(console, f"{would} {counted(len(records), 'entry')} into {place}:")
        table = table_of("", "ID", "SECTION", "TEXT", "WHY")
        for record in records:
            table.add_row("", id_cell(record), one_line(record.section, 30), text_of(record), visible(record.reason))
        if fits(console, table):
            print_table(console, table)
        else:
            print_rows(records, [_why_and_where(record) for record in records], console)
    if not promoted:
        print_nothing(result, console)
    print_refusals(result, console, everything=verbose or result.lists_all)


def _why_and_where(record: Record) -> str:
    return one_line(f"{record.reason}, under {record.section}" if record.section else record.reason)


def print_swept(result: SweepResult, console: Console, verbose: bool) -> None:
    _print_reconciled(result.reconciled, console)
    demoted = result.demoted
    would = "Would sweep" if result.dry_run else "Swept"
    write_line(console, f"{would} {counted(result.swept, 'entry')}: {result.decayed} decayed, {result.stale} stale")
    for gone, word in ((result.expired, "demoted"), (result.deleted, "deleted")):
        if gone:
            would_be = "would be " if result.dry_run else ""
            write_line(console, f"  {counted(len(gone), 'entry')} {would_be}{word} by retention ({types_of(gone)})")
            if verbose:
                print_rows(gone, [one_line(record.reason) for record in gone], console)
    if result.deleted and not result.dry_run:
        write_line(console, "  intermem undo brings back what was deleted")
    if not result.streaks_moved:
        write_line(console, "  too soon after the last sweep to count towards stale streaks (sweep.min_interval)")
    if not demoted:
        waiting = f"{counted(result.waiting, 'entry')} in a document may go in a later sweep"
        if result.due:
            keeps = f"{counted(result.due, 'entry')} in a document {'is' if result.due == 1 else 'are'} due"
            write_line(
                console, f"  nothing demoted: {keeps}, and --no-demote keeps {'it' if result.due == 1 else 'them'}"
            )
        if result.waiting:
            write_line(console, f"  {waiting}" if result.due else f"  nothing to demote yet: {waiting}")
        if not (result.due or result.waiting or result.expired or result.deleted):
            spared = f": {counted(result.spared, 'entry')} in a document {'is' if result.spared == 1 else 'are'} spared"
            write_line(console, f"  nothing to demote{f'{spared} for now' if result.spared else ''}")
        return
    would = "Would demote" if result.dry_run else "Demoted"
    documents = ", ".join(result.demoted_from)
    write_line(console, f"{would} {counted(len(demoted), 'entry')}, out of {documents}:")
    table = table_of("", "ID", "TEXT", "WHY")
    for record in demoted:
        table.add_row("", id_cell(record), text_of(record), one_line(record.reason))
    print_table(console, table)
    if verbose and not result.dry_run:
        write_line(console, "They stay in metadata.db in full: intermem query --demoted")


def print_initialised(result: InitResult, console: Console, verbose: bool) -> None:
    would = "would be edited" if result.dry_run else "edited"
    for change in result.changes:
        what = "would be created" if result.dry_run else "created"
        write_line(console, f"{change.document} {would if change.before is not None else what}")
    found = f"{result.memory} ({result.memory_found_by})" if result.memory else "none found; name it with --memory-dir"
    write_line(console, ("memory   ", "bold"), visible(found))
    write_line(console, ("state    ", "bold"), visible(result.state))
    if verbose or not result.dry_run:
        for name, snippet in result.snippets.items():
            console.print()
            if name == "agent-hook":  # JSON has no comments
                write_line(console, ".claude/settings.local.json: scan and sweep when a session ends")
            console.print(Text(snippet.rstrip("\n")))


def print_curated(result: CurateResult, console: Console, verbose: bool) -> None:
    """Write what a sweep did, and then the promotion."""
    print_swept(result.sweep, console, verbose)
    if result.promote is not None:
        print_promoted(result.promote, console, verbose)
