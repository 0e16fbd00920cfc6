"""Merge three texts line by line, as git does where no merge driver is set."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from intermem.errors import RepositoryError
from intermem.project.git.process import run_git

_NAMES = ("ours", "base", "theirs")
_FAILED = 128  # and above; below it is the number of conflicts


def merge_file(
    base: bytes, ours: bytes, theirs: bytes, *, labels: Sequence[str], size: int = 7, style: str | None = None
) -> tuple[bytes, bool]:
    """Return what ``git merge-file`` makes of three texts, and whether there are no conflicts.

    ``labels`` name ours, base and theirs in the signs of conflicts, which are ``size`` characters long. ``style`` is a
    ``merge.conflictStyle``; None is the one that is configured where the process runs. Raises RepositoryError where
    git cannot merge them: what has a NUL is binary.
    """
    with tempfile.TemporaryDirectory(prefix="intermem-merge-") as folder:
        paths = [Path(folder) / name for name in _NAMES]
        for path, content in zip(paths, (ours, base, theirs), strict=True):
            path.write_bytes(content)
        chosen = ["-c", f"merge.conflictStyle={style}"] if style is not None else []
        named = [word for label in labels for word in ("-L", label)]
        command = [*chosen, "merge-file", "-p", f"--marker-size={size}", *named, *map(str, paths)]
        code, out, message = run_git(command)
    if code >= _FAILED:
        raise RepositoryError(f"git merge-file failed (exit {code}): {' '.join(message.split())}", hint="git --version")
    return out, code == 0


def configured_style() -> str:
    """Return the ``merge.conflictStyle`` that is configured where the process runs."""
    code, out, _ = run_git(["config", "--get", "merge.conflictStyle"])
    style = out.decode("utf-8", "replace").strip()
    return style if code == 0 and style in ("diff3", "zdiff3") else "merge"
