"""Package citations: ``@scope/name``, ``name==1.2``, ``group:artifact:1.0``, ``example.org/x/y``."""

from __future__ import annotations

from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.name_evidence import (
    best_place,
    drift,
    found_at,
    in_manifest,
    left_manifests,
    trace_of,
    unverifiable,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.entities import Citation, Stance, Verdict
from intermem.facts import Facts, Questions, Shape, Trace, Tree
from intermem.patterns import regex

_SCOPED = regex(r"(?P<name>@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*)(?P<inside>/[\w./-]+)?(?P<version>@[\w.^~*-]+)?")
_VERSIONED = regex(
    r"(?P<name>[A-Za-z][\w.-]*)(?:\[[\w,-]+\])?\s?(?:(?:===?|>=|<=|~=|\^|!=|@)\s?[~^]?v?\d[\w.*+-]*)(?:\s?,\s?[<>=!~]+\s?[\w.*]+)*"
)
_MAVEN = regex(r"(?:[\w.-]+:)?(?P<name>[A-Za-z][\w.-]*):\d[\w.+-]*")
_HOSTED = regex(r"(?P<name>(?:[\w-]+\.)+(?:com|org|net|io|dev|in|sh|co)/[\w.~-]+(?:/[\w.~-]+){0,5})(?:@v?[\w.-]+)?")


def read(token: Token) -> Citation | None:
    """Return the package citation in ``token``, or None."""
    if token.form in ("link", "wiki", "import", "url", "line"):
        return None
    patterns = [_SCOPED, _HOSTED]
    if token.form == "span":
        patterns += [_VERSIONED, _MAVEN]
    for pattern in patterns:
        match = pattern.fullmatch(token.text)
        if match is not None and match["name"].rpartition(".")[2].lower() not in EXTENSIONS:
            return Citation(
                kind="package",
                text=token.text,
                name=match["name"],
                weak=token.form != "span",
            )
    return None


def questions(citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``: where its name occurs."""
    return Questions(names=frozenset({citation.name}))


def traces(citation: Citation, setting: Setting, facts: Facts) -> frozenset[Trace]:
    """Return the names to search for in history: a package that nothing names now."""
    if citation.stance is not Stance.PLAIN or best_place(facts.places.get(citation.name, ()), setting) is not None:
        return frozenset()
    return frozenset({trace_of(citation.name, citation)})


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a package: valid if a manifest names it or code imports it."""
    places = facts.places.get(citation.name, ())
    place = in_manifest(places) or best_place(places, setting)
    if place is not None and place.shape is not Shape.COMMENT:
        return found_at(place, places, setting)
    if not facts.tree.is_git:
        return unverifiable(None, "not a git repository")
    traced = facts.traced.get(trace_of(citation.name, citation))
    gone = drift(citation.name, traced, setting, weak=citation.weak) or left_manifests(citation.name, traced, setting)
    return gone if gone is not None else unverifiable(traced, "no manifest names it")
