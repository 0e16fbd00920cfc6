"""Phrases that several formats share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from intermem.core.check.findings import Finding
from intermem.core.check.rules import Severity
from intermem.core.lifecycle.confidence import shown, signed
from intermem.core.worth.points import Point, heaviest
from intermem.core.worth.weights import BASE
from intermem.entities import Evidence, VerdictStatus
from intermem.reporters.escaping import one_line


def remedy(finding: Finding) -> str:
    """Return how to fix ``finding``, on one line: the suggested text, or its remediation."""
    suggestion = finding.suggestion
    if suggestion is None:
        verdict = finding.judged.verdict if finding.judged is not None else None
        if verdict is None or verdict.status is not VerdictStatus.MOVED or not verdict.target:
            return finding.remediation
        if verdict.evidence is Evidence.SHORT_REWRITTEN:
            return f"see whether what is at {one_line(verdict.target)} is meant"
        return f"correct the line by hand: it is now at {one_line(verdict.target)}"
    what = f"write {one_line(suggestion.text)}" if suggestion.text.strip() else "delete it"
    return what if suggestion.safe else f"{what}, if that is what was meant"


def by_severity(findings: Sequence[Finding]) -> str:
    """Return ``2 errors, 1 warning``, empty if there are no findings."""
    numbers = Counter(finding.rule.severity for finding in findings)
    return ", ".join(plural(numbers[severity], severity) for severity in Severity if numbers[severity])


def worth_in_words(score: int, points: Sequence[Point]) -> str:
    """Return a worth with what every note begins with, the two heaviest reasons for it and against it, and the rest."""
    told = heaviest(points)
    if not told:
        return shown(score)
    named = [f"{one.says} ({signed(one.points)})" for one in told]
    rest = [one.points for one in points if one not in told]
    more = [f"{len(rest)} more ({signed(sum(rest))})"] if rest else []
    return f"{shown(score)}: {', '.join([f'from {shown(BASE)}', *named, *more])}"


def plural(number: int, noun: str) -> str:
    """Return ``1 error``, ``2 errors``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
