"""Statements about names, compared with manifests and files of CI: ``the package is named acme-core``.

A statement is broken only where what names such a thing, in the folder of the text or above, names another one, and the
name is nowhere in the repository.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache

from intermem.core.citations.kinds.manifest_places import (
    agrees,
    depth,
    differs,
    files_of_ci,
    is_above,
    manifests,
    silent,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.continuous_integration import jobs_of, workflow_name
from intermem.core.code.manifests import NAMING, Mention, package_name
from intermem.entities import Verdict
from intermem.facts import Facts, Questions, Tree
from intermem.patterns import regex

ABOUT = frozenset({"package", "workflow", "job"})
_JOINTS = regex(r"[ _.-]+")


def questions(about: str, name: str, tree: Tree) -> Questions:
    """Return the facts needed: the texts of what gives such names, and where code has the name."""
    texts = manifests(tree, NAMING) if about == "package" else files_of_ci(tree)
    return Questions(texts=frozenset(texts), names=frozenset({f"{name}()"}))


def judge(about: str, name: str, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on the ``name`` of a package, a workflow or a job."""
    known = list(_known(about, facts))
    same = [place for place, one in known if _key(one.name) == _key(name)]
    if same:
        return agrees("", min(same, key=depth))
    if facts.places.get(name):
        return silent(f"nothing says that the name, which the code has, is that of a {about}")
    above = [pair for pair in known if is_above(pair[0], setting, facts)]
    if not above:
        return silent(f"nothing here names a {about}")
    place, other = min(above, key=lambda pair: depth(pair[0]))
    return differs(f"{place} says {other.written}, and nothing here is called {name}")


def _known(about: str, facts: Facts) -> Iterator[tuple[str, Mention]]:
    for path, text in sorted(facts.texts.items()):
        for one in _mentions(about, path, text):
            yield f"{path}:{one.line}", one


@lru_cache(maxsize=512)  # many statements are compared with one file
def _mentions(about: str, path: str, text: str) -> tuple[Mention, ...]:
    if about == "job":
        return tuple(jobs_of(path, text))
    file = posixpath.basename(path)
    found = package_name(file, text) if about == "package" else workflow_name(path, text)
    stem = [Mention(file.partition(".")[0], 1, file)] if about == "workflow" and found is not None else []
    return tuple([found, *stem] if found is not None else [])


def _key(name: str) -> str:
    return _JOINTS.sub("-", name.lower())
