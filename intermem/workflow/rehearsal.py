"""A copy of the state to try a run in: what ``curate --dry-run`` shows needs a scan that leaves no trace."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from intermem.storage.connection import copy_database
from intermem.storage.journal import pending_operations
from intermem.workflow.workspace import Workspace


@contextlib.contextmanager
def rehearsal(workspace: Workspace) -> Iterator[Workspace | None]:
    """Yield the workspace with a private copy of its state, which is deleted afterwards.

    None where an interrupted operation is pending: whoever writes first would finish it in the documents.
    """
    with workspace.viewing() as metadata:
        is_pending = bool(pending_operations(metadata))
    if is_pending:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="intermem-") as name:
        folder = Path(name).resolve()
        if workspace.state_dir.is_dir():
            for file in workspace.state_dir.iterdir():
                if file.is_file() and not file.is_symlink() and not file.name.startswith(workspace.database.name):
                    shutil.copy2(file, folder)
            copy_database(workspace.database, folder / workspace.database.name)
        yield replace(workspace, state_dir=folder)
