"""``undo``: revert documents and records to before an operation, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from intermem.core.lifecycle.effects import Effect
from intermem.core.reconcile.events import is_event_name
from intermem.core.reconcile.ledger import Standing
from intermem.core.reconcile.ledger_history import ledger_of
from intermem.core.region.parse import find_region
from intermem.entities import LEDGER
from intermem.errors import DocumentChanged, IntermemError, UndoRefused
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, OK, FileDiff
from intermem.results.decide import OperationsResult, UndoResult
from intermem.storage.journal import closed_operations
from intermem.storage.metadata import Metadata
from intermem.storage.operations import SETTLED, ClosedOperation, FileWrite
from intermem.storage.secure_delete import PURGE
from intermem.workflow.ledger import ledger_files
from intermem.workflow.limits import at_most
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace, pending_notice
from intermem.workflow.writeback import file_state, file_write_of, located

VERB = "undo"

_BY_HAND = "git has the documents: restore them by hand"


@dataclass(frozen=True, slots=True)
class _Plan:
    """The operations to undo, newest first, the files that change, and the effects on entries."""

    undone: tuple[ClosedOperation, ...]
    writes: tuple[FileWrite, ...] = ()
    effects: tuple[Effect, ...] = ()


def undo(workspace: Workspace, number: int | None, mode: RunMode) -> UndoResult:
    """Undo the newest operation that changed something, or all operations back to and including ``number``.

    An ``undo`` is undone by its number, as long as nothing came after it. Exit code 1 if there is
    nothing to undo. Raises UndoRefused if an operation cannot be undone, DocumentChanged if a
    document is no longer as the operation left it; nothing is written then.
    """

    def make(metadata: Metadata) -> _Plan:
        pending = pending_notice(metadata) if mode.dry else []
        if pending:
            raise UndoRefused(
                f"{pending[0]}; until then undo cannot tell what it would do", hint="intermem sweep completes it"
            )
        return _planned(workspace, metadata, number)

    with operation(workspace, VERB, mode, make, expires_undo=False) as op:
        plan = op.plan
        if plan.undone:
            plan = op.begin()
            op.commit(effects=plan.effects, writes=plan.writes, undoes=[one.operation.id for one in plan.undone])
    return UndoResult(
        undone=plan.undone,
        dry_run=mode.dry,
        exit_code=OK if plan.undone else FINDINGS,
        notices=(*op.notices, *_committed(workspace, plan)),
        changes=tuple(FileDiff(one.document, _text(one.before), _text(one.after)) for one in plan.writes),
        show_diff=mode.show_diff,
    )


def operations(workspace: Workspace, limit: int | None) -> OperationsResult:
    """Return the recorded operations, newest first; exit code 1 if there are none. Writes nothing."""
    most = workspace.config.count("query.limit") if limit is None else limit
    with workspace.viewing() as metadata:
        found = closed_operations(metadata)
        notices = pending_notice(metadata)
    shown, cut = at_most(most, found)
    return OperationsResult(operations=shown, exit_code=OK if shown else FINDINGS, notices=(*notices, *cut))


def _planned(workspace: Workspace, metadata: Metadata, number: int | None) -> _Plan:
    everything = closed_operations(metadata)
    chosen = _chosen(everything, number)
    for one in chosen:
        if one.damaged:
            raise UndoRefused(
                f"the undo data of {_named(one)} is damaged; nothing was changed",
                hint="intermem doctor --repair; git has the documents",
            )
        if not one.kept:
            raise _not_kept(one)
    return _Plan(tuple(chosen), tuple(_writes(workspace, chosen)), tuple(_effects(chosen)))


def _chosen(everything: Sequence[ClosedOperation], number: int | None) -> list[ClosedOperation]:
    standing = [one for one in everything if one.undone_by is None and not _came_to_nothing(one)]
    runs = [one for one in standing if one.operation.verb != VERB]
    if number is None:
        newest = next((place for place, one in enumerate(runs) if one.changed), None)
        if newest is None:
            return []
        return runs[: newest + 1] + [one for one in runs[newest + 1 : newest + 2] if _is_same_run(one, runs[newest])]
    selected = next((one for one in everything if one.operation.id == number), None)
    if selected is None:
        raise UndoRefused(f"no operation {number}", hint="intermem undo --list")
    if selected.undone_by is not None:
        hint = f"intermem undo {selected.undone_by} restores it" if selected.operation.verb != VERB else ""
        raise UndoRefused(f"{_named(selected)} was already undone by operation {selected.undone_by}", hint=hint)
    if selected.operation.verb != VERB:
        return [one for one in runs if one.operation.id >= number]
    if standing[0] is not selected:
        raise UndoRefused(
            f"{_named(selected)} can be undone only while it is the last one; {_named(standing[0])} came after it",
            hint="intermem undo --list",
        )
    return [selected]


def _is_same_run(one: ClosedOperation, other: ClosedOperation) -> bool:
    """True for the two operations of one repair: first the documents, then the records."""
    ours, theirs = one.operation, other.operation
    return ours.verb == theirs.verb == "doctor" and ours.at == theirs.at


def _not_kept(one: ClosedOperation) -> UndoRefused:
    if not one.purged:
        hint = "undo.operations sets how many are kept, and of intermem 0.1 none are; git has the documents"
        return UndoRefused(f"{_named(one)} is too old to undo; nothing was changed", hint=hint)
    why = "a purge destroys" if one.operation.verb == PURGE else "a purge dropped what was kept for it"
    return UndoRefused(
        f"{_named(one)} cannot be undone: {why}; nothing was changed",
        hint="a purge drops what is kept of every operation before it; git has the documents",
    )


def _came_to_nothing(one: ClosedOperation) -> bool:
    """True for an undo that could not write its documents."""
    return one.operation.verb == VERB and one.state == SETTLED and not one.records


def _writes(workspace: Workspace, chosen: Sequence[ClosedOperation]) -> list[FileWrite]:
    """The writes that revert each file: from the state after its newest operation to that before its oldest."""
    ends: dict[Path, FileWrite] = {}
    for one in chosen:
        for logged in one.operation.intents:
            write = located(logged, workspace.checkout, workspace.write_scope)
            later = ends.get(write.path)
            if write.root != workspace.root and not write.root.exists():
                continue  # a worktree that was removed with its documents
            if write.root != workspace.root:
                raise _elsewhere(one, write)
            outside = workspace.write_scope.why_outside(write)
            if outside is not None:
                raise UndoRefused(f"{write.path} is not written: {outside}; nothing was changed", hint=_BY_HAND)
            if one.state == SETTLED and file_state(write) == "before":
                continue  # it was never written
            if (later.digest_after != write.digest_after) if later is not None else (file_state(write) != "after"):
                raise _edited(one, write)
            now = later.before if later is not None else write.after
            ends[write.path] = file_write_of(
                workspace.checkout, write.path, write.document, now, write.before, workspace.now
            )
    return [one for one in ends.values() if one.digest_before != one.digest_after]


def _effects(chosen: Sequence[ClosedOperation]) -> list[Effect]:
    """The effect on each entry; used only if a person edits a document in the meantime."""
    found: dict[str, Effect] = {}
    for one in chosen:
        for effect in one.operation.effects:
            back = replace(
                effect,
                kind="demote" if effect.stands else "restore",
                entry_id=effect.standing_id,
                reason=f"{_named(one)} was undone",
                new_id=None,
                new_text=None,
                heir=None,
            )
            found[back.entry_id] = back
    return list(found.values())


def _committed(workspace: Workspace, plan: _Plan) -> list[str]:
    """Notices on entries that are removed from a document although HEAD has them there, unless they left before."""
    left = _departed(workspace, plan)
    removed = {one.entry_id: one.document for one in plan.effects if not one.stands and one.entry_id not in left}
    held: dict[str, int] = {}
    for name in sorted(set(removed.values())) if workspace.worktree is not None else ():
        assert workspace.worktree is not None
        text = workspace.worktree.text_at(f"HEAD:{workspace.worktree.prefix}{name}")
        try:
            region = find_region(text, name) if text is not None else None
        except IntermemError:
            region = None
        count = sum(1 for key in (region.ids if region is not None else ()) if removed.get(key) == name)
        held |= {name: count} if count else {}
    return [
        f"HEAD has {count} of these entries in {name}: once their removal is committed they count as removed by a"
        " person (intermem restore lifts that)"
        for name, count in held.items()
    ]


def _departed(workspace: Workspace, plan: _Plan) -> set[str]:
    """The entries that have left their document for another reason, according to the ledger as it is afterwards."""
    back = {one.document.removeprefix(f"{LEDGER}/"): _text(one.after) for one in plan.writes}
    try:
        files = ledger_files(workspace)
        known = {**files.texts, **{name: text for name, text in back.items() if is_event_name(name)}}
        lines = ledger_of({name: text for name, text in known.items() if text is not None}, files.old).lines
    except IntermemError:
        return set()
    gone = (Standing.DEMOTED, Standing.REJECTED)
    return {name for line in lines.values() if line.status in gone for name in line.names}


def _named(one: ClosedOperation) -> str:
    return f"operation {one.operation.id} ({one.operation.verb})"


def _edited(one: ClosedOperation, write: FileWrite) -> DocumentChanged:
    return DocumentChanged(
        f"{write.document} has changed since {_named(one)}; nothing was changed",
        hint=f"git diff {write.document} shows it; intermem demote and restore move single entries",
    )


def _elsewhere(one: ClosedOperation, write: FileWrite) -> UndoRefused:
    return UndoRefused(f"{_named(one)} ran in {write.root}; nothing was changed", hint="undo it from there")


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8")
