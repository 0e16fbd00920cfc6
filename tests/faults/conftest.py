"""Where projects are broken: in memory, where there is room for that, since each try syncs a dozen files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def broken_ground() -> Iterator[Path]:
    """A folder for one module's projects."""
    where = _MEMORY if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="intermem-faults-", dir=where))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
