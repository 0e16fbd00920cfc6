"""Search files for byte strings."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path


def files_holding(folders: Iterable[Path], forms: Iterable[bytes], prefix: str = "") -> list[Path]:
    """Return the regular files below ``folders`` whose names start with ``prefix`` and that contain one of ``forms``.

    Links are not followed. Raises OSError where a file cannot be read.
    """
    wanted = [form for form in forms if form]
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir() or folder.is_symlink():
            continue
        paths = (path for path in sorted(folder.iterdir()) if path.name.startswith(prefix))
        found += [path for path in paths if path.is_file() and not path.is_symlink() and _holds(path, wanted)]
    return found


def _holds(path: Path, wanted: list[bytes]) -> bool:
    with path.open("rb") as file:
        if not path.stat().st_size:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return any(content.find(form) != -1 for form in wanted)
