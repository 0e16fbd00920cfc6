"""The baseline's place: the file that ``check.baseline`` names, below the project root."""

from __future__ import annotations

import os
from pathlib import Path

from intermem.core.check.baseline import Baseline, parse_baseline
from intermem.project.files import read_text_file


def read_baseline(root: Path, name: str, largest: int) -> Baseline | None:
    """Return the baseline in the file ``name`` of the project at ``root``, None where there is none.

    Raises UnreadableFile where it is damaged, is no regular UTF-8 file, or has over ``largest`` bytes.
    """
    path = root / name
    if not name or not os.path.lexists(path):
        return None
    return parse_baseline(read_text_file(path, name, largest), name)
