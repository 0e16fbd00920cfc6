"""Whether pip can install anything here: what needs it is skipped where it cannot."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest


def needs_an_index(environment: Mapping[str, str], folder: Path) -> None:
    """Skip what is running, with the reason, where pip does not even get what builds this package."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--retries", "0", "-d", str(folder)]
    reached = subprocess.run([*command, "hatchling"], env=environment, capture_output=True, text=True, check=False)
    if reached.returncode:
        pytest.skip(f"pip reaches no index: {reached.stderr.strip()[-200:]}")
