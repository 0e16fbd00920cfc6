"""What of the index is not in the working tree, as a sparse checkout leaves it out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from intermem.project.git.answers import fields_of
from intermem.project.git.process import Git


class SparseCheckout:
    """Which paths a sparse checkout leaves out; git is asked again once its index was written."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[tuple[str, ...], tuple[tuple[int, ...], list[str]]] = {}

    def left_out(self, paths: Iterable[str]) -> list[str]:
        """Return which of ``paths`` (from the top), or what in them, is tracked, but left out."""
        asked, index = tuple(paths), _state_of(self._git.git_dir / "index")
        if self._known.get(asked, (None,))[0] != index:
            out = self._git.run(["ls-files", "-z", "-t", "--", *(f":(literal){path}" for path in asked)])
            found = [field.removeprefix("S ") for field in fields_of(out) if field.startswith("S ")]
            self._known[asked] = (index, found)
        return self._known[asked][1]


def _state_of(path: Path) -> tuple[int, ...]:
    """What changes when git writes a file anew; empty where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns
