"""Which manifests speak for a text, and the verdicts on statements about tools."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.continuous_integration import is_of_ci
from intermem.core.code.file_types import is_sample
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Tree

MAX_MANIFESTS = 60  # that are read, the highest first
_OF_CI = (".github/", ".gitlab/", ".circleci/", ".forgejo/", ".devcontainer/")  # they speak for the folder above


def manifests(tree: Tree, names: Iterable[str], is_wanted: Callable[[str], bool] | None = None) -> Sequence[str]:
    """Return the project's own files with one of ``names``, or whose name ``is_wanted``, the highest first."""
    paths = {path for name in names for path in own(tree.by_name.get(name, ()))}
    if is_wanted is not None:
        paths.update(path for name, found in tree.by_name.items() if is_wanted(name) for path in own(found))
    return sorted(paths, key=depth)[:MAX_MANIFESTS]


def files_of_ci(tree: Tree) -> Sequence[str]:
    """Return the files that say what continuous integration runs."""
    top = (*(tree.prefix + folder for folder in _OF_CI), tree.prefix + ".", *_OF_CI, ".gitlab-ci.")
    return sorted(path for path in tree.paths if path.startswith(top) and is_of_ci(path))[:MAX_MANIFESTS]


def own(paths: Iterable[str]) -> list[str]:
    """Return the paths that are not in a folder of samples or dependencies."""
    return [path for path in paths if not is_sample(path)]


def is_above(path: str, setting: Setting, facts: Facts) -> bool:
    """Return whether a manifest is in the folder of the text, or one above it."""
    folder = posixpath.dirname(path)
    for hidden in _OF_CI:
        at = f"{folder}/".find(hidden)
        if at == 0 or (at > 0 and folder[at - 1] == "/"):
            folder = folder[:at].rstrip("/")
    base = facts.tree.prefix.rstrip("/") if setting.folder is None or setting.in_memory else setting.folder
    return not folder or base == folder or base.startswith(f"{folder}/")


def depth(path: str) -> tuple[int, str]:
    """Return the key that puts the highest paths first."""
    return path.count("/"), path


def agrees(reason: str, target: str | None = None) -> Verdict:
    """Return the verdict on a statement that a manifest agrees with."""
    return Verdict(status=VerdictStatus.VALID, target=target, reason=reason)


def differs(
    reason: str, commit: str | None = None, date: str | None = None, evidence: Evidence = Evidence.CONTRADICTED
) -> Verdict:
    """Return the verdict on a statement that a manifest contradicts."""
    return Verdict(status=VerdictStatus.BROKEN, reason=reason, commit=commit, date=date, evidence=evidence)


def silent(reason: str) -> Verdict:
    """Return the verdict on a statement that nothing speaks of."""
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
