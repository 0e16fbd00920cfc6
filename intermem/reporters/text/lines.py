"""Lines of text: in colour on a terminal, by rich; plain in a pipe, without importing rich."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 10_000  # in a pipe nothing is cut or wrapped
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE")  # with any of these, rich writes colours into a pipe


class Plain:
    """Writes plain lines to a pipe or file."""

    width = PIPE_WIDTH

    def __init__(self, file: TextIO) -> None:
        self.file = file


def is_plain_stream(stream: TextIO) -> bool:
    """Return True if output to ``stream`` never has colours."""
    return not stream.isatty() and not any(os.environ.get(name) for name in _FORCING)


def console_for(stream: TextIO, *, no_color: bool = False) -> Console:
    """Return a console that writes to ``stream``, of ``PIPE_WIDTH`` if that is not a terminal.

    Where nobody reads the stream it raises BrokenPipeError, as Python does; rich would end the program with 1.
    """
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise

    width = None if stream.isatty() else PIPE_WIDTH
    return Piped(
        file=stream, width=width, no_color=no_color or None, highlight=False, markup=False, emoji=False, soft_wrap=True
    )


def write_line(console: Console | Plain, *parts: str | tuple[str, str]) -> None:
    """Write one line, given as strings and (text, style) pairs."""
    if isinstance(console, Plain):
        console.file.write("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")
        return
    from rich.text import Text

    console.print(Text.assemble(*parts))
