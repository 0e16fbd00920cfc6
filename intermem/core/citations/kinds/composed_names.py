"""Names in capitals that code has in other words: of a prefix and a field, or behind ``-D``.

``KILN_RACK_COUNT`` is made of ``KILN_`` and ``rack_count`` by a library of settings, and a compiler is given it as
``-DKILN_RACK_COUNT``, which is one word. ``KILN_RACK_TOKEN_TEST`` is made of ``KILN_RACK_TOKEN_`` and whatever follows.
"""

from __future__ import annotations

from intermem.core.citations.kinds.name_evidence import is_upper
from intermem.facts import Facts, Occurrence, Shape

MADE = "code has it behind a prefix"
_TELLING = 3  # words of a prefix


def parts_asked(name: str) -> list[tuple[str, str]]:
    """Return what a variable may be made of, each a prefix and a field; a field of one word is too common to tell."""
    if not is_upper(name) or "_" not in name:
        return []
    words = name.split("_")
    splits = (("_".join(words[:cut]) + "_", "_".join(words[cut:]).lower()) for cut in range(1, len(words) - 1))
    return [(prefix, field) for prefix, field in splits if len(prefix) > 2 and all(field.split("_"))]


def _prefix_of(name: str) -> str:
    """Return all words of a name but the last, with three of them a prefix that hardly another thing has; else none."""
    words = name.split("_")
    return "_".join([*words[:-1], ""]) if is_upper(name) and len(words) > _TELLING and all(words) else ""


def names_asked(name: str) -> list[str]:
    """Return the names to look for in code for ``place_of``."""
    made = [part for pair in parts_asked(name) for part in pair]
    return list(dict.fromkeys([*made, *filter(None, [_prefix_of(name)]), *([f"D{name}"] if is_upper(name) else [])]))


def place_of(name: str, facts: Facts) -> Occurrence | None:
    """Return where a compiler is given a name, a file has its prefix and its field, or a telling prefix; or None."""
    given = (one for one in facts.places.get(f"D{name}", ()) if one.shape is not Shape.COMMENT)
    if is_upper(name) and (place := next(given, None)) is not None:
        return place
    begun = (one for one in facts.places.get(_prefix_of(name), ()) if one.shape is not Shape.COMMENT)
    if (place := next(begun, None)) is not None:
        return place
    for prefix, field in parts_asked(name):
        files = {one.path for one in facts.places.get(prefix, ()) if one.shape is not Shape.COMMENT}
        found = (one for one in facts.places.get(field, ()) if one.path in files and one.shape is not Shape.COMMENT)
        if (place := next(found, None)) is not None:
            return place
    return None
