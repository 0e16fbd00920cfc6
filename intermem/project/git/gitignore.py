"""Apply ``.gitignore`` files where git itself cannot: at a revision, in a bare repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pathspec import GitIgnoreSpec


def ignored(paths: Iterable[str], files: Mapping[str, str]) -> frozenset[str]:
    """Return those of ``paths`` that ``files`` (the ``.gitignore`` files, as path and text) ignore.

    A folder ends in a slash. As in git, the ``.gitignore`` nearest to a path decides, and what is
    in an ignored folder cannot be re-included.
    """
    specs = {path.rpartition("/")[0]: _spec(text) for path, text in sorted(files.items())}
    return frozenset(path for path in paths if _is_ignored(path, specs))


def _spec(text: str) -> GitIgnoreSpec:
    """Return the patterns of ``text``, without invalid ones, as in git."""
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
            match = spec.check_file(path[len(folder) + 1 :] if folder else path).include
            if match is not None:
                return match
        if not folder:
            return False
        folder = folder.rpartition("/")[0]
