"""The lines of a region that name topic files."""

from __future__ import annotations

from intermem.core.markdown.markers import BEGIN
from intermem.core.region.pointers import named_in

DEPLOY = "docs/intermem/deploy.md"


def test_nothing_is_named_without_a_region_and_a_damaged_one_does_not_tell() -> None:
    assert named_in("# A\n\nno region\n", "AGENTS.md") == frozenset()
    assert named_in(f"# A\n\nDeploying: {DEPLOY}\n", "AGENTS.md") == frozenset()
    assert named_in(f"# A\n\n{BEGIN}\n\nDeploying: {DEPLOY}\n", "AGENTS.md") is None
