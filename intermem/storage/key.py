"""The key of the journal's checksums: a secret of this machine beside metadata.db, never in it.

A database that somebody else wrote, or that was copied here, has no valid checksums: what it says is to be written
to documents is not.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from intermem.errors import StateError
from intermem.patterns import regex
from intermem.storage import KEY_NAME
from intermem.storage.sync import sync_path

_BYTES = 32
_WRITTEN = regex(rb"[0-9a-f]{%d}\n" % (2 * _BYTES))


def read_key(folder: Path) -> bytes:
    """Return the key in the state directory; empty if there is none that can be used."""
    try:
        handle = os.open(folder / KEY_NAME, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with os.fdopen(handle, "rb") as file, contextlib.suppress(OSError):
        found = file.read(2 * _BYTES + 2)
        return bytes.fromhex(found.decode("ascii")) if _WRITTEN.fullmatch(found) else b""
    return b""


def ensure_key(folder: Path) -> bytes:
    """Return the key in the state directory, created if there is none. The caller holds the lock.

    Raises StateError if something else stands in its place.
    """
    found = read_key(folder)
    if found:
        return found
    new, path = folder / f"{KEY_NAME}.new", folder / KEY_NAME
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise StateError(f"{path} is not a regular file; nothing was changed", hint="move it away")
    new.unlink(missing_ok=True)
    made = os.urandom(_BYTES)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(made.hex().encode("ascii") + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    sync_path(folder)
    return made
