"""The excerpt: the verbatim part of a note that would be written into a document."""

from __future__ import annotations

import re

from intermem.core.markdown.inline import wiki_links
from intermem.core.markdown.items import without_marker
from intermem.core.worth.passage import Note, Passage, passages, sentence_ends
from intermem.core.worth.reasons import REASONS, gives_order
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_MARGIN = 2  # reasons by which "how to apply" must beat the head of its note
_LINKED = regex(r"!?\[([^\[\]\n]{1,200})\]\((?!https?:)[^()\s]{1,300}\.md(?:#[^()\s]{0,100})?\)")
_ASIDE = regex(
    r"[ \t]*[(（\[]?(?:see(?: also)?|cf\.?|siehe|voir|ver|veja|см\.?|xem|lihat|详见|参见|参考|見|참고)?:?[ \t]*$",
    re.IGNORECASE,
)
# Labels that say no more than that a rule follows.
_PLAIN_LABEL = regex(
    r"(?:rules?|lessons?(?: learned)?|takeaway|prevention|how to (?:apply|use)|solution|fix|decision|regla|regra|règle"
    r"|regel|lección|lição|leçon|lehre|decisión|decisão|décision|entscheidung|правило|урок|решение|规则|教训|决定|解决|ルール|対策|決定"
    r"|규칙|교훈|해결|결정)"
)
_LEAST = 40  # characters that are left of a passage without its last sentence


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
    return Excerpt(_written(_to_the_point(chosen)), chosen, found)


def _bearing(one: Passage) -> int:
    return sum(reason.bearing for reason in REASONS if reason.bearing and reason.holds(one))


def _to_the_point(one: Passage) -> Passage:
    """Return a passage without a plain label in front of an order, nor a last sentence that leads to what is out."""
    label = one.label_end if _PLAIN_LABEL.fullmatch(one.label) else one.start
    named = Passage(one.note, label, one.stop, one.number, one.applies)
    is_order = one.start < label < one.stop and one.note.text[label] != "\n" and gives_order(named)
    start = label if is_order else one.start
    return Passage(one.note, start, _stop_of(one, start), one.number, one.applies)


def _stop_of(one: Passage, start: int) -> int:
    text = one.note.text
    if one.is_whole or not text[start : one.stop].rstrip("*_ ").endswith((":", "：")):
        return one.stop
    last = [start, *sentence_ends(text, start, one.stop)][-2]
    kept = text[start:last].rstrip()
    is_whole = kept.count("**") % 2 == kept.count("`") % 2 == 0 and kept.count("(") == kept.count(")")
    is_in_line = "\n" not in text[last : one.stop].strip()
    return start + len(kept) if len(kept) >= _LEAST and is_whole and is_in_line else one.stop


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
