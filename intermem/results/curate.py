"""Results of the commands that curate: init, scan, promote, sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from intermem.lazy_dataclass import dataclass
from intermem.results import Miss, Result, WritingResult

if TYPE_CHECKING:
    from datetime import datetime

    from intermem.core.lifecycle.gates import Refusal
    from intermem.core.lifecycle.stability import Ahead
    from intermem.core.worth.points import Point
    from intermem.entities import HistoryRow, Judged, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class InitResult(WritingResult):
    """Where everything is, and what ``init`` wrote.

    ``memory`` is None if none was found; ``adopted`` are the ids of entries that moved into a region; ``snippets`` are
    ready to paste, by what they are for.
    """

    verb: str = "init"
    document: str
    memory: str | None
    memory_found_by: str | None
    state: str
    written: Sequence[str]
    adopted: Sequence[str]
    snippets: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult(WritingResult):
    """A snapshot: its files and entries, and how many of them are new, seen again, counted or gone.

    ``purged`` counts the notes that were purged and are not learnt again; they are none of the entries. ``stable``
    counts those that wait for ``promote``, ``newly_stable`` those of them that were not stable before. Where nothing is
    stable, ``next_counted`` is the snapshot to wait for.
    """

    verb: str = "scan"
    memory: str
    files: int
    entries: int
    new: int
    seen_again: int
    counted: int
    gone: int
    purged: int
    stable: int
    newly_stable: int
    next_counted: Ahead | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteResult(WritingResult):
    """The entries promoted into ``document``, as they are afterwards, and those refused, the nearest misses first.

    ``next_counted`` is the snapshot to wait for, if snapshots are all that some of the refused lack. ``known`` counts
    the entries that were looked at, promoted ones too. ``reconciled`` is what people did to the documents since the
    last run, ``at`` the time of this one. ``asked``: a person was asked. ``lists_all``: every refusal is wanted.
    """

    verb: str = "promote"
    document: str
    promoted: Sequence[Record]
    refused: Sequence[Miss]
    next_counted: Ahead | None
    known: int
    at: datetime
    asked: bool
    lists_all: bool
    reconciled: Sequence[HistoryRow]


@dataclass(frozen=True, slots=True)
class SimilarText:
    """A text that resembles a candidate, with its likeness (0..1000).

    ``id`` is that of the other candidate, None for a line of the document.
    """

    text: str
    likeness: int
    id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateEntry:
    """An entry that could be promoted.

    ``text`` is the whole note, ``excerpt`` what would be written (None: nothing fits) and ``tokens`` its size;
    ``section`` is the heading it would stand below. ``worth`` (0..1000) is the sum of ``reasons``; ``held`` are the
    gates that hold it back, and that a person's word is above.
    """

    id: str
    text: str
    excerpt: str | None
    section: str
    worth: int
    reasons: Sequence[Point]
    held: Sequence[Refusal]
    citations: Sequence[Judged]
    similar: Sequence[SimilarText]
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much of something is used, and how much is allowed (0: any amount)."""

    used: int
    allowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesResult(Result):
    """The candidates for ``document``, best first (``promote --candidates``).

    ``budget`` is that of its region, by what is counted; ``more`` candidates were left out by the limit.
    """

    verb: str = "promote"
    document: str
    budget: Mapping[str, Allowance]
    candidates: Sequence[CandidateEntry]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult(WritingResult):
    """The counts of a sweep, and the entries that it demoted (as they are afterwards), expired or deleted.

    Of what is stale in a document and stays, ``waiting`` may go in a later sweep, is ``due`` and kept by
    ``--no-demote``, or is ``spared`` for now, put back or adopted lately. ``streaks_moved`` is False if the last sweep
    was too recent for this one to count.
    """

    verb: str = "sweep"
    swept: int
    decayed: int
    stale: int
    waiting: int
    due: int
    spared: int
    demoted: Sequence[Record]
    expired: Sequence[Record]
    deleted: Sequence[Record]
    demoted_from: Sequence[str]
    reconciled: Sequence[HistoryRow]
    streaks_moved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CurateResult(WritingResult):
    """What ``curate`` did: a sweep, and a promotion if that was asked for."""

    verb: str = "curate"
    sweep: SweepResult
    promote: PromoteResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageLine:
    """What happened to one entry, in a commit message: the event, its verb, the entry's id and text, and the cause."""

    what: str
    verb: str
    id: str
    text: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitMessage:
    """A commit message: its subject, a line an entry, and what observers said, in words."""

    subject: str
    lines: Sequence[MessageLine]
    observed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageResult(Result):
    """The commit message for what of the ledger is not committed, after a command; None if all of it is."""

    has_table: ClassVar[bool] = False
    renderer: ClassVar[str] = "message:print_message"

    message: CommitMessage | None
