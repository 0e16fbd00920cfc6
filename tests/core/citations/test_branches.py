"""Prefixes of branches that are listed as if they were folders."""

from __future__ import annotations

import pytest

from intermem.core.citations.branches import branch_prefixes
from intermem.core.citations.extract import citations_of
from tests.conftest import Sandbox


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use prefixes: `feature/`, `fix/`, `docs/` or `kiln/`.", {"feature", "fix", "docs"}),
        ("Branches: `feat/`, `chore/`, `test/`.", {"feat", "chore", "test"}),
        ("Zweige beginnen mit `fix/` oder `hotfix/`.", {"fix", "hotfix"}),
        ("分支前缀：`feature/`、`fix/`。", {"feature", "fix"}),
        ("Modules are `feature/` and `fix/`.", set()),
        ("Branches are `feature/` or `fix/`; read [the docs](docs/).", {"feature", "fix"}),
        ("Tests are in `test/`, pages in `docs/`; no branch has its own.", set()),
        ("A `feature/` has `docs/` of its own.", set()),
    ],
)
def test_two_that_are_hardly_folders_tell_of_branches(text: str, found: set[str]) -> None:
    assert branch_prefixes(text, citations_of(text)) == found


def test_a_prefix_of_branches_is_no_folder_that_was_deleted(sandbox: Sandbox) -> None:
    sandbox.write("docs/heat.md", "# Heat\n")
    sandbox.write("AGENTS.md", "- Branches begin with `feature/`, `fix/` or `docs/`.\n")
    sandbox.commit()
    sandbox.git("branch", "base")
    sandbox.git("rm", "-q", "-r", "docs")
    sandbox.commit()
    for more in ((), ("--diff", "base")):
        assert sandbox.run("check", *more, "--json").json["findings"] == []
    sandbox.write("AGENTS.md", "- Pages are in `src/` or `docs/`.\n")
    assert [one["citation"]["text"] for one in sandbox.run("check", "--all", "--json", code=None).json["findings"]] == [
        "docs/"
    ]
