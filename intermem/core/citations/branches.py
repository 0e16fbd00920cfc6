"""Prefixes of branches that a text lists as if they were folders: ``feature/``, ``fix/``, ``docs/``."""

from __future__ import annotations

from collections.abc import Iterable

from intermem.entities import Citation

_TELLING = frozenset({"feature", "feat", "fix", "bugfix", "hotfix", "chore"})
_USUAL = frozenset({"build", "ci", "doc", "docs", "perf", "refactor", "release", "revert", "style", "test", "tests"})
_LEAST = 2  # that are hardly folders


def branch_prefixes(citations: Iterable[Citation]) -> frozenset[str]:
    """Return the names among those of ``citations`` that are prefixes of branches, as at least two are hardly else."""
    names = {one.name.strip("/") for one in citations if one.kind == "dir"}
    return (_TELLING | _USUAL) & names if len(_TELLING & names) >= _LEAST else frozenset()
