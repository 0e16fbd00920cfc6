"""Fold a text to what a reader, or a shell, would make of it."""

from __future__ import annotations

import unicodedata

from intermem.core.entries.invisible import unseen

# Signs that an editor sets for others, after NFKC.
_SIGNS = str.maketrans("‘’“”«»‐‑‒–", '\'\'""""----')


def folded(text: str) -> str:
    """Return ``text`` without invisible characters and with one form for each sign (NFKC, plain quotes)."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", unseen().sub("", text)).translate(_SIGNS)
