"""Statements about test runners against code: an import is evidence, and any use takes an alarm away."""

from __future__ import annotations

import pytest

from intermem.entities import VerdictStatus
from tests.core.citations.kinds.test_ports import verdict_on


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import unittest\n", VerdictStatus.VALID),
        ("run(unittest)\n", VerdictStatus.UNVERIFIABLE),
        ("run(others)\n", VerdictStatus.BROKEN),
    ],
)
def test_a_runner_of_the_standard_library_is_known_by_its_import(code: str, status: VerdictStatus) -> None:
    files = {"requirements.txt": "pytest==8.2\n", "tests/test_a.py": code}
    assert verdict_on("Tests run with unittest.", files).status is status
