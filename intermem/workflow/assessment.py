"""Judge every entry: records and memory in, verdicts and confidence out (steps 3 to 5 of a sweep)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from intermem.core.citations.extract import RULES_VERSION, citations_of
from intermem.core.citations.judge import Cited, setting_of
from intermem.core.entries.observation import Known, Observed
from intermem.core.entries.snapshot import Snapshot
from intermem.core.entries.wordings import said_again
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.staleness import Assessment, Rules, assess, explained, restated
from intermem.core.reconcile.ledger import Ledger
from intermem.core.times import format_date, format_time
from intermem.entities import Citation, HistoryRow, Judged, Record, Source, Status
from intermem.errors import IntermemError
from intermem.facts import Facts
from intermem.lazy_dataclass import dataclass
from intermem.project.repository import repository_tree
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import (
    add_aliases,
    add_history,
    rename_record,
    save_citations,
    save_records,
    save_snapshot,
)
from intermem.storage.secure_delete import learn_again
from intermem.workflow.branch_state import BranchState
from intermem.workflow.fact_gathering import Judge, gather_facts
from intermem.workflow.ledger import aged, read_ledger
from intermem.workflow.memory import MemoryReading, is_committed, read_project_memory
from intermem.workflow.notes import learnable, snapshot_in, with_proof
from intermem.workflow.observing import held_by_commits, observer_of
from intermem.workflow.unread import held_now
from intermem.workflow.verification import history_notices
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Assessed:
    """A record as stored (None: new), as it is now, and its assessment."""

    before: Record | None
    record: Record
    assessment: Assessment
    takes_over: str | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class Assessments:
    """Every entry of the project at one point in time. ``snapshot`` is the memory if a snapshot was taken.

    ``skipped`` are the notes in it that were purged and are not learnt again, ``relearnt`` those that are. ``reworded``
    are the new notes that only reword the note of an entry whose wording stays, with its id. ``observer`` is this
    clone, if it is one.
    """

    assessed: tuple[Assessed, ...]
    observed: tuple[Observed, ...] = ()
    snapshot: MemoryReading | None = None
    notices: tuple[str, ...] = ()
    skipped: frozenset[str] = frozenset()
    relearnt: frozenset[str] = frozenset()
    reworded: Mapping[str, str] = field(default_factory=dict)
    observer: str | None = None


def assess_project(
    workspace: Workspace,
    metadata: Metadata,
    memory: MemoryReading | None,
    rules: Rules,
    state: BranchState | None,
    *,
    snapshot: bool,
    relearn: bool = False,
) -> Assessments:
    """Return the assessments as of the run's ``now``; write nothing.

    ``state`` holds the records of this branch (None: use the stored ones). With ``snapshot`` the
    memory's entries are observed; without, the memory only shows which entries are still in it.
    A note that was purged is not observed, unless
    the run is to ``relearn`` it and no ledger knows of the purge.
    """
    stored = state.records if state is not None else metadata.records()
    aliases = state.aliases if state is not None else metadata.aliases()
    noted = Snapshot()
    entries, again, final = learnable(workspace, metadata, memory if snapshot else None, stored, relearn=relearn)
    skipped = frozenset(memory.entries.keys() - entries.keys() if memory is not None and snapshot else ())
    if memory is not None and snapshot:
        was_read = metadata.last_snapshot() is not None
        known = Known(stored, aliases, _sessions(metadata, state), was_read=was_read)
        known = with_proof(workspace, memory, entries, known)
        noted = snapshot_in(workspace, metadata, memory, entries, known)
    current = _current(metadata, stored, aliases, noted, memory, snapshot=snapshot)
    observer = observer_of(workspace, metadata, memory)
    if memory is not None and snapshot:
        ledger = state.ledger if state is not None else _ledger(workspace)
        now = {record.id: record for _, record, _, _ in current}
        is_shared = observer is None and is_committed(workspace, memory)
        committed = held_by_commits(workspace, memory, now.values()) if is_shared else None
        own = observer or metadata.observer()  # what was said before the memory was committed is no other's word
        heard = aged(workspace, ledger, now, own, own=True, committed=committed)
        current = [(before, heard[record.id], taken, event) for before, record, taken, event in current]
    if memory is not None and memory.refused:
        unread = metadata.sources_by_file(memory.refused)
        held = held_now((record for _, record, _, _ in current), unread, workspace.now)
        current = [(one[0], record, *one[2:]) for one, record in zip(current, held, strict=True)]
    alike: dict[tuple[object, ...], tuple[Cited, ...]] = {}
    cited = [cited_by(record, memory, alike) for _, record, _, _ in current]
    worktree = workspace.worktree
    facts = gather_facts(
        workspace.root,
        worktree,
        list(dict.fromkeys(one for pairs in alike.values() for one in pairs)),
        repository_tree(workspace.root, worktree),
        memory_names=memory.names if memory is not None else {},
        # Without a memory, its last snapshot says which files it had.
        memory_files=memory.files | memory.refused if memory is not None else metadata.memory_files(),
    )
    notices = (*_skipped(skipped, final), *_notices(workspace, facts, cited, current))
    judge = Judge(facts, worktree.head if worktree is not None else None)
    found: list[Assessed] = []
    number = len(current)
    current.reverse()
    cited.reverse()
    while current:  # emptied: there may be a hundred thousand
        before, record, takes_over, event = current.pop()
        if len(found) % 500 == 0:
            workspace.options.progress("judging", len(found), number)
        judged = judge.each(cited.pop())
        found.append(_assessed(workspace, before, record, judged, rules, takes_over, event))
    workspace.options.progress("judging", number, number)
    taken = memory if snapshot else None
    observed, reworded = tuple(noted.observed), noted.reworded
    return Assessments(tuple(found), observed, taken, notices, skipped, again, reworded, observer)


def _ledger(workspace: Workspace) -> Ledger | None:
    """The ledger, which says how old an entry is to others; None if it cannot be read, which other commands report."""
    try:
        return read_ledger(workspace).ledger
    except IntermemError:
        return None


def held_by_memory(
    workspace: Workspace, metadata: Metadata, memory: MemoryReading, state: BranchState
) -> frozenset[str]:
    """Return the ids of the records whose notes the ``memory`` holds, in whatever wording, as a scan would."""
    records = {key: one for key, one in state.records.items() if key not in state.told}
    entries, _, _ = learnable(workspace, metadata, memory, records, relearn=False)
    return snapshot_in(workspace, metadata, memory, entries, Known(records, state.aliases, {})).held


def standing_in(memory: MemoryReading, records: Mapping[str, Record], aliases: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of the entries whose notes the ``memory`` has, in words that count the same."""
    named = {aliases.get(identity, identity) for identity in memory.entries}
    worded = said_again(memory.entries, Known(records, aliases, {}), lambda _: 0)
    return frozenset(named) | frozenset(worded.values())


def judged_now(workspace: Workspace, metadata: Metadata, state: BranchState, records: Sequence[Record]) -> list[Record]:
    """Return ``records`` with their citations, and the verdicts on them, as of the run's ``now``; write nothing."""
    state = replace(state, records={one.id: one for one in records})
    memory = read_project_memory(workspace)
    found = assess_project(workspace, metadata, memory, workspace.config.rules(), state, snapshot=False)
    judged = {one.record.id: one.record for one in found.assessed}
    return [replace(one, citations=judged[one.id].citations, read_by=judged[one.id].read_by) for one in records]


def save_assessments(workspace: Workspace, metadata: Metadata, assessments: Assessments) -> None:
    """Save changed records, verdicts, the snapshot and history, inside the caller's transaction."""
    for one in assessments.assessed:
        if one.takes_over is not None and one.takes_over != one.record.id:
            rename_record(metadata, one.takes_over, one.record.id)
    save_records(metadata, ((one.before, one.record) for one in assessments.assessed))
    verdicts = (
        (one.record.id, one.before.citations if one.before is not None else (), one.record.citations)
        for one in assessments.assessed
    )
    save_citations(metadata, verdicts, workspace.now)
    add_aliases(metadata, assessments.reworded)
    learn_again(metadata, assessments.relearnt)
    if assessments.snapshot is not None:
        _save_snapshot(workspace, metadata, assessments, assessments.snapshot)
    heirs = {one.record.superseded_by for one in assessments.assessed}
    by_id = {one.record.id: one for one in assessments.assessed if one.record.id in heirs}
    add_history(metadata, (row for one in assessments.assessed for row in _history(workspace, one, by_id)))


def _save_snapshot(workspace: Workspace, metadata: Metadata, assessments: Assessments, memory: MemoryReading) -> None:
    # Entries of files that could not be read this time are not gone.
    sources: dict[str, Sequence[Source]] = dict(metadata.sources_by_file(memory.refused))
    for one in assessments.observed:
        sources[one.record.id] = [*sources.get(one.record.id, ()), *one.sources]
    sessions = {one.record.id: one.sessions for one in assessments.observed if one.sessions}
    save_snapshot(metadata, workspace.now, memory.files | memory.refused, sources, sessions)


def _skipped(skipped: frozenset[str], final: frozenset[str]) -> Iterable[str]:
    for ids, way_out in (
        (skipped - final, ", or intermem scan --relearn"),
        (skipped & final, "; the ledger keeps {} out, and the same in other words is another entry"),
    ):
        if ids:
            notes = "1 note in the memory was" if len(ids) == 1 else f"{len(ids)} notes in the memory were"
            them = "it" if len(ids) == 1 else "them"
            yield f"{notes} purged, and not learnt again: delete {them} there{way_out.format(them)}"


def _current(
    metadata: Metadata,
    stored: Mapping[str, Record],
    aliases: Mapping[str, str],
    taken: Snapshot,
    memory: MemoryReading | None,
    *,
    snapshot: bool,
) -> list[tuple[Record | None, Record, str | None, str]]:
    """Each record before and after the snapshot: (before, now, takes over, event)."""
    seen: dict[str, Observed] = {}
    for one in taken.observed:
        seen[one.takes_over or one.record.id] = one
    kept = set(metadata.sources_by_file(memory.refused)) if memory is not None else set()
    present = standing_in(memory, stored, aliases) if memory is not None and not snapshot else None
    current: list[tuple[Record | None, Record, str | None, str]] = []
    for identity, record in stored.items():
        observation = seen.pop(identity, None)
        if observation is not None:
            current.append((record, observation.record, observation.takes_over, observation.event))
        elif memory is None:
            current.append((record, record, None, ""))
        elif present is not None:
            in_memory = identity in present or identity in kept
            current.append((record, replace(record, in_memory=in_memory), None, ""))
        else:
            gone = record.in_memory and identity not in kept
            heir = taken.superseded.get(identity, record.superseded_by)
            event = "superseded" if identity in taken.superseded else "gone from the memory" if gone else ""
            now = replace(record, in_memory=identity in kept, superseded_by=heir)
            current.append((record, now, None, event))
    current += [(None, one.record, None, one.event) for one in seen.values()]
    return sorted(current, key=lambda entry: entry[1].id)


def _sessions(metadata: Metadata, state: BranchState | None) -> dict[str, frozenset[str]]:
    """The sessions that each entry was seen in, by its id on this branch."""
    sessions = metadata.sessions()
    for key, change in state.reconciliation.changes.items() if state is not None else ():
        known = [sessions.get(name, frozenset()) for name in (key, *change.formerly)]
        sessions[key] = frozenset().union(*known)
    return sessions


def cited_by(
    record: Record, memory: MemoryReading | None, alike: dict[tuple[object, ...], tuple[Cited, ...]] | None = None
) -> tuple[Cited, ...]:
    """The citations of a record in context; extracted again if its text or the rules have changed.

    What other records cite in the same context is taken from ``alike``, and put there.
    """
    citations: Sequence[Citation] = tuple(item.citation for item in record.citations)
    if record.text is not None and record.read_by != RULES_VERSION:
        citations = tuple(citations_of(record.text))
    if not citations:
        return ()
    below = posixpath.dirname(record.source_file)
    key = record.trail, citations, below
    if alike is not None and key in alike:
        return alike[key]
    folder = None
    if memory is not None and memory.folder is not None:
        folder = posixpath.join(memory.folder, below).rstrip("/")
    setting = setting_of(record.trail, citations, folder, below, in_memory=True)
    cited = tuple(Cited(citation, setting) for citation in citations)
    if alike is not None:
        alike[key] = cited
    return cited


def _assessed(
    workspace: Workspace,
    before: Record | None,
    record: Record,
    judged: tuple[Judged, ...],
    rules: Rules,
    takes_over: str | None,
    event: str,
) -> Assessed:
    assessment = assess(record, judged, workspace.now, rules)
    now = restated(record, assessment, judged, workspace.now, rules)
    read_by = RULES_VERSION if record.text is not None else record.read_by
    if (judged, read_by) != (record.citations, record.read_by):
        now = replace(now, citations=judged, read_by=read_by)
    if before is None:
        now = replace(now, confidence_updated_at=workspace.now)
    return Assessed(before, now, assessment, takes_over, event)


def _history(workspace: Workspace, one: Assessed, by_id: Mapping[str, Assessed]) -> Iterable[HistoryRow]:
    def row(event: str, detail: str) -> HistoryRow:
        return HistoryRow(at=workspace.now, event=event, entry_id=one.record.id, detail=detail)

    if one.event:
        detail = "" if one.event == "gone from the memory" else f"in {one.record.source_file}"
        if one.event == "first seen" and one.record.snapshot_count > 1:
            since = format_date(one.record.first_seen)
            detail += f", where it has been since {since}; that counts as {one.record.snapshot_count} snapshots"
        heir = by_id.get(one.record.superseded_by or "")
        if one.event == "superseded" and heir is not None:
            detail = _succession(one.record, heir)
        yield row(one.event, detail)
    if one.before is None:
        return
    if one.takes_over is not None and one.takes_over != one.record.id:
        yield row("completed", f"full text now known; its id was {one.takes_over}")
    known = {(item.citation.kind, item.citation.text): item.verdict.status for item in one.before.citations}
    for item in one.record.citations:
        was = known.get((item.citation.kind, item.citation.text))
        if was is not None and was != item.verdict.status:
            yield row("verdict", f"{item.citation.text} was {was}, now {explained(item)}")
    if one.before.status is not one.record.status:
        stale = one.record.status is Status.STALE
        yield row(
            "stale" if stale else "fresh again", one.record.reason or f"confidence {shown(one.record.confidence)}"
        )


def _succession(old: Record, heir: Assessed) -> str:
    """What took the place of the note ``old``: a new one where it stood, or one elsewhere that says the same."""
    new = heir.record
    in_file = new.source_file == old.source_file
    if not in_file or new.section != old.section:
        what = f"a note in {'another section of ' if in_file else ''}{new.source_file} that says the same"
    elif heir.before is not None and heir.before.in_memory:
        what = "a note beside it that says the same"
    else:
        what = "a rewording in the same place"
    return f"by {new.entry_id[:8]}, {what}"


def _notices(
    workspace: Workspace,
    facts: Facts,
    cited: Sequence[Sequence[Cited]],
    current: Sequence[tuple[Record | None, Record, str | None, str]],
) -> Iterable[str]:
    if any(cited):
        yield from history_notices(workspace.worktree, facts)
    ahead = sum(1 for _, record, _, _ in current if record.last_seen > workspace.now)
    if ahead:
        moment = format_time(workspace.now)
        yield f"last seen after {moment}: {ahead} of {len(current)} entries; their age counts as 0"
