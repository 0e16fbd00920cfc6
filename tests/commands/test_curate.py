"""``curate``: scan, sweep and promote in one go, and what its dry run says of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.conftest import Sandbox

NOTE = "- Never edit `src/kiln.py` by hand, because `make gen` overwrites it.\n"
DAY = "2026-01-03T00:00:00Z"


@pytest.fixture
def waiting(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A note that the next scan makes stable; temporary files have a folder of their own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.write("AGENTS.md", "# Project\n")
    sandbox.note(f"# Rules\n\n{NOTE}")
    sandbox.commit()
    sandbox.scans("2026-01-01", "2026-01-02")
    return sandbox


@pytest.mark.parametrize("dry", ["--dry-run", "--diff"])
def test_a_dry_run_shows_what_is_promoted_after_its_own_scan_and_leaves_no_trace(
    waiting: Sandbox, tmp_path: Path, dry: str
) -> None:
    before = waiting.tree_hash()
    said = waiting.run("curate", "--yes", dry, now=DAY).out
    assert NOTE.strip() in said if dry == "--diff" else "Would promote 1 entry into AGENTS.md" in said
    assert waiting.tree_hash() == before
    assert list((tmp_path / "temporary").iterdir()) == []
    (one,) = waiting.run("curate", "--yes", "--dry-run", "--json", now=DAY).json["promote"]["promoted"]
    done = waiting.run("curate", "--yes", "--json", now=DAY).json["promote"]["promoted"]
    assert [one["id"]] == [other["id"] for other in done]
    assert NOTE in waiting.read()


def test_a_dry_run_where_there_is_no_state_yet_makes_none(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# Project\n")
    sandbox.note(f"# Rules\n\n{NOTE}")
    sandbox.commit()
    before = sandbox.tree_hash()
    sandbox.run("curate", "--yes", "--dry-run", now=DAY)
    assert sandbox.tree_hash() == before
