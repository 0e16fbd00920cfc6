"""Operations and intents: what a run is about to do to documents, written down before it does it.

Redo only, an operation at a time. An intent holds the new bytes, so that an interrupted run can be
finished; effects are the changes of records that hold once the documents are replaced. One
transaction applies the effects and closes the operation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from intermem.core.observation import preview_of
from intermem.core.times import format_time, parse_time
from intermem.entities import HistoryRow, Record, Status
from intermem.errors import StateError
from intermem.storage.metadata import Metadata
from intermem.storage.writing import add_aliases, add_history, drop_alias, rename_record, save_records

PENDING, DONE, SETTLED = "pending", "done", "settled"

_WORDS = {
    "promote": ("promoted", "into"),
    "restore": ("restored", "into"),
    "demote": ("demoted", "out of"),
    "reject": ("rejected", "out of"),
    "supersede": ("superseded", "out of"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One file to be replaced. ``path`` is absolute, below ``root``, ``document`` its name; digests are SHA-256.

    ``before`` and its digest are None where the file does not exist yet.
    """

    root: Path
    checkout: str
    path: Path
    document: str
    digest_before: str | None
    digest_after: str
    temp_name: str
    before: bytes | None
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What becomes of a record when the operation is done.

    ``kind`` is promote, restore (into the document), demote, reject or supersede (out of it).
    ``new_id`` and ``new_text`` are set where a person edited the text on its way in; ``heir`` is the
    entry whose text took this one's place; ``grace_until`` the time from which sweeps count again.
    """

    kind: str
    entry_id: str
    document: str
    reason: str
    original_confidence: int | None = None
    new_id: str | None = None
    new_text: str | None = None
    heir: str | None = None
    grace_until: str | None = None

    @property
    def stands(self) -> bool:
        """True where the entry is in the document once the effect holds."""
        return self.kind in ("promote", "restore")

    @property
    def standing_id(self) -> str:
        """The identity under which the entry stands in the document."""
        return self.new_id or self.entry_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One run of a writing command."""

    id: int
    verb: str
    at: datetime
    effects: tuple[Effect, ...]
    intents: tuple[Intent, ...]


def open_operation(
    metadata: Metadata, verb: str, now: datetime, effects: Sequence[Effect], intents: Sequence[Intent]
) -> Operation:
    """Write down an operation as pending, inside the caller's transaction."""
    listed = _as_json(effects)
    cursor = metadata.execute(
        "INSERT INTO operations (verb, at, state, effects, checksum) VALUES (?, ?, ?, ?, ?)",
        (verb, format_time(now), PENDING, listed, _checksum(listed, intents)),
    )
    number = int(cursor.lastrowid or 0)
    metadata.executemany(
        "INSERT INTO intents (operation_id, root, checkout, path, document, digest_before, digest_after, temp_name,"
        " content_before, content_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                number,
                _stored(one.root),
                one.checkout,
                _stored(one.path),
                one.document,
                one.digest_before,
                one.digest_after,
                one.temp_name,
                one.before,
                one.after,
            )
            for one in intents
        ],
    )
    return Operation(id=number, verb=verb, at=now, effects=tuple(effects), intents=tuple(intents))


def pending_operations(metadata: Metadata) -> list[Operation]:
    """Return the operations that were begun and not closed, oldest first.

    Raises StateError where one is not what was written (its checksum says so).
    """
    found: list[Operation] = []
    for row in metadata.fetch("SELECT * FROM operations WHERE state = ? ORDER BY id", (PENDING,)):
        intents = tuple(
            Intent(
                root=_path(one["root"]),
                checkout=one["checkout"],
                path=_path(one["path"]),
                document=one["document"],
                digest_before=one["digest_before"],
                digest_after=one["digest_after"],
                temp_name=one["temp_name"],
                before=one["content_before"],
                after=one["content_after"],
            )
            for one in metadata.fetch("SELECT * FROM intents WHERE operation_id = ? ORDER BY id", (row["id"],))
        )
        if _checksum(row["effects"], intents) != row["checksum"]:
            raise StateError(
                f"operation {row['id']} in metadata.db is damaged; no document was touched",
                hint="restore it from a backup, or put it aside (demoted texts are only there) and scan anew",
            )
        at = parse_time(row["at"], whose=f"operation {row['id']}")
        effects = tuple(Effect(**one) for one in json.loads(row["effects"]))
        found.append(Operation(id=row["id"], verb=row["verb"], at=at, effects=effects, intents=intents))
    return found


def close_operation(
    metadata: Metadata, operation: Operation, holds: Sequence[bool] | None = None, why: str = ""
) -> None:
    """Apply the effects and close the operation, inside the caller's transaction.

    ``holds`` says of each effect whether the documents bear it out (None: all, the operation is
    done); an effect that does not hold changes nothing but the history, which says ``why``.
    """
    verdicts = [True] * len(operation.effects) if holds is None else list(holds)
    rows: list[HistoryRow] = []
    for effect, held in zip(operation.effects, verdicts, strict=True):
        if held:
            rows.append(_applied(metadata, operation, effect))
        else:
            _, way = _WORDS[effect.kind]
            detail = f"{effect.kind} {way} {effect.document} did not happen: {why}"
            rows.append(_history(operation, effect.entry_id, "settled", detail))
    add_history(metadata, rows)
    state = DONE if holds is None else SETTLED
    metadata.execute("UPDATE operations SET state = ? WHERE id = ?", (state, operation.id))


def _applied(metadata: Metadata, operation: Operation, effect: Effect) -> HistoryRow:
    before = metadata.record(effect.entry_id)
    after = after_effect(before, effect, operation.at)
    if after.id != before.id:
        rename_record(metadata, before.id, after.id)
    save_records(metadata, [(before, after)])
    if effect.heir is not None:
        add_aliases(metadata, {after.id: effect.heir})
    elif effect.stands:
        drop_alias(metadata, after.id)
    event, way = _WORDS[effect.kind]
    return _history(operation, after.id, event, f"{way} {effect.document}: {effect.reason}")


def after_effect(record: Record, effect: Effect, at: datetime) -> Record:
    """Return ``record`` as it stands once ``effect`` holds: what ``close_operation`` stores."""
    if not effect.stands:
        gone = replace(record, document=None, missing_from=None, reason=effect.reason)
        if effect.kind == "reject":
            return replace(gone, rejected_at=at, pinned=False)
        return replace(gone, status=Status.DEMOTED, demoted_at=at, superseded_by=effect.heir or record.superseded_by)
    text = effect.new_text or record.text
    until = effect.grace_until
    return replace(
        record,
        id=effect.standing_id,
        text=text,
        preview=preview_of(text or record.preview),
        read_by=0 if effect.new_text else record.read_by,
        status=Status.ACTIVE,
        document=effect.document,
        missing_from=None,
        promoted_at=at,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        stale_streak=0,
        grace_until=None if until is None else parse_time(until, whose=f"entry {record.id}, grace"),
        original_confidence=effect.original_confidence,
        reason=effect.reason,
    )


def _history(operation: Operation, entry_id: str, event: str, detail: str) -> HistoryRow:
    return HistoryRow(at=operation.at, event=event, entry_id=entry_id, detail=detail, operation=operation.id)


def _stored(path: Path) -> str:
    """A path as ASCII: a file name need not be UTF-8, a TEXT column must."""
    return quote_from_bytes(bytes(path), safe="/ ")


def _path(stored: str) -> Path:
    return Path(unquote_to_bytes(stored).decode("utf-8", "surrogateescape"))


def _as_json(effects: Sequence[Effect]) -> str:
    return json.dumps([asdict(effect) for effect in effects], ensure_ascii=False, sort_keys=True)


def _checksum(effects: str, intents: Sequence[Intent]) -> str:
    digest = hashlib.sha256(effects.encode("utf-8"))
    for intent in intents:
        for part in (
            str(intent.root),
            str(intent.path),
            intent.document,
            intent.digest_before,
            intent.digest_after,
            intent.temp_name,
        ):
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
        digest.update(hashlib.sha256(intent.after).digest())
        digest.update(b"-" if intent.before is None else hashlib.sha256(intent.before).digest())
    return digest.hexdigest()
