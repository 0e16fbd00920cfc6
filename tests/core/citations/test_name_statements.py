"""What a text says of the names of packages, workflows and jobs, and what only sounds like it."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.name_statements import names_said


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The package is named acme-core.", ["package acme-core"]),
        ("A package called `acme_core`", ["package acme_core"]),
        ("- **Package name**: `@acme/core`", ["package @acme/core"]),
        ("It is published on npm as `acme-core`.", ["package acme-core"]),
        ("Das Paket heißt acme-core.", ["package acme-core"]),
        ("Le paquet s'appelle `acme-core`.", ["package acme-core"]),
        ("El paquete se llama acme-core", ["package acme-core"]),
        ("O pacote se chama `acme-core`.", ["package acme-core"]),
        ("Il pacchetto si chiama `acme-core`.", ["package acme-core"]),
        ("Ten pakiet nazywa się `acme-core`.", ["package acme-core"]),
        ("Этот пакет называется `acme-core`.", ["package acme-core"]),
        ("包名：`acme-core`", ["package acme-core"]),
        ("パッケージ名は `acme-core`", ["package acme-core"]),
        ("패키지 이름은 `acme-core`", ["package acme-core"]),
        ("tên gói là `acme-core`", ["package acme-core"]),
        ("The workflow is called Release.", ["workflow Release"]),
        ('The workflow is named "Build and Test".', ["workflow Build and Test"]),
        ("See the `Nightly build` GitHub Actions workflow.", ["workflow Nightly build"]),
        ("CI runs the `lint`, `unit test` and `deploy` jobs.", ["job lint", "job unit test", "job deploy"]),
        ("The workflow has a `lint` job.", ["job lint"]),
    ],
)
def test_a_statement_is_found(text: str, names: list[str]) -> None:
    assert [f"{one.about} {one.name}" for one in names_said(text)] == names
    cited = [one for one in citations_of(text) if one.kind == "tooling"]
    assert [one.name for one in cited] == names
    for one in cited:
        ((start, stop, _),) = spans_of(text)["tooling", one.text]
        assert text[start:stop] == one.text


@pytest.mark.parametrize(
    "text",
    [
        "The package was not published as `acme-core`.",
        "The `nightly` job cleans the tables.",
        "No longer does CI have a job.",
        "CI no longer runs `lint` jobs.",
        "A workflow is called for.",
        "The job is done.",
        "",
    ],
)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert list(names_said(text)) == []


@pytest.mark.parametrize(
    "text", ["package is named " * 9000, "CI `a" * 20_000, "`ab`, " * 20_000 + "jobs", "package" + " " * 50_000]
)
def test_long_texts_take_linear_time(text: str) -> None:
    assert len(list(names_said(f"job {text}"))) <= 9000
