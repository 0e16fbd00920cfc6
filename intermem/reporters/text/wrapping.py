"""Text that is wrapped at words to the width of a terminal; in a pipe nothing is."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text


def wrapped(console: Console, text: str, hanging: int, indent: int = 0) -> Iterator[str]:
    """Return the lines of ``text``, one or more for each of its own.

    Its own lines are indented by ``indent``, what does not fit on them by ``hanging``.
    """
    for line in text.split("\n"):
        first, rest = _parted(console, line, console.width - indent)
        yield " " * indent + first
        if rest:
            for part in Text(rest).wrap(console, max(1, console.width - hanging)):
                yield " " * hanging + part.plain.rstrip()


def write_wrapped(console: Console, text: str, hanging: int, indent: int = 0, style: str = "") -> None:
    """Write ``text`` as ``wrapped`` has it."""
    for line in wrapped(console, text, hanging, indent):
        console.print(Text(line, style=style))


def _parted(console: Console, line: str, width: int) -> tuple[str, str]:
    """The part of ``line`` that fits into ``width``, and the rest."""
    if Text(line).cell_len <= width:
        return line, ""
    first = Text(line).wrap(console, max(1, width))[0].plain
    return first.rstrip(), line[len(first) :].lstrip()
