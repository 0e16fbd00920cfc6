"""Statements about tools, compared with manifests and lock files: ``use pnpm``, ``Python 3.11+``.

A statement is broken only where what speaks of its subject, in the folder of the text or above, says something else,
and nothing anywhere in the repository agrees.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import lru_cache

from intermem.core.citations.kinds import names, ports, runners
from intermem.core.citations.kinds.manifest_places import (
    agrees,
    depth,
    differs,
    files_of_ci,
    is_above,
    manifests,
    own,
    silent,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.core.citations.tool_files import OF_PACKAGES, OF_VERSIONS
from intermem.core.code.continuous_integration import (
    images_named,
    is_container_file,
    managers_used,
    names_images,
    versions_used,
)
from intermem.core.code.dependencies import called, dependencies_of, lists_dependencies
from intermem.core.code.manifests import (
    LOCKS,
    SISTERS,
    Mention,
    Requirement,
    managers_of,
    numbers_of,
    requirements_of,
)
from intermem.entities import Citation, Evidence, Verdict
from intermem.facts import Facts, Questions, Tree

NAME = "tooling"


def read(token: Token) -> Citation | None:
    """Return the statement in ``token`` as a citation; its name is ``manager pnpm``, ``version python 3.11+``."""
    reader = _READERS.get(token.form)
    name = reader(token.text) if reader is not None else ""
    return Citation(kind=NAME, text=token.text, name=name) if name else None


def questions(citation: Citation, _setting: Setting, tree: Tree) -> Questions:
    """Return the facts needed: the texts of manifests, or the default branch, and the history of lock files."""
    about, name = _parts(citation)
    if about == "branch":
        return Questions(branch=True)
    if about == "port":
        return ports.questions(name, tree)
    if about == "runner":
        return runners.questions(name, tree)
    if about in names.ABOUT:
        return names.questions(about, name, tree)
    if about == "library":
        asked = (*manifests(tree, (), lists_dependencies), *manifests(tree, (), names_images))
        return Questions(texts=frozenset(asked))
    if about == "version":
        listed = manifests(tree, OF_VERSIONS[name.partition(" ")[0]], is_container_file)
        return Questions(texts=frozenset((*listed, *files_of_ci(tree))))
    used = (*manifests(tree, (), is_container_file), *files_of_ci(tree)) if about == "manager" else ()
    return Questions(texts=frozenset((*manifests(tree, OF_PACKAGES), *used)), history=about == "manager")


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a statement: valid if a manifest agrees, broken if those that speak of it all disagree."""
    about, name = _parts(citation)
    if about == "branch":
        return _branch(name, facts)
    if about == "manager":
        return _manager(name, setting, facts)
    if about == "runner":
        return runners.judge(name, setting, facts)
    if about == "port":
        return ports.judge(name, setting, facts)
    if about in names.ABOUT:
        return names.judge(about, name, setting, facts)
    if about == "library":
        return _library_version(name, setting, facts)
    return _version(name, setting, facts)


def _statement(text: str) -> str:
    from intermem.core.citations.statements import statements_of

    said = next(statements_of(text), None)
    return f"{said.about} {said.name}" if said is not None else ""


def _port(text: str) -> str:
    from intermem.core.citations.port_statements import port_said_in

    said = port_said_in(text)
    return " ".join(("port", str(said.port), *said.words)) if said is not None else ""


def _library(text: str) -> str:
    from intermem.core.citations.library_statements import library_said_in

    said = library_said_in(text)
    return f"{said.about} {said.name}" if said is not None else ""


def _name(text: str) -> str:
    from intermem.core.citations.name_statements import name_said_in

    said = name_said_in(text)
    return f"{said.about} {said.name}" if said is not None else ""


_READERS = {"statement": _statement, "port": _port, "library": _library, "named": _name}


def _parts(citation: Citation) -> tuple[str, str]:
    about, _, name = citation.name.partition(" ")
    return about, name


def _branch(name: str, facts: Facts) -> Verdict:
    known = facts.default_branch
    if known is None:
        return silent("the default branch is not known here")
    return agrees(f"the default branch is {known}") if name == known else differs(f"the default branch is {known}")


def _manager(name: str, setting: Setting, facts: Facts) -> Verdict:
    marks = list(_marks(facts))
    own = [path for path, mark in marks if mark.name == name]
    own = own or [f"{path}:{one.line}" for path, one in _installed(facts) if one.name == name]
    if own:
        return agrees("", min(own, key=depth))
    sisters = next((group for group in SISTERS if name in group), frozenset[str]()) - {name}
    others = [
        (path, mark)
        for path, mark in marks
        if mark.name in sisters and is_above(path.partition(":")[0], setting, facts)
    ]
    if not others:
        return silent("no manifest or lock file says which package manager")
    path, mark = min(others, key=lambda one: depth(one[0]))
    lost = [one for one in facts.history.events if LOCKS.get(posixpath.basename(one)) == name]
    event = facts.history.events[min(lost, key=depth)] if lost else None
    said = f"{path} is of {mark.name}" if mark.line == 0 else f"{path} says {mark.written}"
    commit, date = (event.commit, event.date) if event is not None else (None, None)
    return differs(f"{said}, and nothing here is of {name}", commit, date)


def _marks(facts: Facts) -> Iterable[tuple[str, Mention]]:
    """Yield what names package managers, with its place."""
    for lock, manager in LOCKS.items():
        for path in own(facts.tree.by_name.get(lock, ())):
            yield path, Mention(manager, 0, lock)
    for path, text in facts.texts.items():
        for mark in _managers(posixpath.basename(path), text):
            yield f"{path}:{mark.line}", mark


def _installed(facts: Facts) -> Iterable[tuple[str, Mention]]:
    """Yield what CI and containers install packages with: no word on what the others do, but nobody says nobody."""
    for path, text in sorted(facts.texts.items()):
        for one in _installing(path, text):
            yield path, one


def _version(name: str, setting: Setting, facts: Facts) -> Verdict:
    language, _, written = name.partition(" ")
    claimed, is_floor = numbers_of(written), written.endswith("+")
    found = [
        (f"{path}:{one.line}", one)
        for path, text in sorted(facts.texts.items())
        for one in (*_requirements(posixpath.basename(path), text), *_used(path, text))
        if one.language == language
    ]
    floors = [pair for pair in found if not pair[1].is_pin] or found
    agreeing = [place for place, one in floors if _allows(one, claimed, is_floor=is_floor)]
    agreeing += [place for place, one in found if one.is_pin and _allows(one, claimed, is_floor=False)]
    if agreeing:
        return agrees("", min(agreeing, key=depth))
    above = [(place, one) for place, one in floors if is_above(place, setting, facts)]
    if not above:
        return silent(f"no manifest says which version of {language}")
    place, one = min(above, key=lambda pair: depth(pair[0]))
    return differs(f"{place} says {one.written}", evidence=Evidence.VERSION)


def _library_version(name: str, setting: Setting, facts: Facts) -> Verdict:
    product, _, written = name.partition(" ")
    claimed, wanted = numbers_of(written)[0], called(product)
    others: list[tuple[str, str]] = []
    for path, text in sorted(facts.texts.items()):
        for one in _dependencies(posixpath.basename(path), text):
            if wanted.isdisjoint(called(one.name)):
                continue
            is_allowed = one.allows(claimed, or_later=written.endswith("+"))
            if is_allowed:
                return agrees("", f"{path}:{one.line}")
            if is_allowed is False and is_above(path, setting, facts):
                others.append((f"{path}:{one.line}", one.written))
    if not others:
        return silent(f"no manifest says which version of {product}")
    for path, text in sorted(facts.texts.items()):  # of a program as well that runs beside this one
        for image in _images(posixpath.basename(path), text):
            if not wanted.isdisjoint(called(image.name)) and image.allows(claimed, or_later=False):
                return agrees("", f"{path}:{image.line}")
    place, other = min(others, key=lambda one: depth(one[0]))
    return differs(f"{place} says {other}", evidence=Evidence.VERSION)


def _allows(one: Requirement, claimed: tuple[int, ...], *, is_floor: bool) -> bool:
    """Whether a manifest allows what is claimed, as precisely as both say it."""
    digits = min(len(one.version), len(claimed))
    known, said = one.version[:digits], claimed[:digits]
    if one.is_pin:
        return known >= said if is_floor else known == said
    return said >= known


_installing = lru_cache(maxsize=512)(managers_used)
_managers = lru_cache(maxsize=512)(managers_of)  # many statements are compared with one manifest
_requirements = lru_cache(maxsize=512)(requirements_of)
_used = lru_cache(maxsize=512)(versions_used)
_images = lru_cache(maxsize=512)(images_named)
_dependencies = lru_cache(maxsize=512)(dependencies_of)
