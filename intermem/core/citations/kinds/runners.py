"""Statements about test runners, compared with dependencies, settings and code: ``tests run with pytest``.

A statement is broken only where a manifest, in the folder of the text or above, depends on another runner of the same
language, and the name is nowhere in the repository.
"""

from __future__ import annotations

import posixpath
from functools import lru_cache

from intermem.core.citations.kinds.manifest_places import agrees, depth, differs, is_above, manifests, silent
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.statements import RUNNERS
from intermem.core.citations.tool_files import is_settings_of
from intermem.core.code.dependencies import depended_on, lists_dependencies
from intermem.entities import Verdict
from intermem.facts import Facts, Questions, Shape, Tree


def questions(name: str, tree: Tree) -> Questions:
    """Return the facts needed: the texts of manifests, and where code has the name."""
    return Questions(texts=frozenset(manifests(tree, (), lists_dependencies)), names=frozenset({name}))


def judge(name: str, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a runner: valid if a manifest, its own settings or an import have it."""
    sisters = next(group for group in RUNNERS if name in group)
    others: list[tuple[str, str]] = []
    for path, text in sorted(facts.texts.items()):
        for package, line in _depended_on(posixpath.basename(path), text):
            if name in _words(package):
                return agrees("", f"{path}:{line}")
            if package in sisters and is_above(path, setting, facts):
                others.append((f"{path}:{line}", package))
    if any(is_settings_of(file, name) for file in facts.tree.by_name):
        return agrees("it has a configuration here")
    places = facts.places.get(name, ())
    imported = min((one for one in places if one.shape is Shape.IMPORT), key=lambda one: depth(one.path), default=None)
    if imported is not None:
        return agrees("", f"{imported.path}:{imported.line}")
    if places or not others:
        return silent("no manifest names a test runner" if not others else "no manifest names it, but the code does")
    place, other = min(others, key=lambda one: depth(one[0]))
    return differs(f"{place} depends on {other}, and no manifest on {name}")


def _words(package: str) -> set[str]:
    scope, _, rest = package.lower().lstrip("@").rpartition("/")
    return {package, scope, *rest.split("-")}


_depended_on = lru_cache(maxsize=512)(depended_on)  # many statements are compared with one manifest
