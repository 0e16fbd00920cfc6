"""The recipes of docs/ci.md and the README: YAML that parses, scripts that bash reads, commands that intermem knows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from intermem.cli.parser import build_parser
from intermem.workflow.snippets import PRE_COMMIT_SNIPPET

ROOT = Path(__file__).resolve().parents[1]
PAGES = {name: (ROOT / name).read_bytes().decode("utf-8") for name in ("docs/ci.md", "README.md")}
HOOKS = {hook["id"]: hook["entry"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def blocks(language: str) -> list[str]:
    found = [block for text in PAGES.values() for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]
    assert found
    return found


RECIPES: list[Any] = [yaml.safe_load(block) for block in blocks("yaml")]


def mappings(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a document, the outer ones first."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from mappings(one)


def scripts() -> list[str]:
    """Every script of the pages: blocks, and those in YAML."""
    found = blocks("sh")
    for mapping in mappings(RECIPES):
        for key in ("run", "script", "before_script"):
            lines = mapping.get(key, [])
            found += [lines] if isinstance(lines, str) else ["\n".join(lines)]
    return [script for script in found if script]


def commands() -> list[list[str]]:
    """The arguments of every call of intermem in a script, in a hook or in the running text."""
    prose = [span for text in PAGES.values() for span in re.findall(r"`(intermem\s[^`]*)`", text)]
    lines = [line for script in scripts() for line in script.replace("\\\n", " ").split("\n")]
    called = [call for line in [*lines, *prose] for call in calls(line)]
    hooks = [mapping for mapping in mappings(RECIPES) if mapping.get("id") in HOOKS]
    return called + [[*HOOKS[hook["id"]].split()[1:], *hook.get("args", [])] for hook in hooks]


def calls(line: str) -> Iterator[list[str]]:
    """The arguments of every call of intermem on a line that a shell reads."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if not set(word) <= set(";|&<>()"):
            words.append(word)
            continue
        if words and words[0] == "exec":
            del words[0]
        if words and words[0] == "intermem":
            yield words[1:]
        words = []


@pytest.mark.parametrize("call", commands(), ids=" ".join)
def test_a_command_is_one_that_intermem_knows(call: list[str]) -> None:
    assert "verb" in build_parser().parse_args(call)


def test_the_commands_are_found() -> None:
    called = [" ".join(call) for call in commands()]
    for wanted in (
        "check --diff $BASE --format rdjson --exit-zero",
        "check --diff $CI_MERGE_REQUEST_DIFF_BASE_SHA",
        "check --diff HEAD",
        "check --fail-on stale,broken",
        "check --fix --exit-zero --diff HEAD",
    ):
        assert wanted in called
    assert called.count("check --diff HEAD") == 3  # two hooks with args, and a script that has exec before it


@pytest.mark.parametrize("script", scripts())
def test_a_script_is_one_that_bash_reads(script: str) -> None:
    subprocess.run(["bash", "-n", "-c", script], check=True)
    assert "${{" not in script


def test_the_action_is_called_with_inputs_that_it_has() -> None:
    steps = [mapping for mapping in mappings(RECIPES) if mapping.get("uses") == "OWNER/intermem@REV"]
    assert len(steps) >= 4
    for step in steps:
        assert set(step.get("with", {})) <= set(ACTION["inputs"])
    (section,) = re.findall(r"^\| input \| is \|\n(.*?)\n\n", PAGES["docs/ci.md"], re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE)) == set(ACTION["inputs"])
    assert all(name in PAGES["docs/ci.md"] for name in ACTION["outputs"])


def test_every_checkout_has_the_whole_history() -> None:
    checkouts = [mapping for mapping in mappings(RECIPES) if mapping.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) >= 5
    assert all(step["with"]["fetch-depth"] == 0 for step in checkouts)
    images = [mapping for mapping in mappings(RECIPES) if "image" in mapping]
    assert [job["variables"]["GIT_DEPTH"] for job in images] == ["0"]


def test_the_configurations_of_pre_commit_are_such(tmp_path: Path) -> None:
    found = [recipe for recipe in RECIPES if "repos" in recipe]
    assert len(found) == 2
    for recipe in found:
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(recipe), "utf-8")
        command = [sys.executable, "-m", "pre_commit", "validate-config", str(tmp_path / "config.yaml")]
        subprocess.run(command, check=True)
        assert {hook["id"] for one in recipe["repos"] for hook in one["hooks"]} <= set(HOOKS)


def test_the_hooks_that_init_prints_are_those_of_the_recipes(tmp_path: Path) -> None:
    """They differ only in who installs intermem."""
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(PRE_COMMIT_SNIPPET, encoding="utf-8")
    checked = subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", path], check=False)
    assert checked.returncode == 0
    (printed,) = yaml.safe_load(PRE_COMMIT_SNIPPET)["repos"]
    recipes = [repo for recipe in RECIPES if "repos" in recipe for repo in recipe["repos"]]
    assert len(recipes) == len(PAGES)
    for recipe in recipes:
        assert [{"id": hook["id"], "args": hook["args"]} for hook in printed["hooks"]] == recipe["hooks"]
    assert {hook["id"]: hook["entry"] for hook in printed["hooks"]} == HOOKS
