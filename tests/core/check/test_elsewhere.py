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


def is_doubtful(text: str, name: str, tree: Tree, kind: str = "symbol") -> bool:
    lines = text.split("\n")
    number = next(number for number, line in enumerate(lines, 1) if name in line)
    found = Finding(
        rule=RULE_OF[VerdictStatus.BROKEN],
        place=Location(file="AGENTS.md", first_line=number, first_column=1, last_line=number, last_column=2),
        message=f"{name} not found",
        source=lines[number - 1],
        judged=Judged(citation=Citation(kind=kind, text=name, name=name), verdict=BROKEN),  # type: ignore[arg-type]
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
