"""What to write in the place of a citation that moved, and a text with such places rewritten."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import quote

from intermem.core.findings import Finding, Suggestion
from intermem.core.lines import line_starts, split_lines
from intermem.entities import VerdictStatus


def proposed(finding: Finding) -> Suggestion | None:
    """Return what to write in the place of a finding; None where nothing follows from it.

    Safe is what names the same file in the same way: from the root, or from the document's folder. Names
    that changed, and places in files, may mean something else by now.
    """
    judged = finding.judged
    if judged is None or judged.verdict.status is not VerdictStatus.MOVED or not judged.verdict.target:
        return None
    citation, target = judged.citation, judged.verdict.target
    if citation.kind not in ("path", "dir") or citation.first_line is not None:
        return None
    folder = posixpath.dirname(finding.place.file)
    ending = "/" if citation.text.endswith("/") else ""
    plain = target.rstrip("/")
    if citation.link or citation.text.startswith(("./", "../")):
        relative = posixpath.relpath(plain, folder or ".")
        dotted = f"./{relative}" if citation.text.startswith("./") and not relative.startswith(".") else relative
        return Suggestion(text=(quote(dotted, safe="/@+~!$&'(),;=:") if citation.link else dotted) + ending, safe=True)
    return Suggestion(text=plain + ending, safe="/" in citation.text.strip("/"))


def rewritten(text: str, findings: Iterable[Finding]) -> str:
    """Return a document with the suggestions of ``findings`` written in their places, and nothing else changed.

    A place that overlaps one before it is left as it is.
    """
    starts = line_starts(text)
    bom = 1 if text.startswith("\ufeff") else 0
    parts: list[str] = []
    at = 0
    for one in sorted(findings, key=lambda finding: finding.place):
        start, stop = (_offset(starts, bom, *where) for where in _ends(one))
        if one.suggestion is None or start < at:
            continue
        parts += [text[at:start], one.suggestion.text]
        at = stop
    return "".join([*parts, text[at:]])


def moved_along(finding: Finding, fixed: Iterable[Finding], text: str | None) -> Finding:
    """Return a finding as it stands after ``fixed`` were rewritten on its line; ``text`` is the document now."""
    if text is None:
        return finding
    place, shift = finding.place, 0
    for one in fixed:
        before = one.place.file == place.file and one.place.last_line == place.first_line
        if before and one.suggestion is not None and one.place.last_column <= place.first_column:
            shift += len(one.suggestion.text) - (one.place.last_column - one.place.first_column)
    last = place.last_column + (shift if place.last_line == place.first_line else 0)
    lines = split_lines(text)[place.first_line - 1 : place.last_line]
    moved = replace(place, first_column=place.first_column + shift, last_column=last)
    return replace(finding, place=moved, source="\n".join(lines))


def _ends(finding: Finding) -> Sequence[tuple[int, int]]:
    place = finding.place
    return (place.first_line, place.first_column), (place.last_line, place.last_column)


def _offset(starts: Sequence[int], bom: int, line: int, column: int) -> int:
    return starts[line - 1] + column - 1 + (bom if line == 1 else 0)
