"""The write-ahead journal: what a run will do to documents, written down before it is done.

Redo only, one operation at a time. An intent holds the new bytes of a file, so that an interrupted
run can be completed; effects are the record changes that apply once the files are replaced. One
transaction applies the effects and closes the operation. Intents and before-images keep the old
state for ``undo``.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.times import format_time, parse_time
from intermem.entities import HistoryRow
from intermem.errors import NoSuchEntry, StateError, UnreadableTime
from intermem.lazy_dataclass import dataclass
from intermem.storage.metadata import Metadata
from intermem.storage.operations import (
    DONE,
    PENDING,
    SETTLED,
    ClosedOperation,
    FileWrite,
    JournaledOperation,
    checksum,
    effects_as_json,
    operation_in,
    stored_path,
    verified_operation,
)
from intermem.storage.record_writes import (
    add_aliases,
    add_history,
    delete_records,
    drop_alias,
    rename_record,
    save_records,
)
from intermem.storage.secure_delete import PURGE
from intermem.storage.undo_log import (
    changed_records,
    changing_operations,
    has_images,
    prune_undo_log,
    revert,
    start_recording,
    stop_recording,
)

_EVENTS = {
    "promote": ("promoted", "into"),
    "restore": ("restored", "into"),
    "demote": ("demoted", "out of"),
    "reject": ("rejected", "out of"),
    "supersede": ("superseded", "out of"),
    "delete": ("deleted", "out of"),
}


@dataclass(slots=True)
class Recording:
    """An operation under way. ``pending`` is set once there is something to do after the commit."""

    metadata: Metadata
    id: int
    verb: str
    at: datetime
    pending: JournaledOperation | None = None

    def intends(
        self, effects: Iterable[Effect] = (), intents: Iterable[FileWrite] = (), undoes: Iterable[int] = ()
    ) -> None:
        """Journal what is to be done after the commit; if there is nothing, the operation is done by then."""
        planned = JournaledOperation(
            id=self.id,
            verb=self.verb,
            at=self.at,
            effects=tuple(effects),
            intents=tuple(intents),
            undoes=tuple(undoes),
        )
        if planned.effects or planned.intents or planned.undoes:
            _journal(self.metadata, planned)
            self.pending = planned


@contextlib.contextmanager
def recorded(metadata: Metadata, verb: str, now: datetime, keep: int | None) -> Iterator[Recording]:
    """Run a transaction as one operation that can be undone.

    What it ``intends`` is still pending afterwards, and the caller's to finish. The newest ``keep``
    operations, this one included, can be undone; None keeps all, for ``undo`` itself. A run that
    changes nothing leaves no trace, but for a purge, which destroys after the transaction.
    """
    with metadata.transaction():
        if keep is not None:
            prune_undo_log(metadata, keep - 1)
        cursor = metadata.execute(
            "INSERT INTO operations (verb, at, state, effects, checksum) VALUES (?, ?, ?, '[]', '')",
            (verb, format_time(now), DONE),
        )
        run = Recording(metadata, int(cursor.lastrowid or 0), verb, now)
        start_recording(metadata, run.id)
        yield run
        stop_recording(metadata)
        if run.pending is None and verb != PURGE and not has_images(metadata, run.id):
            metadata.execute("DELETE FROM operations WHERE id = ?", (run.id,))


def _journal(metadata: Metadata, operation: JournaledOperation) -> None:
    listed, undoes = effects_as_json(operation.effects), json.dumps(operation.undoes)
    metadata.execute(
        "UPDATE operations SET state = ?, effects = ?, undoes = ?, checksum = ? WHERE id = ?",
        (PENDING, listed, undoes, checksum(metadata.key, operation, listed), operation.id),
    )
    metadata.executemany(
        "INSERT INTO intents (operation_id, root, checkout, path, document, digest_before, digest_after, temp_name,"
        " content_before, content_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                operation.id,
                stored_path(one.root),
                one.checkout,
                stored_path(one.path),
                one.document,
                one.digest_before,
                one.digest_after,
                one.temp_name,
                one.before,
                one.after,
            )
            for one in operation.intents
        ],
    )


def closed_operations(metadata: Metadata) -> list[ClosedOperation]:
    """Return the closed operations, newest first, without the one under way."""
    rows = metadata.fetch(
        "SELECT * FROM operations WHERE state != ? AND id NOT IN (SELECT operation_id FROM recording) ORDER BY id DESC",
        (PENDING,),
    )
    changed, at_work = changed_records(metadata), changing_operations(metadata)
    purged = metadata.fetch("SELECT coalesce(max(at), '') FROM history WHERE event IN ('purged', 'forgotten')")[0][0]
    found: list[ClosedOperation] = []
    for row in rows:
        operation = verified_operation(metadata, row)
        found.append(
            ClosedOperation(
                operation=operation or _damaged(row),
                state=row["state"],
                undone_by=row["undone_by"],
                kept=bool(row["kept"]),
                records=changed.get(row["id"], 0),
                damaged=operation is None,
                purged=not row["kept"] and row["at"] <= purged,
                changed=not row["kept"] or operation is None or row["id"] in at_work,
            )
        )
    return found


def _damaged(row: sqlite3.Row) -> JournaledOperation:
    """Return what is known of a damaged operation; if its time cannot be read, it is the oldest possible."""
    try:
        at = parse_time(row["at"], whose="")
    except UnreadableTime:
        at = datetime.fromtimestamp(0, UTC)
    return JournaledOperation(id=row["id"], verb=row["verb"], at=at)


def pending_operations(metadata: Metadata) -> list[JournaledOperation]:
    """Return the operations that were begun but not closed, oldest first.

    Raises StateError if one does not match its checksum.
    """
    found: list[JournaledOperation] = []
    for row in metadata.fetch("SELECT * FROM operations WHERE state = ? ORDER BY id", (PENDING,)):
        operation = verified_operation(metadata, row)
        if operation is None:
            raise StateError(
                f"operation {row['id']} in metadata.db is damaged; no document was touched",
                hint="intermem doctor --repair closes it; records then follow the documents",
            )
        found.append(operation)
    return found


def close_operation(
    metadata: Metadata, operation: JournaledOperation, holds: Sequence[bool] | None = None, why: str = ""
) -> None:
    """Apply the effects and close the operation, inside the caller's transaction.

    ``holds`` says for each effect whether it matches the documents (None: all do, the operation is
    done). An effect that does not only adds to the history, with ``why``. The operations that this
    one ``undoes`` are reverted only if it is done.
    """
    start_recording(metadata, operation.id)
    reverts = bool(operation.undoes) and holds is None
    effects = () if reverts else operation.effects  # those of an undo apply only if it is settled
    verdicts = [True] * len(effects) if holds is None else list(holds)
    rows = _undone(metadata, operation) if reverts else []
    for effect, held in zip(effects, verdicts, strict=True):
        if held:
            rows.append(_applied(metadata, operation, effect))
        else:
            _, way = _EVENTS[effect.kind]
            detail = f"{effect.kind} {way} {effect.document} did not happen: {why}"
            rows.append(_history(operation, effect.entry_id, "settled", detail))
    if operation.undoes and holds is not None:
        rows.append(_history(operation, None, "settled", f"{_numbers(operation.undoes)} was not undone: {why}"))
    add_history(metadata, rows)
    state = DONE if holds is None else SETTLED
    metadata.execute("UPDATE operations SET state = ? WHERE id = ?", (state, operation.id))
    stop_recording(metadata)


def close_damaged(metadata: Metadata, now: datetime) -> list[int]:
    """Close every damaged operation without applying it; return the numbers of those that were pending.

    Inside the caller's transaction. The records then follow the documents, as after any edit; none of
    these operations can be undone.
    """
    closed: list[int] = []
    for row in metadata.fetch("SELECT * FROM operations WHERE state = ? OR kept ORDER BY id", (PENDING,)):
        if verified_operation(metadata, row) is None:
            state = SETTLED if row["state"] == PENDING else row["state"]
            metadata.execute("UPDATE operations SET state = ?, kept = 0 WHERE id = ?", (state, row["id"]))
            closed += [row["id"]] if row["state"] == PENDING else []
    add_history(
        metadata,
        (
            HistoryRow(at=now, event="settled", entry_id=None, detail="its journal entry was damaged", operation=one)
            for one in closed
        ),
    )
    return closed


def _undone(metadata: Metadata, operation: JournaledOperation) -> list[HistoryRow]:
    """Revert what ``operation`` undoes; return the history rows, one for each effect that is undone."""
    rows: list[HistoryRow] = []
    for number in sorted(operation.undoes, reverse=True):
        row = metadata.fetch("SELECT * FROM operations WHERE id = ?", (number,))[0]
        undone = operation_in(metadata, row)
        said = f"operation {number}, {undone.verb} of {format_time(undone.at)}"
        rows.append(_history(operation, None, "undone", said))
        rows += [
            _history(
                operation,
                effect.standing_id,
                "undone",
                ", ".join(filter(None, (f"{said}: {effect.kind}", effect.document))),
            )
            for effect in undone.effects
        ]
        told = {effect.entry_id for effect in undone.effects} | {effect.standing_id for effect in undone.effects}
        rows += [
            _history(operation, key, "undone", f"{said}: {event}")
            for key, event in metadata.fetch(
                "SELECT entry_hash, event FROM history WHERE operation_id = ? AND entry_hash IS NOT NULL ORDER BY id",
                (number,),
            )
            if key not in told
        ]
    revert(metadata, operation.undoes)
    metadata.executemany(
        "UPDATE operations SET undone_by = ? WHERE id = ?", [(operation.id, number) for number in operation.undoes]
    )
    return rows


def _numbers(operations: Sequence[int]) -> str:
    return f"operation{'s' if len(operations) > 1 else ''} {', '.join(str(one) for one in sorted(operations))}"


def _applied(metadata: Metadata, operation: JournaledOperation, effect: Effect) -> HistoryRow:
    try:
        before = metadata.record(effect.entry_id)
    except NoSuchEntry:  # deleted since; reconciling with the documents brings it back
        return _history(operation, effect.entry_id, "settled", "no longer on record")
    after = after_effect(before, effect, operation.at)
    if after.id != before.id:
        rename_record(metadata, before.id, after.id)
    save_records(metadata, [(before, after)])
    if effect.heir is not None:
        add_aliases(metadata, {after.id: effect.heir})
    elif effect.stands:
        drop_alias(metadata, after.id)
    event, way = _EVENTS[effect.kind]
    if effect.kind == "delete":
        delete_records(metadata, [after.id])
    where = f"{way} {effect.document}: " if effect.document else ""  # none if it was rejected before it was promoted
    return replace(_history(operation, after.id, event, f"{where}{effect.logged}"), cause=effect.cause)


def _history(operation: JournaledOperation, entry_id: str | None, event: str, detail: str) -> HistoryRow:
    return HistoryRow(at=operation.at, event=event, entry_id=entry_id, detail=detail, operation=operation.id)
