"""The files that say which tools a project uses, and in which versions."""

from __future__ import annotations

import posixpath

from intermem.core.citations.statements import RUNNERS
from intermem.core.code.continuous_integration import is_of_ci
from intermem.core.code.dependencies import lists_dependencies
from intermem.core.code.manifests import LOCKS, NAMING
from intermem.core.code.port_declarations import may_declare_ports

OF_PACKAGES = frozenset({"package.json", "pyproject.toml"})
OF_VERSIONS = {
    "python": frozenset({"pyproject.toml", "setup.cfg", "setup.py", ".python-version", ".tool-versions"}),
    "node": frozenset({"package.json", ".nvmrc", ".node-version", ".tool-versions"}),
    "go": frozenset({"go.mod", ".tool-versions"}),
    "rust": frozenset({"Cargo.toml", "rust-toolchain", "rust-toolchain.toml", ".tool-versions"}),
    "ruby": frozenset({"Gemfile", ".ruby-version", ".tool-versions"}),
    "php": frozenset({"composer.json", ".tool-versions"}),
}
_READ = OF_PACKAGES.union(*OF_VERSIONS.values())


def speaks_of_tools(path: str) -> bool:
    """Return whether a verdict on a statement about tools can depend on the file ``path``."""
    name = posixpath.basename(path)
    return (
        name in LOCKS
        or name in _READ
        or name in NAMING
        or may_declare_ports(name)
        or lists_dependencies(name)
        or is_of_ci(path)
        or any(is_settings_of(name, runner) for group in RUNNERS for runner in group)
    )


def is_settings_of(file: str, runner: str) -> bool:
    """Return whether a file of that name is the settings of a test ``runner``."""
    return file in (f".{runner}", f"{runner}.ini", f"{runner}.xml", f"{runner}.xml.dist") or (
        f"{runner}.config." in file or f".{runner}rc" in file
    )
