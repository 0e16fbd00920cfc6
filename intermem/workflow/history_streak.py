"""Hysteresis without state: what is stale now, and was stale in the history some time ago, has a streak of 2.

So clones that have kept nothing decide as one that has swept every week. Source: DESIGN.md §7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from intermem.core.lifecycle.decay import Basis, counted_from
from intermem.core.lifecycle.staleness import Rules, assess, has_grace
from intermem.core.reconcile.ledger import Ledger, Line, Standing
from intermem.core.reconcile.ledger_history import ledger_of
from intermem.core.reconcile.model import pin_of
from intermem.core.reconcile.observers import last_held
from intermem.core.region.parse import find_region
from intermem.core.times import earlier, format_date
from intermem.entities import Record
from intermem.errors import IntermemError
from intermem.lazy_dataclass import dataclass
from intermem.project.git.worktree import Worktree
from intermem.project.repository import repository_tree
from intermem.workflow.assessment import cited_by
from intermem.workflow.branch_state import BranchState
from intermem.workflow.fact_gathering import Judge, gather_facts
from intermem.workflow.ledger import counted_ledger, silence_of
from intermem.workflow.workspace import Workspace

STREAK = 2


@dataclass(frozen=True, slots=True)
class PastStaleness:
    """The ids of the entries that were stale ``since`` then, by the history; ``notice`` says why there are none."""

    since: datetime
    stale: frozenset[str] = frozenset()
    notice: str = ""


def past_staleness(workspace: Workspace, state: BranchState, records: Sequence[Record], rules: Rules) -> PastStaleness:
    """Return which of ``records``, which stand and are stale, were stale ``sweep.history_interval`` ago as well.

    That is, in the newest commit of HEAD's first-parent line that is so old, if they stood there by the same event.
    What is stale only by what broke since then was not: a citation that breaks, heals and breaks again starts anew.
    """
    records = [one for one in records if not _is_newly_broken(one, workspace, rules)]
    worktree = workspace.worktree
    then = earlier(workspace.now, workspace.config.span("sweep.history_interval"))
    if not records or worktree is None or state.ledger is None:
        return PastStaleness(then)
    commit = worktree.documents.commit_before(then) if worktree.is_complete else None
    if commit is None:
        interval = workspace.config.values["sweep.history_interval"]
        return PastStaleness(
            then, notice=f"stale streaks are this clone's own: the history does not go back {interval}"
        )
    past = _Past(workspace, replace(worktree, rev=commit), then)
    standing = past.standing(state, records)
    return PastStaleness(then, frozenset(past.stale(standing, rules)))


def _is_newly_broken(record: Record, workspace: Workspace, rules: Rules) -> bool:
    """Return whether only citations that broke within ``sweep.history_interval`` make a record stale."""
    then = format_date(earlier(workspace.now, workspace.config.span("sweep.history_interval")))
    older = [one for one in record.citations if one.verdict.date is None or one.verdict.date <= then]
    return len(older) < len(record.citations) and not assess(record, older, workspace.now, rules).stale


@dataclass(frozen=True, slots=True)
class _Past:
    """The project at the revision of ``worktree``, at the time ``now``."""

    workspace: Workspace
    worktree: Worktree
    now: datetime

    def standing(self, state: BranchState, records: Sequence[Record]) -> Mapping[str, tuple[Record, Line, Ledger]]:
        """Return those of ``records`` that stood, with their lines in the ledger, promoted by the same event."""
        ledger = self._ledger()
        if ledger is None or state.ledger is None:
            return {}
        ids = self._standing_ids(state)
        found = {}
        for record in records:
            line, now = ledger.line_of(record), state.ledger.line_of(record)
            if line is None or now is None or line.id not in ids:
                continue
            if line.status is Standing.PROMOTED and line.since == now.since:
                found[record.id] = (record, line, ledger)
        return found

    def stale(self, standing: Mapping[str, tuple[Record, Line, Ledger]], rules: Rules) -> list[str]:
        """Return the ids of those entries that were stale."""
        cited = {key: cited_by(record, None) for key, (record, _, _) in standing.items()}
        root = self.workspace.root
        facts = gather_facts(
            root,
            self.worktree,
            [one for citations in cited.values() for one in citations],
            repository_tree(root, self.worktree),
            memory_names={},
        )
        judge = Judge(facts)
        found = []
        for key, (record, line, ledger) in standing.items():
            judged = tuple(judge.judged(one) for one in cited[key])
            held = last_held(ledger, line, self.now, silence_of(self.workspace))
            if not line.holders and record.held_at is not None:  # a committed memory knows better
                held = min(held, record.held_at)
            seen = counted_from(record, Basis.SEEN)
            if held < seen <= self.now:  # this clone saw it: by then the history had not heard of it
                held = seen
            then = replace(record, held_at=held, feedback=line.feedback, **pin_of(line))
            if assess(then, judged, self.now, rules).stale and not has_grace(then, self.now):
                found.append(key)
        return found

    def _ledger(self) -> Ledger | None:
        try:
            texts, old = self.worktree.documents.ledger_at(self.worktree.rev or "HEAD")
            return counted_ledger(ledger_of(texts, old), self.now)
        except IntermemError:
            return None

    def _standing_ids(self, state: BranchState) -> frozenset[str]:
        found: set[str] = set()
        for document in state.documents.found:
            text = self.worktree.text_at(f"{self.worktree.rev}:{self.worktree.prefix}{document.name}")
            try:
                region = find_region(text, document.name) if text is not None else None
            except IntermemError:
                continue
            found.update(region.ids if region is not None else ())
        return frozenset(found)
