"""Workflow commands, parsed as the runner does, and the job summary, parsed as Markdown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from intermem.core.check.findings import Finding
from intermem.reporters.escaping import CONTROLS, one_line, visible, visible_name
from intermem.reporters.formats.github import escaped, escaped_property, render, summary
from intermem.reporters.formats.registry import FORMATS
from tests.reporters.made import NASTY, TAME, finding, result

TEXT = st.text(st.characters(codec="utf-8")) | st.text("%0123ADC:,;\r\n =é")


def unescaped(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def unescaped_property(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")


def command(line: str) -> tuple[str, dict[str, str], str]:
    """Return the name, properties and message of a line, parsed as the runner does."""
    assert line.startswith("::")
    head, _, message = line[2:].partition("::")
    name, _, properties = head.partition(" ")
    pairs = dict(pair.split("=", 1) for pair in properties.split(","))
    return name, {key: unescaped_property(value) for key, value in pairs.items()}, unescaped(message)


def cells(text: str) -> list[list[Token]]:
    """Return the cells of the table body in ``text``, row by row."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    rows: list[list[Token]] = []
    inside = False
    for token in tokens:
        inside = (inside or token.type == "tbody_open") and token.type != "tbody_close"
        if inside and token.type == "tr_open":
            rows.append([])
        elif inside and token.type == "inline":
            rows[-1].append(token)
    return rows


def plain(cell: Token) -> str:
    """Return the text of a cell, which must contain only text."""
    children = cell.children or []
    assert {child.type for child in children} <= {"text", "text_special"}
    return "".join(child.content for child in children)


@pytest.mark.parametrize("name", ["tame", "nasty"])
def test_as_a_whole(name: str, snapshot: Any) -> None:
    outcome = result(*(TAME if name == "tame" else NASTY), ignored=2)
    snapshot.snapshot_dir = "tests/snapshots/check"
    snapshot.assert_match(FORMATS["github"](outcome).encode("utf-8"), f"{name}.github.txt")
    snapshot.assert_match(summary(outcome).encode("utf-8"), f"{name}.summary.md")


@settings(deadline=None)
@given(TEXT)
def test_escaping_decodes_back(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert unescaped_property(escaped_property(text)) == text
    assert not set("\r\n") & set(escaped(text))
    assert not set("\r\n:,") & set(escaped_property(text))


def test_the_runner_parses_exactly_the_findings() -> None:
    lines = render(result(*NASTY)).split("\n")
    assert lines.pop() == ""
    for one, line in zip(NASTY, lines, strict=True):
        name, properties, message = command(line)
        assert name == one.rule.severity
        assert properties["file"] == visible_name(one.place.file)
        assert properties["title"] == f"{one.rule.code} {one.rule.name}"
        assert message.startswith(f"{visible(one.message)}\nhelp: ")


@settings(deadline=None)
@given(message=TEXT, file=TEXT)
def test_no_text_becomes_a_command(message: str, file: str) -> None:
    text = render(result(finding(message=message or "m", file=file)))
    (line, rest) = text.split("\n")
    assert rest == ""
    assert CONTROLS.search(line) is None
    assert command(line)[1]["file"] == visible_name(file)


def test_columns_are_given_on_one_line_only() -> None:
    on_one, on_two = finding(source="see a.py", cited="a.py"), finding(source="see `a\nb` x", cited="`a\nb`")
    _, properties, _ = command(render(result(on_one)).strip())
    assert properties == {
        "file": "AGENTS.md",
        "line": "1",
        "endLine": "1",
        "col": "5",
        "endColumn": "9",
        "title": "IM001 broken-citation",
    }
    _, properties, _ = command(render(result(on_two)).strip())
    assert properties == {"file": "AGENTS.md", "line": "1", "endLine": "2", "title": "IM001 broken-citation"}


def test_no_findings_give_no_commands() -> None:
    assert render(result()) == ""
    assert summary(result()) == "### intermem check: no findings\n\n1 document checked.\n"


@pytest.mark.parametrize(("number", "rows", "rest"), [(100, 100, None), (101, 100, "… and 1 more")])
def test_the_table_has_at_most_a_hundred_rows(number: int, rows: int, rest: str | None) -> None:
    found = [replace(TAME[0], suggestion=None, judged=None, message=f"no. {at}") for at in range(number)]
    text = summary(result(*found))
    assert len(cells(text)) == rows
    assert (rest in text.split("\n")) if rest else ("more" not in text)
    assert text.startswith(f"### intermem check: {number} findings ({number} errors)\n")


def check_row(one: Finding, row: list[Token]) -> None:
    where, rule, what, _ = (plain(cell) for cell in row)
    assert where == one_line(f"{one.place.file}:{one.place.first_line}:{one.place.first_column}")
    assert rule == f"{one.rule.code} {one.rule.name} ({one.rule.severity})"
    assert what == one_line(one.message)


def test_the_text_of_a_cell_is_escaped() -> None:
    for one, row in zip(NASTY, cells(summary(result(*NASTY))), strict=True):
        check_row(one, row)


@pytest.mark.parametrize(
    "message",
    [
        "`a`",
        "*a*",
        "**a**",
        "_a_",
        "__a__",
        "[a](b)",
        "![a](b)",
        "<b>",
        "&lt;",
        "a|b",
        "~~a~~",
        "$a$",
        "\\*",
        "<http://a>",
    ],
)
def test_markdown_in_a_message_is_escaped(message: str) -> None:
    (row,) = cells(summary(result(finding(message=message))))
    assert plain(row[2]) == message


@settings(deadline=None)
@given(
    st.text(st.sampled_from("ab \\`*_[]()<>&|~$!#\n\r:;x\x1b")),
    st.text(st.characters(codec="utf-8"), max_size=30),
)
def test_any_text_renders_verbatim(message: str, more: str) -> None:
    one = finding(message=f"m{message}{more}")
    (row,) = cells(summary(result(one)))
    check_row(one, row)
