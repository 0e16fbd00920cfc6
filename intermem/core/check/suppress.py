"""Suppression of findings by the configuration, by comments and by the baseline.

A comment or baseline entry that suppresses nothing is itself a finding, so that none outlives its purpose.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, time

from intermem.core.check.baseline import Baseline
from intermem.core.check.findings import Finding, Location
from intermem.core.check.ignores import Ignore, Named, comments_of
from intermem.core.check.rules import BY_CODE, HAZARDS
from intermem.core.check.settings import ALWAYS_SHOWN, CheckSettings


def sifted(
    findings: Iterable[Finding],
    documents: Mapping[str, str],
    settings: CheckSettings,
    baseline: Baseline | None,
    now: datetime,
    judged_rules: Collection[str],
) -> tuple[tuple[Finding, ...], int]:
    """Return the findings to show, by location, and how many of ``findings`` are hidden.

    Findings about ignores (IM060 to IM062) are among those to show.

    ``documents`` are the texts that were checked, by the file names in locations; ``judged_rules`` are
    the codes of the rules that were applied: an ignore of any other rule is not reported as unused. The
    configuration comes first, then comments, then the baseline, where each entry hides one finding.
    Findings about ignores are hidden by the configuration only, hazards by what it allows only.
    """
    ordered = sorted(findings, key=_order)
    comments = _Comments(documents, now)
    shown: list[Finding] = []
    hidden = 0
    known = Counter(entry.fingerprint for entry in baseline.entries) if baseline else Counter[str]()
    for finding in ordered:
        by_comment = comments.hide(finding)
        if by_comment or settings.ignores(finding.rule.code, finding.place.file):
            hidden += 1
        elif known[finding.fingerprint] > 0 and finding.rule.code not in ALWAYS_SHOWN:
            known[finding.fingerprint] -= 1
            hidden += 1
        else:
            shown.append(finding)
    own = [*comments.findings(judged_rules), *_unmatched(baseline, ordered, documents, judged_rules)]
    shown += [one for one in own if not settings.ignores(one.rule.code, one.place.file)]
    return tuple(sorted(shown, key=_order)), hidden


def _order(finding: Finding) -> tuple[Location, str, str, str]:
    return finding.place, finding.rule.code, finding.message, finding.fingerprint


class _Comments:
    """The ignore comments of all documents, and which of their words have hidden a finding."""

    def __init__(self, documents: Mapping[str, str], now: datetime) -> None:
        self._invalid: list[Finding] = []
        self._expired: list[Ignore] = []
        self._valid: list[Ignore] = []
        self._used: set[Location] = set()
        self._in_code: list[tuple[Finding, range]] = []
        self._lines: set[tuple[str, int]] = set()  # that have a finding
        for name, text in documents.items():
            comments = comments_of(text, name)
            self._invalid += comments.invalid
            self._in_code += comments.in_code
            for ignore in comments.ignores:
                (self._valid if _holds(ignore, now) else self._expired).append(ignore)
        rows = [ignore for ignore in self._valid if len(ignore.lines) == 1]
        self._by_row: dict[tuple[str, int], list[Ignore]] = defaultdict(list)
        for ignore in rows:
            self._by_row[ignore.named[0].place.file, ignore.lines.start].append(ignore)
        # Comments on one block end with it; those on two blocks share no line.
        self._by_end: dict[str, dict[int, list[Ignore]]] = defaultdict(dict)
        for ignore in (one for one in self._valid if len(one.lines) > 1):
            self._by_end[ignore.named[0].place.file].setdefault(ignore.lines.stop, []).append(ignore)
        self._ends = {name: sorted(groups) for name, groups in self._by_end.items()}

    def hide(self, finding: Finding) -> bool:
        """Return whether a comment hides ``finding``; each comment that does counts as used."""
        ends = self._ends.get(finding.place.file, [])
        line = finding.place.first_line
        self._lines.add((finding.place.file, line))
        index = bisect_right(ends, line)
        hidden = False
        of_block = self._by_end[finding.place.file][ends[index]] if index < len(ends) else []
        for ignore in (*of_block, *self._by_row.get((finding.place.file, line), ())):
            for named in ignore.named if line in ignore.lines else ():
                if finding.rule.code in named.codes:
                    self._used.add(named.place)
                    hidden = True
        return hidden

    def findings(self, judged_rules: Collection[str]) -> list[Finding]:
        """Return the findings about the comments themselves, after ``hide`` has seen every other finding."""
        judged = set(judged_rules)
        unused = [
            _about(named, "IM060", f"{named.word} hides nothing here", ignore.block)
            for ignore in self._valid
            for named in ignore.named
            if named.place not in self._used and named.codes <= judged
        ]
        expired = [
            _about(ignore.until_named, "IM061", f"expired on {ignore.until}; it hides nothing now", ignore.block)
            for ignore in self._expired
            if ignore.until_named is not None
        ]
        meant = [one for one, block in self._in_code if any((one.place.file, line) in self._lines for line in block)]
        return [*self._invalid, *meant, *unused, *expired]


def _holds(ignore: Ignore, now: datetime) -> bool:
    return ignore.until is None or now < datetime.combine(ignore.until, time(), UTC)


def _about(named: Named, code: str, message: str, block: str) -> Finding:
    return Finding(rule=BY_CODE[code], place=named.place, message=message, source=named.source, block=block)


def _unmatched(
    baseline: Baseline | None,
    findings: Iterable[Finding],
    documents: Mapping[str, str],
    judged_rules: Collection[str],
) -> list[Finding]:
    """Return a finding for each entry of the baseline, on a checked document, that no finding matches."""
    left = Counter(finding.fingerprint for finding in findings if finding.rule.code not in HAZARDS)
    found: list[Finding] = []
    for entry in baseline.entries if baseline else ():
        left[entry.fingerprint] -= 1
        if left[entry.fingerprint] < 0 and entry.file in documents and entry.code in judged_rules:
            message = f"{entry.code} in {entry.file} is no longer found: {entry.text}"
            if entry.code in HAZARDS:
                message = f"a baseline cannot hide {entry.code}; use git config intermem.hazards.allow"
            found.append(
                Finding(
                    rule=BY_CODE["IM060"],
                    place=entry.place,
                    message=message,
                    source=entry.source,
                    block=entry.fingerprint,
                )
            )
    return found
