"""What a text that stands in a document is, judged by the reasons that it gives: a rule, or a line of a log."""

from __future__ import annotations

from functools import lru_cache

from intermem.core.worth.passage import Note, Passage
from intermem.core.worth.points import Point
from intermem.core.worth.reasons import REASONS, gives_order
from intermem.core.worth.words import Words
from intermem.core.worth.worth import worth_of
from intermem.patterns import regex

LEAST_WORTH = 250  # of a line that is no log: half of where two in three are worth a line
# A log says when, says what was done or how much it was, and has a figure that was true then. One of these alone is a
# version in use, an item of a checklist, or a step of a procedure.
_OF_LOGS = (
    frozenset({"date", "commit", "moment"}),
    frozenset({"told", "done", "done-mark", "count"}),
    frozenset({"date", "commit", "count", "version"}),
)
_LEADS = tuple(reason for reason in REASONS if reason.name in ("date", "done-mark", "count", "told-first"))
_STATE = next(reason for reason in REASONS if reason.name == "state-label")
_HEAD = 24  # characters
_YEAR = regex(r"(?<!\d)20\d\d(?!\d)")


def _leads_with_it(passage: Passage) -> bool:
    """Whether it begins with when or what was done, or is labelled a state: a description with a date is no log."""
    head = Passage(Note(passage.body[:_HEAD]), 0, len(passage.body[:_HEAD]), 0)
    if any(reason.holds(head) for reason in _LEADS) or Words(head.prose).begins("done"):
        return True
    return _STATE.holds(passage) or Words(passage.label).has("moment")


@lru_cache(maxsize=4096)  # the items of a region are asked about for each entry that goes in
def is_rule(text: str) -> bool:
    """Return whether ``text`` forbids, demands, stresses what must be, or begins with an instruction."""
    return gives_order(Passage(Note(text), 0, len(text), 0))


def signs_of_log(note: Note) -> tuple[Point, ...]:
    """Return what makes ``note`` read like a log or a state, heaviest first; nothing if it does not, or if in doubt.

    It does if it is worth less than LEAST_WORTH, no rule, has more that makes a log than makes a rule, says when, what
    and how much, and begins with that or is labelled a state. docs/worth.md has the figures.
    """
    worth = worth_of(note, len(note.text))
    if worth.excerpt is None or worth.score >= LEAST_WORTH:
        return ()
    passage = worth.excerpt.passage
    held = [reason for reason in REASONS if reason.bearing and reason.holds(passage)]
    if gives_order(passage) or sum(reason.bearing for reason in held) >= 0:
        return ()
    # A date without a year is as often a name with a number.
    signs = {one.name for one in held if one.name != "date" or _YEAR.search(passage.unfenced)}
    if any(signs.isdisjoint(names) for names in _OF_LOGS) or not _leads_with_it(passage):
        return ()
    signs &= frozenset[str]().union(*_OF_LOGS)
    return tuple(one for one in worth.points if one.reason in signs and one.points < 0)
