"""Findings about hazards: what no reader sees anywhere in a document, and what a person must decide about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from intermem.core.check.blocks import Unit
from intermem.core.check.findings import Finding, Location
from intermem.core.check.rules import BY_CODE
from intermem.core.entries.hazards import Hazard, hazards_in, invisible_hazards
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.lines import split_lines


def unseen_findings(text: str, name: str) -> list[Finding]:
    """Return a finding for each line and rule about invisible characters in the document ``text``, code included."""
    text = text.removeprefix(BOM)
    hazards = invisible_hazards(text)
    if not hazards:
        return []
    lines = split_lines(text)
    return [_finding(one, name, lines[one.line - 1], one.line) for one in hazards]


def risk_findings(units: Iterable[Unit]) -> Iterator[Finding]:
    """Yield a finding for each line and rule about what a person must decide, in the blocks of documents."""
    for unit in units:
        lines = unit.text.split("\n")
        for one in hazards_in(unit.text):
            if not one.is_refused:
                yield _finding(one, unit.file, lines[one.line - 1], unit.first_line + one.line - 1, unit.entry)


def _finding(one: Hazard, name: str, source: str, line: int, entry: str | None = None) -> Finding:
    place = Location(file=name, first_line=line, first_column=one.column, last_line=line, last_column=one.stop)
    block = hashlib.sha256(source.strip().encode("utf-8", "surrogatepass")).hexdigest()[:16]  # it may be in no block
    return Finding(rule=BY_CODE[one.code], place=place, message=one.what, source=source, block=block, entry=entry)
