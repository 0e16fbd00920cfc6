"""The excerpt: the verbatim part of a note that would be written into a document."""

from __future__ import annotations

import re

from intermem.core.markdown.inline import wiki_links
from intermem.core.markdown.items import without_marker
from intermem.core.worth.passage import Note, Passage, passages
from intermem.core.worth.reasons import REASONS
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_MARGIN = 2  # reasons by which "how to apply" must beat the head of its note
_LINKED = regex(r"!?\[([^\[\]\n]{1,200})\]\((?!https?:)[^()\s]{1,300}\.md(?:#[^()\s]{0,100})?\)")
_ASIDE = regex(
    r"[ \t]*[(（\[]?(?:see(?: also)?|cf\.?|siehe|voir|ver|veja|см\.?|xem|lihat|详见|参见|参考|見|참고)?:?[ \t]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What would be written (``text``), the passage that it is cut from, and every passage of its note."""

    text: str
    passage: Passage
    passages: tuple[Passage, ...]


def excerpt_of(note: Note, max_chars: int) -> Excerpt | None:
    """Return the excerpt of a note, at most ``max_chars`` long, or None if no part of it is complete and fits.

    The whole note, if it fits and is not divided into a rule, its *Why* and its *How to apply*; else the beginning of
    its first paragraph; or of *How to apply*, where that is much more of a rule.
    """
    found = tuple(passages(note, max_chars))
    if not found:
        return None
    parts = [one for one in found if not (one.is_whole and note.is_divided)] or found
    lead = next((one for one in parts if one.number == 0), parts[0])
    chosen = lead
    if not lead.is_whole or note.is_divided:
        applied = [one for one in found if one.applies]
        chosen = next((one for one in applied if _bearing(one) > _bearing(lead) + _MARGIN), lead)
    return Excerpt(_written(chosen), chosen, found)


def _bearing(one: Passage) -> int:
    return sum(reason.bearing for reason in REASONS if reason.bearing and reason.holds(one))


def _written(one: Passage) -> str:
    """Return the text of a passage without links into the memory, which no colleague can follow, and a first marker."""
    text = _LINKED.sub(r"\1", one.text)
    at, parts = 0, list[str]()
    for link in wiki_links(text):
        before = text[at : link.start]
        aside = _ASIDE.search(before)
        after = link.stop
        if aside and aside[0].strip():  # "(see [[x]])" goes as a whole
            before = before[: aside.start()]
            after += 1 if text[after : after + 1] in (")", "）", "]") else 0
            parts.append(before)
        else:
            parts += [before, link.text]
        at = after
    return without_marker("".join((*parts, text[at:])).strip())
