"""rdjson: columns are counted in bytes, as reviewdog does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intermem.core.check.findings import Finding, Location, Suggestion
from intermem.core.check.rules import RULES
from intermem.reporters.escaping import visible
from intermem.reporters.formats.rdjson import render
from intermem.reporters.formats.registry import FORMATS
from tests.reporters.made import NASTY, TAME, cited, finding, result

LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r")) | st.text("aé文🚀\u0301\t")


def diagnostics(*findings: Finding) -> list[dict[str, Any]]:
    return json.loads(render(result(*findings)))["diagnostics"]


def text_in(one: Finding, place: dict[str, Any]) -> str:
    """Return the text in a range of the source, by bytes."""
    lines = [line.encode("utf-8") for line in one.source.split("\n")]
    first, last = place["start"]["line"] - one.place.first_line, place["end"]["line"] - one.place.first_line
    taken = lines[first : last + 1]
    taken[-1] = taken[-1][: place["end"]["column"] - 1]
    taken[0] = taken[0][place["start"]["column"] - 1 :]
    return b"\n".join(taken).decode("utf-8")


def test_as_a_whole(snapshot: Any) -> None:
    snapshot.snapshot_dir = "tests/snapshots/check"
    snapshot.assert_match(FORMATS["rdjson"](result(*TAME)).encode("utf-8"), "tame.rdjson")


def test_every_finding_is_reported() -> None:
    for one, shown in zip((*TAME, *NASTY), diagnostics(*TAME, *NASTY), strict=True):
        assert shown["message"] == visible(one.message)
        assert shown["location"]["path"] == one.place.file.replace("\udcff", "\\udcff")
        assert shown["severity"] == {"error": "ERROR", "warning": "WARNING"}[one.rule.severity]
        assert shown["code"] == {"value": one.rule.code}
        if one.source:
            assert text_in(one, shown["location"]["range"]) == cited(one)


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [("a.py", 1, 5), ("é a.py", 4, 8), ("文 a.py", 5, 9), ("🚀 a.py", 6, 10), ("\ta.py", 2, 6)],
)
def test_columns_are_bytes(line: str, start: int, end: int) -> None:
    (shown,) = diagnostics(finding(source=line, cited="a.py", line=7))
    assert shown["location"]["range"] == {"start": {"line": 7, "column": start}, "end": {"line": 7, "column": end}}


@settings(deadline=None)
@given(before=LINE, inside=st.lists(LINE, min_size=1, max_size=3), after=LINE)
def test_the_byte_range_selects_the_cited_text(before: str, inside: list[str], after: str) -> None:
    last = len(inside[-1]) + (len(before) if len(inside) == 1 else 0)
    place = Location(
        file="AGENTS.md",
        first_line=3,
        first_column=len(before) + 1,
        last_line=2 + len(inside),
        last_column=last + 1,
    )
    source = before + "\n".join(inside) + after
    one = Finding(rule=RULES[0], place=place, message="m", source=source, suggestion=Suggestion(text="x", safe=True))
    if not source:
        return
    (shown,) = diagnostics(one)
    assert text_in(one, shown["location"]["range"]) == "\n".join(inside)
    assert shown["suggestions"] == [{"range": shown["location"]["range"], "text": "x"}]


def test_a_range_that_includes_the_line_end_ends_on_the_next_line() -> None:
    place = Location(file="AGENTS.md", first_line=3, first_column=1, last_line=4, last_column=1)
    (shown,) = diagnostics(Finding(rule=RULES[0], place=place, message="m", source="é"))
    assert shown["location"]["range"] == {"start": {"line": 3, "column": 1}, "end": {"line": 4, "column": 1}}


def test_without_source_lines_there_are_no_columns_and_no_suggestions() -> None:
    place = Location(file="AGENTS.md", first_line=3, first_column=5, last_line=4, last_column=9)
    one = Finding(rule=RULES[0], place=place, message="m", suggestion=Suggestion(text="x", safe=True))
    (shown,) = diagnostics(one)
    assert shown["location"]["range"] == {"start": {"line": 3}, "end": {"line": 4}}
    assert "suggestions" not in shown


@pytest.mark.parametrize(
    ("findings", "worst"), [(TAME, "ERROR"), (TAME[1:], "WARNING"), ((), None)], ids=["error", "warning", "none"]
)
def test_the_overall_severity_is_the_worst(findings: tuple[Finding, ...], worst: str | None) -> None:
    shown = json.loads(render(result(*findings)))
    assert shown.get("severity") == worst
    assert shown["source"] == {"name": "intermem"}
    assert len(shown["diagnostics"]) == len(findings)
