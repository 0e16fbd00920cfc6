"""Manifests: versions, package managers and packages, and files that say nothing."""

from __future__ import annotations

import pytest

from intermem.core.code.manifests import managers_of, requirements_of


@pytest.mark.parametrize(
    ("name", "text", "language", "version", "line", "is_pin"),
    [
        ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.10"\n', "python", (3, 10), 2, False),
        ("setup.py", "setup(\n  python_requires='>=3.8,<4',\n)\n", "python", (3, 8), 2, False),
        ("Cargo.toml", '[workspace.package]\nrust-version = "1.70"\n', "rust", (1, 70), 2, False),
        ("rust-toolchain", "1.76.0\n", "rust", (1, 76, 0), 1, True),
        (".ruby-version", "3.3.1\n", "ruby", (3, 3, 1), 1, True),
        (".tool-versions", "# tools\ngolang 1.22.1\n", "go", (1, 22, 1), 2, True),
    ],
)
def test_a_manifest_requires_a_version(
    name: str, text: str, language: str, version: tuple[int, ...], line: int, is_pin: bool
) -> None:
    (found,) = requirements_of(name, text)
    assert (found.language, found.version, found.line, found.is_pin) == (language, version, line, is_pin)


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "package.json", "go.mod", "Gemfile", "rust-toolchain", ".nvmrc", "x"]
)
def test_what_cannot_be_read_says_nothing(name: str) -> None:
    for text in ("", "{", "[[[", "\x00", "[" * 100_000, "3" * (1 << 21)):
        assert requirements_of(name, text) == [] or name == ".nvmrc"
        assert managers_of(name, text) == []
