"""Which versions of their dependencies manifests allow.

Manifests are a stranger's: what cannot be parsed says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from intermem.core.code.manifests import json_of, line_of, numbers_of, toml_of
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_NAMES = regex(
    r"package\.json|pyproject\.toml|requirements[\w-]*\.(?:txt|in)|Cargo\.toml|composer\.json|Gemfile|Pipfile"
)
_LARGEST = 1024 * 1024  # characters
_REQUIRED = regex(r"^[ \t]*(?P<name>[A-Za-z][\w.-]*)(?:\[[^\]]*\])?[ \t]*\(?(?P<range>(?:[<>=~!^][^;#\n)]*)?)")
_GEM = regex(r"""^[ \t]*gem[ \t]+["'](?P<name>[\w-]+)["'](?P<range>(?:,[ \t]*["'][<>=~\d. !]+["'])*)""", re.MULTILINE)
_BOUND = regex(r"(?<![\w.+-])(?P<sign>>=|>|~=|~>|===?|\^|~|<=|<|!=|=)?\s*v?(?P<version>\d+(?:\.(?:\d+|[x*]))*)")
_SPAN = regex(r"(?P<low>\d[\w.]*)\s+-\s+(?P<high>\d[\w.]*)")
_GENERAL = ("core", "client", "cli", "common")  # the package of a scope that has its version
_ENDS = regex(r"(?:\.?js|css)$")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency with the range of versions that a manifest allows, at ``line``."""

    name: str
    written: str
    line: int

    def allows(self, claimed: int, *, or_later: bool) -> bool | None:
        """Return whether it allows the major version ``claimed``; None where it has no bounds."""
        found = [_allows(branch, claimed, or_later) for branch in re.split(r"\|\|?", self.written)]
        return None if None in found else any(found)


def lists_dependencies(name: str) -> bool:
    """Return whether a file of that name is a manifest of dependencies that is read."""
    return _NAMES.fullmatch(name) is not None


def dependencies_of(name: str, text: str) -> list[Dependency]:
    """Return the dependencies that the manifest ``name`` lists with a range of versions."""
    if len(text) > _LARGEST or not lists_dependencies(name):
        return []
    return [
        Dependency(one, written, _line_of(name, text, one))
        for one, written in _listed(name, text)
        if numbers_of(written)
    ]


def depended_on(name: str, text: str) -> list[tuple[str, int]]:
    """Return the names of all dependencies that the manifest ``name`` lists, with their lines."""
    if len(text) > _LARGEST or not lists_dependencies(name):
        return []
    return [(one, _line_of(name, text, one)) for one, _ in _listed(name, text)]


def _line_of(name: str, text: str, one: str) -> int:
    return line_of(text, f'"{one}"' if name.endswith(".json") else one)


def called(name: str) -> frozenset[str]:
    """Return what a dependency or a product is called, without what spellings differ in: ``next`` of ``Next.js``.

    A package of a scope is another one than that of its name: ``@org/react`` is not React.
    """
    scope, slash, rest = name.lower().lstrip("@").rpartition("/")
    names = {scope, scope + rest} if slash and rest in _GENERAL else {scope + rest}
    return frozenset(_ENDS.sub("", re.sub(r"[ _.-]+(?!js$)", "", one)) or one for one in names)


def _listed(name: str, text: str) -> Iterator[tuple[str, str]]:
    if name == "package.json":
        loaded = json_of(text)
        for key in ("dependencies", "devDependencies", "peerDependencies"):
            yield from _words(loaded.get(key))
    elif name == "composer.json":
        loaded = json_of(text)
        for key in ("require", "require-dev"):
            yield from _words(loaded.get(key))
    elif name == "Gemfile":
        yield from ((match["name"], match["range"]) for match in _GEM.finditer(text))
    elif name.endswith(".toml") or name == "Pipfile":
        yield from _of_tables(toml_of(text))
    else:
        yield from _required(text.split("\n"))


def _of_tables(loaded: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the dependencies in all tables and lists of a TOML file that are called so."""
    for key, value in loaded.items():
        is_group = key.endswith("dependencies") or key in ("dependency-groups", "packages", "dev-packages")
        if not is_group:
            yield from _of_tables(value) if isinstance(value, dict) else ()
            continue
        yield from _words(value)
        for group in value.values() if isinstance(value, dict) else [value]:
            yield from _required([one for one in group if isinstance(one, str)] if isinstance(group, list) else [])


def _required(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        match = _REQUIRED.match(line)
        if match is not None:
            yield match["name"], match["range"].strip()


def _words(group: object) -> Iterator[tuple[str, str]]:
    for name, value in group.items() if isinstance(group, dict) else ():
        written = value.get("version") if isinstance(value, dict) else value
        is_range = isinstance(written, str) and ":" not in written and "/" not in written
        yield name, str(written) if is_range else ""


def _allows(branch: str, claimed: int, or_later: bool) -> bool | None:
    span = _SPAN.search(branch)
    if span is not None:
        return numbers_of(span["low"])[0] <= claimed <= numbers_of(span["high"])[0]
    low, high = 0, 1 << 30
    bounds = [(one["sign"] or "^", numbers_of(one["version"])) for one in _BOUND.finditer(branch)]
    for sign, version in bounds:
        if sign in ("<", "<="):
            high = min(high, version[0] - (sign == "<" and not any(version[1:])))
        elif sign != "!=":
            low = max(low, version[0])
            if sign not in (">", ">="):
                high = min(high, version[0])
    if not bounds:
        return None
    return high >= claimed if or_later else low <= claimed <= high
