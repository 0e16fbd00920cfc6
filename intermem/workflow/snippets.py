"""Snippets for hooks, printed by ``init`` and ``schedule``."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intermem.workflow.workspace import Options, Workspace

_AT_LEAST = timedelta(hours=1)  # between sweeps of what runs by itself; by hand each one counts


def sweep_interval(workspace: Workspace) -> dict[str, str]:
    """Return the variable that keeps sweeps apart which run by themselves; none where the project keeps them so."""
    own = workspace.config.span("sweep.min_interval")
    return {} if own >= _AT_LEAST else {"INTERMEM_SWEEP_MIN_INTERVAL": "1h"}


def given_places(options: Options) -> list[str]:
    """Return the options for the places that this run was given, as absolute paths."""
    given = {"--memory-dir": options.memory_dir, "--config": options.config, "--state-dir": options.state_dir}
    found = ((flag, options.working_directory / path) for flag, path in given.items() if path is not None)
    # A link stays one: it may be meant to be changed. Without its target ".." cannot be left out.
    plain = ((flag, path.resolve() if ".." in path.parts else path) for flag, path in found)
    return [word for flag, path in plain for word in (flag, str(path))]


def hook_settings(workspace: Workspace) -> str:
    """Return Claude Code settings that scan and sweep when a session ends; it promotes nothing.

    Two sessions within an hour are one sweep. This Python runs it, as intermem may not be on the path that a hook has.
    Claude Code allows such a hook at most 60 seconds, and 1.5 without ``timeout``.
    """
    place = workspace.root.relative_to(workspace.top).as_posix()
    own: Sequence[str] = () if place == "." else ("--project-root", place)
    places = [*own, *given_places(workspace.options)]
    program = shlex.join([sys.executable, "-P", "-m", "intermem", "curate", "--quiet", *places])
    settings = "".join(f"{name}={value} " for name, value in sweep_interval(workspace).items())
    command = f'cd "$CLAUDE_PROJECT_DIR" && {settings}{program}'
    hook = {"type": "command", "command": command, "timeout": 60}
    return json.dumps({"hooks": {"SessionEnd": [{"hooks": [hook]}]}}, indent=2) + "\n"


def agent_skill() -> str:
    """Return the skill that teaches an agent to propose candidates, and to let a person confirm."""
    from importlib.resources import files

    return (files("intermem") / "skill" / "SKILL.md").read_bytes().decode("utf-8")


PRE_COMMIT_SNIPPET = """\
# .pre-commit-config.yaml: refuse a commit that breaks what the documents cite (intermem has to be on the PATH)
repos:
  - repo: local
    hooks:
      - id: intermem-fix # updates citations of things that moved
        name: intermem check --fix
        entry: intermem check --fix
        args: [--exit-zero, --diff, HEAD] # the next hook reports what is left
        language: system
        pass_filenames: false
        always_run: true
      - id: intermem-check
        name: intermem check
        entry: intermem check
        args: [--diff, HEAD] # only what this commit breaks or writes
        language: system
        pass_filenames: false
        always_run: true
"""


def merge_snippet(attribute: str) -> str:
    """Return what lets git merge a region entry by entry; ``attribute`` is the document's line of .gitattributes."""
    return (
        "# .gitattributes: merge a region entry by entry, where this clone has the driver\n"
        f"# (intermem init --merge-driver sets both)\n{attribute}\n"
    )
