"""Entries that a program gives to a plumbing verb: JSON lines from a file or from standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from intermem.errors import IntermemError, UsageError
from intermem.project.files import read_text_file
from intermem.workflow.workspace import Workspace

_LARGEST = 256 * 1024 * 1024  # bytes of entries in one run


def read_entries(
    workspace: Workspace, entries: str, optional: Sequence[str] = ()
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects in ``entries`` (``-``: standard input), each with where it stands, as "FILE, line 3".

    Raises UsageError for a line that is no object with the strings ``id`` and ``entry_text``; ``optional`` names the
    others that it may have, for the hint. Lone surrogates in the text, which JSON can write, are replaced.
    """
    whose = "standard input" if entries == "-" else entries
    for number, line in enumerate(_lines_of(workspace, entries), 1):
        if not line.strip():
            continue
        where = f"{whose}, line {number}"
        hint = hint_on(optional)
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            raise UsageError(f"{where}: not JSON", hint=hint) from None
        problem = _problem_of(given)
        if problem is not None:
            raise UsageError(f"{where}: {problem}", hint=hint)
        yield where, {**given, "entry_text": given["entry_text"].encode("utf-8", "replace").decode("utf-8")}


def hint_on(optional: Sequence[str]) -> str:
    """Return the hint on what a line is."""
    names = ['"id"', '"entry_text"', *(f'"{name}"?' for name in optional)]
    return f"each line is {{{', '.join(names)}}}"


def _lines_of(workspace: Workspace, entries: str) -> list[str]:
    path = workspace.options.working_directory / entries
    if entries == "-":
        return _streamed(sys.stdin.buffer, "standard input")
    if _is_stream(path):
        with path.open("rb") as stream:
            return _streamed(stream, f"--entries {entries}")
    try:
        return read_text_file(path, entries, _LARGEST).split("\n")
    except IntermemError as error:
        raise UsageError(f"--entries {error.message}", hint=error.hint) from None


def _is_stream(path: Path) -> bool:
    """True for what a shell gives in place of a file: a pipe, ``/dev/null``."""
    try:
        return path.is_fifo() or path.is_char_device()
    except (OSError, ValueError):  # read_text_file says what is wrong
        return False


def _streamed(stream: BinaryIO, name: str) -> list[str]:
    content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise UsageError(f"{name}: more than {_LARGEST} bytes", hint="split it")
    try:
        return content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not UTF-8 (byte {error.start})", hint="give JSON lines") from None


def _problem_of(given: object) -> str | None:
    if not isinstance(given, dict):
        return "not an object"
    for name in ("id", "entry_text"):
        if not isinstance(given.get(name), str):
            return f"{name} is not a string" if name in given else f"{name} is missing"
    return None
