"""What is printed where a runner listens holds no command for it, whoever wrote the text."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.cli.runner import GuardedStream
from tests.conftest import Sandbox

RUNNERS = [("GITHUB_ACTIONS", "true"), ("TF_BUILD", "True"), ("TEAMCITY_VERSION", "2026.1")]
COMMANDS = (
    "::add-mask::readme",
    "  ::set-output name=x::y",
    "\u00a0::stop-commands::x",
    "\u200b::error::x",
    ":\u00ad:error::x",
    "##[group]x",
    "text ##[error]x",
    "#\u00ad#[error]x",
    "##vso[task.setvariable variable=PATH]x",
    "x ##VSO[task.complete result=Failed]",
    "##teamcity[buildStatus status='FAILURE']",
    "###[group]x",
)


def obeyed(text: str) -> list[str]:
    """The lines that some runner would take for a command."""
    ignorable = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\ufeff\u2060"))
    lines = [line.translate(ignorable) for line in re.split(r"[\r\n]", text)]
    return [one for one in lines if one.strip().startswith("::") or re.search(r"##\w*\[", one)]


def in_pipeline(
    box: Sandbox, *arguments: str, runner: tuple[str, str] = RUNNERS[0]
) -> subprocess.CompletedProcess[str]:
    return box.spawn(*arguments, env={**os.environ, runner[0]: runner[1], "PYTHONIOENCODING": "utf-8"})


@pytest.fixture
def planted(sandbox: Sandbox) -> Sandbox:
    lines = "".join(f"{command} [x](src/gone{number}.py)\n\n" for number, command in enumerate(COMMANDS))
    sandbox.write("AGENTS.md", f"# Project\n\n{lines}")
    sandbox.write("docs/##[group]/AGENTS.md", "See [it](src/gone.py).\n")
    sandbox.commit("::add-mask::subject")
    return sandbox


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda one: one[0])
@pytest.mark.parametrize("arguments", [["check"], ["check", "--all"], ["check", "--fix", "--dry-run"], ["status"]])
def test_no_line_of_a_document_is_a_command(planted: Sandbox, runner: tuple[str, str], arguments: list[str]) -> None:
    done = in_pipeline(planted, *arguments, runner=runner)
    assert done.returncode in (0, 1), done.stderr
    assert obeyed(done.stdout + "\n" + done.stderr) == []
    assert arguments[0] != "check" or "::add-mask::readme" in done.stdout.replace("\\u003a", ":")


@pytest.mark.parametrize("format", ["json", "sarif", "rdjson"])
def test_json_says_the_same_with_and_without_a_runner(planted: Sandbox, format: str) -> None:
    bare = planted.spawn("check", "--format", format)
    done = in_pipeline(planted, "check", "--format", format)
    assert obeyed(bare.stdout) or format == "sarif", "the case says nothing"
    assert obeyed(done.stdout) == []
    assert json.loads(done.stdout) == json.loads(bare.stdout)


def test_annotations_still_work_and_hold_nothing_but_annotations(planted: Sandbox) -> None:
    done = in_pipeline(planted, "check", "--format", "github")
    lines = done.stdout.splitlines()
    assert len(lines) >= len(COMMANDS)
    assert all(re.match(r"::(error|warning|notice) file=", line) for line in lines)
    assert not re.search(r"##\w*\[", done.stdout)
    assert "file=docs/#\\u0023[group]/AGENTS.md" in done.stdout


def test_the_data_of_an_annotation_is_escaped(sandbox: Sandbox) -> None:
    name = "docs/a,b:c%0A::error::x"
    sandbox.write(f"{name}/AGENTS.md", "See [it](src/gone.py).\n")
    sandbox.commit()
    done = in_pipeline(sandbox, "check", "--format", "github")
    assert "file=docs/a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ax/AGENTS.md," in done.stdout


@pytest.mark.parametrize("key", ["##[group]", "##vso[task.complete]", "\\n::add-mask::x", "##teamcity[x]"])
def test_no_error_is_a_command(sandbox: Sandbox, key: str) -> None:
    sandbox.write("intermem.toml", f'"{key}" = 1\n')
    done = in_pipeline(sandbox, "check")
    assert done.returncode == 2
    assert "unknown key" in done.stderr
    assert obeyed(done.stdout + "\n" + done.stderr) == []


@pytest.mark.parametrize("word", ["##[group]", "\n::add-mask::x"])
@pytest.mark.parametrize("place", ["argument", "option", "revision", "file"])
def test_no_argument_is_a_command(sandbox: Sandbox, word: str, place: str) -> None:
    given = {
        "argument": ["show", word],
        "option": [f"--{word}"],
        "revision": ["check", "--rev", word],
        "file": ["check", word],
    }
    done = in_pipeline(sandbox, *given[place])
    assert done.returncode == 2
    assert obeyed(done.stdout + "\n" + done.stderr) == []


def test_without_a_runner_nothing_is_rewritten(planted: Sandbox) -> None:
    assert "##[group]x" in planted.spawn("check").stdout


PIECES = st.lists(st.text(alphabet="#[:] \nvsotx\u00ad", max_size=6) | st.none(), max_size=12)


@given(pieces=PIECES)
def test_no_way_of_cutting_a_text_into_pieces_makes_a_command(pieces: list[str | None]) -> None:
    target = io.StringIO(newline="")
    stream = GuardedStream(target)
    for piece in [*pieces, None]:
        if piece is None:
            stream.flush()
        else:
            stream.write(piece)
    assert obeyed(target.getvalue()) == []
    shown = target.getvalue().replace("\\u0023", "#").replace("\\u003a", ":")
    assert shown == "".join(piece for piece in pieces if piece is not None)
