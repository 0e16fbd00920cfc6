"""``--format github``: workflow commands that annotate a pull request, and a table for the job summary."""

from __future__ import annotations

from intermem.core.check.findings import Finding
from intermem.core.check.said_once import counted, said_once
from intermem.patterns import regex
from intermem.reporters.escaping import one_line, visible, visible_name
from intermem.reporters.phrases import by_severity, plural, remedy
from intermem.results.check import CheckResult

_ROWS = 100
_MARKDOWN = regex(r"[\\`*_\[\]<>&|~$!]")


def render(result: CheckResult) -> str:
    """Return one line, a workflow command, for each finding and each document that was refused."""
    refused = [
        f"::error file={escaped_property(visible_name(one.where))},title={escaped_property(one.code)}::"
        f"{escaped(visible(f'{one.message}; {one.hint}' if one.hint else one.message))}"
        for one in result.problems
        if one.fatal
    ]
    return "".join(f"{line}\n" for line in [*map(_command, said_once(result.findings)), *refused])


def summary(result: CheckResult) -> str:
    """Return ``result`` as Markdown for ``$GITHUB_STEP_SUMMARY``: a table of at most 100 findings."""
    findings = said_once(result.findings)
    hidden = f"; {plural(result.ignored, 'place')} ignored" if result.ignored else ""
    number = f"{counted(result.findings)} ({by_severity(findings)})" if findings else "no findings"
    lines = [f"### intermem check: {number}", ""]
    if findings:
        lines += ["| Location | Rule | Message | Help |", "|---|---|---|---|"]
        lines += [_row(finding) for finding in findings[:_ROWS]]
        lines += [""]
    if len(findings) > _ROWS:
        lines += [f"… and {len(findings) - _ROWS} more", ""]
    lines.append(f"{plural(len(result.checked), 'document')} checked{hidden}.")
    return "".join(f"{line}\n" for line in lines)


def escaped(text: str) -> str:
    """Return ``text`` as the message of a workflow command.

    Source: packages/core/src/command.ts of github.com/actions/toolkit.
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """Return ``text`` as the value of a property of a workflow command."""
    return escaped(text).replace(":", "%3A").replace(",", "%2C")


def _command(finding: Finding) -> str:
    place, rule = finding.place, finding.rule
    values: dict[str, object] = {"file": place.file, "line": place.first_line, "endLine": place.last_line}
    if place.first_line == place.last_line:  # GitHub rejects columns of a range of lines
        values |= {"col": place.first_column, "endColumn": place.last_column}
    values["title"] = f"{rule.code} {rule.name}"
    properties = ",".join(f"{name}={escaped_property(visible_name(str(value)))}" for name, value in values.items())
    message = f"{visible(finding.message)}\nhelp: {remedy(finding)}"
    return f"::{rule.severity} {properties}::{escaped(message)}"


def _row(finding: Finding) -> str:
    place, rule = finding.place, finding.rule
    where = f"{place.file}:{place.first_line}:{place.first_column}"
    cells = (where, f"{rule.code} {rule.name} ({rule.severity})", finding.message, remedy(finding))
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text))
