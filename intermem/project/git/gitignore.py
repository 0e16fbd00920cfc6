"""Apply ``.gitignore`` files: git reads none at a revision, and a hostile pattern hangs ``git check-ignore``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
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

    It matches what has the ``name``, as most lines are, or a name with that ``suffix`` (``*.pyc``), or what is at that
    ``place``, else what the ``expression`` with its ``flags`` matches. ``everything`` is true for ``*``, which is how
    tools mark the folder that such a file is in.
    """

    name: str | None
    place: str | None
    suffix: str | None
    expression: str | None
    flags: int
    includes: bool
    only_folders: bool
    everything: bool

    def matches(self, path: str, name: str) -> bool:
        """Return whether it matches ``path``, from its folder, whose last part is ``name``."""
        if self.name is not None:
            return self.name == name
        if self.place is not None:
            return self.place == path
        if self.suffix is not None:
            return name.endswith(self.suffix)
        return self.expression is not None and re.compile(self.expression, self.flags).fullmatch(path) is not None


class IgnoreFile:
    """The ``patterns`` of a file, the last first; by what they look at, as most of them look at a name alone."""

    def __init__(self, patterns: Sequence[IgnorePattern] = ()) -> None:
        self._patterns = patterns
        self._named: dict[str, list[int]] = {}
        self._placed: dict[str, list[int]] = {}
        for number, one in enumerate(patterns):
            if one.name is not None:
                self._named.setdefault(one.name, []).append(number)
            if one.place is not None:
                self._placed.setdefault(one.place, []).append(number)
        self._suffixed = [number for number, one in enumerate(patterns) if one.suffix is not None]
        self._suffixes = tuple(patterns[number].suffix or "" for number in self._suffixed)
        self._others = [number for number, one in enumerate(patterns) if one.expression is not None]
        self._any_other: re.Pattern[str] | None = None

    def deciding(self, path: str, name: str, *, is_folder: bool, is_inside: bool) -> IgnorePattern | None:
        """Return the first that matches ``path``, from its folder, whose last part is ``name``; None if none does.

        ``is_inside`` is true for what everything in a folder begins with.
        """
        suffixed = self._suffixed if name.endswith(self._suffixes) else ()
        others = self._others if self._others and (is_inside or self._matches_other(path)) else ()
        for number in sorted((*self._named.get(name, ()), *self._placed.get(path, ()), *suffixed, *others)):
            one: IgnorePattern = self._patterns[number]
            if one.only_folders and not is_folder:
                continue
            if one.matches(path, name) or (one.everything and is_inside):
                return one
        return None

    def _matches_other(self, path: str) -> bool:
        """Return whether one of the patterns with an expression may match ``path``: hardly any path does."""
        if self._any_other is None:
            each = [self._patterns[number] for number in self._others]
            self._any_other = re.compile("|".join(f"(?:{one.expression})" for one in each), each[0].flags)
        return self._any_other.fullmatch(path) is not None


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
        self._others = [IgnoreFile(_patterns(text, ignore_case)) for text in others]
        self._above: dict[str, list[tuple[int, IgnoreFile]]] = {}
        self._known: dict[str, bool] = {"": False}  # of folders
        self._leaves: frozenset[str] | None = None

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of ``paths`` that are ignored. A folder ends in a slash.

        As in git, the ``.gitignore`` nearest to a path decides, and what is in an ignored folder cannot be re-included.
        """
        return frozenset(path for path in paths if self._is_ignored(path))

    def set_aside(self, paths: Sequence[str]) -> frozenset[str]:
        """Return those of ``paths`` that are ignored; of names without a folder also those that are ``spelt_out``."""
        return self.ignored(paths) | self.spelt_out(paths)

    def spelt_out(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of the ``names`` of files that the topmost file gives the path of: ``/config/local.ini``.

        Where such a file is cited by its name alone, that one is meant.
        """
        if self._leaves is None:
            self._leaves = _leaves(self._read(".gitignore") or "")
        return self._leaves.intersection(names)

    def _is_ignored(self, path: str) -> bool:
        folder = path.rpartition("/")[0]  # of a folder itself: what everything in it begins with is asked as well
        return self._is_in_ignored(folder) or self._verdict(path, is_folder=False)

    def _is_in_ignored(self, folder: str) -> bool:
        """Return whether ``folder`` or one above it is ignored."""
        unknown: list[str] = []
        at = folder
        while at not in self._known:
            unknown.append(at)
            at = at.rpartition("/")[0]
        for one in reversed(unknown):
            self._known[one] = self._known[one.rpartition("/")[0]] or self._verdict(one, is_folder=True)
        return self._known[folder]

    def _verdict(self, path: str, *, is_folder: bool) -> bool:
        """Return what the nearest file that mentions ``path`` says, by the last of its lines that does."""
        folder, _, name = path.rpartition("/")
        for start, file in self._files_above(folder):
            one = file.deciding(path[start:], name, is_folder=is_folder, is_inside=path.endswith("/"))
            if one is not None:
                return not one.includes
        return False

    def _files_above(self, folder: str) -> list[tuple[int, IgnoreFile]]:
        """Return the files that apply in ``folder``, the strongest first, and where a path begins for each of them."""
        unknown: list[str] = []
        at = folder
        while at and at not in self._above:
            unknown.append(at)
            at = at.rpartition("/")[0]
        if not at and "" not in self._above:
            unknown.append("")
        for one in reversed(unknown):  # no recursion: a hostile tree is deeper than Python's stack
            own = self._of(one)
            above = self._above[one.rpartition("/")[0]] if one else [(0, file) for file in self._others]
            self._above[one] = [(len(one) + 1 if one else 0, own), *above] if own is not _EMPTY else above
        return self._above[folder]

    def _of(self, folder: str) -> IgnoreFile:
        text = self._read(f"{folder}/.gitignore" if folder else ".gitignore")
        return IgnoreFile(_patterns(text, self._ignore_case)) if text else _EMPTY


_EMPTY = IgnoreFile()


def _patterns(text: str, ignore_case: bool) -> Sequence[IgnorePattern]:
    """Return the patterns of ``text``, the last first, without those that match nothing."""
    lines = text.removeprefix("\ufeff").split("\n")[:_MAX_LINES]
    read = (_pattern(line.removesuffix("\r"), ignore_case) for line in dict.fromkeys(reversed(lines)))
    return [one for one in read if one is not None]


def _leaves(text: str) -> frozenset[str]:
    """Return the names at the end of paths that the lines of ``text`` ignore."""
    lines = (line.strip() for line in text.split("\n")[:_MAX_LINES])
    paths = (line for line in lines if "/" in line and not line.startswith(("#", "!")) and _LITERAL.fullmatch(line))
    return frozenset(path.rpartition("/")[2] for path in paths) - {""}


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
            glob if is_name else None, None, None if is_name else suffix, None, 0, includes, only_folders, everything
        )
    if not ignore_case and "/" in glob and _LITERAL.fullmatch(glob) is not None:
        return IgnorePattern(None, glob.removeprefix("/"), None, None, 0, includes, only_folders, everything)
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    try:
        expression = _expression(glob.removeprefix("/")) if "/" in glob else expression_of(f"**/{glob}")
    except InvalidGlob:
        return None
    return IgnorePattern(None, None, None, expression, flags, includes, only_folders, everything)


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
