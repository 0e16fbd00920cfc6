"""The topic that an entry belongs to in a document: a heading of its own file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intermem.patterns import regex

# The types of memory files, the titles of a memory, the parts of a note; and the headings of a state or a day.
_NO_TOPIC = regex(
    r"(?:user|feedback|project|reference|untyped|memory|memories|index|why|how to apply|项目记忆|索引|记忆|메모|인덱스"
    r"|índice|memoria)"
    r"(?: (?:memory|notes?|index|file))?|.*(?:20\d\d-\d|[✅✔☑⏳❌]).*",
    re.IGNORECASE,
)
_LONGEST = 60


def topic_of(trail: Sequence[str]) -> str:
    """Return the innermost heading of ``trail`` (outermost first) that is a topic; empty if there is none.

    The type of a memory file and the heading of an index are not in a trail, and never a topic.
    """
    for heading in reversed(trail):
        words = heading.strip(" *_#:：")
        if 0 < len(words) <= _LONGEST and not _NO_TOPIC.fullmatch(words):
            return heading
    return ""
