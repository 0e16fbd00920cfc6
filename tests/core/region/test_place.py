"""Where a first region goes, and that it leaves no trace; documents of all shapes are in test_regions.py."""

from __future__ import annotations

import pytest

from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.place import place_region, remove_region

REGION = f"{BEGIN}\n{END}\n"


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        ("# A\ntext\n\n## B\nmore", "A", f"# A\ntext\n\n{BEGIN}\n{END}\n\n## B\nmore"),
        ("# A\r\ntext\r\n\r\n## B\r\nmore", "A", f"# A\r\ntext\r\n\r\n{BEGIN}\r\n{END}\r\n\r\n## B\r\nmore"),
        ("a\r\nb", None, f"a\r\nb\r\n\r\n## Project memory\r\n\r\n{BEGIN}\r\n{END}"),
        ("a\rb", None, f"a\rb\r\r## Project memory\r\r{BEGIN}\r{END}"),
    ],
)
def test_a_text_without_a_final_line_end_gets_and_loses_a_region(text: str, after: str | None, expected: str) -> None:
    placed = place_region(text, "X", after=after)
    assert placed == expected
    assert remove_region(placed, "X") == text


def test_a_line_of_a_person_below_our_heading_keeps_both() -> None:
    assert remove_region(f"## Project memory\ntext\n\n{REGION}", "X") == "## Project memory\ntext\n"
    assert remove_region(f"## Project memory\ntext\n{REGION}", "X") == "## Project memory\ntext\n"


def test_a_heading_of_ours_at_the_end_of_the_document_is_not_the_regions() -> None:
    assert remove_region(f"\n{REGION}## Project memory\n", "X") == "## Project memory\n"
    assert remove_region(f"{REGION}## Project memory\n\n", "X") == "## Project memory\n\n"


def test_an_empty_line_above_goes_with_the_region_and_one_below_stays() -> None:
    assert remove_region(f"\n{REGION}\ntail\n", "X") == "\ntail\n"
    assert remove_region(f"a\n\n{REGION}\ntail\n", "X") == "a\n\ntail\n"


def test_the_first_line_of_a_document_has_none_above_it() -> None:
    assert remove_region(f"{REGION}a\n\n", "X") == "a\n\n"


@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_a_region_that_was_all_leaves_an_empty_document(text: str) -> None:
    assert remove_region(f"{text}{BEGIN}\n{END}", "X") == text


def test_a_fence_that_reads_like_a_heading_is_none() -> None:
    text = "```\nA\n```\n\n# A\ntext\n"
    assert place_region(text, "X", after="A") == f"{text}\n{REGION}"
