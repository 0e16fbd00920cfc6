"""``query``: search and list the entries in metadata.db."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from intermem.core.lifecycle.selection import ANY, Selectors, selected
from intermem.entities import Record, Status
from intermem.results import FINDINGS, OK
from intermem.results.inspect import QueryResult, TopicsResult
from intermem.storage.metadata import Metadata
from intermem.storage.search import Topic, listed, search, topics, topics_of
from intermem.workflow.access import count_access
from intermem.workflow.branch_state import load_branch_state
from intermem.workflow.ledger_story import told_demoted
from intermem.workflow.limits import at_most, one_more
from intermem.workflow.workspace import Workspace, pending_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which rows to return: search, topics, demoted, stale, pinned, review or all; ``selectors`` narrow it."""

    which: str
    selectors: Selectors = ANY
    rank: str = "blended"
    limit: int | None = None
    touch: bool = True


def query(workspace: Workspace, wanted: Query) -> QueryResult | TopicsResult:
    """Return the rows that ``wanted`` selects; exit code 1 if there are none.

    The returned rows count as accessed, unless ``touch`` is off or another process is writing. Where nothing is on
    record, as in a fresh clone, documents, ledger and git history answer.
    """
    limit = workspace.config.count("query.limit") if wanted.limit is None else wanted.limit
    with workspace.viewing() as metadata:
        pending = pending_notice(metadata)
        if wanted.which == "topics":
            found, cut = at_most(limit, _topics(workspace, metadata, wanted, one_more(limit)))
            return TopicsResult(topics=found, exit_code=OK if found else FINDINGS, notices=(*pending, *cut))
        entries, cut = at_most(limit, _rows(workspace, metadata, wanted, one_more(limit)))
    if wanted.touch and entries:
        count_access(workspace, entries)
    return QueryResult(
        entries=entries,
        which=wanted.which,
        exit_code=OK if entries else FINDINGS,
        notices=(*pending, *cut),
    )


def _rows(workspace: Workspace, metadata: Metadata, wanted: Query, most: int) -> list[Record]:
    """The rows that are wanted; where it is quicker, at most so many (0: all)."""
    if not _has_records(metadata):
        return _told(workspace, metadata, wanted)
    if wanted.which == "search":
        return _searched(workspace, metadata, wanted, most)
    most = 0 if wanted.selectors else most
    found = listed(metadata, wanted.which, most, workspace.now)
    if wanted.which == "demoted" and (not most or len(found) < most):
        found += told_demoted(workspace, load_branch_state(workspace, metadata))
    return selected(found, wanted.selectors, metadata.sessions(), workspace.now) if wanted.selectors else found


def _topics(workspace: Workspace, metadata: Metadata, wanted: Query, most: int) -> list[Topic]:
    if _has_records(metadata) and not wanted.selectors:
        return topics(metadata, most)
    return topics_of(_rows(workspace, metadata, replace(wanted, which="all"), 0))


def _has_records(metadata: Metadata) -> bool:
    return bool(metadata.fetch("SELECT EXISTS (SELECT 1 FROM memory_entries)")[0][0])


def _searched(workspace: Workspace, metadata: Metadata, wanted: Query, limit: int) -> list[Record]:
    """The records that contain the words, best first, of those that the other selectors name."""
    least = workspace.config.values["query.least_left"]
    assert isinstance(least, int | float)
    others = replace(wanted.selectors, words=())
    found = search(
        metadata,
        wanted.selectors.words,
        rank=wanted.rank,
        limit=0 if others else limit,
        now=workspace.now,
        half_life=workspace.config.span("query.half_life"),
        basis=workspace.config.decay().basis,
        min_weight=float(least),
    )
    return selected(found, others, metadata.sessions(), workspace.now) if others else found


def _told(workspace: Workspace, metadata: Metadata, wanted: Query) -> list[Record]:
    """The same rows for a clone that has no records, from documents, ledger and git history."""
    state = load_branch_state(workspace, metadata)
    found = [one for one in state.records.values() if one.document is not None or one.missing_from is not None]
    found = sorted(found, key=lambda one: (-one.confidence, one.entry_id)) + told_demoted(workspace, state)
    kept: dict[str, Callable[[Record], bool]] = {
        "demoted": lambda one: one.status is Status.DEMOTED,
        "stale": lambda one: one.status is Status.STALE,
        "pinned": lambda one: one.is_pinned(workspace.now),
        "review": lambda one: one.review_at is not None,
    }
    return selected(filter(kept.get(wanted.which), found), wanted.selectors, {}, workspace.now)
