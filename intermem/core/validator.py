"""Citations → verdicts: which facts are needed, and what they prove."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from intermem.core.inline import code_spans
from intermem.core.kinds import BY_NAME
from intermem.core.kinds.resolving import Setting
from intermem.entities import Citation, Facts, Judged, Questions, Tree, Verdict, VerdictStatus

_FOLDER_WORD = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*/?")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation where it stands: what is judged."""

    citation: Citation
    setting: Setting


def setting_of(
    trail: Sequence[str], citations: Sequence[Citation], folder: str | None, memory_folder: str = ""
) -> Setting:
    """Return the setting of an entry: headings above it (nearest first), then what it cites itself."""
    hints: list[str] = []
    for heading in reversed(trail):
        words = [span.text for span in code_spans(heading)] + heading.replace("`", " ").split()
        hints += [word for word in words if _FOLDER_WORD.fullmatch(word)]
    for citation in citations:
        if citation.kind == "dir":
            hints.append(citation.path)
        elif citation.kind == "path" and "/" in citation.path:
            hints.append(citation.path.rpartition("/")[0])
    kept = dict.fromkeys(hint.removeprefix("./").strip("/") for hint in hints)
    return Setting(folder=folder, hints=tuple(hint for hint in kept if len(hint) > 1), memory_folder=memory_folder)


def questions_for(cited: Iterable[Cited], tree: Tree) -> Questions:
    """Return, in one, what the repository must be asked before ``cited`` can be judged."""
    total = Questions()
    ignored: set[str] = set()
    counted: set[str] = set()
    for citing in cited:
        if citing.citation.kind not in BY_NAME:
            continue
        one = BY_NAME[citing.citation.kind].questions(citing.citation, citing.setting, tree)
        ignored |= one.ignored
        counted |= one.line_counts
        total = Questions(history=total.history or one.history)
    return Questions(ignored=frozenset(ignored), line_counts=frozenset(counted), history=total.history)


def judge(cited: Cited, facts: Facts) -> Judged:
    """Return the citation with its verdict.

    A text that states absence is no alarm: what would be moved, ambiguous or broken is
    unverifiable, and a thing that exists all the same is valid with ``claim`` ``absent``.
    """
    citation = cited.citation
    if citation.kind not in BY_NAME:  # imported from phase 1, whose note has not been seen since
        return Judged(citation=citation, verdict=Verdict(status=VerdictStatus.UNVERIFIABLE, reason="of another kind"))
    verdict = BY_NAME[citation.kind].judge(citation, cited.setting, facts)
    if citation.absent:
        verdict = _as_stated(verdict)
    return Judged(citation=citation, verdict=verdict)


def _as_stated(verdict: Verdict) -> Verdict:
    if verdict.status is VerdictStatus.VALID:
        return replace(verdict, claim="absent")
    if verdict.status is VerdictStatus.UNVERIFIABLE:
        return verdict
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the text itself says that it is not there")
