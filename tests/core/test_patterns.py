"""What holds for every regular expression of the project."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import intermem

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")


def patterns() -> Iterator[tuple[str, str]]:
    for found in pkgutil.walk_packages(intermem.__path__, "intermem."):
        if not found.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, re.Pattern):
                    yield f"{found.name}.{name}", str(value.pattern)


def test_no_group_is_possessive() -> None:
    """Python before 3.11.5 matches ``(?:...)*+`` wrongly (CPython issue 106052), and Debian 12 has 3.11.2."""
    found = dict(patterns())
    assert len(found) > 100
    assert [name for name, pattern in found.items() if POSSESSIVE_GROUP.search(pattern)] == []
