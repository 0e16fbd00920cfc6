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
# A segment of a route, which is the name of a file or folder: ``[id]``, ``[...slug]``, ``[[...all]].tsx``.
_PARAMETER = re.compile(r"(?<=/)\[{1,2}(?:\.\.\.)?[A-Za-z_][\w-]*\]{1,2}(?=/|\.\w|$)")


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written at ``start`` to ``stop`` of the entry.

    ``form``: ``span`` (a whole code span, white space and all), ``word`` (inside a longer code span),
    ``fence`` (a word of a fence), ``line`` (a line of a fence), ``link`` (the target of a Markdown link), ``wiki``
    (the name in ``[[name]]``), ``import`` (``@file``), ``url``, ``statement`` (about a tool), ``folder``
    (a path that prose calls one), ``prose``.
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
    def is_route(self) -> bool:
        """Whether its only placeholders are parameters of a route, as they are in names of files: ``app/[id]/x.ts``."""
        without = _PARAMETER.sub("_", self.text)
        return without != self.text and _PLACEHOLDER.search(without) is None

    @property
    def is_spaced(self) -> bool:
        """Whether it contains white space."""
        return _SPACE.search(self.text) is not None
