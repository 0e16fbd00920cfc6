"""The kinds of citation, one module each.

A kind is three functions: ``read`` turns a token of text into a citation of this kind or None,
``questions`` says what must be known of the repository, ``judge`` gives the verdict. To add one,
write its module and put it into ``KINDS``; the first kind that reads a token has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intermem.core.kinds import dirs, globs, paths
from intermem.core.kinds.resolving import Setting
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Facts, Questions, Tree, Verdict


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of citation is read, and judged in a ``Setting``."""

    name: str
    read: Callable[[Token], Citation | None]
    questions: Callable[[Citation, Setting, Tree], Questions]
    judge: Callable[[Citation, Setting, Facts], Verdict]


KINDS: Sequence[Kind] = (
    Kind("glob", globs.read, globs.questions, globs.judge),
    Kind("dir", dirs.read, dirs.questions, dirs.judge),
    Kind("path", paths.read, paths.questions, paths.judge),
)

BY_NAME = {kind.name: kind for kind in KINDS}
