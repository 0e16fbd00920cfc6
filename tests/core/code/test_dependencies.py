"""Which versions of dependencies manifests allow."""

from __future__ import annotations

import pytest

from intermem.core.code.dependencies import Dependency, called, depended_on, dependencies_of, lists_dependencies


@pytest.mark.parametrize(
    ("written", "claimed", "allowed", "or_later"),
    [
        ("^18.2.0", 18, True, True),
        ("^18.2.0", 17, False, True),
        ("^18.2.0", 19, False, False),
        ("18.x", 18, True, True),
        ("~=4.2", 4, True, True),
        (">=4.2,<5", 4, True, True),
        (">=4.2,<5", 5, False, False),
        (">=4.2,<5.1", 5, True, True),
        (">=4,<=5", 6, False, False),
        (">=16", 18, True, True),
        (">=16", 15, False, True),
        ("16 - 18", 17, True, True),
        ("^16 || ^18", 17, False, True),
        ("^16 || ^18", 18, True, True),
        ("==4.2.*", 4, True, True),
        ("!=4.1,>=4", 4, True, True),
        ("19.0.0-rc.1", 19, True, True),
        ("*", 3, None, None),
    ],
)
def test_a_range_allows_a_major_version(
    written: str, claimed: int, allowed: bool | None, or_later: bool | None
) -> None:
    one = Dependency("x", written, 1)
    assert (one.allows(claimed, or_later=False), one.allows(claimed, or_later=True)) == (allowed, or_later)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "package.json",
            '{\n"dependencies": {"a": "^1.2"},\n"devDependencies": {\n"@b/c": "2", "d": "file:1", "e": "*", "f": 1}}',
            [("a", "^1.2", 2), ("@b/c", "2", 4)],
        ),
        ("composer.json", '{"require": {"php": "^8.1"}}', [("php", "^8.1", 1)]),
        ("requirements-dev.txt", "# x\nDjango[argon]>=4.2,<5 ; x\nb\n-r c.txt\n", [("Django", ">=4.2,<5", 2)]),
        ("Gemfile", 'source "x"\ngem "rails", "~> 7.1"\ngem "pg"\n', [("rails", ', "~> 7.1"', 2)]),
        (
            "Cargo.toml",
            '[dependencies]\naxum = { version = "0.7" }\ntokio = "1"\n',
            [("axum", "0.7", 2), ("tokio", "1", 3)],
        ),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["Django>=4.2"]\n[project.optional-dependencies]\ndev = ["ruff ~= 0.4"]\n'
            '[tool.poetry.group.x.dependencies]\ncelery = "^5"\n[dependency-groups]\nci = ["tox>4", {x = "y"}]\n',
            [("Django", ">=4.2", 2), ("ruff", "~= 0.4", 4), ("celery", "^5", 6), ("tox", ">4", 8)],
        ),
        ("Pipfile", '[packages]\nflask = "==3.0"\n', [("flask", "==3.0", 2)]),
        ("package.json", '{"dependencies": []}', []),
        ("pyproject.toml", "[", []),
        ("x.json", '{"dependencies": {"a": "1"}}', []),
        ("requirements.txt", "a==1\n" + "#" * (1 << 20), []),
    ],
)
def test_a_manifest_lists_dependencies(name: str, text: str, found: list[tuple[str, str, int]]) -> None:
    assert sorted((one.name, one.written, one.line) for one in dependencies_of(name, text)) == sorted(found)
    assert lists_dependencies(name) is (name != "x.json")


@pytest.mark.parametrize(
    ("product", "dependency", "same"),
    [
        ("Next.js", "next", True),
        ("tailwind-css", "tailwindcss", True),
        ("react-native", "react-native", True),
        ("vue", "vue", True),
        ("angular", "@angular/core", True),
        ("angular-material", "@angular/material", True),
        ("nestjs", "@nestjs/core", True),
        ("react", "@org/react", False),
        ("react", "react-dom", False),
        ("js", "js", True),
    ],
)
def test_what_spellings_differ_in_is_no_difference(product: str, dependency: str, same: bool) -> None:
    assert (not called(product).isdisjoint(called(dependency))) is same


def test_what_has_no_range_is_depended_on_too() -> None:
    text = '{\n "dependencies": {"a": "1"},\n "devDependencies": {\n  "@b/c": "file:x"},\n "scripts": {"d": "e"}}'
    assert depended_on("package.json", text) == [("a", 2), ("@b/c", 4)]
    assert depended_on("requirements.txt", "# x\nDjango\n") == [("Django", 2)]
    assert depended_on("x.json", text) == depended_on("package.json", text + " " * (1 << 20)) == []
