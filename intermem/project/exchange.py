"""Exchange two files atomically, so that what was replaced can still be checked.

A rename destroys what it replaces, and an editor may have saved between the last check and the
rename. Linux can exchange two names instead. Where the kernel, the file system or the platform
cannot, the caller falls back to a plain rename.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

_AT_FDCWD = -100  # <fcntl.h>
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2  # <linux/fs.h>
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP})


def exchanged(one: Path, other: Path) -> bool:
    """Exchange two existing files; return False, with nothing done, where unsupported. Raises OSError."""
    return _renamed(one, other, _RENAME_EXCHANGE)


def renamed_if_free(old: Path, new: Path) -> bool:
    """Rename ``old`` unless ``new`` exists (FileExistsError); return False, with nothing done, where unsupported."""
    return _renamed(old, new, _RENAME_NOREPLACE)


def _renamed(old: Path, new: Path, flags: int) -> bool:
    call = _renameat2()
    if call is None:
        return False
    number = call(os.fsencode(old), os.fsencode(new), flags)
    if number == 0:
        return True
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(new))


@cache
def _renameat2() -> Callable[[bytes, bytes, int], int] | None:
    """Return the system call as a function that returns the error number, 0 for none; None where there is none."""
    import ctypes

    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return None

    def call(old: bytes, new: bytes, flags: int) -> int:
        done: int = function(_AT_FDCWD, old, _AT_FDCWD, new, flags)
        return ctypes.get_errno() if done != 0 else 0

    return call
