"""Shell completions: what a shell offers for a line is what the command line takes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from intermem.cli.completions import SHELLS
from intermem.cli.selectors import STATES
from intermem.cli.verbs import LISTED, VERBS
from tests.conftest import Sandbox

OLD = [name for name in VERBS if name not in LISTED]


@pytest.fixture
def script(sandbox: Sandbox, tmp_path: Path) -> Path:
    """The script for bash."""
    path = tmp_path / "intermem.bash"
    path.write_text(sandbox.run("completions", "bash").out, "utf-8")
    return path


def offered(script: Path, *words: str) -> set[str]:
    """What bash offers in place of the last of ``words``, in a folder with a file and a folder in it."""
    folder = script.parent / "here"
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "AGENTS.md").touch()
    call = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_intermem; echo "${COMPREPLY[@]}"'
    line = ["bash", "--norc", "-c", call, "bash", str(script), "intermem", *words]
    done = subprocess.run(line, capture_output=True, text=True, cwd=folder, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_offers_the_commands_of_the_help_and_no_retired_spelling(script: Path) -> None:
    assert offered(script, "") == set(LISTED)
    assert offered(script, "st") == offered(script, "--json", "st") == {"status"}
    assert not offered(script, "").intersection(OLD)
    assert not {"--max-age-days", "--before"} & (offered(script, "prune", "--") | offered(script, "purge", "--"))


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("check", "--"), {"--fix", "--diff", "--json", "--quiet"}),
        (("check", "--format", ""), {"text", "json", "sarif", "github", "rdjson"}),
        (("check", "--select", "IM00"), {"IM001", "IM002", "IM003"}),
        (("check", "--explain", "moved"), {"moved", "moved-citation"}),
        (("check", "A"), {"AGENTS.md"}),
        (("init", "--target", "A"), {"AGENTS.md"}),
        (("scan", "--memory-dir", ""), {"docs"}),
        (("schedule", "s"), {"systemd", "skill"}),
        (("feedback", "1a2b", "c"), {"confirm"}),
        (("feedback", "1a2b", "failure", "--severity", ""), {"high", "medium", "low"}),
        (("query", "--status", ""), set(STATES)),
        (("completions", ""), set(SHELLS)),
    ],
    ids=lambda value: " ".join(sorted(value)),
)
def test_bash_offers_options_choices_rules_and_files(script: Path, words: tuple[str, ...], some: set[str]) -> None:
    given = offered(script, *words)
    assert some <= given if words[-1] == "--" else given == some


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_itself_can_read_the_script(sandbox: Sandbox, tmp_path: Path, shell: str) -> None:
    script = tmp_path / f"completions.{shell}"
    text = sandbox.run("completions", shell).out
    script.write_text(text, "utf-8")
    assert "write-baseline" in text and not re.search(r"max-age-days|\bsupersede\b", text)
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    assert subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=True).stderr == ""


def test_another_shell_is_refused(sandbox: Sandbox) -> None:
    for arguments in (["ksh"], []):
        refused = sandbox.run("completions", *arguments, code=2)
        error, hint = refused.err.splitlines()
        assert error.startswith("error: ") and hint == "hint: intermem completions --help" and refused.out == ""


def test_json_has_the_script_too(sandbox: Sandbox) -> None:
    told = sandbox.run("completions", "zsh", "--json").json
    assert (told["shell"], told["script"]) == ("zsh", sandbox.run("completions", "zsh").out)
