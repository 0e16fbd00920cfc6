"""Read the committed files of intermem: the ledger with its ``.gitattributes``, and the baseline of check."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.entities import LEDGER, OLD_LEDGER
from intermem.errors import DocumentRefused, LedgerRefused
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import place_in
from intermem.project.files import read_text_file

if TYPE_CHECKING:
    from intermem.core.check.baseline import Baseline

ATTRIBUTES = ".intermem/.gitattributes"
ATTRIBUTES_TEXT = "* linguist-generated -text\n"  # folded in reviews, and the same bytes on every machine
MAX_EVENT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class LedgerFiles:
    """The ledger as it was read: the texts of its events by the names of their files, and the ledger of 0.1.

    ``folder`` is the folder of the events and ``old_path`` the file of 0.1, with links resolved. ``attributes`` is the
    path of their ``.gitattributes``, None where that exists already.
    """

    folder: Path
    texts: Mapping[str, str]
    old_path: Path
    old: str | None
    attributes: Path | None

    @property
    def exists(self) -> bool:
        """Whether there is a ledger at all."""
        return bool(self.texts) or self.old is not None


def read_ledger_files(root: Path, max_bytes: int) -> LedgerFiles:
    """Return the ledger of the project at ``root``. Raises UnreadableFile, DocumentRefused, LedgerRefused."""
    from intermem.core.reconcile.events import is_event_name

    old_path = place_in(root, root / OLD_LEDGER, OLD_LEDGER)
    folder = place_in(root, root / LEDGER, LEDGER)
    for path in (folder.parent, folder):
        if os.path.lexists(path) and not path.is_dir():
            raise DocumentRefused(
                f"{path.name} is not a directory, so there is no place for the ledger; nothing was written",
                hint="move it away",
            )
    names = sorted(one.name for one in folder.iterdir() if is_event_name(one.name)) if folder.is_dir() else []
    texts: dict[str, str] = {}
    for name in names:
        path = folder / name
        if path.is_symlink():
            raise LedgerRefused(f"{LEDGER}/{name}", "a symbolic link")
        texts[name] = read_text_file(path, f"{LEDGER}/{name}", MAX_EVENT_BYTES)
    old = read_text_file(old_path, OLD_LEDGER, max_bytes) if os.path.lexists(root / OLD_LEDGER) else None
    attributes = Path(os.path.realpath(root / ATTRIBUTES))
    return LedgerFiles(folder, texts, old_path, old, attributes if not os.path.lexists(root / ATTRIBUTES) else None)


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
