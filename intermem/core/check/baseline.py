"""The baseline: known findings that ``check`` does not report.

A committed JSON file with one finding per line. Findings are matched by fingerprint; code, file and text are
for people.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from intermem.core.check.findings import Finding, Location
from intermem.core.check.settings import ALWAYS_SHOWN
from intermem.core.entries.secrets import without_values
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.lines import line_starts, split_lines
from intermem.errors import UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

SCHEMA = "intermem/baseline/1"

_LIST = regex(r'"findings"\s*:\s*\[')
_FINGERPRINT = regex(r"[0-9a-f]{16}")
_KEYS = ("code", "file", "fingerprint", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineEntry:
    """One known finding: its fingerprint, and for people its rule, its document and what it cites.

    ``place`` is the entry's location in the baseline, ``source`` the full lines there.
    """

    code: str
    file: str
    fingerprint: str
    text: str
    place: Location
    source: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings, in file order; two equal entries match two findings."""

    entries: tuple[BaselineEntry, ...] = ()


def baseline_text(findings: Iterable[Finding]) -> str:
    """Return the baseline file for ``findings``: one line each, sorted.

    Findings about ignores and hazards are left out: only the configuration can hide them.
    """
    rows = sorted(_row(finding) for finding in findings if finding.rule.code not in ALWAYS_SHOWN)
    lines = [f"    {_written(row)}" for row in rows]
    listed = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": {listed}\n}}\n'


def parse_baseline(text: str, name: str) -> Baseline:
    """Return the baseline in ``text``; ``name`` is the file name for errors and locations.

    Raises UnreadableFile, with the line, if it is damaged or was written by a newer version.
    """
    text = text.removeprefix(BOM)
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        line = bisect_right(line_starts(text), error.pos) if text else 1
        raise _damaged(name, min(line, len(split_lines(text)) or 1), f"not valid JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise _damaged(name, 1, "not valid JSON") from None
    schema = whole.get("schema") if isinstance(whole, dict) else None
    if isinstance(schema, str) and schema.startswith("intermem/baseline/") and schema != SCHEMA:
        raise _damaged(name, 1, f"{schema} was written by a newer version of intermem")
    is_listed = schema == SCHEMA and set(whole) == {"schema", "findings"} and isinstance(whole["findings"], list)
    match = _LIST.search(text) if is_listed else None
    if match is None:
        raise _damaged(name, 1, f'not a baseline: expected "schema": "{SCHEMA}" and a list of "findings"')
    return Baseline(tuple(_entries(text, name, match.end())))


def _row(finding: Finding) -> tuple[str, str, str, str]:
    cited = finding.judged.citation.text if finding.judged is not None else finding.message
    return finding.place.file, finding.rule.code, without_values(cited), finding.fingerprint


def _written(row: tuple[str, str, str, str]) -> str:
    file, code, text, fingerprint = row
    entry = {"code": code, "file": file, "fingerprint": fingerprint, "text": text}
    shown = json.dumps(entry, ensure_ascii=False)
    # Escape what a diff does not show or UTF-8 cannot encode.
    return shown if shown.isprintable() else json.dumps(entry)


def _entries(text: str, name: str, at: int) -> list[BaselineEntry]:
    """Return the entries from offset ``at`` on, with their locations, which ``json.loads`` does not give."""
    starts, lines = line_starts(text), split_lines(text)
    decoder = json.JSONDecoder()
    found: list[BaselineEntry] = []
    at = _past(text, at)
    while text[at] != "]":
        value, stop = decoder.raw_decode(text, at)
        place = _place(starts, name, at, stop)
        if not _is_entry(value):
            raise _damaged(name, place.first_line, f"not a baseline entry: expected the strings {', '.join(_KEYS)}")
        source = "\n".join(lines[place.first_line - 1 : place.last_line])
        found.append(BaselineEntry(**{key: value[key] for key in _KEYS}, place=place, source=source))
        at = _past(text, stop)
    return found


def _past(text: str, at: int) -> int:
    while text[at] in " \t\r\n,":
        at += 1
    return at


def _is_entry(value: object) -> bool:
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in _KEYS):
        return False
    return _FINGERPRINT.fullmatch(value["fingerprint"]) is not None


def _place(starts: Sequence[int], name: str, start: int, stop: int) -> Location:
    first, last = bisect_right(starts, start), bisect_right(starts, stop - 1)
    return Location(
        file=name,
        first_line=first,
        first_column=start - starts[first - 1] + 1,
        last_line=last,
        last_column=stop - starts[last - 1] + 1,
    )


def _damaged(name: str, line: int, what: str) -> UnreadableFile:
    return UnreadableFile(
        f"{name}:{line}: {what}; it hides nothing, and nothing was written",
        hint=f"git checkout HEAD -- {name} restores the committed one; check --write-baseline writes a new one",
    )
