"""Names in sample code: which are hardly those of a library, nor the reader's own."""

from __future__ import annotations

from intermem.core.citations.kinds.name_evidence import is_short, is_unmistakable, is_upper
from intermem.patterns import regex

_OF_COMPONENTS = frozenset({"js", "jsx", "ts", "tsx", "mjs", "vue", "svelte"})
_OF_CALLER = regex(r"(?:handle|set|on|is|has|show)[A-Z]")


def is_own(name: str, language: str) -> bool:
    """Return whether a ``name`` in sample code is hardly one of a library: it has three words, and is no constant.

    Nor may it be the caller's, as handlers and state of a component are (``handleSaveRack``, ``setIsRackOpen``).
    ``language`` is the ending of its sources, as ``tsx``.
    """
    is_callers = language in _OF_COMPONENTS and _OF_CALLER.match(name) is not None
    return is_unmistakable(name) and not is_upper(name) and not is_short(name) and not is_callers
