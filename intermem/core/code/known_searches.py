"""What whole searches of the code found, remembered: asked the same of the same files, nothing is looked up again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from intermem.core.code.known_places import digest_of
from intermem.facts import Occurrence, Shape

_MAX_SEARCHES = 6  # of the last runs: each asks two or three times
_SHAPES = tuple(Shape)

Found = Mapping[str, tuple[Occurrence, ...]]


class KnownSearches:
    """What the last searches found, by what was asked of which files; names are kept as digests."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, list[list[Any]]]] = {}
        self._same: dict[str, str] = {}

    def get(self, asked: str, names: Iterable[str]) -> dict[str, tuple[Occurrence, ...]] | None:
        """Return what a search found, of which ``asked`` is the key, or another name of it; None if it is not known."""
        found = self._found.get(self._same.get(asked, asked))
        if found is None:
            return None
        bare = sorted({name.removesuffix("()") for name in names})
        return {name: _places(found[key]) for name in bare if (key := digest_of(name)) in found}

    def put(self, asked: str, found: Found) -> None:
        """Remember what a search found."""
        self._found.pop(asked, None)
        self._found[asked] = {
            digest_of(name): [[one.path, one.line, _SHAPES.index(one.shape), int(one.mention)] for one in places]
            for name, places in found.items()
        }
        for old in list(self._found)[:-_MAX_SEARCHES]:
            del self._found[old]

    def name(self, asked: str, also: str) -> None:
        """Remember that ``also`` is the key of the same search as ``asked``."""
        self._same.pop(also, None)
        self._same[also] = asked
        for old in list(self._same)[:-_MAX_SEARCHES]:
            del self._same[old]

    def to_json(self) -> dict[str, Any]:
        """Return what is known as a value for JSON."""
        return {"found": self._found, "same": self._same}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> KnownSearches:
        """Return what ``to_json`` gave."""
        known = cls()
        known._found, known._same = dict(value["found"]), dict(value["same"])
        return known


def key_of(names: Iterable[str], versions: Iterable[tuple[str, str, int | None]]) -> str:
    """Return the key of a search for ``names`` in files: path, version, and size on disk of each, in their order."""
    told = [f"{name}\n" for name in sorted(names)]
    told += [f"{path}\0{version}\0{size}\n" for path, version, size in versions]
    return blake2b("".join(told).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _places(kept: Sequence[Sequence[Any]]) -> tuple[Occurrence, ...]:
    return tuple(
        Occurrence(path=path, line=line, shape=_SHAPES[shape], mention=bool(mention))
        for path, line, shape, mention in kept
    )
