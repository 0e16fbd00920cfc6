"""What people read: tables and sentences, coloured on a terminal, plain elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from intermem.core.confidence import shown
from intermem.core.lifecycle import explained
from intermem.core.times import format_date, format_time
from intermem.entities import HistoryRow, Judged, Record, VerdictStatus
from intermem.reporters.diff import unified_diff
from intermem.reporters.visible import one_line, visible
from intermem.results import Result
from intermem.storage.search import Topic

ID_WIDTH = 8
_REFUSALS_SHOWN = 10
_PIPE_WIDTH = 10_000  # a pipe has no width: nothing is cut or wrapped for it

_STYLES = {
    "active": "green",
    "stale": "yellow",
    "demoted": "red",
    "valid": "green",
    "moved": "yellow",
    "broken": "red",
}


def console_for(stream: TextIO, *, no_color: bool = False) -> Console:
    """Return a console that writes to ``stream``; as wide as a pipe needs where it is no terminal."""
    width = None if stream.isatty() else _PIPE_WIDTH
    return Console(
        file=stream, width=width, no_color=no_color or None, highlight=False, markup=False, emoji=False, soft_wrap=True
    )


def render(result: Result, console: Console, *, verbose: bool = False, quiet: bool = False) -> None:
    """Write ``result`` for people. ``quiet`` leaves out what a writing verb has to say."""
    if result.show_diff:
        for change in result.changes:
            _print_diff(unified_diff(change), console)
        return
    if quiet and result.verb in ("scan", "promote", "sweep", "init", "restore", "reject", "demote"):
        return
    _RENDERERS[result.verb](result, console, verbose)


def _line(console: Console, *parts: str | tuple[str, str]) -> None:
    console.print(Text.assemble(*parts))


def _print_diff(diff: str, console: Console) -> None:
    for line in diff.split("\n")[:-1]:
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
        style = "bold" if line.startswith(("+++", "---")) else "cyan" if line.startswith("@@") else style
        console.print(Text(visible(line.rstrip("\r")), style=style))


_NARROW = {"ID", "STATUS", "CONF", "DEMOTED", "WAS", "ENTRIES", "CONFIDENCE", "TIME", "KEY"}


def _table(*headings: str) -> Table:
    """A table whose identifying columns keep their width; the others share the rest and wrap."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, no_wrap=heading in _NARROW, overflow="fold", min_width=_LEAST.get(heading))
    return table


_LEAST = {"ID": ID_WIDTH, "KEY": 27, "TEXT": 18, "WHY": 18}


def _print_table(console: Console, table: Table) -> None:
    """Write ``table`` without the padding of its last column."""
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().rstrip("\n").split("\n"):
        console.file.write(line.rstrip(" ") + "\n")


def _id(record: Record) -> Text:
    return Text(record.id[:ID_WIDTH], style="cyan")


def _styled(word: str) -> Text:
    return Text(word, style=_STYLES.get(word, ""))


def _scan(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    would = "Would record" if data["dry_run"] else "Recorded"
    seen = f"{data['new']} new, {data['counted']} counted"
    gone = f", {data['gone']} gone since the last one" if data["gone"] else ""
    again = f", {data['seen_again']} seen again" if data["seen_again"] else ""
    _line(console, f"{would} a snapshot: {_count(data['entries'], 'entry')} in {_count(data['files'], 'file')}")
    _line(console, f"  {seen}{again}{gone}")
    if verbose:
        _line(console, f"  read from {data['memory']}")


def _people(data: Mapping[str, object], console: Console) -> None:
    """What people did to the documents since the last run, before what this run does."""
    rows: Sequence[HistoryRow] = data["reconciled"]  # type: ignore[assignment]
    if not rows:
        return
    _line(console, "Found on this branch:")
    table = _table("", "ID", "EVENT", "WHY")
    for row in rows:
        table.add_row("", Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail))
    _print_table(console, table)


def _promote(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    _people(data, console)
    promoted, refused = _records(data["promoted"]), _mappings(data["refused"])
    would = "Would promote" if data["dry_run"] else "Promoted"
    if promoted:
        _line(console, f"{would} {_count(len(promoted), 'entry')} into {data['document']}:")
        table = _table("", "ID", "SECTION", "TEXT", "WHY")
        for record in promoted:
            table.add_row("", _id(record), one_line(record.section, 30), _text(record), visible(record.reason))
        _print_table(console, table)
    else:
        _line(console, "Nothing to promote.")
    if refused:
        _line(console, f"Not promoted ({len(refused)}):")
        table = _table("", "ID", "TEXT", "WHY")
        for row in refused if verbose else refused[:_REFUSALS_SHOWN]:
            record = row["entry"]
            table.add_row("", _id(record), _text(record), one_line(str(row["reason"])))
        _print_table(console, table)
        if not verbose and len(refused) > _REFUSALS_SHOWN:
            _line(console, f"  … and {len(refused) - _REFUSALS_SHOWN} more (--verbose shows all)")


def _sweep(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    _people(data, console)
    demoted = _records(data["demoted"])
    would = "Would sweep" if data["dry_run"] else "Swept"
    _line(console, f"{would} {_count(data['swept'], 'entry')}: {data['decayed']} decayed, {data['stale']} stale")
    if not data["streaks_moved"]:
        _line(console, "  too soon after the last sweep to move a streak (sweep.min_interval)")
    if not demoted:
        _line(console, "  nothing to demote")
        return
    would = "Would demote" if data["dry_run"] else "Demoted"
    documents = ", ".join(str(name) for name in _texts(data["demoted_from"]))
    _line(console, f"{would} {_count(len(demoted), 'entry')}, out of {documents}:")
    table = _table("", "ID", "TEXT", "WHY")
    for record in demoted:
        table.add_row("", _id(record), _text(record), one_line(record.reason))
    _print_table(console, table)
    if verbose and not data["dry_run"]:
        _line(console, "They stay in metadata.db in full: intermem query --demoted")


def _judgement(result: Result, console: Console, verbose: bool) -> None:
    done = {"restore": "Restored", "reject": "Rejected", "demote": "Demoted"}[result.verb]
    data = result.data
    if data["dry_run"]:
        done = f"Would {result.verb}"
    for record in _records(data[{"restore": "restored", "reject": "rejected", "demote": "demoted"}[result.verb]]):
        where = f" into {record.document}" if record.document else ""
        _line(console, f"{done} ", (record.id[:ID_WIDTH], "cyan"), f"{where}: {_text(record)}")
        if verbose:
            _line(console, f"  {record.reason}")
    for row in _mappings(data["refused"]):
        record = row["entry"]
        _line(console, "Not done ", (record.id[:ID_WIDTH], "cyan"), f": {one_line(str(row['reason']))}")


def _doctor(result: Result, console: Console, verbose: bool) -> None:
    findings = result.data["findings"]
    assert isinstance(findings, list)
    if not findings:
        _line(console, "All is well.")
    for one in findings:
        mark = ("mended  ", "green") if one.repaired else ("found   ", "yellow")
        _line(console, mark, one_line(one.message))
        _line(console, "        ", one_line(one.hint))


def _query(result: Result, console: Console, verbose: bool) -> None:
    if "topics" in result.data:
        topics: Sequence[Topic] = result.data["topics"]  # type: ignore[assignment]
        if not topics:
            _line(console, "No entries.")
            return
        table = _table("SECTION", "ENTRIES", "CONFIDENCE")
        for topic in topics:
            table.add_row(one_line(topic.section) or "(none)", str(topic.entries), shown(topic.average_confidence))
        _print_table(console, table)
        return
    records = _records(result.data["entries"])
    if not records:
        _line(console, "No entries.")
        return
    if result.data["which"] == "demoted":
        table = _table("ID", "DEMOTED", "WAS", "TEXT", "WHY")
        for record in records:
            was = "?" if record.original_confidence is None else shown(record.original_confidence)
            when = format_time(record.demoted_at) if record.demoted_at else "?"
            table.add_row(_id(record), when, was, _text(record, verbose), one_line(record.reason))
    else:
        table = _table("ID", "STATUS", "CONF", "SECTION", "SOURCE", "TEXT")
        for record in records:
            where = record.document or record.source_file
            table.add_row(
                _id(record),
                _styled(str(record.status)),
                shown(record.confidence),
                one_line(record.section, 30),
                one_line(where, 40),
                _text(record, verbose),
            )
    _print_table(console, table)


def _status(result: Result, console: Console, verbose: bool) -> None:
    data = result.data
    if "configuration" in data:
        table = _table("KEY", "VALUE", "FROM", "MEANING")
        for row in _mappings(data["configuration"]):
            value = row["value"]
            written = ", ".join(value) if isinstance(value, list) else str(value)
            table.add_row(str(row["key"]), visible(written), visible(str(row["origin"])), str(row["meaning"]))
        _print_table(console, table)
        return
    counts: Mapping[str, int] = data["entries"]  # type: ignore[assignment]
    found_by = f" ({data['memory_found_by']})" if data["memory_found_by"] else ""
    state = "" if data["state_exists"] else " (not there yet)"
    rows: list[tuple[str, str]] = [
        ("project", str(data["project_root"])),
        ("memory", f"{data['memory']}{found_by}" if data["memory"] else "none found"),
        ("state", f"{data['state']}{state}"),
    ]
    rows += [("document", _document_line(document)) for document in _mappings(data["documents"])]
    if not data["documents"]:
        rows.append(
            ("document", "none" if result.problems or result.notices else "none yet: intermem init makes AGENTS.md")
        )
    rows.append(
        (
            "entries",
            f"{counts['all']}: {counts['active']} active, {counts['stale']} stale, {counts['demoted']} demoted;"
            f" {data['promoted']} promoted",
        )
    )
    ledger = data["ledger"]
    if isinstance(ledger, Mapping):
        rows.append(("ledger", ", ".join(f"{number} {standing}" for standing, number in ledger.items())))
    else:
        rows.append(("ledger", "none on this branch"))
    for row in data["reconciled"]:  # type: ignore[attr-defined]
        rows.append(("found", f"{row.entry_id[:ID_WIDTH]} {row.event}: {one_line(row.detail)}"))
    rows.append(("last scan", _moment(data["last_snapshot"])))
    rows.append(("last sweep", _moment(data["last_sweep"])))
    upcoming = data["next_stale"]
    if isinstance(upcoming, Mapping):
        first = str(upcoming["id"])[:ID_WIDTH]
        when = f"{first} first, on {format_date(upcoming['at'])}, if nothing is seen again"
        rows.append(("goes stale", f"{first} already has" if upcoming["now"] else when))
    for name, value in rows:
        _line(console, (f"{name:<11}", "bold"), visible(value))


def _why(result: Result, console: Console, verbose: bool) -> None:
    data: Mapping[str, Any] = result.data
    record: Record = data["entry"]
    standing = f"promoted into {record.document}" if record.document else str(record.status)
    if record.rejected_at is not None and record.document is None:
        standing = "rejected"
    if record.missing_from is not None:
        standing = f"missing from {record.missing_from}"
    _line(console, (record.id, "cyan"), "  ", (standing, _STYLES.get(str(record.status), "")))
    for line in record.shown_text.split("\n"):
        _line(console, "  ", visible(line))
    sources = ", ".join(f"{one['file']}:{one['first_line']}" for one in data["sources"]) or record.source_file
    _row(console, "from", f"{sources}, section {record.section or '(none)'}, type {record.type}")
    seen = f"{format_date(record.first_seen)} to {format_date(record.last_seen)}"
    _row(console, "seen", f"{seen}, in {_count(record.snapshot_count, 'snapshot')}")
    sums = " ".join(
        f"{'+' if one['amount'] >= 0 else '−'} {abs(one['amount']):g} {one['label']}" for one in data["signals"]
    )
    decay = record.base_confidence - record.confidence
    taken = f" − {shown(decay)} decay" if decay else ""
    _row(console, "confidence", f"{shown(record.confidence)} = {sums.removeprefix('+ ')}{taken}")
    for item in record.citations:
        _row(console, "cites", _cited(item))
    line = data["ledger"]
    if line is not None:
        pinned = ", pinned" if line.pinned else ""
        _row(console, "ledger", f"{line.status} in {line.document or '(no document)'} since {line.since}{pinned}")
    if record.grace_until is not None and record.document is not None and not data["grace_is_over"]:
        _row(console, "spared", f"until {format_date(record.grace_until)}: a person brought it back")
    if record.status == "demoted" or data["not_promoted_because"]:
        reason = data["not_promoted_because"] or "nothing: promote would take it"
        _row(console, "against it", str(reason))
    when: datetime | None = data["stale_on"]
    if data["stale"]:
        streak = f", in {_count(record.stale_streak, 'sweep')} in a row" if record.stale_streak else ""
        _row(console, "stale", f"now{streak}")
    elif when is not None:
        _row(console, "goes stale", f"{format_date(when)}, if it is not seen again")
    history: Sequence[HistoryRow] = data["history"]
    for row in reversed(history):
        _row(console, format_date(row.at), f"{row.event} {row.detail}".strip())


def _log(result: Result, console: Console, verbose: bool) -> None:
    rows: Sequence[HistoryRow] = result.data["history"]  # type: ignore[assignment]
    if not rows:
        _line(console, "No history.")
        return
    table = _table("TIME", "ID", "EVENT", "TEXT")
    for row in rows:
        table.add_row(
            format_time(row.at), Text((row.entry_id or "")[:ID_WIDTH], "cyan"), row.event, one_line(row.detail)
        )
    _print_table(console, table)


def _init(result: Result, console: Console, verbose: bool) -> None:
    data: Mapping[str, Any] = result.data
    would = "would be edited" if data["dry_run"] else "edited"
    for change in result.changes:
        what = "would be created" if data["dry_run"] else "created"
        _line(console, f"{change.document} {would if change.before is not None else what}")
    found = (
        f"{data['memory']} ({data['memory_found_by']})" if data["memory"] else "none found; name it with --memory-dir"
    )
    _line(console, ("memory   ", "bold"), visible(found))
    _line(console, ("state    ", "bold"), visible(str(data["state"])))
    if verbose or not data["dry_run"]:
        for snippet in data["snippets"].values():
            console.print()
            console.print(Text(snippet.rstrip("\n")))


_RENDERERS: Mapping[str, Callable[[Result, Console, bool], None]] = {
    "init": _init,
    "scan": _scan,
    "promote": _promote,
    "sweep": _sweep,
    "query": _query,
    "doctor": _doctor,
    "restore": _judgement,
    "reject": _judgement,
    "demote": _judgement,
    "status": _status,
    "why": _why,
    "log": _log,
}


def _row(console: Console, name: str, value: str) -> None:
    _line(console, "  ", (f"{name:<11}", "bold"), visible(value))


def _cited(item: Judged) -> str:
    target = item.verdict.target
    same = target is None or target == item.citation.path or item.verdict.status is VerdictStatus.MOVED
    where = "" if same else f" → {target}"
    return f"{item.citation.text}{where}: {explained(item)}"


def _document_line(document: Mapping[str, Any]) -> str:
    region = document["region"]
    if region is None:
        return f"{document['name']}, no region yet"
    budget = f" of {region['budget_lines']}" if region["budget_lines"] else ""
    others = f", {region['other_blocks']} on no record" if region["other_blocks"] else ""
    entries = _count(region["entries"], "entry")
    return f"{document['name']}:{region['first_line']}, {entries} on {region['lines']}{budget} lines{others}"


def _text(record: Record, whole: bool = False) -> str:
    return visible(record.shown_text) if whole else one_line(record.shown_text, 72)


def _moment(value: object) -> str:
    return format_time(value) if isinstance(value, datetime) else "never"


def _count(number: object, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def _records(value: object) -> Sequence[Record]:
    assert isinstance(value, list)
    return value


def _texts(value: object) -> Sequence[str]:
    assert isinstance(value, list)
    return value


def _mappings(value: object) -> Sequence[Mapping[str, Any]]:
    assert isinstance(value, list)
    return value
