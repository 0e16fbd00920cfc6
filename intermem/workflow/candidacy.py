"""What could be promoted: the records of this branch, judged now and sorted by the gates that look at one entry."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from intermem.core.entries.observation import Known, without_purged, without_record
from intermem.core.entries.similarity import gist, rough
from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.promotion import Candidate, sorted_candidates
from intermem.core.lifecycle.staleness import Rules, assess, restated, scanned
from intermem.entities import Problem, Record
from intermem.errors import NoSuchEntry
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import Document
from intermem.storage.metadata import Metadata
from intermem.workflow.assessment import Assessments, assess_project, standing_in
from intermem.workflow.branch_state import (
    BranchState,
    find_judged,
    load_branch_state,
    missing_notices,
    refuse_deleted,
)
from intermem.workflow.ledger_story import with_told
from intermem.workflow.memory import MemoryReading, memory_notices, read_project_memory, require_memory
from intermem.workflow.targets import find_target
from intermem.workflow.tiers import require_second_tier
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Candidacy:
    """What was read, the ``document`` to promote into, and which entries pass the gates that look at a single entry.

    ``worths`` has the worth (0..1000) of those of which something would be written, by id; ``confirmed``, when a person
    last said that an entry is right.
    """

    state: BranchState
    document: Document
    assessments: Assessments
    rules: Rules
    passed: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    problems: tuple[Problem, ...]
    notices: tuple[str, ...]
    confirmed: Mapping[str, datetime]

    @property
    def worths(self) -> Mapping[str, int]:
        return {one.record.id: one.worth.score for one in self.passed if one.worth.excerpt is not None}


def _wanted(metadata: Metadata, state: BranchState, prefix: str) -> str:
    try:
        return find_judged(state, prefix)
    except NoSuchEntry:
        refuse_deleted(metadata.deleted(), prefix)
        raise


def read_candidates(
    workspace: Workspace,
    metadata: Metadata,
    ids: Collection[str],
    *,
    min_snapshots: int | None,
    target: str | None,
    wording: str | None = None,
) -> Candidacy:
    """Return the candidates among the entries ``ids`` (prefixes; empty: all), ``wording`` being the text of the one.

    Raises NoDocument, NoSuchEntry, UsageError for a topic file where the second tier is off, and MemoryNotFound if
    there are no records either. Writes nothing.
    """
    rules = workspace.config.rules()
    if min_snapshots is not None:
        rules = replace(rules, min_snapshots=min_snapshots)
    memory = read_project_memory(workspace)
    state = load_branch_state(workspace, metadata, thorough=True)
    assessments = assess_project(workspace, metadata, memory, rules, state, snapshot=False)
    if memory is None and not assessments.assessed:
        require_memory(workspace)
    if memory is not None:
        assessed = tuple(
            replace(one, record=_as_seen(one.record, workspace.now, rules)) for one in assessments.assessed
        )
        assessments = replace(assessments, assessed=assessed)
    document = find_target(workspace, state.documents, target)
    if document.tier > 1:
        require_second_tier(workspace)
    known = with_told(workspace, metadata, state)
    wanted = {_wanted(metadata, known, prefix) for prefix in ids}
    told = [known.records[key] for key in sorted(known.told)]
    if wanted & known.told and memory is not None:  # a scan counts what the memory has
        here = standing_in(memory, known.records, known.aliases)
        told = [replace(one, in_memory=one.id in here) for one in told]
    passed, refused = sorted_candidates(
        [
            *((_as_it_stands(one.record, state.sections), one.assessment) for one in assessments.assessed),
            *((one, assess(one, one.citations, workspace.now, rules)) for one in told if one.id in wanted),
        ],
        wanted,
        state.owners,
        state.purged,
        workspace.now,
        rules,
        workspace.config.limits(),
        workspace.config.allowed_hazards(),
        wording=wording,
        told=(one for one in told if one.text is not None),
    )
    return Candidacy(
        state,
        document,
        assessments,
        rules,
        tuple(passed),
        tuple(refused),
        (*(memory.problems if memory is not None else ()), *state.problems),
        (
            *memory_notices(workspace),
            *_unread_notices(memory, state),
            *missing_notices(state, workspace.now),
            *assessments.notices,
        ),
        metadata.confirmations(),
    )


def _unread_notices(memory: MemoryReading | None, state: BranchState) -> list[str]:
    """A notice if the memory has notes that no scan has read; what was purged is none of them."""
    if memory is None:
        return []
    unread = without_record(without_purged(memory.entries, state.purged), Known(state.records, state.aliases, {}))
    if not unread:
        return []
    near = {rough(group[0].text) for group in unread.values()}
    known = (text for one in state.records.values() for text in {one.shown_text, one.noted_text})
    said = {gist(text) for text in known if rough(text) in near}
    unread = {key: group for key, group in unread.items() if gist(group[0].text) not in said}
    if not unread:
        return []
    notes = "1 note" if len(unread) == 1 else f"{len(unread)} notes"
    return [f"{notes} in the memory {'is' if len(unread) == 1 else 'are'} not scanned yet: intermem scan"]


def _as_seen(record: Record, now: datetime, rules: Rules) -> Record:
    """The record as every list has it: what stands in the memory has not aged, read by a scan or not."""
    if not record.in_memory:
        return record
    found = assess(scanned(record, now), record.citations, now, rules)
    return restated(record, found, record.citations, now, rules)


def _as_it_stands(record: Record, sections: Mapping[str, str]) -> Record:
    """The record with the heading above it in its document, which its note may have another of by now."""
    return replace(record, section=sections[record.id]) if record.id in sections else record
