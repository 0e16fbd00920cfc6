"""Replace files atomically and durably; on failure the old file stays."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

from intermem.errors import DocumentChanged, DocumentRefused, IntermemError
from intermem.project.boundary import is_in_git_dir
from intermem.project.exchange import exchanged, renamed_if_free
from intermem.project.files import current_digest, digest_of, read_regular

TEMPORARY = ".intermem-"  # part of every temporary file's name: .AGENTS.md.intermem-20260131T090000


def prepare_file(path: Path, content: bytes, *, temp_name: str) -> None:
    """Write ``content`` durably beside ``path``, under ``temp_name``, with the mode and owner of ``path``.

    Raises OSError and leaves no temporary file, DocumentRefused for a file in a git directory.
    """
    _refuse_git_dir(path)
    temp = path.with_name(temp_name)
    try:
        _write_durably(temp, content, path)
    except BaseException:
        remove_temp(path, temp_name)
        raise


def put_in_place(path: Path, content: bytes, *, expected: str | None, temp_name: str) -> None:
    """Move what ``prepare_file`` wrote to ``path``, durably.

    ``expected`` is the digest that the file must have (None: it must not exist). It is checked
    just before, and again on the replaced file where the system can exchange two files: a text
    saved in between is put back. ``path`` must not be a link; the caller resolves links. Raises
    DocumentChanged, with the other text in place, and OSError, with the old text or the new one
    in place, never a mix.
    """
    temp = path.with_name(temp_name)
    try:
        if current_digest(path) != expected:
            raise _changed(path)
        if expected is None:
            if not _renamed_to_new(temp, path):
                os.replace(temp, path)
        elif exchanged(temp, path):
            _put_back_if_changed(temp, path, expected, digest_of(content))
            temp.unlink()
        else:
            os.replace(temp, path)
    except BaseException:
        with contextlib.suppress(OSError, IntermemError):
            tidy_up(path, temp_name, ours=content, expected=expected)
        raise
    sync_folder(path.parent)


def remove_file(path: Path, *, expected: str) -> None:
    """Remove the file at ``path``, durably. Raises DocumentChanged, DocumentRefused, OSError."""
    _refuse_git_dir(path)
    if current_digest(path) != expected:
        raise _changed(path)
    path.unlink()
    sync_folder(path.parent)


def _refuse_git_dir(path: Path) -> None:
    if is_in_git_dir(os.path.realpath(path)):
        raise DocumentRefused(f"{path.name} is in a git directory; it was not written", hint="name another file")


def remove_empty_folders(folder: Path, root: Path) -> None:
    """Remove ``folder`` if it is empty, and those around it that are empty then, but not ``root``."""
    with contextlib.suppress(OSError):
        while folder != root and folder.is_relative_to(root):
            folder.rmdir()
            sync_folder(folder.parent)
            folder = folder.parent


def tidy_up(path: Path, temp_name: str, *, ours: bytes, expected: str | None) -> None:
    """Remove the temporary file of an interrupted replacement, or put it back if someone else saved it.

    Someone else did if it is neither what the run had read (digest ``expected``) nor part of what
    it was writing (``ours``): the exchange caught a text saved at that moment. A temporary file
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


def _put_back_if_changed(temp: Path, path: Path, expected: str, ours: str) -> None:
    """Put back a text that was saved after the last check, or one saved even later."""
    if current_digest(temp) == expected:
        return
    exchanged(temp, path)
    if current_digest(temp) != ours:
        exchanged(temp, path)
    sync_folder(path.parent)
    raise _changed(path)


def remove_temp(path: Path, temp_name: str) -> None:
    """Remove the temporary file that an interrupted replacement of ``path`` may have left."""
    with contextlib.suppress(OSError):  # a failed cleanup must not hide the real error
        path.with_name(temp_name).unlink()


def make_folder(folder: Path, root: Path) -> None:
    """Create ``folder`` durably, and those between it and ``root``, if they do not exist."""
    between = [folder, *folder.parents]
    between = between[: between.index(root)] if root in between else [folder]
    for one in reversed(between):
        if not one.is_dir():
            one.mkdir()
        sync_folder(one.parent)  # even if it exists: an interrupted run may have created it


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
        # We may edit another owner's file, but not give ours away; keep going with our own owner.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, wanted.st_uid, wanted.st_gid)
    os.fchmod(handle, stat.S_IMODE(wanted.st_mode))
