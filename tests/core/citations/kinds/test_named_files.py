"""Names that stand for a file: a project, and the page of a skill, an agent or a command."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from intermem.core.citations.kinds.named_files import may_be_project, page_gone, project_of
from intermem.facts import Event, Facts, History
from tests.core.citations.test_judge import tree_of


def facts(gone: Sequence[str], there: Sequence[str] = (), renamed_to: str | None = None) -> Facts:
    by_name: dict[str, tuple[str, ...]] = {}
    for path in gone:
        name = path.rpartition("/")[2]
        by_name[name] = (*by_name.get(name, ()), path)
    events = {path: Event(commit="c" * 40, date="2026-01-01", renamed_to=renamed_to) for path in gone}
    return Facts(tree=tree_of(*there), history=History(events=events, ordered=tuple(sorted(events)), by_name=by_name))


def test_a_project_is_there_or_was() -> None:
    file = "src/Kiln.Rack/Kiln.Rack.csproj"
    found = project_of("Kiln.Rack", facts([], [file]))
    assert found is not None and (found.status, found.target) == ("valid", file)
    gone = project_of("Kiln.Rack", facts([file]))
    assert gone is not None and (gone.status, gone.reason) == ("broken", f"{file} was deleted")
    assert project_of("Kiln.Rack", facts([file, "old/Kiln.Rack.fsproj"])) is None, "either may be meant"
    assert project_of("Kiln.Oven", facts([file])) is project_of("kiln.rack", facts([file])) is None


@pytest.mark.parametrize(
    ("name", "may"), [("Kiln.Rack", True), ("Kiln", False), ("kiln.rack", False), ("Kiln.fire", False)]
)
def test_a_project_has_several_words_in_capitals(name: str, may: bool) -> None:
    assert may_be_project(name) is may


@pytest.mark.parametrize(
    ("page", "is_one"),
    [
        (".kiln/skills/rack-heater/SKILL.md", True),
        (".kiln/agents/rack-heater.md", True),
        ("commands/rack-heater.md", True),
        ("docs/rack-heater.md", False),
        (".kiln/skills/other/SKILL.md", False),
    ],
)
def test_a_page_that_told_agents_of_a_name_is_gone(page: str, is_one: bool) -> None:
    found = page_gone("rack-heater", facts([page]))
    assert (found is not None) is is_one
    renamed = page_gone("rack-heater", facts([page], ["oven.md"], renamed_to="oven.md"))
    assert (renamed.reason if renamed is not None else "") == (f"{page} was renamed to oven.md" if is_one else "")
