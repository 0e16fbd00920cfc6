"""Pair texts that are rewordings of one another: which note of now was which before."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping

from intermem.core.entries.identity import normalised
from intermem.core.entries.similarity import COMPARED, likeness

_ANY = float("inf")
_LONG = 2 * COMPARED  # characters; of longer texts only the ends are compared


def pairs_alike(left: Mapping[str, str], right: Mapping[str, str], floor: float) -> list[tuple[str, str]]:
    """Return the pairs of keys of texts in ``left`` and ``right`` that are rewordings; each key is used once.

    Paired texts are at least ``floor`` similar (``fuzz.ratio`` of the normalised texts); the most similar are
    paired first, then by key.
    """
    if not left or not right:
        return []
    among = _Texts(right, floor)
    scored = [(-score, key, other) for key, text in left.items() for score, other in among.like(normalised(text))]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, key, other in sorted(scored):
        if key not in found and other not in taken:
            found[key] = other
            taken.add(other)
    return sorted(found.items())


class _Texts:
    """Many texts, by their lengths: one call compares a text with all that may be alike enough."""

    def __init__(self, texts: Mapping[str, str], floor: float) -> None:
        plain = sorted((len(one), one, key) for key, text in texts.items() for one in (normalised(text),))
        self._short = [one for one in plain if one[0] <= _LONG]
        self._long = plain[len(self._short) :]
        self._lengths = [length for length, _, _ in self._short]
        self._texts = [text for _, text, _ in self._short]
        self._floor = floor

    def like(self, wanted: str) -> Iterator[tuple[float, str]]:
        """Yield the likeness (0 to 1) and the key of each text that is at least ``floor`` similar to ``wanted``."""
        from rapidfuzz import fuzz, process

        others = [*self._short, *self._long]
        if len(wanted) <= _LONG:
            # No text is more alike than twice the shorter length in both.
            least = self._floor * len(wanted) / (2 - self._floor)
            most = (2 - self._floor) * len(wanted) / self._floor if self._floor else _ANY
            first, stop = bisect_left(self._lengths, int(least)), bisect_right(self._lengths, most + 1)
            others = self._long
            near = self._texts[first:stop]
            for _, score, at in process.extract(
                wanted, near, scorer=fuzz.ratio, score_cutoff=self._floor * 100, limit=None
            ):
                yield score / 100, self._short[first + at][2]
        for _, text, key in others:
            score = likeness(wanted, text, self._floor)
            if score >= self._floor:
                yield score, key
