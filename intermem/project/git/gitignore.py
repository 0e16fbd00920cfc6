"""Apply ``.gitignore`` files where git itself cannot: at a revision, in a bare repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intermem.core.globs import InvalidGlob, expression_of

_LITERAL = re.compile(r"[^*?\[\\]*")
_MAX_LINES = 20_000  # of one file; what follows is not applied


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """A line of a ``.gitignore``: it ignores what it matches, or includes it again; only folders, or files as well."""

    expression: re.Pattern[str]
    includes: bool
    only_folders: bool


def ignored(paths: Iterable[str], files: Mapping[str, str]) -> frozenset[str]:
    """Return those of ``paths`` that ``files`` (the ``.gitignore`` files, as path and text) ignore.

    A folder ends in a slash. As in git, the ``.gitignore`` nearest to a path decides, and what is
    in an ignored folder cannot be re-included.
    """
    patterns = {path.rpartition("/")[0]: _patterns(text) for path, text in sorted(files.items())}
    known: dict[tuple[str, bool], bool] = {}
    return frozenset(path for path in paths if _is_ignored(path, patterns, known))


def _patterns(text: str) -> Sequence[IgnorePattern]:
    """Return the patterns of ``text``, the last first, without those that match nothing."""
    lines = text.removeprefix("\ufeff").split("\n")[:_MAX_LINES]
    read = (_pattern(line.removesuffix("\r")) for line in dict.fromkeys(reversed(lines)))
    return [one for one in read if one is not None]


@lru_cache(maxsize=1024)
def _pattern(line: str) -> IgnorePattern | None:
    if line.startswith("#"):
        return None
    glob = _without_final_spaces(line)
    includes = glob.startswith("!")
    glob = glob.removeprefix("!")
    only_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    if not glob:
        return None
    try:
        expression = _expression(glob.removeprefix("/")) if "/" in glob else expression_of(f"**/{glob}")
    except InvalidGlob:
        return None
    return IgnorePattern(re.compile(expression, re.DOTALL), includes, only_folders)


def _expression(glob: str) -> str:
    """Return the expression for a glob with a slash; git reads the ``**/`` in ``a**/b`` as any number of folders."""
    literal = _LITERAL.match(glob)
    start = literal[0] if literal is not None and glob.startswith("**", literal.end()) else ""
    slash = "/?" if start and not start.endswith("/") else ""
    return re.escape(start) + slash + expression_of(glob[len(start) :])


def _without_final_spaces(line: str) -> str:
    """Return the line without the spaces at its end that no backslash keeps."""
    kept = line.rstrip(" ")
    slashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if slashes % 2 and len(kept) < len(line) else kept


def _is_ignored(
    path: str, patterns: Mapping[str, Sequence[IgnorePattern]], known: dict[tuple[str, bool], bool]
) -> bool:
    parts = path.split("/")  # of a folder the last one is empty: what everything in it begins with
    for length in range(1, len(parts) + 1):
        prefix = "/".join(parts[:length])
        is_folder = length < len(parts)
        if (prefix, is_folder) not in known:
            known[prefix, is_folder] = _verdict(prefix, patterns, is_folder=is_folder)
        if known[prefix, is_folder]:
            return True
    return False


def _verdict(path: str, patterns: Mapping[str, Sequence[IgnorePattern]], *, is_folder: bool) -> bool:
    """Return what the nearest ``.gitignore`` that mentions ``path`` says, by the last of its lines that does."""
    folder = path.rpartition("/")[0]
    while True:
        own = path[len(folder) + 1 :] if folder else path
        for one in patterns.get(folder, ()):
            if (is_folder or not one.only_folders) and one.expression.fullmatch(own):
                return not one.includes
        if not folder:
            return False
        folder = folder.rpartition("/")[0]
