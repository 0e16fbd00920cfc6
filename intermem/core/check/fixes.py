"""Fixes for moved citations: what to write instead, and a document with the fixes applied."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from intermem.core.check.findings import Finding, Suggestion
from intermem.core.citations.dated import archives_of
from intermem.core.entries.invisible import invisible_in
from intermem.core.markdown.lines import line_starts
from intermem.entities import Citation, VerdictStatus
from intermem.patterns import regex

_QUOTED = regex(r"[\x00-\x20\x7f\"#%&()<>?\[\\\]^`{|}]")  # not allowed unescaped in a link target


def proposed(finding: Finding) -> Suggestion | None:
    """Return what to write in place of a finding, or None if there is no fix.

    A fix is safe if it names the same file from the same folder. It is unsafe if the name changed, if part of a folder
    went elsewhere, if a member is cited with the file (``kiln.py::heat``), which need not have gone with it, or if the
    target is an archive, which is hardly what a reader should use.
    """
    judged = finding.judged
    if judged is not None and any(invisible_in(judged.verdict.target or "")):
        return None  # a file's name may be anybody's
    if judged is None or judged.verdict.status is not VerdictStatus.MOVED or not judged.verdict.target:
        return None
    citation, target = judged.citation, judged.verdict.target
    if citation.kind not in ("path", "dir") or citation.first_line is not None or citation.text.startswith("@/"):
        return None  # how a bundler calls the new place is not known
    folder = posixpath.dirname(finding.place.file)
    plain = target.rstrip("/")
    sure = not judged.verdict.reason and not archives_of(plain) - archives_of(citation.name)
    if citation.link:
        return Suggestion(text=_linked(citation, plain, folder), safe=sure)
    base = _base(citation.name, judged.verdict.origin, folder)
    is_dotted = citation.text.startswith(("./", "../"))
    is_below = base is not None and plain.startswith(f"{base}/" if base else "")
    if base is not None and (is_dotted or is_below):
        text = posixpath.relpath(plain, base or ".")
        text = f"./{text}" if citation.text.startswith("./") and not text.startswith(".") else text
        if citation.text.startswith("/"):
            text, sure = f"/{text}", False  # it may be the root of something else
    else:
        text, sure = plain, False
    ending = "/" if citation.text.endswith("/") else ""
    is_sure = sure and "/" in citation.text.strip("/") and not _has_member(finding, citation)
    return Suggestion(text=text + ending, safe=is_sure)


def _has_member(finding: Finding, citation: Citation) -> bool:
    stop = finding.place.first_column - 1 + len(citation.text)
    return finding.source[stop : stop + 2] == "::"


def _linked(citation: Citation, target: str, folder: str) -> str:
    """Return the link target for a document in ``folder``: links are relative to it."""
    relative = posixpath.relpath(target, folder or ".")
    dotted = f"./{relative}" if citation.text.startswith("./") and not relative.startswith(".") else relative
    ending = "/" if citation.text.endswith("/") else ""
    if citation.text.startswith(citation.name):
        ending = citation.text[len(citation.name) :] or ending  # the #section of a page moved with it
    return _quoted(dotted) + ending.replace(" ", "%20")


def _base(name: str, origin: str | None, folder: str) -> str | None:
    """Return the folder to which ``name`` was relative when it named ``origin``, or None if it did not."""
    plain = posixpath.normpath(name.lstrip("/"))
    for base in ("", folder):
        if posixpath.normpath(posixpath.join(base, plain)) == origin:
            return base
    return origin[: -len(plain) - 1] if origin is not None and origin.endswith(f"/{plain}") else None


def _quoted(path: str) -> str:
    return _QUOTED.sub(lambda match: f"%{ord(match[0]):02X}", path)


def rewritten(text: str, findings: Iterable[Finding]) -> str:
    """Return a document with the suggestions of ``findings`` applied; they must not overlap (see ``apart``)."""
    starts = line_starts(text)
    bom = 1 if text.startswith("\ufeff") else 0
    edits: list[tuple[int, int, str]] = []
    for one in findings:
        start, stop = (_offset(starts, bom, *where) for where in _ends(one))
        if one.suggestion is not None:
            edits.append((start, stop, one.suggestion.text))
    return spliced(text, edits)


def spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return ``text`` with the edits ``(start, stop, new)`` applied; they must not overlap."""
    parts: list[str] = []
    at = 0
    for start, stop, new in sorted(edits):
        parts += [text[at:start], new]
        at = stop
    return "".join([*parts, text[at:]])


def apart(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings by location, without those that overlap an earlier one."""
    kept: list[Finding] = []
    for one in sorted(findings, key=lambda finding: finding.place):
        last = kept[-1].place if kept else None
        if last is None or last.file != one.place.file or _ends(kept[-1])[1] <= _ends(one)[0]:
            kept.append(one)
    return kept


def _ends(finding: Finding) -> Sequence[tuple[int, int]]:
    place = finding.place
    return (place.first_line, place.first_column), (place.last_line, place.last_column)


def _offset(starts: Sequence[int], bom: int, line: int, column: int) -> int:
    return starts[line - 1] + column - 1 + (bom if line == 1 else 0)
