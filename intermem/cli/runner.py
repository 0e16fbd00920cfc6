"""Keep the runner of a pipeline from taking what is printed for a command: the text of documents is data.

GitHub Actions obeys a line that starts with ``::``, and ``##[`` anywhere in a line; Azure Pipelines ``##[`` and
``##vso[``; TeamCity ``##teamcity[``. The streams themselves are guarded, so that no message, key, path or traceback
is forgotten. GitLab's marks need an escape character, which ``reporters/escaping.py`` never lets through.

Sources: src/Runner.Common/ActionCommand.cs of github.com/actions/runner (which trims, and compares without
ignorable characters where the system's language says so); the logging commands of Azure Pipelines; the service
messages of TeamCity.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TextIO, cast

from intermem.patterns import regex

# Characters that a comparison of texts may skip.
_SKIPPED = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_AT_START = regex(rf"^([\s{_SKIPPED}]*):(?=[{_SKIPPED}]*:)")
_MARK = regex(rf"(#[{_SKIPPED}]*)#(?=[\w{_SKIPPED}]{{0,40}}\[)")
_UNFINISHED = regex(rf"#(?=[\w{_SKIPPED}]*$)|^[\s{_SKIPPED}]*:(?=[{_SKIPPED}]*$)")
_LINE_END = regex(r"[\r\n]")


class GuardedStream:
    """A text stream that writes what a runner would obey with ``\\u0023`` for ``#`` and ``\\u003a`` for ``:``.

    In JSON these are the same characters, so that its readers notice nothing. What is not a whole line waits for its
    end, or for ``flush``.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ""  # not yet written
        self._is_blank = True  # nothing but white space of this line is written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write ``text``, guarded; return its length."""
        done = 0
        parts: list[str] = []
        for end in _LINE_END.finditer(text):
            parts.append(self._guarded(self._line + text[done : end.start()]) + end[0])
            self._line, self._is_blank, done = "", True, end.end()
        self._line += text[done:]
        self._stream.write("".join(parts))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of ``lines``, guarded."""
        for line in lines:
            self.write(line)

    def write_commands(self, lines: str) -> None:
        """Write ``lines``, each of which is a command for GitHub Actions with its data escaped."""
        self.flush()
        self._stream.write(_MARK.sub(r"\1\\u0023", lines))

    def flush(self) -> None:
        """Write what waits for the end of its line, so that no later part of the line makes a command of it."""
        if self._line:
            line = _UNFINISHED.sub(
                lambda match: f"{match[0][:-1]}\\u{ord(match[0][-1]):04x}", self._guarded(self._line)
            )
            self._is_blank = self._is_blank and not self._line.strip()
            self._line = ""
            self._stream.write(line)
        self._stream.flush()

    def _guarded(self, line: str) -> str:
        if self._is_blank:
            line = _AT_START.sub(r"\1\\u003a", line)
        return _MARK.sub(r"\1\\u0023", line)


def guard_streams() -> None:
    """Guard standard output and standard error for the rest of the process."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:
            setattr(sys, name, cast(TextIO, GuardedStream(stream)))
