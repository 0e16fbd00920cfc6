"""What an operation does to an entry once its files are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from intermem.core.entries.observation import preview_of
from intermem.core.times import parse_time
from intermem.entities import Record, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What becomes of a record when the operation is done.

    ``kind`` is promote, restore (into the document), demote, reject or supersede (out of it).
    ``new_id`` and ``new_text`` are set where a person edited the text on its way in; ``heir`` is the
    entry whose text took this one's place; ``grace_until`` the time from which sweeps count again.
    ``cause`` sorts what leaves, as a row of the history does. A ``delete`` is a demotion whose record goes as well.
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
    cause: str = ""

    @property
    def stands(self) -> bool:
        """True where the entry is in the document once the effect holds."""
        return self.kind in ("promote", "restore")

    @property
    def standing_id(self) -> str:
        """The identity under which the entry stands in the document."""
        return self.new_id or self.entry_id


def after_effect(record: Record, effect: Effect, at: datetime) -> Record:
    """Return ``record`` as it stands once ``effect`` holds: what ``close_operation`` stores."""
    if not effect.stands:
        gone = replace(record, document=None, missing_from=None, reason=effect.reason)
        if effect.kind == "reject":
            return replace(gone, rejected_at=at, pinned=False, pinned_until=None)
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
        review_at=None,
        stale_streak=0,
        grace_until=None if until is None else parse_time(until, whose=f"entry {record.id}, grace"),
        original_confidence=effect.original_confidence,
        reason=effect.reason,
    )
