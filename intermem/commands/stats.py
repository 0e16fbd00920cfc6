"""``stats``: statistics on the records, by the verdicts of the last scan, sweep or feedback."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.core.lifecycle.staleness import Rules, assess
from intermem.core.lifecycle.statistics import (
    BINS,
    Figured,
    ages,
    census,
    census_by_type,
    confidence_bins,
    departures_by_cause,
    forecast,
    kept,
    month_of,
    week_starts,
)
from intermem.core.region.budget import Budget, estimated_tokens, region_tokens
from intermem.entities import DEPARTURES, Departure
from intermem.project.documents import Document
from intermem.results import exit_code_for
from intermem.results.stats import ConfidenceBin, DocumentSize, Removals, StaleForecast, StaleWeek, StatsResult
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, load_branch_state, missing_notices
from intermem.workflow.ledger_story import untold_departures, with_told
from intermem.workflow.reconciled import reconciled_rows
from intermem.workflow.unjudged import with_verdicts
from intermem.workflow.unscanned import with_memory
from intermem.workflow.workspace import Workspace, pending_notice


def stats(workspace: Workspace) -> StatsResult:
    """Return the statistics as of the run's ``now``. No citation is judged again, and nothing is written.

    Averages, ages and bins cover the entries that are neither demoted nor rejected; they are None if there are
    none. What people did to the documents since the last run counts as done now.
    """
    rules = workspace.config.rules()
    with workspace.viewing() as metadata:
        state = with_told(workspace, metadata, load_branch_state(workspace, metadata))
        state = with_memory(workspace, metadata, with_verdicts(workspace, metadata, state))
        departures = _departures(workspace, metadata, state)
        last_sweep, last_snapshot = metadata.last_sweep(), metadata.last_snapshot()
        pending = pending_notice(metadata)
    found = [Figured(one, assess(one, one.citations, workspace.now, rules)) for one in state.records.values()]
    staying = kept(found)
    budget = workspace.config.budget()
    return StatsResult(
        at=workspace.now,
        entries=census(found, workspace.now),
        types=census_by_type(found, workspace.now),
        ages=ages([one.record for one in staying], workspace.now),
        confidences=_bins(staying),
        removed_this_month=_removed(workspace, departures),
        goes_stale=_forecast(workspace, found, rules),
        documents=_sizes(state.documents.found, budget),
        last_sweep=last_sweep,
        last_snapshot=last_snapshot,
        exit_code=exit_code_for(state.problems),
        problems=state.problems,
        notices=(*pending, *missing_notices(state, workspace.now)),
    )


def _departures(workspace: Workspace, metadata: Metadata, state: BranchState) -> list[Departure]:
    """The removals of this month: on record, just found in the documents, or told by the ledger alone."""
    month, found = month_of(workspace.now), reconciled_rows(workspace, state)
    purged = state.ledger.purged if state.ledger is not None else {}  # of these the purge alone counts
    left = (
        row for row in found if row.event in DEPARTURES and month_of(row.at) == month and row.entry_id not in purged
    )
    just_now = [Departure(row.event, row.cause, 1) for row in left]
    told = untold_departures(state, [*metadata.history(), *found], month)
    return [*metadata.departures(month, purged), *just_now, *told]


def _removed(workspace: Workspace, departures: Sequence[Departure]) -> Removals:
    return Removals(
        month=month_of(workspace.now),
        by_cause=departures_by_cause(departures),
        total=sum(one.number for one in departures),
    )


def _bins(found: Sequence[Figured]) -> list[ConfidenceBin]:
    counts = confidence_bins(one.assessment.confidence for one in found)
    return [
        ConfidenceBin(from_=number / BINS, to=(number + 1) / BINS, entries=count) for number, count in enumerate(counts)
    ]


def _forecast(workspace: Workspace, found: Sequence[Figured], rules: Rules) -> StaleForecast:
    coming = forecast(found, workspace.now, rules)
    starts = week_starts(workspace.now)
    return StaleForecast(
        weeks=[StaleWeek(from_=start, entries=count) for start, count in zip(starts, coming.weeks, strict=True)],
        later=coming.later,
        never=coming.never,
        demote_streak=rules.demote_streak,
    )


def _sizes(documents: Sequence[Document], budget: Budget) -> list[DocumentSize]:
    """Return the size of each document that has a region."""
    return [
        DocumentSize(
            name=one.name,
            region_lines=one.region.lines,
            budget_tokens=budget.of(one.name).tokens,
            region_tokens=region_tokens(one.region, one.text),
            document_tokens=estimated_tokens(one.text),
        )
        for one in documents
        if one.region is not None
    ]
