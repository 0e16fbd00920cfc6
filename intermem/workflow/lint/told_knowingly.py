"""What a document says of a thing in the very change that took the thing away: its author knew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.markdown.lines import split_lines
from intermem.entities import VerdictStatus
from intermem.project.git.file_history import FileHistory

_BROKEN, _MOVED = RULE_OF[VerdictStatus.BROKEN], RULE_OF[VerdictStatus.MOVED]


def without_known(history: FileHistory, findings: Sequence[Finding]) -> list[Finding]:
    """Return ``findings``, as doubtful those on lines that the commit wrote which took away what they cite.

    Such a line says what was done, what is planned anew, or what not to look for. Only of a document that was there
    before: one that is new says everything for the first time. Doubtful as well is what a folder was put around before
    the line was written: the path is read from that folder on.
    """
    places = [_place_of(one) for one in findings]
    asked = {(f"{commit}{side}", file) for commit, file in filter(None, places) for side in ("", "^")}
    lines = {key: frozenset(split_lines(text)) for key, text in history.texts(asked).items()} if asked else {}
    return [
        replace(one, rule=DOUBTFUL) if place is not None and _is_told(one, *place, lines) else one
        for one, place in zip(findings, places, strict=True)
    ]


def _place_of(one: Finding) -> tuple[str, str] | None:
    """The commit that took away what is cited, and the document; None if it is not known, or not to be asked."""
    if one.judged is None or not (one.rule is _BROKEN or _is_wrapped(one)):
        return None
    commit = one.judged.verdict.commit
    return (commit, one.place.file) if commit is not None else None


def _is_wrapped(one: Finding) -> bool:
    """Whether a folder was put around what is cited: ``src/a.py`` is ``web/src/a.py`` now."""
    if one.rule is not _MOVED or one.judged is None:
        return False
    name = one.judged.citation.name
    return "/" in name and (one.judged.verdict.target or "").endswith(f"/{name}")


def _is_told(one: Finding, commit: str, file: str, lines: Mapping[tuple[str, str], Collection[str]]) -> bool:
    after, before = lines.get((commit, file)), lines.get((f"{commit}^", file))
    written = one.source.split("\n")
    if _is_wrapped(one):
        return after is None or not any(line in after for line in written)
    if after is None or before is None:
        return False
    return all(line in after and line not in before for line in written)
