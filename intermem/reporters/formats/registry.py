"""The formats that only ``check`` has, by name; each is a module with a ``render``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from intermem.results.check import CheckResult


def _lazily(name: str) -> Callable[[CheckResult], str]:
    def render(result: CheckResult) -> str:
        text = import_module(f"intermem.reporters.formats.{name}").render(result)
        assert isinstance(text, str)
        return text

    return render


FORMATS: dict[str, Callable[[CheckResult], str]] = {name: _lazily(name) for name in ("sarif", "github", "rdjson")}
