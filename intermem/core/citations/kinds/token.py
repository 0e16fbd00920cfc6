"""A piece of an entry's text that may be a citation."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\{[^{}]*\}|\$[A-Za-z_{(]|YYYY|NNNN|XXX|(?<=[-_./])(?:N{1,3}|XX?)(?=[-_.]|$)"
    r"|(?<![A-Za-z])Example[A-Z][a-z]\w*\."
    r"|\.\.\.|…|%[A-Za-z]|\[[a-zA-Z][\w .-]*\]|//|\\n"
)
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written at ``start`` to ``stop`` of the entry.

    ``form``: ``span`` (a whole code span, white space and all), ``word`` (inside a longer code span),
    ``fence`` (a word of a fence), ``line`` (a line of a fence), ``link`` (the target of a Markdown link), ``wiki``
    (the name in ``[[name]]``), ``import`` (``@file``), ``url``, ``statement`` (about a tool), ``prose``.
    """

    text: str
    start: int
    stop: int
    form: str

    @property
    def has_placeholder(self) -> bool:
        """Whether it contains a placeholder: ``<name>``, ``$HOME``, ``YYYY`` …"""
        return _PLACEHOLDER.search(self.text) is not None

    @property
    def is_spaced(self) -> bool:
        """Whether it contains white space."""
        return _SPACE.search(self.text) is not None
