"""The reasons for and against a note: what each one says, and when it holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from intermem.core.markdown.inline import fence_spans, links, wiki_links
from intermem.core.worth import signs
from intermem.core.worth.passage import Note, Passage
from intermem.core.worth.words import Words
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex


@dataclass(frozen=True, slots=True)
class Reason:
    """A named reason that a passage gives; ``says`` completes "it …".

    ``bearing`` is 1 for what makes a rule, -1 for what makes a log, 0 for what makes neither.
    """

    name: str
    says: str
    holds: Callable[[Passage], bool]
    bearing: int = 0


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A named reason that lies in the note as a whole; ``says`` completes "it …"."""

    name: str
    says: str
    holds: Callable[[Note], bool]


def _names(words: str) -> Callable[[Passage], bool]:
    return lambda one: one.words.has(words)


def _shows(expression: str, flags: int = 0) -> Callable[[Passage], bool]:
    compiled = regex(expression, flags)
    return lambda one: compiled.search(one.unfenced) is not None


def _reads(expression: str, flags: int = 0) -> Callable[[Passage], bool]:
    compiled = regex(expression, flags)
    return lambda one: compiled.search(one.prose) is not None


def _begins(expression: str) -> Callable[[Passage], bool]:
    compiled = regex(expression)
    return lambda one: compiled.match(one.body) is not None


def _labelled(expression: str) -> Callable[[Passage], bool]:
    compiled = regex(expression)
    return lambda one: compiled.search(one.label) is not None


def _long(least: int, below: int = 10**9) -> Callable[[Passage], bool]:
    return lambda one: least <= len(one.text) < below


def _coded(least: float, below: float = 2.0) -> Callable[[Passage], bool]:
    def holds(one: Passage) -> bool:
        spans = (*one.code, *fence_spans(one.text))
        return least <= sum(span.stop - span.start for span in spans) / max(1, len(one.text)) < below

    return holds


def _links_into_memory(one: Passage) -> bool:
    return bool(wiki_links(one.text)) or any(link.text.split("#")[0].endswith(".md") for link in links(one.text))


def _under(expression: str) -> Callable[[Note], bool]:
    compiled = regex(expression)
    return lambda note: compiled.search(note.section.casefold()) is not None


def _in_file(expression: str) -> Callable[[Note], bool]:
    compiled = regex(expression)
    return lambda note: compiled.search(note.source_file.casefold()) is not None


def _typed(name: str) -> Callable[[Note], bool]:
    return lambda note: note.type == name


_BINDING = ("forbids", "demands", "only", "contrast", "prefers")
_FAILING = ("breaks", "trap")


def _any_of(one: Passage, lists: tuple[str, ...]) -> bool:
    return any(one.words.has(name) for name in lists)


def _is_dated(one: Passage) -> bool:
    return bool(signs.DATE.search(one.unfenced)) or _any_of(one, ("told", "done", "moment", "doing"))


def _commands(one: Passage) -> bool:
    return _any_of(one, _BINDING[:2]) or re.match(signs.IMPERATIVE, one.body) is not None


def _names_something(one: Passage) -> bool:
    return re.search(signs.NAMED, one.unfenced) is not None


def _is_plain_rule(one: Passage) -> bool:
    return len(one.text) < 320 and _commands(one) and _names_something(one) and not _is_dated(one)


def _is_plain_fact(one: Passage) -> bool:
    negates = re.search(signs.NEGATED, one.unfenced) is not None or _any_of(one, _FAILING)
    return len(one.text) < 320 and negates and _names_something(one) and not _is_dated(one)


def _is_inventory(one: Passage) -> bool:
    says_more = _any_of(one, (*_BINDING, *_FAILING)) or re.search(signs.NEGATED, one.unfenced) is not None
    return not says_more and (one.words.has("describes") or re.match(signs.DEFINITION, one.body) is not None)


def _is_plain_log(one: Passage) -> bool:
    return one.words.has("told") and not _commands(one)


@lru_cache(maxsize=512)  # asked several times of each passage
def _against(one: Passage) -> int:
    """How many signs of a log, a list, a person's note or a fragment it has."""
    return sum(reason.holds(one) for reason in _SINGLE if reason.bearing < 0 or reason.name in _AGAINST_TOO)


def _is_short_order(one: Passage) -> bool:
    orders = _any_of(one, _BINDING[:2])
    return orders and len(one.text) <= 220 and _names_something(one) and _against(one) == 0


def _is_rule_with_why(one: Passage) -> bool:
    gives_reason = _commands(one) and _any_of(one, ("reason", "breaks"))
    return gives_reason and len(one.text) <= 260 and _names_something(one) and _against(one) == 0


def _says_nothing(one: Passage) -> bool:
    signs_for = (*_BINDING, *_FAILING, "condition", "every")
    return not _any_of(one, signs_for) and not _commands(one) and re.search(signs.NEGATED, one.unfenced) is None


def _has_against(least: int) -> Callable[[Passage], bool]:
    return lambda one: _against(one) >= least


_AGAINST_TOO = (
    "doing",
    "perhaps",
    "planned",
    "memory",
    "agent",
    "middle",
    "lower-case",
    "open",
    "items",
    "state-label",
    "refers",
    "self",
    "for-now",
)
_SINGLE: tuple[Reason, ...] = (
    Reason("prohibition", "forbids something", _names("forbids"), 1),
    Reason("demand", "demands something", _names("demands"), 1),
    Reason("emphatic", "stresses what must be", _shows(signs.EMPHATIC), 1),
    Reason("imperative", "begins with an instruction", _begins(signs.IMPERATIVE), 1),
    Reason("contrast", "says what instead of what", _names("contrast"), 1),
    Reason("trap", "names a trap", _names("trap"), 1),
    Reason("every", "speaks of every case", _names("every"), 1),
    Reason("condition", "says when it applies", _names("condition"), 1),
    Reason("only", "limits to one way", _names("only"), 1),
    Reason("rule-label", "is labelled as a rule or a trap", _labelled(signs.RULE_LABEL), 1),
    Reason("reason", "says why", _names("reason")),
    Reason("breaks", "says what breaks", _names("breaks")),
    Reason("prefers", "states a convention", _names("prefers")),
    Reason("no-without", "begins with a negation", _begins(signs.NO), 1),
    Reason("names-code", "names something of the code", lambda one: bool(one.code)),
    Reason("names-much-code", "names four things of the code", lambda one: len(one.code) >= 4),
    Reason("sentence", "is a whole sentence", _shows(signs.SENTENCE)),
    Reason("strong", "stresses words", _shows(r"(?<!^)\*\*[^*\n]{2,100}\*\*")),
    Reason("quoted", "quotes a message", _shows(r"[\"“”「][^\"“”」\n]{12,400}[\"“”」]")),
    Reason("parenthesis", "explains in parentheses", _shows(r"\([^)\n]{12,400}\)|（[^）\n]{6,400}）")),
    Reason("table", "is a table", _shows(r"(?m)^\s{0,8}\|.{0,400}\|\s{0,8}$")),
    Reason("fence", "shows code", lambda one: bool(fence_spans(one.text))),
    Reason("date", "has a date", lambda one: signs.DATE.search(one.unfenced) is not None, -1),
    Reason("told", "tells what happened", _names("told"), -1),
    Reason("told-first", "begins with what happened", lambda one: Words(one.body[:60]).begins("told"), -1),
    Reason("done", "speaks of what is done", _names("done"), -1),
    Reason("done-mark", "is marked as done or open", _shows(signs.DONE), -1),
    Reason("doing", "speaks of plans", _names("doing")),
    Reason("moment", "speaks of a moment", _names("moment"), -1),
    Reason("person", "speaks of a person", _names("person"), -1),
    Reason("commit", "names a commit, a pull request or an issue", _shows(signs.COMMIT), -1),
    Reason("count", "counts things", _shows(signs.COUNT, re.IGNORECASE), -1),
    Reason("version", "names a version", _shows(r"\bv?\d+\.\d+(?:\.\d+)+\b|\bv\d+(?:\.\d+)?\b"), -1),
    Reason("state-label", "is labelled as a state", _labelled(signs.STATE_LABEL)),
    Reason("why-label", "only says why", _labelled(signs.WHY_LABEL), -1),
    Reason("label", "begins with a label", lambda one: bool(one.label)),
    Reason("machine", "names a place on one machine", _shows(signs.MACHINE)),
    Reason("link", "links to other notes", _links_into_memory),
    Reason("pointer", "only points elsewhere", _begins(signs.POINTER), -1),
    Reason("points", "speaks of other places to read", _names("points")),
    Reason("defines-code", "describes a name of the code", _begins(signs.DEFINITION)),
    Reason("code-first", "begins with a name of the code", lambda one: one.body.startswith(signs.CODE)),
    Reason("much-code", "is mostly code", _coded(0.45)),
    Reason("describes", "describes what there is", _names("describes")),
    Reason("path", "names a file", _shows(signs.PATH)),
    Reason("perhaps", "is a guess or an idea", _names("perhaps")),
    Reason("placeholder", "is a placeholder", _shows(signs.PLACEHOLDER, re.IGNORECASE)),
    Reason("arrow", "maps one thing to another", _shows(r"→|->|=>|⇒")),
    Reason("list", "is a list", lambda one: sum(map(one.prose.count, ",，、;；")) >= 4),
    Reason("items", "has several items", _shows(r"\n[ \t]{0,12}(?:[-*+]|\d{1,3}[.)])[ \t]")),
    Reason("figure", "gives a figure", _reads(r"\d")),
    Reason("figures", "is full of figures", lambda one: _digits(one) >= max(8, len(one.unfenced) // 9)),
    Reason("assigns", "assigns values", _reads(r"\w\s?=\s?[\w\"'`\x00]")),
    Reason("middle", "begins in the middle", lambda one: signs.MIDDLE.match(one.text.casefold()) is not None),
    Reason("lower-case", "begins in lower case", _shows(r"\A[a-zà-ÿа-я]")),
    Reason("open", "ends in the middle", lambda one: one.text.rstrip(" *_").endswith((":", "：", "—", "(", ","))),
    Reason("few-words", "is a few words", _long(0, 40)),
    Reason("short", "is a short line", _long(40, 80)),
    Reason("a-line-or-two", "is a line or two", _long(80, 180)),
    Reason("long", "is long", _long(340)),
    Reason("memory", "speaks of the memory itself", _shows(signs.MEMORY)),
    Reason("agent", "speaks of the agent or its user", _shows(signs.AGENT)),
    Reason("planned", "speaks of a plan by its number or name", _shows(signs.PLANNED)),
    Reason("general", "names nothing of this project", lambda one: re.search(signs.NAMED, one.unfenced) is None),
    Reason("negated", "says what is not so", _shows(signs.NEGATED)),
    Reason("lacking", "says what there is not", _shows(signs.LACKING)),
    Reason("refers", "refers to what is not in it", _names("refers")),
    Reason("relates", "says what is separate or shared", _names("relates")),
    Reason("self", "is in the first person", _names("self")),
    Reason("for-now", "says what is so for now", _names("for-now")),
    Reason("solved", "gives a cure", _shows(signs.CURE)),
    Reason("plain-rule", "is a rule about something named, and nothing else", _is_plain_rule, 1),
    Reason("plain-fact", "says what goes wrong with something named, and nothing else", _is_plain_fact, 1),
    Reason("inventory", "only says what there is", _is_inventory),
    Reason("plain-log", "only tells what was done", _is_plain_log, -1),
    Reason("applies", "says how to apply its note", lambda one: one.applies),
    Reason("deep", "stands deep inside its note", lambda one: one.number >= 6),
)
# What several of them say together, that none says alone.
REASONS: tuple[Reason, ...] = (
    *_SINGLE,
    Reason("short-order", "demands or forbids something named, and nothing speaks against it", _is_short_order),
    Reason("rule-with-why", "is a rule that says why, and nothing speaks against it", _is_rule_with_why),
    Reason("says-nothing", "neither rules nor warns of anything", _says_nothing),
    Reason("two-against", "has signs of a log, a list or a fragment", _has_against(2)),
    Reason("three-against", "has several signs of a log, a list or a fragment", _has_against(3)),
    Reason("four-against", "has many signs of a log, a list or a fragment", _has_against(4)),
)

CIRCUMSTANCES: tuple[Circumstance, ...] = (
    Circumstance("under-rules", "stands under rules or traps", _under(signs.RULES)),
    Circumstance("under-status", "stands under a state or a history", _under(signs.STATUS)),
    Circumstance("in-rules-file", "is in a file of rules or traps", _in_file(signs.RULES_FILE)),
    Circumstance("in-status-file", "is in a file of a state or a history", _in_file(signs.STATUS_FILE)),
    Circumstance("in-traps-file", "is in a file of traps", _in_file(signs.TRAPS_FILE)),
    Circumstance("in-decisions-file", "is in a file of designs or decisions", _in_file(signs.DECISIONS_FILE)),
    Circumstance("in-reviews-file", "is in a file of reviews", _in_file(signs.REVIEWS_FILE)),
    Circumstance("under-named-rules", "stands under what is called rules", _under(signs.NAMED_RULES)),
    Circumstance("under-work", "stands under a feature, a fix or a session", _under(signs.WORK)),
    Circumstance("under-parts", "stands under files or parts", _under(signs.PARTS)),
    Circumstance("in-index", "stands in the index itself", _in_file(r"(?:^|/)memory\.md$")),
    Circumstance("dated", "is of a note with dates", lambda note: signs.DATE.search(note.text) is not None),
    Circumstance("divided", "is of a note that says why", lambda note: note.is_divided),
    Circumstance("of-one-part", "is all that its note says", lambda note: len(note.blocks) == 1),
    Circumstance("of-many-parts", "is one of many parts of its note", lambda note: len(note.blocks) > 5),
    Circumstance("of-long-note", "is of a long note", lambda note: len(note.text) > 600),
    Circumstance("of-longer-note", "is of a very long note", lambda note: len(note.text) > 2500),
    Circumstance("feedback", "is feedback", _typed("feedback")),
    Circumstance("project", "is about the state of the project", _typed("project")),
    Circumstance("user", "is about a person", _typed("user")),
)


def _digits(one: Passage) -> int:
    return sum(letter.isdigit() for letter in one.unfenced)


_ORDERS = tuple(one for one in _SINGLE if one.name in ("prohibition", "demand", "emphatic", "imperative"))


def gives_order(one: Passage) -> bool:
    """Return whether a passage forbids, demands, stresses what must be, or begins with an instruction."""
    return any(reason.holds(one) for reason in _ORDERS)
