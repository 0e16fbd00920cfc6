"""The ledger's place: ``.intermem/ledger.jsonl`` below the project root, with its ``.gitattributes``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from intermem.core.reconcile.ledger import ATTRIBUTES
from intermem.entities import LEDGER
from intermem.errors import DocumentRefused
from intermem.project.files import read_text_file


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """The ledger as it was read: its path with links resolved, and its text (None: there is none).

    ``attributes`` is the path of its ``.gitattributes``, None where that stands already.
    """

    path: Path
    text: str | None
    attributes: Path | None


def read_ledger_file(root: Path, largest: int) -> LedgerFile:
    """Return the ledger of the project at ``root``. Raises UnreadableFile, DocumentRefused."""
    path = Path(os.path.realpath(root / LEDGER))
    if os.path.lexists(path.parent) and not path.parent.is_dir():
        raise DocumentRefused(
            f"{path.parent.name} is no folder, so there is no place for the ledger; nothing was written",
            hint="move it away",
        )
    if not path.is_relative_to(root):
        raise DocumentRefused(
            f"{LEDGER}: it links to {path}, outside the project; it was left alone",
            hint="make it a file of the project",
        )
    text = read_text_file(path, LEDGER, largest) if os.path.lexists(root / LEDGER) else None
    attributes = Path(os.path.realpath(root / ATTRIBUTES))
    return LedgerFile(path, text, attributes if not os.path.lexists(root / ATTRIBUTES) else None)
