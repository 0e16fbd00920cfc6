"""A short run of benchmarks/check_agrees.py: `check` and `verify` over the same entries say the same."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import check_agrees
from benchmarks.check_agrees import ALARMS, both
from benchmarks.check_mutations import git, made
from intermem.core.check.blocks import units_of


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A bare clone of a repository whose history broke what its documents cite, and all their blocks as entries."""
    chance = random.Random(3)
    root = tmp_path / "repository"
    made(root, chance, files=60, documents=4, lines=15)
    git(root, "rm", "-q", *git(root, "ls-files", "*.py").split()[:9])
    git(root, "commit", "-q", "-m", "gone")
    head = git(root, "rev-parse", "HEAD").strip()
    subprocess.run(["git", "clone", "-q", "--bare", str(root), str(tmp_path / "clones/some+one")], check=True)
    entries = []
    for name in git(root, "ls-files", "*.md").split():
        for unit in units_of((root / name).read_text("utf-8"), name):
            lines = [unit.lines.start, unit.lines.stop - 1]
            entries.append({"id": "x", "repo": "some/one", "commit": head, "file": name, "lines": lines})
            entries[-1]["entry_text"] = unit.text
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in entries), "utf-8")
    return tmp_path


def test_they_agree_on_every_citation(clones: Path) -> None:
    entries = [json.loads(line) for line in (clones / "gold.jsonl").read_text("utf-8").splitlines()]
    alarms = 0
    for entry, verified, checked in both(clones / "clones/some+one", entries[0]["commit"], entries):
        assert verified == checked, entry["entry_text"]
        alarms += sum(one[2] in ALARMS for one in checked)
    assert alarms >= 5, "something must be wrong for them to agree on"


def test_a_difference_is_told(
    clones: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["check_agrees.py", str(clones / "clones"), str(clones / "gold.jsonl")]
    monkeypatch.setattr(sys, "argv", given)
    assert check_agrees.main() == 0
    assert "alone" not in capsys.readouterr().out
    monkeypatch.setattr(check_agrees, "said", lambda item: (item.citation.kind, "", "broken", str(id(item))))
    assert check_agrees.main() == 1
    assert "alarms of check alone" in capsys.readouterr().out
