"""Where the projects are kept: in memory if there is room, since each try syncs a dozen files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.grounds import Ground
from tests.faults.judging import Expected, expected_of
from tests.faults.scenarios import Scenario

_MEMORY = Path("/dev/shm")

Built = Callable[[Scenario], tuple[Ground, Expected]]


@pytest.fixture(scope="session")
def broken_ground() -> Iterator[Path]:
    """A folder for the projects."""
    where = _MEMORY if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="intermem-faults-", dir=where))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def built(broken_ground: Path) -> Built:
    """The project of a scenario, built once, and its outcome without a fault. Tests reset it first."""
    made: dict[str, tuple[Ground, Expected]] = {}

    def of(scenario: Scenario) -> tuple[Ground, Expected]:
        if scenario.name not in made:
            ground = scenario.ground(broken_ground / scenario.name)
            made[scenario.name] = ground, expected_of(scenario, ground)
        return made[scenario.name]

    return of
