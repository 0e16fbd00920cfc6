"""Names listed behind a folder, which are in it: ``src/core/`` of ``- `src/core/` (`app.py`, `io/`)``."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from intermem.entities import Citation, CitedAt
from intermem.facts import Tree
from intermem.patterns import regex

_OPENING = regex(r"`?\s?(?:\(|[:—–]|-(?=\s))\s?`?")  # from the folder to the first name
_BETWEEN = regex(r"`?\s?(?:[,、;/+&]|,?\s(?:and|und|et|y|e|и))\s?`?")


def listed_paths(
    text: str, citations: Sequence[Citation], spans: Mapping[tuple[str, str], Sequence[CitedAt]], tree: Tree
) -> dict[str, str]:
    """Return the paths, from the top of the repository, of the names that ``text`` lists behind a folder of it.

    By the text of their citation; ``spans`` are the places of ``citations`` in ``text``, by kind and text. A name that
    is cited in several places has none.
    """
    placed = sorted(
        ((span.start, span.stop, one) for one in citations for span in spans[one.kind, one.text]),
        key=lambda triple: triple[:2],
    )
    found: dict[str, str] = {}
    folder, last = "", 0
    for start, stop, one in placed:
        name = one.name.strip("/")
        if one.kind == "dir" and f"{tree.prefix}{name}" in tree.dirs:
            folder, last, gap = f"{tree.prefix}{name}", stop, _OPENING
            continue
        is_listed = folder and one.kind in ("path", "dir") and "/" not in name and gap.fullmatch(text, last, start)
        if not is_listed:
            folder = ""
        elif len(spans[one.kind, one.text]) == 1:
            found[one.text] = posixpath.join(folder, name)
        last, gap = stop, _BETWEEN
    return found
