"""Bytes in, bytes out: reading documents and memory files, replacing a file for good or not at all."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

from intermem.errors import UnreadableFile, UnreadableText


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hex."""
    return hashlib.sha256(content).hexdigest()


def read_text_file(path: Path, name: str, largest: int) -> str:
    """Return the text of a regular UTF-8 file of at most ``largest`` bytes.

    Raises UnreadableFile for anything else; a FIFO or device is never waited for.
    """
    content = read_regular_file(path, name, largest)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableText(
            f"{name}: not UTF-8 (byte {error.start}); it was left alone", hint="convert it to UTF-8"
        ) from None


def read_regular_file(path: Path, name: str, largest: int) -> bytes:
    """Return the bytes of a regular file of at most ``largest`` bytes, or raise UnreadableFile."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableFile(f"{name}: {error.strerror}", hint="check the path and its permissions") from None
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise UnreadableFile(f"{name}: not a regular file; it was left alone", hint="put a regular file in its place")
    with os.fdopen(handle, "rb") as file:
        if found.st_size > largest:
            raise too_large(name, found.st_size, largest)
        try:
            return file.read()
        except OSError as error:
            raise UnreadableFile(f"{name}: {error.strerror}; it was left alone", hint="check the disk") from None


def too_large(name: str, size: int, largest: int) -> UnreadableText:
    """Return the refusal of a file of ``size`` bytes."""
    return UnreadableText(
        f"{name}: {size} bytes, {largest} are allowed (scan.max_bytes); it was left alone",
        hint="split it, or raise scan.max_bytes",
    )


def read_regular(path: Path | str, largest: int) -> bytes | None:
    """Return the bytes of a regular file of at most ``largest`` bytes, None for anything else: a link, a device."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except (OSError, ValueError):
        return None
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_size > largest:
        os.close(handle)
        return None
    try:
        content = os.read(handle, found.st_size + 1)  # as a rule one call reads all there is
        return content if len(content) == found.st_size else content + _rest(handle)
    except OSError:
        return None
    finally:
        os.close(handle)


def _rest(handle: int) -> bytes:
    """What is left: the file is growing, or its file system gives it out in pieces."""
    parts: list[bytes] = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def current_digest(path: Path) -> str | None:
    """Return the digest of the regular file at ``path``, None where there is none."""
    try:
        os.stat(path)  # noqa: PTH116 - a link to nothing is no file either
    except (FileNotFoundError, NotADirectoryError):
        return None
    return digest_of(read_regular_file(path, path.name, sys.maxsize))
