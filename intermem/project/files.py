"""Bytes in, bytes out: reading documents and memory files, replacing a file for good or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intermem.entities import Problem
from intermem.errors import DocumentChanged, IntermemError, UnreadableFile, UnreadableText
from intermem.project.exchange import exchanged, renamed_if_free

TEMPORARY = ".intermem-"  # in the name of every temporary file: .AGENTS.md.intermem-20260131T090000


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


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The memory's Markdown files by name (relative, ``/``), and those that could not be read."""

    texts: dict[str, str]
    problems: tuple[Problem, ...] = ()

    @property
    def refused(self) -> frozenset[str]:
        """Names of files that exist but were not read."""
        return frozenset(problem.where for problem in self.problems)


def read_memory(folder: Path, largest: int) -> MemoryFiles:
    """Return every ``*.md`` below ``folder``; hidden ones and ``*.bak`` are passed over.

    A file that cannot be read is a problem by name; the others are read all the same.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for path in _memory_paths(folder, problems):
        name = path.relative_to(folder).as_posix()
        try:
            _refuse_strange_name(path, name, folder)
            texts[name] = read_text_file(path, name, largest)
        except IntermemError as error:
            problems.append(Problem(code=error.code, where=name, message=error.message, hint=error.hint))
    return MemoryFiles(texts, tuple(problems))


def _refuse_strange_name(path: Path, name: str, folder: Path) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableFile(f"{name!r}: its name is not UTF-8; it was left alone", hint="rename it") from None
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise UnreadableFile(f"{name}: it links out of the memory; it was left alone", hint="copy the file there")


def _memory_paths(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        where = os.path.relpath(str(error.filename or folder), folder)
        hint = "check the folder's permissions"
        message = f"{where}/: {error.strerror}; it was left alone"
        problems.append(Problem(code="unreadable-file", where=where, message=message, hint=hint))

    for parent, names, files in os.walk(folder, onerror=refuse):
        names[:] = sorted(name for name in names if not name.startswith(".") and not name.endswith(".bak"))
        for name in sorted(files):
            if name.endswith(".md") and not name.startswith("."):
                yield Path(parent) / name
