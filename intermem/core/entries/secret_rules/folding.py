"""Fold a text to what a reader, or a shell, would make of it."""

from __future__ import annotations

import re
import unicodedata

# Drawn as nothing, yet not of the category Cf, in which are zero-width, bidi and tag characters.
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef"
_INVISIBLE = re.compile(
    f"[{_BLANK}\xad\u0600-\u0605\u061c\u06dd\u070f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
# Signs that an editor sets for others, after NFKC.
_SIGNS = str.maketrans("‘’“”«»‐‑‒–", '\'\'""""----')


def folded(text: str) -> str:
    """Return ``text`` without invisible characters and with one form for each sign (NFKC, plain quotes)."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_SIGNS)
