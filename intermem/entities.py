"""The domain model: frozen records for entries, citations, verdicts and history.

No I/O and no decisions. Confidences are integers in thousandths (0..1000), so that
0.3 is 0.3; times are aware datetimes in UTC with whole seconds; line numbers start at 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from intermem.lazy_dataclass import dataclass

FULL = 1000  # thousandths: a confidence is 0..FULL
LEDGER = ".intermem/ledger"  # the folder of its events, below the project root, meant to be committed
TIER_FOLDER = "docs/intermem"  # of topic files, below the project root
OLD_LEDGER = ".intermem/ledger.jsonl"  # of 0.1: read, never written
INDEX_NAME = "MEMORY.md"  # the index file of a memory
UNTYPED = "untyped"
MENTIONED = "a hit in a comment or string"  # the reason of a valid verdict that proves nothing
FOR_REVIEW = "demoted for review"  # how the reason of such a demotion begins, in the ledger as well
SUPERSEDED_BY = "superseded by"  # the same, before the id of what took the place of the entry
REWORDED_INTO = "its note was reworded: replaced by"  # the same, where a promotion put a new wording in its place
DEPARTURES = ("demoted", "superseded", "rejected", "deleted", "purged")  # events that remove an entry


class Status(StrEnum):
    """The status of a record (seeds/S4 names these three)."""

    ACTIVE = "active"
    STALE = "stale"
    DEMOTED = "demoted"


class VerdictStatus(StrEnum):
    """How a citation compares with the repository."""

    VALID = "valid"
    MOVED = "moved"
    BROKEN = "broken"
    AMBIGUOUS = "ambiguous"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The location of an entry: a file relative to the memory, and its lines, both inclusive."""

    file: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One fact of the memory.

    ``text`` is what would be written into a document: without its list marker, dedented, preceded by
    its lead-in. ``trail`` holds the headings above it, outermost first; ``session`` is the
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
    """What a text says about the thing it cites: it exists, it is gone, it shows how things are named, it is an
    example, or another thing (it is planned, made, elsewhere).
    """

    PLAIN = "plain"
    GONE = "gone"
    SAMPLE = "sample"
    EXAMPLE = "example"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A reference in an entry, as written (``text``) and as parsed (``name`` and lines).

    ``name`` is what is looked up: a path, a dotted name, a command line. ``stance`` is what the entry
    itself says about it. ``weak`` marks prose and fences: enough to confirm a citation, not enough to
    report one that never existed. ``link`` marks the target of a Markdown link. ``anchor`` is the commit
    at which it was last known to be valid, or up to which history has been searched for it. Of a name on several
    lines of a drawn tree, each is another file: ``rows`` are the lines (of the text, from 0) that this one stands on,
    all of them if empty, and ``drawn`` is the path that the tree gives it there.
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
    rows: tuple[int, ...] = ()
    drawn: str = ""


class CitedAt(NamedTuple):
    """A place of a citation in a text: offsets, half-open; ``link``, if it is the target of a link there."""

    start: int
    stop: int
    link: bool


DEFINITION_REMOVED = "its definition was removed from "  # how the reason begins, before the path


class Evidence(StrEnum):
    """What proves that a citation is broken or has moved: how often each is right is measured (docs/verdicts.md)."""

    RENAMED = "renamed"  # a commit renamed the file
    FOLDER = "folder moved"  # commits renamed most of its files
    DEEPER = "deeper folder"  # the one file of that name is below folders of those names
    PACKAGE = "became a package"
    ENDING = "ending changed"  # beside what was deleted is a file of that name with a kindred ending
    SPELT = "spelt otherwise"  # only the case differs
    DELETED = "deleted"  # a commit deleted the very path
    NAMESAKE = "deleted elsewhere"  # the one path in history that ends so
    USUAL = "usual page deleted elsewhere"  # of a name that pages in many folders have
    FILES = "files deleted"  # of a folder
    MATCHES = "matches deleted"  # all that matched a glob, which may say how files are called, or what to leave out
    ONE_OF_MANY = "one of many moved"  # a file of the cited name was renamed, and several others have that name
    NEVER = "never there"  # its folder is tracked, and the file never was
    DRAWN = "drawn"  # a drawn tree of the repository shows it, and it never was there
    ELSEWHERE = "elsewhere"  # so is it, and the one file of that name is in another folder
    LINES = "beyond the end"
    MEMORY = "not in the memory"
    REWRITTEN = "name changed"  # the same line came back with another name
    DEFINITION = "definition removed"
    TOLD = "definition removed, told of in code"  # a comment still has the name
    WRITTEN = "definition removed, written in code"  # a string still has it: as that of a queue, a column, a header
    SHORT_REWRITTEN = "short name changed"  # of fewer than three words, which others have as well
    WORD = "definition of a word removed"  # of a name that is a plain word, as a label or a column may be
    IMPORT = "last import removed"
    READ = "variable no longer read"  # that code took from its environment
    USE = "last use removed"
    MEMBER = "never a member"
    UNLISTED = "not in the manifest"
    CONTRADICTED = "manifest disagrees"
    VERSION = "manifest has another version"

    @property
    def is_doubtful(self) -> bool:
        """Whether the cases in documents that people looked at speak against it (docs/verdicts.md)."""
        return self in _DOUBTFUL


_DOUBTFUL = frozenset(
    {
        Evidence.MATCHES,
        Evidence.ONE_OF_MANY,
        Evidence.USUAL,
        Evidence.DEEPER,
        Evidence.NEVER,
        Evidence.DRAWN,
        Evidence.ELSEWHERE,
        Evidence.TOLD,
        Evidence.SHORT_REWRITTEN,
        Evidence.WORD,
        Evidence.IMPORT,
        Evidence.USE,
        Evidence.MEMBER,
        Evidence.CONTRADICTED,
        Evidence.WRITTEN,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of checking a citation. ``target`` is a path in the repository (``path:line`` for lines).

    ``origin`` is the path before it moved to ``target``; it is not stored in metadata.db. ``evidence`` is what proves
    that it is broken or has moved.
    """

    status: VerdictStatus
    target: str | None = None
    reason: str = ""
    commit: str | None = None
    date: str | None = None
    candidates: tuple[str, ...] = ()
    claim: str | None = None
    origin: str | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A citation with its verdict.

    ``unheeded`` is the alarm that a document's own words keep from being one, as they call the thing made, planned,
    elsewhere or an example; or others that end like the path cited. It is not stored.
    """

    citation: Citation
    verdict: Verdict
    unheeded: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Origins:
    """Where entries were seen, by id: in which ``sessions``, in which ``files`` of the memory by the last snapshot.

    ``said`` is what people said of them, where words are searched for in that as well.
    """

    sessions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    files: Mapping[str, frozenset[str]] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The row of an entry in metadata.db.

    ``text`` is None only for a phase-1 row whose note has not been seen since; ``preview`` then
    holds its first 80 characters. ``document`` is the path of the document whose region contains the
    entry now. ``confidence`` is as of the last sweep or scan, after decay. ``in_memory`` is true if the
    last snapshot contained the entry; ``read_by`` is the version of the citation rules that parsed it.

    ``id`` is the identity of ``text``, which is what stands in a document, or would. Where that is not the whole note,
    ``note_id`` and ``note_text`` are those of the note: an excerpt was written, or a person's wording. ``entry_id`` is
    the id that people see; it stays the note's, however its line is reworded.

    ``missing_from`` is a document that should contain the entry according to the ledger, but does not.
    No sweep counts against the entry until ``grace_until``. ``superseded_by`` is the id of the note that
    replaced it. ``feedback`` is the sum of its feedback in thousandths, and may be negative. A pin expires
    at ``pinned_until`` (None: never). ``review_at`` is when a person marked it as outdated.
    ``last_accessed`` and ``access_count`` record when ``query`` returned it; nothing else writes them. ``echoed`` is
    true if the note in the memory is a copy of the line in the document. ``kept_out``: a person demoted it, and
    only a person puts it back.

    ``held_at`` is when an observer held the entry last, as of a run; it is not stored. Where it is set, age counts from
    it, and not from ``last_seen``. ``held_until`` is what it will be if nobody says anything more of the entry.
    ``last_word`` is set where ``held_at`` is on no record: the last word on the entry, to which the time is added for
    which silence is believed.
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
    imported_count: int = 0
    note_id: str | None = None
    note_text: str | None = None
    echoed: bool = False
    kept_out: bool = False
    held_at: datetime | None = field(default=None, compare=False)
    held_until: datetime | None = field(default=None, compare=False)
    last_word: datetime | None = field(default=None, compare=False)
    citations: tuple[Judged, ...] = ()

    @property
    def entry_id(self) -> str:
        """The id that people see, and that stays: the note's."""
        return self.note_id or self.id

    @property
    def noted_text(self) -> str:
        """The text of the note: more than what is written of it, or another wording."""
        return self.note_text if self.note_text is not None else self.shown_text

    def reworded(self, key: str, text: str) -> Record:
        """Return the record of the same entry with another ``text``, whose identity is ``key``."""
        if self.text is None:  # of phase 1: its id is no identity, and now its text is known
            return replace(self, id=key, text=text)
        return replace(
            self,
            id=key,
            text=text,
            note_id=None if key == self.entry_id else self.entry_id,
            note_text=None if key == self.entry_id else self.note_text if self.note_text is not None else self.text,
        )

    @property
    def topic(self) -> str:
        """Its section; empty where the type stands in place of one."""
        return "" if self.section == self.type and not self.trail else self.section

    @property
    def state(self) -> str:
        """Where the entry is and how it is, in one word, as lists show it and ``--status`` selects it."""
        if self.document is not None:
            return "stale" if self.status is Status.STALE else "promoted"
        if self.missing_from is not None:
            return "missing"
        return "rejected" if self.rejected_at is not None else str(self.status)

    @property
    def observed_count(self) -> int:
        """The counted snapshots that were taken here; what a ledger or an import claims opens no gate."""
        return max(0, self.snapshot_count - self.imported_count)

    @property
    def shown_text(self) -> str:
        """The full text, or the preview if the full text is unknown."""
        return self.text if self.text is not None else self.preview

    def is_pinned(self, now: datetime) -> bool:
        """Return whether the entry is pinned at ``now``."""
        return self.pinned and (self.pinned_until is None or now < self.pinned_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A file or entry that was refused while the run continued.

    A ``fatal`` one makes the run exit with code 2, but for what a purge could not remove; the others are warnings.
    """

    code: str
    where: str
    message: str
    hint: str = ""
    fatal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Feedback on an entry: its kind, and the ``amount`` (thousandths) that it adds to the confidence."""

    at: datetime
    kind: str
    amount: int
    severity: str = ""
    context: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Departure:
    """How many entries left by an ``event`` (one of ``DEPARTURES``) and a ``cause``, empty if unknown."""

    event: str
    cause: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One change of state, as ``log`` shows it. ``at`` is when; ``detail`` is a sentence.

    ``cause`` is why an entry left a document or the database: decay, citations, feedback, hand, prune,
    retention, superseded, ledger; empty for every other event.
    """

    at: datetime
    event: str
    entry_id: str | None
    detail: str
    operation: int | None = None
    cause: str = ""
