"""Findings on what a document places in another repository are doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.elsewhere import without_elsewhere
from intermem.core.check.findings import Finding, Location
from intermem.entities import Citation, Judged, Verdict, VerdictStatus
from intermem.facts import Tree
from tests.core.citations.kinds.test_kinds import tree_of

BROKEN = Verdict(status=VerdictStatus.BROKEN, reason="deleted")


def is_doubtful(text: str, name: str, tree: Tree, kind: str = "symbol", verdict: Verdict = BROKEN) -> bool:
    lines = text.split("\n")
    number = next(number for number, line in enumerate(lines, 1) if name in line)
    found = Finding(
        rule=RULE_OF[verdict.status],
        place=Location(file="AGENTS.md", first_line=number, first_column=1, last_line=number, last_column=2),
        message=f"{name} not found",
        source=lines[number - 1],
        judged=Judged(citation=Citation(kind=kind, text=name, name=name), verdict=verdict),  # type: ignore[arg-type]
    )
    (left,) = without_elsewhere({"AGENTS.md": text}, [found], tree)
    assert replace(left, rule=found.rule) == found
    return left.rule is DOUBTFUL


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("`fireKiln` is in another repository.", True),
        ("`fireKiln` fires.\n\nThe sibling project has `fireKiln`.", True),
        ("`fireKiln` ist in einem anderen Repo definiert.", True),
        ("`fireKiln` is here. Another repository has `coolKiln`.", False),
        ("`fireKiln` fires.", False),
    ],
)
def test_a_bare_name_is_where_its_document_says_once(text: str, doubtful: bool) -> None:
    assert is_doubtful(text, "fireKiln", tree_of("src/a.py")) is doubtful


def test_a_path_is_of_this_repository_unless_it_is_a_parts_that_is_not_here() -> None:
    text = "Read the backend's `api/kiln.yaml` in another repository."
    assert is_doubtful(text, "api/kiln.yaml", tree_of("src/a.py"), "path")
    assert not is_doubtful(text, "api/kiln.yaml", tree_of("backend/a.py"), "path")


def test_tools_of_a_server_are_its_own_where_the_repository_has_none() -> None:
    text = "## MCP tools\n\nCall `fire_kiln` first."
    assert is_doubtful(text, "fire_kiln", tree_of(".mcp.json", "src/a.py"))
    assert not is_doubtful(text, "fire_kiln", tree_of("src/a.py")), "no server is set up"
    assert not is_doubtful(text, "fire_kiln", tree_of(".mcp.json", "mcp-server/a.py")), "it has one"


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("See kilns.md.\n\n| `docs/kilns.md` | how they are fired |", True),
        ("See kilns.md.\n\nIn full: ./api/docs/kilns.md", True),
        ("See kilns.md.\n\nNot `old/docs/kilns.md`.", False),
        ("See kilns.md, and `docs/kilns.mdx`, or xdocs/kilns.md.", False),
        ("See kilns.md.", False),
    ],
)
def test_a_file_that_moved_is_where_its_document_says_once(text: str, doubtful: bool) -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target="api/docs/kilns.md")
    assert is_doubtful(text, "kilns.md", tree_of("api/docs/kilns.md"), "path", moved) is doubtful


def test_the_path_of_a_file_that_moved_is_not_its_name() -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target="api/docs/kilns.md")
    text = "See old/kilns.md, now docs/kilns.md."
    assert not is_doubtful(text, "old/kilns.md", tree_of("api/docs/kilns.md"), "path", moved)
    assert not is_doubtful("See ovens.md, or docs/kilns.md.", "ovens.md", tree_of("a.py"), "path", moved)


def test_a_line_of_nothing_but_paths_is_read_once() -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target="api/docs/kilns.md")
    text = "kilns.md " + "x/docs/kilns.md" * 40_000
    assert not is_doubtful(text, "kilns.md", tree_of("api/docs/kilns.md"), "path", moved)
