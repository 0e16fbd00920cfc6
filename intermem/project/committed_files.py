"""Read the committed files of intermem: the ledger with its ``.gitattributes``, and the baseline of check."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.entities import LEDGER
from intermem.errors import DocumentRefused
from intermem.project.boundary import place_in
from intermem.project.files import read_text_file

if TYPE_CHECKING:
    from intermem.core.check.baseline import Baseline


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """The ledger as it was read: its path with links resolved, and its text (None: there is none).

    ``attributes`` is the path of its ``.gitattributes``, None where that exists already.
    """

    path: Path
    text: str | None
    attributes: Path | None


def read_ledger_file(root: Path, max_bytes: int) -> LedgerFile:
    """Return the ledger of the project at ``root``. Raises UnreadableFile, DocumentRefused."""
    from intermem.core.reconcile.ledger import ATTRIBUTES

    path = place_in(root, root / LEDGER, LEDGER)
    if os.path.lexists(path.parent) and not path.parent.is_dir():
        raise DocumentRefused(
            f"{path.parent.name} is not a directory, so there is no place for the ledger; nothing was written",
            hint="move it away",
        )
    text = read_text_file(path, LEDGER, max_bytes) if os.path.lexists(root / LEDGER) else None
    attributes = Path(os.path.realpath(root / ATTRIBUTES))
    return LedgerFile(path, text, attributes if not os.path.lexists(root / ATTRIBUTES) else None)


def read_baseline(root: Path, name: str, max_bytes: int) -> Baseline | None:
    """Return the baseline in the file ``name`` of the project at ``root``, None where there is none.

    Raises UnreadableFile where it is damaged, not a regular UTF-8 file, or larger than ``max_bytes``, and
    DocumentRefused where it is outside the project.
    """
    from intermem.core.check.baseline import parse_baseline

    path = root / name
    if not name or not os.path.lexists(path):
        return None
    return parse_baseline(read_text_file(place_in(root, path, name), name, max_bytes), name)
