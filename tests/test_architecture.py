"""docs/architecture.md: the flows that it lists are those that a run takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import flows
from tests.test_docs import ROOT, module

PAGE = (ROOT / "docs" / "architecture.md").read_bytes().decode("utf-8")


def test_the_page_lists_the_modules_that_each_flow_enters() -> None:
    assert PAGE.count("<!-- flow: ") == len(flows.FLOWS)
    written = module(ROOT / "docs" / "write_pages.py").PAGES["architecture.md"]()
    assert written == PAGE, "make docs"


@pytest.mark.parametrize("name", flows.FLOWS)
def test_a_flow_goes_down_through_the_layers(name: str) -> None:
    """Each layer is entered after the one above it."""
    layers = list(dict.fromkeys(flows.layer_of(one) for one in flows.run_flow(name).modules))
    order = [layer for layer in layers if layer in ("cli", "commands", "workflow", "reporters")]
    assert order[0] == "cli"
    assert order[-1] == "reporters"


def test_what_a_flow_passes_is_counted() -> None:
    command = [sys.executable, "-m", "benchmarks.flows", "--counts", "promote"]
    name, *counts = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert name == "promote"
    assert len(counts) == 4
    assert all(int(count) > 0 for count in counts)


def test_only_lines_of_code_are_counted(tmp_path: Path) -> None:
    prose = b'"""A docstring\n\nof three lines."""\n\n# a comment\n'
    code = b'x = 1\n\n\ndef f():\n    """Another."""\n    return (\n        x\n    )\n'
    (tmp_path / "one.py").write_bytes(prose + code)
    assert flows.code_lines(tmp_path) == 5
