"""Text output of what ``promote`` refused: in groups, the nearest misses first, each with what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from rich.console import Console
from rich.text import Text

from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.misses import group_of
from intermem.core.times import format_moment
from intermem.entities import Record
from intermem.reporters.escaping import one_line
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import ID_WIDTH, id_cell, text_of
from intermem.reporters.text.wrapping import write_wrapped
from intermem.results import Miss
from intermem.results.curate import PromoteResult

_LINES = 10  # unless all are asked for
_LEAST = 30  # columns for the text, or the reason goes below it
_TYPES = 3  # of notes that are not promoted, which a heading names
# Of each group: what it is called, and what would change it (empty: each line says it).
_GROUPS = {
    "unstable": ("Not stable yet", ""),
    "unread": ("Waiting for a scan", ""),
    "worth": ("Not worth a line by itself", "intermem promote ID on a terminal takes one; --text WORDING rewords it"),
    "long": ("Too long", "intermem promote ID --text WORDING writes a shorter one"),
    "said": (
        "Said already",
        "nothing to do; intermem demote OLD --by NEW takes the new wording, promote ID keeps both if one word differs",
    ),
    "limit": ("Over the limit of a run", "the next run takes them; so does --limit 0"),
    "budget": (
        "No room in the document",
        "demote or reject what matters less, raise the budget, or promote ID --tier 2 (tiers = true)",
    ),
    "declined": ("Not taken", "promote asks again"),
    "unsafe": ("Not safe to write", "intermem promote ID --text WORDING writes another one"),
    "blocked": ("Its file is in the way", ""),
    "bound": ("Its former wording is in the way", "unpin that one, or name its document with --target"),
    "stale": ("Stale", "correct the note, or what it cites; intermem why ID has the evidence"),
    "person": ("Held back until a person lifts it", ""),
    "hazard": ("For a person to decide", ""),
    "secret": ("Holds a secret or hidden characters", "take it out of the note"),
    "private": ("Private", "only notes of a type in promote.types are promoted"),
    "replaced": ("Replaced by another note", "nothing to do"),
    "gone": ("Not seen any more", "they count again once the memory has them again"),
    "purged": ("Purged", "the ledger keeps it out for good: a note in other words is another entry"),
}


def print_nothing(result: PromoteResult, console: Console) -> None:
    """Say that there is nothing to promote, and when there will be, or what to do."""
    ahead = result.next_counted
    if result.asked:
        write_line(console, "Nothing was promoted.")
        return
    if ahead is not None:
        told = f" yet: snapshot {ahead.number} of {ahead.of} {_counts(ahead.after, result.at)}"
    elif any(group_of(row.gate) in ("worth", "long", "hazard") for row in result.refused):
        told = " by itself: choose from these, with intermem promote ID"
    elif result.refused:
        told = " until one of these changes"
    elif result.known:
        told = ": no note that is known waits for it"
    else:
        told = ": no note is known; intermem scan reads the memory, if it has any"
    write_wrapped(console, f"Nothing to promote{told}", 2)


def print_refusals(result: PromoteResult, console: Console, everything: bool) -> None:
    """Write the refusals by group; at most ten entries unless ``everything`` is asked for."""
    groups = [list(rows) for _, rows in groupby(result.refused, key=lambda row: group_of(row.gate))]
    total = len(result.refused)
    shares = _shares([len(rows) for rows in groups], total if everything else _LINES)
    if groups:
        write_line(console, f"Not promoted ({total}):")
    for rows, share in zip(groups, shares, strict=True):
        heading, reasons = _told(rows, result.at)
        write_wrapped(console, heading, 6, indent=2, style="bold")
        print_rows([row.entry for row in rows[:share]], reasons[:share], console, indent=4)
    if sum(shares) < total:
        write_line(console, f"  … and {total - sum(shares)} more: intermem promote --all lists them")


def _shares(sizes: Sequence[int], lines: int) -> list[int]:
    """How many of each group are shown: one of each in turn, as long as there are ``lines`` left."""
    shares = [0] * len(sizes)
    while lines and shares != list(sizes):
        for number, size in enumerate(sizes):
            if lines and shares[number] < size:
                shares[number] += 1
                lines -= 1
    return shares


def _told(rows: Sequence[Miss], now: datetime) -> tuple[str, list[str]]:
    """Return the heading of a group, and the reason on each of its lines: what all share is in the heading."""
    group = group_of(rows[0].gate)
    title, change = _GROUPS[group]
    reasons = [one_line(row.reason) for row in rows]
    if group == "private" and (types := sorted({row.entry.type for row in rows} - {"user"})):
        title = "Of a type that is not promoted"
        named = ", ".join([*types[:_TYPES], *(["…"] if len(types) > _TYPES else [])])
        change = f"promote.types does not name {one_line(named)}"
    if group == "limit":
        reasons = [f"worth {shown(row.worth or 0)}" for row in rows]
    if group == "unstable":
        when = [_counts(row.counts_after, now) for row in rows]
        if len(set(when)) == 1:
            change = f"the next snapshot {when[0]}"
        else:
            reasons = [f"{reason}: the next {then}" for reason, then in zip(reasons, when, strict=True)]
    return f"{title} ({len(rows)}){': ' if change else ''}{change}", reasons


def _counts(after: datetime | None, now: datetime) -> str:
    if after is None:
        return "never counts: the calendar ends before"
    return f"counts after {format_moment(after, now)}" if after > now else "counts: intermem scan takes it"


def print_rows(records: Sequence[Record], reasons: Sequence[str], console: Console, indent: int = 2) -> None:
    """Write an entry a line, the reasons below each other; or, where that is too wide, each reason on its own line."""
    taken = indent + ID_WIDTH + 2
    texts = [Text(text_of(record)) for record in records]
    longest = max((text.cell_len for text in texts), default=0)
    room = console.width - taken - 2 - max((Text(reason).cell_len for reason in reasons), default=0)
    beside = room >= min(_LEAST, longest)
    room = min(room if beside else console.width - taken, longest)
    for record, text, reason in zip(records, texts, reasons, strict=True):
        text.truncate(room, overflow="ellipsis", pad=beside)
        start = Text.assemble(" " * indent, id_cell(record), "  ", text)
        console.print(start + Text(f"  {reason}") if beside else start)
        if not beside:
            write_wrapped(console, reason, taken, indent=taken)
