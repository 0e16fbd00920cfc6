"""Comments that hide findings: what they speak of, how long they hold, and what is said of those that hide nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from intermem.core.check.baseline import baseline_text, parse_baseline
from intermem.core.check.blocks import units_of
from intermem.core.check.findings import Finding, Location
from intermem.core.check.globs import matches
from intermem.core.check.ignores import comments_of
from intermem.core.check.rules import BY_CODE, RULES
from intermem.core.check.settings import CheckSettings, rule_like, rules_named
from intermem.core.check.suppress import sifted
from intermem.core.entries.identity import identity
from intermem.core.markdown.blocks import blocks_of
from intermem.core.markdown.ignore_comments import without_ignores
from intermem.core.markdown.lines import fitting_line_end, line_starts, split_lines
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region, sources_of
from intermem.errors import DocumentRefused, UnreadableFile
from tests.fuzz.strategies import documents

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ALL = [rule.code for rule in RULES]
IGNORE = "<!-- intermem:ignore IM001 -->"


def finding(line: int, code: str = "IM001", file: str = "AGENTS.md", message: str = "gone.py is gone") -> Finding:
    place = Location(file=file, first_line=line, first_column=1, last_line=line, last_column=5)
    return Finding(rule=BY_CODE[code], place=place, message=message)


def shown(
    text: str,
    *findings: Finding,
    now: datetime = NOW,
    judged: Iterable[str] = ALL,
    left_out: CheckSettings | None = None,
) -> list[tuple[str, int]]:
    """The codes and lines of what is shown of ``findings`` in the document ``text``."""
    found, _ = sifted(findings, {"AGENTS.md": text}, left_out or CheckSettings(), None, now, [*judged])
    return [(one.rule.code, one.place.first_line) for one in found]


def lines_hidden(text: str) -> list[int]:
    """The lines of ``text`` on which a finding is not shown."""
    every = [finding(number) for number, _ in enumerate(split_lines(text), start=1)]
    seen = {line for code, line in shown(text, *every) if code == "IM001"}
    return [one.place.first_line for one in every if one.place.first_line not in seen]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{IGNORE}\ntext\nmore\n\nother\n", [1, 2, 3]),
        (f"{IGNORE}\n\ntext\n\nother\n", [1, 2, 3]),
        (f"{IGNORE}\n# Heading\ntext\n", [1, 2]),
        (f"{IGNORE}\n- a\n  more\n- b\n", [1, 2, 3]),
        (f"- a\n{IGNORE}\n- b\n- c\n", [2, 3]),
        (f"1. a\n{IGNORE}\n2. b\n", [2, 3]),
        (f"{IGNORE}\n| a |\n|---|\n| b |\n\ntext\n", [1, 2, 3, 4]),
        (f"| a |\n|---|\n| b {IGNORE} |\n| c |\n", [3]),
        (f"| a | b |\n|---|---|\n| b | {IGNORE}\n| c | {IGNORE}  |\n", [3, 4]),
        (f"{IGNORE}\n| a |\n|---|\n| b {IGNORE} |\n| c |\n\ntext\n", [1, 2, 3, 4, 5]),
        (f"| a {IGNORE} |\n|---|\n| b |\n", [1]),
        (f"{IGNORE}\n```\n# x\n\ny\n```\ntext\n", [1, 2, 3, 4, 5, 6]),
        (f"{IGNORE}\n> quote\n> more\n", [1, 2, 3]),
        (f"text\n{IGNORE}\nmore\n", [2, 3]),
        (f"{IGNORE}\n<!-- intermem:ignore IM002 -->\n\n{IGNORE}\ntext\n", [1, 2, 3, 4, 5]),
        (f"{IGNORE}\n<!-- prettier-ignore -->\ntext\n", [1, 2, 3]),
        (f"{IGNORE}\n{BEGIN}\n- a\n{END}\n", [1, 2]),
        (f"{BEGIN}\n- a\n{IGNORE}\n{END}\n\ntext\n", [3, 4]),
        (f"- a\n\n  {IGNORE}\n  more\n- b\n", [1, 2, 3, 4]),
        (f"- a\n  - nested\n    {IGNORE}\n    - deep\n- b\n", [1, 2, 3, 4]),
        (f"- {IGNORE}\n  text\n- b\n", [1, 2]),
        (f"> a\n> {IGNORE}\n\ntext\n", [1, 2]),
        ("<!-- intermem:ignore\n\n  IM001\n-->\ntext\n", [1, 2, 3, 4, 5]),
        ("<!--\nintermem:ignore IM001\n-->\ntext\n", [1, 2, 3, 4]),
        (f"\ufeff{IGNORE}\r\ntext\r\rother\n", [1, 2]),
        (f"```\n{IGNORE}\n```\ntext\n", []),
        (f"    {IGNORE}\n\ntext\n", []),
        (f"text {IGNORE}\n\ntext\n", []),
        (f"<div>\n{IGNORE}\n</div>\n\ntext\n", []),
        (f"text\n\n{IGNORE}\n", [3]),
        (f"text\n\n{IGNORE}\n<!-- note -->\n", [3, 4]),
        ("---\na: 1\n---\n\ntext\n", []),
    ],
)
def test_a_comment_speaks_of_the_next_block_or_of_the_item_it_is_in(text: str, lines: list[int]) -> None:
    assert lines_hidden(text) == lines


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("IM001", {"IM001"}),
        ("im001", {"IM001"}),
        ("broken-citation", {"IM001"}),
        ("IM001, IM002", {"IM001", "IM002"}),
        ("IM001,moved-citation", {"IM001", "IM002"}),
        ("IM001 stale\n budget", {"IM001", "IM020", "IM030"}),
        ("ledger", {"IM011", "IM012", "IM013"}),
        ('IM001 reason="IM002, IM003"', {"IM001"}),
        ("until=2026-06-02 IM001", {"IM001"}),
    ],
)
def test_a_comment_hides_the_rules_that_it_names_and_no_other(words: str, codes: set[str]) -> None:
    text = f"<!-- intermem:ignore {words} -->\ntext\n"
    line = len(split_lines(text))
    found = [finding(line, code) for code in ALL]
    left, number = sifted(found, {"AGENTS.md": text}, CheckSettings(), None, NOW, ALL)
    assert {one.rule.code for one in found if one not in left} == codes
    assert number == len(codes)


def test_a_finding_is_hidden_by_where_it_begins_and_in_its_own_document_only() -> None:
    text = f"{IGNORE}\ntext\n\nother\n"
    here = finding(2, file="CLAUDE.md")
    found, number = sifted([finding(2), here, finding(4)], {"AGENTS.md": text}, CheckSettings(), None, NOW, ALL)
    assert ([one.place for one in found], number) == ([finding(4).place, here.place], 1)


@pytest.mark.parametrize(
    ("reason", "kept"), [("'a \"b\" c'", 'a "b" c'), ("plain", "plain"), ('""', ""), ("'it\nis'", "it\nis")]
)
def test_a_reason_stands_in_quotes_of_either_kind(reason: str, kept: str) -> None:
    (ignore,) = comments_of(f"<!-- intermem:ignore IM001 reason={reason} -->\nx\n", "X").ignores
    assert ignore.reason == kept


@pytest.mark.parametrize(
    ("now", "codes"),
    [
        (datetime(2026, 5, 31, 23, 59, 59, tzinfo=UTC), []),
        (datetime(2026, 6, 1, tzinfo=UTC), [("IM061", 1), ("IM001", 2)]),
    ],
)
def test_an_ignore_holds_before_its_day(now: datetime, codes: list[tuple[str, int]]) -> None:
    text = "<!-- intermem:ignore IM001 until=2026-06-01 -->\ntext\n"
    assert shown(text, finding(2), now=now) == codes


def test_an_expired_ignore_shows_its_day_and_is_not_called_unused_too() -> None:
    text = "<!-- intermem:ignore IM001 until=2026-06-01 -->\ntext\n"
    ((one,), _) = sifted([], {"AGENTS.md": text}, CheckSettings(), None, NOW, ALL)
    assert one.rule.name == "expired-ignore"
    assert cited(text, one) == "until=2026-06-01"
    assert one.message == "expired on 2026-06-01; it hides nothing now"


def cited(text: str, one: Finding) -> str:
    """What stands at the place of a finding, where that is within a line."""
    place = one.place
    assert place.first_line == place.last_line
    line = split_lines(text.removeprefix("\ufeff"))[place.first_line - 1]
    assert one.source == line
    return line[place.first_column - 1 : place.last_column - 1]


@pytest.mark.parametrize(
    ("text", "findings", "words"),
    [
        (f"{IGNORE}\ntext\n", [], ["IM001"]),
        ("<!-- intermem:ignore IM001, moved -->\ntext\n", [finding(2)], ["moved"]),
        ("<!-- intermem:ignore IM001 IM001 -->\ntext\n", [finding(2)], []),
        (f"{IGNORE}\n{IGNORE}\ntext\n", [finding(3)], []),
        ("<!-- intermem:ignore ledger -->\ntext\n", [finding(2, "IM012")], []),
        (f"text\n\n{IGNORE}\n", [finding(1)], ["IM001"]),
        (f"\ufeff{IGNORE}\ntext\n", [], ["IM001"]),
        ("-\t<!-- intermem:ignore\n\t\tmoved -->\n", [], ["moved"]),
        ("> 1.  <!-- intermem:ignore\n>      IM030\n>     -->", [], ["IM030"]),
    ],
)
def test_a_word_that_hides_nothing_is_a_finding(text: str, findings: list[Finding], words: list[str]) -> None:
    found, _ = sifted(findings, {"AGENTS.md": text}, CheckSettings(), None, NOW, ALL)
    unused = [one for one in found if one.rule.code == "IM060"]
    assert [cited(text, one) for one in unused] == words
    assert [one.message for one in unused] == [f"{word} hides nothing here" for word in words]


@pytest.mark.parametrize(
    ("judged", "codes"), [([], []), (["IM011"], []), (["IM011", "IM012", "IM013"], [("IM060", 1)])]
)
def test_what_was_not_judged_is_not_called_unused(judged: list[str], codes: list[tuple[str, int]]) -> None:
    assert shown("<!-- intermem:ignore ledger -->\ntext\n", judged=judged) == codes


@pytest.mark.parametrize(
    ("comment", "word", "says", "suggestion", "holds"),
    [
        ("intermem:ignore", None, "names no rule", None, False),
        ("intermem:ignore reason=x", None, "names no rule", None, False),
        ("intermem:ignore IM999", "IM999", "unknown rule IM999", None, False),
        ("intermem:ignore IM01 IM001", "IM01", "unknown rule IM01", "IM001", True),
        ("intermem:ignore IM001 brokn-citation", "brokn-citation", "unknown rule", "broken-citation", True),
        ("intermem:ignore IM001 IM060", "IM060", "cannot be ignored by a comment", None, True),
        ("intermem:ignore IM001 ignore", "ignore", "cannot be ignored by a comment", None, True),
        ("intermem:ignore IM001 until=soon", "until=soon", "soon is not a date", None, False),
        ("intermem:ignore IM001 until=", "until=", "nothing is not a date", None, False),
        ("intermem:ignore IM001 until=2026-02-30", "until=2026-02-30", "is not a date", None, False),
        ("intermem:ignore IM001 until=20270101", "until=20270101", "is not a date", None, False),
        ("intermem:ignore IM001 since=2026-01-01", "since=2026-01-01", "unknown attribute since", None, True),
        ("intermem:ignore IM001 reason=a reason=b", "reason=b", "reason is given twice", None, True),
        ('intermem:ignore IM001 reason="', 'reason="', "unclosed quote in reason", None, True),
    ],
)
def test_a_word_that_is_not_understood_is_named(
    comment: str, word: str | None, says: str, suggestion: str | None, holds: bool
) -> None:
    text = f"<!-- {comment}-->\ntext\n"
    found, number = sifted([finding(2)], {"AGENTS.md": text}, CheckSettings(), None, NOW, ALL)
    invalid = next(one for one in found if one.rule.code == "IM062")
    assert says in invalid.message
    assert cited(text, invalid) == (word or f"<!-- {comment}-->")
    assert (invalid.suggestion.text if invalid.suggestion else None) == suggestion
    assert invalid.suggestion is None or not invalid.suggestion.safe
    assert number == holds
    assert [one.rule.code for one in found if one.rule.code != "IM062"] == ([] if holds else ["IM001"])


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        (f"text {IGNORE}\n", (1, 6), "must be alone"),
        (f"a {IGNORE} b {IGNORE}\n", (1, 3), "must be alone"),
        ("text <!-- intermem:ignore", (1, 6), "must be alone"),
        (f"| `{IGNORE}` | {IGNORE} x |\n|---|---|\n", (1, 38), "or end a row of a table"),
        (f"| a |\n|---|\n| b | {IGNORE} x |\n", (3, 7), "or end a row of a table"),
        (f"{IGNORE} text\n", (1, 1), "must be alone"),
        (f"{IGNORE} {IGNORE}\n", (1, 1), "must be alone"),
        (f"> <div>\n> {IGNORE}\n", (2, 3), "must be alone"),
        ("\n<!-- intermem:ignore IM001\n", (2, 1), "is not closed"),
    ],
)
def test_a_comment_where_it_hides_nothing_is_named(text: str, at: tuple[int, int], says: str) -> None:
    (one,) = comments_of(text, "AGENTS.md").invalid
    assert (one.place.first_line, one.place.first_column) == at
    assert says in one.message
    assert without_ignores(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"`{IGNORE}`\n",
        f"text `` ` {IGNORE} `` more\n",
        f"\\{IGNORE}\n",
        f"```md\n{IGNORE}\n```\n",
        "<!-- not intermem:ignore -->\n",
        "<!-- intermem -->\ntext <!-- intermem:1a2b3c4d -->\n",
        "text intermem:ignore\n",
    ],
)
def test_what_only_shows_a_comment_is_none(text: str) -> None:
    found = comments_of(text, "AGENTS.md")
    assert (found.ignores, found.invalid) == ((), ())
    assert without_ignores(text) == text


def test_a_document_that_cannot_be_parsed_has_no_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise UnreadableFile("its Markdown cannot be parsed")

    monkeypatch.setattr("intermem.core.markdown.ignore_comments.tokens_of", refuse)
    assert shown(f"{IGNORE}\ntext\n", finding(2)) == [("IM001", 2)]


def test_findings_about_ignores_move_with_their_block() -> None:
    text = f"{IGNORE}\ntext\n"
    ((one,), _) = sifted([], {"A.md": text}, CheckSettings(), None, NOW, ALL)
    ((moved,), _) = sifted([], {"A.md": f"# Title\n\n{text}"}, CheckSettings(), None, NOW, ALL)
    ((other,), _) = sifted([], {"A.md": f"{IGNORE}\nwords\n"}, CheckSettings(), None, NOW, ALL)
    assert one.fingerprint == moved.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("left_out", "codes"),
    [
        (CheckSettings(ignore=frozenset({"IM060"})), [("IM001", 4)]),
        (CheckSettings(ignore=frozenset({"IM001"})), [("IM060", 1)]),
        (CheckSettings(per_file=(("*.md", frozenset({"IM001", "IM060"})),)), []),
        (CheckSettings(per_file=(("!AGENTS.md", frozenset({"IM001"})),)), [("IM060", 1), ("IM001", 4)]),
        (CheckSettings(exclude=("AGENTS.md",)), [("IM060", 1), ("IM001", 4)]),
    ],
)
def test_the_configuration_hides_findings_about_ignores_too(
    left_out: CheckSettings, codes: list[tuple[str, int]]
) -> None:
    assert shown("<!-- intermem:ignore IM002 -->\ntext\n\nother\n", finding(4), left_out=left_out) == codes


def test_what_the_configuration_hides_has_used_its_comment_all_the_same() -> None:
    left_out = CheckSettings(ignore=frozenset({"IM001"}))
    assert sifted([finding(2)], {"AGENTS.md": f"{IGNORE}\ntext\n"}, left_out, None, NOW, ALL) == ((), 1)


@pytest.mark.parametrize(
    ("glob", "files"),
    [
        ("AGENTS.md", {"AGENTS.md", "web/AGENTS.md", "web/app/AGENTS.md"}),
        ("web/AGENTS.md", {"web/AGENTS.md"}),
        ("./web/AGENTS.md", {"web/AGENTS.md"}),
        ("web", {"web/AGENTS.md", "web/app/AGENTS.md", "web/.claude/CLAUDE.md"}),
        ("web/", {"web/AGENTS.md", "web/app/AGENTS.md", "web/.claude/CLAUDE.md"}),
        ("web/*", {"web/AGENTS.md", "web/app/AGENTS.md", "web/.claude/CLAUDE.md"}),
        ("web/*.md", {"web/AGENTS.md"}),
        ("web/**/*.md", {"web/AGENTS.md", "web/app/AGENTS.md", "web/.claude/CLAUDE.md"}),
        ("**/AGENTS.md", {"AGENTS.md", "web/AGENTS.md", "web/app/AGENTS.md"}),
        ("{CLAUDE,X}.md", {"web/.claude/CLAUDE.md"}),
        ("app", {"web/app/AGENTS.md"}),
        ("/AGENTS.md", {"AGENTS.md"}),
        ("/app", set()),
        ("!/web", {"AGENTS.md"}),
        ("!web/**", {"AGENTS.md"}),
        ("agents.md", set()),
    ],
)
def test_a_glob_matches_a_path_a_name_or_a_folder(glob: str, files: set[str]) -> None:
    names = ["AGENTS.md", "web/AGENTS.md", "web/app/AGENTS.md", "web/.claude/CLAUDE.md"]
    assert {name for name in names if matches(glob, name)} == files
    assert {name for name in names if CheckSettings(exclude=("x", glob)).is_excluded(name)} == files


def test_rules_are_named_by_code_name_and_topic() -> None:
    assert rules_named("im010") == rules_named("region-damaged") == {"IM010"}
    assert rules_named("region") == {"IM010", "IM014", "IM015"}
    assert rules_named("ledger") == {"IM011", "IM012", "IM013"}
    assert rules_named("none") == frozenset()
    assert [rule_like(word) for word in ("IM0O1", "Legder", "stale-entri", "x", "")] == [
        "IM001",
        "ledger",
        "stale-entry",
        None,
        None,
    ]


# ---- comments and regions


@pytest.mark.parametrize(
    ("body", "text", "section", "left"),
    [
        (f"- a\n{IGNORE}\n- c\n", "b", "", f"- a\n- b\n{IGNORE}\n- c\n"),
        (f"{IGNORE}\n- c\n", "b", "", f"- b\n{IGNORE}\n- c\n"),
        (f"### S\n\n{IGNORE}\n\n{IGNORE}\n- c\n", "b", "S", f"### S\n\n- b\n{IGNORE}\n\n{IGNORE}\n- c\n"),
        (f"- a\n{IGNORE}\n- c\n", "d", "", f"- a\n{IGNORE}\n- c\n- d\n"),
        (f"- a\n\n  {IGNORE}\n- c\n", "b", "", f"- a\n\n  {IGNORE}\n- b\n- c\n"),
        ("- a\n<!-- note -->\n- c\n", "b", "", "- a\n<!-- note -->\n- b\n- c\n"),
        (f"- a\n\n{IGNORE}\n### S\n\n- c\n", "b", "R", f"- a\n\n### R\n\n- b\n\n{IGNORE}\n### S\n\n- c\n"),
        (f"### S\n\n{IGNORE}\n", "a", "S", f"### S\n\n- a\n\n{IGNORE}\n"),
    ],
)
def test_a_new_item_does_not_come_between_a_comment_and_what_it_speaks_of(
    body: str, text: str, section: str, left: str
) -> None:
    head = f"## Memory\n\n{IGNORE}\n{BEGIN}\n"
    assert edited(f"{head}{body}{END}\n", "X", add=[Addition(text, section)]) == f"{head}{left}{END}\n"


@pytest.mark.parametrize(
    ("body", "gone", "left"),
    [
        (f"- a\n{IGNORE}\n- b\n- c\n", "b", f"- a\n{IGNORE}\n- c\n"),
        (f"- a\n{IGNORE}\n- b\n- c\n", "a", f"{IGNORE}\n- b\n- c\n"),
        (f"### S\n\n{IGNORE}\n- a\n", "a", f"### S\n\n{IGNORE}\n"),
        (f"### S\n\n- a\n{IGNORE}\n\n### T\n\n- b\n", "a", f"### S\n{IGNORE}\n\n### T\n\n- b\n"),
    ],
)
def test_a_comment_in_a_region_is_a_persons_and_stays(body: str, gone: str, left: str) -> None:
    assert edited(f"{BEGIN}\n{body}{END}\n", "X", remove=[identity(gone)]) == f"{BEGIN}\n{left}{END}\n"


def test_a_comment_counts_as_a_persons_own_block() -> None:
    region = find_region(f"{BEGIN}\n### S\n\n{IGNORE}\n- a\n{END}\n", "X")
    assert region is not None
    assert [(one.title, one.others) for one in region.sections] == [("", 0), ("S", 1)]


@st.composite
def commented(draw: st.DrawFn) -> tuple[str, str, list[int]]:
    """A document, the same with an ignore comment above one of its blocks, and the lines of that block now."""
    text = draw(documents())
    blocks = [block for block in blocks_of(text) if block.type != "front_matter"]
    assume(blocks)
    block = draw(st.sampled_from(blocks))
    at = max(line_starts(text)[block.first], len(text) - len(text.removeprefix("\ufeff")))
    comment = draw(st.sampled_from([IGNORE, '<!-- intermem:ignore\n  IM001\n\n  reason="x"\n-->']))
    end, added = fitting_line_end(text, at), len(split_lines(comment))
    lines = [number + added + 1 for number in range(block.first, block.stop)]
    return text, text[:at] + comment.replace("\n", end) + end + text[at:], lines


@settings(deadline=None)
@given(made=commented())
def test_a_comment_above_a_block_changes_no_region(made: tuple[str, str, list[int]]) -> None:
    text, longer, _ = made
    try:
        before = find_region(text, "X")
    except DocumentRefused:
        with pytest.raises(DocumentRefused):
            find_region(longer, "X")
        return
    after = find_region(longer, "X")
    assert (before.ids if before else None) == (after.ids if after else None)


@settings(deadline=None)
@given(made=commented())
def test_what_is_judged_is_the_same_with_a_comment_above_a_block(made: tuple[str, str, list[int]]) -> None:
    text, longer, _ = made
    judged = without_ignores(longer)
    units = [unit.id for unit in units_of(text, "X")]
    assert [unit.id for unit in units_of(longer, "X")] == units
    assert len(judged) == len(longer)
    assert [unit.id for unit in units_of(judged, "X")] == units
    assert [one.source for one in sources_of(judged)] == [one.source for one in sources_of(text)]


def test_what_is_judged_is_the_same_with_a_comment_in_an_item() -> None:
    text = f"- Prefer `a.py`.\n  {IGNORE}\n  - deeper\n"
    assert [one.id for one in units_of(without_ignores(text), "X")] == [identity("- Prefer `a.py`.\n  - deeper")]


@settings(deadline=None)
@given(made=commented())
def test_a_comment_above_a_block_hides_what_begins_in_it(made: tuple[str, str, list[int]]) -> None:
    text, longer, lines = made
    assert len(comments_of(longer, "X").ignores) == len(comments_of(text, "X").ignores) + 1
    assert set(lines_hidden(longer)) >= set(lines) & set(range(len(split_lines(longer)) + 1))


# ---- all three together


@st.composite
def checked(draw: st.DrawFn) -> tuple[dict[str, str], list[Finding], CheckSettings]:
    """Documents, findings in them, and a configuration."""
    rows = st.sampled_from(["text", "- a", "- b", "", "# H", IGNORE, "<!-- intermem:ignore stale until=2026-01-01 -->"])
    texts = st.lists(rows, min_size=1, max_size=9).map("\n".join)
    names = ("AGENTS.md", "web/AGENTS.md")
    found = draw(
        st.lists(
            st.builds(
                finding,
                st.integers(1, 9),
                st.sampled_from(["IM001", "IM020"]),
                st.sampled_from(names),
                st.sampled_from(["one", "two"]),
            ),
            max_size=12,
        )
    )
    codes = st.frozensets(st.sampled_from(ALL), max_size=2)
    left_out = st.builds(
        lambda ignore, glob, per_file: CheckSettings(ignore=ignore, per_file=((glob, per_file),)),
        codes,
        st.sampled_from(["web", "!web", "*.md"]),
        codes,
    )
    return {name: draw(texts) for name in names}, found, draw(left_out)


@settings(deadline=None)
@given(made=checked(), share=st.integers(0, 12))
def test_findings_are_parted_into_shown_and_hidden(
    made: tuple[dict[str, str], list[Finding], CheckSettings], share: int
) -> None:
    texts, found, left_out = made
    baseline = parse_baseline(baseline_text(found[:share]), "baseline.json")
    left, hidden = sifted(found, texts, left_out, baseline, NOW, ALL)
    given_ones = [one for one in left if one.rule.topic != "ignore"]
    assert Counter(given_ones) <= Counter(found)
    assert len(given_ones) + hidden == len(found)


@settings(deadline=None)
@given(made=checked(), random=st.randoms(use_true_random=False))
def test_the_order_of_findings_and_documents_does_not_matter(
    made: tuple[dict[str, str], list[Finding], CheckSettings], random: st.DataObject
) -> None:
    texts, found, left_out = made
    baseline = parse_baseline(baseline_text(found[::2]), "baseline.json")
    mixed = found.copy()
    random.shuffle(mixed)  # type: ignore[attr-defined]
    turned = dict(reversed(texts.items()))
    assert sifted(mixed, turned, left_out, baseline, NOW, ALL) == sifted(found, texts, left_out, baseline, NOW, ALL)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!-- intermem: ignore IM001 -->\ntext\n", [1]),
        ("text <!-- intermem-ignore IM001 -->\n\n<!-- Intermem:Ignore IM001 -->\n", [1, 3]),
        ("| a |\n|---|\n| b | <!-- intermem: ignore IM001 -->\n", [3]),
        ("`<!-- intermem: ignore IM001 -->` is wrong\n", []),
        ("<!-- intermem:ignore IM001 -->\ntext\n", []),
        ("```\n<!-- intermem: ignore IM001 -->\n```\n", []),
    ],
)
def test_a_comment_that_is_misspelt_is_told(text: str, lines: list[int]) -> None:
    found = comments_of(text, "AGENTS.md")
    assert [one.place.first_line for one in found.invalid] == lines
    assert {one.rule.code for one in found.invalid} <= {"IM062"}
    assert all(text.split("\n")[one.place.first_line - 1][one.place.first_column - 1] != " " for one in found.invalid)


def test_a_comment_in_code_is_told_with_the_lines_of_that() -> None:
    found = comments_of(f"# Code\n\n```sh\n{IGNORE}\nmake\n```\n", "AGENTS.md")
    [(told, lines)] = found.in_code
    assert (told.place.first_line, lines) == (4, range(3, 7))
    assert told.message == "the comment hides nothing in code: put it above the block"
