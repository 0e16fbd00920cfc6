"""The reading and judging under ``check``: documents in, findings out; nothing is hidden yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from intermem.commands.verify import Asked, verified_entries
from intermem.core.checking import Unit, citation_findings, units_of
from intermem.core.findings import BY_CODE, Finding, Place
from intermem.core.fixing import proposed
from intermem.core.ignore_comments import without_ignores
from intermem.core.lines import split_lines
from intermem.core.regions import Region, find_region
from intermem.core.secrets import secret_rule
from intermem.entities import Judged, Problem, VerdictStatus
from intermem.errors import DocumentRefused, UnreadableFile
from intermem.project.worktree import Worktree

_LINE = re.compile(r":(\d+):")
# What detect-secrets looks at at all: a long mixed word, or a name that speaks of one. It costs its import.
_SUSPICIOUS = re.compile(
    r"(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{16,}|(?i:pass|secret|token|key|pwd|credential)\w*['\"]?\s*[:=]"
    r"|-----BEGIN|://[^/\s:@]+:[^/\s@]+@"
)


@dataclass(frozen=True, slots=True)
class Linted:
    """Documents as they were judged: their texts, blocks, regions, the verdicts on each block, and findings."""

    texts: Mapping[str, str]
    units: tuple[Unit, ...]
    verdicts: tuple[tuple[Judged, ...], ...]
    regions: Mapping[str, Region]
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    units: list[Unit] = field(default_factory=list)
    regions: dict[str, Region] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def linted(root: Path, worktree: Worktree | None, texts: Mapping[str, str]) -> Linted:
    """Return every block of the documents ``texts`` with its verdicts, and what they come to."""
    read = _Reading()
    for name in sorted(texts):
        _read(name, texts[name], read)
    verdicts, notices = judged_units(root, worktree, read.units, texts)
    found = [*read.findings, *(one for unit in read.units for one in _secrets(unit))]
    for unit, judged in zip(read.units, verdicts, strict=True):
        found += citation_findings(unit, judged)
    suggested = _suggested(root, worktree, texts, read.units, found)
    return Linted(texts, tuple(read.units), verdicts, read.regions, tuple(suggested), notices=tuple(notices))


def judged_units(
    root: Path, worktree: Worktree | None, units: Sequence[Unit], texts: Mapping[str, str]
) -> tuple[tuple[tuple[Judged, ...], ...], list[str]]:
    """Return the verdicts on the citations of each block, in order, and what must be said of them all."""
    asked = [Asked(str(number), unit.text, unit.file, unit.first_line) for number, unit in enumerate(units)]
    verified, notices = verified_entries(root, worktree, asked, texts)
    return tuple(one.citations for one in verified), notices


def _read(name: str, text: str, read: _Reading) -> None:
    entries: list[tuple[int, str]] = []
    try:
        region = find_region(text, name)
        if region is not None:
            read.regions[name] = region
            entries = [(item.line, item.id) for item in region.items]
    except DocumentRefused as error:
        read.findings.append(on_line("IM010", name, text, _line_in(error.message), error.message))
    except UnreadableFile as error:
        read.findings.append(on_line("IM041", name, text, 1, error.message))
        return
    read.units += units_of(without_ignores(text), name, entries)


def on_line(code: str, name: str, text: str, line: int, message: str, entry: str | None = None) -> Finding:
    """Return a finding about a whole line of a document."""
    lines = split_lines(text) or [""]
    line = min(max(line, 1), len(lines))
    source = lines[line - 1]
    place = Place(file=name, first_line=line, first_column=1, last_line=line, last_column=len(source) + 1)
    return Finding(rule=BY_CODE[code], place=place, message=message, source=source, entry=entry)


def _line_in(message: str) -> int:
    match = _LINE.search(message)
    return int(match[1]) if match is not None else 1


def _secrets(unit: Unit) -> Iterable[Finding]:
    at = 0
    for line in unit.text.split("\n"):
        if _SUSPICIOUS.search(line):
            rule = secret_rule(line)
            if rule is not None:
                place = unit.place(at, at + len(line))
                message = f"the line seems to hold a secret ({rule})"
                yield Finding(rule=BY_CODE["IM050"], place=place, message=message, block=unit.id, entry=unit.entry)
        at += len(line) + 1


def _suggested(
    root: Path,
    worktree: Worktree | None,
    texts: Mapping[str, str],
    units: Sequence[Unit],
    findings: Sequence[Finding],
) -> list[Finding]:
    """The findings, those of what moved with what to write there: only where that is valid when it is judged."""
    of = {(unit.file, unit.first_line): unit for unit in units}
    tried: list[tuple[Finding, Unit]] = []
    offered: list[Finding] = []
    for one in findings:
        suggestion = proposed(one)
        unit = _unit_at(of, one.place) if suggestion is not None else None
        if suggestion is None or unit is None:
            offered.append(one)
            continue
        with_it = replace(one, suggestion=suggestion)
        tried.append((with_it, unit.rewritten(with_it.place, suggestion.text)))
    if tried:
        verdicts, _ = judged_units(root, worktree, [unit for _, unit in tried], texts)
        for (one, _), judged in zip(tried, verdicts, strict=True):
            assert one.suggestion is not None
            good = any(
                item.verdict.status is VerdictStatus.VALID and item.citation.text == one.suggestion.text
                for item in judged
            )
            offered.append(one if good else replace(one, suggestion=None))
    return offered


def _unit_at(of: Mapping[tuple[str, int], Unit], place: Place) -> Unit | None:
    """The block that holds a place: the last one that begins on its line or before."""
    for line in range(place.first_line, 0, -1):
        unit = of.get((place.file, line))
        if unit is not None:
            return unit
    return None
