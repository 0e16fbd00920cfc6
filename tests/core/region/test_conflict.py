"""What the signs of a conflict in a region say of each side."""

from __future__ import annotations

import pytest

from intermem.core.region.conflict import conflict_in_region, labels_in
from intermem.errors import DocumentRefused

HEAD = "# P\n\nText.\n\n<!-- intermem:begin -->\n### Build\n\n"
TAIL = "<!-- intermem:end -->\n\nMore text.\n"


def conflict(ours: str, theirs: str, base: str | None = None) -> str:
    middle = "" if base is None else f"||||||| base\n{base}"
    return f"<<<<<<< HEAD\n{ours}{middle}=======\n{theirs}>>>>>>> feature\n"


def test_each_side_is_the_document_with_its_own_lines() -> None:
    text = HEAD + "- zero\n" + conflict("- one\n", "- two\n") + TAIL
    found = conflict_in_region(text, "X")
    assert found is not None and found.base is None
    assert found.ours == HEAD + "- zero\n- one\n" + TAIL and found.theirs == HEAD + "- zero\n- two\n" + TAIL
    assert found.with_body("- three\n") == HEAD.replace("### Build\n\n", "- three\n") + TAIL


def test_the_base_is_known_where_each_conflict_shows_it() -> None:
    shown, hidden = conflict("- one\n", "- two\n", "- old\n"), conflict("- a\n", "- b\n")
    found = conflict_in_region(HEAD + shown + "- zero\n" + TAIL, "X")
    assert found is not None and found.base == HEAD + "- old\n- zero\n" + TAIL
    mixed = conflict_in_region(HEAD + shown + hidden + TAIL, "X")
    assert mixed is not None and mixed.base is None


def test_conflicts_outside_stay_in_every_side() -> None:
    outside = conflict("This.\n", "That.\n")
    found = conflict_in_region(outside + HEAD + conflict("- one\n", "- two\n") + TAIL + outside, "X")
    assert found is not None
    for side in (found.ours, found.theirs):
        assert side.startswith(outside) and side.endswith(outside) and side.count("<<<<<<<") == 2
    assert conflict_in_region(HEAD + "- one\n" + TAIL + outside, "X") is None


def test_line_ends_of_a_body_become_those_of_the_file() -> None:
    text = (HEAD + conflict("- one\n", "- two\n") + TAIL).replace("\n", "\r\n")
    found = conflict_in_region(text, "X")
    assert found is not None
    assert found.with_body("- a\n- b\n") == (HEAD.replace("### Build\n\n", "- a\n- b\n") + TAIL).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# P\n\n" + conflict(HEAD, HEAD) + "- one\n" + TAIL, "expected one begin and one end marker"),
        (HEAD + conflict("- two\n" + TAIL, "- three\n"), "includes a marker"),
        (HEAD + "<<<<<<< HEAD\n- one\n" + TAIL, "incomplete conflict markers"),
        (HEAD + "<<<<<<< HEAD\n- one\n>>>>>>> x\n" + TAIL, "incomplete conflict markers"),
    ],
)
def test_what_cannot_be_told_is_refused(text: str, says: str) -> None:
    with pytest.raises(DocumentRefused, match=says):
        conflict_in_region(text, "X")


def test_labels_are_those_of_the_first_conflict() -> None:
    assert labels_in("text\n") is None
    assert labels_in(conflict("a\n", "b\n", "c\n") + conflict("d\n", "e\n")) == ("HEAD", "base", "feature")
    assert labels_in(conflict("a\n", "b\n") + conflict("a\n", "b\n", "c\n")) == ("HEAD", None, "feature")
