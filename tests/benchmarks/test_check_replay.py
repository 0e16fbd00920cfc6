"""A short run of benchmarks/check_replay.py: `check --diff` finds what the comparison of both trees in full finds."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from benchmarks import check_replay
from benchmarks.check_mutations import git, made


def test_commits_of_all_sorts_are_judged_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(7)
    root = tmp_path / "repository"
    made(root, chance, files=40, documents=3, lines=12)
    files = [name for name in git(root, "ls-files").split() if not name.endswith(".md")]
    for number, name in enumerate(chance.sample(files, 6)):
        if number % 2:
            git(root, "rm", "-q", name)
        else:
            (root / "moved").mkdir(exist_ok=True)
            git(root, "mv", name, f"moved/{Path(name).name}")
        git(root, "commit", "-q", "-m", "change")
    monkeypatch.setattr(sys, "argv", ["check_replay.py", str(root), "--number", "6"])
    assert check_replay.main() == 0
    row = capsys.readouterr().out.strip().splitlines()[-1].split(" | ")
    assert row[1] == "6" and int(row[2]) > 0 and row[3] == "0"

    def blind(clone: Path, commit: str, *, exhaustive: bool) -> tuple[check_replay.Found, float]:
        return ({("AGENTS.md", 1, 1, "IM001", "x")} if exhaustive else set()), 1.0

    monkeypatch.setattr(check_replay, "found_in", blind)
    assert check_replay.main() == 1


def test_what_a_commit_takes_away_is_told_or_listed_as_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "clone" / "repo"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "src/app.py").write_text("x = 1\n")
    (root / "src/.env").write_text("KEY=1\n")
    (root / "AGENTS.md").write_text("- Start with `src/app.py`.\n- Keys are in `src/.env`.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    (root / ".gitignore").write_text(".env\n")
    git(root, "rm", "-q", "--cached", "src/app.py", "src/.env")
    git(root, "add", ".gitignore")
    (root / "src/app.py").unlink()
    git(root, "commit", "-q", "-m", "two")
    monkeypatch.setattr(sys, "argv", ["check_replay.py", str(root), "--gone"])
    assert check_replay.main() == 0
    told = capsys.readouterr().out
    assert "IM001 AGENTS.md:1 src/app.py not found" in told
    assert "silent AGENTS.md:2 src/.env" in told
    assert "| clone | 1 | 1 | 1 | 1 |" in told
