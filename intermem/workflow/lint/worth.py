"""Findings of ``check`` on entries that are worth no line, only where a run asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from intermem.core.check.findings import Finding
from intermem.core.worth.passage import Note
from intermem.core.worth.standing import signs_of_log
from intermem.workflow.lint.run import Linted, on_line

_NAMED = 3  # reasons in a message


def log_findings(found: Linted) -> Iterator[Finding]:
    """Yield a finding for each entry that reads like a log."""
    for name, region in found.regions.items():
        for item in region.items:
            signs = signs_of_log(Note(item.text, item.section))
            if signs:
                why = ", ".join(one.says for one in signs[:_NAMED])
                message = f"{item.id[:8]} reads like a log: it {why}"
                yield on_line("IM031", name, found.texts[name], item.line, message, item.id)
