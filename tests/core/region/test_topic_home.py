"""Where the facts of a section go: with those that are there, then by what files are called, then by name."""

from __future__ import annotations

import pytest

from intermem.core.region.parse import Region, find_region
from intermem.core.region.topic_home import home_of

DEPLOYING, RELEASE, OTHER = (f"docs/intermem/{name}.md" for name in ("deploying", "release", "other"))
C, GENERAL = "docs/intermem/c.md", "docs/intermem/general.md"


def holding(*titles: str) -> Region:
    """The region of a file with an entry below each of the headings."""
    sections = "\n".join(f"## {title}\n\n- Of {title}.\n" for title in titles)
    region = find_region(f"# P\n\n<!-- intermem:begin -->\n{sections}<!-- intermem:end -->\n", "x.md")
    assert region is not None
    return region


def test_a_section_without_a_file_gets_one_named_after_it() -> None:
    assert home_of("Deploying", {}, {}) == DEPLOYING
    assert home_of("Deploying", {RELEASE: holding("Release")}, {RELEASE: "Release"}) == DEPLOYING
    assert home_of("", {DEPLOYING: holding("Deploying")}, {}) == GENERAL


def test_facts_go_where_those_of_their_section_are() -> None:
    assert home_of("Deploying", {RELEASE: holding("Release", "**deploying:**")}, {}) == RELEASE
    assert home_of("Deploying", {RELEASE: holding("Deploying"), DEPLOYING: holding("Tags")}, {}) == RELEASE
    assert home_of("Deploying", {OTHER: holding("Deploying"), DEPLOYING: holding("Deploying")}, {}) == DEPLOYING


def test_else_into_the_file_that_is_called_so_which_may_be_empty() -> None:
    assert home_of("Deploying", {RELEASE: holding()}, {RELEASE: "Deploying"}) == RELEASE
    assert home_of("Deploying", {}, {RELEASE: "Deploying"}) == DEPLOYING, "there is no such file"
    assert home_of("", {OTHER: holding()}, {OTHER: "General"}) == OTHER


def test_sections_of_one_slug_do_not_share_a_file() -> None:
    apart = home_of("C#", {C: holding("C++")}, {C: "C++"})
    assert apart != C and apart == home_of("c#", {C: holding("C++")}, {})
    assert home_of("C++", {C: holding("C++")}, {C: "C++"}) == C
    assert home_of("C#", {C: holding("C++", "C#")}, {C: "C++"}) == C, "where they share one, they stay"
    assert home_of("Testing", {"docs/intermem/testing.md": holding("Tests")}, {}) == "docs/intermem/testing.md"


@pytest.mark.parametrize("section", ["", "!!!"])
def test_what_has_no_words_shares_the_general_file(section: str) -> None:
    assert home_of(section, {GENERAL: holding("???")}, {}) == GENERAL
