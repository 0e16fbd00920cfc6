"""From citations to verdicts: collect the questions, let git answer them, search the history, judge each once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from intermem.core.citations.judge import Cited, anchored, judge, questions_for, traces_for
from intermem.entities import Judged
from intermem.facts import Facts, Occurrence, Questions, Trace, Traced, Tree
from intermem.project.git.worktree import Worktree
from intermem.project.plain_folder import facts_without_git
from intermem.workflow.since import Since


def gather_facts(
    root: Path,
    worktree: Worktree | None,
    cited: Sequence[Cited],
    tree: Tree,
    *,
    memory_names: Mapping[str, str],
    memory_files: frozenset[str] = frozenset(),
    citing_files: Collection[str] = (),
    since: Since | None = None,
) -> Facts:
    """Return the facts needed to judge ``cited``, gathered in one batch.

    ``memory_files`` and ``memory_names`` are possible targets of links inside a memory. A name that occurs only in
    ``citing_files`` does not exist: the text that cites it is no evidence for it.
    """
    questions = questions_for(cited, tree) if cited else Questions()
    if worktree is None:
        return replace(facts_without_git(root, tree, questions, memory_files), memory_names=memory_names)
    after = since.base if since is not None and all(_is_of(since, one) for one in cited) else None
    facts = worktree.answer(questions, memory_files, after)
    facts = replace(facts, memory_names=memory_names, places=_outside(citing_files, facts.places))
    traces = traces_for(cited, facts)
    traced: dict[Trace, Traced] = {}
    if since is not None:
        of_change = {one for one in traces if one.since == since.base}
        traces -= of_change
        if of_change and not since.at_base:
            found = worktree.trace_change(since.change, frozenset(one.name for one in of_change))
            traced = {one: found[one.name] for one in of_change}
    return replace(facts, traced={**worktree.trace(traces), **traced})


def _is_of(since: Since, cited: Cited) -> bool:
    return cited.citation.anchor == since.base


def _outside(
    files: Collection[str], places: Mapping[str, tuple[Occurrence, ...]]
) -> Mapping[str, tuple[Occurrence, ...]]:
    if not files:
        return places
    outside = {name: tuple(place for place in found if place.path not in files) for name, found in places.items()}
    return {name: found for name, found in outside.items() if found}


class Judge:
    """Judges each citation once per setting; anchors it to ``head`` if given."""

    def __init__(self, facts: Facts, head: str | None = None) -> None:
        self._facts = facts
        self._head = head
        self._known: dict[Cited, Judged] = {}
        self._each: dict[tuple[Cited, ...], tuple[Judged, ...]] = {}

    def judged(self, cited: Cited) -> Judged:
        """Return the citation with its verdict and its anchor."""
        if cited not in self._known:
            found = judge(cited, self._facts)
            citation = anchored(cited, found.verdict, self._facts, self._head)
            self._known[cited] = replace(found, citation=citation)
        return self._known[cited]

    def each(self, cited: tuple[Cited, ...]) -> tuple[Judged, ...]:
        """Return all that an entry cites, as ``judged``; the same object for entries that cite the same."""
        if cited not in self._each:
            self._each[cited] = tuple(map(self.judged, cited))
        return self._each[cited]
