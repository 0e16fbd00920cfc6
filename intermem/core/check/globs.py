"""Match the glob patterns of the configuration against paths."""

from __future__ import annotations

import re

from intermem.core.globs import InvalidGlob, compiled_glob


def problem_with_glob(glob: object) -> str:
    """Return what is wrong with a glob, or ``""``."""
    if not isinstance(glob, str) or not glob.strip("!/ "):
        return "expected a glob"
    try:
        _compiled(glob)
    except InvalidGlob as error:
        return f"invalid glob {glob[:80]}: {error}"
    return ""


def matches(glob: str, file: str) -> bool:
    """Return whether ``glob`` matches ``file`` (relative, with ``/``), its name, or a folder that contains it.

    ``*`` does not cross folders, ``**`` does. A leading ``/`` anchors the glob at the root; a leading ``!``
    negates it.
    """
    if glob.startswith("!"):
        return not matches(glob[1:], file)
    parts = file.split("/")
    pattern = _compiled(glob)
    paths = ("/".join(parts[: length + 1]) for length in range(len(parts)))
    return any(map(pattern.fullmatch, paths)) or (not glob.startswith("/") and any(map(pattern.fullmatch, parts)))


def _compiled(glob: str) -> re.Pattern[str]:
    return compiled_glob(glob.removeprefix("!").removeprefix("./").strip("/"))
