"""The documents that an entry left together, by the contents that the journal keeps."""

from __future__ import annotations

from pathlib import Path

from intermem.core.region.parse import find_region
from intermem.errors import IntermemError
from intermem.storage.metadata import Metadata
from intermem.storage.operations import DONE, stored_path

_SIGN = b"intermem:begin"  # in every document with a region


def documents_left(metadata: Metadata, root: Path, checkout: str, key: str) -> list[str]:
    """Return the documents out of which the newest operation that moved the entry ``key`` took it.

    Of this ``checkout`` of the project ``root``. None where that put it into another document, and where what the
    operation wrote is not kept.
    """
    here = (stored_path(root), checkout)
    done = metadata.fetch("SELECT id FROM operations WHERE state = ? AND undone_by IS NULL ORDER BY id DESC", (DONE,))
    for (number,) in done:
        writes = metadata.fetch(
            "SELECT document, content_before, content_after FROM intents"
            " WHERE operation_id = ? AND root = ? AND checkout = ?",
            (number, *here),
        )
        moved = [
            (document, was)
            for document, before, after in writes
            if (was := _has(key, document, before)) != _has(key, document, after)
        ]
        if moved:
            return sorted(document for document, was in moved if was) if all(was for _, was in moved) else []
    return []


def _has(key: str, document: str, content: bytes | None) -> bool:
    if content is None or _SIGN not in content:
        return False
    try:
        region = find_region(content.decode("utf-8", "replace"), document)
    except IntermemError:
        return False
    return region is not None and key in region.ids
