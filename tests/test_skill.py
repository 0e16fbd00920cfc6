"""The skill for agents: what it tells them to run is what the command line takes."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml

from intermem.cli.parser import build_parser
from intermem.workflow.snippets import agent_skill
from tests.conftest import Sandbox
from tests.test_docs import ROOT

SKILL = agent_skill()
COMMANDS = [
    found.strip() for found in re.findall(r"(?m)^ *(intermem .*)$|`(intermem [^`\n]+)`", SKILL) for found in found
]
COMMANDS = [command for command in COMMANDS if command]


def test_the_skill_has_a_name_a_description_and_a_page() -> None:
    _, front, body = SKILL.split("---\n", 2)
    matter = yaml.safe_load(front)
    assert matter["name"] == "intermem"
    assert 50 < len(matter["description"]) < 1024
    assert body.startswith("\n# ")
    assert SKILL.count("\n") < 80


def test_the_skill_of_the_repository_is_that_of_the_package() -> None:
    assert (ROOT / "skills/intermem/SKILL.md").read_bytes().decode("utf-8") == SKILL, "make docs"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_skill_is_one(command: str) -> None:
    args, unknown = build_parser().parse_known_args(shlex.split(command)[1:])
    assert unknown == []
    assert "verb" in args


def test_the_skill_teaches_each_step_and_what_it_must_not_do() -> None:
    assert {"scan", "promote"} <= {command.split()[1] for command in COMMANDS}
    promotions = [shlex.split(command)[1:] for command in COMMANDS if " promote " in command]
    assert any({"--candidates", "--json"} <= set(one) for one in promotions)
    assert any({"--text", "--dry-run", "--diff"} <= set(one) for one in promotions)
    assert all("ID" in one and "--text" in one for one in promotions if "--yes" in one)
    never = SKILL.partition("## Never")[2]
    assert all(word in never for word in ("region", "--yes", "private", "secret", "purge", "promote.min_worth"))


def test_schedule_prints_the_skill_verbatim(sandbox: Sandbox) -> None:
    outcome = sandbox.run("schedule", "skill")
    assert outcome.out == SKILL
    assert "SKILL.md" in outcome.err
    assert sandbox.run("schedule", "skill", "--json").json["snippet"] == SKILL
