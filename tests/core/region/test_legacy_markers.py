"""Entries with the trailing markers of phase 1 move into a region; nothing else moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.markdown.lines import split_lines
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.legacy_markers import Adoption, adopted, marked_entries
from intermem.core.region.parse import find_region
from intermem.errors import EditRefused, IntermemError

REGION = f"\n## Project memory\n\n{BEGIN}\n%s{END}\n"


def texts(result: str) -> list[str]:
    region = find_region(result, "A.md")
    return [] if region is None else [item.text for item in region.items]


@pytest.mark.parametrize(
    ("before", "rest", "moved"),
    [
        ("# P\n\n- A fact. <!-- intermem -->\n- By hand.\n", "# P\n\n- By hand.\n", ["A fact."]),
        ("# P\n\n- A fact. <!--intermem:1a2b3c4d-->\n", "# P\n", ["A fact."]),
        ("# P\n\n- Two\n  lines. <!-- intermem -->\n- By hand.\n", "# P\n\n- By hand.\n", ["Two\nlines."]),
        ("# P\n\n- First line. <!-- intermem -->\n  Second line.\n", "# P\n", ["First line.\nSecond line."]),
        ("# P\n\n- Outer\n  - inner <!-- intermem -->\n", "# P\n", ["Outer\n- inner"]),
        ("# P\n\nA paragraph. <!-- intermem -->\n\nBy hand.\n", "# P\n\nBy hand.\n", ["A paragraph."]),
        ("# P\n\nA paragraph.\n<!-- intermem -->\nBy hand.\n", "# P\n\nBy hand.\n", ["A paragraph."]),
        ("# P\n\n- A fact.\n\n<!-- intermem -->\n\nBy hand.\n", "# P\n\nBy hand.\n", ["A fact."]),
        (
            "# P\n\n- Run:\n\n  ```sh\n  make\n  ```\n  <!-- intermem -->\n- By hand.\n",
            "# P\n\n- By hand.\n",
            ["Run:\n\n```sh\nmake\n```"],
        ),
        ("# P\n\nRun:\n```sh\nmake\n```\n<!-- intermem -->\n", "# P\n", ["Run:\n```sh\nmake\n```"]),
        # The marker behind the closing line keeps the fence open, in every renderer.
        (
            "# P\n\nRun:\n```sh\nmake\n``` <!-- intermem:1a2b3c4d -->\n\n- By hand.\n",
            "# P\n\n- By hand.\n",
            ["Run:\n```sh\nmake\n```"],
        ),
        ("# P\n\nRun this:\n\n```sh\nmake\n``` <!-- intermem -->\n", "# P\n", ["Run this:\n\n```sh\nmake\n```"]),
        ("# P\n\n- One ` <!-- intermem -->\n- and another `\n", "# P\n\n- and another `\n", ["One `"]),
        ("```sh\nmake\n```\n<!-- intermem -->\n\n- By hand:\n", "- By hand:\n", ["```sh\nmake\n```"]),
        ("# P\n\nRun:\n```sh <!-- intermem -->\nmake\n```\n", "# P\n", ["Run:\n```sh\nmake\n```"]),
        ("# P\n\n- Run: \n\n```sh\nmake\n```\n<!-- intermem -->\n", "# P\n", ["Run: \n\n```sh\nmake\n```"]),
        ("\ufeff\n- A fact. <!-- intermem -->\n\nBy hand.\n", "\ufeff\nBy hand.\n", ["A fact."]),
        ("# P\n\n- a <!-- intermem -->\n\n- b <!-- intermem -->\n\nBy hand.\n", "# P\n\nBy hand.\n", ["a", "b"]),
        ("Above\n- a <!-- intermem -->\n\n- b <!-- intermem -->\n## Next\n", "Above\n\n## Next\n", ["a", "b"]),
        ("# P\n\n- a <!-- intermem -->\n\nx\n\ny\n\n- b <!-- intermem -->\n\nz\n", "# P\n\nx\n\ny\n\nz\n", ["a", "b"]),
        ("# P\n\n| a | b |\n|---|---|\n| 1 | 2 | <!-- intermem -->\n", "# P\n", ["| a | b |\n|---|---|\n| 1 | 2 |"]),
    ],
)  # fmt: skip
def test_an_entry_moves_with_all_that_belongs_to_it(before: str, rest: str, moved: list[str]) -> None:
    result = adopted(before, "A.md")
    assert result.text.startswith(rest + "\n## Project memory\n")
    assert texts(result.text) == moved == [one.text for one in result.entries]
    assert "intermem -->" not in result.text
    assert adopted(result.text, "A.md").text == result.text


def test_a_second_marker_of_an_entry_goes_with_it() -> None:
    text = "# P\n\n- By hand.\n\nA fact. <!-- intermem -->\n\n<!-- intermem:1a2b -->\n"
    result = adopted(text, "A.md")
    assert (texts(result.text), result.orphans) == (["A fact."], ())
    assert adopted(result.text, "A.md").entries == () and marked_entries(result.text, "A.md") == (0, (), ())
    twice = adopted("# P\n\n- A fact. <!-- intermem --> <!-- intermem:1a2b3c4d -->\n", "A.md")
    assert [(one.text, one.mark) for one in twice.entries] == [("A fact.", "1a2b3c4d")]


def test_a_marker_in_a_cell_is_named_and_stays() -> None:
    text = "# P\n\n| a | b |\n|---|---|\n| A fact. <!-- intermem:1a2b3c4d --> | `x <!-- intermem -->` |\n"
    assert marked_entries(text, "A.md") == (0, (5,), ())
    assert adopted(text, "A.md") == Adoption(text, orphans=(5,))
    code = "# P\n\n| a | b |\n|---|---|\n| `<!-- intermem --> | b` | c |\n"
    assert marked_entries(code, "A.md") == (0, (), ())


@pytest.mark.parametrize(
    "text",
    [
        "# P\n\nMarkers look like `<!-- intermem -->`\n",
        "# P\n\nA long line above.\n\n- Code of `two <!-- intermem -->\n  lines` is none.\n",
        "# P\n\n```md\n- A fact. <!-- intermem -->\n```\n",
        "# P\n\n    - A fact. <!-- intermem -->\n",
        "# P\n\n~~~md\n``` <!-- intermem -->\n~~~\n",
        "# P\n\n- A fact. <!-- intermem --> and more\n",
        "# P\n\n- A fact. <!-- intermem:xyz -->\n",
        "# P\n\n- A fact. <!-- intermemory -->\n",
        f"# P\n\n{BEGIN}\n- A fact. <!-- intermem -->\n{END}\n",
        "",
    ],
)
def test_what_is_no_marker_stays(text: str) -> None:
    assert adopted(text, "A.md").text == text
    assert adopted(text, "A.md").orphans == ()


@pytest.mark.parametrize(
    "text", ["<!-- intermem -->\n", "## Title <!-- intermem -->\n\n- x\n", "# P\n\n---\n<!-- intermem -->\n- x\n"]
)
def test_a_marker_behind_no_entry_is_named_and_stays(text: str) -> None:
    result = adopted(text, "A.md")
    assert (result.text, len(result.orphans)) == (text, 1)


def test_a_marker_behind_html_stays_where_entries_move() -> None:
    text = "# P\n\n<div>x</div>\n<!-- intermem -->\n\n- A fact. <!-- intermem -->\n"
    result = adopted(text, "A.md")
    assert result.text.startswith("# P\n\n<div>x</div>\n<!-- intermem -->\n\n## Project memory\n")
    assert (result.orphans, texts(result.text)) == ((), ["A fact."])


def test_what_leads_goes_above_the_rest() -> None:
    text = "- a <!-- intermem -->\n- Z <!-- intermem -->\n"
    assert texts(adopted(text, "A.md", leads=str.isupper).text) == ["Z", "a"]


def test_sections_are_the_headings_above_and_the_title_is_none() -> None:
    text = "# P\n\n- One. <!-- intermem -->\n\n## Build  tools\n\n- Two. <!-- intermem -->\n- Three.\n"
    assert [one.section for one in adopted(text, "A.md").entries] == ["", "Build tools"]


def test_a_region_that_stands_takes_them_in_where_it_stands() -> None:
    text = f"# P\n\n{BEGIN}\n- Known.\n{END}\n\n## Old\n\n- Known. <!-- intermem -->\n- New. <!-- intermem:abcd -->\n"
    result = adopted(text, "A.md")
    assert result.text == f"# P\n\n{BEGIN}\n- Known.\n\n### Old\n\n- New.\n{END}\n\n## Old\n".replace(
        "### Old", "## Old"
    )
    assert [one.mark for one in result.entries] == [None, "abcd"]


@pytest.mark.parametrize(
    ("first", "second", "mark"), [(":12ab", "", "12ab"), (":12ab", ":34cd", "12ab"), ("", ":34cd", "34cd")]
)
def test_of_two_markers_the_first_with_a_hash_counts(first: str, second: str, mark: str) -> None:
    result = adopted(f"# P\n\n- A fact. <!-- intermem{first} -->\n  <!-- intermem{second} -->\n", "A.md")
    assert [(one.text, one.mark) for one in result.entries] == [("A fact.", mark)]


def test_a_marker_in_the_region_stays_where_entries_are_taken_in() -> None:
    text = f"# P\n\n{BEGIN}\n- A fact. <!-- intermem -->\n%s{END}\n"
    assert adopted(text % "" + "\n- New. <!-- intermem -->\n", "A.md").text == text % "- New.\n"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_byte_order_mark_and_a_missing_last_end_are_kept(end: str) -> None:
    text = f"\ufeff# P{end}{end}- A fact. <!-- intermem -->{end}- By hand.{end}{end}Last"
    result = adopted(text, "A.md").text
    assert result.startswith(f"\ufeff# P{end}{end}- By hand.{end}{end}Last{end}{end}## Project memory")
    assert result.endswith("end -->")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# T\n\n- See the [guide].\n\n[guide]: https://example.org/guide <!-- intermem -->\n\nEnd.\n", 5),
        ("# T\n\nBuild:\n\n    make all\n    make check\n\n<!-- intermem -->\n", 8),
        ("# T\n\n- <!-- intermem -->\n", 3),
        ("# T\n\n- a\n\n## Next\n<!-- intermem -->", 6),
    ],
)
def test_what_would_not_be_the_same_as_an_item_stays_where_it_is(text: str, line: int) -> None:
    result = adopted(text, "A.md")
    assert (result.text, result.orphans) == (text, (line,))


@pytest.mark.parametrize("html", ["<div> <!-- intermem -->\nx\n</div>", "<!-- comment --> <!-- intermem -->"])
def test_a_marker_inside_other_html_is_no_marker(html: str) -> None:
    result = adopted(f"{html}\n\n- a <!-- intermem -->\n", "A.md")
    assert result.text.startswith(f"{html}\n\n## Project memory")
    assert adopted(result.text, "A.md").text == result.text


def test_a_definition_between_a_lead_in_and_its_fence_is_not_lost() -> None:
    text = "Do these:\n\n[a]: http://x.example/\n\n```\ncode\n```\n<!-- intermem -->\n"
    result = adopted(text, "A.md")
    assert result.text.startswith("Do these:\n\n[a]: http://x.example/\n\n## Project memory")
    assert texts(result.text) == ["```\ncode\n```"]


def test_a_byte_order_mark_is_no_part_of_an_entry() -> None:
    result = adopted("\ufeff- one <!-- intermem -->\n- two\n", "A.md")
    assert result.text.startswith("\ufeff- two\n")
    assert texts(result.text) == ["one"]


def test_a_missing_last_line_end_stays_missing_where_the_last_line_moves() -> None:
    result = adopted("# P\n\n- By hand.\n- A fact. <!-- intermem -->", "A.md").text
    assert result == f"# P\n\n- By hand.\n\n## Project memory\n\n{BEGIN}\n- A fact.\n{END}"


def test_a_byte_order_mark_stays_where_the_first_line_moves() -> None:
    result = adopted("\ufeff- A fact. <!-- intermem -->\n- By hand.\n", "A.md").text
    assert result.startswith("\ufeff- By hand.\n\n## Project memory\n")


def test_neighbours_that_would_fuse_are_refused() -> None:
    with pytest.raises(EditRefused, match="would change the text beside"):
        adopted("# P\n\nAbove\n- A fact. <!-- intermem -->\n---\n", "A.md")


PIECES = st.lists(
    st.sampled_from(
        [
            "# P", "## S", "", "", "- a", "- b <!-- intermem -->", "  more", "  - in <!-- intermem:1234 -->", "para",
            "para <!-- intermem -->", "<!-- intermem -->", "```", "``` <!-- intermem -->", "> quote", "| a |", "|---|",
            "---", "<div>", "</div>", "[x]: y", BEGIN, END, "1. one <!-- intermem -->", "    code <!-- intermem -->",
        ]
    ),
    max_size=14,
)  # fmt: skip


@given(PIECES)
def test_every_line_is_still_there_and_outside_the_order_is_kept(pieces: list[str]) -> None:
    text = "".join(f"{piece}\n" for piece in pieces)
    try:
        result = adopted(text, "A.md")
    except IntermemError:
        return
    if not result.entries:
        assert result.text == text
        return
    region = find_region(result.text, "A.md")
    assert region is not None
    assert {one.id for one in result.entries} <= set(region.ids)
    outside = split_lines(result.text[: region.begin] + result.text[region.end :])
    left = iter(split_lines(text))
    assert all(any(line == other for other in left) for line in outside if line and line != "## Project memory")
    words = {word for line in split_lines(text) for word in line.replace("<!-- intermem -->", "").split()}
    assert words - {"intermem:1234", "<!--", "-->"} <= set(result.text.split()) | {"<!--", "-->", "intermem:1234", "1."}


def test_a_marker_of_no_entry_is_not_counted() -> None:
    marked = "# A\n\n- one <!-- intermem -->\n\n- two\n  <!-- intermem:1a2b3c4d -->\n"
    assert marked_entries(marked, "AGENTS.md") == (2, (), ())
    assert marked_entries("# A\n\n<!-- intermem -->\n\n- one\n", "AGENTS.md") == (0, (3,), ())
    assert marked_entries("no markers of intermem", "AGENTS.md") == (0, (), ())


@pytest.mark.parametrize(
    ("below", "is_adopted"), [("", True), ("\n- two\n", True), ("- two\n", False), ("Two.\n", False)]
)
def test_a_marker_on_top_of_the_next_line_is_not_of_the_list_above(below: str, is_adopted: bool) -> None:
    text = f"# A\n\n- one\n\n<!-- intermem -->\n{below}"
    found = adopted(text, "AGENTS.md")
    assert [one.text for one in found.entries] == (["one"] if is_adopted else [])
    assert found.orphans == (() if is_adopted else (5,))
    assert is_adopted or found.text == text
