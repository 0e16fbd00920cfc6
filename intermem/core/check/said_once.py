"""Say each thing once: what is gone in several places of a document is one finding with its places."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from intermem.core.check.findings import Finding
from intermem.entities import Evidence

_MANY = 3  # files of one folder, or names of code, that went with one commit
_SHOWN = 8  # lines that a message names
_DELETED = (Evidence.DELETED, Evidence.NAMESAKE)


def said_once(findings: Sequence[Finding]) -> list[Finding]:
    """Return ``findings`` in order, those that say the same of one document together, at the first place.

    The same is said of one name or path, inside a command that is reported too, of three and more files of a folder
    that one commit deleted, or of three and more names whose definitions it removed. What has a fix is told once a
    line: each place has its own, and a command that runs it has none.
    """
    findings = _without_mended(findings)
    groups: dict[tuple[object, ...], list[Finding]] = {}
    together: dict[tuple[object, ...], set[str]] = {}
    for one in findings:
        if one.judged is not None and (lot := _lot_of(one)) is not None:
            together.setdefault(lot, set()).add(one.judged.citation.name)
    commands: dict[tuple[str, int], list[Finding]] = {}
    for one in findings:
        if one.judged is not None and one.judged.citation.kind == "command":
            commands.setdefault((one.place.file, one.place.first_line), []).append(one)
    for one in findings:
        if any(_is_part(one, command) for command in commands.get((one.place.file, one.place.first_line), ())):
            continue
        lot = _lot_of(one)
        key = lot if lot is not None and len(together[lot]) >= _MANY else _thing(one)
        groups.setdefault(key, []).append(one)
    return [_united(group, is_lot=key in together) for key, group in groups.items()]


def _without_mended(findings: Sequence[Finding]) -> list[Finding]:
    """Return ``findings`` without commands that are in order again once a path in them has its new place."""
    mended: dict[tuple[str, int], list[Finding]] = {}
    for one in findings:
        if one.suggestion is not None and one.judged is not None and one.judged.citation.kind == "path":
            mended.setdefault((one.place.file, one.place.first_line), []).append(one)
    return [
        one
        for one in findings
        if not any(_mends(path, one) for path in mended.get((one.place.file, one.place.first_line), ()))
    ]


def _mends(path: Finding, command: Finding) -> bool:
    """Return whether ``command`` runs what the fix of ``path``, a part of it, names."""
    if path.judged is None or command.judged is None or command.judged.citation.kind != "command":
        return False
    return path.judged.verdict.target == command.judged.verdict.target and command.place.holds(path.place)


def counted(findings: Sequence[Finding]) -> str:
    """Return ``2 findings in 4 places``; the places are left out where each has a finding of its own."""
    number, places = len(said_once(findings)), len(findings)
    where = f" in {places} places" if places > number else ""
    return f"{number} finding{'' if number == 1 else 's'}{where}"


def _thing(one: Finding) -> tuple[object, ...]:
    """Return what a finding is about."""
    if one.judged is None:
        return (one.place, one.rule.code, one.message)
    if one.suggestion is not None:  # a link whose text is its target has two
        return (one.place.file, one.place.first_line, one.rule.code, one.message)
    verdict = one.judged.verdict
    name = posixpath.normpath(one.judged.citation.name)
    return (one.place.file, one.rule.code, one.judged.citation.kind, name, verdict.commit, verdict.reason)


def _folder_of(one: Finding) -> tuple[object, ...] | None:
    """Return the folder of a file that a commit deleted, with what else must be alike."""
    if one.judged is None or one.judged.citation.kind != "path" or one.judged.verdict.evidence not in _DELETED:
        return None
    folder = posixpath.dirname(posixpath.normpath(one.judged.citation.name))
    commit = one.judged.verdict.commit
    return (one.place.file, one.rule.code, folder, commit) if folder and commit is not None else None


def _lot_of(one: Finding) -> tuple[object, ...] | None:
    """Return what went together with what is cited: the files of its folder, or the names of code, by one commit."""
    if one.judged is not None and one.judged.verdict.evidence is Evidence.DEFINITION:
        commit = one.judged.verdict.commit
        return (one.place.file, one.rule.code, commit) if commit is not None else None
    return _folder_of(one)


def _is_part(one: Finding, command: Finding) -> bool:
    """Return whether ``one`` is a path inside a ``command`` that is reported for the same reason."""
    if one.judged is None or command.judged is None or one.suggestion is not None or one.place == command.place:
        return False
    is_same = one.rule is command.rule and one.judged.verdict.commit == command.judged.verdict.commit
    return is_same and command.place.holds(one.place)


def _united(group: Sequence[Finding], *, is_lot: bool) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    assert first.judged is not None
    lines = dict.fromkeys(one.place.first_line for one in group if one.place.first_line != first.place.first_line)
    where = _listed(list(lines))
    also = f" (also on {where})" if lines else ""
    if is_lot:
        names = list(dict.fromkeys(one.judged.citation.text for one in group if one.judged is not None))
        folder = _folder_of(first)
        if folder is None:
            shown = ", ".join(names[1:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
            also = f" (also {shown}{f': {where}' if lines else ''})"
        else:
            also = f" (and {len(names) - 1} more of {folder[2]}/{f': {where}' if lines else ''})"
    return replace(first, message=first.message + also)


def _listed(lines: Sequence[int]) -> str:
    shown = ", ".join(str(line) for line in lines[:_SHOWN])
    return f"line{'s' if len(lines) > 1 else ''} {shown}{', …' if len(lines) > _SHOWN else ''}"
