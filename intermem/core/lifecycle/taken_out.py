"""What a person took out of the documents, as other notes say it again: these wait until a person has decided."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from intermem.core.entries.similarity import duplicate_of, says_the_same
from intermem.core.entries.wordings import newest_wording
from intermem.core.lifecycle.gates import Refusal, flag_of, withdrawal_of
from intermem.core.times import earlier
from intermem.entities import SUPERSEDED_BY, Record, Status


class TakenOut:
    """The ``records`` that a person took out, by their words and by what became of their notes.

    ``similarity`` is from when on two texts say the same. ``grace`` is how long sweeps spare what a person restores:
    by it a record says when that was.
    """

    def __init__(self, records: Iterable[Record], similarity: float, grace: timedelta) -> None:
        by_id = {one.id: one for one in records}
        withdrawn = [one for one in by_id.values() if withdrawal_of(one) is not None]
        flagged = [one for one in by_id.values() if flag_of(one) is not None]  # it may still stand
        self._by_heir = {newest_wording(one, by_id).id: one for one in (*flagged, *withdrawn) if one.superseded_by}
        self._by_text = {one.shown_text: one for one in withdrawn}
        self._replaced = {
            one.shown_text: (one, newest_wording(one, by_id)) for one in by_id.values() if _is_replaced(one)
        }
        self._similarity, self._grace = similarity, grace

    def in_former_words(self, record: Record) -> Refusal | None:
        """Return why a new wording of a note may not be written that a person took out in its former one.

        Who has restored the new one since has decided.
        """
        old = self.in_former_wording(record)
        word = (withdrawal_of(old) or flag_of(old)) if old is not None else None
        if old is None or word is None or self._has_decided_since(record, old):
            return None
        said = f"{word.said} in its former wording {old.entry_id[:8]}"
        return Refusal(gate=word.gate, reason=f"{said}; {word.lifted_by} lifts that")

    def in_former_wording(self, record: Record) -> Record | None:
        """Return the former wording of a note in which a person took out or flagged what it says, else None."""
        old = self._by_heir.get(record.id)
        return old if old is not None and says_the_same(record.noted_text, old.noted_text) else None

    def in_other_words(self, record: Record, text: str) -> Refusal | None:
        """Return why ``text`` may not be written of a record: a person took it out in the words of another note.

        While that stood, this one was its duplicate. Who has restored this one since has decided. The same holds where
        a person chose another note to take the place of that, whether it stands or not.
        """
        wordings = {
            words: old
            for words, old in self._by_text.items()
            if old.id != record.id and not self._has_decided_since(record, old) and not _stood_then(record, old)
        }
        old = wordings.get(duplicate_of(text, wordings, self._similarity) or "")
        word = withdrawal_of(old) if old is not None else None
        if old is None or word is None:
            return self._in_place_of(record, text)
        said = f"{word.said} in other words, as {old.entry_id[:8]}"
        ways = f"intermem restore {record.entry_id[:8]}, or {word.lifted_by}, lifts that"
        return Refusal(gate=word.gate, reason=f"{said}; a person must decide: {ways}")

    def _in_place_of(self, record: Record, text: str) -> Refusal | None:
        waiting = {
            words: (old, heir)
            for words, (old, heir) in self._replaced.items()
            if withdrawal_of(heir) is None
            and record.id not in (old.id, heir.id)
            and not self._has_decided_since(record, old)
        }
        words = duplicate_of(text, waiting, self._similarity)
        if words is None:
            return None
        old, heir = waiting[words]
        said = f"{old.entry_id[:8]} says nearly the same, and a person chose {heir.entry_id[:8]} to take its place"
        return Refusal(gate="withdrawn", reason=f"{said}; intermem restore {record.entry_id[:8]} lifts that")

    def _has_decided_since(self, record: Record, old: Record) -> bool:
        """Return whether a person restored ``record`` after ``old`` was taken out."""
        return record.grace_until is not None and _taken_out_at(old) <= earlier(record.grace_until, self._grace)


def _stood_then(record: Record, old: Record) -> bool:
    """Return whether ``record`` stood as a person took ``old`` out, and stayed: that was a line too many."""
    if record.promoted_at is None or record.demoted_at is None:
        return False
    return record.promoted_at <= _taken_out_at(old) < record.demoted_at


def _is_replaced(record: Record) -> bool:
    is_out = record.status is Status.DEMOTED and record.document is None
    return is_out and record.superseded_by is not None and SUPERSEDED_BY in record.reason


def _taken_out_at(record: Record) -> datetime:
    times = (record.rejected_at, record.demoted_at, record.review_at)
    return max((one for one in times if one is not None), default=record.last_seen)
