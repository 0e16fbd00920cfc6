"""Variables that code makes of two names: ``KILN_RACK_COUNT`` of a prefix ``KILN_`` and a field ``rack_count``."""

from __future__ import annotations

from intermem.core.citations.kinds.name_evidence import is_upper
from intermem.facts import Facts, Occurrence, Shape

MADE = "made of a prefix and a field"


def parts_asked(name: str) -> list[tuple[str, str]]:
    """Return what a variable may be made of, each a prefix and a field; a field of one word is too common to tell."""
    if not is_upper(name) or "_" not in name:
        return []
    words = name.split("_")
    splits = (("_".join(words[:cut]) + "_", "_".join(words[cut:]).lower()) for cut in range(1, len(words) - 1))
    return [(prefix, field) for prefix, field in splits if len(prefix) > 2 and all(field.split("_"))]


def names_asked(name: str) -> list[str]:
    """Return the names to look for in code for ``place_of``."""
    return [part for pair in parts_asked(name) for part in pair]


def place_of(name: str, facts: Facts) -> Occurrence | None:
    """Return where a file has both the prefix and the field that a variable is made of, or None."""
    for prefix, field in parts_asked(name):
        files = {one.path for one in facts.places.get(prefix, ()) if one.shape is not Shape.COMMENT}
        found = (one for one in facts.places.get(field, ()) if one.path in files and one.shape is not Shape.COMMENT)
        if (place := next(found, None)) is not None:
            return place
    return None
