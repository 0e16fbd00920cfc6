"""Fold the ledger: what lines of 0.1 and events amount to, in whatever order and number they were merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import date, datetime

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.ledger import (
    KEPT_OUT,
    RANK,
    Holding,
    Ledger,
    Line,
    Standing,
    midnight,
    strength_of,
    tombstone,
)
from intermem.entities import OLD_LEDGER
from intermem.errors import LedgerRefused
from intermem.lazy_dataclass import dataclass

_MAX_ROUNDS = 50  # of folding lines of 0.1
_STANDING = {
    What.PROMOTED: Standing.PROMOTED,
    What.RESTORED: Standing.PROMOTED,
    What.DEMOTED: Standing.DEMOTED,
    What.REJECTED: Standing.REJECTED,
}


def folded(events: Iterable[LedgerEvent], old: Mapping[str, Line] | None = None, old_text: str | None = None) -> Ledger:
    """Return the ledger that ``events`` and the lines of a ledger of 0.1, by id, amount to.

    An event that two branches have counts once. Of what is said of one entry the latest counts (of
    removals that nothing lifts in between, the strongest), feedback adds up, and a purge is final. Two entries of which
    the same is written are one, and so are an entry and a later one that names it as a former wording.
    Source: DESIGN.md §9.
    """
    by_entry: dict[str, list[LedgerEvent]] = {}
    signs: dict[str, datetime] = {}
    unique = tuple(dict.fromkeys(events))
    for event in unique:
        if (event.observer is not None and event.what != What.FEEDBACK) or event.what == What.ALIVE:
            observer = event.observer or event.id
            signs[observer] = max(signs.get(observer, event.at), event.at)
        if event.what != What.ALIVE:
            by_entry.setdefault(event.id, []).append(event)
    known = {line.entry_id: line for line in (old or {}).values()}
    lines = [line for key, line in known.items() if key not in by_entry]
    for key in sorted(by_entry):
        line = _line_of(key, sorted(by_entry[key], key=lambda one: one.order), known.get(key))
        if line is not None:
            lines.append(line)
    return Ledger(_united(lines), signs, unique, old_text)


@dataclass(slots=True)
class _State:
    """What the events of one entry have said so far; ``status`` is None where it stands nowhere."""

    written: str
    status: Standing | None = None
    document: str = ""
    section: str = ""
    since: datetime | None = None
    first_seen: datetime | None = None
    sights: dict[str, datetime] = field(default_factory=dict)
    snapshots: int = 0
    pinned: bool = False
    until: datetime | None = None
    feedback: int = 0
    by: str = ""
    cause: str = ""
    was: set[str] = field(default_factory=set)
    same: set[str] = field(default_factory=set)
    holders: dict[str, Holding] = field(default_factory=dict)
    rivals: set[str] = field(default_factory=set)
    pinned_at: datetime | None = None
    confidence: int | None = None
    final: int | None = None
    type: str = ""


def _line_of(key: str, events: list[LedgerEvent], old: Line | None) -> Line | None:
    purges = [event.at for event in events if event.what == What.PURGED]
    if purges or (old is not None and old.is_tombstone):
        return tombstone(key, min(purges) if purges else old.since if old is not None else events[0].at)
    state = _from_line(old) if old is not None else _State(key)
    for event in events:
        _apply(state, event)
    if state.status is None or state.since is None:
        return None
    first = state.first_seen or state.since
    return _tidy(
        Line(
            id=state.written,
            status=state.status,
            document=state.document,
            section=state.section,
            since=state.since,
            first_seen=first,
            last_seen=max(state.sights.values(), default=first),
            snapshots=max(state.snapshots, 1),
            confidence=state.confidence,
            final_confidence=state.final,
            pinned=state.pinned,
            pinned_until=state.until if state.pinned else None,
            feedback=state.feedback,
            was=tuple(state.was),
            note_id=key,
            by=state.by,
            cause=state.cause,
            holders=state.holders,
            rivals=frozenset(state.rivals - {state.written}),
            same=tuple(sorted(state.same - {key})),
            type=state.type,
        )
    )


def _from_line(line: Line) -> _State:
    return _State(
        line.id,
        line.status,
        line.document,
        line.section,
        line.since,
        line.first_seen,
        {"": line.last_seen},
        line.snapshots,
        line.pinned,
        line.pinned_until,
        line.feedback,
        was=set(line.was),
    )


def _apply(state: _State, event: LedgerEvent) -> None:
    if event.what in _STANDING:
        _stand(state, event)
    elif event.what == What.REWORDED:
        _write(state, event)
    elif event.what == What.PINNED:
        _pin(state, event)
    elif event.what == What.UNPINNED:
        state.pinned, state.until = False, None
    elif event.what == What.FEEDBACK:
        state.feedback += event.amount
    elif event.what == What.LOST and event.observer is not None:
        left = min(event.until or event.at, event.at)
        state.holders[event.observer] = Holding(holds=False, at=left)
        _seen(state, left, event.observer)
    if event.what in (What.HELD, What.LOST):
        state.snapshots = max(state.snapshots, event.snapshots or 0)
    if event.what in (What.HELD, What.PROMOTED, What.RESTORED) and event.observer is not None:
        state.holders[event.observer] = Holding(holds=True, at=event.at)
        _seen(state, event.at, event.observer)


def _pin(state: _State, event: LedgerEvent) -> None:
    """Of two pins of one moment the longer counts."""
    if state.pinned and state.pinned_at == event.at and state.until is not None and event.until is not None:
        state.until = max(state.until, event.until)
    elif not (state.pinned and state.pinned_at == event.at and state.until is None):
        state.until = event.until
    state.pinned, state.pinned_at = True, event.at


def _seen(state: _State, at: datetime, observer: str | None) -> None:
    """Note when ``observer`` saw the note last: the later word counts, as that it was lost before it was promoted."""
    known = state.sights.get(observer or "")
    state.sights[observer or ""] = at if observer or known is None else max(known, at)


def _stand(state: _State, event: LedgerEvent) -> None:
    _write(state, event)
    if event.what == What.PROMOTED and _strength(state) >= KEPT_OUT:
        return  # who promoted it did not know that a person took it out: only a person who restores it lifts that
    status = _STANDING[What(event.what)]
    if event.what == What.DEMOTED and strength_of(status, event.by, event.cause) < _strength(state):
        return  # it is out already, and what keeps it out holds on
    state.status, state.since, state.by, state.cause = status, event.at, event.by, event.cause
    state.final = event.confidence if status is not Standing.PROMOTED else None
    state.snapshots = max(state.snapshots, event.snapshots or 0)
    if event.first_seen is not None:
        state.first_seen = min(state.first_seen or event.first_seen, event.first_seen)
    if event.what == What.REJECTED:
        state.pinned, state.until = False, None
    if event.what == What.RESTORED and not event.document:  # only the rejection is lifted
        state.status = None
    elif event.what in (What.PROMOTED, What.RESTORED):
        state.confidence = event.confidence
        if event.what == What.PROMOTED or not state.holders:  # who restores it need not have seen the note
            _seen(state, event.at, event.observer)


def _strength(state: _State) -> int:
    return strength_of(state.status, state.by, state.cause)


def _write(state: _State, event: LedgerEvent) -> None:
    state.was.update(event.was)
    state.same.update(event.same)
    state.rivals.difference_update(event.was)
    if event.written is not None and event.written != state.written:
        if event.what == What.REWORDED and state.written not in event.was:
            state.rivals.add(state.written)
        state.was.add(state.written)
        state.written = event.written
    state.document = event.document or state.document
    state.section = event.section or state.section
    state.type = event.type or state.type


def _united(lines: list[Line]) -> dict[str, Line]:
    """Return lines by what is written: each once, and former wordings that have a later heir under that."""
    by_written: dict[str, Line] = {}
    for line in sorted(lines, key=lambda one: (one.since, RANK[one.status], one.entry_id)):
        known = by_written.get(line.id)
        by_written[line.id] = line if known is None else _same(known, line)
    heirs: dict[str, list[str]] = {}
    for key, line in by_written.items():
        if not line.is_tombstone:
            for name in set(line.was) - line.rivals:
                heirs.setdefault(name, []).append(key)
    order = sorted(
        by_written, key=lambda key: (by_written[key].since, by_written[key].status is Standing.PROMOTED, key)
    )
    rank = {key: number for number, key in enumerate(order)}
    for key in order:
        line = by_written[key]
        claimed = {heir for name in (key, line.entry_id) for heir in heirs.get(name, ())} - {key}
        claimed = {heir for heir in claimed if heir in by_written and by_written[heir].entry_id != line.entry_id}
        if line.is_tombstone or not claimed:
            continue
        heir = max(claimed, key=lambda one: rank[one])
        if rank[heir] > rank[key] or line.status is Standing.DEMOTED:
            by_written[heir] = _absorbed(by_written[heir], line)
            for name in line.names:
                heirs.setdefault(name, []).append(heir)
            del by_written[key]
        elif line.status is Standing.REJECTED:
            by_written[heir] = _tidy(_joined(by_written[heir], line, written=heir))
            del by_written[key]
    return _without_names_of_others({key: by_written[key] for key in sorted(by_written)})


def _same(one: Line, other: Line) -> Line:
    return _tidy(replace(_joined(one, other), was=(*one.names, *other.names)))


def _absorbed(heir: Line, line: Line) -> Line:
    """Return ``heir`` with what is known of a former wording, and the feedback on that if it says the same."""
    more = line.feedback if line.entry_id in heir.same else 0
    return _tidy(
        replace(
            heir,
            feedback=heir.feedback + more,
            first_seen=min(heir.first_seen, line.first_seen),
            was=(*heir.was, *line.names),
            holders={**line.holders, **heir.holders},
        )
    )


def _without_names_of_others(lines: Mapping[str, Line]) -> dict[str, Line]:
    """Return the lines, each without those names that are another one's own, or were purged.

    An id is that of the line which has it as its text before that of one whose note had that text.
    """
    mine = {
        key: replace(line, note_id=None) if line.entry_id != key and line.entry_id in lines else line
        for key, line in lines.items()
    }
    own = {name: key for key, line in mine.items() for name in (line.id, line.entry_id)}
    return {
        key: replace(line, was=kept)
        if len(kept := tuple(name for name in line.was if own.get(name, key) == key)) != len(line.was)
        else line
        for key, line in mine.items()
    }


def fold_lines(lines: Iterable[Line]) -> dict[str, Line]:
    """Return lines of a ledger of 0.1 by id, each id once, sorted, as 0.1 folded them.

    Of several lines for one id the later ``last_seen``, the earlier ``first_seen`` and the later ``since`` win
    (on the same day: rejected, demoted, promoted). A line whose id is a former identity of another is merged
    into that one. A tombstone wins over all of them and is merged into none. Raises LedgerRefused for chains of such
    lines that nobody has written.
    """
    by_id: dict[str, Line] = {}
    for line in lines:
        line = _tidy(line) if line.is_tombstone else line  # it has no former wordings to claim
        by_id[line.id] = _joined(by_id[line.id], line) if line.id in by_id else line
    rounds = 0
    while claims := _reworded(by_id):
        rounds += 1
        if rounds > _MAX_ROUNDS:  # each costs the whole ledger; a written ledger is folded, and needs one or two
            what = f"its lines name each other as former wordings over {_MAX_ROUNDS} steps"
            raise LedgerRefused(f"{OLD_LEDGER}:1", what)
        # First those whose heirs are not former identities themselves; in a cycle, any.
        last = {alias: heirs for alias, heirs in claims.items() if not claims.keys() & set(heirs)}
        for alias, heirs in last.items() or [next(iter(claims.items()))]:
            old = by_id.pop(alias)
            for heir in heirs:
                by_id[heir] = replace(_joined(by_id[heir], old, written=heir), document=by_id[heir].document)
    tidied = without_dead_names({key: _tidy(by_id[key]) for key in by_id})
    return {key: tidied[key] for key in sorted(tidied)}


def with_tombstones(lines: Mapping[str, Line], purged: Mapping[str, date]) -> dict[str, Line]:
    """Return ``lines`` with a tombstone in place of each line of a purged entry, and of each of its former ids.

    Entries without a line get none: nobody else has heard of them.
    """
    kept = dict(lines)
    for key, line in lines.items():
        if key in purged and not line.is_tombstone:
            kept |= {
                name: tombstone(name, midnight(purged[key]))
                for name in (key, *line.was)
                if name not in lines or name == key
            }
    return without_dead_names(kept)


def without_dead_names(lines: Mapping[str, Line]) -> dict[str, Line]:
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


def _joined(one: Line, other: Line, written: str | None = None) -> Line:
    """Return what two lines amount to if they are of one entry; ``written`` is what stands of it."""
    if one.is_tombstone or other.is_tombstone:
        return min((line for line in (one, other) if line.is_tombstone), key=lambda line: line.since)
    late = max(
        one, other, key=lambda line: (line.since, RANK[line.status], line.last_seen, line.pinned, _end(line), line.id)
    )
    same = one.since == other.since and one.status == other.status
    return replace(
        late,
        id=written or late.id,
        pinned=(one.pinned or other.pinned) if same else late.pinned,
        pinned_until=_longest(one, other) if same else late.pinned_until,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=max(one.last_seen, other.last_seen),
        snapshots=max(one.snapshots, other.snapshots),
        feedback=max(one.feedback, other.feedback, key=lambda amount: (abs(amount), -amount)),
        was=(*one.was, *other.was),
        same=tuple(sorted({*one.same, *other.same})),
        note_id=late.note_id or one.note_id or other.note_id,
        holders={**one.holders, **other.holders},
    )


def _end(line: Line) -> datetime:
    return line.pinned_until or datetime.max.replace(tzinfo=line.since.tzinfo)


def _longest(one: Line, other: Line) -> datetime | None:
    """Return when the longer of two pins expires; None for never."""
    ends = [line.pinned_until for line in (one, other) if line.pinned]
    return max((end for end in ends if end is not None), default=None) if None not in ends else None


def _tidy(line: Line) -> Line:
    if line.is_tombstone:
        return tombstone(line.id, line.since)
    note = line.note_id if line.note_id != line.id else None
    return replace(line, was=tuple(sorted({*line.was, *([note] if note else [])} - {line.id})), note_id=note)
