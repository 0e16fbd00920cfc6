"""What people read of the verbs that look: query, status, why, log, doctor, and the plumbing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from intermem.core.lifecycle.confidence import shown
from intermem.core.times import format_date, format_time
from intermem.entities import HistoryRow, Record
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.citations import cited, summed
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import (
    ID_WIDTH,
    STYLES,
    counted,
    id_cell,
    mappings_in,
    moment,
    print_table,
    records_in,
    standing_of,
    styled,
    table_of,
    text_of,
    write_row,
)
from intermem.results import Result
from intermem.storage.search import Topic


def print_query(result: Result, console: Console, verbose: bool) -> None:
    if "topics" in result.data:
        topics: Sequence[Topic] = result.data["topics"]  # type: ignore[assignment]
        if not topics:
            write_line(console, "No entries.")
            return
        table = table_of("SECTION", "ENTRIES", "CONFIDENCE")
        for topic in topics:
            table.add_row(one_line(topic.section) or "(none)", str(topic.entries), shown(topic.average_confidence))
        print_table(console, table)
        return
    records = records_in(result.data["entries"])
    if not records:
        write_line(console, "No entries.")
        return
    if result.data["which"] == "demoted":
        table = table_of("ID", "DEMOTED", "WAS", "TEXT", "WHY")
        for record in records:
            was = "?" if record.original_confidence is None else shown(record.original_confidence)
            when = format_time(record.demoted_at) if record.demoted_at else "?"
            table.add_row(id_cell(record), when, was, text_of(record, verbose), one_line(record.reason))
    else:
        table = table_of("ID", "STATUS", "CONF", "SECTION", "SOURCE", "TEXT")
        for record in records:
            where = record.document or record.source_file
            table.add_row(
                id_cell(record),
                styled(standing_of(record) if record.status != "stale" else "stale"),
                shown(record.confidence),
                one_line(record.section, 30),
                one_line(where, 40),
                text_of(record, verbose),
            )
    print_table(console, table)


def print_status(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    if "configuration" in data:
        table = table_of("KEY", "VALUE", "FROM", "MEANING")
        for row in mappings_in(data["configuration"]):
            value = row["value"]
            written = ", ".join(value) if isinstance(value, list) else str(value)
            if isinstance(value, Mapping):
                written = ", ".join(
                    f"{name}={' '.join(one) if isinstance(one, list) else one}" for name, one in value.items()
                )
            elif isinstance(value, bool):
                written = str(value).lower()
            table.add_row(str(row["key"]), visible(written), visible(str(row["origin"])), str(row["meaning"]))
        print_table(console, table)
        return
    counts: Mapping[str, int] = data["entries"]  # type: ignore[assignment]
    found_by = f" ({data['memory_found_by']})" if data["memory_found_by"] else ""
    state = "" if data["state_exists"] else " (not there yet)"
    rows: list[tuple[str, str]] = [
        ("project", str(data["project_root"])),
        ("memory", f"{data['memory']}{found_by}" if data["memory"] else "none found"),
        ("state", f"{data['state']}{state}"),
    ]
    rows += [("document", _document_line(document)) for document in mappings_in(data["documents"])]
    if not data["documents"]:
        refused = [problem.where for problem in result.problems]
        none = "none" if result.notices else "none yet: intermem init makes AGENTS.md"
        rows.append(("document", f"{', '.join(refused)}: refused" if refused else none))
    rows.append(
        (
            "entries",
            f"{counts['all']}: {counts['active']} active, {counts['stale']} stale, {counts['demoted']} demoted;"
            f" {data['promoted']} promoted, {data['rejected']} rejected",
        )
    )
    if data["review"]:
        rows.append(("review", f"{counted(data['review'], 'entry')} called outdated: intermem query --review"))
    ledger = data["ledger"]
    if isinstance(ledger, Mapping):
        rows.append(("ledger", ", ".join(f"{number} {standing}" for standing, number in ledger.items())))
    else:
        rows.append(("ledger", "none on this branch"))
    found: Sequence[HistoryRow] = data["reconciled"]  # type: ignore[assignment]
    learnt = [change for change in found if change.event == "learnt"]
    if learnt:
        rows.append(("found", f"{counted(len(learnt), 'entry')} of the ledger that are not on record here yet"))
    for change in found:
        if change.event != "learnt":
            rows.append(("found", f"{(change.entry_id or '')[:ID_WIDTH]} {change.event}: {one_line(change.detail)}"))
    rows.append(("last scan", moment(data["last_snapshot"])))
    rows.append(("last sweep", moment(data["last_sweep"])))
    upcoming = data["next_stale"]
    if isinstance(upcoming, Mapping):
        first = str(upcoming["id"])[:ID_WIDTH]
        when = f"{first} first, on {format_date(upcoming['at'])}, if nothing is seen again"
        rows.append(("goes stale", f"{first} already has" if upcoming["now"] else when))
    for name, value in rows:
        write_line(console, (f"{name:<11}", "bold"), visible(value))


def _document_line(document: Mapping[str, Any]) -> str:
    region = document["region"]
    if region is None:
        return f"{document['name']}, no region yet"
    budget = f" of {region['budget_lines']}" if region["budget_lines"] else ""
    others = f", {region['other_blocks']} on no record" if region["other_blocks"] else ""
    entries = counted(region["entries"], "entry")
    return f"{document['name']}:{region['first_line']}, {entries} on {region['lines']}{budget} lines{others}"


def print_story(result: Result, console: Console, verbose: bool) -> None:
    data: Mapping[str, Any] = result.data
    record: Record = data["entry"]
    standing = standing_of(record)
    if record.document is not None:
        standing += f" into {record.document}"
        if record.rejected_at is not None:
            standing += f", rejected on another branch on {format_date(record.rejected_at)}"
    elif record.missing_from is not None:
        standing += f" from {record.missing_from}"
    write_line(console, (record.id, "cyan"), "  ", (standing, STYLES.get(str(record.status), "")))
    for line in record.shown_text.split("\n"):
        write_line(console, "  ", visible(line))
    sources = ", ".join(f"{one['file']}:{one['first_line']}" for one in data["sources"]) or record.source_file
    write_row(console, "from", f"{sources}, section {record.section or '(none)'}, type {record.type}")
    seen = f"{format_date(record.first_seen)} to {format_date(record.last_seen)}"
    write_row(console, "seen", f"{seen}, in {counted(record.snapshot_count, 'snapshot')}")
    if record.last_accessed is not None:
        times = "once" if record.access_count == 1 else f"{record.access_count} times"
        write_row(console, "asked for", f"{times} by query, last on {format_date(record.last_accessed)}")
    decay = record.base_confidence - record.confidence
    taken = f" − {shown(decay)} decay" if decay else ""
    write_row(console, "confidence", f"{shown(record.confidence)} = {summed(data['signals'])}{taken}")
    for line in cited(record.citations, verbose=True):
        write_row(console, "cites", line)
    entered = data["ledger"]
    if entered is not None:
        pinned = ", pinned" if entered.pinned else ""
        where = entered.document or "(no document)"
        write_row(console, "ledger", f"{entered.status} in {where} since {entered.since}{pinned}")
    if data["is_pinned"]:
        until = f", until {format_date(record.pinned_until)}" if record.pinned_until is not None else ""
        write_row(console, "pinned", f"it neither decays nor goes stale{until}")
    if record.grace_until is not None and not data["grace_is_over"]:
        write_row(console, "spared", f"until {format_date(record.grace_until)}: a person brought it back")
    if record.review_at is not None:
        write_row(console, "review", f"flagged on {format_date(record.review_at)}")
    if data["failures"]:
        write_row(console, "failures", str(data["failures"]))
    if record.status == "demoted" or data["not_promoted_because"]:
        reason = data["not_promoted_because"] or "nothing: promote would take it"
        write_row(console, "against it", str(reason))
    when: datetime | None = data["stale_on"]
    if data["stale"]:
        streak = f", in {counted(record.stale_streak, 'sweep')} in a row" if record.stale_streak else ""
        write_row(console, "stale", f"now{streak}")
    elif when is not None:
        write_row(console, "goes stale", f"{format_date(when)}, if it is not seen again")
    history: Sequence[HistoryRow] = data["history"]
    for row in reversed(history):
        write_row(console, format_date(row.at), f"{row.event} {row.detail}".strip())


def print_log(result: Result, console: Console, verbose: bool) -> None:
    rows: Sequence[HistoryRow] = result.data["history"]  # type: ignore[assignment]
    if not rows:
        write_line(console, "No history.")
        return
    table = table_of("TIME", "ID", "EVENT", "TEXT")
    for row in rows:
        table.add_row(
            format_time(row.at), Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail)
        )
    print_table(console, table)


def print_checkup(result: Result, console: Console, verbose: bool) -> None:
    findings = result.data["findings"]
    assert isinstance(findings, list)
    if not findings:
        write_line(console, "All is well.")
    for one in findings:
        mark = ("mended  ", "green") if one.repaired else ("found   ", "yellow")
        write_line(console, mark, one_line(one.message))
        write_line(console, "        ", one_line(one.hint))


def print_verified(result: Result, console: Console, _verbose: bool) -> None:
    """JSON lines for people and programs alike: this verb is plumbing."""
    from intermem.reporters.formats.json import render_lines

    verified = result.data["entries"]
    assert isinstance(verified, list)
    console.file.write(render_lines(verified))


def print_schedule(result: Result, console: Console, _verbose: bool) -> None:
    """The snippet to the letter: it is meant for a file."""
    console.file.write(str(result.data["snippet"]))
