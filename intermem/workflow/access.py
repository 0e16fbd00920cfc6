"""Count that somebody has read entries: the one thing that a reading command may write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from intermem.entities import Record
from intermem.errors import StateError
from intermem.storage.connection import open_for_touching
from intermem.storage.record_writes import touch
from intermem.workflow.workspace import Workspace


def count_access(workspace: Workspace, entries: Iterable[Record]) -> None:
    """Count an access to ``entries`` now, unless another process is writing; never in a database of phase 1."""
    if workspace.database.is_file():
        # Even opening can collide with another process that is just closing it.
        with contextlib.suppress(StateError), open_for_touching(workspace.database) as metadata:
            touch(metadata, [entry.id for entry in entries], workspace.now)
