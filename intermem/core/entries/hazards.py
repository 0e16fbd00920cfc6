"""The hazards of a text: what a reader cannot see in it, and what a person must decide about."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.entries.invisible import (
    BIDI,
    CONTROL,
    HIDDEN_TEXT,
    ZERO_WIDTH,
    Invisible,
    code_point,
    invisible_in,
    spelled,
)
from intermem.core.markdown.lines import line_starts
from intermem.lazy_dataclass import dataclass

PIPE_TO_SHELL = "IM080"
INSTRUCTION_OVERRIDE = "IM081"
CREDENTIAL_PATH = "IM082"
PERMISSION_BYPASS = "IM083"
DOCUMENT_IMPORT = "IM084"
LINK_DEFINITION = "IM085"
IGNORE_COMMENT = "IM086"

INVISIBLE = frozenset({HIDDEN_TEXT, ZERO_WIDTH, BIDI, CONTROL})
TO_DECIDE = frozenset(
    {
        PIPE_TO_SHELL,
        INSTRUCTION_OVERRIDE,
        CREDENTIAL_PATH,
        PERMISSION_BYPASS,
        DOCUMENT_IMPORT,
        LINK_DEFINITION,
        IGNORE_COMMENT,
    }
)

_KINDS = {
    HIDDEN_TEXT: ("a tag character", "tag characters"),
    ZERO_WIDTH: ("a zero-width character", "zero-width characters"),
    BIDI: ("a character that changes the direction of text", "characters that change the direction of text"),
    CONTROL: ("a control character", "control characters"),
}
_REASONS = {
    PIPE_TO_SHELL: "it runs what it downloads",
    INSTRUCTION_OVERRIDE: "it overrides an agent's instructions",
    CREDENTIAL_PATH: "it names where credentials are kept",
    PERMISSION_BYPASS: "it switches off an agent's permissions",
    DOCUMENT_IMPORT: "it imports a file into every session",
    LINK_DEFINITION: "it defines a link for the whole document",
    IGNORE_COMMENT: "it hides findings of check",
}
_NAMED = 3  # code points named in a reason
_WIDTH = 60  # characters of a phrase in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """A hazard of a text: the ``code`` of its rule, ``what`` it is in words, and where.

    ``line`` and ``column`` count from 1, the column in characters; ``stop`` is the column after the last
    character on that line. ``code_points`` are those of invisible characters, as in ``U+200B ZERO WIDTH SPACE``.
    """

    code: str
    what: str
    line: int
    column: int
    stop: int
    code_points: tuple[str, ...] = ()

    @property
    def is_refused(self) -> bool:
        """True for what nobody can see, False for what a person may decide."""
        return self.code in INVISIBLE


def hazards_in(text: str, allowed: Collection[str] = ()) -> tuple[Hazard, ...]:
    """Return the hazards of the Markdown ``text`` by line, without those of the rules ``allowed`` (codes)."""
    return tuple(one for one in _hazards(text) if one.code not in allowed)


def entry_hazards(text: str, section: str, allowed: Collection[str] = ()) -> tuple[Hazard, ...]:
    """Return the hazards of an entry, and of the heading that it is written under (their line is 0)."""
    heading = (replace(one, line=0) for one in hazards_in(section, allowed))
    return (*heading, *hazards_in(text, allowed))


@lru_cache(maxsize=4096)
def _hazards(text: str) -> tuple[Hazard, ...]:
    starts = line_starts(text)
    found = [*_invisible(text, starts, in_note=True), *_to_decide(text, starts)]
    return tuple(sorted(found, key=lambda one: (one.line, one.column, one.code)))


def invisible_hazards(text: str) -> list[Hazard]:
    """Return the invisible characters of a document: one hazard for each rule on each line, in order."""
    starts = line_starts(text)
    return sorted(_invisible(text, starts), key=lambda one: (one.line, one.column, one.code))


def _invisible(text: str, starts: Sequence[int], *, in_note: bool = False) -> Iterator[Hazard]:
    by_place: dict[tuple[int, str], list[Invisible]] = {}
    for one in invisible_in(text, in_note=in_note):
        by_place.setdefault((bisect_right(starts, one.at), one.code), []).append(one)
    for (line, code), group in by_place.items():
        points = tuple(code_point(character) for character in dict.fromkeys(one.character for one in group))
        begin = starts[line - 1]
        yield Hazard(
            code=code,
            what=_described(code, group, points),
            line=line,
            column=group[0].at - begin + 1,
            stop=group[-1].at - begin + 2,
            code_points=points,
        )


def _described(code: str, group: Sequence[Invisible], points: Sequence[str]) -> str:
    one, several = _KINDS[code]
    named = ", ".join(points[:_NAMED]) + (f" and {len(points) - _NAMED} more" if len(points) > _NAMED else "")
    said = spelled("".join(each.character for each in group))
    spells = f", which spell {_quoted(said)}" if said else ""
    return f"{one if len(group) == 1 else f'{len(group)} {several}'} ({named}){spells}"


def _to_decide(text: str, starts: Sequence[int]) -> Iterator[Hazard]:
    from intermem.core.entries.risks import risks_in  # many patterns, which check does without

    met: set[tuple[str, int]] = set()
    for one in risks_in(text):
        line = bisect_right(starts, one.start)
        if (one.code, line) in met:
            continue
        met.add((one.code, line))
        begin = starts[line - 1]
        end = starts[line] if line < len(starts) else len(text)
        shown = text[one.start : min(one.stop, end)].rstrip()
        yield Hazard(
            code=one.code,
            what=f"{_REASONS[one.code]}: {_quoted(' '.join(text[one.start : one.stop].split()))}",
            line=line,
            column=one.start - begin + 1,
            stop=one.start - begin + 1 + max(len(shown), 1),
        )


def _quoted(text: str) -> str:
    return f'"{text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"}"'


def in_words(hazards: Iterable[Hazard]) -> str:
    """Return what ``hazards`` are, in words, each with its line; 0 is the heading."""
    return "; ".join(f"{f'line {one.line}' if one.line else 'heading'}: {one.what}" for one in hazards)
