"""Read regular files of limited size, and their digests."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

from intermem.errors import UnreadableFile, UnreadableText
from intermem.project.boundary import is_in_git_dir


def kind_at(path: Path) -> str:
    """Return what is at ``path``, links followed: ``file``, ``folder``, ``other``, or nothing.

    Nothing where it cannot be told, as behind a link whose target is too long for a path.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hex."""
    return hashlib.sha256(content).hexdigest()


def read_text_file(path: Path, name: str, max_bytes: int) -> str:
    """Return the text of a regular UTF-8 file of at most ``max_bytes`` bytes.

    Raises UnreadableFile for anything else, without blocking on a FIFO or device.
    """
    content = read_regular_file(path, name, max_bytes)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableText(
            f"{name}: not UTF-8 (byte {error.start}); it was left alone", hint="convert it to UTF-8"
        ) from None


def read_regular_file(path: Path, name: str, max_bytes: int) -> bytes:
    """Return the bytes of a regular file of at most ``max_bytes`` bytes, or raise UnreadableFile.

    A file in a git directory is refused, whichever link leads there.
    """
    try:
        real = os.path.realpath(path)
        if is_in_git_dir(real):
            raise UnreadableFile(
                f"{name}: in a git directory; it was left alone", hint="put a regular file of your own in its place"
            )
        # No link is left to follow: one that takes the file's place in between is not followed.
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as error:
        raise UnreadableFile(f"{name}: {error.strerror}", hint="check the path and its permissions") from None
    except ValueError:  # a NUL
        raise UnreadableFile(f"{name}: not a possible path", hint="check the path") from None
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise UnreadableFile(f"{name}: not a regular file; it was left alone", hint="put a regular file in its place")
    with os.fdopen(handle, "rb") as file:
        if found.st_size > max_bytes:
            raise too_large(name, found.st_size, max_bytes)
        try:
            return file.read()
        except OSError as error:
            raise UnreadableFile(f"{name}: {error.strerror}; it was left alone", hint="check the disk") from None


def too_large(name: str, size: int, max_bytes: int) -> UnreadableText:
    """Return the error for a file of ``size`` bytes."""
    return UnreadableText(
        f"{name}: {size} bytes, {max_bytes} are allowed (scan.max_bytes); it was left alone",
        hint="split it, or raise scan.max_bytes",
    )


def read_regular(path: Path | str, max_bytes: int) -> bytes | None:
    """Return the bytes of a regular file of at most ``max_bytes`` bytes, None for anything else (a link, a device).

    None as well for a file in a git directory. No folder above ``path`` may be a link.
    """
    if is_in_git_dir(path):
        return None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except (OSError, ValueError):
        return None
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_size > max_bytes:
        os.close(handle)
        return None
    try:
        content = os.read(handle, found.st_size + 1)  # one call usually reads everything
        return content if len(content) == found.st_size else content + _rest(handle)
    except OSError:
        return None
    finally:
        os.close(handle)


def _rest(handle: int) -> bytes:
    """Return what follows the first read: the file is growing, or its file system returns short reads."""
    parts: list[bytes] = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def current_digest(path: Path) -> str | None:
    """Return the digest of the regular file at ``path``, None where there is none."""
    try:
        os.stat(path)  # noqa: PTH116 - a dangling link counts as no file
    except (FileNotFoundError, NotADirectoryError):
        return None
    return digest_of(read_regular_file(path, path.name, sys.maxsize))
