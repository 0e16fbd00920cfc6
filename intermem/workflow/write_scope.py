"""What an operation may write: a document, the ledger or a configuration file of this project, and nothing else.

Recovery and ``undo`` ask before they touch a file that the journal names. Its checksums have a key, so nobody else
can write such a line; this holds even where the key is known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePath

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.atomic_write import TEMPORARY
from intermem.project.boundary import OWN_FOLDER, is_document_name, is_in_git_dir
from intermem.project.config import OWN_FILE, SHARED_FILE
from intermem.storage.operations import FileWrite

_TEMPORARY = regex(rf"\.[^/\0]+{re.escape(TEMPORARY)}\d{{8}}T\d{{6}}")
_ATTRIBUTES = PurePath(".gitattributes")
_COMMITTED = regex(r".+\.jsonl?|\.gitattributes")  # in our folder; outside git it holds the state too


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteScope:
    """Where this project is, and what of it may be written.

    ``is_ours`` tells whether a root belongs to this state: the project, or another worktree of it. ``top`` is the top
    of its repository.
    """

    is_ours: Callable[[Path], bool]
    top: Path

    def why_outside(self, write: FileWrite) -> str | None:
        """Return why ``write`` may not be carried out, None if it may."""
        if not self.is_ours(write.root):
            return "it belongs to another project"
        inside = next((base for base in (write.root, self.top) if write.path.is_relative_to(base)), None)
        if inside is None or ".." in write.path.parts:
            return "it is outside the project"
        below = write.path.relative_to(inside)
        if is_in_git_dir(write.path):
            return "it is in a git directory"
        if not _TEMPORARY.fullmatch(write.temp_name) or not self._is_document(below):
            return "it is neither a document, nor the ledger, nor a configuration file"
        if Path(os.path.realpath(write.path.parent)) != write.path.parent:
            return "it is behind a symbolic link"
        return None

    def _is_document(self, below: PurePath) -> bool:
        is_own = below.name in (OWN_FILE, SHARED_FILE) or below == _ATTRIBUTES
        is_own = is_own or (OWN_FOLDER in below.parts[:-1] and _COMMITTED.fullmatch(below.name) is not None)
        return is_own or is_document_name(below)
