"""The formats of ``check`` but the one for people, by name; each is a module with a ``render``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from intermem.results import Result


def _lazily(name: str) -> Callable[[Result], str]:
    def render(result: Result) -> str:
        text = import_module(f"intermem.reporters.formats.{name}").render(result)
        assert isinstance(text, str)
        return text

    return render


FORMATS: dict[str, Callable[[Result], str]] = {name: _lazily(name) for name in ("json", "sarif", "github", "rdjson")}
