"""Lines for people: in colour by rich on a terminal, as they are in a pipe, where rich is not even imported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 10_000  # a pipe has no width: nothing is cut or wrapped for it
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE")  # what rich hears of: it writes colours into a pipe then


class Plain:
    """Writes lines into a pipe or file as they are."""

    width = PIPE_WIDTH

    def __init__(self, file: TextIO) -> None:
        self.file = file


def is_plain_stream(stream: TextIO) -> bool:
    """True where nothing that is written to ``stream`` can have a colour."""
    return not stream.isatty() and not any(os.environ.get(name) for name in _FORCING)


def console_for(stream: TextIO, *, no_color: bool = False) -> Console:
    """Return a console that writes to ``stream``; as wide as a pipe needs where it is no terminal."""
    from rich.console import Console

    width = None if stream.isatty() else PIPE_WIDTH
    return Console(
        file=stream, width=width, no_color=no_color or None, highlight=False, markup=False, emoji=False, soft_wrap=True
    )


def write_line(console: Console | Plain, *parts: str | tuple[str, str]) -> None:
    """Write one line, made of texts and of (text, style) pairs."""
    if isinstance(console, Plain):
        console.file.write("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")
        return
    from rich.text import Text

    console.print(Text.assemble(*parts))
