"""git's answers, and a folder without git, as values: trees, histories, line counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from intermem.core.code.file_types import LARGEST_SEARCHED, is_code
from intermem.core.code.name_search import Search
from intermem.facts import Event, Facts, History, PathHistory, Questions, Tree
from intermem.project.files import read_regular

LARGEST_COUNTED = 64 * 1024 * 1024  # bytes; a larger file is never read for its lines
COMMIT_MARK = "\x01"  # starts a commit's line in the log; it cannot start a status or a path


def tree_without_git(root: Path) -> Tree:
    """Return the files below ``root``, hidden folders and links left out."""
    paths: set[str] = set()
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(".") and name != "node_modules")
        relative = Path(folder).relative_to(root)
        paths |= {(relative / name).as_posix() for name in files if not (Path(folder) / name).is_symlink()}
    return tree_of(paths, "", (), is_git=False)


def facts_without_git(root: Path, tree: Tree, questions: Questions, memory_files: frozenset[str]) -> Facts:
    """Return what the files below ``root`` alone can answer: what stands, and how long it is."""
    counts: dict[str, int | None] = {}
    for path in sorted(questions.line_counts):
        content = read_regular(root / path, LARGEST_COUNTED)
        counts[path] = lines_in(content) if content is not None else None
    code = ((path, read_regular(root / path, LARGEST_SEARCHED)) for path in sorted(tree.paths) if is_code(path))
    files = ((path, content) for path, content in code if content is not None)
    return Facts(
        tree=tree,
        memory_files=memory_files,
        line_counts=known_counts(counts),
        history=History(complete=False),
        places=Search(questions.names).all_places(files) if questions.names else {},
    )


def tree_of(
    paths: Iterable[str],
    prefix: str,
    outside: Iterable[str],
    links: Mapping[str, str] | None = None,
    *,
    is_git: bool = True,
) -> Tree:
    """Return the tree of ``paths``, with its folders and its index by name."""
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


def events_of(fields: Iterator[str]) -> tuple[dict[str, Event], set[str]]:
    """The newest event of each path, and every path that was met; the log runs from new to old.

    A path that was added last is met, but has no event: if it is not in the tree, a merge took it
    out. Events without a commit are those of the working tree.
    """
    events: dict[str, Event] = {}
    met: set[str] = set()
    again: dict[str, Event | None] = {}  # added after it was gone, and how it had gone
    commit = date = None
    for field in fields:
        status = field.lstrip("\n")
        if status.startswith(COMMIT_MARK):
            commit, _, date = status[1:].strip().partition(" ")
        elif status.startswith("R"):
            old, new = next(fields), next(fields)
            gone = again.get(new)
            met.add(new)
            if old not in met:
                met.add(old)
                events[old] = gone or Event(commit=commit, date=date, renamed_to=new)
        elif status:
            path = next(fields)
            if path not in met:
                met.add(path)
                if status == "D":
                    events[path] = Event(commit=commit, date=date)
                else:
                    again[path] = None
            elif status == "D" and path in again:
                again[path] = again[path] or Event(commit=commit, date=date)
    return events, met


def history_of(
    events: Mapping[str, Event], elsewhere: frozenset[str], past: PathHistory | None, *, complete: bool
) -> History:
    """Return the history that ``events`` make, with its index by name."""
    ordered = tuple(sorted(events))
    by_name: dict[str, list[str]] = {}
    for path in ordered:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    names = {name: tuple(found) for name, found in by_name.items()}
    by_stem: dict[str, list[str]] = {}
    for name, found in by_name.items():
        stem = name.partition(".")[0]
        if stem and stem != name and is_code(name):
            by_stem.setdefault(stem, []).extend(found)
    stems = {stem: tuple(sorted(found)) for stem, found in by_stem.items()}
    return History(
        events=events,
        by_name=names,
        by_stem=stems,
        ordered=ordered,
        elsewhere=elsewhere,
        complete=complete,
        past=past,
    )


def fields_of(out: bytes) -> Iterator[str]:
    """Return the NUL-separated fields of an answer of git; bytes that are no UTF-8 become lone surrogates."""
    return filter(None, out.decode("utf-8", "surrogateescape").split("\0"))


def known_counts(counts: Mapping[str, int | None]) -> dict[str, int]:
    """Return the counts that are known."""
    return {path: count for path, count in counts.items() if count is not None}


def folders_above(path: str) -> list[str]:
    """Return the folders that ``path`` lies in, outermost first."""
    return [path[:at] for at, sign in enumerate(path) if sign == "/"]


def lines_in(content: bytes) -> int | None:
    """How many lines an editor shows, 1 at least; None for a Git LFS pointer, which stands for a file."""
    if content.startswith(b"version https://git-lfs.github.com/spec/"):
        return None
    ends = content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")
    return max(1, ends + (0 if content.endswith((b"\n", b"\r")) else 1))
