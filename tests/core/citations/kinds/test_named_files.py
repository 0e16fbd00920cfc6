"""Names that stand for a file: a project, and the page of a skill, an agent or a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from intermem.core.citations.kinds.named_files import (
    called_by_slash,
    may_be_module,
    may_be_project,
    module_gone,
    page_gone,
    page_of,
    project_of,
    slashed,
    stems_of,
)
from intermem.core.citations.kinds.resolution import Setting
from intermem.facts import Event, Facts, History, Occurrence, Shape
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
        (".kiln/memories/rack-heater.md", False),  # notes come and go
        ("docs/rack-heater.md", False),
        (".kiln/skills/other/SKILL.md", False),
    ],
)
def test_a_page_that_told_agents_of_a_name_is_gone(page: str, is_one: bool) -> None:
    found = page_gone("rack-heater", facts([page]))
    assert (found is not None) is is_one
    renamed = page_gone("rack-heater", facts([page], ["oven.md"], renamed_to="oven.md"))
    assert (renamed.reason if renamed is not None else "") == (f"{page} was renamed to oven.md" if is_one else "")


@pytest.mark.parametrize(
    ("text", "page", "status"),
    [
        ("/heat-rack", ".kiln/commands/heat-rack.md", "valid"),
        ("/heat", ".kiln/skills/heat/SKILL.md", "valid"),
        ("/heat", "docs/heat.md", None),  # a route, say
        ("/heat", ".kiln/memory/heat.md", None),  # a note on it, say
        ("/heat/rack", ".kiln/commands/heat/rack.md", None),
    ],
)
def test_a_command_is_called_by_the_name_of_its_page(text: str, page: str, status: str | None) -> None:
    found = called_by_slash(text, Setting(), facts([], [page]))
    assert (found and found.status) == status
    assert found is None or found.target == page == page_of(text.strip("/"), tree_of(page))


def test_a_command_of_one_word_that_is_gone_may_be_a_route() -> None:
    pages = [".kiln/commands/heat.md", ".kiln/commands/heat-rack.md"]
    gone = called_by_slash("/heat-rack", Setting(), facts(pages))
    assert gone is not None and (gone.status, gone.reason) == ("broken", f"{pages[1]} was deleted")
    assert called_by_slash("/heat", Setting(), facts(pages)) is None
    assert called_by_slash("/heat-rack", Setting(), facts([".kiln/memory/heat-rack.md"])) is None
    assert slashed("/heat-rack") == "heat-rack" and slashed("heat-rack") is slashed("/tmp") is None


def test_a_command_that_code_has_is_there() -> None:
    place = Occurrence(path="src/chat.ts", line=3, shape=Shape.USE)
    found = called_by_slash("/heat", Setting(), replace(facts([]), places={"/heat": (place,)}))
    assert found is not None and (found.status, found.target) == ("valid", "src/chat.ts:3")
    told = replace(place, shape=Shape.COMMENT)
    assert called_by_slash("/heat", Setting(), replace(facts([]), places={"/heat": (told,)})) is None
    assert called_by_slash("/tmp", Setting(), replace(facts([]), places={"/tmp": (place,)})) is None
    assert slashed("/heat") == "heat" and slashed("/heat/all") is slashed("/Heat") is None


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("KilnRackHeater", True), ("KilnRack", False), ("KILN_RACK_HEAT", False), ("heatRackAll", False)],
)
def test_a_class_of_three_words_may_have_a_file(name: str, is_one: bool) -> None:
    assert may_be_module(name) is is_one


@pytest.mark.parametrize(
    ("name", "files", "status"),
    [
        ("KilnRackHeater", ["src/KilnRackHeater.swift"], "broken"),
        ("KilnRack", ["src/KilnRack.swift"], None),
        ("heat-all-racks", ["src/heat_all_racks.rs"], "broken"),
        ("heat-all-racks", ["src/heat-all-racks.ts"], "broken"),
        ("heat-racks", ["src/heat_racks.rs"], None),
        ("heat-all-racks", ["docs/heat-all-racks.md"], None),
        ("heat-all-racks", ["tests/heat_all_racks.rs"], None),
        ("heat-all-racks", ["a/heat_all_racks.rs", "b/heat_all_racks.rs"], None),
    ],
)
def test_a_name_of_three_words_is_gone_with_the_one_file_called_so(
    name: str, files: list[str], status: str | None
) -> None:
    known = facts(files)
    by_stem: dict[str, tuple[str, ...]] = {}
    for path in files:
        stem = path.rpartition("/")[2].partition(".")[0]
        by_stem[stem] = (*by_stem.get(stem, ()), path)
    found = module_gone(name, replace(known, history=replace(known.history, by_stem=by_stem)))
    assert (found and found.status) == status


def test_a_file_is_asked_for_by_names_of_three_words_alone() -> None:
    assert stems_of("heat-all-racks") == ["heat-all-racks", "heat_all_racks"]
    assert stems_of("heat-racks") == []


def test_a_name_that_a_file_or_code_still_has_is_not_gone() -> None:
    path = "old/heat_all_racks.rs"
    history = replace(facts([path]).history, by_stem={"heat_all_racks": (path,)})
    gone = replace(facts([path]), history=history)
    assert module_gone("heat-all-racks", gone) is not None
    tree = replace(tree_of("new/heat_all_racks.rs"), by_stem={"heat_all_racks": ("new/heat_all_racks.rs",)})
    assert module_gone("heat-all-racks", replace(gone, tree=tree)) is None
    place = Occurrence(path="src/racks.rs", line=3, shape=Shape.DEFINITION)
    assert module_gone("heat-all-racks", replace(gone, places={"heat_all_racks": (place,)})) is None
    renamed = replace(history, events={path: Event(commit="c" * 40, date="2026-01-01", renamed_to="new/fire.rs")})
    assert module_gone("heat-all-racks", replace(gone, history=renamed)) is None
