"""Text output of ``check``: each finding with its source line and how to fix it; then a summary."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeGuard

from rich.cells import cell_len

from intermem.core.check.findings import Finding
from intermem.core.check.rules import OF_REGIONS, Rule, Severity
from intermem.core.check.said_once import counted, said_once
from intermem.core.check.settings import ALWAYS_SHOWN
from intermem.reporters.escaping import one_line, visible_characters, visible_name, without_controls
from intermem.reporters.phrases import by_severity, plural, remedy
from intermem.reporters.text.lines import Plain, write_line
from intermem.results.check import CheckResult, Noted, RulesResult

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}
_WINDOW = 100  # cells of a source line to show, at most
_MESSAGE = 300  # characters of a message, at most: a cited text may be a whole line
_TAB = " " * 4
_CUT = "…"
_FIXED_SHOWN = 10


def print_findings(result: CheckResult | RulesResult, console: Console | Plain, verbose: bool) -> None:
    """Write each finding, or the table of rules."""
    if isinstance(result, RulesResult):
        _print_rules(result.rules, console)
        return
    findings = said_once(result.findings)
    secret = {(one.place.file, line) for one in findings if one.rule.topic == "secret" for line in _lines(one)}
    for number, finding in enumerate(findings):
        if number:
            write_line(console)
        _print_header(finding, console)
        if finding.source and not any((finding.place.file, line) in secret for line in _lines(finding)):
            _print_excerpt(finding, console)
        write_line(console, "  ", ("help", "cyan"), f": {remedy(finding)}")
        if verbose:
            _print_details(finding, console)


def print_summary(result: CheckResult, console: Console | Plain, verbose: bool) -> None:
    """Write what was fixed, how many findings are left, and the command that fixes them."""
    findings = said_once(result.findings)
    if findings:
        write_line(console)
    _print_fixed(result, console, verbose)
    _print_unverifiable(result.unverifiable, console)
    _print_changed(result.changed, console)
    hidden = f"; {plural(result.ignored, 'place')} ignored" if result.ignored else ""
    hidden += f"; {len(result.excluded)} excluded" if result.excluded else ""
    checked = f"{plural(len(result.checked), 'document')} checked"
    if findings:
        write_line(console, f"{counted(result.findings)} ({by_severity(findings)}), {checked}{hidden}.")
        if result.revision is None:  # fixes apply to the working tree only
            _print_repair(findings, result.narrowed, console)
            _print_ways_out(findings, result.checked, console)
    elif any(problem.fatal for problem in result.problems) or (result.fixed and result.dry_run):
        write_line(console, f"No other findings, {checked}{hidden}.")
    elif not result.checked and not result.excluded and not result.unread:
        write_line(console, "Nothing to check: no AGENTS.md or CLAUDE.md found.")
    else:
        unread = f", {len(result.unread)} not read" if result.unread and not result.checked else ""
        write_line(console, f"No findings, {checked}{unread}{hidden}.")


def _lines(finding: Finding) -> range:
    return range(finding.place.first_line, finding.place.last_line + 1)


def _print_header(finding: Finding, console: Console | Plain) -> None:
    place, rule = finding.place, finding.rule
    where = f"{visible_name(place.file)}:{place.first_line}:{place.first_column}"
    what = (f"{rule.code} {rule.severity}", _STYLES[rule.severity])
    write_line(console, (where, "bold"), ": ", what, f": {one_line(finding.message, _MESSAGE)}")


def _print_excerpt(finding: Finding, console: Console | Plain) -> None:
    place = finding.place
    line = _first_line(finding.source)
    is_whole = place.last_line > place.first_line
    start = min(place.first_column - 1, len(line))
    stop = len(line) if is_whole else min(max(place.last_column - 1, start), len(line))
    before, cited, after = _excerpt(_characters(line), start, stop, min(_WINDOW, console.width - 2 * len(_CUT) - 2))
    write_line(console, "  ", before, cited, after)
    carets = "^" * max(1, cell_len(before + cited) - cell_len(before))
    write_line(console, "  ", " " * cell_len(before), (carets, _STYLES[finding.rule.severity]))


def _excerpt(line: Sequence[str], start: int, stop: int, width: int) -> tuple[str, str, str]:
    """Return the text before ``start``, from there to ``stop``, and after it, in about ``width`` cells in all.

    The middle takes precedence; the two sides share the rest. Ellipses do not count towards ``width``.
    """
    middle_stop = start + _fitting(line[start : min(stop, start + width)], width)
    middle = _shown_text(line[start:middle_stop])
    room = width - cell_len(middle)
    if middle_stop < stop:
        middle, room = middle + _CUT, 0
    right = _fitting(line[stop : stop + room], room - room // 2)
    left = _fitting(line[max(0, start - room) : start][::-1], room - _cells(line[stop : stop + right]))
    right = _fitting(line[stop : stop + room], room - _cells(line[start - left : start]))
    before = (_CUT if left < start else "") + _shown_text(line[start - left : start])
    after = _shown_text(line[stop : stop + right])
    return before, middle, after + (_CUT if stop + right < len(line) and not middle.endswith(_CUT) else "")


@lru_cache(maxsize=4)  # findings on the same line share their source
def _first_line(source: str) -> str:
    return source.split("\n", 1)[0]


@lru_cache(maxsize=4)
def _characters(line: str) -> Sequence[str]:
    return visible_characters(line)


def _is_simple(text: Sequence[str]) -> TypeGuard[str]:
    """True if every character is shown as it is, in one cell."""
    return isinstance(text, str) and text.isascii() and text.isprintable()


def _fitting(text: Sequence[str], width: int) -> int:
    """How many characters at the start of ``text`` fit into ``width`` cells."""
    if _is_simple(text):
        return min(len(text), max(width, 0))
    number = 0
    for character in text:
        width -= cell_len(_shown(character))
        if width < 0:
            break
        number += 1
    return number


def _cells(text: Sequence[str]) -> int:
    return len(text) if _is_simple(text) else sum(cell_len(_shown(character)) for character in text)


def _shown_text(text: Sequence[str]) -> str:
    return text if _is_simple(text) else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return _TAB if character == "\t" else without_controls(character)


def _print_details(finding: Finding, console: Console | Plain) -> None:
    write_line(console, f"  {finding.rule.code} {finding.rule.name}: {finding.rule.meaning}")
    if finding.judged is not None:
        from intermem.core.lifecycle.staleness import explained

        write_line(console, f"  {one_line(finding.judged.citation.text)}: {one_line(explained(finding.judged))}")
        if finding.judged.verdict.candidates:
            write_line(console, f"  candidates: {', '.join(map(visible_name, finding.judged.verdict.candidates))}")
    entry = f", entry {finding.entry}" if finding.entry else ""
    write_line(console, f"  fingerprint {finding.fingerprint}{entry}")


def _print_fixed(result: CheckResult, console: Console | Plain, verbose: bool) -> None:
    fixed = result.fixed
    if not fixed:
        return
    write_line(console, f"{'Would fix' if result.dry_run else 'Fixed'} {plural(len(fixed), 'finding')}:")
    for finding in fixed if verbose else fixed[:_FIXED_SHOWN]:
        where = f"{visible_name(finding.place.file)}:{finding.place.first_line}:{finding.place.first_column}"
        write_line(console, f"  {where}: {finding.rule.code} {one_line(finding.message, _MESSAGE)}")
    if len(fixed) > _FIXED_SHOWN and not verbose:
        write_line(console, f"  … and {len(fixed) - _FIXED_SHOWN} more (--verbose shows all)")


def _print_unverifiable(found: Sequence[Noted], console: Console | Plain) -> None:
    """Citations that could not be verified are not findings; say why they could not."""
    if not found:
        return
    write_line(console, f"{plural(len(found), 'citation')} could not be verified:")
    for one in found:
        where = f"{visible_name(one.file)}:{one.line}:{one.column}"
        cited, why = one.citation.citation.text, one.citation.verdict.reason
        write_line(console, f"  {where}: {one_line(cited, _MESSAGE)}{f' ({one_line(why)})' if why else ''}")


def _print_changed(found: Sequence[Noted], console: Console | Plain) -> None:
    """What is cited stands, but is another one than when the line was written: no finding, and worth a look."""
    if not found:
        return
    number = plural(len(found), "cited function")
    write_line(console, f"{number} changed after the citing line was written:")
    for one in found:
        where = f"{visible_name(one.file)}:{one.line}:{one.column}"
        verdict = one.citation.verdict
        place = f"{visible_name(verdict.target or '')}, {(verdict.commit or '')[:10]} on {verdict.date}"
        write_line(console, f"  {where}: {one_line(one.citation.citation.text, _MESSAGE)} ({place})")


def _print_repair(findings: Sequence[Finding], narrowed: Sequence[str], console: Console | Plain) -> None:
    suggestions = [one.suggestion for one in findings if one.suggestion is not None]
    safe = sum(one.safe for one in suggestions)
    unsafe = len(suggestions) - safe
    if not suggestions:
        return
    more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
    ways = f"{safe} can be fixed{more}" if safe else f"{unsafe} can be fixed with --unsafe-fixes"
    command = "intermem check --fix" if safe else "intermem check --fix --unsafe-fixes"
    given = " ".join(visible_name(shlex.quote(one)) for one in narrowed)
    write_line(console, f"{ways}: ", (f"{command} {given}".rstrip(), "bold"))


def _print_ways_out(findings: Sequence[Finding], documents: Sequence[str], console: Console | Plain) -> None:
    """Say what else can be done about the findings, the first that a comment can hide above all."""
    hidden = [one for one in findings if one.rule.code not in ALWAYS_SHOWN]
    commented = [one for one in hidden if _takes_a_comment(one, documents)]
    first = next(iter((*commented, *hidden, *findings)))
    code = first.rule.code
    write_line(console, f"what {code} means: ", (f"intermem check --explain {code}", "bold"))
    if not hidden:
        return
    where = "at the end of the last cell of its row" if first.in_row else "above it"
    comment = f', or {where} <!-- intermem:ignore {code} reason="…" -->' if commented else ""
    write_line(console, "known, and to stay: ", ("intermem check --write-baseline", "bold"), comment)


def _takes_a_comment(finding: Finding, documents: Sequence[str]) -> bool:
    """Return whether a finding has a line in one of the ``documents`` that a comment can stand above."""
    has_line = finding.judged is not None or finding.entry is not None or finding.rule.code in OF_REGIONS
    return has_line and finding.place.file in documents


def _print_rules(rules: Sequence[Rule], console: Console | Plain) -> None:
    for rule in rules:
        way = f"{'--fail-on' if rule.on else 'off, --select'} {' or '.join(rule.topics)}"
        write_line(console, (rule.code, "bold"), f" {rule.name} ({rule.severity}, {way}): {rule.meaning}")
        write_line(console, "  ", ("help", "cyan"), f": {rule.remediation}")
