"""A progress bar on standard error, once work has taken over a second on a terminal."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 1.0  # seconds


class ProgressBar:
    """Reports steps; invisible until ``PATIENCE`` has passed, and where ``stream`` is no terminal."""

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream
        self._silent = quiet or not stream.isatty()
        self._begun = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` (0: nobody knows) of ``what`` is done."""
        if self._silent or (self._bar is None and time.monotonic() - self._begun < PATIENCE):
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(file=self._stream), transient=True)
            self._bar.start()
        if self._task is None:
            self._task = self._bar.add_task(what, total=total or None)
        self._bar.update(self._task, description=what, completed=done, total=total or None)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
