"""Pages of a skill for agents: what its code shows belongs to any project, and rarely to this one."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.facts import Tree
from intermem.project.git.answers import folders_above

_SKILL = "SKILL.md"
_ALARMS = frozenset(RULE_OF.values())


def without_samples(findings: Sequence[Finding], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on names of code in a page of a skill (a folder with a SKILL.md)."""
    return [
        replace(one, rule=DOUBTFUL)
        if one.rule in _ALARMS
        and one.judged is not None
        and one.judged.citation.kind == "symbol"
        and _is_of_skill(one.place.file, tree)
        else one
        for one in findings
    ]


def _is_of_skill(file: str, tree: Tree) -> bool:
    return any(posixpath.join(folder, _SKILL) in tree.paths for folder in folders_above(file))
