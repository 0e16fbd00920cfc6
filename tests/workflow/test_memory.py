"""The memory is read as often as a run asks for it, and parsed once."""

from __future__ import annotations

import pytest

from intermem.core.entries import scanner
from intermem.workflow import memory
from tests.conftest import Sandbox


def test_a_run_that_reads_the_memory_again_parses_only_what_is_new(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []

    def counted(texts: dict[str, str], refused: frozenset[str]) -> scanner.Scanned:
        parsed.append(len(texts))
        return scanner.scan_memory(texts, refused)

    monkeypatch.setattr(memory, "scan_memory", counted)
    sandbox.note("- Never call `load_all()` twice, because it leaks.\n")
    sandbox.run("scan")
    parsed.clear()
    sandbox.note("- Never call `load_all()` twice, because it leaks handles.\n")
    sandbox.run("sweep", now="2026-01-02T00:00:00Z")
    assert parsed == [1]
