"""Two files change places in one step, so that what is displaced can still be looked at.

A rename destroys what it replaces; between the last look at a document and the rename an editor
may have saved. Linux can exchange two names instead. Where the kernel, the file system or the
platform cannot, a plain rename is what is left.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

_AT_FDCWD = -100  # <fcntl.h>
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2  # <linux/fs.h>
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP})


def exchanged(one: Path, other: Path) -> bool:
    """Let two existing files change places; False, with nothing done, where that cannot be. Raises OSError."""
    return _renamed(one, other, _RENAME_EXCHANGE)


def renamed_if_free(old: Path, new: Path) -> bool:
    """Rename ``old`` unless ``new`` exists (FileExistsError); False, with nothing done, where that cannot be said."""
    return _renamed(old, new, _RENAME_NOREPLACE)


def _renamed(old: Path, new: Path, flags: int) -> bool:
    call = _renameat2()
    if call is None:
        return False
    number = call(os.fsencode(old), os.fsencode(new), flags)
    if number == 0:
        return True
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(new))


@cache
def _renameat2() -> Callable[[bytes, bytes, int], int] | None:
    """The system's call, as a function that returns the error number, 0 for none."""
    import ctypes

    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return None

    def call(old: bytes, new: bytes, flags: int) -> int:
        done: int = function(_AT_FDCWD, old, _AT_FDCWD, new, flags)
        return ctypes.get_errno() if done != 0 else 0

    return call
