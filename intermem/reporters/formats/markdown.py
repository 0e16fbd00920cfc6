"""``query --format md``: the entries as a Markdown document, to read, to mail or to keep outside of intermem."""

from __future__ import annotations

from itertools import groupby

from intermem.core.times import format_date
from intermem.entities import Record
from intermem.reporters.escaping import one_line, visible, well_formed
from intermem.results.inspect import QueryResult


def render(result: QueryResult) -> str:
    """Return a list of the entries under their sections; what became of each follows its text."""
    entries = sorted(result.entries, key=lambda one: (one.section, one.entry_id))
    parts: list[str] = []
    for section, rows in groupby(entries, key=lambda one: one.section):
        parts += [f"## {_uncommented(one_line(section)) or '(no section)'}\n"]
        parts += ["".join(map(_item, rows))]
    return well_formed("\n".join(parts))


def _uncommented(words: str) -> str:
    """Return ``words`` with no comment in them: a reason may name a marker, and is none."""
    return words.replace("<!--", "\\<!--")


def _item(record: Record) -> str:
    first, *others = visible(record.shown_text).split("\n")
    lines = [f"- {first}", *(f"  {line}" if line.strip() else "" for line in others)]
    when = f" on {format_date(record.demoted_at)}" if record.demoted_at is not None else ""
    reason = _uncommented(one_line(record.reason))
    said = f"{record.state}{when}"
    if reason:  # what the ledger tells begins with the same words
        said = reason if when and reason.startswith(said) else f"{said}: {reason}"
    fate = f"`{record.entry_id[:8]}` {said}" if record.status != "active" or reason else ""
    lines += ["", f"  {fate}"] if fate else []
    return "\n".join(lines) + "\n"
