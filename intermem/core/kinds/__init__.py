"""The kinds of citation, one module each.

A kind is four functions: ``read`` turns a token of text into a citation of this kind or None,
``questions`` says what must be known of the repository, ``traces`` what then must be asked of its
history, ``judge`` gives the verdict. To add one, write its module and put it into ``KINDS``; the
first kind that reads a token has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intermem.core.kinds import commands, dirs, globs, memories, packages, paths, references, settings, symbols
from intermem.core.kinds.resolving import Setting
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Facts, Questions, Trace, Tree, Verdict


def _no_traces(_citation: Citation, _setting: Setting, _facts: Facts) -> frozenset[Trace]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of citation is read, and judged in a ``Setting``."""

    name: str
    read: Callable[[Token], Citation | None]
    questions: Callable[[Citation, Setting, Tree], Questions]
    judge: Callable[[Citation, Setting, Facts], Verdict]
    traces: Callable[[Citation, Setting, Facts], frozenset[Trace]] = _no_traces

    @property
    def is_traced(self) -> bool:
        """True where names are looked for in history."""
        return self.traces is not _no_traces


KINDS: Sequence[Kind] = (
    Kind("url", references.read_url, references.nothing, references.judge_url),
    Kind("wiki", memories.read, memories.questions, memories.judge),
    Kind("commit", references.read_commit, references.commit_questions, references.judge_commit),
    Kind("issue", references.read_issue, references.issue_questions, references.judge_issue),
    Kind("command", commands.read, commands.questions, commands.judge, commands.traces),
    Kind("package", packages.read, packages.questions, packages.judge, packages.traces),
    Kind("glob", globs.read, globs.questions, globs.judge),
    Kind("dir", dirs.read, dirs.questions, dirs.judge),
    Kind("path", paths.read, paths.questions, paths.judge),
    Kind("env", settings.read, settings.questions, settings.judge, settings.traces),
    Kind("config", settings.read, settings.questions, settings.judge, settings.traces),
    Kind("symbol", symbols.read, symbols.questions, symbols.judge, symbols.traces),
)

BY_NAME = {kind.name: kind for kind in KINDS}
