"""The rules of ``check``: code, name, severity, and how to fix a violation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its stable ``code``, its ``name``, what it means, and what to do where it speaks.

    ``topic`` is the word by which ``--fail-on`` calls it. One that is not ``on`` speaks only where it
    is asked for, by ``--all`` or ``--fail-on``.
    """

    code: str
    name: str
    topic: str
    severity: Severity
    meaning: str
    way_out: str
    on: bool = True


RULES: tuple[Rule, ...] = (
    Rule(
        code="IM001",
        name="broken-citation",
        topic="broken",
        severity=Severity.ERROR,
        meaning="A text cites something that is not there: it was once, or it must be.",
        way_out="correct the line, or take it out",
    ),
    Rule(
        code="IM002",
        name="moved-citation",
        topic="moved",
        severity=Severity.WARNING,
        meaning="A text cites something that stands elsewhere now.",
        way_out="write the new place; intermem check --fix does it where nothing else can be meant",
    ),
    Rule(
        code="IM003",
        name="ambiguous-citation",
        topic="ambiguous",
        severity=Severity.WARNING,
        meaning="A text cites something of which there are several, and nothing around it says which.",
        way_out="write more of the path",
        on=False,
    ),
    Rule(
        code="IM010",
        name="region-damaged",
        topic="region",
        severity=Severity.ERROR,
        meaning="The markers of a region are damaged, or a conflict stands in it: intermem leaves the document alone.",
        way_out="intermem doctor says what is wrong; doctor --repair mends what has one way out",
    ),
    Rule(
        code="IM011",
        name="missing-entry",
        topic="ledger",
        severity=Severity.WARNING,
        meaning="The ledger promises an entry that no region holds, and no commit says that a person took it out.",
        way_out="intermem restore brings it back, intermem reject gives it up",
    ),
    Rule(
        code="IM012",
        name="ledger-disagrees",
        topic="ledger",
        severity=Severity.WARNING,
        meaning="The ledger and the document were not committed together: one of them says what the other does not.",
        way_out="intermem sweep brings the ledger up to date; commit both",
    ),
    Rule(
        code="IM013",
        name="ledger-damaged",
        topic="ledger",
        severity=Severity.ERROR,
        meaning="The ledger cannot be read, so nothing is known of the entries' age and standing.",
        way_out="intermem doctor says what is wrong",
    ),
    Rule(
        code="IM020",
        name="stale-entry",
        topic="stale",
        severity=Severity.WARNING,
        meaning="An entry of a region is stale: nobody has seen it for long, or what it cites is gone.",
        way_out="intermem sweep demotes what stays stale; intermem pin keeps it",
    ),
    Rule(
        code="IM030",
        name="over-budget",
        topic="budget",
        severity=Severity.WARNING,
        meaning="A region has more lines than promote.budget_lines.",
        way_out="intermem prune --keep-highest, or another budget",
    ),
    Rule(
        code="IM040",
        name="not-loaded",
        topic="loading",
        severity=Severity.WARNING,
        meaning="An agent does not load the document, or loads only the beginning of it.",
        way_out="import it (@AGENTS.md) from the file that the agent reads",
    ),
    Rule(
        code="IM041",
        name="unreadable-document",
        topic="loading",
        severity=Severity.ERROR,
        meaning="A document cannot be read as UTF-8 text of a usual size, or its Markdown cannot be parsed.",
        way_out="save it as UTF-8, or split it",
    ),
    Rule(
        code="IM042",
        name="dangling-document",
        topic="loading",
        severity=Severity.ERROR,
        meaning="A document is a link to a file that is not there: an agent loads nothing.",
        way_out="let the link lead to the document, or take it out",
    ),
    Rule(
        code="IM050",
        name="secret",
        topic="secret",
        severity=Severity.ERROR,
        meaning="A line seems to hold a secret. Its value is never shown.",
        way_out="revoke it, then take it out; intermem purge takes it out of intermem's files",
    ),
    Rule(
        code="IM060",
        name="unused-ignore",
        topic="ignore",
        severity=Severity.WARNING,
        meaning="An intermem:ignore comment, or a line of the baseline, speaks of nothing that is found any more.",
        way_out="take it out",
    ),
    Rule(
        code="IM061",
        name="expired-ignore",
        topic="ignore",
        severity=Severity.WARNING,
        meaning="The day until which an intermem:ignore comment holds is over.",
        way_out="mend what it hides, or give it another day",
    ),
    Rule(
        code="IM062",
        name="invalid-ignore",
        topic="ignore",
        severity=Severity.ERROR,
        meaning="An intermem:ignore comment names no rule, an unknown one, or a day that is none.",
        way_out='<!-- intermem:ignore IM001 reason="…" until=2027-01-31 -->',
    ),
)


# What only a working tree as a whole can tell: its ledger, its regions, its age.
ABOUT_ENTRIES = frozenset({"IM011", "IM012", "IM013", "IM020", "IM030", "IM040"})


BY_CODE = {rule.code: rule for rule in RULES}
