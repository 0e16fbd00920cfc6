"""Imports in a document: ``@path`` outside code and comments, as Claude Code reads them."""

from __future__ import annotations

import re

from intermem.core.markdown.inline import code_spans, fence_spans
from intermem.patterns import regex

IMPORT = regex(r"(?<![\w`@])@((?:[\w.\-]+/)*[\w.\-]+\.(?:mdc|mdx|md|txt))\b")
COMMENT = regex(r"<!--.*?-->", re.DOTALL)


def imports_of(text: str) -> list[str]:
    """Return the paths of the imports in ``text``, as written."""
    if "@" not in text:
        return []
    text = COMMENT.sub(" ", text)
    for span in reversed(fence_spans(text)):
        text = text[: span.start] + text[span.stop :]
    for span in reversed(code_spans(text)):
        text = text[: span.start] + text[span.stop :]
    return [match[1] for match in IMPORT.finditer(text)]
