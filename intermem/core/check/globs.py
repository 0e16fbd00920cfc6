"""Match the glob patterns of the configuration against paths."""

from __future__ import annotations

import re
from functools import lru_cache


def problem_with_glob(glob: object) -> str:
    """Return what is wrong with a glob, or ``""``."""
    if not isinstance(glob, str) or not glob.strip("!/ "):
        return "expected a glob"
    try:
        _compiled(glob)
    except Exception:  # noqa: BLE001 - wcmatch and re raise errors of their own
        return f"invalid glob {glob}"
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


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    from wcmatch import glob as wc

    flags = wc.GLOBSTAR | wc.BRACE | wc.DOTGLOB | wc.FORCEUNIX
    include, _ = wc.translate(glob.removeprefix("!").removeprefix("./").strip("/"), flags=flags)
    return re.compile("|".join(f"(?:{one})" for one in include))
