"""A merge conflict inside a region: the union of both sides, and not a byte outside."""

from __future__ import annotations

from collections.abc import Container

import pytest

from intermem.core.entries.identity import identity
from intermem.core.region.parse import find_region
from intermem.errors import DocumentRefused
from intermem.workflow import conflicts
from intermem.workflow.document_merge import Versions

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
