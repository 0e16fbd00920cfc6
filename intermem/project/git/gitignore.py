"""What ``.gitignore`` files say, where git cannot be asked: at a revision, in a bare repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pathspec import GitIgnoreSpec


def ignored(paths: Iterable[str], files: Mapping[str, str]) -> frozenset[str]:
    """Return those of ``paths`` that ``files`` (path of a ``.gitignore``, its text) leave out.

    A folder is asked for with a slash at its end. As in git the file nearest to a path decides,
    and what lies in a folder that is left out cannot be taken in again.
    """
    specs = {path.rpartition("/")[0]: _spec(text) for path, text in sorted(files.items())}
    return frozenset(path for path in paths if _is_ignored(path, specs))


def _spec(text: str) -> GitIgnoreSpec:
    """The rules of ``text``; one that cannot be read says nothing, as in git."""
    patterns: list[Any] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        try:
            patterns += GitIgnoreSpec.from_lines([line]).patterns
        except (ValueError, re.error):
            continue
    return GitIgnoreSpec(patterns)


def _is_ignored(path: str, specs: Mapping[str, GitIgnoreSpec]) -> bool:
    parts = path.rstrip("/").split("/")
    for length in range(1, len(parts) + 1):
        prefix = "/".join(parts[:length]) + ("/" if length < len(parts) or path.endswith("/") else "")
        if _verdict(prefix, specs):
            return True
    return False


def _verdict(path: str, specs: Mapping[str, GitIgnoreSpec]) -> bool:
    folder = path.rstrip("/").rpartition("/")[0]
    while True:
        spec = specs.get(folder)
        if spec is not None:
            said = spec.check_file(path[len(folder) + 1 :] if folder else path).include
            if said is not None:
                return said
        if not folder:
            return False
        folder = folder.rpartition("/")[0]
