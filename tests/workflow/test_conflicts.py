"""A merge conflict inside a region: the union of both sides, and not a byte outside."""

from __future__ import annotations

from collections.abc import Container

import pytest

from intermem.core.entries.identity import identity
from intermem.core.region.merge import Signs
from intermem.core.region.parse import find_region
from intermem.errors import DocumentRefused
from intermem.workflow import conflicts
from intermem.workflow.document_merge import Versions, merged_lines

HEAD = "# P\n\nText.\n\n<!-- intermem:begin -->\n### Build\n\n"
TAIL = "<!-- intermem:end -->\n\nMore text.\n"


def resolved(text: str, unwanted: Container[str] = (), stages: Versions | None = None) -> str:
    return conflicts.resolved(text, "AGENTS.md", stages, unwanted).text


def conflict(ours: str, theirs: str, base: str | None = None) -> str:
    middle = "" if base is None else f"||||||| base\n{base}"
    return f"<<<<<<< HEAD\n{ours}{middle}=======\n{theirs}>>>>>>> feature\n"


def texts(document: str) -> list[str]:
    region = find_region(document, "AGENTS.md")
    assert region is not None
    return [item.text for item in region.items]


def test_both_sides_stay() -> None:
    text = HEAD + "- zero\n" + conflict("- one\n- two\n", "- one\n- three\n") + TAIL
    found = resolved(text)
    assert sorted(texts(found)) == ["one", "three", "two", "zero"]
    assert found.startswith(HEAD) and found.endswith(TAIL)


def test_what_leads_stands_above_the_rest_of_both_sides() -> None:
    text = HEAD + conflict("- Never push.\n- four\n", "- Always pull.\n- three\n") + TAIL
    assert texts(resolved(text)) == [
        "Always pull.",
        "Never push.",
        "four",
        "three",
    ]


def test_what_one_side_took_out_stays_out_where_the_ancestor_is_known() -> None:
    text = HEAD + conflict("- one\n- new here\n", "- two\n- new there\n", "- one\n- two\n") + TAIL
    assert sorted(texts(resolved(text))) == ["new here", "new there"]
    plain = HEAD + conflict("- one\n- new here\n", "- two\n- new there\n") + TAIL
    assert len(texts(resolved(plain))) == 4


def test_what_the_ledger_calls_gone_stays_out() -> None:
    text = HEAD + conflict("- one\n- two\n", "- three\n") + TAIL
    found = resolved(text, {identity("two"), identity("three")})
    assert texts(found) == ["one"]


def test_a_section_of_the_other_side_comes_along() -> None:
    text = HEAD + conflict("- one\n", "- one\n\n### Style\n\n- two\n") + TAIL
    found = find_region(resolved(text), "AGENTS.md")
    assert found is not None
    assert [(item.section, item.text) for item in found.items] == [("Build", "one"), ("Style", "two")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_conflict_outside_is_left_alone(end: str) -> None:
    outside = conflict("This.\n", "That.\n")
    text = (HEAD + conflict("- one\n", "- two\n") + TAIL + outside).replace("\n", end)
    found = resolved(text)
    assert found.endswith((TAIL + outside).replace("\n", end)) and "<<<<<<<" not in found[: found.index("More")]


def test_without_a_conflict_nothing_changes() -> None:
    text = HEAD + "- one\n" + TAIL
    assert resolved(text) == text
    text += "=======\nno sign of a conflict\n"
    assert resolved(text) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# P\n\n" + conflict(HEAD, HEAD) + "- one\n" + TAIL, "expected one begin and one end marker"),
        (HEAD.replace("### Build\n\n", "") + "- one\n" + conflict("- two\n" + TAIL, "- three\n"), "includes a marker"),
        (HEAD + "<<<<<<< HEAD\n- one\n" + TAIL, "incomplete conflict markers"),
        (HEAD + "<<<<<<< HEAD\n- one\n>>>>>>> x\n" + TAIL, "incomplete conflict markers"),
        (HEAD + conflict("- one\n\nMy words.\n\n", "- one\n\nYours.\n\n") + TAIL, "lines that are not entries"),
    ],
)
def test_what_cannot_be_told_is_refused(text: str, says: str) -> None:
    with pytest.raises(DocumentRefused) as refused:
        resolved(text)
    assert says in refused.value.message


def test_a_mark_of_order_and_markers_in_a_fence_do_no_harm() -> None:
    fence = "```markdown\n<!-- intermem:begin -->\n<!-- intermem:end -->\n```\n\n"
    body = "<!-- intermem:begin -->\n" + conflict("- one\n", "- two\n") + "<!-- intermem:end -->\n"
    for text in ("\ufeff" + body, "# P\n\n" + fence + body):
        assert sorted(texts(resolved(text))) == ["one", "two"]


def test_what_was_left_out_is_told() -> None:
    text = HEAD + conflict("- one\n- new here\n", "- two\n", "- one\n- two\n") + TAIL
    found = conflicts.resolved(text, "AGENTS.md", None)
    assert sorted(said for _, said in found.left_out) == ["one", "two"]


# With the versions that git keeps in its index.


def made(base: str, ours: str, theirs: str, style: str = "merge") -> tuple[str, Versions]:
    """Return what git leaves in the file, and the versions, of which each is the body of a region."""
    stages = Versions(*(HEAD + body + TAIL for body in (base, ours, theirs)))
    text, is_clean = merged_lines(stages, Signs("HEAD", "topic", "1234567"), style)
    assert not is_clean
    return text, stages


BODY = "- one one one\n- two two two\n- three three\n- four four four\n- five five five\n"


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_a_line_that_one_side_moved_stands_once_where_it_moved_to(style: str) -> None:
    theirs = BODY.replace("- one one one\n", "") + "- one one one\n"
    text, stages = made(BODY, BODY + "- added here\n", theirs, style)
    assert texts(resolved(text, stages=stages)) == [
        "two two two",
        "three three",
        "four four four",
        "five five five",
        "added here",
        "one one one",
    ]


def test_a_moved_section_loses_nothing() -> None:
    base = BODY + "\n### Style\n\n- six six\n- seven seven\n"
    ours = "- six six\n- seven seven\n- added here\n\n### Other\n\n" + BODY
    text, stages = made(base, ours, base.replace("- seven", "- added there\n- seven"))
    found = texts(resolved(text, stages=stages))
    assert sorted(found) == sorted({*texts(stages.ours), *texts(stages.theirs)})


REST = BODY.replace("- one one one\n", "")
WON, ON = BODY.replace("one one one", "one one won"), BODY.replace("one one one", "one one on")


@pytest.mark.parametrize("theirs", [ON, REST], ids=["two wordings", "a wording of what is removed"])
def test_what_nobody_can_decide_stays_a_conflict_around_just_that(theirs: str) -> None:
    text, stages = made(BODY, WON + "- added here\n", theirs + "- added there\n")
    found = conflicts.resolved(text, "AGENTS.md", stages)
    other = "- one one on\n" if theirs == ON else ""
    left = f"<<<<<<< HEAD\n- one one won\n=======\n{other}>>>>>>> topic\n"
    assert found.text == HEAD + left + REST + "- added here\n- added there\n" + TAIL
    assert [(one.ours, one.theirs) for one in found.undecided] == [("one one won", other[2:-1] or None)]
    assert conflicts.resolved(found.text, "AGENTS.md", stages) == found, "the same again"


@pytest.mark.parametrize(
    "kept", ["- one one won\n", "- one one on\n", "- one one won\n- one one on\n", "- one here\n", ""]
)
def test_what_a_person_decided_by_hand_is_not_asked_again(kept: str) -> None:
    base, ours, theirs = (body + "- six six six\n" for body in (BODY, WON, ON))
    text, stages = made(base, ours.replace("six", "sixth"), theirs.replace("six", "half"))
    text = conflicts.resolved(text, "AGENTS.md", stages).text
    text = text.replace("<<<<<<< HEAD\n- one one won\n=======\n- one one on\n>>>>>>> topic\n", kept)
    found = conflicts.resolved(text, "AGENTS.md", stages)
    assert len(found.undecided) == 1 and found.text.count("<<<<<<<") == 1
    stand = [line for line in found.text.split("\n") if line.startswith("- one")]
    assert stand == kept.split("\n")[:-1]


def test_what_a_person_did_to_the_file_since_stays() -> None:
    text, stages = made(BODY, BODY + "- added here\n", BODY + "- added there\n")
    text = text.replace("- two two two\n", "").replace("- four", "- by hand\n- four")
    text = text.replace("Text.\n", "Words.\n").replace("- added there\n", "- added there by me\n")
    found = resolved(text, stages=stages)
    assert sorted(texts(found)) == sorted(
        ["one one one", "three three", "by hand", "four four four", "five five five", "added here", "added there by me"]
    )
    assert found.startswith(HEAD.replace("Text.", "Words.")) and found.endswith(TAIL)


def test_line_ends_are_those_of_the_file_which_git_may_have_converted() -> None:
    text, stages = made(BODY, BODY + "- added here\n", BODY + "- added there\n")
    found = resolved(text.replace("\n", "\r\n"), stages=stages)
    assert found == resolved(text, stages=stages).replace("\n", "\r\n")


def test_a_version_with_a_damaged_region_leaves_the_signs() -> None:
    text, stages = made(BODY, BODY + "- added here\n", BODY + "- added there\n")
    damaged = Versions(stages.base.replace("<!-- intermem:end -->\n", ""), stages.ours, stages.theirs)
    assert resolved(text, stages=damaged) == resolved(text, stages=stages)


WHERE = "# P\n\nText.\n"


@pytest.mark.parametrize("style", ["merge", "diff3"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_conflict_around_a_marker_is_resolved_where_the_file_is_as_git_left_it(style: str, end: str) -> None:
    region = "\n<!-- intermem:begin -->\n- one one\n<!-- intermem:end -->\n"
    stages = Versions(
        WHERE + region,
        WHERE.replace("Text", "Our text") + region.replace("<!-- intermem:begin", "<!--  intermem:begin"),
        WHERE.replace("Text", "Your text") + region.replace("- one one", "- added there"),
    )
    text, _ = merged_lines(stages, Signs("HEAD", "topic", "1234567"), style)
    text = text.replace("\n", end)
    with pytest.raises(DocumentRefused):
        resolved(text)
    found = resolved(text, stages=stages)
    assert "<!--  intermem:begin -->" in found and texts(found) == ["added there"]
    assert "<<<<<<< HEAD" in found and "Our text." in found and "Your text." in found
    assert ("\r" in found) == ("\r" in end)
    with pytest.raises(DocumentRefused):
        resolved(text.replace("Our text", "My text"), stages=stages)


def test_what_both_sides_have_stays_whatever_the_ledger_calls_it() -> None:
    text, stages = made(BODY, BODY + "- added here\n", BODY + "- added there\n")
    gone = {identity("two two two"), identity("added there")}
    assert "two two two" in texts(resolved(text, gone, stages)) and "added there" not in texts(
        resolved(text, gone, stages)
    )
    assert "two two two" in texts(resolved(text, gone)) and "added there" not in texts(resolved(text, gone))
