"""The lines of topic files in a region: what they are, and that nothing else changes with them."""

from __future__ import annotations

import pytest

from intermem.core.region.budget import Budget, region_tokens
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region, pointed_to
from intermem.core.region.pointers import titles_of, with_pointers
from intermem.core.region.topic_files import is_named, is_topic_file, slug_of, topic_file
from intermem.errors import DocumentRefused, EditRefused

REL, TESTS = "docs/intermem/rel.md", "docs/intermem/tests.md"
NAME = "AGENTS.md"
PLAIN = "# P\n\n<!-- intermem:begin -->\n## Rel\n\n- Never push.\n<!-- intermem:end -->\n\nBelow.\n"
EMPTY = "# P\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n"
ITEMS = "# P\n\n<!-- intermem:begin -->\n- Never push.\n<!-- intermem:end -->\n"


@pytest.mark.parametrize(
    ("section", "slug"),
    [
        ("Deploying", "deploying"),
        ("CI / CD: the basics", "ci-cd-the-basics"),
        ("部署", "部署"),
        ("", "general"),
        ("***", "general"),
        ("../../etc", "etc"),
        ("NUL", "nul-notes"),
        ("Größe", "grösse"),
        ("General", "general"),
        ("x" * 99, "x" * 60),
    ],
)
def test_a_section_has_a_file_of_a_safe_name(section: str, slug: str) -> None:
    assert (slug_of(section), topic_file(section)) == (slug, f"docs/intermem/{slug}.md")
    assert is_topic_file(topic_file(section))


@pytest.mark.parametrize("name", ["AGENTS.md", "docs/intermem.md", "docs/intermem/a/b.md", "docs/intermem/a.txt"])
def test_other_files_are_no_topic_files(name: str) -> None:
    assert not is_topic_file(name)


def test_a_line_names_a_topic_file_or_is_an_entry() -> None:
    for text in (f"Rel: {REL}", REL, f"[How]({REL})", f"Read `{REL}` first", f"See {REL}.", f"Rel:\n  {REL}"):
        assert pointed_to(text) == {REL}
    assert pointed_to(f"Rel: {REL}, {TESTS}") == {REL, TESTS}
    page = "docs/intermem"
    for text in ("Rel: docs/rel.md", f"{page}/rel.mdx", f"{page}/rel.md.bak", f"my{page}/rel.md", f"{page}/a/rel.md"):
        assert not pointed_to(text)
    assert not pointed_to(f"Rel:\n\n  {REL}") and not pointed_to(f"Rel:\n  - {REL}")


@pytest.mark.parametrize("text", [PLAIN, EMPTY, ITEMS, PLAIN.replace("\n", "\r\n")])
def test_lines_come_first_and_go_without_a_trace(text: str) -> None:
    one = with_pointers(text, NAME, {REL: "Rel"})
    both = with_pointers(one, NAME, {REL: "Rel", TESTS: "Tests"})
    region = find_region(both, NAME)
    assert region is not None
    assert [pointed_to(line.text) for line in region.pointers] == [{REL}, {TESTS}]
    before = find_region(text, NAME)
    assert before is not None and region.ids == before.ids
    assert with_pointers(both, NAME, {REL: "Rel", TESTS: "Tests"}) == both
    assert with_pointers(both, NAME, {REL: "Rel"}, [TESTS]) == one
    assert with_pointers(both, NAME, {}, [REL, TESTS]) == text


def test_lines_that_stand_keep_their_wording_and_those_of_other_files_stay() -> None:
    text = with_pointers(PLAIN, NAME, {REL: "Rel"}).replace("- Rel:", "- When you release:")
    text = text.replace("<!-- intermem:begin -->\n", "<!-- intermem:begin -->\n- Build: docs/intermem/build.md\n")
    after = with_pointers(text, NAME, {REL: "Rel", TESTS: ""})
    assert f"- When you release: {REL}\n" in after and "- Build: docs/intermem/build.md\n" in after
    assert f"- General: {TESTS}\n" in after


def test_a_line_that_stands_below_another_heading_stays_there() -> None:
    text = PLAIN.replace("- Never push.\n", f"- Never push.\n- Rel: {REL}\n- Again: {REL}\n")
    assert with_pointers(text, NAME, {REL: "Rel"}) == text
    assert with_pointers(text, NAME, {TESTS: "Tests"}) == text.replace(
        f"- Again: {REL}\n", f"- Again: {REL}\n- Tests: {TESTS}\n"
    )
    assert with_pointers(text, NAME, {}, [REL]) == PLAIN


def test_a_document_without_a_region_is_refused() -> None:
    with pytest.raises(DocumentRefused):
        with_pointers("# P\n", NAME, {REL: "Rel"})


def test_lines_are_no_entries_and_cost_nothing() -> None:
    text = with_pointers(PLAIN, NAME, {REL: "Rel", TESTS: "Tests"})
    region, before = find_region(text, NAME), find_region(PLAIN, NAME)
    assert region is not None and before is not None
    assert abs(region_tokens(region, text) - region_tokens(before, PLAIN)) <= 1
    assert [section.others for section in region.sections] == [0, 0]
    assert Budget(entries=1, tokens=0).excess(region, text) == ""
    assert "2 entries, more than 1" in Budget(entries=1).excess(*_with("Ask first.", text))
    assert "more than 1 (promote.budget_tokens)" in Budget(entries=0, tokens=1).excess(region, text)


def _with(entry: str, text: str):  # type: ignore[no-untyped-def]
    grown = edited(text, NAME, add=[Addition(entry, "Rel")])
    return find_region(grown, NAME), grown


def test_the_title_of_a_topic_file_is_its_first_heading_with_entries() -> None:
    texts = {REL: PLAIN, TESTS: EMPTY, "docs/intermem/x.md": "# Nothing of ours\n", "docs/intermem/y.md": ITEMS}
    assert titles_of(texts) == {REL: "Rel", "docs/intermem/y.md": ""}


def test_a_line_that_names_a_topic_file_is_never_added_as_an_entry() -> None:
    with pytest.raises(EditRefused, match=f"the line that names {REL}"):
        edited(PLAIN, NAME, add=[Addition(f"Read {REL} first.", "Rel")])


def test_the_file_of_what_has_no_section_is_called_general() -> None:
    text = ITEMS.replace("<!-- intermem:end", "\n## !!!\n\n- Ask.\n<!-- intermem:end")
    assert titles_of({"docs/intermem/general.md": text}) == {"docs/intermem/general.md": ""}


def test_a_document_names_a_file_by_its_whole_path() -> None:
    for text in (f"Rel: {REL}", f"See {REL}.", f"`{REL}`", f"[a](./{REL})", f"@../{REL}", f"<!-- {TESTS} --> {REL}"):
        assert is_named(text, REL)
    for text in (f"{REL}.bak", f"{REL}x", f"my-{REL}", f"my/{REL}", f"{REL}/a", f"<!-- {REL} -->", TESTS):
        assert not is_named(text, REL)
