"""Text output of ``promote --candidates``."""

from __future__ import annotations

from rich.console import Console

from intermem.core.lifecycle.confidence import shown
from intermem.entities import VerdictStatus
from intermem.reporters.escaping import one_line, visible
from intermem.reporters.phrases import worth_in_words
from intermem.reporters.text.citations import cited
from intermem.reporters.text.lines import write_line
from intermem.reporters.text.tables import ID_WIDTH, counted
from intermem.results.curate import Allowance, CandidateEntry, CandidatesResult

_DRIFTED = (VerdictStatus.BROKEN, VerdictStatus.MOVED, VerdictStatus.AMBIGUOUS)  # shown even if not verbose


def print_candidates(result: CandidatesResult, console: Console, verbose: bool) -> None:
    """Write each candidate with what speaks for it and what holds it back, in a few lines."""
    used = " and ".join(_used(result.budget[name], name) for name in ("tokens", "entries"))
    what = "Candidates" if result.candidates else "No candidates"
    write_line(console, f"{what} for {visible(result.document)}: {used} are used")
    for one in result.candidates:
        _print_candidate(one, console, verbose)
    if result.more:
        write_line(console, f"… and {result.more} more (--limit 0 lists all)")


def _used(allowance: Allowance, name: str) -> str:
    return f"{allowance.used} of {allowance.allowed} {name}" if allowance.allowed else f"{allowance.used} {name}"


def _print_candidate(one: CandidateEntry, console: Console, verbose: bool) -> None:
    size = counted(one.tokens, "token") if one.tokens is not None else "nothing fits"
    worth = worth_in_words(one.worth, one.reasons) if verbose else shown(one.worth)
    under = f", under {one_line(one.section)}" if one.section else ""
    write_line(console, (one.id[:ID_WIDTH], "cyan"), f"  worth {visible(worth)}, {size}{under}")
    for line in (one.text if verbose or one.excerpt is None else one.excerpt).split("\n"):
        write_line(console, "  ", visible(line) if verbose else one_line(line, 400))
    drifted = [item for item in one.citations if verbose or item.verdict.status in _DRIFTED]
    for line in cited(drifted, verbose=True):
        write_line(console, "  cites ", visible(line))
    for gate in one.held:
        write_line(console, "  held back: ", visible(gate.reason))
    for other in one.similar:
        whose = other.id[:ID_WIDTH] if other.id is not None else "the document"
        write_line(console, f"  {shown(other.likeness)} like {whose}: ", one_line(other.text, 72))
