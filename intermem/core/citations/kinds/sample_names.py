"""Names in sample code: which are hardly those of a library, nor the reader's own."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.core.citations.kinds.name_evidence import is_short, is_unmistakable, is_upper
from intermem.patterns import regex

_OF_COMPONENTS = frozenset({"js", "jsx", "ts", "tsx", "mjs", "vue", "svelte"})
_OF_CALLER = regex(r"(?:handle|set|on|is|has|show)[A-Z]")


def is_own(name: str, parts: Sequence[str], language: str) -> bool:
    """Return whether a ``name`` in sample code, of these ``parts``, is hardly one of a library: it has three words.

    What it belongs to counts if that is a module or a class. A constant is none, nor what may be the caller's, as
    handlers and state of a component are (``handleSaveRack``, ``setIsRackOpen``). ``language`` is the ending of its
    sources, as ``tsx``.
    """
    last, owner = parts[-1], parts[-2] if len(parts) > 1 else ""
    if is_unmistakable(last) and not is_upper(last) and not is_short(last):
        return language not in _OF_COMPONENTS or _OF_CALLER.match(last) is None
    is_class = owner[:1].isupper() and is_unmistakable(owner) and not is_upper(owner)
    return ("::" in name or is_class) and not is_short(".".join(parts))
