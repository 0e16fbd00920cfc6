"""Snippets for hooks, printed by ``init`` and ``schedule``."""

from __future__ import annotations

import json
import shlex
import sys

SWEEP_INTERVAL = "INTERMEM_SWEEP_MIN_INTERVAL=1h"  # of what runs by itself; by hand each sweep counts


def hook_settings() -> str:
    """Return Claude Code settings that scan and sweep when a session ends; it promotes nothing.

    Two sessions within an hour are one sweep. This Python runs it, as intermem may not be on the path that a hook has.
    Claude Code allows such a hook at most 60 seconds, and 1.5 without ``timeout``.
    """
    program = shlex.join([sys.executable, "-P", "-m", "intermem", "curate", "--quiet"])
    command = f'cd "$CLAUDE_PROJECT_DIR" && {SWEEP_INTERVAL} {program}'
    hook = {"type": "command", "command": command, "timeout": 60}
    return json.dumps({"hooks": {"SessionEnd": [{"hooks": [hook]}]}}, indent=2) + "\n"


def agent_skill() -> str:
    """Return the skill that teaches an agent to propose candidates, and to let a person confirm."""
    from importlib.resources import files

    return (files("intermem") / "skill" / "SKILL.md").read_bytes().decode("utf-8")


PRE_COMMIT_SNIPPET = """\
# .pre-commit-config.yaml: refuse a commit while a sweep would change a document or an entry's standing
- repo: local
  hooks:
    - id: intermem
      name: intermem sweep --check
      entry: intermem sweep --no-scan --check
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
