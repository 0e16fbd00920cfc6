"""``--format sarif``: SARIF 2.1.0 for code scanning.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

from __future__ import annotations

from urllib.parse import quote

from intermem import __version__
from intermem.core.check.findings import Finding, Location
from intermem.core.check.rules import RULES, Rule
from intermem.patterns import regex
from intermem.reporters.escaping import visible, well_formed
from intermem.reporters.formats.json import as_text
from intermem.reporters.phrases import remedy
from intermem.results.check import CheckResult

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LINK = regex(r"\[([^\[\]]*)\](?=\()")
_FINGERPRINT = "intermem/v1"

Json = dict[str, object]


def render(result: CheckResult) -> str:
    """Return the SARIF log of ``result``: one run, with every rule and a result for each finding."""
    driver: Json = {"name": "intermem", "semanticVersion": __version__, "rules": [_rule(rule) for rule in RULES]}
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": [_result(finding) for finding in result.findings],
    }
    return as_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.name.replace("-", " ").capitalize()},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": rule.remediation},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding) -> Json:
    shown: Json = {
        "ruleId": finding.rule.code,
        "ruleIndex": RULES.index(finding.rule),
        "level": finding.rule.severity,
        "message": {"text": _message(finding.message)},
        "locations": [{"physicalLocation": {**_artifact(finding.place), "region": _region(finding.place)}}],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
    }
    if finding.suggestion is not None:
        shown["fixes"] = [_fix(finding, finding.suggestion.text, safe=finding.suggestion.safe)]
    verdict = None if finding.judged is None else finding.judged.verdict
    if verdict is not None and verdict.commit is not None:
        shown["properties"] = {"commit": verdict.commit, "date": verdict.date}
    return shown


def _message(text: str) -> str:
    """``text`` as a plain-text message: braces doubled (§3.11.5), links escaped (§3.11.6)."""
    return _LINK.sub(r"\\[\1\\]", visible(text).replace("{", "{{").replace("}", "}}"))


def _artifact(place: Location) -> Json:
    uri = quote(place.file.encode("utf-8", "surrogateescape"), safe="/")
    return {"artifactLocation": {"uri": uri, "uriBaseId": _ROOT}}


def _region(place: Location) -> Json:
    return {
        "startLine": place.first_line,
        "startColumn": place.first_column,
        "endLine": place.last_line,
        "endColumn": place.last_column,
    }


def _fix(finding: Finding, text: str, *, safe: bool) -> Json:
    replacement = {"deletedRegion": _region(finding.place), "insertedContent": {"text": well_formed(text)}}
    return {
        "description": {"text": _message(remedy(finding))},
        "artifactChanges": [{**_artifact(finding.place), "replacements": [replacement]}],
        "properties": {"safe": safe},
    }
