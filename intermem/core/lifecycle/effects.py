"""Effects: how an operation changes a record once its files are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from intermem.core.entries.observation import preview_of
from intermem.core.lifecycle.confidence import shown
from intermem.core.times import parse_time
from intermem.entities import SUPERSEDED_BY, Record, Status
from intermem.lazy_dataclass import dataclass

BY_PERSON = ("hand", "prune")  # what left for these causes is put back by a person alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A change to a record when the operation completes.

    ``kind`` is promote or restore (into the document), demote, reject or supersede (out of it); delete is a
    demotion that also deletes the record. ``new_id`` and ``new_text`` are set if a person edited the text;
    ``heir`` is the entry whose text replaced this one; sweeps count again from ``grace_until``. ``cause`` is
    why an entry leaves, as in a row of the history, ``confidence`` what it had by then, in thousandths. ``stale`` is
    what it is found to be when it is put back.
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
    stale: bool = False
    confidence: int | None = None

    @property
    def logged(self) -> str:
        """The reason as the history keeps it, with the final confidence of what leaves (seeds/S2)."""
        return with_confidence(self.reason, self.confidence)

    @property
    def stands(self) -> bool:
        """Whether the entry is in the document after the effect."""
        return self.kind in ("promote", "restore")

    @property
    def standing_id(self) -> str:
        """The identity of the entry in the document."""
        return self.new_id or self.entry_id


def with_confidence(reason: str, confidence: int | None) -> str:
    """Return ``reason``, with the ``confidence`` in thousandths where it does not speak of it."""
    return reason if confidence is None or "confidence" in reason else f"{reason}; confidence {shown(confidence)}"


def stays_out(record: Record, cause: str) -> bool:
    """Return whether only a person puts ``record`` back once it leaves for ``cause``.

    A flag for review does not loosen that; an heir takes its place.
    """
    return cause in BY_PERSON or (record.kept_out and cause != "superseded")


def without_heir(record: Record, names: Iterable[str]) -> Record:
    """Return ``record`` once what superseded it, an entry of these ``names``, is no more.

    If a person had said that it does, the entry stays out until a person restores it.
    """
    said = any(f"{SUPERSEDED_BY} {name[:8]}" in record.reason for name in names)
    return replace(record, superseded_by=None, kept_out=record.kept_out or (said and record.status is Status.DEMOTED))


def after_effect(record: Record, effect: Effect, at: datetime) -> Record:
    """Return ``record`` after ``effect``, as ``close_operation`` stores it."""
    if not effect.stands:
        gone = replace(record, document=None, missing_from=None, reason=effect.reason)
        if effect.kind == "reject":
            return replace(gone, rejected_at=at, pinned=False, pinned_until=None)
        return replace(
            gone,
            status=Status.DEMOTED,
            demoted_at=at,
            superseded_by=effect.heir or record.superseded_by,
            kept_out=stays_out(record, effect.cause),
        )
    if effect.new_text is not None:
        record = record.reworded(effect.standing_id, effect.new_text)
    until = effect.grace_until
    return replace(
        record,
        preview=preview_of(record.text or record.preview),
        read_by=0 if effect.new_text else record.read_by,
        status=Status.STALE if effect.stale else Status.ACTIVE,
        document=effect.document,
        missing_from=None,
        promoted_at=at,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        kept_out=False,
        review_at=None,
        stale_streak=0,
        grace_until=None if until is None else parse_time(until, whose=f"entry {record.id}, grace"),
        original_confidence=effect.original_confidence,
        reason=effect.reason,
    )
