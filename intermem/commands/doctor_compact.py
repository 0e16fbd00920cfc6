"""``doctor --compact``: remove old events of the ledger that later ones have superseded."""

from __future__ import annotations

from datetime import timedelta

from intermem.core.reconcile.compact import Compaction, compacted
from intermem.core.reconcile.events import event_text, file_name, path_of
from intermem.core.reconcile.old_ledger import parse_old_ledger
from intermem.core.times import earlier
from intermem.entities import LEDGER
from intermem.errors import NoDocument
from intermem.results import Diagnosis, FileDiff
from intermem.results.inspect import DoctorResult
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import load_branch_state
from intermem.workflow.edits import Edit, edits_for
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace

_YEAR = timedelta(days=365)


def doctor_compact(workspace: Workspace, mode: RunMode) -> DoctorResult:
    """Compact the events of the ledger that are older than a year; the state of every entry stays the same.

    Raises NoDocument if the ledger cannot be read.
    """

    def make(metadata: Metadata) -> tuple[Compaction, list[Edit]]:
        return _planned(workspace, metadata)

    with operation(workspace, "doctor", mode, make) as op:
        compaction, edits = op.plan
        if edits:
            compaction, edits = op.begin()
            op.commit(edits=edits)
    return DoctorResult(
        findings=_told(compaction, dry=mode.dry),
        dry_run=mode.dry,
        notices=tuple(op.notices),
        changes=tuple(FileDiff(edit.name, edit.before, edit.after) for edit in edits),
        show_diff=mode.show_diff,
    )


def _planned(workspace: Workspace, metadata: Metadata) -> tuple[Compaction, list[Edit]]:
    state = load_branch_state(workspace, metadata)
    if state.files is None:
        raise NoDocument(state.problems[0].message, hint=state.problems[0].hint)
    if state.ledger is None:
        return Compaction(), []
    old = parse_old_ledger(state.files.old) if state.files.old is not None else {}
    found = compacted(state.ledger.events, earlier(workspace.now, _YEAR), old)
    edits = edits_for(state.files, found.new, had_one=False)
    edits += [
        Edit(state.files.folder / file_name(event), path_of(event), event_text(event), None, event)
        for event in found.gone
        if file_name(event) in state.files.texts and state.files.texts[file_name(event)] == event_text(event)
    ]
    return found, edits


def _told(compaction: Compaction, *, dry: bool) -> tuple[Diagnosis, ...]:
    if not compaction.gone:
        return ()
    entries = "1 entry" if compaction.entries == 1 else f"{compaction.entries} entries"
    counts = f"{len(compaction.gone)} events older than a year become {len(compaction.new)}"
    message = f"{LEDGER}: of {entries}, {counts}; the state of every entry stays the same"
    hint = "commit .intermem; how the entries got there is told by git's history alone from then on"
    return (Diagnosis(code="compacted", where=LEDGER, message=message, hint=hint, repaired=not dry),)
