"""Snippets for hooks, printed by ``init`` and ``schedule``."""

from __future__ import annotations

import json


def hook_settings() -> str:
    """Return Claude Code settings that record a snapshot of the memory when a session ends.

    Claude Code allows such a hook at most 60 seconds, and 1.5 without ``timeout``.
    """
    command = 'cd "$CLAUDE_PROJECT_DIR" && intermem scan --quiet'
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


AGENT_COMMENT = "// .claude/settings.local.json: record a snapshot of the memory when a session ends\n"


def merge_snippet(attribute: str) -> str:
    """Return what lets git merge a region entry by entry; ``attribute`` is the document's line of .gitattributes."""
    return (
        "# .gitattributes: merge a region entry by entry, where this clone has the driver\n"
        f"# (intermem init --merge-driver sets both)\n{attribute}\n"
    )
