"""The command line: parse, run, print, exit code. Heavy modules are imported when a command needs them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from intermem.cli.arguments import option
from intermem.cli.output import (
    OutputRefused,
    discard_output,
    print_notices,
    print_result,
    report_error,
    usable_streams,
    wants_json,
    writable_output,
)
from intermem.cli.parser import build_parser
from intermem.cli.verb import renamed
from intermem.cli.verbs import LISTED, VERBS
from intermem.errors import IntermemError, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from intermem.cli.verb import Verb
    from intermem.results import Result
    from intermem.workflow.workspace import Options

INTERRUPTED = 130
BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 success or clean; 1 nothing found, or findings; 2 error; 130 interrupted; 141 if nobody reads standard output
    any more.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    usable_streams()
    ended = "has completed; see intermem log"
    try:
        try:
            code = _run(arguments)
        except IntermemError as error:
            if _only_reads(arguments):
                error.settle("nothing was changed")
            ended = f"ended with an error: {error.message}"
            code = report_error(error, as_json=wants_json(arguments))
        except (BrokenPipeError, OutputRefused):
            raise
        except Exception as error:
            from intermem.cli.faults import described

            fault = described(error)
            if fault is None:  # a mistake of ours: the traceback is what a report of it needs
                raise
            code = report_error(fault, as_json=wants_json(arguments))
        with writable_output():
            sys.stdout.flush()
    except OutputRefused as refused:
        discard_output()
        sys.stderr.write(f"error: standard output: {refused}\nhint: the command itself {ended}\n")
        return 2
    except KeyboardInterrupt as interrupt:
        what = interrupt.args[0] if interrupt.args else _left_behind(arguments)
        sys.stderr.write(f"\ninterrupted; {what}\n")
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return BROKEN_PIPE
    return code


def _left_behind(arguments: Sequence[str]) -> str:
    """The state in which an interrupted command leaves things."""
    if _only_reads(arguments):
        return "no document was changed"  # a query may have counted its accesses
    return "no file is half-written; the next command that writes completes what was begun"


def _only_reads(arguments: Sequence[str]) -> bool:
    verb = next((VERBS[word] for word in arguments if word in VERBS), None)
    if verb is None:
        return False
    given = set(arguments)
    return not given & set(verb.writes_with) if verb.reads_only else bool(given & set(verb.reads_with))


def _run(arguments: Sequence[str]) -> int:
    parser = build_parser(arguments)
    if not arguments:
        parser.print_help(sys.stderr)
        return UsageError.exit_code
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        command = f"intermem {args.verb}" if "verb" in args else "intermem"
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", hint=f"{command} --help")
    if "verb" not in args:
        raise UsageError(f"no command given; commands: {', '.join(LISTED)}", hint="intermem --help")
    quiet = bool(option(args, "quiet"))
    verb = VERBS[args.verb]
    now = None
    if verb.alone is not None:
        result = verb.alone(args)
    else:
        result, now = _run_in_project(verb, args, quiet=quiet)
    if verb.replaced_by:
        result = renamed(result, verb.name, verb.replaced_by)
    with writable_output():
        return print_result(result, args, quiet=quiet, now=now)


def _run_in_project(verb: Verb, args: argparse.Namespace, *, quiet: bool) -> tuple[Result, datetime]:
    """Run ``verb``, and return its result and the time of the run."""
    from intermem.cli.progress import ProgressBar
    from intermem.workflow.workspace import open_workspace

    assert verb.run is not None
    with ProgressBar(sys.stderr, quiet=quiet) as progress:
        workspace = open_workspace(_options(args, progress))
        try:
            result = verb.run(workspace, args)
        except IntermemError:
            print_notices(workspace.notices, quiet=quiet)
            raise
    if workspace.notices:
        from dataclasses import replace

        result = replace(result, notices=(*workspace.notices, *result.notices))
    return result, workspace.now


def _options(args: argparse.Namespace, progress: Callable[[str, int, int], None]) -> Options:
    from datetime import UTC, datetime
    from pathlib import Path

    from intermem.core.times import is_naive, parse_time
    from intermem.project.locations import expanded
    from intermem.workflow.workspace import Options

    flag: str | None = getattr(args, "now", None)
    given = flag if flag is not None else os.environ.get("INTERMEM_NOW")
    whose = "--now" if flag is not None else "INTERMEM_NOW"
    now = parse_time(given, whose=whose) if given is not None else datetime.now(UTC).replace(microsecond=0)
    if given and is_naive(given) and not option(args, "quiet"):
        sys.stderr.write(f"note: {whose} has no time zone; assuming UTC\n")

    def path(name: str) -> Path | None:
        value = getattr(args, name, None)
        if value is None:
            return None
        flag = "--" + name.replace("_", "-")
        if not value:
            raise UsageError(f"{flag} is empty", hint="an unset shell variable?")
        return expanded(Path(), value, flag)

    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working directory no longer exists", hint="change to another directory") from None
    return Options(
        now=now,
        working_directory=here,
        environment=dict(os.environ),
        project_root=path("project_root"),
        memory_dir=path("memory_dir"),
        config=path("config"),
        state_dir=path("state_dir"),
        cache=not option(args, "no_cache"),
        progress=progress,
    )
