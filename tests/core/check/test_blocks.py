"""The blocks that check judges, and the places of what they cite."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intermem.core.check.blocks import citation_findings, units_of, unverifiable_places, without_doubt
from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.entries.identity import identity
from intermem.core.markdown.blocks import BOM, blocks_of
from intermem.core.markdown.lines import is_blank, split_lines
from intermem.entities import Evidence, Judged, Verdict, VerdictStatus
from intermem.errors import UnreadableFile
from tests.fuzz.strategies import calm_documents, documents

CITED = (
    "See `src/a.py` and `src/a.py`.",
    "- [`docs/g.md`](docs/g.md#top), [h](<docs/my%20g.md> 't')",
    "- 先看 `源/旧.py`，再跑 `src/a.py`\n  - nested\t`src/b.py:3`\n\n    ```sh\n    cat src/a.py\n    ```",
    "| a | `src/a.py` |\n|---|---|\n| [x](docs/a%20b.md) | `x` and src/c.py |",
    "```\nsrc/a.py src/b.py\n\nmake test\n```",
    "> quoted `src/a.py`\n> src/a.py",
    "[g]: docs/g.md\n[h]: <docs/h.md> 'title'",
    "1. a.py/b.py/README\n2. call `run_all()` in abc1234..def5678",
    "@docs/style.md and 🚀 `src/é.py`",
    "Title src/a.py\n===",
    "    indented src/a.py\n\n    more src/b.py",
    "<details>\nsrc/a.py\n</details>",
)


@st.composite
def citing(draw: st.DrawFn) -> str:
    """Documents full of citations, with any line ends."""
    text = "\n\n".join(draw(st.lists(st.sampled_from(CITED), min_size=1, max_size=5)))
    ends = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = text.replace("\n", ends) + draw(st.sampled_from(["", ends]))
    return draw(st.sampled_from(["", BOM])) + text


def sources(text: str) -> list[str]:
    return split_lines(text.removeprefix(BOM))


@settings(deadline=None)
@given(text=st.one_of(documents(), calm_documents(), citing()))
def test_every_line_that_says_something_is_in_one_block(text: str) -> None:
    try:
        units = units_of(text, "AGENTS.md")
    except UnreadableFile:
        return
    lines = sources(text)
    covered: list[int] = []
    for unit in units:
        assert unit.text == "\n".join(lines[unit.first_line - 1 : unit.lines.stop - 1])
        assert unit.id == identity(unit.text)
        covered += unit.lines
    assert len(covered) == len(set(covered))
    for block in blocks_of(text):
        structure = block.type in ("rule", "front_matter") or (block.type == "html" and "<!--" in block.content)
        if not structure:
            wanted = {n for n in range(block.first + 1, block.stop + 1) if not is_blank(lines[n - 1])}
            assert wanted <= set(covered)
    within = {number for block in blocks_of(text) for number in range(block.first, block.stop)}
    between = {number + 1 for number, line in enumerate(lines) if number not in within and not is_blank(line)}
    assert between <= set(covered)


@settings(deadline=None)
@given(text=st.one_of(documents(), citing()))
def test_every_place_holds_what_is_cited(text: str) -> None:
    try:
        units = units_of(text, "AGENTS.md")
    except UnreadableFile:
        return
    lines = sources(text)
    for unit in units:
        for spans in spans_of(unit.text).values():
            for start, stop, _ in spans:
                place = unit.place(start, stop)
                assert unit.span(place) == (start, stop)
                held = lines[place.first_line - 1 : place.last_line]
                held[-1] = held[-1][: place.last_column - 1]
                held[0] = held[0][place.first_column - 1 :]
                assert "\n".join(held) == unit.text[start:stop]
                assert unit.source(place) == "\n".join(lines[place.first_line - 1 : place.last_line])


@settings(deadline=None)
@given(text=st.one_of(documents(), citing()))
def test_every_citation_has_a_place_and_every_place_a_citation(text: str) -> None:
    spans = spans_of(text)
    assert set(spans) == {(one.kind, one.text) for one in citations_of(text)}
    for found in spans.values():
        assert found
        assert all(0 <= start < stop <= len(text) for start, stop, _ in found)
        assert all(stop <= start for (_, stop, _), (start, _, _) in pairwise(found))


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("---\na: src/a.py\n---\n# T\n", [(1, "---\na: src/a.py\n---"), (4, "# T")]),
        ("# T\n\n---\n\n<!-- src/a.py -->\ntext\n", [(1, "# T"), (6, "text")]),
        ("| a |\n|---|\n| b |\n", [(1, "| a |"), (2, "|---|"), (3, "| b |")]),
        ("- a\n\n  b\n- c\n\n\n", [(1, "- a\n\n  b"), (4, "- c")]),
        ("[g]: docs/g.md\n\ntext [x][g]\n\n[h]: h.md", [(1, "[g]: docs/g.md"), (3, "text [x][g]"), (5, "[h]: h.md")]),
        ("<!-- a --> b src/a.py\n", [(1, "<!-- a --> b src/a.py")]),
        ("```\na\n\n", [(1, "```\na")]),
        (f"{BOM}a\r\nb\rc", [(1, "a\nb\nc")]),
        (f"{BOM}{BOM}a", [(1, f"{BOM}a")]),
        ("a\u2028b\x0cc\x85d", [(1, "a\u2028b\x0cc\x85d")]),
        ("", []),
    ],
)  # fmt: skip
def test_the_blocks_of(text: str, units: list[tuple[int, str]]) -> None:
    assert [(unit.first_line, unit.text) for unit in units_of(text, "A.md")] == units


def test_an_item_of_the_region_is_known_by_its_entry() -> None:
    units = units_of("# T\n\n- a\n- b\n", "A.md", [(4, "0123456789abcdef")])
    assert [unit.entry for unit in units] == [None, None, "0123456789abcdef"]


def judged(text: str, status: VerdictStatus) -> list[Judged]:
    return [Judged(citation=one, verdict=Verdict(status=status, target="x")) for one in citations_of(text)]


@pytest.mark.parametrize("status", VerdictStatus)
def test_what_cannot_be_verified_is_no_finding(status: VerdictStatus) -> None:
    text = "See `src/a.py`, then `src/a.py` and src/b.py"
    (unit,) = units_of(text, "A.md")
    found = citation_findings(unit, judged(text, status), spans_of)
    wrong = status not in (VerdictStatus.VALID, VerdictStatus.UNVERIFIABLE)
    assert [(one.place.first_column, one.place.last_column) for one in found] == (
        [(6, 14), (23, 31), (37, 45)] if wrong else []
    )
    lost = [place.first_column for _, place in unverifiable_places(unit, judged(text, status), spans_of)]
    assert lost == ([6, 37] if status is VerdictStatus.UNVERIFIABLE else [])


def test_the_target_of_a_link_is_told_from_a_name() -> None:
    text = "[`docs/a.md`](docs/a.md)"
    (unit,) = units_of(text, "A.md")
    found = citation_findings(unit, judged(text, VerdictStatus.MOVED), spans_of)
    assert [one.judged is not None and one.judged.citation.link for one in found] == [False, True]


@pytest.mark.large
def test_a_line_full_of_one_citation_is_no_work() -> None:
    text = "`src/a.py` " * 5_000
    (unit,) = units_of(text, "A.md")
    found = citation_findings(unit, judged("`src/a.py`", VerdictStatus.BROKEN), spans_of)
    assert len(found) == 5_000
    assert len({id(one.source) for one in found}) == 1, "one text, however many findings"


def test_a_commit_named_twice_in_a_range_has_one_place() -> None:
    (spans,) = spans_of("`abc1234..abc1234`").values()
    assert [(start, stop) for start, stop, _ in spans] == [(1, 8)]


def test_a_setting_and_its_key_are_one_finding() -> None:
    verdict = Verdict(status=VerdictStatus.MOVED, target="src/a.py:3", reason="now retries")
    text = "Set `retryCount: 3`."
    (unit,) = units_of(text + "\n", "AGENTS.md")
    items = [Judged(citation=one, verdict=verdict) for one in citations_of(text)]
    assert [one.citation.kind for one in items] == ["config", "symbol"]
    assert [one.judged.citation.kind for one in citation_findings(unit, items, spans_of) if one.judged] == ["config"]
    elsewhere = [items[0], replace(items[1], verdict=replace(verdict, target="src/b.py:1"))]
    assert len(citation_findings(unit, elsewhere, spans_of)) == 2


@pytest.mark.parametrize(
    ("evidence", "name", "code"),
    [
        (Evidence.USE, "KILN_HEAT_MAX", "IM001"),
        (Evidence.USE, "KilnHeater", "IM090"),
        (Evidence.MATCHES, "src/*.py", "IM090"),
        (Evidence.IMPORT, "kiln", "IM001"),
        (Evidence.IMPORT, "KilnHeater", "IM090"),
        (Evidence.WORD, "thaw()", "IM090"),
        (Evidence.TOLD, "thawAll()", "IM090"),
    ],
)
def test_what_is_known_to_have_been_there_is_doubtful_for_few_kinds_of_evidence(
    evidence: Evidence, name: str, code: str
) -> None:
    (unit,) = units_of(f"See `{name}` here.\n", "AGENTS.md")
    (citation,) = (one for one in citations_of(unit.text) if one.text == name)
    gone = Judged(citation=citation, verdict=Verdict(status=VerdictStatus.BROKEN, evidence=evidence))
    (found,) = citation_findings(unit, [gone], spans_of)
    assert found.rule.code == "IM090" and without_doubt(found).rule.code == code


def message_of(document: str, verdict: Verdict, *, link: bool = False) -> list[str]:
    text = "See [it](../style.md)." if link else "See `kiln.py`, and `agents.md`."
    (unit,) = units_of(text, document)
    judged = [Judged(citation=one, verdict=verdict) for one in citations_of(text)]
    return [one.message for one in citation_findings(unit, judged, spans_of)]


@pytest.mark.parametrize(
    ("evidence", "target", "reason", "said"),
    [
        (Evidence.PACKAGE, "kiln/__init__.py", "", "kiln.py has become the package of its name, in kiln/__init__.py"),
        (Evidence.PACKAGE, "kiln", "it became a package", "kiln.py has moved to kiln (it became a package)"),
        (Evidence.SPELT, "Kiln.py", "", "kiln.py is spelt Kiln.py here"),
        (Evidence.ELSEWHERE, "src/kiln.py", "", "kiln.py is at src/kiln.py, and never was where it is cited"),
        (Evidence.REWRITTEN, "a.py:3", "now oven", "kiln.py is gone: oven stands in its place (a.py:3)"),
        (Evidence.RENAMED, "src/kiln.py", "", "kiln.py has moved to src/kiln.py"),
    ],
)
def test_where_a_thing_is_now_is_said_in_its_words(evidence: Evidence, target: str, reason: str, said: str) -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target=target, reason=reason, evidence=evidence)
    assert message_of("AGENTS.md", moved) == [said], "and nothing of the document's own name in other capitals"
    assert len(message_of("docs/guide.md", moved)) == 2


def test_a_document_is_not_the_page_that_it_cites() -> None:
    elsewhere = Verdict(
        status=VerdictStatus.MOVED, target="docs/style.md", reason="no such file", evidence=Evidence.ELSEWHERE
    )
    assert message_of("docs/style.md", elsewhere, link=True) == ["../style.md not found: no such file"]
    assert message_of("docs/other.md", elsewhere, link=True)[0].startswith("../style.md is at docs/style.md")
