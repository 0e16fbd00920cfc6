"""What manifests say of a project's tools: its package manager, the versions of its language, its test runner.

Manifests are a stranger's: what cannot be parsed says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

LOCKS = {  # the lock file or workspace file of each package manager
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "pnpm-workspace.yaml": "pnpm",
    "yarn.lock": "yarn",
    ".yarnrc.yml": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "poetry.lock": "poetry",
    "uv.lock": "uv",
    "pdm.lock": "pdm",
    "Pipfile.lock": "pipenv",
    "Pipfile": "pipenv",
}
SISTERS = (frozenset({"npm", "pnpm", "yarn", "bun"}), frozenset({"poetry", "uv", "pdm", "pipenv"}))
# Manifests that name their package.
NAMING = frozenset({"package.json", "pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml", "go.mod", "composer.json"})
NAMING |= {"pubspec.yaml"}
_NUMBERS = regex(r"\d+(?:\.\d+)*")
_BOUND = regex(r"(?P<sign>>=|>|~=|~>|===?|\^|~|<=|<|!=)?\s*v?(?P<version>\d+(?:\.\d+)*)")
_PACKAGE = regex(r"^[ \t]*(?:name[ \t]*[:=][ \t]*|module[ \t]+)['\"]?([\w./@-]{1,100})", re.MULTILINE)
_LARGEST = 1024 * 1024  # characters


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a manifest says of a language: the lowest ``version`` that it allows, or with ``is_pin`` the one it uses."""

    language: str
    version: tuple[int, ...]
    line: int
    written: str
    is_pin: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A line of a manifest that names a package manager or a package."""

    name: str
    line: int
    written: str


def requirements_of(name: str, text: str) -> list[Requirement]:
    """Return what the manifest ``name`` says of versions; nothing where it does not, or cannot be read."""
    if len(text) > _LARGEST:
        return []
    return [
        Requirement(language, version, line_of(text, written), written, pin)
        for language, written, pin in _versions(name, text)
        if (version := _lowest(written)) is not None
    ]


def managers_of(name: str, text: str) -> list[Mention]:
    """Return the package managers that a manifest names as the project's own."""
    if name == "package.json":
        given = json_of(text).get("packageManager")
        found = given.partition("@")[0] if isinstance(given, str) else ""
        return [Mention(found, line_of(text, '"packageManager"'), str(given)[:60])] if found else []
    tools = toml_of(text).get("tool") if name == "pyproject.toml" else None
    names = [one for one in ("poetry", "uv", "pdm") if isinstance(tools, dict) and isinstance(tools.get(one), dict)]
    return [Mention(one, line_of(text, f"[tool.{one}"), f"[tool.{one}]") for one in names]


def package_name(name: str, text: str) -> Mention | None:
    """Return how the manifest ``name`` calls its package, and on which line; None where it does not."""
    if len(text) > _LARGEST or name not in NAMING:
        return None
    if name.endswith(".json"):
        found = _words(json_of(text), "name")
    elif name.endswith(".toml"):
        loaded = toml_of(text)
        found = _words(loaded, "project", "name") or _words(loaded, "tool", "poetry", "name")
        found = found or _words(loaded, "package", "name")
    else:
        match = _PACKAGE.search(text)
        found = match[1] if match is not None else ""
    at = re.search(rf"(?:name|module)\W.{{0,20}}{re.escape(found)}", text) if found else None
    return Mention(found, text.count("\n", 0, at.start()) + 1 if at is not None else 1, found) if found else None


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version: ``(3, 11)`` of ``3.11+``."""
    match = _NUMBERS.search(version)
    return tuple(int(part) for part in match[0].split(".")) if match is not None else ()


def _versions(name: str, text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield language, constraint as written, and whether it is a pin."""
    if name in (".python-version", ".nvmrc", ".node-version", ".ruby-version"):
        languages = {".python-version": "python", ".ruby-version": "ruby"}
        yield languages.get(name, "node"), next(iter(text.split()), ""), True
    elif name == ".tool-versions":
        for line in text.split("\n"):
            words = line.split()
            if len(words) > 1:
                yield {"nodejs": "node", "golang": "go"}.get(words[0], words[0]), words[1], True
    elif name in ("rust-toolchain", "rust-toolchain.toml"):
        toolchain = toml_of(text).get("toolchain")
        channel = toolchain.get("channel") if isinstance(toolchain, dict) else text.strip()
        yield "rust", channel if isinstance(channel, str) else "", True
    else:
        yield from ((language, written, False) for language, written in _floors(name, text))


def _floors(name: str, text: str) -> Iterator[tuple[str, str]]:
    if name == "pyproject.toml":
        loaded = toml_of(text)
        yield "python", _words(loaded, "project", "requires-python")
        yield "python", _words(loaded, "tool", "poetry", "dependencies", "python")
    elif name in ("setup.cfg", "setup.py"):
        match = re.search(r"python_requires\s*=\s*['\"]?([^'\"\n,)]{2,40})", text)
        yield "python", match[1].strip() if match is not None else ""
    elif name == "package.json":
        yield "node", _words(json_of(text), "engines", "node")
    elif name == "composer.json":
        yield "php", _words(json_of(text), "require", "php")
    elif name == "Cargo.toml":
        loaded = toml_of(text)
        yield "rust", _words(loaded, "package", "rust-version")
        yield "rust", _words(loaded, "workspace", "package", "rust-version")
    elif name == "go.mod":
        match = re.search(r"^go[ \t]+(\d+\.\d+(?:\.\d+)?)", text, re.MULTILINE)
        yield "go", match[1] if match is not None else ""
    elif name == "Gemfile":
        match = re.search(r"^ruby[ \t]*\(?[ \t]*['\"]([^'\"\n]{1,40})['\"]", text, re.MULTILINE)
        yield "ruby", match[1] if match is not None else ""


def _lowest(constraint: str) -> tuple[int, ...] | None:
    """Return the lowest version that a constraint allows; None where it has no lower bound."""
    found: list[tuple[int, ...]] = []
    for branch in constraint.split("||"):
        bounds = [one for one in _BOUND.finditer(branch) if one["sign"] not in ("<", "<=", "!=")]
        if not bounds:
            return None
        found.append(max(numbers_of(one["version"]) for one in bounds))
    return min(found)


def line_of(text: str, written: str) -> int:
    """Return the number of the first line with ``written``; 1 where it is not as the manifest spells it."""
    at = text.find(written)
    return text.count("\n", 0, max(at, 0)) + 1


def json_of(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds; empty where it cannot be parsed."""
    try:
        loaded = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def toml_of(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; empty where it cannot be parsed."""
    import tomllib  # slow to import, and few repositories need it

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}


def _words(loaded: object, *keys: str) -> str:
    """Return the string at ``keys``; empty if there is none."""
    for key in keys:
        loaded = loaded.get(key) if isinstance(loaded, dict) else None
    return loaded if isinstance(loaded, str) else ""
