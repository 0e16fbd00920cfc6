"""Replace a file atomically and durably, or leave it as it was."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

from intermem.errors import DocumentChanged, IntermemError
from intermem.project.exchange import exchanged, renamed_if_free
from intermem.project.files import current_digest, digest_of, read_regular

TEMPORARY = ".intermem-"  # in the name of every temporary file: .AGENTS.md.intermem-20260131T090000


def prepare_file(path: Path, content: bytes, *, temp_name: str) -> None:
    """Write ``content`` durably beside ``path``, under ``temp_name``, with the mode and owner of ``path``.

    Raises OSError, with the file as it was and nothing beside it.
    """
    temp = path.with_name(temp_name)
    try:
        _write_durably(temp, content, path)
    except BaseException:
        remove_temp(path, temp_name)
        raise


def put_in_place(path: Path, content: bytes, *, expected: str | None, temp_name: str) -> None:
    """Put what ``prepare_file`` wrote in place of the file at ``path``, for good.

    ``expected`` is the digest that the file must have (None: it must not exist). It is checked
    right before and, where the system can exchange two files, of what was displaced: a text that
    was saved in the last instant goes back. ``path`` must be no link: links are resolved by the
    caller. Raises DocumentChanged with somebody else's text in place, and OSError: then the file
    holds its old text or the new one, whole.
    """
    temp = path.with_name(temp_name)
    try:
        if current_digest(path) != expected:
            raise _changed(path)
        if expected is None:
            if not _renamed_to_new(temp, path):
                os.replace(temp, path)
        elif exchanged(temp, path):
            _keep_what_was_displaced(temp, path, expected, digest_of(content))
            temp.unlink()
        else:
            os.replace(temp, path)
    except BaseException:
        with contextlib.suppress(OSError, IntermemError):
            tidy_up(path, temp_name, ours=content, expected=expected)
        raise
    sync_folder(path.parent)


def remove_file(path: Path, *, expected: str) -> None:
    """Remove the file at ``path``, for good. Raises DocumentChanged, OSError."""
    if current_digest(path) != expected:
        raise _changed(path)
    path.unlink()
    sync_folder(path.parent)


def remove_empty_folder(folder: Path) -> None:
    """Remove ``folder`` if nothing is in it."""
    with contextlib.suppress(OSError):
        folder.rmdir()
        sync_folder(folder.parent)


def tidy_up(path: Path, temp_name: str, *, ours: bytes, expected: str | None) -> None:
    """Remove the temporary file of an interrupted replacement, unless it is a text that somebody else saved.

    It is one where it is neither what the run had read (digest ``expected``) nor a part of what it
    was writing (``ours``): it was displaced in the instant in which it was saved, and goes back. One
    that cannot be read stays.
    """
    temp = path.with_name(temp_name)
    found = read_regular(temp, sys.maxsize)
    if found is None:
        return
    if digest_of(found) != expected and not ours.startswith(found) and current_digest(path) == digest_of(ours):
        os.replace(temp, path)
        sync_folder(path.parent)
        return
    remove_temp(path, temp_name)


def _changed(path: Path) -> DocumentChanged:
    return DocumentChanged(
        f"{path.name} changed since intermem read it; it was not written", hint="run the command again"
    )


def _renamed_to_new(temp: Path, path: Path) -> bool:
    try:
        return renamed_if_free(temp, path)
    except FileExistsError:
        raise _changed(path) from None


def _keep_what_was_displaced(temp: Path, path: Path, expected: str, ours: str) -> None:
    """Give the place back to a text that was saved after the last look, and to one saved after that."""
    if current_digest(temp) == expected:
        return
    exchanged(temp, path)
    if current_digest(temp) != ours:
        exchanged(temp, path)
    sync_folder(path.parent)
    raise _changed(path)


def remove_temp(path: Path, temp_name: str) -> None:
    """Remove what an interrupted replacement of ``path`` may have left."""
    with contextlib.suppress(OSError):  # tidying up must not hide what went wrong
        path.with_name(temp_name).unlink()


def make_folder(folder: Path) -> None:
    """Make ``folder`` where it does not exist, for good; its parent must."""
    if not folder.is_dir():
        folder.mkdir()
    sync_folder(folder.parent)  # also where a run that was killed has made it


def sync_folder(folder: Path) -> None:
    """Make the entries of ``folder`` durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_durably(temp: Path, content: bytes, like: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        temp.unlink()
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        with contextlib.suppress(FileNotFoundError):
            _take_mode_and_owner(file.fileno(), like)
        os.fsync(file.fileno())


def _take_mode_and_owner(handle: int, like: Path) -> None:
    wanted = like.stat()
    have = os.fstat(handle)
    if (have.st_uid, have.st_gid) != (wanted.st_uid, wanted.st_gid):
        # Another owner's file can be edited but not given away; the group may still be ours to set.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, wanted.st_uid, wanted.st_gid)
    os.fchmod(handle, stat.S_IMODE(wanted.st_mode))
