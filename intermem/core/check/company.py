"""The company of a name: among names that the repository never had, it is a library's as often."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.citations.kinds.name_evidence import NOT_IN_CODE, UNDEFINED
from intermem.entities import Evidence, Judged, VerdictStatus

_REMOVED = frozenset({Evidence.DEFINITION, Evidence.WORD, Evidence.IMPORT, Evidence.READ, Evidence.USE})
_NAMES = frozenset({"symbol", "config", "env"})
_STRANGERS = 2  # at least
_SHARE = 4  # one in so many names, at least


def is_of_a_name(one: Finding) -> bool:
    """Return whether a finding says that what defined or used a name was removed."""
    return (
        one.rule is RULE_OF[VerdictStatus.BROKEN]
        and one.judged is not None
        and one.judged.verdict.evidence in _REMOVED
        and one.judged.citation.kind in _NAMES
    )


def without_strangers(findings: Sequence[Finding], judged: Callable[[Finding], Iterable[Judged]]) -> list[Finding]:
    """Return ``findings``, as doubtful those on names whose block has at least two that this repository never had.

    These are a quarter of its names at least. ``judged`` are the verdicts on the block of a finding. What is told of as
    gone was here.
    """
    told: dict[tuple[str, str], set[str]] = {}
    for one in findings:
        if one.judged is not None:
            told.setdefault((one.place.file, one.block), set()).add(one.judged.citation.text)
    return [
        replace(one, rule=DOUBTFUL)
        if is_of_a_name(one) and _is_among_strangers(judged(one), told[one.place.file, one.block])
        else one
        for one in findings
    ]


def is_strange(judged: Judged) -> bool:
    """Return whether what is cited is a name that no code has, nor ever had as far as is known."""
    return judged.citation.kind in _NAMES and judged.verdict.reason in (NOT_IN_CODE, UNDEFINED)


def _is_among_strangers(judged: Iterable[Judged], told: Collection[str]) -> bool:
    others = [one for one in judged if one.citation.kind in _NAMES and one.citation.text not in told]
    names = {one.citation.text for one in others}
    strangers = {one.citation.text for one in others if is_strange(one)}
    return len(strangers) >= _STRANGERS and _SHARE * len(strangers) >= len(names)
