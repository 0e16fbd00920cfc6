"""The company of a name, or of a file: among what the repository never had, it is a library's, or of a sketch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.citations.kinds.name_evidence import NOT_IN_CODE, UNDEFINED
from intermem.core.citations.kinds.never_there import NEVER_HERE, NEVER_MADE
from intermem.entities import Evidence, Judged, VerdictStatus
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class _Company:
    """What is doubtful among strangers: kinds of citations, the evidence, and why one of them is a stranger."""

    kinds: frozenset[str]
    evidence: frozenset[Evidence]
    reasons: tuple[str, ...]
    share: int  # one in so many, at least


_NAMES = _Company(
    frozenset({"symbol", "config", "env"}),
    frozenset({Evidence.DEFINITION, Evidence.WORD, Evidence.IMPORT, Evidence.READ, Evidence.USE}),
    (NOT_IN_CODE, UNDEFINED),
    share=4,
)
_FILES = _Company(
    frozenset({"path", "dir"}), frozenset({Evidence.FILES, Evidence.NAMESAKE}), (NEVER_HERE, NEVER_MADE), share=3
)
_STRANGERS = 2  # at least


def is_of_a_name(one: Finding) -> bool:
    """Return whether a finding says that what defined or used a name was removed."""
    return _company_of(one) is _NAMES


def is_in_company(one: Finding) -> bool:
    """Return whether a finding is of a name, or says that a folder was removed, or a file elsewhere."""
    return _company_of(one) is not None


def _company_of(one: Finding) -> _Company | None:
    if one.rule is not RULE_OF[VerdictStatus.BROKEN] or one.judged is None:
        return None
    kind, evidence = one.judged.citation.kind, one.judged.verdict.evidence
    return next((group for group in (_NAMES, _FILES) if kind in group.kinds and evidence in group.evidence), None)


def without_strangers(
    findings: Sequence[Finding],
    judged: Callable[[Finding], Iterable[Judged]],
    is_asked: Callable[[Finding], bool] = is_in_company,
) -> list[Finding]:
    """Return ``findings``, as doubtful those on names whose block has at least two that this repository never had.

    These are a quarter of its names at least. So are those on folders, and on files that were elsewhere, where a third
    at least of the block's never were: it is a sketch, as of a tree. ``judged`` are the verdicts on the block of a
    finding. What is told of as gone was here. Only findings for which ``is_asked`` are looked at: without history
    nobody knows which paths never were.
    """
    told: dict[tuple[str, str], set[str]] = {}
    for one in findings:
        if one.judged is not None:
            told.setdefault((one.place.file, one.block), set()).add(one.judged.citation.text)
    return [
        replace(one, rule=DOUBTFUL)
        if is_asked(one)
        and (group := _company_of(one)) is not None
        and _is_among_strangers(group, judged(one), told[one.place.file, one.block])
        else one
        for one in findings
    ]


def is_strange(judged: Judged) -> bool:
    """Return whether what is cited is a name that no code has, nor ever had as far as is known; or so a file."""
    if judged.verdict.evidence is Evidence.DRAWN:
        return True
    return any(judged.citation.kind in one.kinds and judged.verdict.reason in one.reasons for one in (_NAMES, _FILES))


def _is_among_strangers(group: _Company, judged: Iterable[Judged], told: Collection[str]) -> bool:
    others = [one for one in judged if one.citation.kind in group.kinds]
    strangers = {one.citation.text for one in others if is_strange(one)}
    names = strangers | {one.citation.text for one in others if one.citation.text not in told}
    return len(strangers) >= _STRANGERS and group.share * len(strangers) >= len(names)
