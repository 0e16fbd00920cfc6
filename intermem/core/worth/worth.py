"""The worth of a note: the sum of the reasons for and against its excerpt, as points of 0 to 1000."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.worth.excerpt import Excerpt, excerpt_of
from intermem.core.worth.passage import Note, Passage
from intermem.core.worth.points import Point
from intermem.core.worth.reasons import CIRCUMSTANCES, REASONS
from intermem.core.worth.weights import BASE, CIRCUMSTANCE_WEIGHTS, WEIGHTS
from intermem.entities import FULL
from intermem.lazy_dataclass import dataclass

_KINDS: dict[str, frozenset[str]] = {
    "rule": frozenset(
        {"prohibition", "demand", "emphatic", "imperative", "every", "prefers", "rule-label", "plain-rule"}
        | {"short-order", "rule-with-why"}
    ),
    "fact": frozenset(
        {"trap", "breaks", "contrast", "condition", "reason", "only", "quoted", "plain-fact", "negated", "solved"}
    ),
    "reference": frozenset(
        {"defines-code", "code-first", "much-code", "describes", "path", "list", "table", "assigns", "inventory"}
    ),
    "status": frozenset(
        {"doing", "done", "done-mark", "count", "version", "moment", "commit", "state-label", "planned"}
    ),
    "episode": frozenset({"told", "told-first", "date", "dated", "plain-log"}),
    "private": frozenset({"person", "machine", "user", "memory", "agent"}),
    "pointer": frozenset({"pointer", "points", "link"}),
    "fragment": frozenset({"middle", "open", "few-words", "why-label", "placeholder", "lower-case"}),
}


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a note (0..1000), its reasons, heaviest first, and what would be written (None: nothing fits)."""

    score: int
    points: tuple[Point, ...]
    excerpt: Excerpt | None

    def uncut(self, note: Note) -> Worth:
        """Return the same worth for the whole of ``note``, whatever its length."""
        whole = Passage(note, 0, len(note.text), 0)
        return replace(self, excerpt=Excerpt(note.text, whole, (whole,)))

    @property
    def kind(self) -> str:
        """What the note reads like: rule, fact, reference, status, episode, private, pointer or fragment."""
        weight = dict.fromkeys(_KINDS, 0)
        for kind, names in _KINDS.items():
            weight[kind] = sum(abs(one.points) for one in self.points if one.reason in names)
        return max(weight, key=lambda kind: weight[kind]) if any(weight.values()) else "fact"

    @property
    def text(self) -> str | None:
        """What would be written into a document."""
        return self.excerpt.text if self.excerpt is not None else None


def worth_of(note: Note, max_chars: int) -> Worth:
    """Return the worth of a note, of which at most ``max_chars`` would be written."""
    excerpt = excerpt_of(note, max_chars)
    if excerpt is None:
        return Worth(0, (), None)
    points: list[Point] = []
    for reason in REASONS:
        here, anywhere = WEIGHTS.get(reason.name, (0, 0))
        if not here and not anywhere:
            continue
        if reason.holds(excerpt.passage):
            points.append(Point(reason.name, reason.says, here + anywhere))
        elif anywhere and any(reason.holds(one) for one in excerpt.passages):
            points.append(Point(reason.name, f"{reason.says} elsewhere", anywhere))
    for one in CIRCUMSTANCES:
        weight = CIRCUMSTANCE_WEIGHTS.get(one.name, 0)
        if weight and one.holds(note):
            points.append(Point(one.name, one.says, weight))
    points = sorted((one for one in points if one.points), key=lambda one: (-abs(one.points), one.reason))
    total = BASE + sum(one.points for one in points)
    return Worth(max(0, min(FULL, total)), tuple(points), excerpt)
