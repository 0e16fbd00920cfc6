"""What holds for every regular expression of the project."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import intermem
from intermem.patterns import _Lazy, regex

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")


def expressions() -> Iterator[tuple[str, re.Pattern[str] | _Lazy]]:
    for found in pkgutil.walk_packages(intermem.__path__, "intermem."):
        if not found.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, (re.Pattern, _Lazy)):
                    yield f"{found.name}.{name}", value


def test_no_group_is_possessive() -> None:
    """Python before 3.11.5 matches ``(?:...)*+`` wrongly (CPython issue 106052), and Debian 12 has 3.11.2."""
    found = {name: str(value.pattern) for name, value in expressions()}
    assert len(found) > 100
    assert [name for name, pattern in found.items() if POSSESSIVE_GROUP.search(pattern)] == []


def test_every_expression_can_be_compiled() -> None:
    """One of a module is compiled at its first use: a wrong one would be found by a user."""
    for name, value in expressions():
        assert not isinstance(value, re.Pattern), f"{name}: every run that imports the module compiles it"
        assert value.search is not None


def test_an_expression_of_a_module_is_compiled_once_and_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda text, flags=0: compiled.append(text) or real(text, flags))
    letters = regex("[a-z]+", re.IGNORECASE)
    assert compiled == [] and letters.pattern == "[a-z]+"
    assert letters.findall("aB 1 c") == ["aB", "c"]
    assert letters.fullmatch("a1") is None
    assert letters.sub("-", "a1b") == "-1-"
    assert letters.flags & re.IGNORECASE
    assert compiled == ["[a-z]+"]
    with pytest.raises(AttributeError):
        letters.nothing  # noqa: B018


def test_a_wrong_expression_is_told_at_its_first_use() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.search("x")
