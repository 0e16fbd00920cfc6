"""Turn git's output and file contents into values: fields, trees, line counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from intermem.core.code.file_types import is_code
from intermem.facts import Tree

MAX_COUNTED_BYTES = 64 * 1024 * 1024  # the lines of a larger file are not counted
COMMIT_MARK = "\x01"  # starts a commit's line in the log; it cannot start a status or a path


class _Later(Mapping[str, tuple[str, ...]]):
    """Paths by a part of their names, sorted; made when it is first asked for, as hardly any run asks for all."""

    def __init__(self, paths: Iterable[str], named: Callable[[str], str]) -> None:
        self._paths, self._named = paths, named

    @cached_property
    def _made(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            if name := self._named(path):
                found.setdefault(name, []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def tree_of(
    paths: Iterable[str],
    prefix: str,
    outside: Iterable[str],
    links: Mapping[str, str] | None = None,
    *,
    is_git: bool = True,
) -> Tree:
    """Return the tree of ``paths``, with its folders, indexed by name."""
    kept = frozenset(paths)
    dirs: set[str] = set()
    for path in kept:
        parent = path.rpartition("/")[0]
        while parent and parent not in dirs:
            dirs.add(parent)
            parent = parent.rpartition("/")[0]
    return Tree(
        paths=kept,
        dirs=frozenset(dirs),
        by_name=_Later(kept, _name),
        dirs_by_name=_Later(dirs, _name),
        by_stem=_Later(kept, _stem_of_code),
        prefix=prefix,
        outside=frozenset(outside),
        links=links or {},
        is_git=is_git,
    )


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _stem_of_code(path: str) -> str:
    stem = path.rpartition("/")[2].partition(".")[0]
    return stem if stem and is_code(path) else ""


def fields_of(out: bytes) -> Iterator[str]:
    """Return the NUL-separated fields of git's output, without empty ones; invalid UTF-8 becomes lone surrogates."""
    return filter(None, out.decode("utf-8", "surrogateescape").split("\0"))


def known_counts(counts: Mapping[str, int | None]) -> dict[str, int]:
    """Return the counts that are not None."""
    return {path: count for path, count in counts.items() if count is not None}


def folders_above(path: str) -> list[str]:
    """Return the folders that ``path`` is in, outermost first."""
    return [path[:at] for at, sign in enumerate(path) if sign == "/"]


def lines_in(content: bytes) -> int | None:
    """Return how many lines an editor shows, 1 at least; None for a Git LFS pointer, which is not the file."""
    if content.startswith(b"version https://git-lfs.github.com/spec/"):
        return None
    ends = content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")
    return max(1, ends + (0 if content.endswith((b"\n", b"\r")) else 1))
