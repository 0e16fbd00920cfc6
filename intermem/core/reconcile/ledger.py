"""The ledger: the state of a branch's entries, one JSON object per line, without their texts.

It is committed with the documents, and travels with them from branch to branch and from person to person.
A ledger that needs no folding is written exactly as it was parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from intermem.core.entries.identity import ID_LENGTH
from intermem.core.markdown.lines import split_lines
from intermem.errors import LedgerRefused
from intermem.facts import names_git_dir

ATTRIBUTES = ".intermem/.gitattributes"
UNION_MERGE = "ledger.jsonl merge=union\n"

_ID = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")
_MAX_ROUNDS = 50  # of folding
_CONFLICT = re.compile(r"<{7}|\|{7}|={7}|>{7}")


class Standing(StrEnum):
    """The state of an entry in the ledger. If two lines of one day differ, the later of these wins.

    A purge wins on any day: its line, a tombstone, holds the id and the day and nothing else.
    """

    PROMOTED = "promoted"
    DEMOTED = "demoted"
    REJECTED = "rejected"
    PURGED = "purged"


_RANK = {standing: rank for rank, standing in enumerate(Standing)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry in the ledger. Dates mean 00:00 UTC; ``since`` is the date of its status.

    ``id`` is the identity of what was written; ``note_id`` that of its note, where that is another one; ``was`` holds
    the former identities, and the note's; ``feedback`` is in thousandths; a pin expires at ``pinned_until``
    (None: never); ``more`` keeps keys that this version does not know.
    """

    id: str
    status: Standing
    document: str
    section: str
    since: date
    first_seen: date
    last_seen: date
    snapshots: int = 1
    pinned: bool = False
    pinned_until: date | None = None
    feedback: int = 0
    was: tuple[str, ...] = ()
    note_id: str | None = None
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_tombstone(self) -> bool:
        """Whether all that is left of the entry is that it was purged."""
        return self.status is Standing.PURGED


def tombstone(key: str, day: date) -> Line:
    """Return the line of an entry that was purged on ``day``."""
    return Line(
        id=key,
        status=Standing.PURGED,
        document="",
        section="",
        since=day,
        first_seen=day,
        last_seen=day,
    )


def with_tombstones(lines: Mapping[str, Line], purged: Mapping[str, date]) -> dict[str, Line]:
    """Return ``lines`` with a tombstone in place of each line of a purged entry, and of each of its former ids.

    Entries without a line get none: nobody else has heard of them.
    """
    kept = dict(lines)
    for key, line in lines.items():
        if key in purged and not line.is_tombstone:
            kept |= {
                name: tombstone(name, purged[key]) for name in (key, *line.was) if name not in lines or name == key
            }
    return _without_dead_names(kept)


@dataclass(frozen=True)
class Ledger:
    """The lines by id, folded, and the ``text`` that they were parsed from."""

    lines: Mapping[str, Line]
    text: str

    @property
    def purged(self) -> dict[str, date]:
        """The entries that were purged, by id, with the day."""
        return {key: line.since for key, line in self.lines.items() if line.is_tombstone}

    @cached_property
    def former(self) -> dict[str, str]:
        """Former identities and their owners; if two lines claim one, the later line wins."""
        found: dict[str, str] = {}
        for line in sorted(self.lines.values(), key=lambda one: (one.since, one.last_seen, one.id)):
            found |= dict.fromkeys(line.was, line.id)
        return {alias: key for alias, key in found.items() if alias not in self.lines}


def parse_ledger(text: str, *, tolerant: bool = False) -> Ledger:
    """Return the ledger in ``text``, folded.

    Raises LedgerRefused, with the line, if one is invalid. With ``tolerant``, conflict markers are skipped, so
    that the lines of both sides are folded.
    """
    found: list[Line] = []
    for number, written in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        if not written.strip():
            continue
        if _CONFLICT.match(written):
            if tolerant:
                continue
            raise LedgerRefused(number, "a merge conflict", hint="intermem doctor --repair folds both sides")
        found.append(_line(written, number))
    return Ledger(fold_ledger(found), text)


def tombstones_in(text: str | None) -> frozenset[str]:
    """Return the ids that were purged according to a ledger's ``text``; none if there is none or it is invalid."""
    if text is None or Standing.PURGED not in text:
        return frozenset()
    try:
        return frozenset(parse_ledger(text).purged)
    except LedgerRefused:
        return frozenset()


def line_numbers(text: str) -> dict[str, int]:
    """Return the line number (from 1) of each id in a valid ledger; the last one if there are several."""
    written = enumerate(split_lines(text.removeprefix("\ufeff")), start=1)
    return {_line(line, number).id: number for number, line in written if line.strip()}


def fold_ledger(lines: Iterable[Line]) -> dict[str, Line]:
    """Return ``lines`` by id, each id once, sorted.

    Of several lines for one id the later ``last_seen``, the earlier ``first_seen`` and the later ``since`` win
    (on the same day: rejected, demoted, promoted). A line whose id is a former identity of another is merged
    into that one. A tombstone wins over all of them and is merged into none. Source: DESIGN.md §9. Raises
    LedgerRefused for chains of such lines that nobody has written.
    """
    by_id: dict[str, Line] = {}
    for line in lines:
        by_id[line.id] = _joined(by_id[line.id], line) if line.id in by_id else line
    rounds = 0
    while claims := _reworded(by_id):
        rounds += 1
        if rounds > _MAX_ROUNDS:  # each costs the whole ledger; a written ledger is folded, and needs one or two
            raise LedgerRefused(1, f"its lines name each other as former wordings over {_MAX_ROUNDS} steps")
        # First those whose heirs are not former identities themselves; in a cycle, any.
        last = {alias: heirs for alias, heirs in claims.items() if not claims.keys() & set(heirs)}
        for alias, heirs in last.items() or [next(iter(claims.items()))]:
            old = by_id.pop(alias)
            for heir in heirs:
                by_id[heir] = replace(_joined(by_id[heir], old), id=heir, document=by_id[heir].document)
    tidied = _without_dead_names({key: _tidy(by_id[key]) for key in by_id})
    return {key: tidied[key] for key in sorted(tidied)}


def _without_dead_names(lines: Mapping[str, Line]) -> dict[str, Line]:
    """Return ``lines`` without those former identities that were purged."""
    dead = {key for key, line in lines.items() if line.is_tombstone}
    return {
        key: replace(line, was=tuple(name for name in line.was if name not in dead)) if dead & set(line.was) else line
        for key, line in lines.items()
    }


def _reworded(lines: Mapping[str, Line]) -> dict[str, list[str]]:
    """Return, by id in order, the lines that are a former identity of others, and those others."""
    claims: dict[str, list[str]] = {}
    for key in sorted(lines):
        for alias in lines[key].was:
            if alias == key or alias not in lines or lines[alias].is_tombstone:
                continue
            if _is_older(lines[alias], lines[key]):
                claims.setdefault(alias, []).append(key)
    return dict(sorted(claims.items()))


def _is_older(old: Line, heir: Line) -> bool:
    """Return whether ``old`` precedes ``heir``; if each names the other (reworded and back), the later is the heir."""
    return heir.id not in old.was or (old.since, old.last_seen, old.id) < (heir.since, heir.last_seen, heir.id)


def _joined(one: Line, other: Line) -> Line:
    if one.is_tombstone or other.is_tombstone:
        return min((line for line in (one, other) if line.is_tombstone), key=lambda line: line.since)
    late = max(
        one, other, key=lambda line: (line.since, _RANK[line.status], line.last_seen, line.pinned, _end(line), line.id)
    )
    same = one.since == other.since and one.status == other.status
    return replace(
        late,
        pinned=(one.pinned or other.pinned) if same else late.pinned,
        pinned_until=_longest(one, other) if same else late.pinned_until,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=max(one.last_seen, other.last_seen),
        snapshots=max(one.snapshots, other.snapshots),
        feedback=max(one.feedback, other.feedback, key=lambda amount: (abs(amount), -amount)),
        was=(*one.was, *other.was),
        note_id=late.note_id or one.note_id or other.note_id,
        more={**other.more, **one.more},
    )


def _end(line: Line) -> date:
    return line.pinned_until or date.max


def _longest(one: Line, other: Line) -> date | None:
    """Return when the longer of two pins expires; None for never."""
    ends = [line.pinned_until for line in (one, other) if line.pinned]
    return max((end for end in ends if end is not None), default=None) if None not in ends else None


def _tidy(line: Line) -> Line:
    if line.is_tombstone:
        return tombstone(line.id, line.since)
    note = line.note_id if line.note_id != line.id else None
    return replace(line, was=tuple(sorted({*line.was, *([note] if note else [])} - {line.id})), note_id=note)


def ledger_text(lines: Mapping[str, Line]) -> str:
    """Return the text of a ledger: one line per entry, sorted by id, each ending in ``\\n``."""
    return "".join(_written(lines[key]) + "\n" for key in sorted(lines))


def midnight(day: date) -> datetime:
    """Return the time that a date in the ledger means."""
    return datetime.combine(day, time(), tzinfo=UTC)


def _written(line: Line) -> str:
    if line.is_tombstone:
        return json.dumps({"id": line.id, "status": str(line.status), "since": line.since.isoformat()})
    shown: dict[str, object] = {
        "id": line.id,
        "status": str(line.status),
        "doc": line.document,
        "section": line.section,
        "since": line.since.isoformat(),
        "first_seen": line.first_seen.isoformat(),
        "last_seen": line.last_seen.isoformat(),
        "snapshots": line.snapshots,
        "pinned": line.pinned,
        **({"pinned_until": line.pinned_until.isoformat()} if line.pinned_until is not None else {}),
        "feedback": line.feedback / 1000 if line.feedback else 0,
    }
    if line.note_id:
        shown["note"] = line.note_id
    if line.was:
        shown["was"] = list(line.was)
    text = json.dumps(shown | dict(line.more), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _line(written: str, number: int) -> Line:
    try:
        return _read_line(written)
    except KeyError as error:
        raise LedgerRefused(number, f"{error.args[0]} is missing") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise LedgerRefused(number, str(error)) from None


@lru_cache(maxsize=65536)  # the versions of a ledger differ in few lines
def _read_line(written: str) -> Line:
    try:
        loaded = json.loads(written)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(loaded, dict):
        raise ValueError("not a JSON object")
    return _from_json(loaded)


def _from_json(loaded: dict[str, Any]) -> Line:
    rest = dict(loaded)

    def take(name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        value = rest.pop(name) if default is ... else rest.pop(name, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name} is {value!r}"[:80])
        return value

    def day(name: str) -> date:
        value = take(name, str)
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{name} is not a date: {value!r}"[:80]) from None

    def identity_of(value: object) -> str:
        if not isinstance(value, str) or not _ID.fullmatch(value):
            raise ValueError(f"{value!r} is not an id"[:80])
        return value

    def count(name: str, default: int) -> int:
        value = take(name, int, default)
        if not 0 <= value < 10**9:
            raise ValueError(f"{name} is {value!r}"[:80])
        return int(value)

    def path(name: str) -> str:
        value = str(take(name, str))
        if value.startswith("/") or "\0" in value or ".." in value.split("/") or names_git_dir(value):
            raise ValueError(f"{name} is not a document of the project: {value!r}"[:80])
        return plain(value)

    def plain(value: str) -> str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError(f"{value!r} is not valid text"[:80]) from None
        return value

    if rest.get("status") == Standing.PURGED:  # whatever else the line says, it is not kept
        return tombstone(identity_of(rest["id"]), day("since"))
    feedback = take("feedback", (int, float), 0)
    if not -1000 <= feedback <= 1000:
        raise ValueError(f"feedback is {feedback!r}"[:80])
    made = Line(
        id=identity_of(rest.pop("id")),
        status=Standing(take("status", str)),
        document=path("doc"),
        section=plain(take("section", str, "")),
        since=day("since"),
        first_seen=day("first_seen"),
        last_seen=day("last_seen"),
        snapshots=count("snapshots", 1),
        pinned=take("pinned", bool, False),
        pinned_until=day("pinned_until") if "pinned_until" in rest else None,
        feedback=round(feedback * 1000),
        was=tuple(identity_of(alias) for alias in take("was", list, [])),
        note_id=identity_of(rest.pop("note")) if "note" in rest else None,
        more=rest,
    )
    if made.status is Standing.PROMOTED and not made.document:
        raise ValueError("doc is empty")
    return made
