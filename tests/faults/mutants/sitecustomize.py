"""Programs that are wrong on purpose, for the tests of the tests: FAULTS_MUTANT says how.

Python imports this module by itself where its folder is on PYTHONPATH; only child processes of the tests have it there.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


def _overwrite(source: Path, target: Path) -> None:
    with open(target, "wb") as file:  # noqa: PTH123
        file.write(Path(source).read_bytes())
    os.unlink(source)  # noqa: PTH108


def _syncs_only(*, folders: bool) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode) == folders:
            real(handle)

    os.fsync = fsync  # type: ignore[assignment]


match os.environ.get("FAULTS_MUTANT"):
    case "overwrite":
        from intermem.project import exchange

        exchange._renameat2 = lambda: None
        os.replace = _overwrite  # type: ignore[assignment]
    case "no file sync":
        _syncs_only(folders=True)
    case "no folder sync":
        _syncs_only(folders=False)
