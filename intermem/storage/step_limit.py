"""A limit on the work of reading: a database can be made so that a query of it never ends."""

from __future__ import annotations

import sqlite3

_PERIOD = 1_000_000  # instructions of SQLite's virtual machine between two looks
MAX_PERIODS = 150  # a few seconds; reading 100,000 records takes 7, a search of all of them 11


class StepLimit:
    """Stops a read of ``connection`` that takes too many steps; SQLite then says ``interrupted``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._left: int | None = None
        connection.set_progress_handler(self._is_over, _PERIOD)

    def begin_read(self) -> None:
        """Begin a statement that only reads."""
        self._left = MAX_PERIODS

    def begin_write(self) -> None:
        """Begin a statement that may write: how long it takes is up to what we give it."""
        self._left = None

    def _is_over(self) -> bool:
        if self._left is None:
            return False
        self._left -= 1
        return self._left < 0
