"""Text output of ``check``, as snapshots and cell by cell."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from intermem.cli.verbs import VERBS
from intermem.core.check.findings import Finding, Location, Suggestion
from intermem.core.check.rules import RULES
from intermem.entities import Problem
from intermem.reporters.escaping import CONTROLS
from intermem.reporters.formats.registry import FORMATS
from intermem.reporters.text.lines import Plain, console_for, is_plain_stream
from intermem.reporters.text.render import render, write
from intermem.results import FileDiff, Result
from intermem.results.check import RulesResult
from tests.reporters.made import LONG, NASTY, TAME, finding, result

RENDERER = VERBS["check"].renderer


def shown(outcome: Result, *, verbose: bool = False, quiet: bool = False) -> str:
    out = io.StringIO()
    render(outcome, RENDERER, console_for(out, no_color=True), reads_only=True, verbose=verbose, quiet=quiet)
    return out.getvalue()


def excerpt(one: Finding) -> tuple[str, str]:
    """Return the source line and the line of carets."""
    lines = shown(result(one), quiet=True).split("\n")
    return lines[1], lines[2]


def under(line: str, carets: str) -> str:
    """Return the text above the carets, cell by cell."""
    begin, end = len(carets) - len(carets.lstrip()), len(carets)
    starts = [cell_len(line[:number]) for number in range(len(line) + 1)]
    return line[starts.index(begin) : starts.index(end)]


@pytest.mark.parametrize(
    ("name", "outcome", "options"),
    [
        ("tame", result(*TAME, checked=["AGENTS.md", "docs/AGENTS.md"], ignored=3), {}),
        ("tame_verbose", result(*TAME), {"verbose": True}),
        ("tame_quiet", result(*TAME, fixed=list(TAME[1:2])), {"quiet": True}),
        ("nasty", result(*NASTY), {}),
        ("fixed", result(TAME[0], fixed=[TAME[1]] * 12), {}),
        ("rules", RulesResult(rules=RULES), {}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_in_a_pipe(name: str, outcome: Result, options: dict[str, bool], snapshot: Any) -> None:
    snapshot.snapshot_dir = "tests/snapshots/check"
    snapshot.assert_match(shown(outcome, **options).encode("utf-8"), f"{name}.txt")
    plain = io.StringIO()
    render(outcome, RENDERER, Plain(plain), reads_only=True, **options)
    assert plain.getvalue() == shown(outcome, **options), "the output without rich must be the same"


@pytest.mark.parametrize("forced", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_colours_can_be_forced_into_a_pipe(forced: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    assert is_plain_stream(out)
    monkeypatch.setenv(forced, "1")
    assert not is_plain_stream(out)
    write(result(*TAME), RENDERER, out)
    assert "\x1b[" in out.getvalue()


def test_a_diff_in_a_pipe_can_be_applied_whatever_it_holds() -> None:
    change = FileDiff("AGENTS.md", "a\tb\n" + "x" * 200 + "\n", "a\tc\n" + "x" * 200 + "\n")
    out = io.StringIO()
    write(Result(verb="sweep", changes=(change,), show_diff=True), VERBS["sweep"].renderer, out)
    assert "\n-a\tb\n+a\tc\n" in out.getvalue(), "tabs are kept"


@pytest.mark.parametrize(
    ("line", "cited"),
    [
        ("plain `a.py` here", "`a.py`"),
        ("先看 `源/旧.py`，再跑测试", "`源/旧.py`"),
        ("🚀🚀 then `a.py` 👍", "`a.py`"),
        ("cafe\u0301 naïve a.py", "a.py"),
        ("a.py", "a.py"),
        ("the end a.py", "a.py"),
    ],
)
def test_carets_mark_the_cited_text(line: str, cited: str) -> None:
    assert under(*excerpt(finding("IM001", line, cited))) == cited


def test_tabs_have_the_width_that_the_carets_assume() -> None:
    line, carets = excerpt(finding("IM001", "\t-\tsee\ta.py\there", "a.py"))
    assert "\t" not in line
    assert under(line, carets) == "a.py"


def test_control_characters_are_escaped_and_counted() -> None:
    line, carets = excerpt(finding("IM001", "a \x1b[31mred\x07.py b", "\x1b[31mred\x07.py"))
    assert line == "  a \\x1b[31mred\\x07.py b"
    assert under(line, carets) == "\\x1b[31mred\\x07.py"


def test_a_long_line_is_cut_on_both_sides() -> None:
    line, carets = excerpt(finding("IM001", LONG, "`src/old.py`"))
    assert under(line, carets) == "`src/old.py`"
    assert line == "  …" + "x" * 44 + "`src/old.py`" + "y" * 44 + "…"


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("x" * 30 + "a.py" + "y" * 500, "x" * 30 + "a.py" + "y" * 66 + "…"),
        ("x" * 500 + "a.py" + "y" * 30, "…" + "x" * 66 + "a.py" + "y" * 30),
        ("x" * 48 + "a.py" + "y" * 48, "x" * 48 + "a.py" + "y" * 48),
    ],
    ids=["left", "right", "fits"],
)
def test_one_side_uses_the_space_the_other_does_not_need(line: str, seen: str) -> None:
    assert excerpt(finding("IM001", line, "a.py"))[0] == f"  {seen}"


def test_a_long_citation_is_cut() -> None:
    line, carets = excerpt(finding("IM001", "see " + "a" * 300 + " there", "a" * 300))
    assert line == "  …" + "a" * 100 + "…"
    assert under(line, carets) == "a" * 100 + "…"


def test_a_citation_of_several_lines_has_carets_on_the_first() -> None:
    line, carets = excerpt(finding("IM001", "one `two\nthree` four", "`two\nthree`"))
    assert line == "  one `two"
    assert under(line, carets) == "`two"
    assert "three" not in shown(result(finding("IM001", "one `two\nthree` four", "`two\nthree`", message="m")))


@pytest.mark.parametrize("column", [1, 3, 5, 50])
def test_an_empty_range_has_one_caret(column: int) -> None:
    place = Location(file="AGENTS.md", first_line=1, first_column=column, last_line=1, last_column=column)
    line, carets = excerpt(Finding(rule=RULES[0], place=place, message="here", source="abcd"))
    assert (line, carets) == ("  abcd", "  " + " " * (min(column, 5) - 1) + "^")


def test_without_source_lines_there_are_no_carets() -> None:
    assert "^" not in shown(result(finding("IM030", message="too long")))


@pytest.mark.parametrize("name", ["sarif", "rdjson"])
def test_json_formats_contain_no_lone_surrogates(name: str) -> None:
    moved = finding("IM002", "a.py", "a.py", file="\udcff.md", suggestion=Suggestion(text="\udcfe.py", safe=True))
    json.dumps(json.loads(FORMATS[name](result(moved))), ensure_ascii=False).encode("utf-8")


def test_the_line_of_a_secret_is_never_shown() -> None:
    line = "token=hunter2hunter2 in a.py"
    secret = finding("IM050", line, "hunter2hunter2", line=3, message="it looks like a password")
    other = finding("IM001", line, "a.py", line=3)
    around = finding("IM001", f"`a\n{line}\nb`", f"`a\n{line}\nb`", line=2, message="m")
    elsewhere = finding("IM001", "my b.py", "b.py", line=3, file="CLAUDE.md")
    outcome = result(secret, other, around, elsewhere)
    for text in (shown(outcome, verbose=True), *(render_(outcome) for render_ in FORMATS.values())):
        assert "hunter2" not in text
    assert "my b.py" in shown(outcome)


@settings(deadline=None)
@given(
    before=st.text(st.characters(exclude_characters="\n\r")),
    cited=st.text(st.characters(exclude_characters="\n\r"), min_size=1),
    after=st.text(st.characters(exclude_characters="\n\r")),
    width=st.integers(1, 130),
)
def test_any_line_fits_the_width_with_its_carets(before: str, cited: str, after: str, width: int) -> None:
    place = Location(
        file="AGENTS.md",
        first_line=1,
        first_column=len(before) + 1,
        last_line=1,
        last_column=len(before + cited) + 1,
    )
    one = Finding(rule=RULES[0], place=place, message="m", source=before + cited + after)
    out = io.StringIO()
    console = Console(file=out, width=width, no_color=True, soft_wrap=True)
    render(result(one), RENDERER, console, reads_only=True, quiet=True)
    _, line, carets, _, rest = out.getvalue().split("\n")
    assert rest == ""
    assert carets.strip(" ").strip("^") == ""
    assert "^" in carets
    assert CONTROLS.search(line) is None
    if width > 10:
        assert cell_len(line) <= width
        assert len(carets) <= max(width, 3)


def test_colours_on_a_terminal_and_none_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="standard", soft_wrap=True)
    render(result(*TAME), RENDERER, console)
    assert "\x1b[1mAGENTS.md:12:12\x1b[0m: \x1b[1;31mIM001 error\x1b[0m: " in out.getvalue()
    assert "\x1b" not in shown(result(*TAME))


def test_a_long_message_is_cut() -> None:
    header = shown(result(finding(message="m" * 5000))).split("\n")[0]
    assert header == "AGENTS.md:1:1: IM001 error: " + "m" * 299 + "…"


def test_markup_in_data_is_not_interpreted() -> None:
    text = shown(result(finding("IM001", "[red]a.py[/red] :rocket:", "a.py", message="[link=x]y[/link] list[int]")))
    assert "AGENTS.md:1:6: IM001 error: [link=x]y[/link] list[int]\n  [red]a.py[/red] :rocket:\n" in text


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (result(), "No findings, 1 document checked."),
        (result(checked=[]), "Nothing to check: no AGENTS.md or CLAUDE.md found."),
        (result(checked=[], unread=["a"], ignored=1), "No findings, 0 documents checked, 1 not read; 1 place ignored."),
        (result(checked=["a", "b", "c"], ignored=2), "No findings, 3 documents checked; 2 places ignored."),
        (
            result(fixed=[TAME[1]]),
            "AGENTS.md:20:22: IM002 src/a.py moved to src/b.py\nNo findings, 1 document checked.",
        ),
        (result(TAME[0]), "1 finding (1 error), 1 document checked."),
        (result(TAME[1]), "(1 warning), 1 document checked.\n1 can be fixed: intermem check --fix"),
        (result(TAME[2]), "1 can be fixed with --unsafe-fixes: intermem check --fix --unsafe-fixes"),
        (result(*TAME), "1 can be fixed, 1 more with --unsafe-fixes: intermem check --fix"),
        (result(fixed=[TAME[1]], dry_run=True), "src/b.py\nNo other findings, 1 document checked."),
    ],
)
def test_the_summary_counts_findings_and_names_the_fix(outcome: Result, words: str) -> None:
    assert words in shown(outcome)


def test_a_refused_document_is_not_reported_as_clean() -> None:
    refused = Problem(code="document-refused", where="AGENTS.md", message="not UTF-8")
    outcome = result(problems=(refused,))
    assert shown(outcome) == "No other findings, 1 document checked.\n"


def test_quiet_prints_nothing_without_findings() -> None:
    assert shown(result(ignored=3), quiet=True) == ""


@pytest.mark.parametrize(
    ("suggestion", "words"),
    [
        (None, "help: correct the line, or delete it"),
        (Suggestion(text="b.py", safe=True), "help: write b.py\n"),
        (Suggestion(text="b.py", safe=False), "help: write b.py, if that is what was meant\n"),
        (Suggestion(text=" ", safe=True), "help: delete it\n"),
        (Suggestion(text="b\x1b\n  c", safe=True), "help: write b\\x1b c\n"),
    ],
)
def test_the_help_names_the_suggestion(suggestion: Suggestion | None, words: str) -> None:
    assert words in shown(result(finding("IM001", "a.py", "a.py", suggestion=suggestion)))
