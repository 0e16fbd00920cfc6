"""Apply ``.gitignore`` files: git reads none at a revision, and a hostile pattern hangs ``git check-ignore``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from intermem.core.globs import InvalidGlob, expression_of
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_LITERAL = regex(r"[^*?\[\\]*")
_MAX_LINES = 20_000  # of one file; what follows is not applied


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """A line of a ``.gitignore``: it ignores what it matches, or includes it again; only folders, or files as well.

    It matches what has the ``name``, as most lines are, or a name with that ``suffix`` (``*.pyc``), else what the
    ``expression`` matches. ``everything`` is true for ``*``, which is how tools mark the folder that such a file is in.
    """

    name: str | None
    suffix: str | None
    expression: re.Pattern[str] | None
    includes: bool
    only_folders: bool
    everything: bool

    def matches(self, path: str, name: str) -> bool:
        """Return whether it matches ``path``, from its folder, whose last part is ``name``."""
        if self.name is not None:
            return self.name == name
        if self.suffix is not None:
            return name.endswith(self.suffix)
        return self.expression is not None and self.expression.fullmatch(path) is not None


class IgnoreRules:
    """What a repository ignores.

    ``read`` returns the text of a ``.gitignore`` by its path from the top, None where there is none. ``others`` are the
    texts of the files that apply to the whole repository, the strongest first (``info/exclude``, the user's own).
    """

    def __init__(
        self, read: Callable[[str], str | None], others: Sequence[str] = (), *, ignore_case: bool = False
    ) -> None:
        self._read = read
        self._ignore_case = ignore_case
        self._others = [_patterns(text, ignore_case) for text in others]
        self._by_folder: dict[str, Sequence[IgnorePattern]] = {}
        self._known: dict[tuple[str, bool], bool] = {}

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of ``paths`` that are ignored. A folder ends in a slash.

        As in git, the ``.gitignore`` nearest to a path decides, and what is in an ignored folder cannot be re-included.
        """
        return frozenset(path for path in paths if self._is_ignored(path))

    def _is_ignored(self, path: str) -> bool:
        parts = path.split("/")  # of a folder the last one is empty: what everything in it begins with
        for length in range(1, len(parts) + 1):
            key = "/".join(parts[:length]), length < len(parts)
            if key not in self._known:
                self._known[key] = self._verdict(*key)
            if self._known[key]:
                return True
        return False

    def _verdict(self, path: str, is_folder: bool) -> bool:
        """Return what the nearest file that mentions ``path`` says, by the last of its lines that does."""
        name = path.rpartition("/")[2]
        for own, patterns in self._levels(path):
            for one in patterns:
                if one.only_folders and not is_folder:
                    continue
                if one.matches(own, name) or (one.everything and path.endswith("/")):
                    return not one.includes
        return False

    def _levels(self, path: str) -> Iterator[tuple[str, Sequence[IgnorePattern]]]:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            yield path[len(folder) + 1 :] if folder else path, self._of(folder)
        for patterns in self._others:
            yield path, patterns

    def _of(self, folder: str) -> Sequence[IgnorePattern]:
        if folder not in self._by_folder:
            text = self._read(f"{folder}/.gitignore" if folder else ".gitignore")
            self._by_folder[folder] = _patterns(text, self._ignore_case) if text else ()
        return self._by_folder[folder]


def _patterns(text: str, ignore_case: bool) -> Sequence[IgnorePattern]:
    """Return the patterns of ``text``, the last first, without those that match nothing."""
    lines = text.removeprefix("\ufeff").split("\n")[:_MAX_LINES]
    read = (_pattern(line.removesuffix("\r"), ignore_case) for line in dict.fromkeys(reversed(lines)))
    return [one for one in read if one is not None]


@lru_cache(maxsize=1024)
def _pattern(line: str, ignore_case: bool) -> IgnorePattern | None:
    if line.startswith("#"):
        return None
    glob = _without_final_spaces(line)
    includes = glob.startswith("!")
    glob = glob.removeprefix("!")
    only_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    if not glob:
        return None
    everything = not glob.strip("*")
    suffix = glob.removeprefix("*")
    if suffix and not ignore_case and "/" not in glob and _LITERAL.fullmatch(suffix) is not None:
        is_name = suffix == glob
        return IgnorePattern(
            glob if is_name else None, None if is_name else suffix, None, includes, only_folders, everything
        )
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    try:
        expression = _expression(glob.removeprefix("/")) if "/" in glob else expression_of(f"**/{glob}")
    except InvalidGlob:
        return None
    return IgnorePattern(None, None, re.compile(expression, flags), includes, only_folders, everything)


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


def own_text(path: Path) -> str:
    """Return the text of a file of the user's own, empty if it cannot be read: only git's own files are in ``.git``."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def user_ignore_file() -> str:
    """Return where git looks for the user's own patterns if no setting says so; empty without a home."""
    home = os.environ.get("HOME")
    base = os.environ.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    return f"{base}/git/ignore" if base else ""
