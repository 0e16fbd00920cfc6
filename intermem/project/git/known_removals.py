"""In which commits names left the code, remembered: a commit that was searched for a name is not read again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from intermem.core.code.known_places import digest_of
from intermem.facts import Shape, SymbolRemoval
from intermem.lazy_dataclass import dataclass

_MAX_NAMES = 20_000  # that are remembered; with more, all are forgotten
_MAX_SEARCHES = 32  # that are remembered, the newest


@dataclass(frozen=True, slots=True)
class Searched:
    """Commits that were searched for names: all behind ``head``, or only those after one of ``since``.

    Not so the commits ``without``, of which something was not there to be read. Of the names ``cut`` only the newest
    removals are known: they left the code more often than is examined.
    """

    head: str
    since: tuple[str, ...]
    names: frozenset[str]
    without: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()


@dataclass
class KnownRemovals:
    """What earlier searches found; names by their digests.

    A removal has the commit's own facts: ``target`` is the file in which the new name was, not where it is now.
    """

    searches: list[Searched] = field(default_factory=list)
    _removals: dict[str, list[SymbolRemoval]] = field(default_factory=dict)
    has_learnt: bool = False

    def searches_of(self, name: str) -> tuple[Searched, ...]:
        """Return the searches for ``name``."""
        digest = digest_of(name)
        return tuple(one for one in self.searches if digest in one.names)

    def removals_of(self, name: str) -> Sequence[SymbolRemoval]:
        """Return all that is known of ``name``, on whichever branch; of one commit in order."""
        return self._removals.get(digest_of(name), ())

    def is_cut(self, name: str, search: Searched) -> bool:
        """Return whether ``search`` found more removals of ``name`` than are known."""
        return digest_of(name) in search.cut

    def learn(self, removals: Mapping[str, Sequence[SymbolRemoval]], search: Searched, cut: Iterable[str] = ()) -> None:
        """Remember the ``removals`` that a search found of each name for which it was complete, or ``cut``."""
        if not removals:
            return
        digests = {digest_of(name): found for name, found in removals.items()}
        for digest, found in digests.items():
            if found:
                known = self._removals.setdefault(digest, [])
                known += [one for one in found if one not in known]
        same = [one for one in self.searches if (one.head, one.since) == (search.head, search.since)]
        others = [one for one in self.searches if one not in same]
        united = Searched(
            search.head,
            search.since,
            frozenset(digests).union(*(one.names for one in same)),
            search.without.union(*(one.without for one in same)),
            frozenset(map(digest_of, cut)).union(*(one.cut for one in same)),
        )
        if [united] == same and not any(removals.values()):
            return
        self.searches = [*others, united][-_MAX_SEARCHES:]
        self.has_learnt = True

    def to_json(self) -> dict[str, Any]:
        """Return what is known as a value for JSON."""
        names = sorted({name for one in self.searches for name in one.names})
        if len(names) > _MAX_NAMES:
            return KnownRemovals().to_json()
        numbers = {name: number for number, name in enumerate(names)}
        return {
            "names": names,
            "searches": [
                [
                    one.head,
                    one.since,
                    *(_hex(numbers[name] for name in few) for few in (one.names, one.cut)),
                    sorted(one.without),
                ]
                for one in self.searches
            ],
            "removals": {
                name: [[one.commit, one.date, one.path, one.shape, one.renamed_to, one.target] for one in found]
                for name, found in self._removals.items()
                if name in numbers
            },
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> KnownRemovals:
        """Return what ``to_json`` gave. Raises LookupError, TypeError or ValueError for anything else."""
        names: list[str] = value["names"]
        searches = [
            Searched(
                head,
                tuple(since),
                frozenset(_named(names, int(bits, 16))),
                frozenset(without),
                frozenset(_named(names, int(cut, 16))),
            )
            for head, since, bits, cut, without in value["searches"]
        ]
        removals = {
            name: [
                SymbolRemoval(
                    commit=commit, date=date, path=path, shape=Shape(shape), renamed_to=renamed_to, target=target
                )
                for commit, date, path, shape, renamed_to, target in found
            ]
            for name, found in value["removals"].items()
        }
        return cls(searches, removals)


def _hex(numbers: Iterable[int]) -> str:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return f"{bits:x}"


def _named(names: Collection[str], bits: int) -> Iterable[str]:
    return (name for number, name in enumerate(names) if bits >> number & 1)
