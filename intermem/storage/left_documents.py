"""The documents that an entry left together, by the contents that the journal keeps."""

from __future__ import annotations

from intermem.core.region.parse import find_region
from intermem.errors import IntermemError
from intermem.storage.metadata import Metadata
from intermem.storage.operations import DONE

_SIGN = b"intermem:begin"  # in every document with a region


def documents_left(metadata: Metadata, key: str) -> list[str]:
    """Return the documents out of which the newest operation took the entry ``key``; none where that is not kept."""
    rows = metadata.fetch(
        "SELECT operation_id, document, content_before, content_after FROM intents WHERE operation_id IN"
        " (SELECT id FROM operations WHERE state = ? AND undone_by IS NULL) ORDER BY id DESC",
        (DONE,),
    )
    found: list[str] = []
    newest = None
    for operation, document, before, after in rows:
        if newest not in (None, operation):
            break
        if _has(key, document, before) and not _has(key, document, after):
            newest = operation
            found.append(document)
    return sorted(found)


def _has(key: str, document: str, content: bytes | None) -> bool:
    if content is None or _SIGN not in content:
        return False
    try:
        region = find_region(content.decode("utf-8", "replace"), document)
    except IntermemError:
        return False
    return region is not None and key in region.ids
