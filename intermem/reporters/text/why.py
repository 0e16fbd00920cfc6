"""Text output of ``why``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from intermem.core.lifecycle.confidence import shown
from intermem.core.reconcile.ledger import Standing
from intermem.core.times import format_date
from intermem.entities import HistoryRow
from intermem.reporters.escaping import visible
from intermem.reporters.phrases import worth_in_words
from intermem.reporters.text.citations import cited, summed
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import STYLES, counted, state_of, write_row, write_sources
from intermem.results.inspect import DepartedResult, WhyResult

_RENEWED = {  # what lets its age start anew
    "seen": ", unless it is seen again",
    "accessed": ", unless it is queried",
    "latest": ", unless it is seen again or queried",
}


def print_why(result: WhyResult | DepartedResult, console: Console, _verbose: bool) -> None:
    """Write the entry, what its confidence is made of, what will happen to it, and its history."""
    if isinstance(result, DepartedResult):
        write_line(console, (result.id, "cyan"), "  deleted")
        _print_history(result.history, console)
        return
    record = result.entry
    write_line(console, (record.entry_id, "cyan"), "  ", (_state(result), STYLES.get(str(record.status), "")))
    for line in record.shown_text.split("\n"):
        write_line(console, "  ", visible(line))
    if record.note_text is not None and record.note_text != record.text:
        is_part = record.shown_text in record.note_text
        told = "of which the above is written" if is_part else "in words of its own"
        write_row(console, "note", f"{len(record.note_text)} characters, {told}:")
        for line in record.note_text.split("\n"):
            write_line(console, "  | ", visible(line))
    _print_origin(result, console)
    decay = record.base_confidence - record.confidence
    taken = f" − {shown(decay)} decay" if decay else ""
    over = sum(one.amount for one in result.signals) - record.base_confidence
    bound = ", at most 1.0" if over > 0 else ", at least 0.0" if over < 0 else ""
    write_row(console, "confidence", f"{shown(record.confidence)} = {summed(result.signals)}{bound}{taken}")
    if result.entry.text is not None:
        write_row(console, "worth", worth_in_words(result.worth, result.reasons))
    for line in cited(record.citations, verbose=True):
        write_row(console, "cites", line)
    if result.ledger is not None:
        pinned = ", pinned" if result.ledger.pinned and result.is_pinned else ""
        way = "in" if result.ledger.status is Standing.PROMOTED else "out of"
        where = f" {way} {result.ledger.document}" if result.ledger.document else ""
        write_row(console, "ledger", f"{result.ledger.status}{where} since {format_date(result.ledger.since)}{pinned}")
    _print_exceptions(result, console)
    _print_outlook(result, console)
    _print_history(result.history, console)


def _print_history(history: Sequence[HistoryRow], console: Console) -> None:
    for row in reversed(history):
        write_row(console, format_date(row.at), f"{row.event} {row.detail}".strip())


def _state(result: WhyResult) -> str:
    record = result.entry
    state = state_of(record)
    if record.document is not None:
        where, _, stale = state.partition(", ")
        state = f"{where} into {record.document}{', ' if stale else ''}{stale}"
        if record.rejected_at is not None:
            state += f", rejected on another branch on {format_date(record.rejected_at)}"
    elif record.missing_from is not None:
        state += f" from {record.missing_from}"
    return state


def _print_origin(result: WhyResult, console: Console) -> None:
    record, accessed = result.entry, result.accessed
    write_sources(console, record, result.sources, result.also)
    seen = f"{format_date(record.first_seen)} to {format_date(record.last_seen)}"
    seen += f", in {counted(record.snapshot_count, 'snapshot')}"
    if result.ledger is not None and record.counted_at is None:
        seen += ", according to the ledger"
    elif record.imported_count and record.document is None:
        seen += f", {record.imported_count} of them from elsewhere: these do not make it stable"
    write_row(console, "seen", seen)
    if result.held_by is not None:
        write_row(console, "held by", f"{result.held_by[:8]}, the note that took the place of its own")
    if accessed.last is not None:
        times = "once" if accessed.count == 1 else f"{accessed.count} times"
        write_row(console, "accessed", f"{times}, last on {format_date(accessed.last)}")


def _print_exceptions(result: WhyResult, console: Console) -> None:
    """Pin, grace period, review flag and failures, which people caused."""
    record = result.entry
    if result.is_pinned:
        until = f", until {format_date(record.pinned_until)}" if record.pinned_until is not None else ""
        write_row(console, "pinned", f"it neither decays nor goes stale{until}")
    is_out = record.rejected_at is not None or record.document is None
    if record.grace_until is not None and not (result.grace_is_over or is_out):
        write_row(console, "spared", f"until {format_date(record.grace_until)}: no sweep counts against it")
    if record.review_at is not None:
        write_row(console, "review", f"flagged on {format_date(record.review_at)}")
    if result.failures:
        write_row(console, "failures", str(result.failures))


def _print_outlook(result: WhyResult, console: Console) -> None:
    """Why it is not promoted, and when it goes stale."""
    record = result.entry
    if record.status == "demoted" or result.not_promoted_because:
        reason = result.not_promoted_because or "nothing: promote would take it"
        write_row(console, "against it", reason)
    if result.stale:
        streak = f", with a stale streak of {record.stale_streak}" if record.stale_streak else ""
        write_row(console, "stale", f"now{streak}")
    elif result.stale_on is not None:
        write_row(console, "goes stale", f"{format_date(result.stale_on)}{_RENEWED.get(result.decay_basis, '')}")
