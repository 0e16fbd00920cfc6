"""The words of the design, as frozen values.

Nothing here reads, writes or decides. Confidences are integers in thousandths (0..1000), so that
0.3 is 0.3; times are aware datetimes in UTC with whole seconds; line numbers start at 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

FULL = 1000  # thousandths: a confidence is 0..FULL
LEDGER = ".intermem/ledger.jsonl"  # below the project root, meant to be committed
INDEX_NAME = "MEMORY.md"  # the index file of a memory
UNTYPED = "untyped"
DEPARTURES = ("demoted", "superseded", "rejected", "deleted", "purged")  # events by which an entry leaves


class Status(StrEnum):
    """Where a record stands (seeds/S4 names these three)."""

    ACTIVE = "active"
    STALE = "stale"
    DEMOTED = "demoted"


class VerdictStatus(StrEnum):
    """What the repository says about a citation."""

    VALID = "valid"
    MOVED = "moved"
    BROKEN = "broken"
    AMBIGUOUS = "ambiguous"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an entry stands in the memory: a file relative to it, and inclusive lines."""

    file: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One fact of the memory.

    ``text`` is what would be written into a document: without list marker, dedented, a lead-in
    put before it. ``trail`` holds the headings above it, outermost first; ``session`` the
    ``originSessionId`` of its file.
    """

    id: str
    text: str
    section: str
    trail: tuple[str, ...] = ()
    type: str = UNTYPED
    source: Source
    session: str | None = None


class Stance(StrEnum):
    """What a text says of a thing that it cites: that it is there, is gone, or is planned, elsewhere, an example."""

    PLAIN = "plain"
    GONE = "gone"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A reference in an entry, as written (``text``) and as read (``name`` and lines).

    ``name`` is what is looked up: a path, a dotted name, a command line. ``stance`` is what
    the entry itself says of the thing. ``weak`` marks prose
    and fences: enough to confirm, not enough to alarm on what was never seen. ``link`` marks the
    target of a Markdown link. ``anchor`` is the commit at which it was last known to hold, or up to
    which history has been searched for it.
    """

    kind: str
    text: str
    name: str
    first_line: int | None = None
    last_line: int | None = None
    stance: Stance = Stance.PLAIN
    weak: bool = False
    link: bool = False
    anchor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A citation judged. ``target`` is a path in the repository (``path:line`` for lines).

    ``origin`` is where a path stood before it moved there; it is not kept in metadata.db.
    """

    status: VerdictStatus
    target: str | None = None
    reason: str = ""
    commit: str | None = None
    date: str | None = None
    candidates: tuple[str, ...] = ()
    claim: str | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A citation with its verdict."""

    citation: Citation
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The row of an entry in metadata.db.

    ``text`` is None only for a phase-1 row whose note has not been seen since; ``preview`` then
    holds its first 80 characters. ``document`` is the path of the document whose region holds the
    entry now. ``confidence`` is as of the last sweep or scan, after decay. ``in_memory`` is true where
    the last snapshot held the entry; ``read_by`` is the version of the citation rules that read it.

    ``missing_from`` is a document whose ledger promises the entry while its region lacks it. Until
    ``grace_until`` no sweep counts against it. ``superseded_by`` is the id of the note that took its
    place. ``feedback`` is the sum of its feedback in thousandths, and may be negative. A pin holds
    before ``pinned_until`` (None: for good). ``review_at`` is when a person called it outdated.
    ``last_accessed`` and ``access_count`` are what ``query`` returned it; no other writer touches them.
    """

    id: str
    text: str | None
    preview: str
    section: str
    trail: tuple[str, ...] = ()
    type: str = UNTYPED
    source_file: str
    status: Status = Status.ACTIVE
    confidence: int = 500
    base_confidence: int = 500
    original_confidence: int | None = None
    confidence_updated_at: datetime | None = None
    stale_streak: int = 0
    snapshot_count: int = 1
    counted_at: datetime | None = None
    first_seen: datetime
    last_seen: datetime
    promoted_at: datetime | None = None
    demoted_at: datetime | None = None
    rejected_at: datetime | None = None
    reason: str = ""
    document: str | None = None
    pinned: bool = False
    pinned_until: datetime | None = None
    missing_from: str | None = None
    grace_until: datetime | None = None
    superseded_by: str | None = None
    feedback: int = 0
    review_at: datetime | None = None
    last_accessed: datetime | None = None
    access_count: int = 0
    in_memory: bool = False
    read_by: int = 0
    citations: tuple[Judged, ...] = ()

    @property
    def shown_text(self) -> str:
        """The full text, or the preview where the full text is not known."""
        return self.text if self.text is not None else self.preview

    def is_pinned(self, now: datetime) -> bool:
        """True where a pin is in force at ``now``."""
        return self.pinned and (self.pinned_until is None or now < self.pinned_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that was refused by name while the rest went on.

    A ``fatal`` one ends the run with exit code 2; the others are warnings.
    """

    code: str
    where: str
    message: str
    hint: str = ""
    fatal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a person said of an entry: its kind, and ``amount`` thousandths that it adds to the confidence."""

    at: datetime
    kind: str
    amount: int
    severity: str = ""
    context: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Departure:
    """So many entries left by the ``event`` (one of ``DEPARTURES``) for the ``cause``, empty where it is not known."""

    event: str
    cause: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One change of state, as ``log`` shows it. ``at`` is when; ``detail`` is a sentence.

    ``cause`` sorts what left a document or the database: decay, citations, feedback, hand, prune,
    retention, superseded, ledger; empty for everything else.
    """

    at: datetime
    event: str
    entry_id: str | None
    detail: str
    operation: int | None = None
    cause: str = ""
