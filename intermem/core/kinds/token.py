"""A piece of an entry's text that may be a citation."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\{[^{}]*\}|\$[A-Za-z_{(]|YYYY|NNNN|XXX|\.\.\.|…|%[A-Za-z]|\[[a-zA-Z][\w .-]*\]|//|\\n"
)


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written at ``start`` to ``stop`` of the entry.

    ``form``: ``span`` (a whole code span), ``word`` (inside a longer code span or fence), ``link``
    (the target of a Markdown link), ``prose``.
    """

    text: str
    start: int
    stop: int
    form: str
    absent: bool = False

    @property
    def has_placeholder(self) -> bool:
        """True where part of it stands for something else: ``<name>``, ``$HOME``, ``YYYY`` …"""
        return _PLACEHOLDER.search(self.text) is not None
