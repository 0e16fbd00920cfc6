"""A progress bar on standard error, shown on a terminal after one second."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 1.0  # seconds


class ProgressBar:
    """Shows the last reported step once ``PATIENCE`` seconds have passed, even if no further step is reported.

    Shows nothing if ``stream`` is not a terminal, or if ``quiet``.
    """

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream
        self._silent = quiet or not stream.isatty()
        self._last: tuple[str, int, int] = ("working", 0, 0)
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE, self._begin)
        self._timer.daemon = True

    def __call__(self, what: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` (0: unknown) units of ``what`` are done."""
        with self._lock:
            self._last = (what, done, total)
            self._show()

    def __enter__(self) -> ProgressBar:
        if not self._silent:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def pause(self) -> None:
        """Remove the bar for good: a prompt follows, or the work is done."""
        self._timer.cancel()
        with self._lock:
            self._silent = True
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        with self._lock:
            if self._silent:
                return
            self._bar = Bar(console=Console(file=self._stream), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._last[0], total=None)
            self._show()

    def _show(self) -> None:
        if self._bar is not None and self._task is not None:
            what, done, total = self._last
            self._bar.update(self._task, description=what, completed=done, total=total or None, refresh=True)
