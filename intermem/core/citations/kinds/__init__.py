"""The kinds of citation, one module each.

A kind has four functions: ``read`` parses a token of text into a citation or None, ``questions`` returns
the facts that are needed, ``traces`` the names to search for in history, ``judge`` the verdict. To add a
kind, write a module and add it to ``KINDS``; the first kind that accepts a token wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from intermem.core.citations.kinds import (
    commands,
    directories,
    globs,
    packages,
    paths,
    references,
    settings,
    symbols,
    tooling,
    wiki_links,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.entities import Citation, Verdict
from intermem.facts import Facts, Questions, Trace, Tree
from intermem.lazy_dataclass import dataclass


def _no_traces(_citation: Citation, _setting: Setting, _facts: Facts) -> frozenset[Trace]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class CitationKind:
    """How to parse one kind of citation, and to judge it in a ``Setting``."""

    name: str
    read: Callable[[Token], Citation | None]
    questions: Callable[[Citation, Setting, Tree], Questions]
    judge: Callable[[Citation, Setting, Facts], Verdict]
    traces: Callable[[Citation, Setting, Facts], frozenset[Trace]] = _no_traces

    @property
    def is_traced(self) -> bool:
        """Whether names of this kind are searched for in history."""
        return self.traces is not _no_traces


KINDS: Sequence[CitationKind] = (
    CitationKind(tooling.NAME, tooling.read, tooling.questions, tooling.judge),
    CitationKind("url", references.read_url, references.nothing, references.judge_url),
    CitationKind("wiki", wiki_links.read, wiki_links.questions, wiki_links.judge),
    CitationKind("commit", references.read_commit, references.commit_questions, references.judge_commit),
    CitationKind("issue", references.read_issue, references.issue_questions, references.judge_issue),
    CitationKind("command", commands.read, commands.questions, commands.judge, commands.traces),
    CitationKind("package", packages.read, packages.questions, packages.judge, packages.traces),
    CitationKind("glob", globs.read, globs.questions, globs.judge),
    CitationKind("dir", directories.read, directories.questions, directories.judge),
    CitationKind("path", paths.read, paths.questions, paths.judge),
    CitationKind("env", settings.read, settings.questions, settings.judge, settings.traces),
    CitationKind("config", settings.read, settings.questions, settings.judge, settings.traces),
    CitationKind("symbol", symbols.read, symbols.questions, symbols.judge, symbols.traces),
)

BY_NAME = {kind.name: kind for kind in KINDS}
