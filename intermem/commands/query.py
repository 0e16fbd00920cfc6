"""``query``: search and list the entries of this branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from intermem.core.lifecycle.selection import ANY, Selectors, selected
from intermem.entities import LEDGER, OLD_LEDGER, Record, Status
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, OK
from intermem.results.inspect import QueryResult, TopicsResult
from intermem.storage.metadata import Metadata
from intermem.storage.search import DEFAULT, Topic, listed, search, topics, topics_of
from intermem.workflow.access import count_access
from intermem.workflow.branch_state import BranchState, has_row, load_branch_state
from intermem.workflow.ledger_story import with_told
from intermem.workflow.limits import at_most, one_more
from intermem.workflow.unjudged import with_verdicts
from intermem.workflow.unscanned import gone_stale_notices, seen_in_memory, selected_now
from intermem.workflow.workspace import Workspace, pending_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which rows to return: search, topics, demoted, stale, pinned, review or all; ``selectors`` narrow it."""

    which: str
    selectors: Selectors = ANY
    rank: str | None = None
    limit: int | None = None
    touch: bool = True


def query(workspace: Workspace, wanted: Query) -> QueryResult | TopicsResult:
    """Return the rows that ``wanted`` selects; exit code 1 if there are none.

    The returned rows count as accessed, unless ``touch`` is off or another process is writing. They are those of this
    branch: what its documents and its ledger say counts, also of entries without a record, as in a fresh clone.
    """
    limit = workspace.config.count("query.limit") if wanted.limit is None else wanted.limit
    with workspace.viewing() as metadata:
        pending = pending_notice(metadata)
        if wanted.which == "topics":
            listing, told = _topics(workspace, metadata, wanted, one_more(limit))
            found, cut = at_most(limit, listing)
            return TopicsResult(topics=found, exit_code=OK if found else FINDINGS, notices=(*pending, *told, *cut))
        rows, told, state = _rows(workspace, metadata, wanted, one_more(limit))
        entries, cut = at_most(limit, rows)
        aged = _too_old(workspace, metadata, wanted)
    if wanted.touch and entries:
        count_access(workspace, entries, state)
    return QueryResult(
        entries=entries,
        which=wanted.which,
        exit_code=OK if entries else FINDINGS,
        notices=(*pending, *told, *aged, *cut),
    )


def _too_old(workspace: Workspace, metadata: Metadata, wanted: Query) -> list[str]:
    """A notice of how many that have the words are left out by ``query.least_left``."""
    if wanted.which != "search" or not workspace.config.values["query.least_left"] or wanted.rank == "relevance":
        return []
    every = len(_rows(workspace, metadata, replace(wanted, rank="relevance"), 0).rows)
    left = every - len(_rows(workspace, metadata, wanted, 0).rows)
    entries = "1 entry is" if left == 1 else f"{left} entries are"
    return [f"{entries} left out by query.least_left: --rank relevance lists what is old"] if left else []


class _Found(NamedTuple):
    """Rows, notices of what was left out, and the state of the branch that they are from (None: all are on record)."""

    rows: list[Record]
    told: list[str]
    state: BranchState | None


def _rows(workspace: Workspace, metadata: Metadata, wanted: Query, most: int) -> _Found:
    """The rows that are wanted, where it is quicker at most so many (0: all)."""
    if wanted.which == "stale" or wanted.selectors.older_than is not None or not _is_as_recorded(workspace, metadata):
        return _rows_of_branch(workspace, metadata, wanted)
    if wanted.which == "search":
        return _Found(_searched(workspace, metadata, wanted, most), [], None)
    found = listed(metadata, wanted.which, 0 if wanted.selectors else most, workspace.now)
    if wanted.selectors:
        found = selected(found, wanted.selectors, metadata.origins(), workspace.now)
    return _Found(found, [], None)


def _topics(workspace: Workspace, metadata: Metadata, wanted: Query, most: int) -> tuple[list[Topic], list[str]]:
    if not wanted.selectors and _is_as_recorded(workspace, metadata):
        return topics(metadata, most), []
    rows, told, _ = _rows(workspace, metadata, replace(wanted, which="all"), 0)
    asked = wanted.selectors.status is not None
    return topics_of(one for one in rows if asked or one.state not in ("demoted", "rejected")), told


def _is_as_recorded(workspace: Workspace, metadata: Metadata) -> bool:
    """Whether the records are the state of every branch, as nothing was ever promoted: no need to read all."""
    if any((workspace.root / name).exists() for name in (LEDGER, OLD_LEDGER)):
        return False
    placed = "SELECT EXISTS (SELECT 1 FROM memory_entries WHERE document IS NOT NULL OR missing_from IS NOT NULL)"
    if metadata.fetch(placed)[0][0]:
        return False
    return not any(one.region is not None and one.region.items for one in workspace.documents().found)


def _searched(workspace: Workspace, metadata: Metadata, wanted: Query, limit: int) -> list[Record]:
    """The records that contain the words, best first, of those that the other selectors name."""
    least = workspace.config.values["query.least_left"]
    assert isinstance(least, int | float)
    others = replace(wanted.selectors, words=())
    found = search(
        metadata,
        wanted.selectors.words,
        rank=wanted.rank or DEFAULT,
        limit=0 if others else limit,
        now=workspace.now,
        half_life=workspace.config.span("query.half_life"),
        decay=workspace.config.decay(),
        min_weight=float(least),
    )
    return selected(found, others, metadata.origins(), workspace.now) if others else found


def _rows_of_branch(workspace: Workspace, metadata: Metadata, wanted: Query) -> _Found:
    """The same rows from the records as they are on this branch, those that only the ledger knows included."""
    state = with_told(workspace, metadata, load_branch_state(workspace, metadata))
    state = with_verdicts(workspace, metadata, state)
    kept: dict[str, Callable[[Record], bool]] = {
        "demoted": lambda one: one.status is Status.DEMOTED,
        "stale": lambda one: one.status is Status.STALE and one.rejected_at is None,
        "pinned": lambda one: one.is_pinned(workspace.now),
        "review": lambda one: one.review_at is not None,
    }
    seen = partial(seen_in_memory, workspace, metadata, state)
    found = filter(kept.get(wanted.which), state.records.values())
    matching, told = selected_now(
        found,
        wanted.selectors,
        metadata.origins(),
        workspace.now,
        seen=seen,
        unread=state.unread,
        stood=_stood(wanted, state),
    )
    if wanted.which == "stale" or wanted.selectors.status == "stale":
        stale = replace(wanted.selectors, status="stale")
        told = [*told, *gone_stale_notices(workspace, stale, state.records.values(), seen)]
    rows = sorted(matching, key=_ORDERS.get(wanted.which, _order))
    if wanted.which != "search":
        return _Found(rows, told, state)
    hits = _searched(workspace, metadata, replace(wanted, selectors=Selectors(words=wanted.selectors.words)), 0)
    place = {one.id: number for number, one in enumerate(hits)}
    known = [one for one in rows if has_row(state, one.id)]
    ranked = sorted((one for one in known if one.id in place), key=lambda one: place[one.id])
    return _Found(ranked + [one for one in rows if not has_row(state, one.id)], told, state)


def _stood(wanted: Query, state: BranchState) -> dict[str, str]:
    """The documents that entries stood in, by id: they count where the list is about what is out as well."""
    if state.ledger is None or (wanted.which not in ("demoted", "review") and wanted.selectors.status is None):
        return {}
    return {line.id: line.document for line in state.ledger.lines.values() if line.document}


def _order(one: Record) -> tuple[float, float, str]:
    return -one.confidence, -one.last_seen.timestamp(), one.id


def _demoted_order(one: Record) -> tuple[float, str]:
    return -(one.demoted_at.timestamp() if one.demoted_at is not None else 0.0), one.id


def _review_order(one: Record) -> tuple[float, str]:
    return one.review_at.timestamp() if one.review_at is not None else 0.0, one.id


_ORDERS: dict[str, Callable[[Record], tuple[float | str, ...]]] = {"demoted": _demoted_order, "review": _review_order}
