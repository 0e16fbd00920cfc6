"""``undo``: documents and records back to before an operation, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.core.lifecycle.effects import Effect
from intermem.core.region.parse import find_region
from intermem.errors import DocumentChanged, IntermemError, UndoRefused
from intermem.results import FINDINGS, OK, FileDiff, Result
from intermem.storage.journal import past_operations
from intermem.storage.metadata import Metadata
from intermem.storage.operations import SETTLED, ClosedOperation, FileWrite
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace, pending_notice
from intermem.workflow.writeback import file_state, file_write_of, located

VERB = "undo"


@dataclass(frozen=True, slots=True)
class _Plan:
    """The operations to be taken back, newest first, the files that change, and who moves by that."""

    undone: tuple[ClosedOperation, ...]
    writes: tuple[FileWrite, ...] = ()
    effects: tuple[Effect, ...] = ()


def undo(workspace: Workspace, number: int | None, mode: RunMode) -> Result:
    """Take back the newest operation, or every one from the newest down to operation ``number``.

    An ``undo`` is taken back by its number, as long as nothing came after it. Exit code 1 where
    there is nothing to undo. Raises UndoRefused where an operation cannot be taken back,
    DocumentChanged where a document is no longer what the operation left; nothing is written then.
    """

    def make(metadata: Metadata) -> _Plan:
        pending = pending_notice(metadata) if mode.dry else []
        if pending:
            raise UndoRefused(
                f"{pending[0]}; what undo would do is not known before", hint="intermem sweep finishes it"
            )
        return _planned(workspace, metadata, number)

    with operation(workspace, VERB, mode, make, forgets=False) as op:
        plan = op.plan
        if plan.undone:
            plan = op.begin()
            op.commit(effects=plan.effects, writes=plan.writes, undoes=[one.operation.id for one in plan.undone])
    return Result(
        verb=VERB,
        data={"undone": list(plan.undone), "dry_run": mode.dry},
        exit_code=OK if plan.undone else FINDINGS,
        notices=(*op.notices, *_committed(workspace, plan)),
        changes=tuple(FileDiff(one.document, _text(one.before), _text(one.after)) for one in plan.writes),
        show_diff=mode.show_diff,
    )


def operations(workspace: Workspace, limit: int | None) -> Result:
    """Return the operations on record, newest first; exit code 1 where there is none. Writes nothing."""
    most = workspace.config.count("query.limit") if limit is None else limit
    with workspace.viewing() as metadata:
        found = past_operations(metadata)
        said = pending_notice(metadata)
    shown = found[:most] if most else found
    return Result(verb=VERB, data={"operations": shown}, exit_code=OK if shown else FINDINGS, notices=tuple(said))


def _planned(workspace: Workspace, metadata: Metadata, number: int | None) -> _Plan:
    everything = past_operations(metadata)
    chosen = _chosen(everything, number)
    for one in chosen:
        if one.damaged:
            raise UndoRefused(
                f"{_named(one)} is not what was written in metadata.db; nothing was changed",
                hint="intermem doctor --repair; git has the documents",
            )
        if not one.kept:
            raise UndoRefused(
                f"{_named(one)} is older than what is kept for undo; nothing was changed",
                hint="undo.operations says how many are kept, a purge forgets them all; git has the documents",
            )
    return _Plan(tuple(chosen), tuple(_writes(workspace, chosen)), tuple(_effects(chosen)))


def _chosen(everything: Sequence[ClosedOperation], number: int | None) -> list[ClosedOperation]:
    holding = [one for one in everything if one.undone_by is None and not _came_to_nothing(one)]
    runs = [one for one in holding if one.operation.verb != VERB]
    if number is None:
        return [one for one in runs[:2] if one is runs[0] or _is_the_same_run(one, runs[0])]
    meant = next((one for one in everything if one.operation.id == number), None)
    if meant is None:
        raise UndoRefused(f"there is no operation {number}", hint="intermem undo --list")
    if meant.undone_by is not None:
        hint = f"intermem undo {meant.undone_by} brings it back" if meant.operation.verb != VERB else ""
        raise UndoRefused(f"{_named(meant)} is undone already, by operation {meant.undone_by}", hint=hint)
    if meant.operation.verb != VERB:
        return [one for one in runs if one.operation.id >= number]
    if holding[0] is not meant:
        raise UndoRefused(
            f"{_named(meant)} can be taken back only while it is the last one; {_named(holding[0])} came after it",
            hint="intermem undo --list",
        )
    return [meant]


def _is_the_same_run(one: ClosedOperation, other: ClosedOperation) -> bool:
    """True for the two operations of a repair: documents first, then what they say."""
    ours, theirs = one.operation, other.operation
    return ours.verb == theirs.verb == "doctor" and ours.at == theirs.at


def _came_to_nothing(one: ClosedOperation) -> bool:
    """True for an undo that could not write its documents."""
    return one.operation.verb == VERB and one.state == SETTLED and not one.records


def _writes(workspace: Workspace, chosen: Sequence[ClosedOperation]) -> list[FileWrite]:
    """What puts each file back: from what the newest operation on it left to what the oldest found."""
    ends: dict[Path, FileWrite] = {}
    for one in chosen:
        for intent in one.operation.intents:
            here = located(intent, workspace.checkout, workspace.is_ours)
            later = ends.get(here.path)
            if here.root != workspace.root and not here.root.exists():
                continue  # a worktree that was removed, documents and all
            if here.root != workspace.root:
                raise _elsewhere(one, here)
            if one.state == SETTLED and file_state(here) == "before":
                continue  # it was never written
            if (later.digest_after != here.digest_after) if later is not None else (file_state(here) != "after"):
                raise _edited(one, here)
            now = later.before if later is not None else here.after
            ends[here.path] = file_write_of(
                workspace.checkout, here.path, here.document, now, here.before, workspace.now
            )
    return [one for one in ends.values() if one.digest_before != one.digest_after]


def _effects(chosen: Sequence[ClosedOperation]) -> list[Effect]:
    """What the documents come to for each entry: it counts only where a person edits one of them meanwhile."""
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
    """What is to be known of entries that leave a document whose commit at HEAD holds them."""
    leaving = {one.entry_id: one.document for one in plan.effects if not one.stands}
    held: dict[str, int] = {}
    for name in sorted(set(leaving.values())) if workspace.worktree is not None else ():
        assert workspace.worktree is not None
        text = workspace.worktree.text_at(f"HEAD:{workspace.worktree.prefix}{name}")
        try:
            region = find_region(text, name) if text is not None else None
        except IntermemError:
            region = None
        count = sum(1 for key in (region.ids if region is not None else ()) if leaving.get(key) == name)
        held |= {name: count} if count else {}
    return [
        f"HEAD holds {count} of these entries in {name}: once their removal is committed they count as taken out by a"
        " person (intermem restore lifts that)"
        for name, count in held.items()
    ]


def _named(one: ClosedOperation) -> str:
    return f"operation {one.operation.id} ({one.operation.verb})"


def _edited(one: ClosedOperation, intent: FileWrite) -> DocumentChanged:
    return DocumentChanged(
        f"{intent.document} is no longer what {_named(one)} left; nothing was changed",
        hint=f"git diff {intent.document} shows it; intermem demote and restore move single entries",
    )


def _elsewhere(one: ClosedOperation, intent: FileWrite) -> UndoRefused:
    return UndoRefused(f"{_named(one)} was at work in {intent.root}; nothing was changed", hint="undo it from there")


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8")
