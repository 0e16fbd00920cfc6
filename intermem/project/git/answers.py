"""Turn git's output and file contents into values: fields, trees, line counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from intermem.core.code.file_types import is_code
from intermem.facts import Tree

MAX_COUNTED_BYTES = 64 * 1024 * 1024  # the lines of a larger file are not counted
COMMIT_MARK = "\x01"  # starts a commit's line in the log; it cannot start a status or a path


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
    by_name: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for path in sorted(kept):
        parent, _, name = path.rpartition("/")
        by_name.setdefault(name, []).append(path)
        stem = name.partition(".")[0]
        if stem and is_code(path):
            by_stem.setdefault(stem, []).append(path)
        while parent and parent not in dirs:
            dirs.add(parent)
            parent = parent.rpartition("/")[0]
    dirs_by_name: dict[str, list[str]] = {}
    for path in sorted(dirs):
        dirs_by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return Tree(
        paths=kept,
        dirs=frozenset(dirs),
        by_name={name: tuple(found) for name, found in by_name.items()},
        dirs_by_name={name: tuple(found) for name, found in dirs_by_name.items()},
        by_stem={name: tuple(found) for name, found in by_stem.items()},
        prefix=prefix,
        outside=frozenset(outside),
        links=links or {},
        is_git=is_git,
    )


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
