"""The gates of promotion that depend on one entry alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import datetime

from intermem.core.entries.hazards import Hazard, in_words
from intermem.core.entries.secrets import hidden
from intermem.core.entries.similarity import DUPLICATE
from intermem.core.lifecycle.confidence import shown, signed
from intermem.core.lifecycle.stability import is_stable
from intermem.core.lifecycle.staleness import Assessment, Rules, is_only_unread, stale_reason
from intermem.core.region.budget import Budget
from intermem.core.times import format_date
from intermem.core.worth.points import heaviest
from intermem.core.worth.worth import Worth
from intermem.entities import Judged, Record
from intermem.lazy_dataclass import dataclass

MAX_CHARACTERS = 20_000  # the rules for hazards and secrets take time in proportion: here a third of a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of promotion; 0 is none.

    ``entries`` per run; the ``budget`` of a region; ``characters`` of one entry; the least ``worth`` (0..1000); the
    ``similarity`` of duplicates.
    """

    entries: int = 10
    budget: Budget = field(default_factory=Budget)
    characters: int = 400
    worth: int = 500
    similarity: float = DUPLICATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an entry is not promoted: the name of the gate, and the reason.

    ``twin`` is the identity of the line of an entry that says so already; empty if it is none's.
    """

    gate: str
    reason: str
    twin: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What a person said that keeps an entry out of the documents, and the command that lifts it."""

    gate: str
    said: str
    lifted_by: str


def withdrawal_of(record: Record) -> Withdrawal | None:
    """Return what a person said that keeps an entry out, the strongest word first; None if nobody said so."""
    restore = f"intermem restore {record.entry_id[:8]}"
    if record.rejected_at is not None:
        return Withdrawal("rejected", f"rejected on {format_date(record.rejected_at)}", restore)
    if record.document is not None:
        return None
    if record.kept_out:
        on = f" on {format_date(record.demoted_at)}" if record.demoted_at is not None else ""
        return Withdrawal("withdrawn", f"a person took it out{on}", restore)
    return flag_of(record)


def flag_of(record: Record) -> Withdrawal | None:
    """Return that the entry is flagged for review, wherever it stands; None if it is not."""
    if record.review_at is not None:
        confirm = f"intermem feedback {record.entry_id[:8]} confirm"
        return Withdrawal("review", f"flagged for review on {format_date(record.review_at)}", confirm)
    return None


def is_back_once_confirmed(record: Record) -> bool:
    """Return whether nothing that a person said keeps the entry out but that it is flagged for review."""
    word = withdrawal_of(record)
    return word is not None and word.gate == "review" and record.superseded_by is None


def gate(
    record: Record, assessment: Assessment, judged: Sequence[Judged], now: datetime, rules: Rules
) -> Refusal | None:
    """Return why a record may not be promoted whatever a person says, or None if it may.

    Duplicates, secrets and the budget depend on more than the record: see ``promotion``. Stability and worth are what
    a person's word is above: see ``stability_gate`` and ``worth_gate``.
    """
    if record.text is None:
        return Refusal(gate="text", reason="its text is not known here until a scan sees the note")
    word = withdrawal_of(record)
    if word is not None and word.gate == "rejected":
        return _withdrawn(word)
    if record.superseded_by is not None and record.in_memory:
        reason = f"superseded by {record.superseded_by[:8]}; intermem restore {record.entry_id[:8]} lifts that"
        return Refusal(gate="superseded", reason=reason)
    if word is not None and word.gate == "review":
        return _withdrawn(word)
    if record.missing_from is not None:
        puts = f"intermem restore {record.entry_id[:8]} puts it back"
        return Refusal(gate="missing", reason=f"missing from {record.missing_from}: {puts}")
    if record.type not in rules.types:
        return Refusal(gate="type", reason=_type_reason(record.type))
    if word is not None:
        return _withdrawn(word)
    if record.superseded_by is not None:
        reason = f"no longer in the memory: {record.superseded_by[:8]} has taken its place"
        return Refusal(gate="replaced", reason=reason)
    if not record.in_memory:
        return Refusal(gate="gone", reason=f"no longer in the memory (last seen {format_date(record.last_seen)})")
    if record.demoted_at is not None and record.last_seen == record.demoted_at:
        return Refusal(gate="demoted", reason=f"demoted on {format_date(record.demoted_at)}: a later scan must see it")
    if record.demoted_at is not None and record.last_seen < record.demoted_at:
        reason = f"demoted on {format_date(record.demoted_at)} and not seen since: intermem scan reads the memory"
        return Refusal(gate="demoted", reason=reason)
    if assessment.stale and is_only_unread(record, judged, now, rules):
        reason = f"no scan has read it since {format_date(record.last_seen)}: intermem scan reads the memory"
        return Refusal(gate="unread", reason=reason)
    if assessment.stale:
        return Refusal(gate="stale", reason=f"stale: {stale_reason(record, assessment, judged, now, rules.decay)}")
    if len(record.text) > MAX_CHARACTERS:
        reason = f"{len(record.text)} characters long: no rule reads more than {MAX_CHARACTERS}"
        return Refusal(gate="length", reason=reason)
    return None


def _withdrawn(word: Withdrawal) -> Refusal:
    return Refusal(gate=word.gate, reason=f"{word.said}; {word.lifted_by} lifts that")


def stability_gate(record: Record, rules: Rules) -> Refusal | None:
    """Return why an entry is not stable yet, or None if it is."""
    if is_stable(record, rules):
        return None
    reason = f"seen in {record.observed_count} of {rules.min_snapshots} snapshots"
    if record.imported_count:
        reason += f" (not counting {record.imported_count} from elsewhere)"
    return Refusal(gate="snapshots", reason=reason)


def worth_gate(worth: Worth, limits: Limits) -> Refusal | None:
    """Return why a text is not worth a line, or None if it is; see ``core.worth``."""
    if worth.text is None:
        reason = f"no part of it is complete within {limits.characters} characters"
        return Refusal(gate="length", reason=reason)
    if worth.score < limits.worth:
        against = [one for one in heaviest(worth.points) if one.points < 0]
        why = ", ".join(f"{one.says} ({signed(one.points)})" for one in against)
        reason = f"worth {shown(worth.score)} of {shown(limits.worth)}" + (f": {why}" if why else "")
        return Refusal(gate="worth", reason=reason)
    return None


def held_back(record: Record, worth: Worth, rules: Rules, limits: Limits) -> tuple[Refusal, ...]:
    """Return the gates that an entry does not pass and that a person's word is above."""
    return tuple(one for one in (worth_gate(worth, limits), stability_gate(record, rules)) if one is not None)


def hazard_gate(entry_id: str, hazards: Iterable[Hazard], *, decided: bool) -> Refusal | None:
    """Return why a text with ``hazards`` may not be written, or None if it may.

    What nobody can see is always refused, the rest unless a person has ``decided``, who saw the text at the prompt.
    ``--yes`` decides nothing: an agent says it as well.
    """
    hazards = list(hazards)
    unseen = [one for one in hazards if one.is_refused]
    if unseen:
        return Refusal(gate="invisible", reason=f"{in_words(unseen)}; delete that from the note")
    if hazards and not decided:
        ways = f"intermem promote {entry_id[:8]} on a terminal asks"
        return Refusal(gate="hazard", reason=f"a person must decide, {in_words(hazards)}; {ways}")
    return None


def _type_reason(kind: str) -> str:
    if kind == "user":
        return "private: notes of type user are never promoted"
    return f"type {hidden(kind)} is not in promote.types"
