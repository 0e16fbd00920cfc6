"""``status``: health at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from intermem.core.lifecycle.staleness import assess, goes_stale_at
from intermem.core.lifecycle.statistics import Figured, census
from intermem.core.markdown.ignore_comments import written_ignores
from intermem.core.markdown.lines import split_lines
from intermem.core.reconcile.ledger import Standing
from intermem.core.region.budget import Budget, region_tokens
from intermem.core.region.parse import Region
from intermem.entities import INDEX_NAME, Record
from intermem.errors import IntermemError
from intermem.project.config_keys import KEYS
from intermem.project.documents import AUTO_TARGETS, Document, Documents
from intermem.project.files import read_text_file
from intermem.project.memory_files import check_memory_file
from intermem.results import exit_code_for
from intermem.results.inspect import (
    ConfigurationResult,
    ConfiguredKey,
    DocumentStatus,
    EntryCounts,
    MissingEntry,
    NextStale,
    RegionStatus,
    StatusResult,
)
from intermem.workflow.branch_state import BranchState, load_branch_state, missing_notices
from intermem.workflow.ledger_story import with_told
from intermem.workflow.merge_attributes import driver_notices
from intermem.workflow.reconciled import reconciled_rows
from intermem.workflow.retention import unused_types
from intermem.workflow.targets import old_marker_notices, untracked_ledger_notices, untracked_notices
from intermem.workflow.unjudged import with_verdicts
from intermem.workflow.unread import unread_notices
from intermem.workflow.unscanned import with_memory
from intermem.workflow.workspace import Workspace, exposed_state_notices, pending_notice

_LOADED_LINES, _LOADED_BYTES = 200, 25 * 1024  # DESIGN.md §4


def status(workspace: Workspace) -> StatusResult:
    """Return where everything is, what it contains, and what needs attention. Writes nothing.

    Citations count as the last scan, sweep or feedback judged them; ages, as of the run's ``now``.
    """
    with workspace.viewing() as metadata:
        state = with_told(workspace, metadata, load_branch_state(workspace, metadata))
        state = with_memory(workspace, metadata, with_verdicts(workspace, metadata, state))
        records, documents = state.records, state.documents
        last_sweep, last_snapshot = metadata.last_sweep(), metadata.last_snapshot()
        pending = pending_notice(metadata)
    place = workspace.memory_place
    ambiguous = [place.problem.message] if place.problem is not None else []
    rules = workspace.config.rules()
    found = [Figured(one, assess(one, one.citations, workspace.now, rules)) for one in records.values()]
    figures = census(found, workspace.now)
    budget = workspace.config.budget()
    return StatusResult(
        project_root=str(workspace.root),
        state=str(workspace.state_dir),
        state_exists=workspace.database.is_file(),
        memory=str(place.path) if place.path is not None else None,
        memory_found_by=place.how or None,
        documents=[_document(document, records, budget.of(document.name)) for document in documents.found],
        entries=EntryCounts(all=figures.all, active=figures.active, stale=figures.stale, demoted=figures.demoted),
        rejected=figures.rejected,
        pinned=figures.pinned,
        review=figures.review,
        promoted=figures.promoted,
        ledger=_ledger(state),
        reconciled=reconciled_rows(workspace, state),
        missing=[MissingEntry(key, name) for key, name in state.reconciliation.missing],
        last_snapshot=last_snapshot,
        last_sweep=last_sweep,
        next_stale=_next_stale(workspace, found),
        exit_code=exit_code_for(documents.problems),
        problems=documents.problems,
        notices=(
            *pending,
            *ambiguous,
            *_cut_short(workspace),
            *_left_out(workspace, documents),
            *documents.warnings,
            *old_marker_notices(documents),
            *exposed_state_notices(workspace),
            *_ledger_notices(workspace, state),
            *untracked_notices(workspace, documents),
            *unread_notices(records.values(), state.unread),
            *unused_types(workspace, "decay.types", records.values()),
            *missing_notices(state, workspace.now),
            *driver_notices(workspace),
        ),
    )


def configuration(workspace: Workspace) -> ConfigurationResult:
    """Return every key of the configuration with its value, origin and meaning."""
    rows = [
        ConfiguredKey(
            key=key.name,
            value=workspace.config.values[key.name],
            origin=workspace.config.origins[key.name],
            meaning=key.meaning,
        )
        for key in KEYS
    ]
    return ConfigurationResult(configuration=rows)


def _document(document: Document, records: Mapping[str, Record], budget: Budget) -> DocumentStatus:
    region = document.region
    if region is None:
        return DocumentStatus(name=document.name, region=None)
    names = {document.name, *document.aliases}
    on_record = [records[item.id].document for item in region.items if item.id in records]
    known = sum(one in names for one in on_record)
    elsewhere = sum(one is not None and one not in names for one in on_record)
    status = RegionStatus(
        first_line=region.first_line,
        last_line=region.last_line,
        lines=region.lines,
        tokens=region_tokens(region, document.text),
        budget_tokens=budget.tokens,
        entries=known,
        budget_entries=budget.entries,
        entries_elsewhere=elsewhere,
        other_blocks=len(region.items) - known - elsewhere + _blocks_of_people(document.text, region),
    )
    return DocumentStatus(name=document.name, region=status)


def _blocks_of_people(text: str, region: Region) -> int:
    """Return how many blocks of a region are no entries, nor comments that tell check what to ignore."""
    inside = range(region.first_line - 1, region.last_line)
    alone = [one for one in written_ignores(text) if not (one.trouble or one.row or one.level)]
    return sum(section.others for section in region.sections) - sum(one.first in inside for one in alone)


def _cut_short(workspace: Workspace) -> list[str]:
    """A notice if Claude Code, which loads only the beginning of MEMORY.md, would cut it off silently."""
    place = workspace.memory_place.path
    if place is None or not (place / INDEX_NAME).is_file():
        return []
    try:
        check_memory_file(place / INDEX_NAME, INDEX_NAME, place)
        text = read_text_file(place / INDEX_NAME, INDEX_NAME, workspace.config.count("scan.max_bytes"))
    except IntermemError:
        return []  # scan names it
    lines, size = len(split_lines(text)), len(text.encode("utf-8"))
    if lines <= _LOADED_LINES and size <= _LOADED_BYTES:
        return []
    return [f"Claude Code loads {_LOADED_LINES} lines or 25 KB of {INDEX_NAME}; it has {lines} lines, {size} bytes"]


def _left_out(workspace: Workspace, documents: Documents) -> list[str]:
    """Notices on documents that are tracked but not checked out, and must not look like missing ones."""
    if documents.found or documents.problems or workspace.worktree is None or workspace.worktree.bare:
        return []
    prefix = workspace.worktree.prefix
    left_out = workspace.worktree.sparse.left_out(prefix + name for name in AUTO_TARGETS)
    names = [name for name in AUTO_TARGETS if prefix + name in left_out]
    return [f"{name} is tracked, but excluded by this sparse checkout" for name in names]


def _ledger(state: BranchState) -> dict[str, int] | None:
    """The number of ledger lines of each status; None if there is no ledger."""
    if state.ledger is None:
        return None
    counts = Counter(line.status for line in state.ledger.lines.values())
    return {str(standing): counts.get(standing, 0) for standing in Standing}


def _ledger_notices(workspace: Workspace, state: BranchState) -> list[str]:
    """Notices on a ledger that is not in git, and on where ages and stale streaks come from."""
    notices = untracked_ledger_notices(workspace, state)
    promoted = sum(1 for record in state.records.values() if record.document is not None)
    why = "no memory found" if workspace.memory_place.path is None else "nothing is on record here yet"
    if (
        state.ledger is not None
        and promoted
        and (workspace.memory_place.path is None or not workspace.database.is_file())
    ):
        notices.append(f"{why}: ages come from the ledger, stale streaks from the history")
    return notices


def _next_stale(workspace: Workspace, found: Sequence[Figured]) -> NextStale | None:
    """The promoted entry that goes stale first if none of them is seen again."""
    rules = workspace.config.rules()
    moments = [
        (moment, one.record.entry_id)
        for one in found
        if one.record.document is not None
        and (moment := goes_stale_at(one.record, one.assessment.base, workspace.now, rules)) is not None
    ]
    if not moments:
        return None
    moment, key = min(moments)
    stale = sum(one <= workspace.now for one, _ in moments)
    return NextStale(key, moment, moment <= workspace.now, max(stale - 1, 0))
