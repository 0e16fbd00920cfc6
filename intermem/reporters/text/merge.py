"""Text output of ``merge-driver``: only what is left to resolve, in the middle of what git prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intermem.reporters.escaping import one_line
from intermem.reporters.text.lines import Plain, write_line
from intermem.results.merge import MergeDriverResult

if TYPE_CHECKING:
    from rich.console import Console


def print_merged(result: MergeDriverResult, console: Console | Plain, _verbose: bool) -> None:
    """Write a line for each entry that is in conflict."""
    for one in result.conflicts:
        mine, other = (one_line(words, 60) if words is not None else "(removed)" for words in (one.ours, one.theirs))
        write_line(console, f"{one_line(result.document)}: ours: {mine}; theirs: {other}")
