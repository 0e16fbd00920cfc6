"""A commit message as text: subject, a line an entry with its cause, and trailers that git reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intermem.reporters.escaping import one_line, visible
from intermem.reporters.text.lines import Plain, write_line
from intermem.results.curate import CommitMessage, MessageLine, MessageResult

if TYPE_CHECKING:
    from rich.console import Console

_ID_LENGTH = 8
_TEXT_LENGTH = 72


def print_message(result: MessageResult, console: Console | Plain, _verbose: bool) -> None:
    """Write the message alone; nothing if there is nothing to commit."""
    if result.message is not None:
        for line in message_lines(result.message):
            write_line(console, line)


def message_lines(message: CommitMessage) -> list[str]:
    """Return the lines of a message. Each of its own trailers names an entry; what an entry says never is one."""
    body = [_said(line) for line in message.lines]
    if message.observed:
        body.append(f"- this memory: {message.observed}")
    trailers = [f"Intermem-{line.what.capitalize()}: {line.id}" for line in message.lines]
    return [message.subject, "", *body, *(["", *trailers] if trailers else [])]


def _said(line: MessageLine) -> str:
    text = f" \u201c{one_line(line.text, _TEXT_LENGTH)}\u201d" if line.text else ""
    cause = f": {visible(line.cause)}" if line.cause else ""
    return f"- {line.verb} {line.id[:_ID_LENGTH]}{text}{cause}"
