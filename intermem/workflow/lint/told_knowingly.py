"""What a document says of a thing in the very change that took the thing away: its author knew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.markdown.lines import split_lines
from intermem.entities import VerdictStatus
from intermem.project.git.file_history import FileHistory

_BROKEN = RULE_OF[VerdictStatus.BROKEN]


def without_known(history: FileHistory, findings: Sequence[Finding]) -> list[Finding]:
    """Return ``findings``, as doubtful those on lines that the commit wrote which took away what they cite.

    Such a line says what was done, what is planned anew, or what not to look for. Only of a document that was there
    before: one that is new says everything for the first time.
    """
    asked = {(one.judged.verdict.commit, one.place.file) for one in findings if _may_be_known(one) and one.judged}
    pairs = [(f"{commit}{side}", file) for commit, file in asked for side in ("", "^")]
    lines = {key: frozenset(split_lines(text)) for key, text in history.texts(pairs).items()} if pairs else {}
    return [replace(one, rule=DOUBTFUL) if _is_known(one, lines) else one for one in findings]


def _may_be_known(one: Finding) -> bool:
    return one.rule is _BROKEN and one.judged is not None and one.judged.verdict.commit is not None


def _is_known(one: Finding, lines: Mapping[tuple[str, str], Collection[str]]) -> bool:
    if not _may_be_known(one) or one.judged is None:
        return False
    commit, file = one.judged.verdict.commit, one.place.file
    after, before = lines.get((f"{commit}", file)), lines.get((f"{commit}^", file))
    if after is None or before is None:
        return False
    return all(line in after and line not in before for line in one.source.split("\n"))
