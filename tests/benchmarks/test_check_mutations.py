"""A short run of benchmarks/check_mutations.py: random deletions and renames, judged against all verdicts."""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.check_mutations import made, mutations


def test_a_change_is_charged_with_what_it_broke_and_nothing_else(tmp_path: Path) -> None:
    chance = random.Random(20)
    made(tmp_path / "repository", chance, files=60, documents=4, lines=15)
    broken = 0
    for one in mutations(tmp_path / "repository", chance, 10):
        assert one.broken <= one.named <= one.broken | one.silent, one.what
        broken += len(one.broken)
    assert broken >= 10, "the changes must break something"
