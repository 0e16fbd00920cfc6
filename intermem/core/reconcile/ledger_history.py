"""The ledger as it was at commits: what it said of an entry there, without folding all of it each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property, lru_cache

from intermem.core.reconcile.events import LedgerEvent, What, parse_event
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.ledger import Ledger, Line, Standing
from intermem.core.reconcile.old_ledger import parse_old_ledger
from intermem.errors import LedgerRefused
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LedgerVersion:
    """The ledger in one commit: the names of its events, and the text of the file of 0.1 (None: there is none)."""

    events: frozenset[str] = frozenset()
    old: str | None = None


@dataclass(frozen=True)
class LedgerHistory:
    """The events of all versions by the names of their files; ``versions`` are those of the commits."""

    texts: Mapping[str, str] = field(default_factory=dict)
    versions: tuple[LedgerVersion, ...] = ()

    def about(self, version: LedgerVersion, key: str) -> Ledger:
        """Return the ledger of a version, without entries that have nothing to do with the identity ``key``."""
        group = self._owner.get(key)
        names = version.events & self._related.get(group or "", frozenset())
        return self._folded(names, version.old, group)

    def line(self, version: LedgerVersion, key: str) -> Line | None:
        """Return what a version says of ``key``, as what is written or as the entry's own id."""
        found = self.about(version, key)
        return found.lines.get(key) or found.by_entry.get(key)

    def events_in(self, names: Iterable[str]) -> list[LedgerEvent]:
        """Return the events in the files ``names``, without those that cannot be read."""
        return [self._events[name] for name in sorted(names) if name in self._events]

    @cached_property
    def documents(self) -> frozenset[str]:
        """The documents that any version names."""
        names = {line.document for line in self._old_lines} | {event.document for event in self._events.values()}
        return frozenset(name for name in names if name)

    @cached_property
    def promoted(self) -> frozenset[str]:
        """The identities of what any version says was promoted."""
        old = {line.id for line in self._old_lines if line.status is Standing.PROMOTED}
        return frozenset(
            old.union(event.written or event.id for event in self._events.values() if event.what in _PLACED)
        )

    @property
    def placed(self) -> frozenset[str]:
        """What any version says was promoted: the identities of what was written, and of the notes."""
        return self.promoted.union(event.id for event in self._events.values() if event.what in _PLACED)

    @cached_property
    def wordings(self) -> Mapping[str, set[str]]:
        """The later wordings of each identity."""
        found: dict[str, set[str]] = {}
        for line in self._old_lines:
            for name in line.was:
                found.setdefault(name, set()).add(line.id)
        for event in self._events.values():
            if event.written is not None:
                for name in {*event.was, event.id} - {event.written}:
                    found.setdefault(name, set()).add(event.written)
        return found

    @cached_property
    def _events(self) -> dict[str, LedgerEvent]:
        found = {}
        for name, text in self.texts.items():
            try:
                found[name] = parse_event(text, name)
            except LedgerRefused:
                continue
        return found

    @cached_property
    def _old_lines(self) -> tuple[Line, ...]:
        texts = {version.old for version in self.versions if version.old is not None}
        return tuple(line for text in sorted(texts) for line in (_parsed(text) or {}).values())

    @cached_property
    def _owner(self) -> dict[str, str]:
        """The group of each identity: entries that name each other as former wordings are in one."""
        owner: dict[str, str] = {}

        def root(name: str) -> str:
            while owner.setdefault(name, name) != name:
                owner[name] = owner[owner[name]]
                name = owner[name]
            return name

        for names in (*map(_names_of, self._events.values()), *(line.names for line in self._old_lines)):
            first = root(names[0])
            for name in names[1:]:
                owner[root(name)] = first
        return {name: root(name) for name in list(owner)}

    @cached_property
    def _related(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for name, event in self._events.items():
            found.setdefault(self._owner[event.id], set()).add(name)
        return {key: frozenset(names) for key, names in found.items()}

    def _folded(self, names: frozenset[str], old: str | None, group: str | None) -> Ledger:
        asked = (names, old, group)
        if asked not in self._ledgers:
            lines = (_parsed(old) if old is not None else None) or {}
            about = {key: line for key, line in lines.items() if self._owner.get(key) == group}
            self._ledgers[asked] = folded((self._events[name] for name in names), about)
        return self._ledgers[asked]

    @cached_property
    def _ledgers(self) -> dict[tuple[frozenset[str], str | None, str | None], Ledger]:
        return {}


_PLACED = (What.PROMOTED, What.RESTORED, What.REWORDED)


def ledger_of(texts: Mapping[str, str], old: str | None) -> Ledger:
    """Return the ledger in event files (name: text) and the file of 0.1. Raises LedgerRefused if one is invalid."""
    events = [parse_event(texts[name], name) for name in sorted(texts)]
    return folded(events, parse_old_ledger(old) if old is not None else None, old)


def purged_in(texts: Iterable[str], old: str | None) -> frozenset[str]:
    """Return the ids that were purged according to files of events and that of 0.1; invalid ones say nothing."""
    found = {line.id for line in (_parsed(old) or {}).values() if line.is_tombstone} if old else set()
    for text in texts:
        try:
            event = parse_event(text, "event")
        except LedgerRefused:
            continue
        found |= {event.id} if event.what == What.PURGED else set()
    return frozenset(found)


def _names_of(event: LedgerEvent) -> tuple[str, ...]:
    return (event.id, *((event.written,) if event.written else ()), *event.was)


@lru_cache(maxsize=8192)
def _parsed(text: str) -> Mapping[str, Line] | None:
    try:
        return parse_old_ledger(text)
    except LedgerRefused:
        return None
