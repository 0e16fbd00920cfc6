"""What people read: tables and sentences, coloured on a terminal, plain elsewhere.

A verb has a function in one of the modules beside this one; only that module is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from intermem.reporters.escaping import visible
from intermem.reporters.text.lines import Plain, console_for, is_plain_stream, write_line
from intermem.results import Result

if TYPE_CHECKING:
    from rich.console import Console

_WRITING = frozenset(
    "scan promote sweep init restore reject demote feedback pin unpin supersede prune purge undo".split()  # noqa: SIM905
)

# Of each verb: the module and the function that write its result.
_RENDERERS: Mapping[str, tuple[str, str]] = {
    "init": ("curate", "print_initialised"),
    "scan": ("curate", "print_scanned"),
    "promote": ("curate", "print_promoted"),
    "sweep": ("curate", "print_swept"),
    "query": ("inspect", "print_query"),
    "status": ("inspect", "print_status"),
    "why": ("inspect", "print_story"),
    "log": ("inspect", "print_log"),
    "doctor": ("inspect", "print_checkup"),
    "verify": ("inspect", "print_verified"),
    "schedule": ("inspect", "print_schedule"),
    "stats": ("stats", "print_stats"),
    "check": ("check", "print_findings"),
    "undo": ("undo", "print_undone"),
    "restore": ("decide", "print_judgement"),
    "reject": ("decide", "print_judgement"),
    "demote": ("decide", "print_judgement"),
    "supersede": ("decide", "print_judgement"),
    "pin": ("decide", "print_judgement"),
    "unpin": ("decide", "print_judgement"),
    "feedback": ("decide", "print_feedback"),
    "prune": ("decide", "print_pruned"),
    "purge": ("decide", "print_purged"),
}


def write(
    result: Result, stream: TextIO, *, verbose: bool = False, quiet: bool = False, no_color: bool = False
) -> None:
    """Write ``result`` for people to ``stream``. ``quiet`` leaves out what a writing verb has to say."""
    has_no_table = result.verb == "check" or result.show_diff
    plainly = has_no_table and is_plain_stream(stream)
    render(result, Plain(stream) if plainly else console_for(stream, no_color=no_color), verbose=verbose, quiet=quiet)


def render(result: Result, console: Console | Plain, *, verbose: bool = False, quiet: bool = False) -> None:
    """Write ``result`` for people to ``console``: a plain one for a diff and for ``check`` alone."""
    if result.show_diff:
        _print_diffs(result, console)
        if result.verb != "check":
            return
        if result.changes:
            write_line(console)
    if quiet and result.verb in _WRITING:
        return
    module, name = _RENDERERS[result.verb]
    getattr(import_module(f"intermem.reporters.text.{module}"), name)(result, console, verbose)
    if result.verb == "check" and not quiet:
        from intermem.reporters.text.check import print_sum

        print_sum(result, console, verbose)
    if result.verb != "undo" and result.changes:
        _print_ledger(result, console)


def _print_ledger(result: Result, console: Console | Plain) -> None:
    """That the ledger changed as well: it belongs into the same commit."""
    from intermem.entities import LEDGER

    changes = [change for change in result.changes if change.document == LEDGER]
    if changes:
        dry = bool(result.data.get("dry_run"))
        is_new = any(change.before is None for change in changes)
        what = "made: commit .intermem with the documents" if is_new else "brought up to date"
        how = f" (intermem {result.verb} does it)" if dry and result.verb == "sweep" else ""
        write_line(console, f"  {LEDGER} {'would be ' if dry else ''}{what}{how}")


def _print_diffs(result: Result, console: Console | Plain) -> None:
    from intermem.reporters.diff import unified_diff

    for change in result.changes:
        for line in unified_diff(change).split("\n")[:-1]:
            style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
            style = "bold" if line.startswith(("+++", "---")) else "cyan" if line.startswith("@@") else style
            write_line(console, (visible(line.rstrip("\r")), style))
