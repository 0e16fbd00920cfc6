"""Single edits of a region, to the byte; that they are proved, and what is refused, is in test_regions.py."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from intermem.core.markdown.items import rendered_item
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition, edited


def region(body: str) -> str:
    return f"{BEGIN}\n{body}{END}\n"


def without(body: str, *texts: str) -> str:
    return edited(region(body), "X", remove=[identity(text) for text in texts])


def with_one(body: str, text: str, section: str = "") -> str:
    return edited(region(body), "X", add=[Addition(text, section)])


@pytest.mark.parametrize(
    ("text", "item"),
    [("a", "- a\n"), ("a\nb", "- a\n  b\n"), ("a\n \t\nb", "- a\n\n  b\n"), ("a\n  b", "- a\n    b\n")],
)
def test_an_item_is_written_with_a_dash_and_blank_lines_hold_nothing(text: str, item: str) -> None:
    assert rendered_item(text) == item


@pytest.mark.parametrize(
    ("body", "gone", "left"),
    [
        ("- a\n\n- b\n\n- c\n", ("b", "c"), "- a\n"),
        ("- a\n\n- b\n\n- c\n", ("a", "b"), "- c\n"),
        ("- a\n\n- b\n\n- c\n\n- d\n", ("b", "c"), "- a\n\n- d\n"),
        ("- a\n- b\n- c\n- d\n", ("a", "c", "d"), "- b\n"),
        ("- a\n \t\n- b\n", ("b",), "- a\n"),
        ("- a\n\n- b\n\n- c\n\n- d\n\n- e\n", ("a", "c", "e"), "- b\n\n- d\n"),
        ("## A\n\n- a\n\n## B\n\n- b\n\n## C\n\n- c\n", ("b", "c"), "## A\n\n- a\n"),
        ("## A\n\n- a\n\n## B\n\n- b\n\n## C\n\n- c\n", ("a", "b"), "## C\n\n- c\n"),
        ("## A\n\n- a\n\n## B\n\n- b\n\n## C\n\n- c\n", ("a", "b", "c"), ""),
    ],
)
def test_neighbours_go_together_and_leave_no_gap(body: str, gone: tuple[str, ...], left: str) -> None:
    assert without(body, *gone) == region(left)


BODIES = [
    "",
    "\n",
    "\n\n",
    " \n",
    "- a\n",
    "- a\n\n",
    "\n\n- a\n",
    "\n- a\n\n- c\n\n",
    "- a\n\n\n\n- c\n",
    "- a\n \n- c\n",
    "text\n",
    "\ntext\n",
    "text\n\n- a\n",
    "* a\n1. c\n",
    "\n\n### T\n- d\n",
    "### S\n- a\n### T\n\n\n- d\n",
    "### S\n- a\n\n\n### T\n- d\n",
    "\n### S\n\n- a\n- c\n\n### T\n\n- d\n\n",
    "### S\n\ntext\n\n",
]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_item_goes_in_and_comes_out_without_a_trace(body: str, end: str) -> None:
    document = f"# P\n\n{region(body)}\ntail\n".replace("\n", end)
    for text, section in itertools.product(("0", "b", "z"), ("", "A", "S", "Z")):
        grown = edited(document, "X", add=[Addition(text, section)])
        assert grown != document
        assert edited(grown, "X", remove=[identity(text)]) == document


@pytest.mark.parametrize(
    ("body", "text", "grown"),
    [
        ("- b\n\n- c\n", "a", "- a\n\n- b\n\n- c\n"),
        ("- b\n- c\n\n- d\n", "a", "- a\n- b\n- c\n\n- d\n"),
        ("- a\n\n- c\n- d\n- e\n", "b", "- a\n\n- b\n\n- c\n- d\n- e\n"),
        ("- a\n- b\n\n- d\n", "c", "- a\n- b\n\n- c\n\n- d\n"),
        ("- a\n\n- b\n- d\n", "c", "- a\n\n- b\n- c\n- d\n"),
        ("- a\n- b\n\n- c\n", "d", "- a\n- b\n\n- c\n\n- d\n"),
        ("- a\n\n- b\n- c\n", "d", "- a\n\n- b\n- c\n- d\n"),
        ("- a\n\ntext\n\n- c\n", "b", "- a\n\ntext\n\n- b\n- c\n"),
        ("* a\n", "b", "* a\n* b\n"),
        ("- a\n", "A", "- A\n- a\n"),
        ("1. a\n", "b", "1. a\n- b\n"),
    ],
)
def test_an_item_takes_after_the_two_that_it_comes_between(body: str, text: str, grown: str) -> None:
    assert with_one(body, text) == region(grown)


@pytest.mark.parametrize(
    ("body", "section", "grown"),
    [
        ("\n", "", "- b\n\n"),
        ("\n", "S", "## S\n\n- b\n\n"),
        ("\ntext\n", "", "\n- b\n\ntext\n"),
        ("\ntext\n", "S", "\ntext\n\n## S\n\n- b\n"),
        ("text\n\n", "S", "text\n\n## S\n\n- b\n\n"),
        ("## S\n\ntext\n", "S", "## S\n\n- b\n\ntext\n"),
        ("## T\n- d\n", "S", "## S\n\n- b\n\n## T\n- d\n"),
        ("## S\n\n- a\n", "s", "## S\n\n- a\n\n## s\n\n- b\n"),
    ],
)
def test_an_item_goes_where_its_section_belongs(body: str, section: str, grown: str) -> None:
    assert with_one(body, "b", section) == region(grown)


def test_an_entry_goes_above_a_persons_line_right_below_its_heading() -> None:
    document = f"{BEGIN}\n## S\ntext\n{END}\n"
    result = edited(document, "X", add=[Addition("x", "S")])
    assert result == f"{BEGIN}\n## S\n\n- x\n\ntext\n{END}\n"


def test_what_went_in_before_a_heading_without_a_gap_comes_out_without_a_trace() -> None:
    document = f"{BEGIN}\n- a\n\n- b\n### T\n- d\n{END}\n"
    result = edited(document, "X", add=[Addition("c", "")])
    assert edited(result, "X", remove=[identity("c")]) == document


def is_capital(text: str) -> bool:
    return text.isupper()


@pytest.mark.parametrize(
    ("standing", "text", "grown"),
    [
        ("xz", "A", "Axz"),
        ("xz", "a", "axz"),
        ("BDxz", "C", "BCDxz"),
        ("BDxz", "E", "BDExz"),
        ("BDxz", "A", "ABDxz"),
        ("BDxz", "y", "BDxyz"),
        ("BDxz", "a", "BDaxz"),
        ("BD", "a", "BDa"),
        ("BD", "Z", "BDZ"),
        # People ordered these: they stay as they are.
        ("xBz", "A", "AxBz"),
        ("xBz", "a", "xBaz"),
        ("zBx", "y", "zBxy"),
        ("xB", "a", "xBa"),
        ("DBx", "C", "CDBx"),
        ("xByD", "C", "CxByD"),
    ],
)
def test_what_leads_stands_above_what_does_not_and_nothing_is_moved(standing: str, text: str, grown: str) -> None:
    before, after = ("".join(f"- {one}\n" for one in texts) for texts in (standing, grown))
    result = edited(region(f"## S\n\n{before}"), "X", add=[Addition(text, "S")], leads=is_capital)
    assert result == region(f"## S\n\n{after}")
    assert edited(result, "X", remove=[identity(text)]) == region(f"## S\n\n{before}")


@pytest.mark.parametrize("leads", [None, lambda _text: True, lambda _text: False])
def test_items_of_one_kind_go_by_text(leads: Callable[[str], bool] | None) -> None:
    additions = [Addition(text, "S") for text in "dac"]
    result = edited(region("## S\n\n- B\n- e\n"), "X", add=additions, leads=leads)
    assert result == region("## S\n\n- a\n- B\n- c\n- d\n- e\n")


def test_a_rule_goes_to_its_own_section_only() -> None:
    body = "- a\n\n## S\n\n- c\n"
    result = edited(region(body), "X", add=[Addition("Z", "S")], leads=is_capital)
    assert result == region("- a\n\n## S\n\n- Z\n- c\n")
