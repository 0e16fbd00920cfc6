"""The files of a project without git, as the same values as a repository's."""

from __future__ import annotations

import os
from pathlib import Path

from intermem.core.code.file_types import LARGEST_SEARCHED, is_code
from intermem.core.code.name_search import Search
from intermem.facts import Facts, History, Questions, Tree
from intermem.project.files import read_regular
from intermem.project.git.answers import MAX_COUNTED_BYTES, known_counts, lines_in, tree_of


def tree_without_git(root: Path) -> Tree:
    """Return the files below ``root``, without hidden folders, ``node_modules`` and links."""
    paths: set[str] = set()
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(".") and name != "node_modules")
        relative = Path(folder).relative_to(root)
        paths |= {(relative / name).as_posix() for name in files if not (Path(folder) / name).is_symlink()}
    return tree_of(paths, "", (), is_git=False)


def facts_without_git(root: Path, tree: Tree, questions: Questions, memory_files: frozenset[str]) -> Facts:
    """Return what the files below ``root`` can answer: which there are, their lengths, and names in their code."""
    counts: dict[str, int | None] = {}
    for path in sorted(questions.line_counts):
        content = read_regular(root / path, MAX_COUNTED_BYTES)
        counts[path] = lines_in(content) if content is not None else None
    code = ((path, read_regular(root / path, LARGEST_SEARCHED)) for path in sorted(tree.paths) if is_code(path))
    files = ((path, content) for path, content in code if content is not None)
    return Facts(
        tree=tree,
        memory_files=memory_files,
        line_counts=known_counts(counts),
        history=History(complete=False),
        texts={path: text for path in sorted(questions.texts) if (text := _text(root / path)) is not None},
        places=Search(questions.names).all_places(files) if questions.names else {},
    )


def _text(path: Path) -> str | None:
    content = read_regular(path, LARGEST_SEARCHED)
    return content.decode("utf-8", "replace") if content is not None else None
