"""``stats``: figures on what is on record, by the verdicts of the last sweep or scan."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.commands.project import Project, pending_notice
from intermem.commands.standing import Here, missing_notices, reconciled_rows, standing_here
from intermem.core.figures import (
    BINS,
    Figured,
    ages,
    census,
    census_by_type,
    confidence_bins,
    departures_by_cause,
    estimated_tokens,
    forecast,
    kept,
    month_of,
    week_starts,
)
from intermem.core.lifecycle import Rules, assess
from intermem.entities import DEPARTURES, Departure
from intermem.project.documents import Document
from intermem.results import Result, exit_code_for
from intermem.storage.metadata import Metadata


def stats(project: Project) -> Result:
    """Return the figures as of ``project.now``. Nothing is judged anew, and nothing is written.

    Averages, ages and bins are of the entries that are not demoted; they are None where there is
    none. What people did to the documents since the last run counts as done, and as of now.
    """
    rules = project.config.rules()
    with project.viewing() as metadata:
        here = standing_here(project, metadata)
        departures = _departures(project, metadata, here)
        last_sweep, last_snapshot = metadata.last_sweep(), metadata.last_snapshot()
        said = pending_notice(metadata)
    found = [Figured(one, assess(one, one.citations, project.now, rules)) for one in here.records.values()]
    staying = kept(found)
    budget = project.config.count("promote.budget_lines")
    return Result(
        verb="stats",
        data={
            "at": project.now,
            "entries": census(found, project.now),
            "types": census_by_type(found, project.now),
            "ages": ages([one.record for one in staying], project.now),
            "confidences": _bins(staying),
            "removed_this_month": _removed(project, departures),
            "goes_stale": _forecast(project, found, rules),
            "documents": [row for one in here.documents.found for row in _document(one, budget)],
            "last_sweep": last_sweep,
            "last_snapshot": last_snapshot,
        },
        exit_code=exit_code_for(here.problems),
        problems=here.problems,
        notices=(*said, *missing_notices(here)),
    )


def _departures(project: Project, metadata: Metadata, here: Here) -> list[Departure]:
    """What left this month, on record or found in the documents just now."""
    just_now = [Departure(row.event, row.cause, 1) for row in reconciled_rows(project, here)]
    return [*metadata.departures(month_of(project.now)), *(one for one in just_now if one.event in DEPARTURES)]


def _removed(project: Project, departures: Sequence[Departure]) -> dict[str, object]:
    return {
        "month": month_of(project.now),
        "by_cause": departures_by_cause(departures),
        "total": sum(one.number for one in departures),
    }


def _bins(found: Sequence[Figured]) -> list[dict[str, object]]:
    counts = confidence_bins(one.assessment.confidence for one in found)
    return [{"from": number / BINS, "to": (number + 1) / BINS, "entries": count} for number, count in enumerate(counts)]


def _forecast(project: Project, found: Sequence[Figured], rules: Rules) -> dict[str, object]:
    coming = forecast(found, project.now, rules)
    starts = week_starts(project.now)
    return {
        "weeks": [{"from": start, "entries": count} for start, count in zip(starts, coming.weeks, strict=True)],
        "later": coming.later,
        "never": coming.never,
        "demote_streak": rules.demote_streak,
    }


def _document(document: Document, budget: int) -> list[dict[str, object]]:
    """A row for a document that has a region, none for another."""
    region = document.region
    if region is None:
        return []
    return [
        {
            "name": document.name,
            "region_lines": region.lines,
            "budget_lines": budget,
            "region_tokens": estimated_tokens(document.text[region.start : region.stop]),
            "document_tokens": estimated_tokens(document.text),
        }
    ]
