"""The documents that an entry left together, by the contents that the journal keeps."""

from __future__ import annotations

from itertools import groupby

from intermem.core.region.parse import find_region
from intermem.errors import IntermemError
from intermem.storage.metadata import Metadata
from intermem.storage.operations import DONE

_SIGN = b"intermem:begin"  # in every document with a region


def documents_left(metadata: Metadata, key: str) -> list[str]:
    """Return the documents out of which the newest operation that moved the entry ``key`` took it.

    None where that put it into another one, and where what the operation wrote is not kept.
    """
    rows = metadata.fetch(
        "SELECT operation_id, document, content_before, content_after FROM intents WHERE operation_id IN"
        " (SELECT id FROM operations WHERE state = ? AND undone_by IS NULL) ORDER BY operation_id DESC",
        (DONE,),
    )
    for _, writes in groupby(rows, key=lambda row: row[0]):
        moved = [
            (document, was)
            for _, document, before, after in writes
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
