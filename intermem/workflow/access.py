"""Count that somebody has read entries: the one thing that a reading command may write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from intermem.entities import Record
from intermem.errors import StateError
from intermem.storage.connection import open_for_touching
from intermem.storage.record_writes import touch
from intermem.workflow.branch_state import BranchState, formerly
from intermem.workflow.workspace import Workspace


def count_access(workspace: Workspace, entries: Iterable[Record], state: BranchState | None = None) -> None:
    """Count an access to ``entries`` now, unless another process is writing; never in a database of phase 1.

    What stands in a document of the branch in ``state``, and has no row yet, gets one: after a clone, or a pull, it is
    used like all others. There is no database before the first ``scan`` or ``sweep``, and none is made.
    """
    if not workspace.database.is_file():
        return
    ids = [entry.id if state is None else formerly(state, entry.id) for entry in entries]
    learnt, rows = [], []
    changes = state.reconciliation.changes if state is not None else {}
    new = {key: changes[key] for key in ids if key in changes and not changes[key].formerly}
    if new and state is not None:
        from intermem.workflow.reconciled import rows_of  # heavy, and hardly ever needed

        learnt, rows = [change.record for change in new.values()], rows_of(workspace, new)
    # Even opening can collide with another process that is just closing it.
    with contextlib.suppress(StateError), open_for_touching(workspace.database) as metadata:
        touch(metadata, ids, workspace.now, learnt, rows)
