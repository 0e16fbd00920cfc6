"""``log``: what happened, newest first."""

from __future__ import annotations

from intermem.results import FINDINGS, OK
from intermem.results.inspect import LogResult
from intermem.workflow.workspace import Workspace, pending_notice


def log(workspace: Workspace, prefix: str | None, limit: int | None) -> LogResult:
    """Return the history of one entry or of all; exit code 1 if there is none. Writes nothing.

    Raises NoSuchEntry. An entry keeps its history even after its record is deleted.
    """
    most = workspace.config.count("query.limit") if limit is None else limit
    with workspace.viewing() as metadata:
        entry_id = metadata.entry_of_history(prefix) if prefix is not None else None
        rows = metadata.history(entry_id, most)
        pending = pending_notice(metadata)
    return LogResult(history=rows, exit_code=OK if rows else FINDINGS, notices=tuple(pending))
