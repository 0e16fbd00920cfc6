"""Documents for any project: pages of a skill, and templates of documents. What they show is rarely of this one."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.facts import Tree
from intermem.patterns import regex
from intermem.project.git.answers import folders_above

_SKILL = "SKILL.md"
_ALARMS = frozenset(RULE_OF.values())
# Folders whose documents are copied into other projects, where their paths lead somewhere.
_TEMPLATES = regex(
    r"(?:.*[-_.])?(?:templates?|boilerplates?|scaffold(?:s|ing)?|cookiecutters?|skeletons?|archetypes?|vorlagen?|plantillas?|modèles)"
    r"|\{\{.*\}\}"
)


def without_samples(findings: Sequence[Finding], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on names of code in a page of a skill (a folder with a SKILL.md).

    And those on anything in a template (``templates/CLAUDE.md``), for the project that it is copied into.
    """
    return [
        replace(one, rule=DOUBTFUL)
        if one.rule in _ALARMS
        and one.judged is not None
        and (
            _is_template(one.place.file)
            or (one.judged.citation.kind == "symbol" and _is_of_skill(one.place.file, tree))
        )
        else one
        for one in findings
    ]


def _is_template(file: str) -> bool:
    return any(_TEMPLATES.fullmatch(part) is not None for part in posixpath.dirname(file).lower().split("/"))


def _is_of_skill(file: str, tree: Tree) -> bool:
    return any(posixpath.join(folder, _SKILL) in tree.paths for folder in folders_above(file))
