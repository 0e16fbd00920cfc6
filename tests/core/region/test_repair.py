"""Regions that stand twice become one, and a deleted one comes back; nothing else moves."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.edit import Addition
from intermem.core.region.parse import find_region
from intermem.core.region.repair import returned, united
from intermem.errors import DocumentRefused

FIRST = f"# P\n\n## Project memory\n\n{BEGIN}\n### S\n\n- one\n{END}\n"


def texts(document: str) -> list[str]:
    region = find_region(document, "X")
    return [item.text for item in region.items] if region is not None else []


def test_a_document_with_one_region_or_none_comes_back_as_it_is() -> None:
    assert united(FIRST, "X", ()) == FIRST
    assert united("# P\n", "X", ()) == "# P\n"


def test_the_entries_of_every_region_stand_in_the_first() -> None:
    second = f"\n## More\n\ntext\n\n{BEGIN}\n- two\n- one\n{END}\n"
    third = f"\n## Project memory\n\n{BEGIN}\n### S\n\n- three\n{END}\n\nThe end.\n"
    result = united(FIRST + second + third, "X", ())
    assert result == (
        f"# P\n\n## Project memory\n\n{BEGIN}\n- two\n\n### S\n\n- one\n- three\n{END}\n\n## More\n\ntext\n\nThe end.\n"
    )


def test_what_the_ledger_calls_gone_does_not_come_along() -> None:
    second = f"\n{BEGIN}\n- two\n- three\n{END}\n"
    assert texts(united(FIRST + second, "X", {identity("two")})) == ["three", "one"]
    assert texts(united(FIRST + second, "X", {identity("one")})) == ["three", "two", "one"], (
        "what stood in the first stays"
    )


def test_neighbours_of_a_region_that_goes_do_not_fuse() -> None:
    second = f"\n## Last\n\nx\n\n{BEGIN}\n- two\n{END}\nend\n"
    assert united(FIRST + second, "X", ()).endswith("## Last\n\nx\n\nend\n")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_are_kept(end: str) -> None:
    text = ("\ufeff" + FIRST + f"\nBy hand.\n\n{BEGIN}\n- two\n{END}\n").replace("\n", end)
    result = united(text, "X", ())
    assert result.startswith(f"\ufeff# P{end}{end}## Project memory{end}")
    assert result.endswith(f"{END}{end}{end}By hand.{end}")
    assert texts(result) == ["two", "one"]


def test_a_region_on_the_first_line_behind_a_byte_order_mark_is_one() -> None:
    assert united(f"\ufeff{BEGIN}\n- one\n{END}\n\n{BEGIN}\n- two\n{END}\n", "X", ()) == (
        f"\ufeff{BEGIN}\n- one\n- two\n{END}\n"
    )


def test_regions_without_a_line_between_them_become_one() -> None:
    assert united(f"{FIRST}{BEGIN}\n- two\n{END}\nend\n", "X", ()) == FIRST.replace("### S", "- two\n\n### S") + "end\n"


def test_a_missing_last_line_end_stays_missing() -> None:
    assert united(f"{FIRST}\ntext\n{BEGIN}\n- two\n{END}", "X", ()).endswith(f"{END}\n\ntext")


def test_a_region_that_belongs_to_an_entry_of_the_first_is_left_to_a_person() -> None:
    with pytest.raises(DocumentRefused, match="X has no region"):
        united(f"{BEGIN}\n- one\n{END}\n  {BEGIN}\n  - two\n  {END}\n", "X", ())


def test_a_further_region_with_other_lines_is_refused() -> None:
    with pytest.raises(DocumentRefused, match=r"X:13: this second region holds lines that are not entries"):
        united(FIRST + f"\na\n\n{BEGIN}\nA paragraph.\n{END}\n", "X", ())


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n- one\n{BEGIN}\n- two\n{END}\n{END}\n",
        f"{END}\n{BEGIN}\n- one\n{END}\n",
        f"{BEGIN}\n- one\n{END}\n{BEGIN}\n",
    ],
)
def test_markers_that_are_no_pairs_are_left_to_a_person(text: str) -> None:
    assert united(text, "X", ()) == text


def test_markers_that_are_shown_in_code_are_none() -> None:
    shown = f"\n```md\n{BEGIN}\n- two\n{END}\n```\n"
    assert united(FIRST + shown, "X", ()) == FIRST + shown


def test_markers_in_a_list_item_are_none() -> None:
    inner = f"\nBy hand:\n\n- x\n\n  {BEGIN}\n  - two\n  {END}\n"
    assert united(FIRST + inner, "X", ()) == FIRST + inner


def test_a_deleted_region_comes_back_where_it_stood_if_nothing_else_has_changed() -> None:
    earlier = f"# P\n\nAbove.\n\n{BEGIN}\n- one\n{END}\n\nBelow.\n"
    for text in ("# P\n\nAbove.\n\n\nBelow.\n", "# P\n\nAbove.\n\nBelow.\n"):
        assert returned(text, earlier, "X", [Addition("one", "")]) == earlier
    more = returned("# P\n\nAbove.\n\nBelow.\n", earlier, "X", [Addition("one", ""), Addition("two", "")])
    assert more == earlier.replace("- one\n", "- one\n- two\n")


def test_what_has_been_taken_out_since_does_not_come_back_with_its_region() -> None:
    earlier = f"# P\n\n{BEGIN}\n- one\n- two\n- three\n{END}\n"
    back = returned("# P\n", earlier, "X", [Addition("one", "")], {identity("two")})
    assert back == earlier.replace("- two\n", ""), "what no ledger knows is a person's"


@pytest.mark.parametrize("title", ["", "## Project memory\n\n"])
def test_a_deleted_region_comes_back_under_its_title_whether_that_was_deleted_or_not(title: str) -> None:
    earlier = FIRST + "\n## Below\n"
    assert returned(f"# P\n\n{title}## Below\n", earlier, "X", [Addition("one", "S")]) == earlier


MOVED = f"# P\n\nOther.\n\n{BEGIN}\n- one\n{END}\n"


@pytest.mark.parametrize("earlier", [None, "# P\n\nOther.\n", f"# P\n\n{BEGIN}\n", "# P\n\nAbove.\n", MOVED])
def test_a_deleted_region_comes_back_at_the_end_where_the_document_has_changed(earlier: str | None) -> None:
    result = returned("# P\n\nAbove.\n", earlier, "X", [Addition("one", "S")])
    assert result == f"# P\n\nAbove.\n\n## Project memory\n\n{BEGIN}\n### S\n\n- one\n{END}\n"


def test_entries_of_another_region_go_below_what_leads() -> None:
    first, second = f"{BEGIN}\n- Must\n{END}\n", f"{BEGIN}\n- fact\n- Also\n{END}\n"
    joined = united(f"{first}\nBetween.\n\n{second}", "X", set(), str.istitle)
    assert joined.startswith(f"{BEGIN}\n- Also\n- Must\n- fact\n{END}\n")


def test_entries_of_a_lost_region_come_back_below_what_leads() -> None:
    back = returned("# P\n", None, "X", [Addition("a", ""), Addition("Z", "")], leads=str.isupper)
    assert "- Z\n- a\n" in back
