"""Text output of ``status``: the state of the project, or its configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console

from intermem.core.reconcile.model import AGAIN
from intermem.core.times import format_date
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.stats import print_stats
from intermem.reporters.text.tables import ID_WIDTH, JUDGED, counted, moment, print_table, table_of
from intermem.results.inspect import ConfigurationResult, DocumentStatus, StatusResult
from intermem.results.stats import StatsResult


def print_status(result: StatusResult | StatsResult | ConfigurationResult, console: Console, verbose: bool) -> None:
    """Write a line for each fact, or the figures."""
    if isinstance(result, ConfigurationResult):
        print_configuration(result, console, verbose)
        return
    if isinstance(result, StatsResult):
        print_stats(result, console, verbose)
        return
    for rows in (_places(result), _counts(result), _changes(result), _times(result)):
        for name, value in rows:
            write_line(console, (f"{name:<11}", "bold"), visible(value))


def print_configuration(result: ConfigurationResult, console: Console, _verbose: bool) -> None:
    """Write the configuration as a table."""
    table = table_of("KEY", "VALUE", "FROM", "MEANING")
    for one in result.configuration:
        table.add_row(one.key, visible(_value(one.value)), visible(one.origin), one.meaning)
    print_table(console, table)


def _value(value: object) -> str:
    """A value of the configuration as an environment variable would hold it."""
    if isinstance(value, Mapping):
        pairs = ((name, " ".join(one) if isinstance(one, list) else one) for name, one in value.items())
        return ", ".join(f"{name}={one}" for name, one in pairs)
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _places(result: StatusResult) -> Iterator[tuple[str, str]]:
    found_by = f" ({result.memory_found_by})" if result.memory_found_by else ""
    yield "project", result.project_root
    yield "memory", f"{result.memory}{found_by}" if result.memory else "none found"
    yield "state", result.state if result.state_exists else f"{result.state} (not created yet)"
    for document in result.documents:
        yield "document", _document_line(document)
    if not result.documents:
        refused = [problem.where for problem in result.problems]
        none = "none" if result.notices else "none yet: intermem init creates AGENTS.md"
        yield "document", f"{', '.join(refused)}: refused" if refused else none


def _document_line(document: DocumentStatus) -> str:
    region = document.region
    if region is None:
        return f"{document.name}, no region yet"
    budget = f" of {region.budget_tokens}" if region.budget_tokens else ""
    others = f", {region.other_blocks} not on record" if region.other_blocks else ""
    copies = f" ({region.entries_elsewhere} of another document)" if region.entries_elsewhere else ""
    entries = counted(region.entries + region.entries_elsewhere, "entry") + copies
    return f"{document.name}:{region.first_line}, {entries}, about {region.tokens}{budget} tokens{others}"


def _counts(result: StatusResult) -> Iterator[tuple[str, str]]:
    found = result.entries
    by_status = f"{found.active} active, {found.stale} stale, {found.demoted} demoted, {result.rejected} rejected"
    yield "entries", f"{found.all}: {by_status}; {result.promoted} promoted"
    if result.review:
        yield "review", f"{counted(result.review, 'entry')} flagged for review: intermem query --review"
    if result.ledger is not None:
        yield "ledger", ", ".join(f"{number} {state}" for state, number in result.ledger.items())
    else:
        yield "ledger", "none on this branch"


def _changes(result: StatusResult) -> Iterator[tuple[str, str]]:
    """Changes that people made to the documents since the last run."""
    learnt = [
        change for change in result.reconciled if change.event == "learnt" and not change.detail.startswith(AGAIN)
    ]
    if learnt:
        are = "is" if len(learnt) == 1 else "are"
        yield "found", f"{counted(len(learnt), 'entry')} in documents that {are} not on record here yet"
    for change in result.reconciled:
        if change not in learnt:
            event = "" if change.event == "learnt" else f"{change.event}: "
            yield "found", f"{(change.entry_id or '')[:ID_WIDTH]} {event}{one_line(change.detail)}"


def _times(result: StatusResult) -> Iterator[tuple[str, str]]:
    yield "last scan", moment(result.last_snapshot)
    yield "last sweep", moment(result.last_sweep)
    if result.last_snapshot or result.last_sweep:
        yield "citations", JUDGED
    upcoming = result.next_stale
    if upcoming is not None:
        first = upcoming.id[:ID_WIDTH]
        when = f"{first} first, on {format_date(upcoming.at)}, unless entries are seen again"
        others = f" and {upcoming.others} more in documents" if upcoming.others else ""
        yield ("stale now", f"{first}{others}") if upcoming.now else ("goes stale", when)
