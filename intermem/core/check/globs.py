"""Glob patterns of the configuration, matched against paths of the repository."""

from __future__ import annotations

import re
from functools import lru_cache


def problem_with_glob(glob: object) -> str:
    """Return what is wrong with a glob, ``""`` where nothing is."""
    if not isinstance(glob, str) or not glob.strip("!/ "):
        return "expected a glob"
    try:
        _compiled(glob)
    except Exception:  # noqa: BLE001 - wcmatch and re each have their own
        return f"{glob} is no glob that can be read"
    return ""


def matches(glob: str, file: str) -> bool:
    """Return whether ``glob`` matches ``file`` (relative, with ``/``): its path, its name, or a folder it is in.

    ``*`` stays within a folder, ``**`` does not; a glob that begins with ``/`` matches from the top only, one that
    begins with ``!`` all that the rest does not.
    """
    if glob.startswith("!"):
        return not matches(glob[1:], file)
    parts = file.split("/")
    pattern = _compiled(glob)
    paths = ("/".join(parts[: length + 1]) for length in range(len(parts)))
    return any(map(pattern.fullmatch, paths)) or (not glob.startswith("/") and any(map(pattern.fullmatch, parts)))


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    from wcmatch import glob as wc

    flags = wc.GLOBSTAR | wc.BRACE | wc.DOTGLOB | wc.FORCEUNIX
    include, _ = wc.translate(glob.removeprefix("!").removeprefix("./").strip("/"), flags=flags)
    return re.compile("|".join(f"(?:{one})" for one in include))
