"""The lines of a region that name topic files."""

from __future__ import annotations

import re

import pytest

from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.pointers import named_in, with_pointers
from intermem.core.region.topic_files import topic_file

DEPLOY = "docs/intermem/deploy.md"


def test_nothing_is_named_without_a_region_and_a_damaged_one_does_not_tell() -> None:
    assert named_in("# A\n\nno region\n", "AGENTS.md") == frozenset()
    assert named_in(f"# A\n\nDeploying: {DEPLOY}\n", "AGENTS.md") == frozenset()
    assert named_in(f"# A\n\n{BEGIN}\n\nDeploying: {DEPLOY}\n", "AGENTS.md") is None


def document(*lines: str) -> str:
    return "\n".join(("# A", "", BEGIN, *lines, "", "### Build", "", "- Never push.", END, ""))


LINES = [f"- {name.title()}: docs/intermem/{name}.md" for name in ("build", "deploy", "tests")]


@pytest.mark.parametrize("name", ["build", "deploy", "tests"])
def test_a_line_that_left_comes_back_to_its_place(name: str) -> None:
    text, path = document(*LINES), f"docs/intermem/{name}.md"
    without = with_pointers(text, "AGENTS.md", {}, {path})
    assert path not in without
    assert with_pointers(without, "AGENTS.md", {path: name.title()}) == text


def test_new_lines_come_in_the_order_of_their_paths() -> None:
    titles = {f"docs/intermem/{name}.md": name.title() for name in ("tests", "build")}
    assert with_pointers(document(LINES[1]), "AGENTS.md", titles) == document(*LINES)


def test_a_line_goes_below_what_people_wrote_in_their_words() -> None:
    own = "- Read docs/intermem/deploy.md first."
    text = with_pointers(document(own), "AGENTS.md", {"docs/intermem/build.md": "Build"})
    assert text == document(own, LINES[0])


@pytest.mark.parametrize("title", ["CI: the basics", "C++: pitfalls", "Build: tools: kiln"])
@pytest.mark.parametrize("apart", [False, True])
def test_a_title_may_have_a_colon(title: str, apart: bool) -> None:
    path = topic_file(title, apart=apart)
    text = with_pointers(document(*LINES), "AGENTS.md", {path: title})
    assert f"- {title}: {path}\n" in text
    again = with_pointers(text, "AGENTS.md", {"docs/intermem/a.md": "A", "docs/intermem/z.md": "Z"})
    named = re.findall(r"docs/intermem/\S+", again)
    assert named == sorted(named)
    assert with_pointers(text, "AGENTS.md", {}, {path}) == document(*LINES)


def test_a_sentence_with_a_colon_is_a_persons() -> None:
    own = f"- Read first: the steps: {DEPLOY}"
    assert with_pointers(document(own), "AGENTS.md", {}, {DEPLOY}) == document(own)
