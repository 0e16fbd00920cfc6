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
from intermem.entities import Citation, Stance, Verdict, VerdictStatus
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
    folder = _import_path(citation.name, facts.tree)
    if folder is not None:
        return Verdict(status=VerdictStatus.VALID, target=folder)
    if not facts.tree.is_git:
        return unverifiable(None, "not a git repository")
    traced = facts.traced.get(trace_of(citation.name, citation))
    gone = drift(citation.name, traced, setting, weak=citation.weak) or left_manifests(citation.name, traced, setting)
    return gone if gone is not None else unverifiable(traced, "no manifest names it")


def _import_path(name: str, tree: Tree) -> str | None:
    """Return the folder of a module of this repository that Go imports as ``host/owner/repository/folder``."""
    host, _, rest = name.partition("/")
    folder = "/".join(rest.split("/")[2:])
    if "." not in host or not folder:
        return None
    modules = (path.rpartition("/")[0] for path in tree.by_name.get("go.mod", ()))
    return next((place for one in modules if (place := f"{one}/{folder}".lstrip("/")) in tree.dirs), None)
