"""What texts cite, and whether they may hold a secret: read once, and kept for the next run.

A text is known by its digest, and what it cites by places in it, so nothing that was kept can be read without the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from hashlib import blake2b
from types import ModuleType
from typing import Any

from intermem.core.markdown.blocks import Block, blocks_of
from intermem.core.markdown.lines import line_starts
from intermem.entities import Citation, CitedAt, Stance
from intermem.lazy_dataclass import dataclass
from intermem.project.git.cache import Cache

_READINGS = "readings"
_DIGEST_SIZE = 12  # bytes; of a text
_MAX_TEXTS = 30_000  # kept; beyond it only those of this run are
_MAX_LENGTH = 20_000  # characters of a text: finding the places in it takes its length times their number
_WEAK, _LINK = 1, 2
_BLOCKS = "blocks"


@dataclass(slots=True)
class _Known:
    """What is known of a text; None where not yet asked.

    Its citations as they are kept, their places (of each in turn), and what else it says, by question.
    """

    cited: list[list[Any]] | None = None
    places: list[list[list[int]]] | None = None
    said: dict[str, Any] = field(default_factory=dict)


@dataclass
class Readings:
    """What texts say, as far as their own words tell; remembered in ``cache``."""

    cache: Cache
    _new: bool = False
    _asked: dict[str, _Known] = field(default_factory=dict)
    _citations: dict[str, tuple[Citation, ...]] = field(default_factory=dict)
    _by_text: dict[str, _Known] = field(default_factory=dict)

    def citations(self, text: str) -> tuple[Citation, ...]:
        """Return the citations in ``text``, as ``citations_of`` does."""
        found = self._citations.get(text)
        if found is None:
            found = self._citations[text] = self._read(text)
        return found

    def spans(self, text: str) -> Mapping[tuple[str, str], Sequence[CitedAt]]:
        """Return the places of what ``text`` cites, by kind and text, as ``spans_of`` does."""
        known, cited = self._known(text), self.citations(text)
        if known.places is None:
            from intermem.core.citations.extract import spans_of

            found = spans_of(text)
            if len(text) <= _MAX_LENGTH:
                known.places = [
                    [[span.start, span.stop, int(span.link)] for span in found[one.kind, one.text]] for one in cited
                ]
                self._new = True
            return found
        return {
            (one.kind, one.text): [CitedAt(start, stop, bool(link)) for start, stop, link in spans]
            for one, spans in zip(cited, known.places, strict=True)
        }

    def blocks(self, text: str) -> list[Block]:
        """Return the top-level blocks of ``text``, as ``blocks_of`` does. Raises UnreadableFile as that does."""
        said = self._known(text).said
        if _BLOCKS in said:
            return [
                Block(kind, first, stop, text[at : at + length], level, markup, list_first)
                for kind, first, stop, at, length, level, markup, list_first in said[_BLOCKS]
            ]
        found = blocks_of(text)
        placed = _placed(text, found)
        if placed is not None:
            said[_BLOCKS] = placed
            self._new = True
        return found

    def is_harmless(self, text: str) -> bool:
        """Return whether no line of ``text`` may hold a secret."""
        return bool(self._said(text, "harmless", _is_harmless))

    def stance_below(self, line: str) -> Stance:
        """Return what ``line``, above a list, says of each of its items."""
        return Stance(self._said(line, "below", lambda one: _leads().stance_below(one).value))

    def stance_in(self, heading: str, name: str) -> Stance:
        """Return what ``heading``, which has it, says of ``name``."""
        return Stance(self._said(f"{name}\n{heading}", "headed", lambda _: _leads().stance_in(heading, name).value))

    def bans_names(self, line: str) -> bool:
        """Return whether ``line``, above a list, says that nobody is to use what its items name."""
        return bool(self._said(line, "bans", lambda one: _leads().bans_names(one)))

    def names_what_is_elsewhere(self, line: str) -> bool:
        """Return whether a line says that what stands below it does not belong here."""
        return bool(self._said(line, "elsewhere", lambda one: _leads().names_what_is_elsewhere(one)))

    def is_of_samples(self, heading: str) -> bool:
        """Return whether ``heading`` is above rules on how things are named, or of what nobody is to do."""
        return bool(self._said(heading, "samples", lambda one: _leads().is_of_samples(one)))

    def is_planned(self, heading: str) -> bool:
        """Return whether ``heading`` says that what a picture below it shows is to come."""
        return bool(self._said(heading, "planned", lambda one: _leads().is_planned(one)))

    def tells_what_is_gone(self, heading: str) -> bool:
        """Return whether ``heading`` says that what stands below it is gone."""
        return bool(self._said(heading, "gone", lambda one: _leads().tells_what_is_gone(one)))

    def forbids(self, line: str) -> bool:
        """Return whether ``line``, a heading or what leads in a list, forbids whatever stands below it."""
        return bool(self._said(line, "forbids", lambda one: _leads().forbids(one)))

    def defines(self, line: str, name: str) -> bool:
        """Return whether ``line``, of sample code, defines ``name``."""
        return bool(self._said(f"{name}\n{line}", "defines", lambda _: _defines(line, name)))

    def _said(self, text: str, what: str, ask: Callable[[str], Any]) -> Any:
        known = self._known(text)
        if what not in known.said:
            known.said[what] = ask(text)
            self._new = True
        return known.said[what]

    def keep(self) -> None:
        """Keep what was read since the last call."""
        if not self._new:
            return
        self._new = False
        texts = {**self._before, **self._asked}
        kept = texts if len(texts) <= _MAX_TEXTS else self._asked
        self.cache.save(_READINGS, {digest: [one.cited, one.places, one.said] for digest, one in kept.items()})

    def _read(self, text: str) -> tuple[Citation, ...]:
        known = self._known(text)
        if known.cited is not None:
            return tuple(_citation(text, *kept) for kept in known.cited)
        from intermem.core.citations.extract import citations_of

        found = citations_of(text)
        if len(text) <= _MAX_LENGTH:
            known.cited = [_kept(text, one) for one in found]
            self._new = True
        return found

    def _known(self, text: str) -> _Known:
        known = self._by_text.get(text)
        if known is None:
            known = self._by_text[text] = self._known_by_digest(text)
        return known

    def _known_by_digest(self, text: str) -> _Known:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).hexdigest()
        known = self._asked.get(digest)
        if known is None:
            known = self._asked[digest] = self._before.get(digest) or _Known()
        return known

    @cached_property
    def _before(self) -> dict[str, _Known]:
        """What earlier runs knew."""
        return self.cache.load(_READINGS, _from_json) or {}


def _is_harmless(text: str) -> bool:
    from intermem.core.entries.secrets import secret_rule

    return secret_rule(text) is None


def _defines(line: str, name: str) -> bool:
    from intermem.core.code.line_shapes import defines  # its patterns are compiled when it is first asked

    return defines(line, name)


def _placed(text: str, blocks: Iterable[Block]) -> list[list[Any]] | None:
    """Return blocks with the place of what is in them; None if one has something that is not in ``text`` as it is."""
    starts = line_starts(text)
    found: list[list[Any]] = []
    for one in blocks:
        first, stop = (starts[line] if line < len(starts) else len(text) for line in (one.first, one.stop))
        at = text.find(one.content, first, stop)
        if at < 0:
            return None
        found.append([one.type, one.first, one.stop, at, len(one.content), one.level, one.markup, one.list_first])
    return found


def _leads() -> ModuleType:
    from intermem.core.citations import leads

    return leads


def _from_json(value: dict[str, Any]) -> dict[str, _Known]:
    return {digest: _Known(*known) for digest, known in value.items()}


def _kept(text: str, one: Citation) -> list[Any]:
    name = None if one.name == one.text else list(_pieces(text, one.name))
    marks = (_WEAK if one.weak else 0) | (_LINK if one.link else 0)
    return [one.kind, list(_pieces(text, one.text)), name, one.first_line, one.last_line, one.stance.value, marks]


def _citation(
    text: str,
    kind: str,
    cited: Sequence[int | str],
    name: Sequence[int | str] | None,
    first_line: int | None,
    last_line: int | None,
    stance: str,
    marks: int,
) -> Citation:
    written = _joined(text, cited)
    return Citation(
        kind=kind,
        text=written,
        name=written if name is None else _joined(text, name),
        first_line=first_line,
        last_line=last_line,
        stance=Stance(stance),
        weak=bool(marks & _WEAK),
        link=bool(marks & _LINK),
    )


def _pieces(text: str, words: str) -> Iterator[int | str]:
    """Yield ``words`` as places in ``text``: an offset and a length each, or a character that the text lacks."""
    at = 0
    while at < len(words):
        # What begins here and is in the text: any start of it is in the text as well.
        length = bisect_left(range(1, len(words) - at + 1), True, key=lambda size: words[at : at + size] not in text)
        if length:
            yield text.index(words[at : at + length])
            yield length
        else:
            yield words[at]
        at += length or 1


def _joined(text: str, pieces: Iterable[int | str]) -> str:
    rest = iter(pieces)
    return "".join(one if isinstance(one, str) else text[one : one + _number(next(rest))] for one in rest)


def _number(piece: int | str) -> int:
    return int(piece)
