"""Tables, rows and cells of text output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from intermem.core.times import format_time
from intermem.entities import Record, Source, Status
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import PIPE_WIDTH, write_line
from intermem.results.inspect import Alike

ID_WIDTH = 8
JUDGED = "as judged last; intermem why judges them now"
_NARROW = {"ID", "STATUS", "CONF", "DEMOTED", "WAS", "ENTRIES", "CONFIDENCE", "TIME", "KEY"}
_LEAST = {"ID": ID_WIDTH, "KEY": 27, "TEXT": 18, "WHY": 18}

STYLES = {
    "active": "green",
    "stale": "yellow",
    "demoted": "red",
    "valid": "green",
    "moved": "yellow",
    "broken": "red",
    "promoted": "green",
    "missing": "yellow",
    "rejected": "red",
    "replaced": "yellow",
}


def table_of(*headings: str) -> Table:
    """Return a table whose narrow columns keep their width; the others share the rest and wrap."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, no_wrap=heading in _NARROW, overflow="fold", min_width=_LEAST.get(heading))
    return table


def fits(console: Console, table: Table) -> bool:
    """Return whether every row of ``table`` fits on a line."""
    unlimited = console.options.update(width=PIPE_WIDTH)
    return Measurement.get(console, unlimited, table).maximum <= console.width


def print_table(console: Console, table: Table) -> None:
    """Write ``table`` without trailing spaces."""
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().rstrip("\n").split("\n"):
        console.file.write(line.rstrip(" ") + "\n")


def id_cell(record: Record) -> Text:
    """Return the short form of an id, which every command accepts."""
    return Text(record.entry_id[:ID_WIDTH], style="cyan")


def styled(word: str) -> Text:
    """Return a status or verdict in its colour."""
    return Text(word, style=STYLES.get(word.rpartition(", ")[2], ""))


def state_of(record: Record) -> str:
    """Return where an entry is, whether it is stale there (``promoted, stale``), and whether another took its place."""
    if record.document is not None:
        return "promoted, stale" if record.status is Status.STALE else record.state
    is_replaced = record.superseded_by is not None and record.state in (Status.ACTIVE, Status.STALE)
    return f"{record.state}, replaced" if is_replaced else record.state


def write_row(console: Console, name: str, value: str) -> None:
    """Write one indented line: a name and a value."""
    write_line(console, "  ", (f"{name:<11}", "bold"), visible(value).replace("\n", " "))


def write_sources(
    console: Console, record: Record, sources: Iterable[Source], also: Iterable[Alike], *, whole: bool = False
) -> None:
    """Write where the note of ``record`` is, and which other notes say the same, shortened unless ``whole``."""
    places = _places(sources) or record.source_file
    if places:  # of what no clone here has seen nothing is known
        write_row(console, "from", f"{places}, section {record.section or '(none)'}, type {record.type}")
    for one in also:
        what = "a note in nearly the same words" + (", but for one that may count" if one.but_a_word else "")
        said = visible(one.text) if whole else one_line(one.text, 72)
        write_row(console, "also by", f"{one.id[:8]} in {_places(one.sources)}, {what}: {said}")


def _places(sources: Iterable[Source]) -> str:
    return ", ".join(f"{one.file}:{one.first_line}" for one in sources)


def text_of(record: Record, whole: bool = False) -> str:
    """Return the text of an entry, shortened to one line unless ``whole``."""
    return visible(record.shown_text) if whole else one_line(record.shown_text, 72)


def moment(value: object) -> str:
    """Return a time, or "never"."""
    return format_time(value) if isinstance(value, datetime) else "never"


def counted(number: object, noun: str) -> str:
    """Return ``1 entry``, ``2 entries``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def in_a_row(sweeps: int) -> str:
    """Return ``1 sweep``, ``2 sweeps in a row``."""
    return counted(sweeps, "sweep") if sweeps == 1 else f"{counted(sweeps, 'sweep')} in a row"


def types_of(records: Iterable[Record]) -> str:
    """Return how many ``records`` are of each type: ``98 project, 2 untyped``."""
    kinds = Counter(record.type for record in records)
    return ", ".join(f"{count} {visible(kind)}" for kind, count in sorted(kinds.items()))
