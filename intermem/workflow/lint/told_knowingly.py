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
    places = [_place_of(one) for one in findings]
    asked = {(f"{commit}{side}", file) for commit, file in filter(None, places) for side in ("", "^")}
    lines = {key: frozenset(split_lines(text)) for key, text in history.texts(asked).items()} if asked else {}
    return [
        replace(one, rule=DOUBTFUL) if place is not None and _is_known(one.source, *place, lines) else one
        for one, place in zip(findings, places, strict=True)
    ]


def _place_of(one: Finding) -> tuple[str, str] | None:
    """The commit that took away what is cited, and the document; None if it is not known, or not an alarm."""
    commit = one.judged.verdict.commit if one.judged is not None and one.rule is _BROKEN else None
    return (commit, one.place.file) if commit is not None else None


def _is_known(source: str, commit: str, file: str, lines: Mapping[tuple[str, str], Collection[str]]) -> bool:
    after, before = lines.get((commit, file)), lines.get((f"{commit}^", file))
    if after is None or before is None:
        return False
    return all(line in after and line not in before for line in source.split("\n"))
