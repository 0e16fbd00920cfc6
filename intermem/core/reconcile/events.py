"""The events of the ledger: one small file each, named by its content, only ever added.

The files of two branches never conflict: each is new on one side, or the same on both. Nothing here reads a file; what
the events amount to is in ``fold.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from intermem.core.entries.identity import ID_LENGTH
from intermem.core.times import format_time, parse_time
from intermem.entities import FOR_REVIEW, LEDGER
from intermem.errors import LedgerRefused, UnreadableTime
from intermem.facts import names_git_dir
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_ID = regex(rf"[0-9a-f]{{{ID_LENGTH}}}")
_OBSERVER = regex(r"[0-9a-f]{8}")
_NAME = regex(r"(?P<id>[0-9a-f]{8,16})-\d{8}T\d{6}Z-(?P<what>[a-z]+)-[0-9a-f]{12}\.json")
_DIGEST = 12  # hex digits; two events of one entry, moment and kind differ in them
MAX_CAUSE = 400  # characters
OUTDATED, CONFIRM = "outdated", "confirm"  # kinds of feedback that other clones act on
FAILURE = "failure"  # which are counted
SUM = "sum"  # of several, which neither flags an entry nor lifts that


class What(StrEnum):
    """What an event says. Of those about where an entry stands, at one moment the later in this list wins."""

    UNPINNED = "unpinned"
    PINNED = "pinned"
    RESTORED = "restored"
    PROMOTED = "promoted"
    DEMOTED = "demoted"
    REJECTED = "rejected"
    REWORDED = "reworded"
    FEEDBACK = "feedback"
    HELD = "held"
    LOST = "lost"
    ALIVE = "alive"
    PURGED = "purged"


RANK = {str(what): rank for rank, what in enumerate(What)}
STANDING = frozenset({What.PROMOTED, What.RESTORED, What.DEMOTED, What.REJECTED, What.PURGED})
OF_OBSERVERS = frozenset({What.HELD, What.LOST, What.ALIVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """Something that happened to the entry ``id`` at ``at``; to the observer ``id`` if it is alive.

    ``what`` is a kind of ``What``, or one that this version does not know and ignores. ``by`` is person or sweep,
    ``cause`` says why on one line. ``written`` is the identity of the text in the document, ``was`` are former ones,
    ``same`` the entries that said the same in other words: feedback on them is on this one.
    ``amount`` of feedback and ``confidence``, the base one of a promotion, the final one of what leaves, are in
    thousandths. ``kind`` is that of feedback. ``observer`` is the clone whose memory the event speaks of: a promotion
    by one says that it holds the note, feedback by one that it was given there, so that the same of two clones is two.
    ``until`` is when a pin ends, or, of a note that was lost, when the memory held it last if that is not ``at``.
    ``type`` is that of the note, for decay by type. ``more`` keeps keys that this version does not know.
    """

    id: str
    at: datetime
    what: str
    by: str = ""
    cause: str = ""
    document: str = ""
    section: str = ""
    type: str = ""
    written: str | None = None
    was: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    first_seen: datetime | None = None
    snapshots: int | None = None
    confidence: int | None = None
    until: datetime | None = None
    amount: int = 0
    kind: str = ""
    observer: str | None = None
    more: tuple[tuple[str, str], ...] = field(default=())

    @property
    def order(self) -> tuple[object, ...]:
        """The place of the event among those of its entry: by time, then by kind, then by content."""
        words = (
            self.by,
            self.cause,
            self.document,
            self.section,
            self.written or "",
            self.observer or "",
            self.kind,
            self.type,
        )
        figures = self.amount, -1 if self.confidence is None else self.confidence
        return self.at, RANK.get(self.what, len(RANK)), figures, words, self.was, self.same, str(self.until), self.more

    @property
    def flags(self) -> bool | None:
        """Whether it flags its entry for review (True), or lifts that (False); None if it is about something else."""
        if self.what == What.FEEDBACK:
            is_confirm = self.kind == CONFIRM or (self.amount > 0 and not self.kind)  # of an older version
            return True if self.kind == OUTDATED else False if is_confirm else None
        if self.what == What.DEMOTED:
            return True if self.by == "person" and self.cause.startswith(FOR_REVIEW) else None
        return False if self.what in (What.PROMOTED, What.RESTORED) else None


def event_text(event: LedgerEvent) -> str:
    """Return the content of an event's file: one line of JSON with sorted keys."""
    said: dict[str, object] = {"id": event.id, "at": format_time(event.at), "what": str(event.what)}
    optional: dict[str, object] = {
        "by": event.by,
        "cause": event.cause,
        "doc": event.document,
        "section": event.section,
        "type": event.type,
        "written": event.written,
        "was": list(event.was),
        "same": list(event.same),
        "first_seen": event.first_seen and format_time(event.first_seen),
        "snapshots": event.snapshots,
        "until": event.until and format_time(event.until),
        "amount": event.amount / 1000,
        "kind": event.kind,
        "observer": event.observer,
    }
    said |= {key: value for key, value in optional.items() if value not in ("", None, [], 0)}
    if event.confidence is not None:  # of 0 as well
        said["confidence"] = event.confidence / 1000
    said |= {key: json.loads(value) for key, value in event.more}
    text = json.dumps(said, ensure_ascii=False, sort_keys=True)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def file_name(event: LedgerEvent) -> str:
    """Return the name of an event's file, which depends on its content alone."""
    moment = format_time(event.at).replace("-", "").replace(":", "")
    digest = hashlib.sha256(event_text(event).encode("utf-8")).hexdigest()[:_DIGEST]
    return f"{event.id}-{moment}-{event.what}-{digest}.json"


def path_of(event: LedgerEvent) -> str:
    """Return the path of an event's file, from the project root."""
    return f"{LEDGER}/{file_name(event)}"


def is_event_name(name: str) -> bool:
    """Return whether a file of the ledger's folder may be an event."""
    return _NAME.fullmatch(name) is not None


def is_purge_name(name: str) -> bool:
    """Return whether a file name is that of a tombstone."""
    match = _NAME.fullmatch(name)
    return match is not None and match["what"] == What.PURGED


@lru_cache(maxsize=65536)  # the ledgers of many commits hold the same files
def parse_event(text: str, name: str) -> LedgerEvent:
    """Return the event in ``text``, the content of the file ``name``. Raises LedgerRefused if it is invalid."""
    try:
        loaded = json.loads(text.removeprefix("\ufeff"))
        if not isinstance(loaded, dict):
            raise ValueError("not a JSON object")
        return _event(loaded)
    except KeyError as error:
        raise LedgerRefused(f"{LEDGER}/{name}", f"{error.args[0]} is missing") from None
    except json.JSONDecodeError:
        raise LedgerRefused(f"{LEDGER}/{name}", "not JSON") from None
    except UnreadableTime as error:
        raise LedgerRefused(f"{LEDGER}/{name}", error.message) from None
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise LedgerRefused(f"{LEDGER}/{name}", str(error) or "not JSON") from None


def _event(loaded: dict[str, Any]) -> LedgerEvent:
    rest = dict(loaded)
    what = _taken(rest, "what", str, "")
    identify = observer_of if what == What.ALIVE else identity_of
    key = identify(rest.pop("id"))
    at = _moment(rest.pop("at"), "at")
    if what == What.PURGED:  # whatever else it says, it is not kept
        return LedgerEvent(id=key, at=at, what=what)
    amount = _taken(rest, "amount", (int, float), 0)
    if not -1000 <= amount <= 1000:
        raise ValueError(f"amount is {amount!r}"[:80])
    snapshots = _taken(rest, "snapshots", int, 0) if "snapshots" in rest else None
    if snapshots is not None and not 0 <= snapshots < 10**9:
        raise ValueError(f"snapshots is {snapshots!r}"[:80])
    confidence = _taken(rest, "confidence", (int, float), 0) if "confidence" in rest else None
    if confidence is not None and not 0 <= confidence <= 1:
        raise ValueError(f"confidence is {confidence!r}"[:80])
    return LedgerEvent(
        id=key,
        at=at,
        what=plain(what),
        by=plain(_taken(rest, "by", str, "")),
        cause=one_line(plain(_taken(rest, "cause", str, ""))),
        document=document_path(_taken(rest, "doc", str, "")),
        section=plain(_taken(rest, "section", str, "")),
        type=one_line(plain(_taken(rest, "type", str, ""))),
        written=_optional(rest, "written", identity_of),
        was=tuple(identity_of(one) for one in _taken(rest, "was", list, [])),
        same=tuple(identity_of(one) for one in _taken(rest, "same", list, [])),
        first_seen=_optional(rest, "first_seen", lambda value: _moment(value, "first_seen")),
        snapshots=snapshots,
        confidence=None if confidence is None else round(confidence * 1000),
        until=_optional(rest, "until", lambda value: _moment(value, "until")),
        amount=round(amount * 1000),
        kind=plain(_taken(rest, "kind", str, "")),
        observer=_optional(rest, "observer", observer_of),
        more=tuple(sorted((plain(name), json.dumps(value, sort_keys=True)) for name, value in rest.items())),
    )


def one_line(text: str) -> str:
    """Return ``text`` as a cause: on one line, and not too long."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_CAUSE else line[: MAX_CAUSE - 1] + "…"


def identity_of(value: object) -> str:
    """Return ``value`` if it is an identity. Raises ValueError."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"{value!r} is not an id"[:80])
    return value


def observer_of(value: object) -> str:
    """Return ``value`` if it is the id of an observer. Raises ValueError."""
    if not isinstance(value, str) or not _OBSERVER.fullmatch(value):
        raise ValueError(f"{value!r} is not an observer"[:80])
    return value


def document_path(value: str) -> str:
    """Return ``value`` if it may be a document of the project. Raises ValueError."""
    if value.startswith("/") or "\0" in value or ".." in value.split("/") or names_git_dir(value):
        raise ValueError(f"doc is not a document of the project: {value!r}"[:80])
    return plain(value)


def plain(value: str) -> str:
    """Return ``value`` if it is valid Unicode. Raises ValueError."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{value!r} is not valid text"[:80]) from None
    return value


def _taken(rest: dict[str, Any], name: str, kind: type | tuple[type, ...], default: Any) -> Any:
    value = rest.pop(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}"[:80])
    return value


def _optional(rest: dict[str, Any], name: str, read: Callable[[Any], Any]) -> Any:
    return read(rest.pop(name)) if name in rest else None


def _moment(value: object, name: str) -> datetime:
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a time: {value!r}"[:80])
    return parse_time(value, whose=name)
