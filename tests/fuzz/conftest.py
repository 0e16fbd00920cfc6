from __future__ import annotations

import pytest

from tests.fuzz import running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of a long run."""
    if running.SECONDS:
        terminalreporter.section("fuzz figures")
        for line in running.figures():
            terminalreporter.write_line(line)
