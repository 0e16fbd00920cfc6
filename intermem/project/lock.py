"""Lock documents and database: one intermem process writes at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from intermem.errors import StateError

PATIENCE = 30.0  # seconds
_POLL = 0.05


@contextlib.contextmanager
def locked(state_dir: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold ``<state_dir>/lock``; wait for it up to ``patience`` seconds, then raise StateError."""
    try:
        handle = os.open(state_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StateError(
            f"{state_dir / 'lock'}: {error.strerror}",
            hint="check the folder's permissions",
            unsettled=True,
        ) from None
    try:
        _acquire(handle, patience, state_dir)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, patience: float, state_dir: Path) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise StateError(
                    f"another intermem has held the lock in {state_dir} for {patience:g} s",
                    hint="try again when it has finished",
                    unsettled=True,
                ) from None
            time.sleep(_POLL)
        except OSError as error:  # ENOLCK, ENOTSUP: some network file systems
            raise StateError(
                f"{state_dir / 'lock'} cannot be locked: {error.strerror}; nothing was changed",
                hint="set state_dir (INTERMEM_STATE_DIR) to a folder on a local disk",
            ) from None
