"""Results of the commands that read: query, status, why, log, doctor, verify, schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from intermem.lazy_dataclass import dataclass
from intermem.results import Diagnosis, Judgement, Result, Verified, WritingResult

if TYPE_CHECKING:
    from intermem.core.lifecycle.confidence import Signal
    from intermem.core.reconcile.ledger import Line
    from intermem.core.worth.points import Point
    from intermem.entities import Feedback, HistoryRow, Record, Source
    from intermem.storage.search import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult(Result):
    """The entries found; ``which`` is the kind of query: search, demoted, stale, pinned, review or all."""

    verb: str = "query"
    entries: Sequence[Record]
    which: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicsResult(Result):
    """The sections that have entries (``query --topics``)."""

    verb: str = "query"
    topics: Sequence[Topic]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionStatus:
    """A region: its lines in the document, its size and budget, and its blocks that are not on record.

    ``entries_elsewhere`` are lines of entries that are on record in another document.
    """

    first_line: int
    last_line: int
    lines: int
    tokens: int
    budget_tokens: int
    entries: int
    budget_entries: int
    entries_elsewhere: int
    other_blocks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentStatus:
    """A document and its region, None if it has none yet."""

    name: str
    region: RegionStatus | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCounts:
    """How many entries are on record, in all and by status."""

    all: int
    active: int
    stale: int
    demoted: int


@dataclass(frozen=True, slots=True)
class MissingEntry:
    """An entry that the ledger promises and its document lacks."""

    id: str
    document: str


@dataclass(frozen=True, slots=True)
class NextStale:
    """The promoted entry that goes stale first, and when; ``now`` if it already has, as ``others`` have by now."""

    id: str
    at: datetime
    now: bool
    others: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusResult(Result):
    """Where the project's files are, and how many entries they hold.

    ``memory`` is None if no memory was found; ``ledger`` counts its lines by status, None if there is no ledger.
    ``reconciled`` is what people did to the documents since the last run.
    """

    verb: str = "status"
    project_root: str
    state: str
    state_exists: bool
    memory: str | None
    memory_found_by: str | None
    documents: Sequence[DocumentStatus]
    entries: EntryCounts
    rejected: int
    pinned: int
    review: int
    promoted: int
    ledger: Mapping[str, int] | None
    reconciled: Sequence[HistoryRow]
    missing: Sequence[MissingEntry]
    last_snapshot: datetime | None
    last_sweep: datetime | None
    next_stale: NextStale | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredKey:
    """A key of the configuration: its value, where that comes from, and what it means."""

    key: str
    value: object
    origin: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationResult(Result):
    """Every key of the configuration."""

    verb: str = "config"
    configuration: Sequence[ConfiguredKey]


@dataclass(frozen=True, slots=True)
class Accesses:
    """How often ``query`` returned an entry, and when it last did."""

    count: int
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Alike:
    """Another note that is like an entry: its id and text, where it is, and if it is so ``but_a_word``."""

    id: str
    text: str
    sources: Sequence[Source]
    but_a_word: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowResult(Result):
    """One entry, where its note is, and the other notes that say the same."""

    verb: str = "show"
    entry: Record
    sources: Sequence[Source]
    also: Sequence[Alike]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyResult(Result):
    """Everything known about one entry. ``worth`` (0..1000) is the sum of ``reasons``.

    ``stale_on`` is when it goes stale (None: never) unless its age starts anew, as it does with ``decay_basis``:
    ``seen``, ``accessed``, ``latest`` (either), ``created`` (nothing does). ``also`` are other notes that say the same,
    ``held_by`` is the id of the one by which it counts as seen, if its own is gone. ``not_promoted_because`` is None if
    it is promoted or could be.
    """

    verb: str = "why"
    entry: Record
    sources: Sequence[Source]
    also: Sequence[Alike]
    signals: Sequence[Signal]
    worth: int
    reasons: Sequence[Point]
    stale: bool
    stale_on: datetime | None
    decay_basis: str
    held_by: str | None
    ledger: Line | None
    feedback: Sequence[Feedback]
    accessed: Accesses
    failures: int
    is_pinned: bool
    grace_is_over: bool
    not_promoted_because: str | None
    history: Sequence[HistoryRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartedResult(Result):
    """What is left of an entry whose record was deleted: its id, and its history, newest first."""

    verb: str = "why"
    id: str
    history: Sequence[HistoryRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogResult(Result):
    """The history, newest first."""

    verb: str = "log"
    history: Sequence[HistoryRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorResult(WritingResult):
    """The problems found."""

    verb: str = "doctor"
    findings: Sequence[Diagnosis]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyResult(Result):
    """The entries given, with the verdicts on their citations."""

    verb: str = "verify"
    entries: Sequence[Verified]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthResult(Result):
    """The entries given, with their worth; ``min_worth`` is the gate."""

    verb: str = "worth"
    min_worth: int
    entries: Sequence[Judgement]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleResult(Result):
    """A snippet that runs intermem regularly, ready to paste; ``kind`` names the scheduler, or the skill."""

    verb: str = "schedule"
    kind: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionsResult(Result):
    """The script with which a ``shell`` completes the command line."""

    verb: str = "completions"
    shell: str
    script: str
