"""Standard output and standard error: results, notices, errors."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from intermem.cli.arguments import option
from intermem.cli.verbs import VERBS
from intermem.errors import IntermemError, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from intermem.results import Result
    from intermem.results.check import CheckResult


class OutputRefused(Exception):
    """Standard output cannot be written to: the disk is full, say."""


@contextlib.contextmanager
def writable_output() -> Iterator[None]:
    """Raise OutputRefused if standard output cannot be written to, but let a broken pipe pass."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputRefused(error.strerror) from None


def discard_output() -> None:
    """Redirect standard output to the null device, or the interpreter complains on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_result(result: Result, args: argparse.Namespace, *, quiet: bool, now: datetime | None = None) -> int:
    """Write ``result`` in the format that was asked for; return its exit code."""
    from intermem.reporters.discretion import discreet

    result = discreet(result, now)
    format = option(args, "format") or "text"
    if format == "json" or option(args, "json"):
        from intermem.reporters.formats import json

        sys.stdout.write(json.render(result))
    elif format == "text":
        _print_text(result, args, quiet=quiet)
    elif format == "md":
        from intermem.reporters.formats import markdown
        from intermem.results.inspect import QueryResult

        assert isinstance(result, QueryResult)  # no other command has it
        sys.stdout.write(markdown.render(result))
    else:
        from intermem.reporters.formats.registry import FORMATS
        from intermem.results.check import CheckResult

        assert isinstance(result, CheckResult)  # no other command has formats
        # Where a runner listens, the stream lets no other commands through (cli/runner.py).
        write = getattr(sys.stdout, "write_commands", sys.stdout.write) if format == "github" else sys.stdout.write
        write(FORMATS[format](result))
        if format == "github":
            _append_summary(result)
    print_notices(result.notices, quiet=quiet)
    _print_problems(result, quiet=quiet)
    return result.exit_code


def _print_text(result: Result, args: argparse.Namespace, *, quiet: bool) -> None:
    from intermem.reporters.text.render import is_unexplained, write

    verb = VERBS[args.verb]
    reads = any(option(args, name[2:]) for name in verb.reads_with)
    verbose, no_color = bool(option(args, "verbose")), bool(option(args, "no_color"))
    write(
        result,
        verb.renderer,
        sys.stdout,
        reads_only=verb.reads_only or reads,
        verbose=verbose,
        quiet=quiet,
        no_color=no_color,
    )
    sys.stdout.flush()
    if is_unexplained(result):
        from dataclasses import replace

        in_words = replace(result, show_diff=False)
        write(in_words, verb.renderer, sys.stderr, verbose=verbose, quiet=quiet, no_color=no_color)


def _append_summary(result: CheckResult) -> None:
    """Add the findings to the job summary, a file whose text GitHub shows on the page of the run."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        from intermem.reporters.formats.github import summary

        try:
            with open(path, "ab") as file:  # noqa: PTH123 - as everywhere in this module: no pathlib at the start
                file.write(summary(result).encode("utf-8"))
        except OSError as error:
            hint = "the findings are above; unset it, or set it to a file that can be written"
            raise UsageError(f"GITHUB_STEP_SUMMARY: {error.strerror}", hint=hint) from None


def print_notices(notices: Sequence[str], *, quiet: bool) -> None:
    """Write notices to standard error, unless ``quiet``."""
    if notices and not quiet:
        from intermem.reporters.escaping import one_line

        for notice in dict.fromkeys(notices):
            sys.stderr.write(f"note: {one_line(notice)}\n")


def _print_problems(result: Result, *, quiet: bool) -> None:
    from intermem.reporters.escaping import one_line

    for problem in dict.fromkeys(result.problems):
        if problem.fatal or not quiet:
            sys.stderr.write(f"{'error' if problem.fatal else 'warning'}: {one_line(problem.message)}\n")
            if problem.hint:
                sys.stderr.write(f"hint: {one_line(problem.hint)}\n")


def report_error(error: IntermemError, *, as_json: bool) -> int:
    """Write ``error``, without any secret in it; return its exit code."""
    from intermem.core.entries.secrets import without_values

    error.message, error.hint = without_values(error.message), without_values(error.hint)
    if as_json:
        from intermem.reporters.formats import json

        sys.stdout.write(json.render_error(error))
    else:
        from intermem.reporters.escaping import one_line

        for notice in error.notices:
            sys.stderr.write(f"note: {one_line(notice)}\n")
        sys.stderr.write(f"error: {one_line(error.message)}\n")
        if error.hint:
            sys.stderr.write(f"hint: {one_line(error.hint)}\n")
    return error.exit_code


def wants_json(arguments: Sequence[str]) -> bool:
    """Return True if ``arguments``, which may be invalid, ask for JSON."""
    return any(one in ("--json", "--format=json") for one in arguments) or ("--format", "json") in pairwise(arguments)


def usable_streams() -> None:
    """Replace closed standard streams, and escape characters that the terminal cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
