"""``check --json``: the JSON of findings and rules."""

from __future__ import annotations

import json
from typing import Any

from intermem.core.check.rules import RULES
from intermem.reporters.escaping import CONTROLS
from intermem.reporters.formats.json import render
from intermem.results.check import RulesResult
from tests.reporters.made import NASTY, TAME, result


def test_findings(snapshot: Any) -> None:
    snapshot.snapshot_dir = "tests/snapshots/check"
    snapshot.assert_match(render(result(*TAME)).encode("utf-8"), "tame.json")


def test_rules() -> None:
    shown = json.loads(render(RulesResult(rules=RULES)))
    assert len(shown["rules"]) == len(RULES)
    assert shown["rules"][0] == {
        "code": "IM001",
        "name": "broken-citation",
        "topic": "broken",
        "severity": "error",
        "meaning": "A citation is broken: what it names existed once, or has to exist, and does not.",
        "help": "correct the line, or delete it",
    }


def test_control_characters_are_escaped_and_decode_back() -> None:
    text = render(result(*NASTY))
    assert CONTROLS.search(text) is None
    shown = json.loads(text)["findings"]
    assert [(one["file"], one["message"]) for one in shown] == [(one.place.file, one.message) for one in NASTY]
