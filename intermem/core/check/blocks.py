"""The parts of a document that ``check`` looks at, and findings from the verdicts on their citations."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.check.findings import Finding, Location
from intermem.core.check.rules import BY_CODE, Rule
from intermem.core.entries.identity import identity
from intermem.core.markdown.blocks import BOM, Block, blocks_of, is_comment
from intermem.core.markdown.lines import is_blank, split_lines, text_stop
from intermem.entities import CitedAt, Evidence, Judged, Verdict, VerdictStatus
from intermem.lazy_dataclass import dataclass

# The places of what a text cites, by kind and text.
SpansIn = Callable[[str], Mapping[tuple[str, str], Sequence[CitedAt]]]
_SKIPPED = ("rule",)

RULE_OF = {
    VerdictStatus.BROKEN: BY_CODE["IM001"],
    VerdictStatus.MOVED: BY_CODE["IM002"],
    VerdictStatus.AMBIGUOUS: BY_CODE["IM003"],
}
DOUBTFUL = BY_CODE["IM090"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A block of a document, or a row of a table: its lines joined by ``\\n``, and the number of the first (from 1).

    ``entry`` is its id if it is an item of our region; ``is_row``: it is a row of a table.
    """

    file: str
    text: str
    first_line: int
    entry: str | None = None
    is_row: bool = False

    @property
    def id(self) -> str:
        """The identity of the text, which stays the same when the block moves."""
        return _identity(self.text)

    @property
    def lines(self) -> range:
        """The line numbers, from 1."""
        return range(self.first_line, self.first_line + self.text.count("\n") + 1)

    def place(self, start: int, stop: int) -> Location:
        """Return the location of the characters ``start`` to ``stop`` of the text."""
        starts = _starts(self.text)
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, max(start, stop - 1)) - 1
        return Location(
            file=self.file,
            first_line=self.first_line + first,
            first_column=start - starts[first] + 1,
            last_line=self.first_line + last,
            last_column=stop - starts[last] + 1,
        )

    def span(self, place: Location) -> tuple[int, int]:
        """Return the offsets of a location in the unit, the inverse of ``place``."""
        starts = _starts(self.text)
        first, last = place.first_line - self.first_line, place.last_line - self.first_line
        return starts[first] + place.first_column - 1, starts[last] + place.last_column - 1

    def source(self, place: Location) -> str:
        """Return the full lines of a location in the unit."""
        lines = _lines(self.text)[place.first_line - self.first_line : place.last_line - self.first_line + 1]
        return "\n".join(lines)


_identity = lru_cache(maxsize=8192)(identity)  # computed on demand: most blocks never need it


@lru_cache(maxsize=4)
def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def units_of(
    text: str,
    file: str,
    entries: Iterable[tuple[int, str]] = (),
    parse: Callable[[str], Sequence[Block]] = blocks_of,
) -> list[Unit]:
    """Return the blocks of the document ``text`` that may contain citations, in order.

    ``entries`` are the lines (from 1) on which the entries of its region begin, with their ids. Raises
    UnreadableFile if the Markdown cannot be parsed.
    """
    known = dict(entries)
    lines = split_lines(text.removeprefix(BOM))
    found: list[Unit] = []
    for first, stop, is_row in _judged_lines(parse(text), lines):
        written = "\n".join(lines[first : text_stop(lines, first, stop)])
        if not is_blank(written):
            found.append(Unit(file, written, first + 1, known.get(first + 1), is_row))
    return found


def _judged_lines(blocks: Iterable[Block], lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the lines of each block, and of each row of a table: from 0, half-open; and whether it is a row.

    Lines between blocks that are not blank are link definitions, each by itself.
    """
    at = 0
    for block in blocks:
        yield from _definitions(lines, at, block.first)
        at = max(at, block.stop)
        if block.type in _SKIPPED or is_comment(block):
            continue
        if block.type == "table":
            yield from ((line, line + 1, True) for line in range(block.first, block.stop))
        else:
            yield block.first, block.stop, False
    yield from _definitions(lines, at, len(lines))


def _definitions(lines: Sequence[str], first: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    return ((line, line + 1, False) for line in range(first, stop) if not is_blank(lines[line]))


def citation_findings(unit: Unit, judged: Sequence[Judged], spans_in: SpansIn) -> list[Finding]:
    """Return a finding for each place of each citation that is broken, moved or ambiguous."""
    spans = spans_in(unit.text) if any(item.verdict.status in RULE_OF for item in judged) else {}
    found: list[Finding] = []
    keys = {_said_of(item) for item in judged if item.citation.kind == "config"}
    for item in judged:
        if item.verdict.status not in RULE_OF or _is_title(unit, item) or _is_itself(unit, item):
            continue
        if item.citation.kind == "symbol" and _said_of(item) in keys:
            continue  # `retries: 3` says it of `retries` as well
        for span in _spans_of(item, unit, spans):
            here = _elsewhere(replace(item, citation=replace(item.citation, link=span.link)), unit.file)
            found.append(_finding(unit, _rule_of(here), here, unit.place(span.start, span.stop)))
    return found


def _elsewhere(item: Judged, file: str) -> Judged:
    """Return what is judged, but as gone where the one file of that name is the document itself: it cites another."""
    verdict = item.verdict
    if verdict.evidence is not Evidence.ELSEWHERE or verdict.target != file:
        return item
    gone = Verdict(status=VerdictStatus.BROKEN, reason=verdict.reason, evidence=Evidence.NEVER)
    return replace(item, verdict=gone)


def _said_of(item: Judged) -> tuple[str, str | None, str | None]:
    """Return what is said of a name: where it is now, or by which commit it left."""
    return item.citation.name, item.verdict.target, item.verdict.commit


def _is_title(unit: Unit, item: Judged) -> bool:
    """Return whether a title is the former name of its own document, with no folder: ``# Agents.md`` in CLAUDE.md."""
    is_name = "/" not in item.citation.name and not item.citation.link
    return item.verdict.target == unit.file and unit.text.startswith("# ") and is_name


def _is_itself(unit: Unit, item: Judged) -> bool:
    """Return whether a document names itself in other capitals: ``claude.md`` in CLAUDE.md."""
    name = posixpath.basename(unit.file)
    return not item.citation.link and item.citation.name != name and item.citation.name.lower() == name.lower()


def _rule_of(item: Judged) -> Rule:
    """Return the rule that a citation violates; a link that leads nowhere is no matter of evidence."""
    evidence = item.verdict.evidence
    is_plain_link = item.citation.link and "/" in item.citation.name
    is_aside = evidence is Evidence.VERSION and item.citation.weak  # of a customer's machine, as often
    is_in_doubt = is_aside or (evidence is not None and evidence.is_doubtful and not is_plain_link)
    return DOUBTFUL if is_in_doubt else RULE_OF[item.verdict.status]


_STAYS_IN_DOUBT = (Evidence.MATCHES, Evidence.WORD, Evidence.USUAL, Evidence.TOLD, Evidence.WRITTEN)
_SAYS_OTHERWISE = (Evidence.CONTRADICTED, Evidence.VERSION)


def without_doubt(finding: Finding) -> Finding:
    """Return the finding on a citation that is known to have resolved before.

    A glob may still say what to leave out, or how files are called. A name that is no constant is as often that of a
    library whose last use left, and one with a capital that was imported is as often a class of that. A plain word may
    have been a label, and a page of a usual name (``plan.md``) is what each of many folders is to have.
    """
    if finding.rule is not DOUBTFUL or finding.judged is None:
        return finding
    cited, verdict = finding.judged.citation, finding.judged.verdict
    is_used = verdict.evidence is Evidence.USE and not cited.name.isupper()
    is_imported = verdict.evidence is Evidence.IMPORT and not cited.name.islower()
    if is_used or is_imported or verdict.evidence in _STAYS_IN_DOUBT:
        return finding
    return replace(finding, rule=RULE_OF[verdict.status])


def unverifiable_places(unit: Unit, judged: Sequence[Judged], spans_in: SpansIn) -> Iterator[tuple[Judged, Location]]:
    """Yield the unverifiable citations of a block, each with its first location."""
    unverifiable = [item for item in judged if item.verdict.status is VerdictStatus.UNVERIFIABLE]
    yield from first_places(unit, unverifiable, spans_in)


def first_places(unit: Unit, items: Sequence[Judged], spans_in: SpansIn) -> Iterator[tuple[Judged, Location]]:
    """Yield citations of a block, each with its first location."""
    spans = spans_in(unit.text) if items else {}
    for item in items:
        for span in _spans_of(item, unit, spans)[:1]:
            yield item, unit.place(span.start, span.stop)


def _spans_of(item: Judged, unit: Unit, spans: Mapping[tuple[str, str], Sequence[CitedAt]]) -> Sequence[CitedAt]:
    """Return the places of a citation in the block; of one on some rows of a drawn tree, those."""
    cited = item.citation
    found = spans.get((cited.kind, cited.text), [])
    return [one for one in found if not cited.rows or unit.text.count("\n", 0, one.start) in cited.rows]


def _finding(unit: Unit, rule: Rule, item: Judged, place: Location) -> Finding:
    return Finding(
        rule=rule,
        place=place,
        message=_sentence(item),
        source=unit.source(place),
        block=unit.id,
        entry=unit.entry,
        in_row=unit.is_row,
        judged=item,
        hint=_namesakes(rule, item.verdict),
    )


def _namesakes(rule: Rule, verdict: Verdict) -> str:
    """Return how to mend what is gone, with the files that have its name; empty if there are none."""
    if verdict.status is not VerdictStatus.BROKEN or not verdict.candidates:
        return ""
    are = "is" if len(verdict.candidates) == 1 else "are"
    return f"{rule.remediation} ({' and '.join(verdict.candidates)} {are} called so)"


def with_verdict(finding: Finding, verdict: Verdict) -> Finding:
    """Return a finding on a citation with another verdict of the same rule."""
    assert finding.judged is not None
    judged = replace(finding.judged, verdict=verdict)
    return replace(finding, judged=judged, message=_sentence(judged))


def _sentence(item: Judged) -> str:
    """Return what is wrong with a citation; of ``a.py`` that was ``src/a.py`` once, with that place."""
    cited, verdict = item.citation.text, item.verdict
    return f"{verdict.origin if verdict.target == cited and verdict.origin else cited} {_words(item)}"


def _words(item: Judged) -> str:
    """Return what is wrong with a citation, with the commit and the date of the change."""
    verdict = item.verdict
    when = f" in {verdict.commit[:10]}" if verdict.commit else ""
    when += f" on {verdict.date}" if verdict.date else ""
    if verdict.evidence is Evidence.SPELT:
        return f"is spelt {verdict.target} here"
    if verdict.evidence is Evidence.ELSEWHERE and verdict.status is VerdictStatus.MOVED:
        return f"is at {verdict.target}, and never was where it is cited"
    if verdict.status is VerdictStatus.MOVED and verdict.evidence in (Evidence.REWRITTEN, Evidence.SHORT_REWRITTEN):
        return f"is gone: {verdict.reason.removeprefix('now ')} stands in its place ({verdict.target}){when}"
    if verdict.status is VerdictStatus.MOVED and verdict.evidence is Evidence.PACKAGE and "/" in (verdict.target or ""):
        return f"has become the package of its name, in {verdict.target}{when}"
    if verdict.status is VerdictStatus.MOVED:
        why = f" ({verdict.reason})" if verdict.reason else ""
        return f"has moved to {verdict.target}{why}{when}"
    if verdict.status is VerdictStatus.AMBIGUOUS:
        some = ", ".join(verdict.candidates[:3]) + (", …" if len(verdict.candidates) > 3 else "")
        return f"is ambiguous: {verdict.reason or some}{f' ({some})' if verdict.reason and some else ''}"
    what = "is contradicted" if verdict.evidence in _SAYS_OTHERWISE else "not found"
    return f"{what}: {verdict.reason or 'gone'}{when}"
