"""What a text says of a project's tools, in the languages of notes, and what only sounds like it."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.statements import statements_of


def said(text: str) -> list[tuple[str, str]]:
    return [(one.about, one.name) for one in statements_of(text)]


@pytest.mark.parametrize(
    ("text", "about", "name"),
    [
        ("Use pnpm, not npm.", "manager", "pnpm"),
        ("We always use `yarn` for everything.", "manager", "yarn"),
        ("Dependencies are managed with **Poetry**.", "manager", "poetry"),
        ("- **Package manager**: uv", "manager", "uv"),
        ("| Package manager | pnpm |", "manager", "pnpm"),
        ("包管理器：pnpm", "manager", "pnpm"),
        ("本项目使用 pnpm，不要提交 package-lock", "manager", "pnpm"),
        ("パッケージマネージャーは pnpm", "manager", "pnpm"),
        ("yarn を使うこと", "manager", "yarn"),
        ("패키지 매니저: pnpm", "manager", "pnpm"),
        ("Nutze pnpm.", "manager", "pnpm"),
        ("Usa yarn en lugar de npm: utilizar yarn.", "manager", "yarn"),
        ("Используй yarn.", "manager", "yarn"),
        ("Gestionnaire de paquets : pnpm", "manager", "pnpm"),
        ("Unit tests run with Vitest.", "runner", "vitest"),
        ("Test framework: jest", "runner", "jest"),
        ("Tests run with pytest.", "runner", "pytest"),
        ("**Testing:** Vitest (`vitest.config.js`)", "runner", "vitest"),
        ("Tests use **Jest** with modules.", "runner", "jest"),
        ("| Testing | pytest + httpx |", "runner", "pytest"),
        ("`pytest` is the test runner", "runner", "pytest"),
        ("Die Tests laufen mit unittest.", "runner", "unittest"),
        ("Les tests tournent avec PHPUnit.", "runner", "phpunit"),
        ("Las pruebas con pytest", "runner", "pytest"),
        ("Os testes rodam com pytest", "runner", "pytest"),
        ("Testy działają z pytest", "runner", "pytest"),
        ("Тесты на pytest", "runner", "pytest"),
        ("测试框架使用 pytest", "runner", "pytest"),
        ("テストは RSpec", "runner", "rspec"),
        ("테스트는 pytest", "runner", "pytest"),
        ("Kiểm thử bằng pytest", "runner", "pytest"),
        ("We use mocha for unit tests", "runner", "mocha"),
        ("Requires Python 3.11+.", "version", "python 3.11+"),
        ("- Python 3.9", "version", "python 3.9"),
        ("| Python | 3.12 |", "version", "python 3.12"),
        ("**Node.js** >= 20.12.0", "version", "node 20.12.0+"),
        ("Runs on Node 18 or newer.", "version", "node 18+"),
        ("Language: Go 1.22", "version", "go 1.22"),
        ("The minimum is Rust 1.75.", "version", "rust 1.75"),
        ("The default branch is `develop`.", "branch", "develop"),
        ("`trunk` is the default branch", "branch", "trunk"),
        ("- Default branch: main", "branch", "main"),
    ],
)
def test_a_statement_is_found(text: str, about: str, name: str) -> None:
    assert (about, name) in said(text)
    assert {one for one, _ in said(text)} == {about}
    (citation,) = [one for one in citations_of(text) if one.kind == "tooling"]
    assert citation.name == f"{about} {name}"
    ((start, stop, _),) = spans_of(text)["tooling", citation.text]
    assert text[start:stop] == citation.text


@pytest.mark.parametrize(
    "text",
    [
        "Never use npm.",
        "Do not use yarn here.",
        "We don't use pnpm.",
        "Use `npm` only for publishing what is built.",
        "It is managed with yarn only on the old branch.",
        "Instead of using npm, run the script.",
        "不要使用 npm。",
        "Use `npm run build` to compile.",
        "Use npm or yarn.",
        "Using yarn\n",
        "pnpm install is slow",
        "yarn.lock is generated",
        "The node is at 12 %.",
        "Node 3: the leader",
        "Chapter: Go 2 levels up",
        "Python 3.9 syntax is fine.",
        "Use Python 3.9 syntax.",
        "Dropped Python 3.8.",
        "It requires the extension.\n\n### PHP 7.4\n",
        "If you are using PHP 7.4, install it.",
        "Since Python 3.9, dicts merge with |.",
        "Requires a compiler older than Python 3.9",
        "python3 scripts/x.py",
        "We migrated from Jest.",
        "The unit tests of jest itself",
        "Tests never run with nose.",
        "The tests used to run with nose.",
        "Run `pytest -q`.",
        "Die Tests laufen mit pytest oder unittest.",
        "The branch is main.",
        "",
    ],
)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert said(text) == []


def test_a_runner_and_its_version_are_two_statements() -> None:
    names = [one.name for one in citations_of("| Testing | Vitest v3 |") if one.kind == "tooling"]
    assert names == ["runner vitest", "library vitest 3"]


def test_text_in_a_fence_states_nothing() -> None:
    assert not [one for one in citations_of("Run:\n\n```\nuse pnpm\n```\n") if one.kind == "tooling"]


@pytest.mark.parametrize(
    "text", ["use " * 20000, "package manager" + " " * 50000, "Python" + " " * 50000 + "3", "is " * 30000 + "jest"]
)
def test_long_texts_take_linear_time(text: str) -> None:
    assert said(f"npm {text}") == []
