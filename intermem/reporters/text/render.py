"""Text output: tables and sentences, in colour on a terminal, plain elsewhere.

Each command has a renderer in a module beside this one; only that module is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from intermem.reporters.escaping import visible
from intermem.reporters.text.lines import Plain, console_for, is_plain_stream, write_line
from intermem.results import FINDINGS, Result, WritingResult
from intermem.results.check import CheckResult

if TYPE_CHECKING:
    from rich.console import Console


def write(
    result: Result,
    renderer: str,
    stream: TextIO,
    *,
    reads_only: bool = False,
    verbose: bool = False,
    quiet: bool = False,
    no_color: bool = False,
) -> None:
    """Write ``result`` to ``stream``, in colour if it is a terminal; the other arguments are those of ``render``."""
    plainly = (not result.has_table or result.show_diff) and is_plain_stream(stream)
    console = Plain(stream) if plainly else console_for(stream, no_color=no_color)
    render(result, renderer, console, reads_only=reads_only, verbose=verbose, quiet=quiet)


def render(
    result: Result,
    renderer: str,
    console: Console | Plain,
    *,
    reads_only: bool = False,
    verbose: bool = False,
    quiet: bool = False,
) -> None:
    """Write ``result`` to ``console``, which may be a plain one for a diff, ``check`` and ``merge-driver`` only.

    ``renderer`` is "module:function" in this package. ``quiet`` leaves out everything but diffs and, of a command that
    ``reads_only``, what was asked for.
    """
    if result.show_diff:
        _print_diffs(result, console)
        if not isinstance(result, CheckResult):
            return
        if result.changes:
            write_line(console)
    if quiet and not reads_only and not result.renderer:
        return
    module, _, function = (result.renderer or renderer).partition(":")
    getattr(import_module(f"{__package__}.{module}"), function)(result, console, verbose)
    if isinstance(result, CheckResult) and not quiet:
        from intermem.reporters.text.check import print_summary

        print_summary(result, console, verbose)
    if result.verb != "undo" and result.changes:
        _print_topic_lines(result, console)
        _print_ledger(result, console)


def _print_topic_lines(result: Result, console: Console | Plain) -> None:
    """Say which lines that name topic files came or went with the entries."""
    from intermem.core.region.pointers import named_in

    if not isinstance(result, WritingResult):
        return
    for change in dict.fromkeys(result.changes):  # a dry run of curate plans a line twice
        before, after = (named_in(text or "", change.document) for text in (change.before, change.after))
        if before is None or after is None:
            continue
        for names, done in ((after - before, "added"), (before - after, "removed")):
            if names:
                what = f"the line{'' if len(names) == 1 else 's'} of {', '.join(sorted(names))}"
                would = "would be " if result.dry_run else ""
                _write_wrapped(console, f"  {visible(change.document)}: {what} {would}{done}")


def is_unexplained(result: Result) -> bool:
    """Return whether a diff, the output of ``result``, does not show that something was refused, or nothing found."""
    if not result.show_diff or isinstance(result, CheckResult) or result.exit_code != FINDINGS:
        return False
    return not result.changes or bool(getattr(result, "refused", ()))


def _print_ledger(result: Result, console: Console | Plain) -> None:
    """Say that the ledger changed too: it belongs in the same commit."""
    from intermem.core.region.topic_files import is_topic_file
    from intermem.entities import LEDGER, TIER_FOLDER

    changes = [change for change in result.changes if change.document.startswith(f"{LEDGER}/")]
    if changes:
        dry = isinstance(result, WritingResult) and result.dry_run
        added = sum(1 for change in changes if change.before is None)
        gone = len(changes) - added
        counts = ((added, "added"), (gone, "removed"))
        would = "would be " if dry else ""
        parts = [f"{number} event{'' if number == 1 else 's'} {would}{what}" for number, what in counts if number]
        how = f" (intermem {result.verb} does it)" if dry and result.verb == "sweep" else ""
        topics = f" and {TIER_FOLDER}" if any(is_topic_file(one.document) for one in result.changes) else ""
        how = how or f": commit .intermem{topics} with the documents"
        line = f"  {LEDGER}: {', '.join(parts)}{how}"
        _write_wrapped(console, line)


def _write_wrapped(console: Console | Plain, line: str) -> None:
    if isinstance(console, Plain):
        write_line(console, line)
        return
    from intermem.reporters.text.wrapping import write_wrapped

    write_wrapped(console, line, 4)


def _print_diffs(result: Result, console: Console | Plain) -> None:
    from intermem.reporters.diff import unified_diff

    for change in result.changes:
        for line in unified_diff(change).split("\n")[:-1]:
            style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
            style = "bold" if line.startswith(("+++", "---")) else "cyan" if line.startswith("@@") else style
            write_line(console, (visible(line.rstrip("\r")), style))
