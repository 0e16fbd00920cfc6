"""``--format rdjson``: input for reviewdog.

Source: proto/rdf/reviewdog.proto of github.com/reviewdog/reviewdog. Columns count bytes of
UTF-8 from 1, and the end is exclusive.
"""

from __future__ import annotations

from intermem.core.check.findings import Finding
from intermem.core.check.rules import Severity
from intermem.reporters.escaping import visible, well_formed
from intermem.reporters.formats.json import as_text
from intermem.results.check import CheckResult

Json = dict[str, object]


def render(result: CheckResult) -> str:
    """Return the diagnostics of ``result``; the severity of the whole is that of the worst."""
    shown: Json = {"source": {"name": "intermem"}, "diagnostics": [_diagnostic(finding) for finding in result.findings]}
    worst = next((one for one in Severity if any(finding.rule.severity is one for finding in result.findings)), None)
    if worst is not None:
        shown["severity"] = worst.upper()
    return as_text(shown)


def _diagnostic(finding: Finding) -> Json:
    place = _range(finding)
    shown: Json = {
        "message": visible(finding.message),
        "location": {"path": well_formed(finding.place.file), "range": place},
        "severity": finding.rule.severity.upper(),
        "code": {"value": finding.rule.code},
    }
    if finding.suggestion is not None and finding.source:
        shown["suggestions"] = [{"range": place, "text": well_formed(finding.suggestion.text)}]
    return shown


def _range(finding: Finding) -> Json:
    """The range of ``finding``, without columns if its source lines are unknown."""
    place = finding.place
    if not finding.source:
        return {"start": {"line": place.first_line}, "end": {"line": place.last_line}}
    lines = finding.source.split("\n")
    return {
        "start": {"line": place.first_line, "column": _byte_column(lines[0], place.first_column)},
        "end": {"line": place.last_line, "column": _byte_column(lines[-1], place.last_column)},
    }


def _byte_column(line: str, column: int) -> int:
    return len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1
