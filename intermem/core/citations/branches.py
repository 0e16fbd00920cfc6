"""Prefixes of branches that a text lists as if they were folders: ``feature/``, ``fix/``, ``docs/``."""

from __future__ import annotations

from collections.abc import Iterable

from intermem.entities import Citation
from intermem.patterns import regex

_HARDLY_FOLDERS = frozenset({"feature", "feat", "fix", "bugfix", "hotfix", "chore"})
_OTHERS = frozenset({"build", "ci", "doc", "docs", "perf", "refactor", "release", "revert", "style", "test", "tests"})
_LEAST = 2  # of the first kind
_ABOUT = regex(
    r"\b(?:branch|prefix|präfix|zweig|préfixe|branche|prefijo|prefixo|prefisso|rama\b|ramo\b)|ветк|префикс|gałęz|分支|前缀|ブランチ|接頭辞|브랜치|접두",
)


def branch_prefixes(text: str, citations: Iterable[Citation]) -> frozenset[str]:
    """Return the names among those of ``citations`` that are prefixes of branches, as ``text`` speaks of such.

    There must be two at least that are hardly folders.
    """
    names = {one.name.strip("/") for one in citations if one.kind == "dir" and not one.link}
    if len(_HARDLY_FOLDERS & names) < _LEAST or _ABOUT.search(text.lower()) is None:
        return frozenset()
    return (_HARDLY_FOLDERS | _OTHERS) & names
